/* The states known so far: exact bytes in one arena, numbered in order of arrival, each with where it came from.
 *
 * A hash of 32 bits finds a candidate, the bytes decide. Per state: its bytes, 8 for where they end, 8 for the origin,
 * and 8 in a hash table that is between 1/3 and 2/3 full.
 */
#include "native.h"

#define NOBODY UINT32_MAX /* no parent, no call */

typedef struct {
    uint32_t hash, number; /* the number is one more, so that 0 is a free place */
} StoreEntry;

struct Store {
    PyObject_HEAD
    uint8_t *arena;
    size_t arena_used, arena_capacity;
    uint64_t *ends;
    size_t ends_capacity;
    uint32_t *parents, *calls;
    size_t parents_capacity, calls_capacity;
    StoreEntry *entries;
    uint64_t mask;
    uint64_t count;
};

/* ---- finding ---------------------------------------------------------------------------------- */

static inline uint64_t mixed(uint64_t a, uint64_t b)
{
    uint64_t product = (a ^ UINT64_C(0xA0761D6478BD642F)) * (b ^ UINT64_C(0xE7037ED1A0B428DB));
    return product ^ (product >> 29) ^ (a << 17 | a >> 47);
}

static uint32_t hash_of(const uint8_t *bytes, size_t size)
{
    uint64_t hash = size * UINT64_C(0x9E3779B97F4A7C15), word;
    for (; size >= 8; bytes += 8, size -= 8) {
        memcpy(&word, bytes, 8);
        hash = mixed(hash + word, hash ^ word);
    }
    word = 0;
    memcpy(&word, bytes, size);
    hash = mixed(hash + word, hash ^ word);
    hash ^= hash >> 32;
    hash *= UINT64_C(0xD6E8FEB86659FD93);
    return (uint32_t)(hash >> 32);
}

static inline uint64_t start_of(const Store *store, uint64_t number)
{
    return number ? store->ends[number - 1] : 0;
}

/* Returns the place of the state in the hash table, or the free place where it belongs. */
static uint64_t place_of(const Store *store, const uint8_t *state, size_t size, uint32_t hash)
{
    uint64_t at = hash & store->mask;
    for (; store->entries[at].number; at = (at + 1) & store->mask) {
        if (store->entries[at].hash != hash)
            continue;
        uint64_t number = store->entries[at].number - 1, start = start_of(store, number);
        if (store->ends[number] - start == size && memcmp(store->arena + start, state, size) == 0)
            return at;
    }
    return at;
}

/* ---- adding ----------------------------------------------------------------------------------- */

static bool more_entries(Store *store)
{
    uint64_t mask = store->mask * 2 + 1;
    StoreEntry *entries = calloc(mask + 1, sizeof *entries);
    if (!entries) {
        PyErr_NoMemory();
        return false;
    }
    for (uint64_t at = 0; at <= store->mask; at++) {
        StoreEntry entry = store->entries[at];
        uint64_t to = entry.hash & mask;
        if (!entry.number)
            continue;
        while (entries[to].number)
            to = (to + 1) & mask;
        entries[to] = entry;
    }
    free(store->entries);
    store->entries = entries;
    store->mask = mask;
    return true;
}

static bool has_room(Store *store, size_t size)
{
    if (store->count >= NOBODY - 1) {
        PyErr_SetString(PyExc_OverflowError, "a store holds at most 4,294,967,294 states");
        return false;
    }
    return GROW(store->arena, store->arena_capacity, store->arena_used + size) &&
           GROW(store->ends, store->ends_capacity, store->count + 1) &&
           GROW(store->parents, store->parents_capacity, store->count + 1) &&
           GROW(store->calls, store->calls_capacity, store->count + 1) &&
           ((store->count + 1) * 3 <= (store->mask + 1) * 2 || more_entries(store));
}

int64_t store_add(Store *store, const uint8_t *state, size_t size, int64_t parent, int64_t call)
{
    uint32_t hash = hash_of(state, size);
    uint64_t at = place_of(store, state, size, hash);
    if (store->entries[at].number)
        return -1;
    if (parent < -1 || parent >= NOBODY || call < -1 || call >= NOBODY) {
        PyErr_SetString(PyExc_OverflowError, "parent and call must be below 2**32 - 1");
        return -2;
    }
    uint64_t mask = store->mask;
    if (!has_room(store, size))
        return -2;
    if (mask != store->mask)
        at = place_of(store, state, size, hash);
    memcpy(store->arena + store->arena_used, state, size);
    store->arena_used += size;
    store->ends[store->count] = store->arena_used;
    store->parents[store->count] = (uint32_t)parent; /* -1 becomes NOBODY */
    store->calls[store->count] = (uint32_t)call;
    store->entries[at] = (StoreEntry){hash, (uint32_t)store->count + 1};
    return (int64_t)store->count++;
}

bool store_knows(const Store *store, const uint8_t *state, size_t size)
{
    return store->entries[place_of(store, state, size, hash_of(state, size))].number != 0;
}

int64_t store_find(const Store *store, const uint8_t *state, size_t size)
{
    return (int64_t)store->entries[place_of(store, state, size, hash_of(state, size))].number - 1;
}

bool store_view(Store *store, int64_t number, const uint8_t **state, size_t *size)
{
    if (number < 0)
        number += (int64_t)store->count; /* like a list */
    if (number < 0 || (uint64_t)number >= store->count) {
        PyErr_Format(PyExc_IndexError, "no state %lld among %llu", (long long)number, (unsigned long long)store->count);
        return false;
    }
    *state = store->arena + start_of(store, (uint64_t)number);
    *size = store->ends[number] - start_of(store, (uint64_t)number);
    return true;
}

/* ---- as Python sees it ------------------------------------------------------------------------ */

static PyObject *Store_add(Store *self, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"state", "parent", "call", NULL};
    const char *state;
    Py_ssize_t size;
    long long parent = -1, call = -1;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "y#|LL", names, &state, &size, &parent, &call))
        return NULL;
    int64_t number = store_add(self, (const uint8_t *)state, (size_t)size, parent, call);
    return number == -2 ? NULL : PyLong_FromLongLong(number);
}

static PyObject *Store_find(Store *self, PyObject *state)
{
    if (!PyBytes_Check(state)) {
        PyErr_Format(PyExc_TypeError, "a state is bytes, not %s", Py_TYPE(state)->tp_name);
        return NULL;
    }
    const uint8_t *bytes = (const uint8_t *)PyBytes_AS_STRING(state);
    size_t size = (size_t)PyBytes_GET_SIZE(state);
    StoreEntry entry = self->entries[place_of(self, bytes, size, hash_of(bytes, size))];
    return PyLong_FromLongLong((long long)entry.number - 1);
}

static PyObject *Store_state(Store *self, PyObject *argument)
{
    const uint8_t *state;
    size_t size;
    long long number = PyLong_AsLongLong(argument);
    if (PyErr_Occurred() || !store_view(self, number, &state, &size))
        return NULL;
    return PyBytes_FromStringAndSize((const char *)state, (Py_ssize_t)size);
}

static PyObject *Store_origin(Store *self, PyObject *argument)
{
    const uint8_t *state;
    size_t size;
    long long number = PyLong_AsLongLong(argument);
    if (PyErr_Occurred() || !store_view(self, number, &state, &size))
        return NULL;
    number += number < 0 ? (long long)self->count : 0;
    uint32_t parent = self->parents[number], call = self->calls[number];
    return Py_BuildValue("LL", parent == NOBODY ? -1LL : (long long)parent, call == NOBODY ? -1LL : (long long)call);
}

static Py_ssize_t Store_length(Store *self)
{
    return (Py_ssize_t)self->count;
}

static PyObject *Store_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {NULL};
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, ":Store", names))
        return NULL;
    Store *self = (Store *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->mask = 1023;
    self->entries = calloc(self->mask + 1, sizeof *self->entries);
    if (!self->entries || !GROW(self->arena, self->arena_capacity, 1024)) {
        Py_DECREF(self);
        return PyErr_NoMemory();
    }
    return (PyObject *)self;
}

static void Store_dealloc(Store *self)
{
    free(self->arena);
    free(self->ends);
    free(self->parents);
    free(self->calls);
    free(self->entries);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef Store_methods[] = {
    {"add", (PyCFunction)(void (*)(void))Store_add, METH_VARARGS | METH_KEYWORDS,
     "Return the number of a state that is new, or -1 if it is known."},
    {"find", (PyCFunction)Store_find, METH_O, "Return the number of a known state, or -1."},
    {"state", (PyCFunction)Store_state, METH_O, "Return the bytes of a state."},
    {"origin", (PyCFunction)Store_origin, METH_O, "Return the parent and the call that first led to the state."},
    {NULL, NULL, 0, NULL},
};

static PySequenceMethods Store_sequence = {.sq_length = (lenfunc)Store_length};

PyTypeObject StoreType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Store",
    .tp_doc = "Known states, numbered in order of arrival, each with the state and call it came from.",
    .tp_basicsize = sizeof(Store),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = Store_new,
    .tp_dealloc = (destructor)Store_dealloc,
    .tp_methods = Store_methods,
    .tp_as_sequence = &Store_sequence,
};
