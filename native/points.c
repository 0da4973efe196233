/* The type Digits and the functions on zones, as Python sees them. See zones/points.py. */
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
    PyObject *shape;      /* of states: canonical bytes with a byte 04 for every slot; NULL for points */
    Py_ssize_t *positions; /* where those bytes stand */
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

static Answer plan_of(PlanData *plan, Arena *arena, const WideZone *zone, bool *empty)
{
    Answer answer = find_free(&plan->free, arena, zone, empty);
    return answer == DONE && !*empty ? plan_make(plan, arena) : answer;
}

/* Reads zones and takes them apart; a single one is left as it is. */
static Answer parts_of(Arena *arena, PyObject *zones, WideZone **parts, int *used)
{
    PyObject *items = PySequence_Fast(zones, "zones must be a sequence");
    if (!items)
        return FAILED;
    int count = (int)PySequence_Fast_GET_SIZE(items);
    WideZone *read = TAKE(arena, WideZone, count);
    Answer answer = read ? DONE : FAILED;
    for (int at = 0; answer == DONE && at < count; at++) {
        answer = wide_read(&read[at], arena, PySequence_Fast_GET_ITEM(items, at));
        if (answer == DONE && read[at].rows != read[0].rows) {
            PyErr_SetString(PyExc_ValueError, "zones over different slots");
            answer = FAILED;
        }
    }
    Py_DECREF(items);
    if (answer != DONE || count < 2) {
        *parts = read;
        *used = count;
        return answer;
    }
    return make_disjoint(arena, read, count, parts, used);
}

static Digits *digits_of(const WideZone *zone, Answer *answer)
{
    Digits *made = PyObject_New(Digits, &DigitsType);
    *answer = FAILED;
    if (!made)
        return NULL;
    memset(&made->arena, 0, sizeof *made - offsetof(Digits, arena));
    *answer = plan_of(&made->plan, &made->arena, zone, &made->empty);
    if (*answer == DONE)
        return made;
    Py_DECREF(made);
    return NULL;
}

static PyObject *make_digits(PyObject *Py_UNUSED(module), PyObject *zones)
{
    Arena arena = {0};
    WideZone *parts;
    int used;
    Answer answer = parts_of(&arena, zones, &parts, &used);
    PyObject *list = answer == DONE ? PyList_New(0) : NULL;
    for (int at = 0; list && at < used; at++) {
        Digits *digits = digits_of(&parts[at], &answer);
        if (!digits || PyList_Append(list, (PyObject *)digits) < 0)
            Py_CLEAR(list);
        Py_XDECREF(digits);
    }
    arena_clear(&arena);
    if (answer == ASK_TWIN || answer == OUTSIDE)
        return Py_NewRef(answer == OUTSIDE ? Py_False : Py_None);
    return list;
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

/* Writes the values of the digits; NULL with an exception set if they are no digits of this zone. */
static int32_t *values_of(Digits *self, PyObject *digits)
{
    int count = self->plan.radices_used;
    PyObject *items = PySequence_Fast(digits, "digits must be a sequence");
    int32_t *values = items ? PyMem_Calloc((size_t)self->plan.free.zone.rows + 1, sizeof *values) : NULL;
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

static PyObject *point_of(const FreeZone *zone, const int32_t *values)
{
    PyObject *point = PyTuple_New(zone->slots);
    for (int slot = 0; point && slot < zone->slots; slot++) {
        PyObject *number = PyLong_FromLong((long)values[zone->which[slot]] + zone->offset[slot]);
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
    PyObject *point = values ? point_of(&self->plan.free, values) : NULL;
    PyMem_Free(values);
    return point;
}

static Stream *stream_from(Digits *self, PyObject *digits, unsigned long long wanted)
{
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
    stream->shape = NULL;
    stream->positions = NULL;
    return stream;
}

static PyObject *digits_stream(Digits *self, PyObject *args)
{
    PyObject *digits;
    unsigned long long wanted;
    if (!PyArg_ParseTuple(args, "OK", &digits, &wanted))
        return NULL;
    return (PyObject *)stream_from(self, digits, wanted);
}

/* Reads where the open values of a shape stand; false with an exception set if they are not there. */
static bool read_positions(Stream *stream, PyObject *shape, PyObject *positions)
{
    int slots = stream->digits->plan.free.slots;
    Py_ssize_t before = -1, size = PyBytes_GET_SIZE(shape);
    if (!(stream->positions = PyMem_Calloc((size_t)slots + 1, sizeof *stream->positions)))
        return false;
    for (int at = 0; at < slots || at < PyTuple_GET_SIZE(positions); at++) {
        Py_ssize_t position = at < PyTuple_GET_SIZE(positions) ? PyLong_AsSsize_t(PyTuple_GET_ITEM(positions, at)) : -1;
        if (PyErr_Occurred())
            return false;
        if (at >= slots || position <= before || position >= size) {
            PyErr_SetString(PyExc_ValueError, "a position for every slot, in order, within the shape");
            return false;
        }
        before = stream->positions[at] = position;
    }
    stream->positions[slots] = size;
    stream->shape = Py_NewRef(shape);
    return true;
}

static PyObject *digits_states(Digits *self, PyObject *args)
{
    PyObject *digits, *shape, *positions;
    unsigned long long wanted;
    if (!PyArg_ParseTuple(args, "OKSO!", &digits, &wanted, &shape, &PyTuple_Type, &positions))
        return NULL;
    Stream *stream = stream_from(self, digits, wanted);
    if (stream && !read_positions(stream, shape, positions)) {
        Py_DECREF(stream);
        return NULL;
    }
    return (PyObject *)stream;
}

/* ---- a stream ----------------------------------------------------------------------------------- */

#define SMALL_INT 0x30 /* as in canonical.py */
#define INT64 0x05

static inline bool is_small(long value)
{
    return value >= -16 && value <= 79;
}

/* Returns the canonical bytes of the shape with the values put in. */
static PyObject *state_of(const Stream *self)
{
    const FreeZone *zone = &self->digits->plan.free;
    Py_ssize_t size = PyBytes_GET_SIZE(self->shape), done = 0;
    for (int slot = 0; slot < zone->slots; slot++)
        if (!is_small((long)self->values[zone->which[slot]] + zone->offset[slot]))
            size += 8;
    PyObject *state = PyBytes_FromStringAndSize(NULL, size);
    if (!state)
        return NULL;
    uint8_t *to = (uint8_t *)PyBytes_AS_STRING(state);
    const uint8_t *from = (const uint8_t *)PyBytes_AS_STRING(self->shape);
    for (int slot = 0; slot <= zone->slots; slot++) {
        Py_ssize_t plain = self->positions[slot] - done;
        memcpy(to, from + done, (size_t)plain);
        to += plain;
        done += plain + 1;
        if (slot == zone->slots)
            break;
        long value = (long)self->values[zone->which[slot]] + zone->offset[slot];
        if (is_small(value)) {
            *to++ = (uint8_t)(SMALL_INT + value);
            continue;
        }
        *to++ = INT64;
        for (int byte = 0; byte < 8; byte++)
            *to++ = (uint8_t)((uint64_t)(int64_t)value >> (8 * byte));
    }
    return state;
}

static PyObject *stream_next(Stream *self)
{
    if (!self->wanted || (self->begun && !plan_advance(&self->digits->plan, self->values)))
        return NULL;
    self->begun = true;
    self->wanted--;
    return self->shape ? state_of(self) : point_of(&self->digits->plan.free, self->values);
}

static void stream_dealloc(Stream *self)
{
    Py_XDECREF(self->shape);
    PyMem_Free(self->positions);
    PyMem_Free(self->values);
    Py_DECREF(self->digits);
    PyObject_Free(self);
}

/* ---- counting ----------------------------------------------------------------------------------- */

/* Adds the product of the radices to the total; false if it does not fit. */
static bool add_product(uint64_t *total, const PlanData *plan)
{
    uint64_t product = 1;
    for (int at = 0; at < plan->radices_used; at++)
        if (__builtin_mul_overflow(product, plan->radices[at], &product))
            return false;
    return !__builtin_add_overflow(*total, product, total);
}

static PyObject *count_points(PyObject *Py_UNUSED(module), PyObject *zones)
{
    Arena arena = {0};
    WideZone *parts;
    int used;
    uint64_t total = 0;
    Answer answer = parts_of(&arena, zones, &parts, &used);
    for (int at = 0; answer == DONE && at < used; at++) {
        PlanData plan = {0};
        bool empty = false;
        answer = plan_of(&plan, &arena, &parts[at], &empty);
        if (answer == DONE && !empty && !add_product(&total, &plan))
            answer = ASK_TWIN;
        plan_clear(&plan);
    }
    arena_clear(&arena);
    if (answer == ASK_TWIN || answer == OUTSIDE)
        Py_RETURN_NONE;
    return answer == DONE ? PyLong_FromUnsignedLongLong(total) : NULL;
}

/* ---- the module ----------------------------------------------------------------------------------- */

static PyMethodDef digits_methods[] = {
    {"point", (PyCFunction)digits_point, METH_O, "Return the point of the digits."},
    {"stream", (PyCFunction)digits_stream, METH_VARARGS, "Return an iterator over so many points from the digits on."},
    {"states", (PyCFunction)digits_states, METH_VARARGS, "The same with the values put into the bytes of a shape."},
    {NULL},
};

static PyGetSetDef digits_properties[] = {
    {"radices", (getter)digits_radices, NULL, "How many choices each digit has.", NULL},
    {"summed", (getter)digits_summed, NULL, "Whether some slots depend on each other.", NULL},
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
    {"digits", make_digits, METH_O,
     "Return the points of zones as Digits, each once, None if the twin must count them, or False: too many parts."},
    {"count_points", count_points, METH_O, "Return how many points any of the zones has, or None if that is not known here."},
    {NULL},
};

int points_add(PyObject *module)
{
    if (PyType_Ready(&DigitsType) < 0 || PyType_Ready(&StreamType) < 0)
        return -1;
    if (PyModule_AddIntConstant(module, "MOST_WORK", MOST_WORK) < 0 ||
        PyModule_AddIntConstant(module, "MOST_PARTS", MOST_PARTS) < 0)
        return -1;
    return PyModule_AddFunctions(module, functions);
}
