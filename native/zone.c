/* Bounds on differences and disequalities; the twin of `unlike.symbolic.zone`, in the same normal form. */
#include "open.h"

void zone_copy(Zone *to, const Zone *from)
{
    to->rows = from->rows;
    to->stride = from->stride;
    to->unequal_used = from->unequal_used;
    memcpy(to->unequal, from->unequal, sizeof(Unequal) * (size_t)from->unequal_used);
    memcpy(to->bounds, from->bounds, sizeof(Bound) * (size_t)(from->rows * from->stride));
}

/* Adds x_i - x_j <= c to closed bounds that allow it; they are closed afterwards. */
void zone_tighten(Zone *zone, int i, int j, int c)
{
    if (bound(zone, i, j) <= c)
        return;
    int rows = zone->rows, stride = zone->stride;
    Bound last[MOST_ROWS];
    memcpy(last, zone->bounds + j * stride, sizeof(Bound) * (size_t)stride);
    for (int a = 0; a < rows; a++) {
        Bound *row = zone->bounds + a * stride;
        Bound step = (Bound)(row[i] + c);
        for (int b = 0; b < stride; b++) {
            Bound through = (Bound)(step + last[b]);
            row[b] = through < row[b] ? through : row[b];
        }
    }
}

bool zone_extend(Zone *zone, int low, int high)
{
    int slot = zone->rows, stride = stride_for(slot + 1);
    if (slot >= MOST_ROWS || low < -FARTHEST / 2 || high > FARTHEST / 2)
        return false;
    if (stride != zone->stride) {
        for (int i = slot - 1; i >= 0; i--) { /* from the end: rows move up */
            memmove(zone->bounds + i * stride, zone->bounds + i * zone->stride, sizeof(Bound) * (size_t)slot);
            memset(zone->bounds + i * stride + slot, 0, sizeof(Bound) * (size_t)(stride - slot));
        }
        zone->stride = stride;
    }
    zone->rows = slot + 1;
    memset(zone->bounds + slot * stride, 0, sizeof(Bound) * (size_t)stride);
    for (int j = 0; j < slot; j++) {
        zone->bounds[slot * stride + j] = (Bound)(high + (j ? bound(zone, 0, j) : 0));
        zone->bounds[j * stride + slot] = (Bound)((j ? bound(zone, j, 0) : 0) - low);
    }
    return true;
}

/* ---- disequalities ---------------------------------------------------------------------------- */

/* The first slot that this one differs from by a fixed offset, and the offset. */
static int first_slot(const Zone *zone, int slot, int *offset)
{
    for (int other = 0; other < slot; other++)
        if (bound(zone, slot, other) == -bound(zone, other, slot)) {
            *offset = bound(zone, slot, other);
            return other;
        }
    *offset = 0;
    return slot;
}

static Unequal in_first_slots(const Zone *zone, Unequal each)
{
    int x, y, a = first_slot(zone, each.i, &x), b = first_slot(zone, each.j, &y);
    if (a > b)
        return (Unequal){(int16_t)a, (int16_t)b, (int16_t)(each.c - x + y)};
    return (Unequal){(int16_t)b, (int16_t)a, (int16_t)(x - y - each.c)};
}

static int order_of(Unequal one, Unequal other)
{
    return one.i != other.i ? one.i - other.i : one.j != other.j ? one.j - other.j : one.c - other.c;
}

/* Puts a disequality where it belongs in the sorted list, once. */
static void insert(Unequal *list, int *used, Unequal each)
{
    int at = *used;
    while (at > 0 && order_of(list[at - 1], each) > 0)
        at--;
    if (at > 0 && order_of(list[at - 1], each) == 0)
        return;
    memmove(list + at + 1, list + at, sizeof *list * (size_t)(*used - at));
    list[at] = each;
    ++*used;
}

typedef struct {
    const Zone *zone;
    int slots[MOST_ROWS], count;
    int values[MOST_ROWS];
} Choice;

static bool can_choose(Choice *choice, int position)
{
    const Zone *zone = choice->zone;
    if (position == choice->count)
        return true;
    int slot = choice->slots[position], low = -bound(zone, 0, slot), high = bound(zone, slot, 0);
    for (int at = 0; at < position; at++) {
        int other = choice->slots[at], value = choice->values[at];
        if (value - bound(zone, other, slot) > low)
            low = value - bound(zone, other, slot);
        if (value + bound(zone, slot, other) < high)
            high = value + bound(zone, slot, other);
    }
    for (int value = low; value <= high; value++) {
        bool taken = false;
        for (int at = 0; at < zone->unequal_used && !taken; at++) {
            Unequal each = zone->unequal[at];
            if (each.i != slot && each.j != slot)
                continue;
            int other = each.i == slot ? each.j : each.i, difference = each.i == slot ? each.c : -each.c;
            if (other == 0)
                taken = value == difference;
            for (int before = 0; before < position && !taken; before++)
                taken = choice->slots[before] == other && value == choice->values[before] + difference;
        }
        choice->values[position] = value;
        if (!taken && can_choose(choice, position + 1))
            return true;
    }
    return false;
}

static bool is_free(const Zone *zone, int slot)
{
    int high = bound(zone, slot, 0), low = bound(zone, 0, slot);
    for (int j = 1; j < zone->rows; j++)
        if (j != slot && (bound(zone, slot, j) != high + bound(zone, 0, j) || bound(zone, j, slot) != bound(zone, j, 0) + low))
            return false;
    return true;
}

static bool always_has_room(const Zone *zone, int slot)
{
    int against = 0;
    for (int at = 0; at < zone->unequal_used; at++)
        against += zone->unequal[at].i == slot || zone->unequal[at].j == slot;
    return bound(zone, slot, 0) + bound(zone, 0, slot) + 1 > against && is_free(zone, slot);
}

static bool differ(const Zone *zone, int one, int other)
{
    int i = one > other ? one : other, j = one > other ? other : one;
    for (int at = 0; at < zone->unequal_used; at++)
        if (zone->unequal[at].i == i && zone->unequal[at].j == j && zone->unequal[at].c == 0)
            return true;
    return false;
}

/* Tells whether some slots that all differ have fewer numbers between them than they are. */
static bool is_crowded(const Choice *choice)
{
    const Zone *zone = choice->zone;
    for (int start = 0; start < choice->count; start++) {
        int clique[MOST_ROWS], used = 0;
        for (int at = 0; at < choice->count; at++) {
            int slot = choice->slots[(start + at) % choice->count];
            bool all = true;
            for (int other = 0; other < used && all; other++)
                all = differ(zone, slot, clique[other]);
            if (all)
                clique[used++] = slot;
        }
        for (int a = 0; a < used; a++)
            for (int b = 0; b < used; b++) {
                int low = -bound(zone, 0, clique[a]), high = bound(zone, clique[b], 0), inside = 0;
                for (int at = 0; at < used; at++)
                    inside += -bound(zone, 0, clique[at]) >= low && bound(zone, clique[at], 0) <= high;
                if (high >= low && inside > high - low + 1)
                    return true;
            }
    }
    return false;
}

static bool has_point(const Zone *zone)
{
    Choice choice = {.zone = zone};
    bool seen[MOST_ROWS] = {false}, roomy = true;
    if (zone->unequal_used <= 1)
        return true; /* it lies strictly between the bounds, so there is another difference */
    for (int at = 0; at < zone->unequal_used; at++)
        seen[zone->unequal[at].i] = seen[zone->unequal[at].j] = true;
    for (int slot = 1; slot < zone->rows; slot++)
        if (seen[slot]) {
            choice.slots[choice.count++] = slot;
            roomy = roomy && always_has_room(zone, slot);
        }
    return roomy || (!is_crowded(&choice) && can_choose(&choice, 0));
}

/* Brings the disequalities into normal form; false if the bounds show that no point is left. */
static bool normalise(Zone *zone)
{
    Unequal written[MOST_UNEQUAL];
    bool again = true;
    while (again) {
        int used = 0;
        again = false;
        for (int at = 0; at < zone->unequal_used; at++) {
            Unequal each = zone->unequal[at];
            int least = -bound(zone, each.j, each.i), most = bound(zone, each.i, each.j);
            if (each.c < least || each.c > most)
                continue;
            if (least == most)
                return false;
            if (each.c == most) {
                zone_tighten(zone, each.i, each.j, each.c - 1);
                again = true;
            } else if (each.c == least) {
                zone_tighten(zone, each.j, each.i, -each.c - 1);
                again = true;
            } else
                insert(written, &used, in_first_slots(zone, each));
        }
        memcpy(zone->unequal, written, sizeof *written * (size_t)used);
        zone->unequal_used = used;
    }
    return true;
}

static bool settle(Zone *zone)
{
    return normalise(zone) && has_point(zone);
}

/* ---- questions -------------------------------------------------------------------------------- */

bool zone_is_possible(const Zone *zone, Question question, int i, int j, int c, int answer)
{
    switch (question) {
    case AT_MOST:
        return answer ? bound(zone, j, i) + c >= 0 : bound(zone, i, j) > c;
    case EQUAL:
        if (answer)
            return bound(zone, i, j) >= c && bound(zone, j, i) >= -c;
        return bound(zone, i, j) != c || bound(zone, j, i) != -c;
    default:
        return -bound(zone, 0, i) <= answer && answer <= bound(zone, i, 0);
    }
}

/* Keeps the part of the zone for which the answer is right; false if nothing is left. The bounds must allow it. */
bool zone_narrow(Zone *zone, Question question, int i, int j, int c, int answer)
{
    switch (question) {
    case AT_MOST:
        if (answer)
            zone_tighten(zone, i, j, c);
        else
            zone_tighten(zone, j, i, -c - 1);
        break;
    case EQUAL:
        if (answer) {
            zone_tighten(zone, i, j, c);
            zone_tighten(zone, j, i, -c);
        } else if (bound(zone, i, j) < c || bound(zone, j, i) < -c)
            return true;
        else {
            if (zone->unequal_used == MOST_UNEQUAL - 1)
                return false; /* the caller has looked before */
            zone->unequal[zone->unequal_used++] = (Unequal){(int16_t)i, (int16_t)j, (int16_t)c};
            return settle(zone);
        }
        break;
    default:
        zone_tighten(zone, i, 0, answer);
        zone_tighten(zone, 0, i, -answer);
    }
    return !zone->unequal_used || settle(zone);
}

/* ---- from one state to the next --------------------------------------------------------------- */

/* Writes the bounds of the terms, without padding; false if one is too far away. Disequalities are not looked at. */
bool zone_project(const Zone *zone, const int *slots, const int *offsets, int count, Bound *packed)
{
    for (int a = -1; a < count; a++)
        for (int b = -1; b < count; b++) {
            int i = a < 0 ? 0 : slots[a], j = b < 0 ? 0 : slots[b];
            int value = bound(zone, i, j) + (a < 0 ? 0 : offsets[a]) - (b < 0 ? 0 : offsets[b]);
            if (value > FARTHEST || value < -FARTHEST)
                return false;
            *packed++ = (Bound)value;
        }
    return true;
}

bool zone_includes(const Zone *zone, const Zone *other)
{
    static Zone part; /* the interpreter lock is held */
    for (int i = 0; i < zone->rows; i++)
        for (int j = 0; j < zone->rows; j++) {
            if (bound(other, i, j) <= bound(zone, i, j))
                continue;
            if (!other->unequal_used)
                return false;
            zone_copy(&part, other); /* the bounds are tight without disequalities only */
            if (zone_narrow(&part, AT_MOST, i, j, bound(zone, i, j), 0))
                return false;
        }
    for (int at = 0; at < zone->unequal_used; at++) {
        Unequal each = zone->unequal[at];
        if (!zone_is_possible(other, EQUAL, each.i, each.j, each.c, 1))
            continue;
        zone_copy(&part, other);
        if (zone_narrow(&part, EQUAL, each.i, each.j, each.c, 1))
            return false;
    }
    return true;
}

/* ---- dropping values -------------------------------------------------------------------------- */

typedef struct {
    const int *slots, *offsets;
    int count;
    bool kept[MOST_ROWS];
    bool (*take)(void *, const Zone *);
    void *taker;
} Projection;

/* A slot that stays and always has the value of this one plus an offset, or the slot itself. */
static int stand_in(const Zone *zone, const Projection *projection, int slot, int *offset)
{
    for (int other = 0; other < zone->rows; other++)
        if ((other == 0 || projection->kept[other]) && bound(zone, slot, other) == -bound(zone, other, slot)) {
            *offset = bound(zone, slot, other);
            return other;
        }
    *offset = 0;
    return slot;
}

static Unequal moved(const Zone *zone, const Projection *projection, Unequal each)
{
    int x, y, a = stand_in(zone, projection, each.i, &x), b = stand_in(zone, projection, each.j, &y);
    if (a > b)
        return (Unequal){(int16_t)a, (int16_t)b, (int16_t)(each.c - x + y)};
    return (Unequal){(int16_t)b, (int16_t)a, (int16_t)(x - y - each.c)};
}

/* Finds a slot that goes and might have no value left for some point; its first disequality, or none. */
static bool troubled(const Zone *zone, const Projection *projection, const Unequal *list, Unequal *which)
{
    for (int slot = 1; slot < zone->rows; slot++) {
        int against = 0;
        for (int at = 0; at < zone->unequal_used && !projection->kept[slot]; at++)
            if ((list[at].i == slot || list[at].j == slot) && !against++)
                *which = list[at];
        if (against && !(is_free(zone, slot) && bound(zone, slot, 0) + bound(zone, 0, slot) + 1 > against))
            return true;
    }
    return false;
}

/* Writes the zone of the terms with the disequalities between slots that stay, and hands it on. */
static bool hand_on(const Zone *zone, const Projection *projection, const Unequal *list)
{
    Zone *made = malloc(sizeof *made);
    Bound *packed = malloc(sizeof(Bound) * MOST_ROWS * MOST_ROWS);
    int rows = projection->count + 1;
    bool done = made && packed;
    if (!done)
        PyErr_NoMemory();
    else if (!zone_project(zone, projection->slots, projection->offsets, projection->count, packed)) {
        PyErr_SetString(CANNOT_CLASS, "values that are left open grow without end");
        done = false;
    }
    if (done) {
        made->rows = rows;
        made->stride = stride_for(rows);
        memset(made->bounds, 0, sizeof(Bound) * (size_t)(rows * made->stride));
        for (int i = 0; i < rows; i++)
            memcpy(made->bounds + i * made->stride, packed + i * rows, sizeof(Bound) * (size_t)rows);
        made->unequal_used = 0;
        for (int at = 0; at < zone->unequal_used; at++) {
            int places[2] = {list[at].i ? -1 : 0, list[at].j ? -1 : 0}, shifts[2] = {0, 0};
            for (int term = 0; term < projection->count; term++)
                for (int side = 0; side < 2; side++)
                    if (places[side] < 0 && projection->slots[term] == (side ? list[at].j : list[at].i)) {
                        places[side] = term + 1;
                        shifts[side] = projection->offsets[term];
                    }
            if (places[0] >= 0 && places[1] >= 0)
                made->unequal[made->unequal_used++] = (Unequal){
                    (int16_t)places[0], (int16_t)places[1], (int16_t)(list[at].c + shifts[0] - shifts[1])};
        }
        done = normalise(made) && projection->take(projection->taker, made);
    }
    free(made);
    free(packed);
    return done;
}

static bool project(const Zone *zone, const Projection *projection)
{
    Unequal list[MOST_UNEQUAL], which = {0, 0, 0};
    for (int at = 0; at < zone->unequal_used; at++)
        list[at] = moved(zone, projection, zone->unequal[at]);
    if (!troubled(zone, projection, list, &which))
        return hand_on(zone, projection, list);
    Zone *part = malloc(sizeof *part);
    bool done = part != NULL;
    if (!done)
        PyErr_NoMemory();
    for (int half = 0; done && half < 2; half++) {
        zone_copy(part, zone);
        bool left = half ? bound(part, which.i, which.j) + -which.c - 1 >= 0 : bound(part, which.j, which.i) + which.c - 1 >= 0;
        left = left && (half ? zone_narrow(part, AT_MOST, which.j, which.i, -which.c - 1, 1)
                             : zone_narrow(part, AT_MOST, which.i, which.j, which.c - 1, 1));
        done = !left || project(part, projection);
    }
    free(part);
    return done;
}

/* Hands on the zones of the terms' values, together exact; false with an exception, or if the taker says so. */
bool zone_project_all(const Zone *zone, const int *slots, const int *offsets, int count,
                      bool (*take)(void *, const Zone *), void *taker)
{
    Projection projection = {.slots = slots, .offsets = offsets, .count = count, .take = take, .taker = taker};
    for (int at = 0; at < count; at++)
        projection.kept[slots[at]] = true;
    return project(zone, &projection);
}
