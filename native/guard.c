/* Names that code under test shares with us (builtins, and the modules that make its calls): as they were, after each call.
 *
 * `unlike/shared_names.py` says which they are and has the twin in Python, which looks at fewer of them after a call and
 * at all of them after some. Here every dict tells by itself that it was changed: by its version, and from Python 3.12 on
 * by a watcher.
 */
#include "native.h"

typedef struct {
    PyObject *names, *before;
    uint64_t version;
    bool grows; /* what is new may stay: modules that were imported */
    bool theirs; /* a module under test: it may do what it likes, but is put back when most of it is gone */
} Shared;

static Shared *shared;
static Py_ssize_t shared_used;
static bool hooks_before; /* a trace or profile function was there already */
static long put_back_count;

#if PY_VERSION_HEX >= 0x030C0000
static int watcher = -1;
static uint64_t changes;

static int note_change(PyDict_WatchEvent event, PyObject *names, PyObject *key, PyObject *value)
{
    (void)event, (void)key, (void)value;
    for (Py_ssize_t at = 0; at < shared_used; at++)
        if (shared[at].names == names)
            shared[at].version++;
    changes++;
    return 0;
}

static bool watch(Shared *each)
{
    if (watcher < 0 && (watcher = PyDict_AddWatcher(note_change)) < 0)
        return false;
    each->version = 0;
    return PyDict_Watch(watcher, each->names) == 0;
}

static void unwatch(Shared *each)
{
    if (watcher >= 0 && PyDict_Unwatch(watcher, each->names) < 0)
        PyErr_Clear();
}

static inline bool was_changed(const Shared *each)
{
    return each->version != 0;
}

static inline void is_as_before(Shared *each)
{
    each->version = 0;
}

static inline bool any_was_changed(void)
{
    return changes != 0;
}

static inline void none_was_changed(void)
{
    changes = 0;
}
#else
static bool watch(Shared *each)
{
    each->version = ((PyDictObject *)each->names)->ma_version_tag;
    return true;
}

static void unwatch(Shared *each)
{
    (void)each;
}

static inline bool was_changed(const Shared *each)
{
    return each->version != ((PyDictObject *)each->names)->ma_version_tag;
}

static inline void is_as_before(Shared *each)
{
    each->version = ((PyDictObject *)each->names)->ma_version_tag;
}

static inline bool any_was_changed(void)
{
    for (Py_ssize_t at = 0; at < shared_used; at++)
        if (was_changed(&shared[at]))
            return true;
    return false;
}

static inline void none_was_changed(void)
{
}
#endif

static void forget(void)
{
    Shared *old = shared;
    Py_ssize_t used = shared_used;
    shared = NULL; /* before anything is let go: that may run foreign code */
    shared_used = 0;
    for (Py_ssize_t at = 0; at < used; at++) {
        unwatch(&old[at]);
        Py_DECREF(old[at].names);
        Py_DECREF(old[at].before);
    }
    free(old);
}

static bool has_hooks(void)
{
    PyThreadState *state = PyThreadState_Get();
    return state->c_tracefunc || state->c_profilefunc;
}

/* Takes a sequence of (names, before, grows, theirs). */
PyObject *guard_remember(PyObject *module, PyObject *rows)
{
    (void)module;
    forget();
    PyObject *fast = PySequence_Fast(rows, "a sequence of (names, before, grows, theirs)");
    if (!fast)
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(fast);
    if (!(shared = calloc((size_t)count + 1, sizeof *shared))) {
        Py_DECREF(fast);
        return PyErr_NoMemory();
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        Shared *each = &shared[at];
        int grows, theirs;
        PyObject *names, *before;
        if (!PyArg_ParseTuple(PySequence_Fast_GET_ITEM(fast, at), "O!O!pp", &PyDict_Type, &names, &PyDict_Type, &before,
                              &grows, &theirs)) {
            Py_DECREF(fast);
            forget();
            return NULL;
        }
        each->names = Py_NewRef(names);
        each->before = Py_NewRef(before);
        each->grows = grows;
        each->theirs = theirs;
        shared_used = at + 1;
        if (!watch(each)) {
            Py_DECREF(fast);
            forget();
            return NULL;
        }
    }
    Py_DECREF(fast);
    none_was_changed();
    hooks_before = has_hooks();
    Py_RETURN_NONE;
}

/* Whether a dict still holds what it held, the very same objects; what is new does not count where it may grow. */
static bool holds_before(const Shared *each)
{
    PyObject *key, *value;
    Py_ssize_t at = 0;
    if (each->theirs)
        return PyDict_GET_SIZE(each->names) * 2 >= PyDict_GET_SIZE(each->before);
    if (!each->grows && PyDict_GET_SIZE(each->names) != PyDict_GET_SIZE(each->before))
        return false;
    while (PyDict_Next(each->before, &at, &key, &value))
        if (PyDict_GetItem(each->names, key) != value)
            return false;
    return true;
}

static bool put_back(Shared *each)
{
    bool done = true;
    if (holds_before(each)) {
        if (each->grows)
            done = PyDict_Update(each->before, each->names) == 0;
    } else {
        put_back_count++;
        if (!each->grows && !each->theirs)
            PyDict_Clear(each->names);
        done = each->theirs ? PyDict_Merge(each->names, each->before, 0) == 0
                            : PyDict_Update(each->names, each->before) == 0;
    }
    is_as_before(each);
    return done;
}

void guard_put_back(void)
{
    if (!shared_used)
        return;
    bool hooked = !hooks_before && has_hooks();
    if (!hooked && !any_was_changed())
        return;
    PyObject *type, *value, *traceback;
    PyErr_Fetch(&type, &value, &traceback);
    if (hooked) {
        PyEval_SetTrace(NULL, NULL);
        PyEval_SetProfile(NULL, NULL);
    }
    for (Py_ssize_t at = 0; at < shared_used; at++)
        if (was_changed(&shared[at]) && !put_back(&shared[at]))
            PyErr_Clear();
    none_was_changed();
    PyErr_Restore(type, value, traceback);
}

PyObject *guard_restore(PyObject *module, PyObject *nothing)
{
    (void)module, (void)nothing;
    guard_put_back();
    return PyLong_FromLong(put_back_count);
}
