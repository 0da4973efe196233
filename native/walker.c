/* The types Walker and Snapshot: what is known here is done here, the rest by the Python twin. */
#include "open.h"
#include "points.h"

#include <structmember.h> /* T_OBJECT_EX, before 3.12 */

PyObject *ABSENT_OBJECT, *OUTSIDE_CLASS, *OPAQUE_CLASS, *EMPTY_TUPLE;

/* ---- Walker ----------------------------------------------------------------------------------- */

/* Calls a method of the twin with the same arguments. */
static PyObject *asked(Walker *self, const char *name, PyObject *const *arguments, Py_ssize_t count)
{
    if (!self->twin) { /* being collected */
        PyErr_SetString(PyExc_RuntimeError, "the walker is gone");
        return NULL;
    }
    PyObject *method = PyObject_GetAttrString(self->twin, name);
    PyObject *answer = method ? PyObject_Vectorcall(method, arguments, (size_t)count, NULL) : NULL;
    Py_XDECREF(method);
    return answer;
}

/* An object whose state cannot be seen: the Python walk says why. */
bool clear_opaque(void)
{
    bool is_opaque = PyErr_ExceptionMatches(OPAQUE_CLASS);
    if (is_opaque)
        PyErr_Clear();
    return is_opaque;
}

static PyObject *Walker_walk(Walker *self, PyObject *const *roots, Py_ssize_t count)
{
    switch (walk_run(&self->walk, self->keys, roots, count, true)) {
    case DONE:
        return PyBytes_FromStringAndSize((const char *)self->walk.state, (Py_ssize_t)self->walk.state_size);
    case OUTSIDE: {
        PyObject *reason = too_much_reason(&self->walk.too_much);
        PyObject *outside = reason ? PyObject_CallOneArg(OUTSIDE_CLASS, reason) : NULL;
        Py_XDECREF(reason);
        return outside;
    }
    case ASK_TWIN:
        return asked(self, "walk", roots, count);
    default:
        return clear_opaque() ? asked(self, "walk", roots, count) : NULL;
    }
}

static PyObject *Walker_capture(Walker *self, PyObject *const *roots, Py_ssize_t count)
{
    switch (walk_run(&self->walk, self->whole, roots, count, false)) {
    case DONE:
        return PyBytes_FromStringAndSize((const char *)self->walk.state, (Py_ssize_t)self->walk.state_size);
    case FAILED:
        return NULL;
    default:
        return asked(self, "capture", roots, count);
    }
}

static PyObject *Walker_rebuild(Walker *self, PyObject *captured)
{
    Memory memory = {0};
    if (!PyBytes_Check(captured)) {
        PyErr_Format(PyExc_TypeError, "a captured state is bytes, not %s", Py_TYPE(captured)->tp_name);
        return NULL;
    }
    const uint8_t *state = (const uint8_t *)PyBytes_AS_STRING(captured);
    Answer answer = memory_rebuild(&memory, self->whole, state, (size_t)PyBytes_GET_SIZE(captured));
    PyObject *roots = NULL;
    if (answer == DONE && (roots = PyList_New((Py_ssize_t)memory.roots_used)))
        for (size_t at = 0; at < memory.roots_used; at++)
            PyList_SET_ITEM(roots, (Py_ssize_t)at, Py_NewRef(memory.roots[at]));
    memory_clear(&memory);
    return answer == ASK_TWIN ? asked(self, "rebuild", &captured, 1) : roots;
}

static PyObject *Walker_heap(Walker *self, PyObject *captured)
{
    return asked(self, "heap", &captured, 1);
}

static PyObject *Walker_reason(Walker *self, PyObject *code)
{
    return asked(self, "reason", &code, 1);
}

static PyObject *Walker_reason_number(Walker *self, PyObject *reason)
{
    return asked(self, "reason_number", &reason, 1);
}

static PyObject *Walker_is_exact(Walker *self, PyObject *captured)
{
    return asked(self, "is_exact", &captured, 1);
}

static PyObject *Walker_made_of(Walker *self, PyObject *heap)
{
    return asked(self, "made_of", &heap, 1);
}

/* ---- Snapshot --------------------------------------------------------------------------------- */

typedef struct {
    PyObject_HEAD
    Walker *walker; /* its tables hold the layouts */
    Memory memory;
    bool busy;
} Snapshot;

static PyObject *Walker_snapshot(Walker *self, PyObject *const *roots, Py_ssize_t count)
{
    Snapshot *snapshot = PyObject_GC_New(Snapshot, &SnapshotType);
    if (!snapshot)
        return NULL;
    memset(&snapshot->memory, 0, sizeof snapshot->memory);
    snapshot->busy = false;
    snapshot->walker = (Walker *)Py_NewRef(self);
    Answer answer = memory_take(&snapshot->memory, &self->walk, self->whole, roots, count);
    PyObject_GC_Track(snapshot);
    if (answer == DONE)
        return (PyObject *)snapshot;
    Py_DECREF(snapshot);
    return answer == FAILED ? NULL : asked(self, "snapshot", roots, count);
}

static PyObject *truth(Snapshot *self, int (*question)(Memory *))
{
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "the snapshot is in use");
        return NULL;
    }
    self->busy = true;
    int answer = question(&self->memory);
    self->busy = false;
    return answer < 0 ? NULL : PyBool_FromLong(answer);
}

static PyObject *Snapshot_changed(Snapshot *self, PyObject *Py_UNUSED(ignored))
{
    return truth(self, memory_changed);
}

static PyObject *Snapshot_restore(Snapshot *self, PyObject *Py_UNUSED(ignored))
{
    return truth(self, memory_restore);
}

static int Snapshot_traverse(Snapshot *self, visitproc visit, void *arg)
{
    Py_VISIT(self->walker);
    return memory_traverse(&self->memory, visit, arg);
}

static int Snapshot_clear(Snapshot *self)
{
    memory_forget(&self->memory);
    return 0;
}

static void Snapshot_dealloc(Snapshot *self)
{
    PyObject_GC_UnTrack(self);
    memory_clear(&self->memory);
    Py_CLEAR(self->walker);
    PyObject_GC_Del(self);
}

static PyMethodDef Snapshot_methods[] = {
    {"changed", (PyCFunction)Snapshot_changed, METH_NOARGS,
     "Tell whether any object of the graph holds something else than when the snapshot was taken."},
    {"restore", (PyCFunction)Snapshot_restore, METH_NOARGS, "Put back in place what was touched."},
    {NULL, NULL, 0, NULL},
};

PyTypeObject SnapshotType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Snapshot",
    .tp_doc = "What every object that the roots reach held when the snapshot was taken.",
    .tp_basicsize = sizeof(Snapshot),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_DISALLOW_INSTANTIATION,
    .tp_traverse = (traverseproc)Snapshot_traverse,
    .tp_clear = (inquiry)Snapshot_clear,
    .tp_dealloc = (destructor)Snapshot_dealloc,
    .tp_methods = Snapshot_methods,
};

/* ---- the type --------------------------------------------------------------------------------- */

static int find_tables(Walker *self)
{
    PyObject *keys = PyObject_GetAttrString(self->twin, "_keys");
    PyObject *whole = keys ? PyObject_GetAttrString(self->twin, "_whole") : NULL;
    int found = whole ? table_init(&self->tables[0], keys) : -1;
    self->keys = self->whole = &self->tables[0];
    if (found == 0 && keys != whole) {
        self->whole = &self->tables[1];
        found = table_init(self->whole, whole);
    }
    Py_XDECREF(keys);
    Py_XDECREF(whole);
    return found;
}

static PyObject *Walker_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"twin", NULL};
    PyObject *twin;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O:Walker", names, &twin))
        return NULL;
    Walker *self = (Walker *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->twin = Py_NewRef(twin);
    if (walk_init(&self->walk) < 0 || find_tables(self) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int Walker_traverse(Walker *self, visitproc visit, void *arg)
{
    Py_VISIT(self->twin);
    Py_VISIT(self->calls);
    for (size_t at = 0; at < self->prepared_used; at++) {
        Py_VISIT(self->prepared[at].target);
        Py_VISIT(self->prepared[at].kwnames);
        for (Py_ssize_t each = 0; each < self->prepared[at].count; each++)
            Py_VISIT(self->prepared[at].arguments[each]);
    }
    for (int at = 0; at < 2; at++)
        if (self->tables[at].layouts && table_traverse(&self->tables[at], visit, arg))
            return 1;
    return memory_traverse(&self->memory, visit, arg);
}

static int Walker_clear(Walker *self)
{
    memory_forget(&self->memory);
    walker_drop_calls(self);
    Py_CLEAR(self->twin); /* the tables are its own: without it nobody can walk any more */
    return 0;
}

static void Walker_dealloc(Walker *self)
{
    PyObject_GC_UnTrack(self);
    Walker_clear(self);
    memory_clear(&self->memory);
    walk_clear(&self->walk);
    for (int at = 0; at < 2; at++)
        table_clear(&self->tables[at]);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef Walker_methods[] = {
    {"walk", (PyCFunction)(void (*)(void))Walker_walk, METH_FASTCALL,
     "Return the bytes that tell this state from others, or why the graph is outside the limits."},
    {"capture", (PyCFunction)(void (*)(void))Walker_capture, METH_FASTCALL,
     "Return bytes that hold every part of the graph."},
    {"rebuild", (PyCFunction)Walker_rebuild, METH_O, "Return fresh roots in the captured state."},
    {"snapshot", (PyCFunction)(void (*)(void))Walker_snapshot, METH_FASTCALL, "Remember what every object holds now."},
    {"heap", (PyCFunction)Walker_heap, METH_O, "Return a captured state as plain data."},
    {"made_of", (PyCFunction)Walker_made_of, METH_O, "Return fresh roots in the state of plain data from another walker."},
    {"reason", (PyCFunction)Walker_reason, METH_O, "Return why a call led outside, given the code of its outcome."},
    {"reason_number", (PyCFunction)Walker_reason_number, METH_O, "Return the number of a reason."},
    {"is_exact", (PyCFunction)Walker_is_exact, METH_O,
     "Tell whether making the graph again from its bytes certainly gives the same graph."},
    {"expand", (PyCFunction)(void (*)(void))walker_expand, METH_VARARGS | METH_KEYWORDS,
     "Make the calls on a known state, each from that state, and return what each came to."},
    {NULL, NULL, 0, NULL},
};

static PyMemberDef Walker_members[] = {
    {"twin", T_OBJECT_EX, offsetof(Walker, twin), READONLY, "The Python walker whose tables these are."},
    {NULL, 0, 0, 0, NULL},
};

PyTypeObject WalkerType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Walker",
    .tp_doc = "The compiled walker; it does what it can on the tables of its Python twin, and asks the twin for the rest.",
    .tp_basicsize = sizeof(Walker),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = Walker_new,
    .tp_traverse = (traverseproc)Walker_traverse,
    .tp_clear = (inquiry)Walker_clear,
    .tp_dealloc = (destructor)Walker_dealloc,
    .tp_methods = Walker_methods,
    .tp_members = Walker_members,
};

/* ---- the module ------------------------------------------------------------------------------- */

static PyObject *imported(const char *module, const char *name)
{
    PyObject *found = PyImport_ImportModule(module);
    PyObject *member = found ? PyObject_GetAttrString(found, name) : NULL;
    Py_XDECREF(found);
    return member;
}


int token_init(void);
int covering_add(PyObject *module);
PyObject *native_set_answerer(PyObject *module, PyObject *answers);

/* The exceptions that Python defines and compiled runs raise. */
static PyObject *native_know(PyObject *module, PyObject *args)
{
    PyObject *unsteady, *too_many, *cannot;
    (void)module;
    if (!PyArg_ParseTuple(args, "OOO", &unsteady, &too_many, &cannot))
        return NULL;
    Py_XSETREF(UNSTEADY_CLASS, Py_NewRef(unsteady));
    Py_XSETREF(TOO_MANY_CLASS, Py_NewRef(too_many));
    Py_XSETREF(CANNOT_CLASS, Py_NewRef(cannot));
    Py_RETURN_NONE;
}

static PyMethodDef functions[] = {
    {"set_answerer", native_set_answerer, METH_O, "Let tokens ask this object from now on, and return whom they asked before."},
    {"remember_names", guard_remember, METH_O, "Remember what these dicts hold: (names, before, grows)."},
    {"put_names_back", guard_restore, METH_NOARGS, "Let them hold it again; return how often that was needed so far."},
    {"know", native_know, METH_VARARGS, "Take the exceptions that compiled runs raise."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "unlike._native",
    .m_doc = "The compiled twins of the walk in unlike.heap, of the counting and paths in unlike.zones, of probes in unlike.observe.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__native(void)
{
    if (!(EMPTY_TUPLE = PyTuple_New(0)) || !(ABSENT_OBJECT = imported("unlike.heap.fields", "ABSENT")) ||
        !(OUTSIDE_CLASS = imported("unlike.scope", "Outside")) || !(OPAQUE_CLASS = imported("unlike.heap.layout", "OpaqueError")))
        return NULL;
    if (PyType_Ready(&WalkerType) < 0 || PyType_Ready(&SnapshotType) < 0 || PyType_Ready(&StoreType) < 0 ||
        PyType_Ready(&AtlasType) < 0 || token_init() < 0)
        return NULL;
    PyObject *module = PyModule_Create(&definition);
    if (!module)
        return NULL;
#ifdef UNLIKE_INLINE_VALUES
    int inline_values = 1;
#else
    int inline_values = 0;
#endif
    if (PyModule_AddObjectRef(module, "Walker", (PyObject *)&WalkerType) < 0 ||
        PyModule_AddObjectRef(module, "Store", (PyObject *)&StoreType) < 0 ||
        PyModule_AddObjectRef(module, "Atlas", (PyObject *)&AtlasType) < 0 ||
        PyModule_AddObjectRef(module, "Token", (PyObject *)&TokenType) < 0 ||
        PyModule_AddIntConstant(module, "INLINE_VALUES", inline_values) < 0 || points_add(module) < 0 ||
        observe_add(module) < 0 || covering_add(module) < 0) {
        Py_DECREF(module);
        return NULL;
    }
    return module;
}
