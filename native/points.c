/* The type Digits and the functions on zones, as Python sees them. See points/__init__.py. */
#include "points.h"

typedef struct {
    PyObject_HEAD
    Arena arena;
    PlanData plan;
    bool empty;
} Digits;

typedef struct {
    PyObject_HEAD
    Digits *digits;
    int32_t *values;
    bool begun;
    unsigned long long wanted;
} Stream;

static PyTypeObject DigitsType, StreamType;

/* ---- making ------------------------------------------------------------------------------------- */

static void plan_clear(PlanData *plan)
{
    for (int at = 0; at < plan->used; at++) {
        free(plan->choices[at].sums);
        free(plan->choices[at].known);
    }
    plan->used = 0;
}

static Answer plan_of(PlanData *plan, Arena *arena, const ZoneData *zone, bool *empty)
{
    Answer answer = zone_normal(&plan->normal, arena, zone, empty);
    return answer == DONE && !*empty ? plan_make(plan, arena) : answer;
}

static Answer read_zone(ZoneData *zone, Arena *arena, PyObject *from)
{
    PyObject *bounds = PyObject_GetAttrString(from, "bounds");
    PyObject *unequal = bounds ? PyObject_GetAttrString(from, "unequal") : NULL;
    Answer answer = unequal ? zone_read(zone, arena, bounds, unequal) : FAILED;
    Py_XDECREF(bounds);
    Py_XDECREF(unequal);
    return answer;
}

static PyObject *make_digits(PyObject *Py_UNUSED(module), PyObject *from)
{
    ZoneData zone;
    Digits *made = PyObject_New(Digits, &DigitsType);
    if (!made)
        return NULL;
    memset(&made->arena, 0, sizeof *made - offsetof(Digits, arena));
    Answer answer = read_zone(&zone, &made->arena, from);
    if (answer == DONE)
        answer = plan_of(&made->plan, &made->arena, &zone, &made->empty);
    if (answer == DONE)
        return (PyObject *)made;
    Py_DECREF(made);
    if (answer == FAILED)
        return NULL;
    Py_RETURN_NONE;
}

static void digits_dealloc(Digits *self)
{
    plan_clear(&self->plan);
    arena_clear(&self->arena);
    PyObject_Free(self);
}

/* ---- digits ------------------------------------------------------------------------------------- */

static PyObject *digits_radices(Digits *self, void *Py_UNUSED(closure))
{
    if (self->empty)
        return Py_BuildValue("(i)", 0);
    PyObject *radices = PyTuple_New(self->plan.radices_used);
    for (int at = 0; radices && at < self->plan.radices_used; at++) {
        PyObject *radix = PyLong_FromUnsignedLongLong(self->plan.radices[at]);
        if (!radix)
            Py_CLEAR(radices);
        else
            PyTuple_SET_ITEM(radices, at, radix);
    }
    return radices;
}

static PyObject *digits_summed(Digits *self, void *Py_UNUSED(closure))
{
    return PyBool_FromLong(self->plan.roots_used > 0);
}

static PyObject *digits_listed(Digits *Py_UNUSED(self), void *Py_UNUSED(closure))
{
    Py_RETURN_FALSE; /* a component that must be listed is left to the twin */
}

/* Writes the values of the digits; NULL with an exception set if they are no digits of this zone. */
static int32_t *values_of(Digits *self, PyObject *digits)
{
    int count = self->plan.radices_used;
    PyObject *items = PySequence_Fast(digits, "digits must be a sequence");
    int32_t *values = items ? PyMem_Calloc((size_t)self->plan.normal.size + 1, sizeof *values) : NULL;
    uint64_t *read = values ? PyMem_Calloc((size_t)count + 1, sizeof *read) : NULL;
    bool fine = read && !self->empty && PySequence_Fast_GET_SIZE(items) == count;
    for (int at = 0; fine && at < count; at++) {
        read[at] = PyLong_AsUnsignedLongLong(PySequence_Fast_GET_ITEM(items, at));
        fine = !PyErr_Occurred() && read[at] < self->plan.radices[at];
    }
    fine = fine && plan_fill(&self->plan, read, values);
    if (items && !fine && !PyErr_Occurred())
        PyErr_SetString(PyExc_IndexError, "no point has these digits");
    PyMem_Free(read);
    Py_XDECREF(items);
    if (fine)
        return values;
    PyMem_Free(values);
    return NULL;
}

static PyObject *point_of(const NormalData *normal, const int32_t *values)
{
    PyObject *point = PyTuple_New(normal->slots);
    for (int slot = 0; point && slot < normal->slots; slot++) {
        PyObject *number = PyLong_FromLong((long)values[normal->which[slot]] + normal->offset[slot]);
        if (!number)
            Py_CLEAR(point);
        else
            PyTuple_SET_ITEM(point, slot, number);
    }
    return point;
}

static PyObject *digits_point(Digits *self, PyObject *digits)
{
    int32_t *values = values_of(self, digits);
    PyObject *point = values ? point_of(&self->plan.normal, values) : NULL;
    PyMem_Free(values);
    return point;
}

static PyObject *digits_stream(Digits *self, PyObject *args)
{
    PyObject *digits;
    unsigned long long wanted;
    if (!PyArg_ParseTuple(args, "OK", &digits, &wanted))
        return NULL;
    int32_t *values = values_of(self, digits);
    Stream *stream = values ? PyObject_New(Stream, &StreamType) : NULL;
    if (!stream) {
        PyMem_Free(values);
        return NULL;
    }
    stream->digits = (Digits *)Py_NewRef((PyObject *)self);
    stream->values = values;
    stream->wanted = wanted;
    stream->begun = false;
    return (PyObject *)stream;
}

/* ---- a stream ----------------------------------------------------------------------------------- */

static PyObject *stream_next(Stream *self)
{
    if (!self->wanted || (self->begun && !plan_advance(&self->digits->plan, self->values)))
        return NULL;
    self->begun = true;
    self->wanted--;
    return point_of(&self->digits->plan.normal, self->values);
}

static void stream_dealloc(Stream *self)
{
    PyMem_Free(self->values);
    Py_DECREF(self->digits);
    PyObject_Free(self);
}

/* ---- several zones ------------------------------------------------------------------------------ */

/* Reads zones and takes them apart; a single one is left as it is. */
static Answer pieces_of(Arena *arena, PyObject *zones, ZoneData **pieces, int *used)
{
    PyObject *items = PySequence_Fast(zones, "zones must be a sequence");
    if (!items)
        return FAILED;
    int count = (int)PySequence_Fast_GET_SIZE(items);
    ZoneData *read = TAKE(arena, ZoneData, count);
    Answer answer = read ? DONE : FAILED;
    for (int at = 0; answer == DONE && at < count; at++) {
        answer = read_zone(&read[at], arena, PySequence_Fast_GET_ITEM(items, at));
        if (answer == DONE && read[at].size != read[0].size) {
            PyErr_SetString(PyExc_ValueError, "zones over different slots");
            answer = FAILED;
        }
    }
    Py_DECREF(items);
    if (answer != DONE || count < 2) {
        *pieces = read;
        *used = count;
        return answer;
    }
    return zones_disjoint(arena, read, count, pieces, used);
}

static PyObject *disjoint_zones(PyObject *Py_UNUSED(module), PyObject *zones)
{
    Arena arena = {0};
    ZoneData *pieces;
    int used;
    Answer answer = pieces_of(&arena, zones, &pieces, &used);
    PyObject *list = answer == DONE ? PyList_New(0) : answer == ASK_TWIN ? Py_NewRef(Py_None) : NULL;
    for (int at = 0; answer == DONE && list && at < used; at++) {
        PyObject *pair = zone_write(&pieces[at]);
        if (!pair || PyList_Append(list, pair) < 0)
            Py_CLEAR(list);
        Py_XDECREF(pair);
    }
    arena_clear(&arena);
    return list;
}

/* Adds the product of the radices to the total; steals and returns the total, or NULL. */
static PyObject *add_product(PyObject *total, const PlanData *plan)
{
    uint64_t product = 1;
    PyObject *large = NULL; /* once the product does not fit */
    for (int at = 0; at < plan->radices_used; at++) {
        uint64_t before = product;
        if (!__builtin_mul_overflow(product, plan->radices[at], &product))
            continue;
        PyObject *part = PyLong_FromUnsignedLongLong(before);
        PyObject *next = part && large ? PyNumber_Multiply(large, part) : Py_XNewRef(part);
        Py_XDECREF(part);
        Py_XDECREF(large);
        if (!(large = next)) {
            Py_DECREF(total);
            return NULL;
        }
        product = plan->radices[at];
    }
    PyObject *last = PyLong_FromUnsignedLongLong(product);
    PyObject *whole = last && large ? PyNumber_Multiply(large, last) : Py_XNewRef(last);
    PyObject *sum = whole ? PyNumber_Add(total, whole) : NULL;
    Py_XDECREF(last);
    Py_XDECREF(large);
    Py_XDECREF(whole);
    Py_DECREF(total);
    return sum;
}

static PyObject *count_points(PyObject *Py_UNUSED(module), PyObject *zones)
{
    Arena arena = {0};
    ZoneData *pieces;
    int used;
    Answer answer = pieces_of(&arena, zones, &pieces, &used);
    PyObject *total = answer == DONE ? PyLong_FromLong(0) : NULL;
    for (int at = 0; total && at < used; at++) {
        PlanData plan = {0};
        bool empty = false;
        answer = plan_of(&plan, &arena, &pieces[at], &empty);
        if (answer != DONE)
            Py_CLEAR(total);
        else if (!empty)
            total = add_product(total, &plan);
        plan_clear(&plan);
    }
    arena_clear(&arena);
    if (answer == ASK_TWIN)
        Py_RETURN_NONE;
    return total;
}

/* ---- the module ----------------------------------------------------------------------------------- */

static PyMethodDef digits_methods[] = {
    {"point", (PyCFunction)digits_point, METH_O, "Return the point of the digits."},
    {"stream", (PyCFunction)digits_stream, METH_VARARGS, "Return an iterator over so many points from the digits on."},
    {NULL},
};

static PyGetSetDef digits_properties[] = {
    {"radices", (getter)digits_radices, NULL, "How many choices each digit has.", NULL},
    {"summed", (getter)digits_summed, NULL, "Whether some slots depend on each other.", NULL},
    {"listed", (getter)digits_listed, NULL, "Whether some points had to be listed.", NULL},
    {NULL},
};

static PyTypeObject DigitsType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Digits",
    .tp_doc = "The points of one zone as rows of digits.",
    .tp_basicsize = sizeof(Digits),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = (destructor)digits_dealloc,
    .tp_methods = digits_methods,
    .tp_getset = digits_properties,
};

static PyTypeObject StreamType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Stream",
    .tp_doc = "Points one after the other.",
    .tp_basicsize = sizeof(Stream),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_dealloc = (destructor)stream_dealloc,
    .tp_iter = PyObject_SelfIter,
    .tp_iternext = (iternextfunc)stream_next,
};

static PyMethodDef functions[] = {
    {"digits", make_digits, METH_O, "Return the points of a zone as digits, or None if the twin must count them."},
    {"disjoint", disjoint_zones, METH_O, "Return (bounds, unequal) of disjoint zones with the same points, or None."},
    {"count_points", count_points, METH_O, "Return how many points any of the zones has, or None."},
    {NULL},
};

int points_add(PyObject *module)
{
    if (PyType_Ready(&DigitsType) < 0 || PyType_Ready(&StreamType) < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
