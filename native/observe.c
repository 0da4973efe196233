/* What probes do in code that is observed: comparisons that keep the values nearest to their boundary, and what is read
   of a run. The twin is unlike.observe.recorder; both work on the same lists, and whatever is not quick is asked there. */
#include "native.h"

#include <limits.h>
#include <string.h>

enum { LOW, HIGH, TRIES, FOUND, TOUCHED, SPOT }; /* of a cell, which is a list */

#define LONG_TEXT 64           /* of a text, as in unlike.observe.distance */
#define SEVERAL 40             /* letters that one is looked for in, as there */
#define SHORT_TEXT 200         /* of a compared value that is kept, as in unlike.observe.recorder */
#define MOST_PAIRS 20          /* of compared values that are kept of a run, as there */
#define ZERO LLONG_MIN          /* a count of 0, where 0 stands for none */
#define MOST_NUMBER (1LL << 61) /* differences of smaller numbers do not overflow */

static PyObject *look_at, *be_outside; /* of the twin */
static PyObject *sides[3];             /* -1, 0, 1 */

/* ---- cells ------------------------------------------------------------------------------------ */

static bool note_closest(PyObject *cell, PyObject *away, int side, PyObject *a, PyObject *b)
{
    PyObject *found = PyList_GET_ITEM(cell, FOUND);
    if (found == Py_None) {
        found = PyDict_New();
        if (!found || PyList_SetItem(cell, FOUND, found) < 0)
            return false;
        if (PyList_Append(PyList_GET_ITEM(cell, TOUCHED), cell) < 0)
            return false;
    }
    if (side == 0) {
        int known = PyDict_Contains(found, sides[1]);
        if (known != 0)
            return known > 0;
        a = b = Py_None;
    } else {
        Py_INCREF(away);
        if (PyList_SetItem(cell, side < 0 ? LOW : HIGH, away) < 0)
            return false;
    }
    PyObject *kept = PyTuple_Pack(3, side ? away : sides[1], a, b);
    if (!kept)
        return false;
    int failed = PyDict_SetItem(found, sides[side + 1], kept);
    Py_DECREF(kept);
    return failed == 0;
}

/* 1 if a bound of the cell is below (`above` false) or above the number, 0 if not, -1 with an exception. */
static int bound_holds(PyObject *bound, long long number, bool above)
{
    if (PyLong_CheckExact(bound)) {
        int beyond;
        long long value = PyLong_AsLongLongAndOverflow(bound, &beyond);
        if (beyond)
            return (beyond > 0) == above;
        return above ? number < value : value < number;
    }
    PyObject *other = PyLong_FromLongLong(number);
    if (!other)
        return -1;
    int holds = PyObject_RichCompareBool(other, bound, above ? Py_LT : Py_GT);
    Py_DECREF(other);
    return holds;
}

static bool come_closer(PyObject *cell, long long away, PyObject *a, PyObject *b)
{
    int holds = bound_holds(PyList_GET_ITEM(cell, LOW), away, false);
    if (holds > 0)
        holds = bound_holds(PyList_GET_ITEM(cell, HIGH), away, true);
    if (holds <= 0)
        return holds == 0;
    PyObject *number = PyLong_FromLongLong(away);
    if (!number)
        return false;
    bool done = note_closest(cell, number, (away > 0) - (away < 0), a, b);
    Py_DECREF(number);
    return done;
}

/* ---- distances -------------------------------------------------------------------------------- */

/* Whether two values are small whole numbers, or single letters: their difference decides every comparison. */
static bool simple_difference(PyObject *a, PyObject *b, long long *away)
{
    if (PyLong_CheckExact(a) && PyLong_CheckExact(b)) {
        int beyond_a, beyond_b;
        long long one = PyLong_AsLongLongAndOverflow(a, &beyond_a), two = PyLong_AsLongLongAndOverflow(b, &beyond_b);
        if (beyond_a || beyond_b || one > MOST_NUMBER || two > MOST_NUMBER || one < -MOST_NUMBER || two < -MOST_NUMBER)
            return false;
        *away = one - two;
        return true;
    }
    if (!PyUnicode_CheckExact(a) || !PyUnicode_CheckExact(b))
        return false;
    if (PyUnicode_READY(a) < 0 || PyUnicode_READY(b) < 0) {
        PyErr_Clear();
        return false;
    }
    if (PyUnicode_GET_LENGTH(a) != 1 || PyUnicode_GET_LENGTH(b) != 1)
        return false;
    *away = (long long)PyUnicode_READ_CHAR(a, 0) - (long long)PyUnicode_READ_CHAR(b, 0);
    return true;
}

/* How many letters of two texts differ, below 0 if the first is less. */
static long long text_difference(PyObject *a, PyObject *b)
{
    int order = PyUnicode_Compare(a, b);
    if (order == 0)
        return 0;
    Py_ssize_t size_a = PyUnicode_GET_LENGTH(a), size_b = PyUnicode_GET_LENGTH(b);
    Py_ssize_t both = size_a < size_b ? size_a : size_b;
    long long away = size_a > size_b ? size_a - size_b : size_b - size_a;
    for (Py_ssize_t at = 0; at < both && at < LONG_TEXT; at++)
        away += PyUnicode_READ_CHAR(a, at) != PyUnicode_READ_CHAR(b, at);
    if (away == 0)
        away = 1;
    return order > 0 ? away : -away;
}

static bool note_distance(PyObject *cell, PyObject *a, PyObject *b)
{
    if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b) && PyUnicode_READY(a) == 0 && PyUnicode_READY(b) == 0)
        return come_closer(cell, text_difference(a, b), a, b);
    PyObject *given[3] = {cell, a, b};
    PyObject *done = PyObject_Vectorcall(look_at, given, 3, NULL);
    Py_XDECREF(done);
    return done != NULL;
}

/* ---- comparisons ------------------------------------------------------------------------------ */

static bool decides(long long away, int op)
{
    switch (op) {
    case Py_LT: return away < 0;
    case Py_LE: return away <= 0;
    case Py_GT: return away > 0;
    case Py_GE: return away >= 0;
    case Py_EQ: return away == 0;
    default: return away != 0;
    }
}

static PyObject *compare(PyObject *const *given, Py_ssize_t count, int op)
{
    if (count != 3 || !PyList_CheckExact(given[0]) || PyList_GET_SIZE(given[0]) != SPOT + 1) {
        PyErr_SetString(PyExc_TypeError, "a comparison takes a cell and two values");
        return NULL;
    }
    PyObject *cell = given[0], *a = given[1], *b = given[2];
    long long away;
    if (simple_difference(a, b, &away)) {
        if (!come_closer(cell, away, a, b))
            return NULL;
        return PyBool_FromLong(decides(away, op));
    }
    PyObject *result = PyObject_RichCompare(a, b, op);
    if (result && !note_distance(cell, a, b))
        Py_CLEAR(result);
    return result;
}

#define COMPARISON(name, op) \
    static PyObject *name(PyObject *self, PyObject *const *given, Py_ssize_t count) \
    { \
        (void)self; \
        return compare(given, count, op); \
    }
COMPARISON(less_than, Py_LT)
COMPARISON(at_most, Py_LE)
COMPARISON(more_than, Py_GT)
COMPARISON(at_least, Py_GE)
COMPARISON(equals, Py_EQ)
COMPARISON(differs, Py_NE)

/* Notes how far a letter is from the nearest of a few others, the least of several; -1 with an exception. */
static int find_nearest_letter(PyObject *cell, PyObject *letter, PyObject *letters)
{
    Py_UCS4 own = PyUnicode_READ_CHAR(letter, 0), nearest = 0;
    long long away = -1;
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(letters); at++) {
        Py_UCS4 each = PyUnicode_READ_CHAR(letters, at);
        long long far = each > own ? (long long)each - own : (long long)own - each;
        if (away < 0 || far < away || (far == away && each < nearest)) {
            away = far;
            nearest = each;
        }
    }
    if (PyList_GET_ITEM(cell, FOUND) == Py_None) {
        PyObject *found = PyDict_New();
        if (!found || PyList_SetItem(cell, FOUND, found) < 0 || PyList_Append(PyList_GET_ITEM(cell, TOUCHED), cell) < 0)
            return -1;
    }
    long tries = PyLong_AsLong(PyList_GET_ITEM(cell, TRIES));
    PyObject *left = PyLong_FromLong(tries - 1), *other = PyUnicode_FromOrdinal((int)nearest);
    bool done = left && other && PyList_SetItem(cell, TRIES, left) == 0 && come_closer(cell, away, letter, other);
    Py_XDECREF(other);
    return done ? 0 : -1;
}

static bool is_text(PyObject *value, Py_ssize_t least, Py_ssize_t most)
{
    return PyUnicode_CheckExact(value) && PyUnicode_READY(value) == 0 && PyUnicode_GET_LENGTH(value) >= least &&
           PyUnicode_GET_LENGTH(value) <= most;
}

/* Looks for a in b, and notes that it is there, or how far from the nearest; 1, 0, or -1 with an exception. */
static int look_for(PyObject *const *given, Py_ssize_t count)
{
    if (count != 3 || !PyList_CheckExact(given[0]) || PyList_GET_SIZE(given[0]) != SPOT + 1) {
        PyErr_SetString(PyExc_TypeError, "a membership takes a cell and two values");
        return -1;
    }
    PyObject *cell = given[0];
    int inside = PySequence_Contains(given[2], given[1]);
    if (inside < 0)
        return -1;
    if (inside)
        return note_closest(cell, sides[1], 0, Py_None, Py_None) ? 1 : -1;
    int open = bound_holds(PyList_GET_ITEM(cell, HIGH), 1, true);
    if (open > 0)
        open = PyObject_IsTrue(PyList_GET_ITEM(cell, TRIES));
    if (open <= 0)
        return open;
    if (is_text(given[1], 1, 1) && is_text(given[2], 1, SEVERAL))
        return find_nearest_letter(cell, given[1], given[2]);
    PyObject *done = PyObject_Vectorcall(be_outside, given, 3, NULL);
    Py_XDECREF(done);
    return done ? 0 : -1;
}

static PyObject *is_in(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    int inside = look_for(given, count);
    return inside < 0 ? NULL : PyBool_FromLong(inside);
}

static PyObject *is_not_in(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    int inside = look_for(given, count);
    return inside < 0 ? NULL : PyBool_FromLong(!inside);
}

/* ---- what was counted ------------------------------------------------------------------------- */

typedef struct {
    long long slot, count;
} Counted;

static long long *tally; /* how often, by slot: all 0 between two runs */
static size_t tally_size;
static Counted *taken; /* the slots that are not 0 */
static size_t taken_size, taken_used;

static bool add_counted(PyObject *slot_object, long long slot, long long count, size_t slots)
{
    if (slot_object)
        slot = PyLong_AsLongLong(slot_object);
    if (slot < 0 || (size_t)slot >= slots) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "there is no such slot");
        return false;
    }
    if ((size_t)slot >= tally_size) {
        size_t before = tally_size;
        if (!grow(&tally, &tally_size, slots, sizeof *tally))
            return false;
        memset(tally + before, 0, (tally_size - before) * sizeof *tally);
    }
    if (!tally[slot]) {
        if (taken_used == taken_size && !grow(&taken, &taken_size, taken_used + 1, sizeof *taken))
            return false;
        taken[taken_used++].slot = slot;
    }
    tally[slot] += count;
    return true;
}

static int by_slot(const void *one, const void *two)
{
    long long a = ((const Counted *)one)->slot, b = ((const Counted *)two)->slot;
    return (a > b) - (a < b);
}

/* Adds the slots of a function that are not what they were, and puts them back; a count of 0 is kept as one below. */
static bool take_span(PyObject *span, PyObject *counts, PyObject *starts, bool *has_zero)
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
        if (count != before) {
            *has_zero |= count == 0;
            if (!add_counted(NULL, slot, count ? count : ZERO, (size_t)PyList_GET_SIZE(counts)))
                return false;
        }
        Py_INCREF(fresh);
        if (PyList_SetItem(counts, slot, fresh) < 0)
            return false;
    }
    return true;
}

/* Returns the slots and their counts as bytes, two whole numbers of eight bytes for each slot, the least slot first. */
static PyObject *take_counts(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *entered, *spans, *counts, *starts, *events, *result = NULL;
    if (!PyArg_ParseTuple(arguments, "O!O!O!O!O!", &PySet_Type, &entered, &PyList_Type, &spans, &PyList_Type, &counts,
                          &PyList_Type, &starts, &PyList_Type, &events))
        return NULL;
    bool has_zero = false;
    PyObject *iterator = PyObject_GetIter(entered), *function = NULL;
    if (!iterator)
        return NULL;
    while ((function = PyIter_Next(iterator))) {
        Py_ssize_t number = PyLong_AsSsize_t(function);
        Py_DECREF(function);
        if (number < 0 || number >= PyList_GET_SIZE(spans)) {
            PyErr_SetString(PyExc_ValueError, "there is no such function");
            goto end;
        }
        if (!take_span(PyList_GET_ITEM(spans, number), counts, starts, &has_zero))
            goto end;
    }
    if (PyErr_Occurred())
        goto end;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(events); at++)
        if (!add_counted(PyList_GET_ITEM(events, at), 0, 1, (size_t)PyList_GET_SIZE(counts)))
            goto end;
    if (taken_used > 1)
        qsort(taken, taken_used, sizeof *taken, by_slot);
    for (size_t at = 0; at < taken_used; at++) {
        long long count = tally[taken[at].slot];
        taken[at].count = has_zero && count == ZERO ? 0 : count;
    }
    result = PyBytes_FromStringAndSize((const char *)taken, (Py_ssize_t)(taken_used * sizeof *taken));
end:
    for (size_t at = 0; at < taken_used; at++)
        tally[taken[at].slot] = 0;
    taken_used = 0;
    Py_DECREF(iterator);
    return result;
}

/* ---- what came nearest ------------------------------------------------------------------------ */

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

static bool take_cell(PyObject *cell, PyObject *near, PyObject *compared)
{
    PyObject *found = PyList_GET_ITEM(cell, FOUND), *side, *kept;
    Py_ssize_t at = 0;
    while (PyDict_Next(found, &at, &side, &kept)) {
        PyObject *away = PyTuple_GET_ITEM(kept, 0), *a = PyTuple_GET_ITEM(kept, 1), *b = PyTuple_GET_ITEM(kept, 2);
        PyObject *row = PyTuple_Pack(3, PyList_GET_ITEM(cell, SPOT), side, away);
        int failed = row ? PyList_Append(near, row) : -1;
        Py_XDECREF(row);
        if (failed < 0)
            return false;
        if (side == sides[1] || PyList_GET_SIZE(compared) >= 2 * MOST_PAIRS)
            continue;
        int fits = is_short(a);
        if (fits > 0)
            fits = is_short(b);
        if (fits < 0 || (fits && (PyList_Append(compared, a) < 0 || PyList_Append(compared, b) < 0)))
            return false;
    }
    return true;
}

/* Adds what came nearest to rows (spot, side, distance) and to the compared values, and puts the cells back. */
static PyObject *take_cells(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *touched, *fresh, *near, *compared;
    if (!PyArg_ParseTuple(arguments, "O!O!O!O!", &PyList_Type, &touched, &PyTuple_Type, &fresh, &PyList_Type, &near,
                          &PyList_Type, &compared))
        return NULL;
    if (PyTuple_GET_SIZE(fresh) != TOUCHED) {
        PyErr_SetString(PyExc_ValueError, "a cell begins with four values");
        return NULL;
    }
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(touched); at++) {
        PyObject *cell = PyList_GET_ITEM(touched, at);
        if (!PyList_CheckExact(cell) || PyList_GET_SIZE(cell) != SPOT + 1 || !PyDict_CheckExact(PyList_GET_ITEM(cell, FOUND))) {
            PyErr_SetString(PyExc_TypeError, "this is no cell");
            return NULL;
        }
        if (!take_cell(cell, near, compared))
            return NULL;
        for (Py_ssize_t place = 0; place < TOUCHED; place++) {
            PyObject *value = PyTuple_GET_ITEM(fresh, place);
            Py_INCREF(value);
            if (PyList_SetItem(cell, place, value) < 0)
                return NULL;
        }
    }
    if (PyList_SetSlice(touched, 0, PyList_GET_SIZE(touched), NULL) < 0)
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *use_twin(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *look, *outside;
    if (!PyArg_ParseTuple(arguments, "OO", &look, &outside))
        return NULL;
    Py_INCREF(look);
    Py_INCREF(outside);
    Py_XSETREF(look_at, look);
    Py_XSETREF(be_outside, outside);
    Py_RETURN_NONE;
}

#define QUICK(function) (PyCFunction)(void (*)(void))function, METH_FASTCALL

static PyMethodDef functions[] = {
    {"less_than", QUICK(less_than), "Return `a < b`."},
    {"at_most", QUICK(at_most), "Return `a <= b`."},
    {"more_than", QUICK(more_than), "Return `a > b`."},
    {"at_least", QUICK(at_least), "Return `a >= b`."},
    {"equals", QUICK(equals), "Return `a == b`."},
    {"differs", QUICK(differs), "Return `a != b`."},
    {"is_in", QUICK(is_in), "Return `a in b`."},
    {"is_not_in", QUICK(is_not_in), "Return `a not in b`."},
    {"take_counts", take_counts, METH_VARARGS, "Return the slots that were counted, as bytes, and put them back."},
    {"take_cells", take_cells, METH_VARARGS, "Add what came nearest, and the compared values; put the cells back."},
    {"use_twin", use_twin, METH_VARARGS, "Say who is asked for distances that are not quick."},
    {NULL},
};

int observe_add(PyObject *module)
{
    for (long side = -1; side <= 1; side++)
        if (!sides[side + 1] && !(sides[side + 1] = PyLong_FromLong(side)))
            return -1;
    return PyModule_AddFunctions(module, functions);
}
