/* The record that probes write to, and what is read of it after each run: the twin of unlike.observe.recorder.PlainRecord. */
#include "observe.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TRIES 2    /* of a cell in one run, as in unlike.observe.recorder */
#define SHORT_TEXT 200  /* of a compared value that is kept, as there */
#define MOST_PAIRS 20   /* of compared values that are kept of a run, as there */
#define MANY 2          /* from which on all counts are alike, as in unlike.observe.run */
#define FAR ldexp(1, 200) /* what is further away has no distance */

/* ---- distances -------------------------------------------------------------------------------- */

static int compare_whole_with_float(long long whole, double part)
{
    if (part >= 9223372036854775808.0)
        return -1;
    if (part < -9223372036854775808.0)
        return 1;
    double below = floor(part);
    long long near = (long long)below;
    if (whole != near)
        return whole < near ? -1 : 1;
    return part > below ? -1 : 0;
}

/* Below 0, 0 or above 0; neither is not-a-number. */
int compare_distances(Distance one, Distance two)
{
    if (one.is_float && two.is_float)
        return (one.part > two.part) - (one.part < two.part);
    if (one.is_float)
        return -compare_whole_with_float(two.whole, one.part);
    if (two.is_float)
        return compare_whole_with_float(one.whole, two.part);
    return (one.whole > two.whole) - (one.whole < two.whole);
}

static Distance size_of(Distance away)
{
    away.whole = away.whole < 0 ? -away.whole : away.whole;
    away.part = fabs(away.part);
    return away;
}

/* ---- cells ------------------------------------------------------------------------------------ */

static void put_back(Cell *cell)
{
    Py_CLEAR(cell->low.a);
    Py_CLEAR(cell->low.b);
    Py_CLEAR(cell->high.a);
    Py_CLEAR(cell->high.b);
    cell->low.away = (Distance){true, 0, -FAR};
    cell->high.away = (Distance){true, 0, FAR};
    cell->first = 0;
    cell->tries = MOST_TRIES;
    cell->on = cell->is_touched = false;
}

bool touch(Cell *cell)
{
    Record *record = cell->record;
    if (cell->is_touched)
        return true;
    if (!GROW(record->touched, record->touched_size, record->touched_used + 1))
        return false;
    record->touched[record->touched_used++] = (Cell *)Py_NewRef((PyObject *)cell);
    return cell->is_touched = true;
}

/* Keeps a distance that is closer to the boundary than all before, on its side. */
bool come_closer(Cell *cell, Distance away, PyObject *a, PyObject *b)
{
    if (compare_distances(cell->low.away, away) >= 0 || compare_distances(away, cell->high.away) >= 0)
        return true;
    if (!touch(cell))
        return false;
    int side = compare_distances(away, whole_distance(0));
    if (side == 0) {
        cell->on = true;
        return true;
    }
    Closest *kept = side < 0 ? &cell->low : &cell->high;
    if (!cell->first)
        cell->first = side;
    kept->away = away;
    Py_XSETREF(kept->a, Py_NewRef(a));
    Py_XSETREF(kept->b, Py_NewRef(b));
    return true;
}

static int Cell_traverse(Cell *cell, visitproc visit, void *arg)
{
    Py_VISIT(cell->record);
    Py_VISIT(cell->low.a);
    Py_VISIT(cell->low.b);
    Py_VISIT(cell->high.a);
    Py_VISIT(cell->high.b);
    return 0;
}

static int Cell_clear(Cell *cell)
{
    Py_CLEAR(cell->low.a);
    Py_CLEAR(cell->low.b);
    Py_CLEAR(cell->high.a);
    Py_CLEAR(cell->high.b);
    return 0; /* the record is needed as long as the cell is */
}

static void Cell_dealloc(Cell *cell)
{
    PyObject_GC_UnTrack(cell);
    Cell_clear(cell);
    Py_XDECREF(cell->record);
    PyObject_GC_Del(cell);
}

PyTypeObject CellType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Cell",
    .tp_doc = "A comparison, and what came closest to its boundary.",
    .tp_basicsize = sizeof(Cell),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_traverse = (traverseproc)Cell_traverse,
    .tp_clear = (inquiry)Cell_clear,
    .tp_dealloc = (destructor)Cell_dealloc,
};

/* ---- the record ------------------------------------------------------------------------------- */

static PyObject *Record_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":Record", names))
        return NULL;
    Record *self = (Record *)type->tp_alloc(type, 0);
    if (self && !(self->pairs = PySet_New(NULL)))
        Py_CLEAR(self);
    return (PyObject *)self;
}

static void Record_dealloc(Record *self)
{
    for (size_t at = 0; at < self->touched_used; at++)
        Py_DECREF(self->touched[at]);
    free(self->touched);
    free(self->tally);
    free(self->marked);
    Py_XDECREF(self->pairs);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *Record_cell(Record *self, PyObject *spot)
{
    long long number = PyLong_AsLongLong(spot);
    if (number < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the number of a spot is at least 0");
        return NULL;
    }
    Cell *cell = PyObject_GC_New(Cell, &CellType);
    if (!cell)
        return NULL;
    memset((char *)cell + sizeof(PyObject), 0, sizeof *cell - sizeof(PyObject));
    cell->record = (Record *)Py_NewRef((PyObject *)self);
    cell->spot = number;
    put_back(cell);
    PyObject_GC_Track(cell);
    return (PyObject *)cell;
}

static bool add_count(Record *self, long long slot, long long count)
{
    if (slot < 0 || slot > INT32_MAX) {
        PyErr_SetString(PyExc_ValueError, "there is no such slot");
        return false;
    }
    if ((size_t)slot >= self->tally_size) {
        size_t before = self->tally_size;
        if (!grow(&self->tally, &self->tally_size, (size_t)slot + 1, sizeof *self->tally))
            return false;
        memset(self->tally + before, 0, (self->tally_size - before) * sizeof *self->tally);
    }
    if (!self->tally[slot]) {
        if (!GROW(self->marked, self->marked_size, self->marked_used + 1))
            return false;
        self->marked[self->marked_used++] = slot;
    }
    self->tally[slot] += count;
    return true;
}

bool mark_slot(Record *record, PyObject *slot)
{
    long long number = PyLong_AsLongLong(slot);
    if (number == -1 && PyErr_Occurred())
        return false;
    return add_count(record, number, 1);
}

static PyObject *Record_mark(Record *self, PyObject *slot)
{
    if (!mark_slot(self, slot))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *Record_forget_pairs(Record *self, PyObject *nothing)
{
    (void)nothing;
    return PySet_Clear(self->pairs) < 0 ? NULL : Py_NewRef(Py_None);
}

/* ---- counts ----------------------------------------------------------------------------------- */

#define ZERO INT64_MIN /* a count of 0, where 0 stands for none */

/* Adds the slots of a function that are not what they were, and puts them back. */
static bool take_span(Record *self, PyObject *span, PyObject *counts, PyObject *starts)
{
    if (!PyTuple_CheckExact(span) || PyTuple_GET_SIZE(span) != 2) {
        PyErr_SetString(PyExc_ValueError, "a function has two ends of its slots");
        return false;
    }
    Py_ssize_t start = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 0)), end = PyLong_AsSsize_t(PyTuple_GET_ITEM(span, 1));
    if (PyErr_Occurred() || start < 0 || end > PyList_GET_SIZE(counts) || end > PyList_GET_SIZE(starts)) {
        PyErr_SetString(PyExc_ValueError, "a function has no such slots");
        return false;
    }
    for (Py_ssize_t slot = start; slot < end; slot++) {
        PyObject *now = PyList_GET_ITEM(counts, slot), *fresh = PyList_GET_ITEM(starts, slot);
        if (now == fresh)
            continue;
        long long count = PyLong_AsLongLong(now), before = PyLong_AsLongLong(fresh);
        if (PyErr_Occurred())
            return false;
        if (count != before && !add_count(self, slot, count ? count : ZERO))
            return false;
        if (PyList_SetItem(counts, slot, Py_NewRef(fresh)) < 0)
            return false;
    }
    return true;
}

static bool take_spans(Record *self, PyObject *entered, PyObject *spans, PyObject *counts, PyObject *starts)
{
    PyObject *iterator = PyObject_GetIter(entered), *function = NULL;
    if (!iterator)
        return false;
    bool done = true;
    while (done && (function = PyIter_Next(iterator))) {
        Py_ssize_t number = PyLong_AsSsize_t(function);
        Py_DECREF(function);
        if (number < 0 || number >= PyList_GET_SIZE(spans)) {
            PyErr_SetString(PyExc_ValueError, "there is no such function");
            done = false;
        } else {
            done = take_span(self, PyList_GET_ITEM(spans, number), counts, starts);
        }
    }
    Py_DECREF(iterator);
    return done && !PyErr_Occurred();
}

static int by_number(const void *one, const void *two)
{
    long long a = *(const long long *)one, b = *(const long long *)two;
    return (a > b) - (a < b);
}

/* Returns slots and their counts, MANY for many, two whole numbers of eight bytes for each slot, the least slot first;
   and the sum of all counts. */
static PyObject *counts_as_bytes(Record *self, long long *steps)
{
    long long sum = 0;
    size_t used = self->marked_used;
    qsort(self->marked, used, sizeof *self->marked, by_number);
    for (size_t at = 0; at < used; at++)
        sum += self->tally[self->marked[at]] == ZERO ? 0 : self->tally[self->marked[at]];
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)(used * 2 * sizeof(long long)));
    if (!made)
        return NULL;
    *steps = sum;
    char *into = PyBytes_AS_STRING(made);
    for (size_t at = 0; at < used; at++) {
        long long count = self->tally[self->marked[at]];
        long long pair[2] = {self->marked[at], count == ZERO ? 0 : count < MANY ? count : MANY};
        memcpy(into + at * sizeof pair, pair, sizeof pair);
    }
    return made;
}

static void forget_counts(Record *self)
{
    for (size_t at = 0; at < self->marked_used; at++)
        self->tally[self->marked[at]] = 0;
    self->marked_used = 0;
}

/* ---- what came nearest ------------------------------------------------------------------------ */

typedef struct {
    long long key; /* of spot and side: 3 * spot + side + 1 */
    size_t order;
    Distance away;
} Near;

static int by_key(const void *one, const void *two)
{
    const Near *a = one, *b = two;
    if (a->key != b->key)
        return a->key < b->key ? -1 : 1;
    int sizes = compare_distances(size_of(a->away), size_of(b->away));
    return sizes ? sizes : (a->order > b->order) - (a->order < b->order);
}

/* Returns how many are floats, then of each spot and side its key (an odd one for a float) and the smallest distance. */
static PyObject *near_as_bytes(Near *found, size_t used)
{
    long long floats = 0;
    size_t kept = 0;
    qsort(found, used, sizeof *found, by_key);
    for (size_t at = 0; at < used; at++)
        if (!kept || found[kept - 1].key != found[at].key) {
            floats += found[at].away.is_float;
            found[kept++] = found[at];
        }
    if (!kept)
        return PyBytes_FromStringAndSize(NULL, 0);
    PyObject *made = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)((2 * kept + 1) * sizeof(long long)));
    if (!made)
        return NULL;
    char *into = PyBytes_AS_STRING(made);
    memcpy(into, &floats, sizeof floats);
    into += sizeof floats;
    for (size_t at = 0; at < kept; at++) {
        Distance away = found[at].away;
        long long pair[2] = {2 * found[at].key + away.is_float, away.whole};
        if (away.is_float)
            memcpy(&pair[1], &away.part, sizeof pair[1]);
        memcpy(into + at * sizeof pair, pair, sizeof pair);
    }
    return made;
}

static int is_short(PyObject *value)
{
    if (PyUnicode_CheckExact(value))
        return PyUnicode_GET_LENGTH(value) <= SHORT_TEXT;
    if (PyBytes_CheckExact(value))
        return PyBytes_GET_SIZE(value) <= SHORT_TEXT;
    if (PyFloat_CheckExact(value))
        return 1;
    if (!PyLong_CheckExact(value))
        return 0;
    int beyond;
    PyLong_AsLongLongAndOverflow(value, &beyond);
    if (!beyond)
        return 1;
    PyObject *size = PyObject_CallMethod(value, "bit_length", NULL);
    long bits = size ? PyLong_AsLong(size) : -1;
    Py_XDECREF(size);
    return bits < 0 ? -1 : bits <= 200; /* nearer to 0 than 1 << 200 */
}

/* Adds two compared values, if they are short, and were not handed out before. */
static bool add_pair(Record *self, Closest *kept, size_t *pairs, PyObject *compared)
{
    if (!kept->a || *pairs >= MOST_PAIRS)
        return true;
    int fits = is_short(kept->a);
    if (fits > 0)
        fits = is_short(kept->b);
    if (fits <= 0)
        return fits == 0;
    ++*pairs;
    PyObject *pair = PyTuple_Pack(2, kept->a, kept->b);
    if (!pair)
        return false;
    Py_ssize_t before = PySet_GET_SIZE(self->pairs);
    bool done = PySet_Add(self->pairs, pair) == 0;
    Py_DECREF(pair);
    if (!done || PySet_GET_SIZE(self->pairs) == before)
        return done;
    return PyList_Append(compared, kept->a) == 0 && PyList_Append(compared, kept->b) == 0;
}

static void add_near(Near *found, size_t *used, Cell *cell, int side, Distance away)
{
    found[*used] = (Near){3 * cell->spot + side + 1, *used, away};
    ++*used;
}

/* Returns what came nearest as bytes; adds compared values to a list. */
static PyObject *take_cells(Record *self, PyObject *compared)
{
    Near few[64], *found = few;
    size_t used = 0, pairs = 0;
    if (3 * self->touched_used > 64 && !(found = malloc(3 * self->touched_used * sizeof *found)))
        return PyErr_NoMemory();
    bool done = true;
    for (size_t at = 0; at < self->touched_used; at++) {
        Cell *cell = self->touched[at];
        if (cell->low.a)
            add_near(found, &used, cell, -1, cell->low.away);
        if (cell->on)
            add_near(found, &used, cell, 0, whole_distance(0));
        if (cell->high.a)
            add_near(found, &used, cell, 1, cell->high.away);
        Closest *first = cell->first < 0 ? &cell->low : &cell->high, *other = cell->first < 0 ? &cell->high : &cell->low;
        done = done && add_pair(self, first, &pairs, compared) && add_pair(self, other, &pairs, compared);
    }
    PyObject *made = done ? near_as_bytes(found, used) : NULL;
    if (found != few)
        free(found);
    for (size_t at = 0; at < self->touched_used; at++) {
        put_back(self->touched[at]);
        Py_DECREF(self->touched[at]);
    }
    self->touched_used = 0;
    return made;
}

static PyObject *Record_take(Record *self, PyObject *arguments)
{
    PyObject *entered, *spans, *counts, *starts, *result = NULL;
    long long steps = 0;
    if (!PyArg_ParseTuple(arguments, "O!O!O!O!", &PySet_Type, &entered, &PyList_Type, &spans, &PyList_Type, &counts,
                          &PyList_Type, &starts))
        return NULL;
    PyObject *taken = take_spans(self, entered, spans, counts, starts) ? counts_as_bytes(self, &steps) : NULL;
    forget_counts(self);
    PyObject *compared = taken ? PyList_New(0) : NULL;
    PyObject *near = compared ? take_cells(self, compared) : NULL;
    if (near)
        result = Py_BuildValue("OOOL", taken, near, compared, steps);
    Py_XDECREF(taken);
    Py_XDECREF(compared);
    Py_XDECREF(near);
    return result;
}

static PyMethodDef Record_methods[] = {
    {"cell", (PyCFunction)Record_cell, METH_O, "Return a new cell for a comparison."},
    {"mark", (PyCFunction)Record_mark, METH_O, "Count a slot."},
    {"take", (PyCFunction)Record_take, METH_VARARGS, "Return what was recorded, and forget it."},
    {"forget_pairs", (PyCFunction)Record_forget_pairs, METH_NOARGS, "Let compared values be handed out again."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject RecordType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Record",
    .tp_doc = "What probes write to: slots that are counted, cells of comparisons.",
    .tp_basicsize = sizeof(Record),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = Record_new,
    .tp_dealloc = (destructor)Record_dealloc,
    .tp_methods = Record_methods,
};
