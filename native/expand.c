/* The loop: make every call on one known state, and find out what each came to.
 *
 * The state is made once. After each call the graph is compared with what is remembered; only if it changed is it
 * walked, looked up, and put back in place. `expand` in unlike/heap/store.py is the same in Python, and does the work
 * where a graph holds something that only the Python walk knows.
 */
#include "native.h"

enum { UNCHANGED = -1, KNOWN = -2, RAISED = -3, FIRST_OUTSIDE = -5 };

typedef struct {
    Walker *walker;
    Store *store;
    int64_t parent;
    PyObject *captured; /* or None: the state itself says all */
    PyObject *found, *raised, *returned;
    PyObject *roots; /* as a list, once a callback needs it */
} Job;

/* ---- calls ------------------------------------------------------------------------------------ */

void walker_drop_calls(Walker *self)
{
    Prepared *old = self->prepared;
    size_t used = self->prepared_used;
    self->prepared = NULL; /* before anything is let go: that may run foreign code */
    self->prepared_used = 0;
    Py_CLEAR(self->calls);
    for (size_t at = 0; at < used; at++) {
        for (Py_ssize_t each = 0; each < old[at].count; each++)
            Py_XDECREF(old[at].arguments[each]);
        free(old[at].arguments);
        Py_XDECREF(old[at].target);
        Py_XDECREF(old[at].kwnames);
    }
    free(old);
}

/* Lays out the arguments of one call: positional ones, then those passed by name. */
bool prepared_fill(Prepared *prepared, PyObject *call)
{
    PyObject *args = PyObject_GetAttrString(call, "args");
    PyObject *kwargs = args ? PyObject_GetAttrString(call, "kwargs") : NULL;
    prepared->target = kwargs ? PyObject_GetAttrString(call, "target") : NULL;
    bool filled = prepared->target && PyTuple_Check(args) && PyTuple_Check(kwargs);
    Py_ssize_t positional = filled ? PyTuple_GET_SIZE(args) : 0, named = filled ? PyTuple_GET_SIZE(kwargs) : 0;
    prepared->arguments = calloc((size_t)(positional + named) + 1, sizeof *prepared->arguments);
    prepared->kwnames = named ? PyTuple_New(named) : NULL;
    if (!prepared->arguments || (named && !prepared->kwnames))
        filled = false;
    for (Py_ssize_t at = 0; filled && at < positional; at++)
        prepared->arguments[prepared->count++] = Py_NewRef(PyTuple_GET_ITEM(args, at));
    for (Py_ssize_t at = 0; filled && at < named; at++) {
        PyObject *name, *value;
        filled = PyArg_ParseTuple(PyTuple_GET_ITEM(kwargs, at), "UO", &name, &value);
        if (filled) {
            PyTuple_SET_ITEM(prepared->kwnames, at, Py_NewRef(name));
            prepared->arguments[prepared->count++] = Py_NewRef(value);
        }
    }
    prepared->is_method = filled && PyUnicode_Check(prepared->target);
    Py_XDECREF(args);
    Py_XDECREF(kwargs);
    if (!filled && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "a call has a target, a tuple of arguments and a tuple of (name, value)");
    return filled;
}

/* The same calls are made on many states: they are laid out once. */
static bool prepare(Walker *self, PyObject *calls)
{
    if (self->calls == calls)
        return true;
    walker_drop_calls(self);
    Py_ssize_t count = PyTuple_GET_SIZE(calls);
    self->prepared = calloc((size_t)count + 1, sizeof *self->prepared);
    if (!self->prepared) {
        PyErr_NoMemory();
        return false;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        self->prepared_used++;
        if (!prepared_fill(&self->prepared[at], PyTuple_GET_ITEM(calls, at)))
            return false;
    }
    self->calls = Py_NewRef(calls);
    return true;
}

PyObject *prepared_run(const Prepared *prepared, PyObject *const *roots, size_t count)
{
    PyObject *few[24], **stack = few;
    size_t total = count + (size_t)prepared->count;
    size_t named = prepared->kwnames ? (size_t)PyTuple_GET_SIZE(prepared->kwnames) : 0;
    if (total + 1 > sizeof few / sizeof *few && !(stack = malloc((total + 1) * sizeof *stack)))
        return PyErr_NoMemory();
    for (size_t at = 0; at < count; at++)
        stack[1 + at] = roots[at];
    for (Py_ssize_t at = 0; at < prepared->count; at++)
        stack[1 + count + (size_t)at] = prepared->arguments[at];
    size_t flags = (total - named) | PY_VECTORCALL_ARGUMENTS_OFFSET;
    PyObject *result = prepared->is_method
                           ? PyObject_VectorcallMethod(prepared->target, stack + 1, flags, prepared->kwnames)
                           : PyObject_Vectorcall(prepared->target, stack + 1, flags, prepared->kwnames);
    guard_put_back();
    if (stack != few)
        free(stack);
    return result;
}

/* ---- the state to start from ------------------------------------------------------------------ */

static Answer take_rebuilt(Job *job, PyObject *captured)
{
    Walker *walker = job->walker;
    PyObject *made = PyObject_CallMethod(walker->twin, "rebuild", "(O)", captured);
    if (!made)
        return FAILED;
    Memory *memory = &walker->memory;
    Py_ssize_t count = PyList_GET_SIZE(made);
    Answer answer = memory_take(memory, &walker->walk, walker->whole, ((PyListObject *)made)->ob_item, count);
    if (answer == DONE && !GROW(memory->roots, memory->roots_capacity, count + 1))
        answer = FAILED;
    for (Py_ssize_t at = 0; answer == DONE && at < count; at++)
        memory->roots[memory->roots_used++] = Py_NewRef(PyList_GET_ITEM(made, at));
    Py_DECREF(made);
    return answer;
}

/* Makes the parent's graph and remembers it. */
static Answer obtain(Job *job)
{
    Walker *walker = job->walker;
    const uint8_t *state;
    size_t size;
    if (job->captured == Py_None) {
        if (!store_view(job->store, job->parent, &state, &size))
            return FAILED;
    } else {
        state = (const uint8_t *)PyBytes_AS_STRING(job->captured);
        size = (size_t)PyBytes_GET_SIZE(job->captured);
    }
    PyObject *copied = PyBytes_FromStringAndSize((const char *)state, (Py_ssize_t)size); /* the arena may move */
    if (!copied)
        return FAILED;
    Answer answer = memory_rebuild(&walker->memory, walker->whole, (const uint8_t *)PyBytes_AS_STRING(copied), size);
    if (answer == ASK_TWIN)
        answer = take_rebuilt(job, copied);
    Py_DECREF(copied);
    return answer;
}

/* Walks the graph; the state is then in the walker's walk. */
static Answer walk_roots(Job *job)
{
    Memory *memory = &job->walker->memory;
    return walk_run(&job->walker->walk, job->walker->keys, memory->roots, (Py_ssize_t)memory->roots_used, true);
}

/* Tells whether what was made from the bytes is in the state that the bytes stand for. */
static Answer is_faithful(Job *job)
{
    const uint8_t *state;
    size_t size;
    Answer answer = walk_roots(job);
    if (answer != DONE)
        return answer;
    if (!store_view(job->store, job->parent, &state, &size))
        return FAILED;
    Walk *walk = &job->walker->walk;
    return walk->state_size == size && memcmp(walk->state, state, size) == 0 ? DONE : OUTSIDE;
}

/* ---- judging a call --------------------------------------------------------------------------- */

static PyObject *roots_of(Job *job)
{
    Memory *memory = &job->walker->memory;
    if (!job->roots && (job->roots = PyList_New((Py_ssize_t)memory->roots_used)))
        for (size_t at = 0; at < memory->roots_used; at++)
            PyList_SET_ITEM(job->roots, (Py_ssize_t)at, Py_NewRef(memory->roots[at]));
    return job->roots;
}

PyObject *raised_exception(void)
{
#if PY_VERSION_HEX >= 0x030c0000
    return PyErr_GetRaisedException();
#else
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace)
        PyException_SetTraceback(error, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return error;
#endif
}

/* Reports an exception of the code under test; -1 with another exception. */
static int judge_failure(Job *job, size_t call, PyObject *error, int changed)
{
    PyObject *roots = job->raised != Py_None ? roots_of(job) : NULL, *seen = NULL;
    if (roots)
        seen = PyObject_CallFunction(job->raised, "nOOO", (Py_ssize_t)call, error, changed ? Py_True : Py_False, roots);
    int failed = job->raised != Py_None && !seen;
    Py_XDECREF(seen);
    return failed ? -1 : 0;
}

/* Returns the number of an outside code: the reasons are kept in a list of the twin, each once. */
static bool outside_code(Job *job, PyObject *reason, long long *code)
{
    PyObject *number = PyObject_CallMethod(job->walker->twin, "reason_number", "(O)", reason);
    if (!number)
        return false;
    *code = FIRST_OUTSIDE - PyLong_AsLongLong(number);
    Py_DECREF(number);
    return !PyErr_Occurred();
}

static bool outside_here(Job *job, long long *code)
{
    Walker *walker = job->walker;
    TooMuch *much = &walker->walk.too_much, *last = &walker->last_reason;
    if (walker->has_last_reason && much->layout == last->layout && much->elements == last->elements &&
        much->count == last->count && much->most == last->most) {
        *code = walker->last_code;
        return true;
    }
    *last = *much;
    PyObject *reason = too_much_reason(much);
    bool coded = reason && outside_code(job, reason, code);
    Py_XDECREF(reason);
    walker->has_last_reason = coded;
    walker->last_code = coded ? *code : 0;
    return coded;
}

/* Looks up a state; where it is new it is added, or given to `found`, which adds it and returns its number. */
static bool look_up(Job *job, size_t call, const uint8_t *state, size_t size, long long *code)
{
    if (job->found == Py_None) {
        int64_t number = store_add(job->store, state, size, job->parent, (int64_t)call);
        *code = number == -1 ? KNOWN : number;
        return number != -2;
    }
    if (store_knows(job->store, state, size)) {
        *code = KNOWN;
        return true;
    }
    PyObject *roots = roots_of(job), *number = NULL;
    if (roots)
        number = PyObject_CallFunction(job->found, "ny#O", (Py_ssize_t)call, state, (Py_ssize_t)size, roots);
    if (!number)
        return false;
    *code = PyLong_AsLongLong(number);
    Py_DECREF(number);
    return !PyErr_Occurred();
}

/* Lets the Python walk say what state the graph is in. */
static bool look_up_by_twin(Job *job, size_t call, long long *code)
{
    PyObject *roots = roots_of(job);
    PyObject *walk = roots ? PyObject_GetAttrString(job->walker->twin, "walk") : NULL;
    PyObject *tuple = walk ? PyList_AsTuple(roots) : NULL;
    PyObject *state = tuple ? PyObject_CallObject(walk, tuple) : NULL, *reason = NULL;
    bool judged = false;
    if (state && PyBytes_Check(state))
        judged = look_up(job, call, (const uint8_t *)PyBytes_AS_STRING(state), (size_t)PyBytes_GET_SIZE(state), code);
    else if (state && (reason = PyObject_GetAttrString(state, "reason")))
        judged = outside_code(job, reason, code);
    Py_XDECREF(walk);
    Py_XDECREF(tuple);
    Py_XDECREF(state);
    Py_XDECREF(reason);
    return judged;
}

static bool judge_change(Job *job, size_t call, long long *code)
{
    Walk *walk = &job->walker->walk;
    switch (walk_roots(job)) {
    case DONE:
        return look_up(job, call, walk->state, walk->state_size, code);
    case OUTSIDE:
        return outside_here(job, code);
    case ASK_TWIN:
        return look_up_by_twin(job, call, code);
    default:
        return clear_opaque() && look_up_by_twin(job, call, code);
    }
}

static inline bool is_plain(PyObject *result)
{
    PyTypeObject *cls = Py_TYPE(result);
    return result == Py_None || cls == &PyBool_Type || cls == &PyLong_Type || cls == &PyFloat_Type ||
           cls == &PyUnicode_Type || cls == &PyBytes_Type;
}

/* A result may be an object of interest, and may share parts with the graph: it is shown before these are put back. */
static int judge_result(Job *job, size_t call, PyObject *result)
{
    if (job->returned == Py_None || is_plain(result))
        return 0;
    PyObject *roots = roots_of(job);
    PyObject *seen = roots ? PyObject_CallFunction(job->returned, "nOO", (Py_ssize_t)call, result, roots) : NULL;
    Py_XDECREF(seen);
    return seen ? 1 : -1;
}

/* ---- the loop --------------------------------------------------------------------------------- */

/* Puts the graph back, or makes it again where that is not possible. */
static bool put_back_or_remake(Job *job)
{
    int restored = memory_restore(&job->walker->memory);
    if (restored > 0)
        return true;
    if (restored < 0 && !PyErr_ExceptionMatches(PyExc_Exception))
        return false;
    PyErr_Clear(); /* a `__hash__` of the user's refused */
    Py_CLEAR(job->roots);
    memory_forget(&job->walker->memory);
    Answer answer = obtain(job);
    if (answer == ASK_TWIN)
        PyErr_SetString(PyExc_RuntimeError, "a graph that was remembered cannot be remembered again");
    return answer == DONE;
}

/* Makes one call and judges it; false with an exception that is not the code's own. */
static bool attempt(Job *job, size_t call, long long *code)
{
    Memory *memory = &job->walker->memory;
    PyObject *result = prepared_run(&job->walker->prepared[call], memory->roots, memory->roots_used);
    if (!result && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        return false;
    PyObject *error = result ? NULL : raised_exception();
    int changed = memory_changed(memory);
    bool judged = changed >= 0, shown = false;
    if (judged && error) {
        *code = RAISED;
        judged = judge_failure(job, call, error, changed) == 0;
        shown = job->raised != Py_None;
    } else if (judged) {
        *code = UNCHANGED;
        judged = !changed || judge_change(job, call, code);
        int told = judged ? judge_result(job, call, result) : -1;
        judged = told >= 0;
        shown = told > 0 || (*code >= 0 && job->found != Py_None);
    }
    Py_XDECREF(error);
    Py_XDECREF(result);
    if (!judged)
        return false;
    if (shown) /* somebody had the graph in hands */
        changed = memory_changed(memory);
    return changed < 0 ? false : !changed || put_back_or_remake(job);
}

static PyObject *attempt_all(Job *job)
{
    size_t count = job->walker->prepared_used;
    PyObject *codes = PyList_New((Py_ssize_t)count);
    for (size_t call = 0; codes && call < count; call++) {
        long long code = UNCHANGED;
        PyObject *number = attempt(job, call, &code) ? PyLong_FromLongLong(code) : NULL;
        if (!number)
            Py_CLEAR(codes);
        else
            PyList_SET_ITEM(codes, (Py_ssize_t)call, number);
    }
    return codes;
}

static PyObject *expand_by_twin(Walker *self, PyObject *args, PyObject *kwargs)
{
    PyObject *module = PyImport_ImportModule("unlike.heap.store");
    PyObject *expand = module ? PyObject_GetAttrString(module, "expand") : NULL;
    PyObject *walker = expand ? PyTuple_Pack(1, self) : NULL;
    PyObject *all = walker ? PySequence_Concat(walker, args) : NULL;
    PyObject *codes = all ? PyObject_Call(expand, all, kwargs) : NULL;
    Py_XDECREF(module);
    Py_XDECREF(expand);
    Py_XDECREF(walker);
    Py_XDECREF(all);
    return codes;
}

/* Makes the graph and tries every call on it. NULL without an exception: the Python loop is to do it. */
static PyObject *expand_here(Job *job)
{
    Answer answer = obtain(job);
    if (answer == DONE)
        answer = is_faithful(job);
    if (answer == DONE)
        return attempt_all(job);
    if (answer == OUTSIDE || (answer == FAILED && PyErr_ExceptionMatches(PyExc_Exception))) {
        PyErr_Clear();
        return Py_NewRef(Py_None); /* the bytes do not say all: the state must be made by its calls */
    }
    return NULL;
}

PyObject *walker_expand(Walker *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"states", "parent", "captured", "calls", "found", "raised", "returned", NULL};
    PyObject *states, *calls;
    Job job = {.walker = self, .found = Py_None, .raised = Py_None, .returned = Py_None};
    long long parent;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OLOO!|$OOO", names, &states, &parent, &job.captured, &PyTuple_Type,
                                     &calls, &job.found, &job.raised, &job.returned))
        return NULL;
    if (PyErr_CheckSignals() < 0)
        return NULL;
    if (self->expanding || Py_TYPE(states) != &StoreType || (job.captured != Py_None && !PyBytes_Check(job.captured)))
        return expand_by_twin(self, args, kwargs);
    if (!prepare(self, calls))
        return NULL;
    job.store = (Store *)states;
    job.parent = parent;
    self->expanding = true;
    PyObject *codes = expand_here(&job);
    Py_CLEAR(job.roots);
    self->expanding = false;
    if (codes && codes != Py_None)
        memory_dissolve(&self->memory);
    else
        memory_forget(&self->memory);
    return !codes && !PyErr_Occurred() ? expand_by_twin(self, args, kwargs) : codes;
}
