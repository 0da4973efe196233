/* The type Atlas, as Python sees it. */
#include "atlas.h"
#include <structmember.h> /* T_LONGLONG, before 3.12 */

static bool read_call(OpenCall *prepared, PyObject *call, PyObject *ranges)
{
    if (!prepared_fill(&prepared->call, call))
        return false;
    prepared->kept = PyList_New(0);
    for (Py_ssize_t at = 0; prepared->kept && at < prepared->call.count; at++) {
        PyObject *argument = prepared->call.arguments[at];
        if (PyList_Append(prepared->kept, argument) < 0)
            return false;
        Py_DECREF(argument); /* the list holds it */
        if (Py_TYPE(argument) != &TokenType)
            continue;
        if (prepared->open_used >= MOST_SLOTS || prepared->open_used >= PyTuple_GET_SIZE(ranges)) {
            PyErr_SetString(PyExc_ValueError, "an open argument without a range");
            return false;
        }
        int open = prepared->open_used++;
        prepared->positions[open] = (int)at;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(ranges, open), "ii", &prepared->low[open], &prepared->high[open]))
            return false;
    }
    return prepared->kept != NULL;
}

static PyObject *Atlas_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"walker", "places", "calls", "judge", "enter", "check", "invariant", NULL};
    PyObject *walker, *places, *calls, *judge, *enter, *check, *invariant = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!OO!OOO|O", names, &WalkerType, &walker, &places, &PyTuple_Type,
                                     &calls, &judge, &enter, &check, &invariant))
        return NULL;
    Atlas *atlas = (Atlas *)type->tp_alloc(type, 0);
    if (!atlas)
        return NULL;
    atlas->walker = (Walker *)Py_NewRef(walker);
    atlas->judge = Py_NewRef(judge);
    atlas->enter = Py_NewRef(enter);
    atlas->check = Py_NewRef(check);
    atlas->opened.places = Py_NewRef(places);
    atlas->invariant = Py_NewRef(invariant);
    atlas->shapes = (Store *)PyObject_CallNoArgs((PyObject *)&StoreType);
    size_t count = (size_t)PyTuple_GET_SIZE(calls);
    atlas->prepared = calloc(count + 1, sizeof *atlas->prepared);
    bool made = atlas->shapes && atlas->prepared;
    for (int slot = 0; made && slot < MOST_ROWS; slot++) {
        made = (atlas->tokens[slot] = token_new(slot, 0)) != NULL;
        atlas->usual[slot] = 1;
    }
    for (size_t at = 0; made && at < count; at++) {
        PyObject *call, *ranges;
        atlas->calls_used++;
        made = PyArg_ParseTuple(PyTuple_GET_ITEM(calls, (Py_ssize_t)at), "OO!", &call, &PyTuple_Type, &ranges) &&
               read_call(&atlas->prepared[at], call, ranges);
    }
    if (made)
        return (PyObject *)atlas;
    if (!PyErr_Occurred())
        PyErr_NoMemory();
    Py_DECREF(atlas);
    return NULL;
}

static int Atlas_traverse(Atlas *self, visitproc visit, void *arg)
{
    Py_VISIT(self->walker);
    Py_VISIT(self->judge);
    Py_VISIT(self->enter);
    Py_VISIT(self->check);
    Py_VISIT(self->opened.places);
    for (size_t at = 0; at < self->calls_used; at++) {
        Py_VISIT(self->prepared[at].kept);
        Py_VISIT(self->prepared[at].call.target);
    }
    for (size_t at = 0; at < self->leaves_used; at++)
        Py_VISIT(self->leaves[at].python);
    return 0;
}

static int Atlas_clear(Atlas *self)
{
    Py_CLEAR(self->walker);
    Py_CLEAR(self->judge);
    Py_CLEAR(self->enter);
    Py_CLEAR(self->check);
    Py_CLEAR(self->opened.places);
    for (size_t at = 0; at < self->leaves_used; at++)
        Py_CLEAR(self->leaves[at].python);
    return 0;
}

static void Atlas_dealloc(Atlas *self)
{
    PyObject_GC_UnTrack(self);
    Atlas_clear(self);
    for (size_t at = 0; at < self->calls_used; at++) {
        Py_XDECREF(self->prepared[at].kept);
        Py_XDECREF(self->prepared[at].call.target);
        Py_XDECREF(self->prepared[at].call.kwnames);
        free(self->prepared[at].call.arguments);
    }
    for (size_t at = 0; at < self->shapes_used; at++) {
        free(self->by_shape[at].states);
        free(self->by_shape[at].wide);
        free(self->by_shape[at].points);
    }
    for (int slot = 0; slot < MOST_ROWS; slot++)
        Py_XDECREF(self->tokens[slot]);
    Py_XDECREF(self->shapes);
    Py_XDECREF(self->roots);
    Py_XDECREF(self->invariant);
    free(self->prepared);
    free(self->by_shape);
    free(self->first);
    free(self->states);
    free(self->numbers);
    free(self->leaves);
    free(self->terms);
    free(self->opened.terms);
    run_clear(&self->run);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

/* ---- shapes ----------------------------------------------------------------------------------- */

static bool is_below(Py_ssize_t number, size_t count, const char *what)
{
    if (number >= 0 && (size_t)number < count)
        return true;
    PyErr_Format(PyExc_IndexError, "no %s %zd among %zu", what, number, count);
    return false;
}

static PyObject *Atlas_shape(Atlas *self, PyObject *args)
{
    const char *bytes;
    Py_ssize_t size, slots;
    if (!PyArg_ParseTuple(args, "y#n", &bytes, &size, &slots))
        return NULL;
    int64_t number = atlas_shape(self, (const uint8_t *)bytes, (size_t)size, (size_t)slots);
    return number < 0 ? NULL : PyLong_FromLongLong(number);
}

static PyObject *Atlas_shape_bytes(Atlas *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    const uint8_t *bytes;
    size_t size;
    if (PyErr_Occurred() || !is_below(number, self->shapes_used, "shape") ||
        !store_view(self->shapes, number, &bytes, &size))
        return NULL;
    return PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size);
}

static PyObject *Atlas_shape_slots(Atlas *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !is_below(number, self->shapes_used, "shape"))
        return NULL;
    return PyLong_FromLong(self->by_shape[number].slots);
}

static PyObject *Atlas_shape_states(Atlas *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !is_below(number, self->shapes_used, "shape"))
        return NULL;
    OfShape *shape = &self->by_shape[number];
    PyObject *list = PyList_New((Py_ssize_t)shape->used);
    for (size_t at = 0; list && at < shape->used; at++)
        PyList_SET_ITEM(list, (Py_ssize_t)at, PyLong_FromUnsignedLong(shape->states[at]));
    return list;
}

/* ---- states ----------------------------------------------------------------------------------- */

static bool read_numbers(PyObject *rows, Bound *out, Py_ssize_t wanted, Py_ssize_t width)
{
    if (!PyTuple_Check(rows) || PyTuple_GET_SIZE(rows) != wanted) {
        PyErr_SetString(PyExc_ValueError, "bounds and disequalities are tuples of tuples");
        return false;
    }
    for (Py_ssize_t at = 0; at < wanted; at++) {
        PyObject *row = PyTuple_GET_ITEM(rows, at);
        for (Py_ssize_t column = 0; column < width; column++) {
            long value = PyTuple_Check(row) && PyTuple_GET_SIZE(row) == width
                             ? PyLong_AsLong(PyTuple_GET_ITEM(row, column))
                             : FARTHEST + 1;
            if (value > FARTHEST || value < -FARTHEST) {
                if (!PyErr_Occurred())
                    PyErr_Format(CANNOT_CLASS, "the bound %ld is too far away", value);
                return false;
            }
            *out++ = (Bound)value;
        }
    }
    return true;
}

static PyObject *Atlas_add(Atlas *self, PyObject *args)
{
    Py_ssize_t shape;
    PyObject *bounds, *unequal;
    unsigned length;
    static Bound packed[MOST_ROWS * MOST_ROWS + 3 * MOST_UNEQUAL];
    if (!PyArg_ParseTuple(args, "nO!O!I", &shape, &PyTuple_Type, &bounds, &PyTuple_Type, &unequal, &length) ||
        !is_below(shape, self->shapes_used, "shape"))
        return NULL;
    Py_ssize_t rows = self->by_shape[shape].slots + 1, pairs = PyTuple_GET_SIZE(unequal);
    if (pairs >= MOST_UNEQUAL) {
        PyErr_SetString(CANNOT_CLASS, "too many values that are only known to differ");
        return NULL;
    }
    if (!read_numbers(bounds, packed, rows, rows) || !read_numbers(unequal, packed + rows * rows, pairs, 3))
        return NULL;
    int64_t number = atlas_add(self, (uint32_t)shape, packed, (int)pairs, length, -1, -1);
    return number == -2 ? NULL : PyLong_FromLongLong(number);
}

static PyObject *Atlas_zone(Atlas *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !is_below(number, self->states_used, "state"))
        return NULL;
    return atlas_zone(self, (size_t)number);
}

static PyObject *Atlas_state(Atlas *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !is_below(number, self->states_used, "state"))
        return NULL;
    const State *state = &self->states[number];
    return Py_BuildValue("IIOOLL", state->shape, state->length, state->covered ? Py_True : Py_False,
                         state->inner ? Py_True : Py_False, (long long)state->parent, (long long)state->leaf);
}

/* The shapes of some states, or how many calls each took. */
static PyObject *numbers_of(Atlas *self, PyObject *args, int lengths)
{
    Py_ssize_t first, last;
    if (!PyArg_ParseTuple(args, "nn", &first, &last) || !is_below(last, self->states_used + 1, "state") ||
        !is_below(first, (size_t)last + 1, "state"))
        return NULL;
    PyObject *list = PyList_New(last - first);
    for (Py_ssize_t at = first; list && at < last; at++) {
        const State *state = &self->states[at];
        PyList_SET_ITEM(list, at - first, PyLong_FromUnsignedLong(lengths ? state->length : state->shape));
    }
    return list;
}

static PyObject *Atlas_shapes_of(Atlas *self, PyObject *args)
{
    return numbers_of(self, args, 0);
}

static PyObject *Atlas_lengths_of(Atlas *self, PyObject *args)
{
    return numbers_of(self, args, 1);
}

/* ---- paths ------------------------------------------------------------------------------------ */

static PyObject *Atlas_leaf(Atlas *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !is_below(number, self->leaves_used, "leaf"))
        return NULL;
    const Came *came = &self->leaves[number];
    if (came->kind == CAME_PYTHON)
        return Py_BuildValue("IO", came->call, came->python);
    PyObject *terms = PyTuple_New(came->count);
    for (int at = 0; terms && at < came->count; at++) {
        Term term = self->terms[came->start + (size_t)at];
        PyTuple_SET_ITEM(terms, at, Py_BuildValue("ii", term.slot, term.offset));
    }
    return terms ? Py_BuildValue("I(IN)", came->call, came->shape, terms) : NULL;
}

static PyObject *Atlas_path(Atlas *self, PyObject *argument)
{
    Py_ssize_t number = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !is_below(number, self->leaves_used, "leaf"))
        return NULL;
    PyObject *path = PyList_New(0);
    const Node *nodes = self->run.nodes;
    for (uint32_t node = self->leaves[number].node; path && nodes[node].parent; node = nodes[node].parent) {
        const Node *asked = &nodes[nodes[node].parent];
        PyObject *step = Py_BuildValue("iiiii", asked->kind, asked->i, asked->j, asked->c, nodes[node].label);
        if (!step || PyList_Append(path, step) < 0)
            Py_CLEAR(path);
        Py_XDECREF(step);
    }
    if (path && PyList_Reverse(path) < 0)
        Py_CLEAR(path);
    return path;
}

static size_t *read_sizes(PyObject *sequence, size_t below, Py_ssize_t *count)
{
    PyObject *fast = PySequence_Fast(sequence, "a sequence of numbers");
    if (!fast)
        return NULL;
    *count = PySequence_Fast_GET_SIZE(fast);
    size_t *sizes = malloc(sizeof *sizes * (size_t)(*count + 1));
    for (Py_ssize_t at = 0; sizes && at < *count; at++) {
        sizes[at] = PyLong_AsSize_t(PySequence_Fast_GET_ITEM(fast, at));
        if (PyErr_Occurred() || sizes[at] >= below) {
            if (!PyErr_Occurred())
                PyErr_Format(PyExc_IndexError, "no number %zu among %zu", sizes[at], below);
            free(sizes);
            sizes = NULL;
        }
    }
    Py_DECREF(fast);
    return sizes;
}

static PyObject *Atlas_expand(Atlas *self, PyObject *args)
{
    PyObject *states, *calls;
    Py_ssize_t state_count = 0, call_count = 0;
    if (!PyArg_ParseTuple(args, "OO", &states, &calls))
        return NULL;
    if (self->busy || self->walker->expanding) {
        PyErr_SetString(PyExc_RuntimeError, "an expansion within an expansion");
        return NULL;
    }
    size_t *numbers = read_sizes(states, self->states_used, &state_count);
    size_t *which = numbers ? read_sizes(calls, self->calls_used, &call_count) : NULL;
    Py_ssize_t done = -1;
    if (which) {
        self->busy = self->walker->expanding = true;
        done = atlas_expand(self, numbers, (size_t)state_count, which, (size_t)call_count);
        self->busy = self->walker->expanding = false;
    }
    free(numbers);
    free(which);
    return done < 0 ? NULL : PyLong_FromSsize_t(done);
}

static PyObject *Atlas_counts(Atlas *self, PyObject *argument)
{
    Py_ssize_t call = PyLong_AsSsize_t(argument);
    if (PyErr_Occurred() || !is_below(call, self->calls_used, "call"))
        return NULL;
    const OpenCall *prepared = &self->prepared[call];
    PyObject *counts = PyList_New(OUTCOMES);
    for (int at = 0; counts && at < OUTCOMES; at++)
        PyList_SET_ITEM(counts, at, PyLong_FromLongLong(prepared->counts[at]));
    return counts ? Py_BuildValue("NOO", counts, prepared->answers ? Py_True : Py_False,
                                  prepared->changes ? Py_True : Py_False)
                  : NULL;
}

static PyObject *Atlas_reasons(Atlas *self, PyObject *unused)
{
    (void)unused;
    PyObject *list = PyList_New(0);
    for (int at = 0; list && at < MOST_REASONS; at++) {
        PyObject *pair = self->reasons[at] ? Py_BuildValue("iL", at, (long long)self->reasons[at]) : NULL;
        if (pair && PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    return list;
}

static Py_ssize_t Atlas_length(Atlas *self)
{
    return (Py_ssize_t)self->states_used;
}

static PyMethodDef Atlas_methods[] = {
    {"shape", (PyCFunction)Atlas_shape, METH_VARARGS, "Return the number of a shape, given its bytes and slots."},
    {"shape_bytes", (PyCFunction)Atlas_shape_bytes, METH_O, "Return the bytes of a shape."},
    {"shape_slots", (PyCFunction)Atlas_shape_slots, METH_O, "Return how many open values a shape has."},
    {"shape_states", (PyCFunction)Atlas_shape_states, METH_O, "Return the states of a shape."},
    {"add", (PyCFunction)Atlas_add, METH_VARARGS, "Return the number of a state that has new points, or -1."},
    {"zone", (PyCFunction)Atlas_zone, METH_O, "Return bounds and disequalities of a state."},
    {"state", (PyCFunction)Atlas_state, METH_O, "Return shape, length, covered, inner, parent and leaf of a state."},
    {"shapes_of", (PyCFunction)Atlas_shapes_of, METH_VARARGS, "Return the shapes of states from first to last."},
    {"lengths_of", (PyCFunction)Atlas_lengths_of, METH_VARARGS, "Return the lengths of states from first to last."},
    {"leaf", (PyCFunction)Atlas_leaf, METH_O, "Return the call of a leaf, and what it came to."},
    {"path", (PyCFunction)Atlas_path, METH_O, "Return the questions and answers that lead to a leaf."},
    {"expand", (PyCFunction)Atlas_expand, METH_VARARGS, "Follow every path of the calls on the states."},
    {"counts", (PyCFunction)Atlas_counts, METH_O, "Return what a call came to, and how often."},
    {"reasons", (PyCFunction)Atlas_reasons, METH_NOARGS, "Return why paths led outside, and how often."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef Atlas_members[] = {
    {"runs", T_LONGLONG, offsetof(Atlas, runs), READONLY, "How often code under test ran."},
    {"points", T_LONGLONG, offsetof(Atlas, points), READONLY, "How many states have open values, and one point."},
    {"shape_count", T_PYSSIZET, offsetof(Atlas, shapes_used), READONLY, "How many shapes there are."},
    {NULL},
};

static PySequenceMethods Atlas_sequence = {.sq_length = (lenfunc)Atlas_length};

PyTypeObject AtlasType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Atlas",
    .tp_doc = "Abstract states: shapes with zones, and the paths of calls on them.",
    .tp_basicsize = sizeof(Atlas),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = Atlas_new,
    .tp_traverse = (traverseproc)Atlas_traverse,
    .tp_clear = (inquiry)Atlas_clear,
    .tp_dealloc = (destructor)Atlas_dealloc,
    .tp_methods = Atlas_methods,
    .tp_members = Atlas_members,
    .tp_as_sequence = &Atlas_sequence,
};
