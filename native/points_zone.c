/* Zones read and written, closed, normalised, cut along each other. See zone.py, normal.py and union.py. */
#include "points.h"

struct Block {
    Block *before;
    size_t used, size;
    max_align_t memory[];
};

void *arena_take(Arena *arena, size_t size)
{
    size = (size + 15) & ~(size_t)15;
    if (!arena->last || arena->last->used + size > arena->last->size) {
        size_t wanted = size > 4096 ? size : 4096;
        Block *block = calloc(1, sizeof *block + wanted);
        if (!block) {
            PyErr_NoMemory();
            return NULL;
        }
        block->before = arena->last;
        block->size = wanted;
        arena->last = block;
    }
    void *taken = (char *)arena->last->memory + arena->last->used;
    arena->last->used += size;
    return taken;
}

void arena_clear(Arena *arena)
{
    while (arena->last) {
        Block *before = arena->last->before;
        free(arena->last);
        arena->last = before;
    }
}

/* ---- from and to Python ------------------------------------------------------------------------- */

/* Reads a number; 1, 0 if it is too large, -1 with an exception set. */
static int number_of(PyObject *thing, int32_t *number)
{
    int overflow = 0;
    long value = PyLong_AsLongAndOverflow(thing, &overflow);
    if (value == -1 && PyErr_Occurred())
        return -1;
    *number = (int32_t)value;
    return !overflow && value <= MOST_BOUND && value >= -MOST_BOUND;
}

static Answer read_row(int32_t *row, PyObject *from, int size)
{
    if (!PyTuple_Check(from) || PyTuple_GET_SIZE(from) != size) {
        PyErr_SetString(PyExc_ValueError, "bounds must be a square of tuples");
        return FAILED;
    }
    for (int j = 0; j < size; j++) {
        int read = number_of(PyTuple_GET_ITEM(from, j), &row[j]);
        if (read < 1)
            return read ? FAILED : ASK_TWIN;
    }
    return DONE;
}

static int compare_differences(const void *one, const void *other)
{
    const Difference *a = one, *b = other;
    if (a->i != b->i)
        return a->i < b->i ? -1 : 1;
    if (a->j != b->j)
        return a->j < b->j ? -1 : 1;
    return (a->c > b->c) - (a->c < b->c);
}

static Answer read_unequal(PieceData *zone, Arena *arena, PyObject *unequal)
{
    Py_ssize_t count = PyObject_Size(unequal);
    if (count < 0 || count > 100000)
        return count < 0 ? FAILED : ASK_TWIN;
    if (!(zone->unequal = TAKE(arena, Difference, count)))
        return FAILED;
    PyObject *iterator = count ? PyObject_GetIter(unequal) : NULL, *each;
    if (count && !iterator)
        return FAILED;
    Answer answer = DONE;
    while (answer == DONE && iterator && (each = PyIter_Next(iterator))) {
        int32_t triple[3];
        answer = read_row(triple, each, 3);
        Py_DECREF(each);
        bool inside = triple[0] >= 0 && triple[1] >= 0 && triple[0] < zone->size && triple[1] < zone->size;
        if (answer == DONE && !inside) {
            PyErr_SetString(PyExc_ValueError, "a difference between slots that are not there");
            answer = FAILED;
        }
        if (answer == DONE && zone->unequals < count)
            zone->unequal[zone->unequals++] = (Difference){triple[0], triple[1], triple[2]};
    }
    Py_XDECREF(iterator);
    if (PyErr_Occurred())
        return FAILED;
    qsort(zone->unequal, (size_t)zone->unequals, sizeof(Difference), compare_differences);
    return answer;
}

Answer piece_read(PieceData *zone, Arena *arena, PyObject *bounds, PyObject *unequal)
{
    if (!PyTuple_Check(bounds) || PyTuple_GET_SIZE(bounds) < 1) {
        PyErr_SetString(PyExc_ValueError, "bounds must be a square of tuples");
        return FAILED;
    }
    if (PyTuple_GET_SIZE(bounds) > 1000)
        return ASK_TWIN;
    zone->size = (int)PyTuple_GET_SIZE(bounds);
    zone->unequals = 0;
    if (!(zone->bounds = TAKE(arena, int32_t, zone->size * zone->size)))
        return FAILED;
    for (int i = 0; i < zone->size; i++) {
        Answer answer = read_row(&BOUND(zone, i, 0), PyTuple_GET_ITEM(bounds, i), zone->size);
        if (answer != DONE)
            return answer;
    }
    return read_unequal(zone, arena, unequal);
}

static PyObject *row_of(const int32_t *numbers, int count)
{
    PyObject *row = PyTuple_New(count);
    for (int j = 0; row && j < count; j++) {
        PyObject *number = PyLong_FromLong(numbers[j]);
        if (!number)
            Py_CLEAR(row);
        else
            PyTuple_SET_ITEM(row, j, number);
    }
    return row;
}

PyObject *piece_write(const PieceData *zone)
{
    PyObject *bounds = PyTuple_New(zone->size), *list = PyList_New(0), *unequal = NULL, *pair = NULL;
    bool fine = bounds && list;
    for (int i = 0; fine && i < zone->size; i++) {
        PyObject *row = row_of(&BOUND(zone, i, 0), zone->size);
        if ((fine = row != NULL))
            PyTuple_SET_ITEM(bounds, i, row);
    }
    for (int at = 0; fine && at < zone->unequals; at++) {
        PyObject *triple = row_of(&zone->unequal[at].i, 3);
        fine = triple && PyList_Append(list, triple) == 0;
        Py_XDECREF(triple);
    }
    if (fine && (unequal = PyFrozenSet_New(list)))
        pair = PyTuple_Pack(2, bounds, unequal);
    Py_XDECREF(bounds);
    Py_XDECREF(list);
    Py_XDECREF(unequal);
    return pair;
}

/* ---- bounds ------------------------------------------------------------------------------------- */

bool piece_close(PieceData *zone)
{
    int size = zone->size;
    for (int middle = 0; middle < size; middle++) {
        const int32_t *through = &BOUND(zone, middle, 0);
        for (int i = 0; i < size; i++) {
            int32_t *row = &BOUND(zone, i, 0), first = row[middle];
            for (int j = 0; j < size; j++) {
                /* an empty zone goes down without end: stop where nothing can wrap */
                int32_t sum = first + through[j];
                if (sum < row[j])
                    row[j] = sum < -MOST_BOUND ? -MOST_BOUND : sum;
            }
        }
    }
    for (int i = 0; i < size; i++)
        if (BOUND(zone, i, i) < 0)
            return false;
    return true;
}

bool piece_tighten(PieceData *zone, int i, int j, int32_t most)
{
    int size = zone->size;
    if (BOUND(zone, j, i) + most < 0)
        return false;
    if (most >= BOUND(zone, i, j))
        return true;
    const int32_t *through = &BOUND(zone, j, 0); /* row j stays: bounds[j][i] + most is not negative */
    for (int a = 0; a < size; a++) {
        int32_t *row = &BOUND(zone, a, 0), first = row[i] + most;
        for (int b = 0; b < size; b++)
            if (first + through[b] < row[b])
                row[b] = first + through[b];
    }
    return true;
}

/* ---- free variables ------------------------------------------------------------------------------- */

static void find_tied(const PieceData *zone, int *which, int32_t *offset)
{
    for (int i = 0; i < zone->size; i++) {
        int tied = i;
        for (int j = 0; j < i; j++)
            if (which[j] == j && BOUND(zone, i, j) + BOUND(zone, j, i) == 0) {
                tied = j;
                break;
            }
        which[i] = tied;
        offset[i] = BOUND(zone, i, tied);
    }
}

/* Moves every difference to the first slots of its groups, without repeats; false if one of them always occurs. */
static bool translate(PieceData *zone, const int *which, const int32_t *offset)
{
    int kept = 0;
    for (int at = 0; at < zone->unequals; at++) {
        Difference each = zone->unequal[at];
        int a = which[each.i], b = which[each.j];
        int32_t c = each.c - offset[each.i] + offset[each.j];
        if (a == b) {
            if (!c)
                return false;
            continue;
        }
        zone->unequal[kept++] = a > b ? (Difference){a, b, c} : (Difference){b, a, -c};
    }
    qsort(zone->unequal, (size_t)kept, sizeof(Difference), compare_differences);
    zone->unequals = 0;
    for (int at = 0; at < kept; at++)
        if (!at || compare_differences(&zone->unequal[at - 1], &zone->unequal[at]))
            zone->unequal[zone->unequals++] = zone->unequal[at];
    return true;
}

/* Drops what the bounds say already, and moves bounds; false if no point is left. */
static bool keep(PieceData *zone, bool *same)
{
    int kept = 0;
    for (int at = 0; at < zone->unequals; at++) {
        Difference each = zone->unequal[at];
        int32_t high = BOUND(zone, each.i, each.j), low = -BOUND(zone, each.j, each.i);
        if (low < each.c && each.c < high)
            zone->unequal[kept++] = each;
        else if (each.c == high) {
            if (!piece_tighten(zone, each.i, each.j, each.c - 1))
                return false;
        } else if (each.c == low && !piece_tighten(zone, each.j, each.i, -each.c - 1))
            return false;
    }
    *same = kept == zone->unequals;
    zone->unequals = kept;
    return true;
}

static Answer over_free(NormalData *normal, Arena *arena, const PieceData *zone, const int *which, const int32_t *offset)
{
    int *number = TAKE(arena, int, zone->size), *free_slots = TAKE(arena, int, zone->size), size = 0;
    if (!number || !free_slots)
        return FAILED;
    for (int i = 0; i < zone->size; i++)
        if (which[i] == i) {
            free_slots[size] = i;
            number[i] = size++;
        }
    if (size > MOST_FREE)
        return ASK_TWIN;
    normal->slots = zone->size - 1;
    normal->size = normal->zone.size = size;
    normal->which = TAKE(arena, int, normal->slots);
    normal->offset = TAKE(arena, int32_t, normal->slots);
    normal->zone.bounds = TAKE(arena, int32_t, size * size);
    normal->zone.unequal = zone->unequal;
    normal->zone.unequals = zone->unequals;
    if (!normal->which || !normal->offset || !normal->zone.bounds)
        return FAILED;
    for (int slot = 0; slot < normal->slots; slot++) {
        normal->which[slot] = number[which[slot + 1]];
        normal->offset[slot] = offset[slot + 1];
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            BOUND(&normal->zone, i, j) = BOUND(zone, free_slots[i], free_slots[j]);
    for (int at = 0; at < zone->unequals; at++) {
        zone->unequal[at].i = number[zone->unequal[at].i];
        zone->unequal[at].j = number[zone->unequal[at].j];
    }
    return DONE;
}

static PieceData *copied(Arena *arena, const PieceData *zone, int room)
{
    PieceData *copy = TAKE(arena, PieceData, 1);
    if (!copy)
        return NULL;
    copy->size = zone->size;
    copy->unequals = zone->unequals;
    copy->bounds = TAKE(arena, int32_t, zone->size * zone->size);
    copy->unequal = TAKE(arena, Difference, zone->unequals + room);
    if (!copy->bounds || !copy->unequal)
        return NULL;
    memcpy(copy->bounds, zone->bounds, sizeof(int32_t) * (size_t)(zone->size * zone->size));
    if (zone->unequals)
        memcpy(copy->unequal, zone->unequal, sizeof(Difference) * (size_t)zone->unequals);
    return copy;
}

Answer piece_normal(NormalData *normal, Arena *arena, const PieceData *zone, bool *empty)
{
    PieceData *work = copied(arena, zone, 0);
    int *which = TAKE(arena, int, zone->size);
    int32_t *offset = TAKE(arena, int32_t, zone->size);
    if (!work || !which || !offset)
        return FAILED;
    *empty = true;
    if (!piece_close(work))
        return DONE;
    for (bool same = false; !same;) {
        find_tied(work, which, offset);
        if (!translate(work, which, offset) || !keep(work, &same))
            return DONE;
    }
    *empty = false;
    return over_free(normal, arena, work, which, offset);
}

/* ---- cutting -------------------------------------------------------------------------------------- */

typedef struct {
    PieceData *zones;
    int used;
    size_t capacity;
} PieceList;

static bool append(PieceList *list, const PieceData *zone)
{
    if (!GROW(list->zones, list->capacity, list->used + 1))
        return false;
    list->zones[list->used++] = *zone;
    return true;
}

static bool are_apart(const PieceData *one, const PieceData *other)
{
    for (int i = 0; i < one->size; i++)
        for (int j = 0; j < one->size; j++)
            if (BOUND(one, i, j) + BOUND(other, j, i) < 0)
                return true;
    return false;
}

/* Adds the part of the zone within x_i - x_j <= c, or on x_i - x_j = c, unless it is empty. */
static bool add_part(PieceList *pieces, Arena *arena, const PieceData *zone, Difference bound, bool equal)
{
    PieceData *part = copied(arena, zone, 0);
    if (!part)
        return false;
    if (!piece_tighten(part, bound.i, bound.j, bound.c) || (equal && !piece_tighten(part, bound.j, bound.i, -bound.c)))
        return true;
    return append(pieces, part);
}

static bool holds_difference(const PieceData *zone, const Difference *wanted)
{
    for (int at = 0; at < zone->unequals; at++)
        if (!compare_differences(&zone->unequal[at], wanted))
            return true;
    return false;
}

/* Appends disjoint zones with the points of the first that the second does not have. */
static bool cut(PieceList *pieces, Arena *arena, const PieceData *zone, const PieceData *other)
{
    int before = pieces->used;
    if (are_apart(zone, other))
        return append(pieces, zone);
    PieceData *rest = copied(arena, zone, other->unequals);
    if (!rest)
        return false;
    for (int i = 0; i < zone->size; i++)
        for (int j = 0; j < zone->size; j++) {
            int32_t most = BOUND(other, i, j);
            if (i == j || most >= BOUND(rest, i, j))
                continue;
            if (!add_part(pieces, arena, rest, (Difference){j, i, -most - 1}, false))
                return false;
            if (!piece_tighten(rest, i, j, most)) {
                pieces->used = before;
                return append(pieces, zone);
            }
        }
    for (int at = 0; at < other->unequals; at++) {
        if (holds_difference(zone, &other->unequal[at]))
            continue;
        if (!add_part(pieces, arena, rest, other->unequal[at], true))
            return false;
        rest->unequal[rest->unequals++] = other->unequal[at];
    }
    return true;
}

static int64_t width_of(const PieceData *zone)
{
    int64_t width = 0;
    for (int at = 0; at < zone->size * zone->size; at++)
        width += zone->bounds[at];
    return width;
}

static void sort_by_width(PieceData *zones, int64_t *widths, int count)
{
    for (int at = 1; at < count; at++) { /* stable, and there are few */
        PieceData zone = zones[at];
        int64_t width = widths[at];
        int to = at;
        for (; to && widths[to - 1] < width; to--) {
            zones[to] = zones[to - 1];
            widths[to] = widths[to - 1];
        }
        zones[to] = zone;
        widths[to] = width;
    }
}

Answer pieces_disjoint(Arena *arena, PieceData *zones, int count, PieceData **pieces, int *used)
{
    PieceList whole = {0}, found = {0}, parts = {0}, next = {0};
    Answer answer = FAILED;
    int64_t *widths = TAKE(arena, int64_t, count);
    int closed = 0;
    if (!widths)
        return FAILED;
    for (int at = 0; at < count; at++)
        if (piece_close(&zones[at])) {
            zones[closed] = zones[at];
            widths[closed++] = width_of(&zones[at]);
        }
    sort_by_width(zones, widths, closed);
    for (int at = 0; at < closed; at++) {
        parts.used = 0;
        if (!append(&parts, &zones[at]))
            goto done;
        for (int other = 0; other < whole.used; other++) {
            next.used = 0;
            for (int part = 0; part < parts.used; part++)
                if (!cut(&next, arena, &parts.zones[part], &whole.zones[other]))
                    goto done;
            PieceList swap = parts;
            parts = next;
            next = swap;
            if (found.used + parts.used > MOST_PIECES) {
                answer = OUTSIDE;
                goto done;
            }
        }
        if (parts.used && !append(&whole, &zones[at]))
            goto done;
        for (int part = 0; part < parts.used; part++)
            if (!append(&found, &parts.zones[part]))
                goto done;
    }
    if (!(*pieces = TAKE(arena, PieceData, found.used)))
        goto done;
    if (found.used)
        memcpy(*pieces, found.zones, sizeof(PieceData) * (size_t)found.used);
    *used = found.used;
    answer = DONE;
done:
    free(whole.zones);
    free(found.zones);
    free(parts.zones);
    free(next.zones);
    return answer;
}
