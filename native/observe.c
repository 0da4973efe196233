/* What probes do in code that is observed: comparisons that keep the values nearest to their boundary, and marks of what
   was true. The twin is unlike.observe.recorder; distances that are not quick are asked of unlike.observe.distance. */
#include "observe.h"

#include <limits.h>
#include <math.h>

#define LONG_TEXT 64            /* of a text, as in unlike.observe.distance */
#define SEVERAL 40              /* letters that one is looked for in, as there */
#define MOST_NUMBER (1LL << 61) /* differences of smaller numbers do not overflow; as in unlike.observe.recorder */

static PyObject *distance_of, *distance_to_any, *distance_to_part, *match_class; /* of the twin, and of `re` */
static PyObject *measured; /* the classes whose values have distances */

/* ---- distances -------------------------------------------------------------------------------- */

/* Whether two values are small whole numbers, or single letters: their difference decides every comparison. */
static inline bool simple_difference(PyObject *a, PyObject *b, long long *away)
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

static Distance distance_of_whole(long long away)
{
    if (away <= MOST_NUMBER && away >= -MOST_NUMBER)
        return whole_distance(away);
    return (Distance){true, 0, (double)away};
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

/* Reads a distance as the twin says it: 1, 0 if there is none, -1 with an exception. */
static int read_distance(PyObject *said, Distance *away)
{
    if (PyFloat_CheckExact(said)) {
        *away = (Distance){true, 0, PyFloat_AS_DOUBLE(said)};
        return !isnan(away->part);
    }
    if (!PyLong_Check(said))
        return 0;
    int beyond;
    long long whole = PyLong_AsLongLongAndOverflow(said, &beyond);
    if (!beyond) {
        *away = distance_of_whole(whole);
        return 1;
    }
    *away = (Distance){true, 0, PyLong_AsDouble(said)};
    if (!PyErr_Occurred())
        return 1;
    if (!PyErr_ExceptionMatches(PyExc_OverflowError))
        return -1;
    PyErr_Clear();
    return 0;
}

/* Whether values of a class have distances at all; by identity, so that no class has a word in it. */
static bool is_measured(PyObject *value)
{
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(measured); at++)
        if (PyTuple_GET_ITEM(measured, at) == (PyObject *)Py_TYPE(value))
            return true;
    return false;
}

static bool note_distance(Cell *cell, PyObject *a, PyObject *b)
{
    long long simple;
    if (simple_difference(a, b, &simple))
        return come_closer(cell, distance_of_whole(simple), a, b);
    if (PyUnicode_CheckExact(a) && PyUnicode_CheckExact(b) && PyUnicode_READY(a) == 0 && PyUnicode_READY(b) == 0)
        return come_closer(cell, whole_distance(text_difference(a, b)), a, b);
    if (!is_measured(a) || !is_measured(b))
        return true;
    if (PyFloat_CheckExact(a) && PyFloat_CheckExact(b)) {
        Distance away = {true, 0, PyFloat_AS_DOUBLE(a) - PyFloat_AS_DOUBLE(b)};
        return isnan(away.part) || come_closer(cell, away, a, b);
    }
    PyObject *given[2] = {a, b};
    PyObject *said = PyObject_Vectorcall(distance_of, given, 2, NULL);
    if (!said)
        return false;
    Distance away;
    int known = read_distance(said, &away);
    Py_DECREF(said);
    return known <= 0 ? known == 0 : come_closer(cell, away, a, b);
}

/* ---- comparisons ------------------------------------------------------------------------------ */

static bool takes_cell(PyObject *const *given, Py_ssize_t count)
{
    if (count == 3 && Py_IS_TYPE(given[0], &CellType))
        return true;
    PyErr_SetString(PyExc_TypeError, "a comparison takes a cell and two values");
    return false;
}

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
    if (!takes_cell(given, count))
        return NULL;
    Cell *cell = (Cell *)given[0];
    PyObject *a = given[1], *b = given[2];
    long long away;
    if (simple_difference(a, b, &away)) {
        if (!come_closer(cell, distance_of_whole(away), a, b))
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

/* ---- members, beginnings and ends ------------------------------------------------------------- */

static bool be_member(Cell *cell)
{
    return cell->on || (touch(cell) && (cell->on = true));
}

static bool may_look(Cell *cell)
{
    return cell->tries && compare_distances(cell->high.away, whole_distance(1)) > 0;
}

/* Notes how far a value is from the nearest of those it was looked for in. */
static bool be_outside(Cell *cell, PyObject *value, PyObject *nearest)
{
    if (!nearest || !touch(cell))
        return false;
    cell->tries--;
    if (!PyTuple_CheckExact(nearest))
        return true;
    Distance away;
    int known = read_distance(PyTuple_GET_ITEM(nearest, 0), &away);
    if (known <= 0)
        return known == 0;
    if (compare_distances(away, whole_distance(0)) <= 0)
        return true;
    return come_closer(cell, away, value, PyTuple_GET_ITEM(nearest, 1));
}

/* Notes how far a letter is from the nearest of a few others, the least of several. */
static bool find_nearest_letter(Cell *cell, PyObject *letter, PyObject *letters)
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
    if (!touch(cell))
        return false;
    cell->tries--;
    PyObject *other = PyUnicode_FromOrdinal((int)nearest);
    bool done = other && come_closer(cell, whole_distance(away), letter, other);
    Py_XDECREF(other);
    return done;
}

static bool is_text(PyObject *value, Py_ssize_t least, Py_ssize_t most)
{
    return PyUnicode_CheckExact(value) && PyUnicode_READY(value) == 0 && PyUnicode_GET_LENGTH(value) >= least &&
           PyUnicode_GET_LENGTH(value) <= most;
}

/* How far two texts or two whole numbers are from each other, without a sign; false where that is not quick. */
static bool quick_size(PyObject *one, PyObject *two, long long *size)
{
    long long away;
    if (!simple_difference(one, two, &away)) {
        if (!PyUnicode_CheckExact(one) || !PyUnicode_CheckExact(two))
            return false;
        away = text_difference(one, two);
    }
    *size = away < 0 ? -away : away;
    return true;
}

/* The nearest of a few texts or whole numbers, the least of several; borrowed, NULL where the twin has to be asked. */
static PyObject *find_nearest(PyObject *value, PyObject *const *members, Py_ssize_t count, long long *least)
{
    PyObject *nearest = NULL;
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *each = members[at];
        long long size;
        if (Py_TYPE(each) != Py_TYPE(value))
            continue;
        if (!quick_size(value, each, &size))
            return NULL;
        if (nearest && size > *least)
            continue;
        if (!nearest || size < *least || PyObject_RichCompareBool(each, nearest, Py_LT) > 0) {
            nearest = each;
            *least = size;
        }
    }
    return nearest;
}

/* Notes how far a value is from the nearest of those in a container, where that is quick: 1, 0, -1 with an exception. */
static int look_quickly(Cell *cell, PyObject *value, PyObject *container)
{
    if (is_text(value, 1, 1) && is_text(container, 1, SEVERAL))
        return find_nearest_letter(cell, value, container) ? 1 : -1;
    if (!PyUnicode_CheckExact(value) && !PyLong_CheckExact(value))
        return 0;
    if (!PyTuple_CheckExact(container) && !PyList_CheckExact(container) && !PyDict_CheckExact(container) &&
        !PyAnySet_CheckExact(container))
        return 0;
    if (PyObject_Size(container) > SEVERAL)
        return be_outside(cell, value, Py_None) ? 1 : -1;
    PyObject *members = PySequence_Fast(container, "a container has members");
    if (!members)
        return -1;
    long long least = 0;
    PyObject *nearest = find_nearest(value, PySequence_Fast_ITEMS(members), PySequence_Fast_GET_SIZE(members), &least);
    int done = 0;
    if (nearest) {
        done = touch(cell) ? 1 : -1;
        cell->tries--;
        if (done > 0 && least && !come_closer(cell, distance_of_whole(least), value, nearest))
            done = -1;
    }
    Py_DECREF(members);
    return done;
}

/* Looks for a in b, and notes that it is there, or how far from the nearest; 1, 0, or -1 with an exception. */
static int look_for(PyObject *const *given, Py_ssize_t count)
{
    if (!takes_cell(given, count))
        return -1;
    Cell *cell = (Cell *)given[0];
    int inside = PySequence_Contains(given[2], given[1]);
    if (inside < 0)
        return -1;
    if (inside)
        return be_member(cell) ? 1 : -1;
    if (!may_look(cell))
        return 0;
    int quick = look_quickly(cell, given[1], given[2]);
    if (quick)
        return quick < 0 ? -1 : 0;
    PyObject *nearest = PyObject_Vectorcall(distance_to_any, given + 1, 2, NULL);
    bool done = be_outside(cell, given[1], nearest);
    Py_XDECREF(nearest);
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

static PyObject *look_at_end(PyObject *const *given, Py_ssize_t count, const char *method, bool at_end)
{
    if (!takes_cell(given, count))
        return NULL;
    Cell *cell = (Cell *)given[0];
    PyObject *name = PyUnicode_InternFromString(method);
    PyObject *result = name ? PyObject_CallMethodOneArg(given[1], name, given[2]) : NULL;
    Py_XDECREF(name);
    if (!result)
        return NULL;
    bool done = true;
    if (result == Py_True) {
        done = be_member(cell);
    } else if (may_look(cell)) {
        PyObject *asked[3] = {given[1], given[2], at_end ? Py_True : Py_False};
        PyObject *nearest = PyObject_Vectorcall(distance_to_part, asked, 3, NULL);
        done = be_outside(cell, given[1], nearest);
        Py_XDECREF(nearest);
    }
    if (!done)
        Py_CLEAR(result);
    return result;
}

static PyObject *starts_with(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    return look_at_end(given, count, "startswith", false);
}

static PyObject *ends_with(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    return look_at_end(given, count, "endswith", true);
}

static PyObject *meets_literals(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    if (count != 2 || !PyTuple_CheckExact(given[0])) {
        PyErr_SetString(PyExc_TypeError, "give cells with their literals, and a value");
        return NULL;
    }
    for (Py_ssize_t at = 0; at < PyTuple_GET_SIZE(given[0]); at++) {
        PyObject *each = PyTuple_GET_ITEM(given[0], at);
        if (!PyTuple_CheckExact(each) || PyTuple_GET_SIZE(each) != 2 ||
            !Py_IS_TYPE(PyTuple_GET_ITEM(each, 0), &CellType)) {
            PyErr_SetString(PyExc_TypeError, "this is no cell with a literal");
            return NULL;
        }
        if (!note_distance((Cell *)PyTuple_GET_ITEM(each, 0), given[1], PyTuple_GET_ITEM(each, 1)))
            return NULL;
    }
    return Py_NewRef(given[1]);
}

/* ---- truth ------------------------------------------------------------------------------------ */

static bool takes_record(PyObject *const *given, Py_ssize_t count, Py_ssize_t wanted)
{
    if (count == wanted && Py_IS_TYPE(given[0], &RecordType))
        return true;
    PyErr_SetString(PyExc_TypeError, "give a record, slots and a value");
    return false;
}

static PyObject *is_true_or_false(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    if (!takes_record(given, count, 4))
        return NULL;
    PyObject *result = given[3], *slot = result == Py_True ? given[1] : result == Py_False ? given[2] : NULL;
    return !slot || mark_slot((Record *)given[0], slot) ? Py_NewRef(result) : NULL;
}

/* Whether no code of the user's says the truth of a value. */
static bool is_truthful(PyObject *value)
{
    PyTypeObject *kind = Py_TYPE(value);
    return value == Py_None || kind == &PyBool_Type || kind == &PyLong_Type || kind == &PyFloat_Type ||
           kind == &PyUnicode_Type || kind == &PyBytes_Type || kind == &PyList_Type || kind == &PyTuple_Type ||
           kind == &PyDict_Type || kind == &PySet_Type || kind == &PyFrozenSet_Type || (PyObject *)kind == match_class;
}

static PyObject *has_known_truth(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    if (!takes_record(given, count, 4))
        return NULL;
    PyObject *result = given[3];
    if (is_truthful(result)) {
        int truth = PyObject_IsTrue(result);
        if (truth < 0 || !mark_slot((Record *)given[0], given[truth ? 1 : 2]))
            return NULL;
    }
    return Py_NewRef(result);
}

static PyObject *pass_on(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    (void)self;
    if (!takes_record(given, count, 3) || !mark_slot((Record *)given[0], given[1]))
        return NULL;
    return Py_NewRef(given[2]);
}

/* ---- the module ------------------------------------------------------------------------------- */

static PyObject *use_twin(PyObject *self, PyObject *arguments)
{
    (void)self;
    PyObject *of, *to_any, *to_part, *match, *classes;
    if (!PyArg_ParseTuple(arguments, "OOOOO!", &of, &to_any, &to_part, &match, &PyTuple_Type, &classes))
        return NULL;
    Py_XSETREF(measured, Py_NewRef(classes));
    Py_XSETREF(distance_of, Py_NewRef(of));
    Py_XSETREF(distance_to_any, Py_NewRef(to_any));
    Py_XSETREF(distance_to_part, Py_NewRef(to_part));
    Py_XSETREF(match_class, Py_NewRef(match));
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
    {"starts_with", QUICK(starts_with), "Return `text.startswith(part)`."},
    {"ends_with", QUICK(ends_with), "Return `text.endswith(part)`."},
    {"meets_literals", QUICK(meets_literals), "Return the subject of `match`, and note how far it is from literals."},
    {"is_true_or_false", QUICK(is_true_or_false), "Return a result, and mark whether it is True or False."},
    {"has_known_truth", QUICK(has_known_truth), "Return a value, and mark its truth where no code of the user's says it."},
    {"pass_on", QUICK(pass_on), "Return a value, and mark that it is returned."},
    {"use_twin", use_twin, METH_VARARGS, "Say who is asked for distances that are not quick."},
    {NULL},
};

int observe_add(PyObject *module)
{
    if (PyType_Ready(&CellType) < 0 || PyType_Ready(&RecordType) < 0 ||
        PyModule_AddObjectRef(module, "Record", (PyObject *)&RecordType) < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
