/* Zones read, brought to their free variables, cut along each other. See zone.py and points.py. */
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

/* ---- from Python ------------------------------------------------------------------------- */

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

static Answer read_unequal(WideZone *zone, Arena *arena, PyObject *unequal)
{
    if (!PyTuple_Check(unequal)) {
        PyErr_SetString(PyExc_ValueError, "disequalities must be a tuple of triples");
        return FAILED;
    }
    Py_ssize_t count = PyTuple_GET_SIZE(unequal);
    if (count > 100000)
        return ASK_TWIN;
    if (!(zone->unequal = TAKE(arena, Difference, count)))
        return FAILED;
    for (Py_ssize_t at = 0; at < count; at++) {
        int32_t triple[3];
        Answer answer = read_row(triple, PyTuple_GET_ITEM(unequal, at), 3);
        if (answer != DONE)
            return answer;
        if (triple[0] < 0 || triple[1] < 0 || triple[0] >= zone->rows || triple[1] >= zone->rows) {
            PyErr_SetString(PyExc_ValueError, "a difference between slots that are not there");
            return FAILED;
        }
        zone->unequal[zone->unequal_used++] = (Difference){triple[0], triple[1], triple[2]};
    }
    return DONE;
}

static Answer read_zone(WideZone *zone, Arena *arena, PyObject *bounds, PyObject *unequal)
{
    if (!PyTuple_Check(bounds) || PyTuple_GET_SIZE(bounds) < 1) {
        PyErr_SetString(PyExc_ValueError, "bounds must be a square of tuples");
        return FAILED;
    }
    if (PyTuple_GET_SIZE(bounds) > 1000)
        return ASK_TWIN;
    *zone = (WideZone){.rows = (int)PyTuple_GET_SIZE(bounds), .stride = (int)PyTuple_GET_SIZE(bounds)};
    if (!(zone->bounds = TAKE(arena, int32_t, zone->rows * zone->rows)))
        return FAILED;
    for (int i = 0; i < zone->rows; i++) {
        Answer answer = read_row(zone->bounds + i * zone->stride, PyTuple_GET_ITEM(bounds, i), zone->rows);
        if (answer != DONE)
            return answer;
        for (int j = 0; j <= i; j++)
            if (wide_bound(zone, i, j) + wide_bound(zone, j, i) < 0 || (i == j && wide_bound(zone, i, i))) {
                PyErr_SetString(PyExc_ValueError, "bounds that no point meets");
                return FAILED;
            }
    }
    return read_unequal(zone, arena, unequal);
}

Answer wide_read(WideZone *zone, Arena *arena, PyObject *from)
{
    PyObject *bounds = PyObject_GetAttrString(from, "bounds");
    PyObject *unequal = bounds ? PyObject_GetAttrString(from, "unequal") : NULL;
    Answer answer = unequal ? read_zone(zone, arena, bounds, unequal) : FAILED;
    Py_XDECREF(bounds);
    Py_XDECREF(unequal);
    return answer;
}

/* ---- free variables ------------------------------------------------------------------------------- */

static WideZone *copy_zone(Arena *arena, const WideZone *zone, int room)
{
    WideZone *copy = TAKE(arena, WideZone, 1);
    size_t size = (size_t)(zone->rows * zone->stride);
    if (!copy)
        return NULL;
    *copy = *zone;
    copy->bounds = TAKE(arena, int32_t, size);
    copy->unequal = TAKE(arena, Difference, zone->unequal_used + room);
    if (!copy->bounds || !copy->unequal)
        return NULL;
    memcpy(copy->bounds, zone->bounds, sizeof(int32_t) * size);
    if (zone->unequal_used)
        memcpy(copy->unequal, zone->unequal, sizeof(Difference) * (size_t)zone->unequal_used);
    return copy;
}

Answer find_free(FreeZone *found, Arena *arena, const WideZone *zone, bool *empty)
{
    WideZone *settled = copy_zone(arena, zone, 0), *over = &found->zone;
    int *number = TAKE(arena, int, zone->rows), *slots = TAKE(arena, int, zone->rows), rows = 0;
    found->which = TAKE(arena, int, zone->rows);
    found->offset = TAKE(arena, int32_t, zone->rows);
    if (!settled || !number || !slots || !found->which || !found->offset)
        return FAILED;
    if ((*empty = !wide_settle(settled)))
        return DONE;
    found->slots = zone->rows - 1;
    for (int i = 0; i < zone->rows; i++) {
        int offset, tied = wide_find_tied(settled, i, NULL, &offset);
        if (tied == i) {
            slots[rows] = i;
            number[i] = rows++;
        }
        if (i) {
            found->which[i - 1] = number[tied];
            found->offset[i - 1] = offset;
        }
    }
    if (rows > MOST_FREE)
        return ASK_TWIN;
    *over = (WideZone){rows, rows, TAKE(arena, int32_t, rows * rows), settled->unequal, settled->unequal_used};
    if (!over->bounds)
        return FAILED;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            over->bounds[i * rows + j] = wide_bound(settled, slots[i], slots[j]);
    for (int at = 0; at < over->unequal_used; at++) {
        over->unequal[at].i = number[over->unequal[at].i];
        over->unequal[at].j = number[over->unequal[at].j];
    }
    return DONE;
}

/* ---- cutting -------------------------------------------------------------------------------------- */

typedef struct {
    WideZone *zones;
    int used;
    size_t capacity;
} PartList;

static bool append(PartList *list, const WideZone *zone)
{
    if (!GROW(list->zones, list->capacity, list->used + 1))
        return false;
    list->zones[list->used++] = *zone;
    return true;
}

static bool are_apart(const WideZone *one, const WideZone *other)
{
    for (int i = 0; i < one->rows; i++)
        for (int j = 0; j < one->rows; j++)
            if (wide_bound(one, i, j) + wide_bound(other, j, i) < 0)
                return true;
    return false;
}

/* Adds the part of the zone within x_i - x_j <= c, or on x_i - x_j = c; the bounds must allow it. */
static bool add_part(PartList *parts, Arena *arena, const WideZone *zone, Difference bound, bool equal)
{
    WideZone *part = copy_zone(arena, zone, 0);
    if (!part)
        return false;
    wide_tighten(part, bound.i, bound.j, bound.c);
    if (equal)
        wide_tighten(part, bound.j, bound.i, -bound.c);
    return append(parts, part);
}

static bool is_known(const WideZone *zone, Difference wanted)
{
    for (int at = 0; at < zone->unequal_used; at++)
        if (!wide_compare(zone->unequal[at], wanted))
            return true;
    return false;
}

/* Appends disjoint parts with the points of the first that the second does not have. */
static bool cut(PartList *parts, Arena *arena, const WideZone *zone, const WideZone *other)
{
    int before = parts->used;
    if (are_apart(zone, other))
        return append(parts, zone);
    WideZone *rest = copy_zone(arena, zone, other->unequal_used);
    if (!rest)
        return false;
    for (int i = 0; i < zone->rows; i++)
        for (int j = 0; j < zone->rows; j++) {
            int32_t most = wide_bound(other, i, j);
            if (most >= wide_bound(rest, i, j))
                continue;
            if (!add_part(parts, arena, rest, (Difference){j, i, -most - 1}, false))
                return false;
            if (wide_bound(rest, j, i) + most < 0) { /* they have no point in common */
                parts->used = before;
                return append(parts, zone);
            }
            wide_tighten(rest, i, j, most);
        }
    for (int at = 0; at < other->unequal_used; at++) {
        Difference each = other->unequal[at];
        if (is_known(zone, each))
            continue;
        if (wide_bound(rest, each.i, each.j) >= each.c && wide_bound(rest, each.j, each.i) >= -each.c &&
            !add_part(parts, arena, rest, each, true))
            return false;
        rest->unequal[rest->unequal_used++] = each;
    }
    return true;
}

static int64_t width_of(const WideZone *zone)
{
    int64_t width = 0;
    for (int at = 0; at < zone->rows * zone->rows; at++)
        width += zone->bounds[at];
    return width;
}

static void sort_by_width(WideZone *zones, int64_t *widths, int count)
{
    for (int at = 1; at < count; at++) { /* stable, and there are few */
        WideZone zone = zones[at];
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

Answer make_disjoint(Arena *arena, WideZone *zones, int count, WideZone **all, int *used)
{
    PartList whole = {0}, found = {0}, parts = {0}, next = {0};
    Answer answer = FAILED;
    int64_t *widths = TAKE(arena, int64_t, count);
    if (!widths)
        return FAILED;
    for (int at = 0; at < count; at++)
        widths[at] = width_of(&zones[at]);
    sort_by_width(zones, widths, count);
    for (int at = 0; at < count; at++) {
        parts.used = 0;
        if (!append(&parts, &zones[at]))
            goto done;
        for (int other = 0; other < whole.used; other++) {
            next.used = 0;
            for (int part = 0; part < parts.used; part++)
                if (!cut(&next, arena, &parts.zones[part], &whole.zones[other]))
                    goto done;
            PartList swap = parts;
            parts = next;
            next = swap;
            if (found.used + parts.used > MOST_PARTS) {
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
    if (!(*all = TAKE(arena, WideZone, found.used)))
        goto done;
    if (found.used)
        memcpy(*all, found.zones, sizeof(WideZone) * (size_t)found.used);
    *used = found.used;
    answer = DONE;
done:
    free(whole.zones);
    free(found.zones);
    free(parts.zones);
    free(next.zones);
    return answer;
}
