/* Bounds on differences and disequalities; the twin of `unlike.zones.zone`, in the same normal form. */
#include "open.h"

void zone_copy(Zone *to, const Zone *from)
{
    to->rows = from->rows;
    to->stride = from->stride;
    to->unequal_used = from->unequal_used;
    memcpy(to->unequal, from->unequal, sizeof(Unequal) * (size_t)from->unequal_used);
    memcpy(to->bounds, from->bounds, sizeof(Bound) * (size_t)(from->rows * from->stride));
}

/* Takes bounds without padding, then disequalities, as states are kept. */
void zone_load(Zone *zone, const Bound *packed, int rows, int unequal)
{
    zone->rows = rows;
    zone->stride = stride_for(rows);
    for (int i = 0; i < rows; i++) {
        Bound *row = zone->bounds + i * zone->stride;
        memcpy(row, packed + i * rows, sizeof(Bound) * (size_t)rows);
        memset(row + rows, 0, sizeof(Bound) * (size_t)(zone->stride - rows));
    }
    zone->unequal_used = unequal;
    memcpy(zone->unequal, packed + rows * rows, sizeof(Unequal) * (size_t)unequal);
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
        zone->bounds[slot * stride + j] = (Bound)(high + (j ? zone_bound(zone, 0, j) : 0));
        zone->bounds[j * stride + slot] = (Bound)((j ? zone_bound(zone, j, 0) : 0) - low);
    }
    return true;
}

/* ---- disequalities ---------------------------------------------------------------------------- */

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
    int slot = choice->slots[position], low = -zone_bound(zone, 0, slot), high = zone_bound(zone, slot, 0);
    for (int at = 0; at < position; at++) {
        int other = choice->slots[at], value = choice->values[at];
        if (value - zone_bound(zone, other, slot) > low)
            low = value - zone_bound(zone, other, slot);
        if (value + zone_bound(zone, slot, other) < high)
            high = value + zone_bound(zone, slot, other);
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

/* Tells whether the slot is bound to no other one and has more values than disequalities. */
static bool always_has_room(const Zone *zone, const Unequal *list, int slot)
{
    int high = zone_bound(zone, slot, 0), low = zone_bound(zone, 0, slot), against = 0;
    for (int at = 0; at < zone->unequal_used; at++)
        against += list[at].i == slot || list[at].j == slot;
    if (high + low + 1 <= against)
        return false;
    for (int j = 1; j < zone->rows; j++)
        if (j != slot && (zone_bound(zone, slot, j) != high + zone_bound(zone, 0, j) ||
                          zone_bound(zone, j, slot) != zone_bound(zone, j, 0) + low))
            return false;
    return true;
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
                int low = -zone_bound(zone, 0, clique[a]), high = zone_bound(zone, clique[b], 0), inside = 0;
                for (int at = 0; at < used; at++)
                    inside += -zone_bound(zone, 0, clique[at]) >= low && zone_bound(zone, clique[at], 0) <= high;
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
            roomy = roomy && always_has_room(zone, zone->unequal, slot);
        }
    return roomy || (!is_crowded(&choice) && can_choose(&choice, 0));
}

static bool settle(Zone *zone)
{
    return zone_settle(zone) && has_point(zone);
}

/* ---- questions -------------------------------------------------------------------------------- */

bool zone_is_possible(const Zone *zone, Question question, int i, int j, int c, int answer)
{
    switch (question) {
    case AT_MOST:
        return answer ? zone_bound(zone, j, i) + c >= 0 : zone_bound(zone, i, j) > c;
    case EQUAL:
        if (answer)
            return zone_bound(zone, i, j) >= c && zone_bound(zone, j, i) >= -c;
        return zone_bound(zone, i, j) != c || zone_bound(zone, j, i) != -c;
    default:
        return -zone_bound(zone, 0, i) <= answer && answer <= zone_bound(zone, i, 0);
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
        } else if (zone_bound(zone, i, j) < c || zone_bound(zone, j, i) < -c)
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
            int value = zone_bound(zone, i, j) + (a < 0 ? 0 : offsets[a]) - (b < 0 ? 0 : offsets[b]);
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
            if (zone_bound(other, i, j) <= zone_bound(zone, i, j))
                continue;
            if (!other->unequal_used)
                return false;
            zone_copy(&part, other); /* the bounds are tight without disequalities only */
            if (zone_narrow(&part, AT_MOST, i, j, zone_bound(zone, i, j), 0))
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

/* Finds a slot that goes and might have no value left for some point; its first disequality, or none. */
static bool troubled(const Zone *zone, const Projection *projection, const Unequal *list, Unequal *which)
{
    for (int slot = 1; slot < zone->rows; slot++)
        for (int at = 0; at < zone->unequal_used && !projection->kept[slot]; at++)
            if ((list[at].i == slot || list[at].j == slot) && !always_has_room(zone, list, slot)) {
                *which = list[at];
                return true;
            }
    return false;
}

/* Writes the zone of the terms with the disequalities between slots that stay, and hands it on. */
static bool hand_on(const Zone *zone, const Projection *projection, const Unequal *list)
{
    Zone *made = malloc(sizeof *made);
    Bound *packed = malloc(sizeof(Bound) * MOST_ROWS * MOST_ROWS);
    bool done = made && packed;
    if (!done)
        PyErr_NoMemory();
    else if (!zone_project(zone, projection->slots, projection->offsets, projection->count, packed)) {
        PyErr_SetString(CANNOT_CLASS, "values that are left open grow without end");
        done = false;
    }
    if (done) {
        zone_load(made, packed, projection->count + 1, 0);
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
        done = zone_settle(made) && projection->take(projection->taker, made);
    }
    free(made);
    free(packed);
    return done;
}

static bool project(const Zone *zone, const Projection *projection)
{
    Unequal list[MOST_UNEQUAL], which = {0, 0, 0};
    for (int at = 0; at < zone->unequal_used; at++)
        list[at] = zone_rewrite(zone, zone->unequal[at], projection->kept);
    if (!troubled(zone, projection, list, &which))
        return hand_on(zone, projection, list);
    Zone *part = malloc(sizeof *part);
    bool done = part != NULL;
    if (!done)
        PyErr_NoMemory();
    for (int half = 0; done && half < 2; half++) {
        zone_copy(part, zone);
        int i = half ? which.j : which.i, j = half ? which.i : which.j, c = half ? -which.c - 1 : which.c - 1;
        bool left = zone_bound(part, j, i) + c >= 0 && zone_narrow(part, AT_MOST, i, j, c, 1);
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
