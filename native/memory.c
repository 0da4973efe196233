/* A remembered object graph: did anything in it change, and put back only what did.
 *
 * Values are compared by address, so no `__eq__` runs. The remembered values are held, so an address that is
 * found again is the same object again.
 */
#include "fields.h"

/* ---- reading a node --------------------------------------------------------------------------- */

static bool hold(Memory *memory, PyObject *value)
{
    if (!GROW(memory->values, memory->values_capacity, memory->values_used + 1))
        return false;
    memory->values[memory->values_used++] = Py_XNewRef(value);
    return true;
}

static bool hold_all(Memory *memory, PyObject **values, Py_ssize_t count)
{
    for (Py_ssize_t at = 0; at < count; at++)
        if (!hold(memory, values[at] == ABSENT_OBJECT ? NULL : values[at]))
            return false;
    return true;
}

static Answer take_dict(Memory *memory, PyObject *thing)
{
    Py_ssize_t cursor = 0;
    PyObject *key, *value;
    while (PyDict_Next(thing, &cursor, &key, &value))
        if (!hold(memory, key) || !hold(memory, value))
            return FAILED;
    return DONE;
}

static Answer take_set(Memory *memory, PyObject *thing)
{
    PyObject *element, *elements = PyObject_GetIter(thing);
    bool held = elements != NULL;
    while (held && (element = PyIter_Next(elements))) {
        held = hold(memory, element);
        Py_DECREF(element);
    }
    Py_XDECREF(elements);
    return held && !PyErr_Occurred() ? DONE : FAILED;
}

static Answer take_other(Memory *memory, PyObject *thing, Layout *layout)
{
    PyObject *read = PyObject_CallMethod(layout->python, "read", "(O)", thing);
    PyObject *values = read ? PySequence_Fast(read, "the values of a node are a sequence") : NULL;
    bool held = values && hold_all(memory, PySequence_Fast_ITEMS(values), PySequence_Fast_GET_SIZE(values));
    Py_XDECREF(read);
    Py_XDECREF(values);
    return held ? DONE : FAILED;
}

/* Appends what the node holds now to the remembered values. */
static Answer take_node(Memory *memory, PyObject *thing, Layout *layout)
{
    Py_ssize_t count;
    switch (layout->kind) {
    case KIND_OBJECT:
        count = read_fields(layout, thing, &memory->scratch, &memory->scratch_capacity);
        if (count < 0)
            return take_other(memory, thing, layout); /* the Python layout learns the names */
        return hold_all(memory, memory->scratch, count) ? DONE : FAILED;
    case KIND_LIST:
        return hold_all(memory, ((PyListObject *)thing)->ob_item, PyList_GET_SIZE(thing)) ? DONE : FAILED;
    case KIND_DICT:
        return take_dict(memory, thing);
    case KIND_SET:
        return take_set(memory, thing);
    case KIND_OTHER:
        return take_other(memory, thing, layout);
    default:
        return ASK_TWIN;
    }
}

/* ---- taking a graph --------------------------------------------------------------------------- */

static Answer reach(Walk *walk, PyObject *value, int depth);

static Answer reach_members(Walk *walk, PyObject *set, int depth)
{
    PyObject *element, *elements = PyObject_GetIter(set);
    Answer answer = elements ? DONE : FAILED;
    while (answer == DONE && (element = PyIter_Next(elements))) {
        answer = reach(walk, element, depth);
        Py_DECREF(element);
    }
    Py_XDECREF(elements);
    return answer == DONE && PyErr_Occurred() ? FAILED : answer;
}

/* Puts the nodes that a value leads to into the queue. */
static Answer reach(Walk *walk, PyObject *value, int depth)
{
    uint32_t number;
    if (!value || value == Py_None || PyLong_CheckExact(value) || PyBool_Check(value))
        return DONE;
    Layout *layout = table_layout(walk->table, Py_TYPE(value));
    if (!layout || depth > 200)
        return ASK_TWIN;
    if (layout->kind == KIND_ATOM)
        return DONE;
    if (is_node(layout))
        return walk_visit(walk, value, layout, &number);
    if (layout->kind == KIND_FROZENSET && Py_TYPE(value) == &PyFrozenSet_Type)
        return reach_members(walk, value, depth + 1);
    if (layout->kind != KIND_TUPLE && layout->kind != KIND_RECORD)
        return ASK_TWIN;
    PyObject *parts = layout->kind == KIND_TUPLE ? value : walk_parts(walk, value, layout);
    Answer answer = parts ? DONE : FAILED;
    for (Py_ssize_t at = 0; answer == DONE && at < PySequence_Fast_GET_SIZE(parts); at++)
        answer = reach(walk, PySequence_Fast_GET_ITEM(parts, at), depth + 1);
    return answer;
}

static Answer take_next(Memory *memory, Walk *walk, size_t number)
{
    Visited visited = walk->order[number];
    size_t start = memory->values_used;
    if (!GROW(memory->entries, memory->entries_capacity, memory->entries_used + 1))
        return FAILED;
    Answer answer = take_node(memory, visited.thing, visited.layout);
    if (answer != DONE)
        return answer;
    Py_ssize_t unknown = -1; /* a graph of others: who else refers to it is not known */
    memory->entries[memory->entries_used++] =
        (Entry){Py_NewRef(visited.thing), visited.layout, start, memory->values_used - start, unknown};
    for (size_t at = start; answer == DONE && at < memory->values_used; at++)
        answer = reach(walk, memory->values[at], 0);
    return answer;
}

Answer memory_take(Memory *memory, Walk *walk, Table *table, PyObject *const *roots, Py_ssize_t count)
{
    if (walk->busy)
        return ASK_TWIN;
    if (table->layouts_known < PyList_GET_SIZE(table->layouts) && table_learn(table) < 0)
        return FAILED;
    Answer answer = DONE;
    int collecting = PyGC_Disable();
    walk_begin(walk, table, false);
    for (Py_ssize_t at = 0; answer == DONE && at < count; at++)
        answer = reach(walk, roots[at], 0);
    for (size_t at = 0; answer == DONE && at < walk->nodes; at++) /* grows while we walk */
        answer = take_next(memory, walk, at);
    if (collecting)
        PyGC_Enable();
    walk_end(walk);
    if (answer != DONE)
        memory_forget(memory);
    return answer;
}

/* ---- comparing -------------------------------------------------------------------------------- */

static inline bool same_values(PyObject **now, Py_ssize_t count, PyObject **before, size_t remembered)
{
    if ((size_t)count != remembered)
        return false;
    for (Py_ssize_t at = 0; at < count; at++)
        if (now[at] != before[at])
            return false;
    return true;
}

static bool same_dict(PyObject *thing, PyObject **before, size_t remembered)
{
    Py_ssize_t cursor = 0;
    PyObject *key, *value;
    if ((size_t)PyDict_GET_SIZE(thing) * 2 != remembered)
        return false;
    for (; PyDict_Next(thing, &cursor, &key, &value); before += 2)
        if (key != before[0] || value != before[1])
            return false;
    return true;
}

/* Compares what reading gives with what was remembered: 1 the same, 0 not, -1 with an exception. */
static int same_when_read(Memory *memory, Entry *entry)
{
    size_t start = memory->values_used;
    Answer answer = take_node(memory, entry->thing, entry->layout);
    bool same = answer == DONE && same_values(memory->values + start, (Py_ssize_t)(memory->values_used - start),
                                              memory->values + entry->start, entry->count);
    while (memory->values_used > start)
        Py_XDECREF(memory->values[--memory->values_used]);
    return answer == FAILED ? -1 : same;
}

static inline int same_object(Memory *memory, Entry *entry)
{
    PyObject **before = memory->values + entry->start;
    Py_ssize_t count = read_fields(entry->layout, entry->thing, &memory->scratch, &memory->scratch_capacity);
    if (count < 0)
        return same_when_read(memory, entry); /* the Python layout learns the names */
    return same_values(memory->scratch, count, before, entry->count);
}

static inline int same_node(Memory *memory, Entry *entry)
{
    PyObject *thing = entry->thing, **before = memory->values + entry->start;
    if (Py_TYPE(thing) != entry->layout->cls)
        return 0;
    switch (entry->layout->kind) {
    case KIND_OBJECT:
        return same_object(memory, entry);
    case KIND_LIST:
        return same_values(((PyListObject *)thing)->ob_item, PyList_GET_SIZE(thing), before, entry->count);
    case KIND_DICT:
        return same_dict(thing, before, entry->count);
    default:
        return same_when_read(memory, entry);
    }
}

int memory_changed(Memory *memory)
{
    memory->touched_used = 0;
    memory->looked = false;
    if (!GROW(memory->touched, memory->touched_capacity, memory->entries_used))
        return -1;
    for (size_t at = 0; at < memory->entries_used; at++) {
        int same = same_node(memory, &memory->entries[at]);
        if (same < 0)
            return -1;
        if (!same)
            memory->touched[memory->touched_used++] = at;
    }
    memory->looked = true;
    return memory->touched_used > 0;
}

/* ---- writing ---------------------------------------------------------------------------------- */

/* Lets the Python layout write the values. */
static int write_other(Memory *memory, Entry *entry)
{
    PyObject *values = PyList_New((Py_ssize_t)entry->count);
    for (size_t at = 0; values && at < entry->count; at++) {
        PyObject *value = memory->values[entry->start + at];
        PyList_SET_ITEM(values, (Py_ssize_t)at, Py_NewRef(value ? value : ABSENT_OBJECT));
    }
    PyObject *written = values ? PyObject_CallMethod(entry->layout->python, "write", "OO", entry->thing, values) : NULL;
    Py_XDECREF(values);
    Py_XDECREF(written);
    return written ? 0 : -1;
}

static int write_object(Memory *memory, Entry *entry)
{
    Layout *layout = entry->layout;
    PyObject *thing = entry->thing;
    Py_ssize_t count = read_fields(layout, thing, &memory->scratch, &memory->scratch_capacity);
    Py_ssize_t remembered = (Py_ssize_t)entry->count, most = count > remembered ? count : remembered;
    if (count < 0)
        return write_other(memory, entry);
    for (Py_ssize_t at = 0; at < most; at++) {
        PyObject *now = at < count ? memory->scratch[at] : NULL; /* its address only: it may be gone by now */
        PyObject *wanted = at < remembered ? memory->values[entry->start + (size_t)at] : NULL;
        if (now == wanted)
            continue;
        if (at < layout->slots)
            replace(slot_of(layout, thing, at), wanted);
        else if (set_in_dictionary(layout, thing, at - layout->slots, wanted) < 0)
            return -1;
    }
    return 0;
}

static int write_list(PyObject *thing, PyObject **values, size_t count)
{
    PyObject *items = PyList_New((Py_ssize_t)count);
    if (!items)
        return -1;
    for (size_t at = 0; at < count; at++)
        PyList_SET_ITEM(items, (Py_ssize_t)at, Py_NewRef(values[at]));
    int written = PyList_SetSlice(thing, 0, PyList_GET_SIZE(thing), items);
    Py_DECREF(items);
    return written;
}

/* The hashes of keys may run foreign code, which could start another job here: values are looked up anew each time. */
static int write_dict(Memory *memory, Entry *entry)
{
    PyDict_Clear(entry->thing);
    for (size_t at = 0; at < entry->count; at += 2) {
        PyObject **pair = memory->values + entry->start + at;
        if (PyDict_SetItem(entry->thing, pair[0], pair[1]) < 0)
            return -1;
    }
    return 0;
}

static int write_set(Memory *memory, Entry *entry)
{
    if (PySet_Clear(entry->thing) < 0)
        return -1;
    for (size_t at = 0; at < entry->count; at++)
        if (PySet_Add(entry->thing, memory->values[entry->start + at]) < 0)
            return -1;
    return 0;
}

int memory_write(Memory *memory, Entry *entry)
{
    switch (entry->layout->kind) {
    case KIND_OBJECT:
        return write_object(memory, entry);
    case KIND_LIST:
        return write_list(entry->thing, memory->values + entry->start, entry->count);
    case KIND_DICT:
        return write_dict(memory, entry);
    case KIND_SET:
        return write_set(memory, entry);
    default:
        return write_other(memory, entry);
    }
}

/* A set is remembered in the order in which it is iterated, so that an unchanged one looks unchanged. What it holds
 * now must be what it held; that order may be another after it was filled again. */
Answer memory_remember_order(Memory *memory, size_t at)
{
    size_t start = memory->values_used;
    Answer answer = take_node(memory, memory->entries[at].thing, memory->entries[at].layout);
    Entry *entry = &memory->entries[at];
    bool whole = memory->values_used - start == entry->count;
    for (size_t each = 0; answer == DONE && whole && each < entry->count; each++) {
        PyObject *before = memory->values[entry->start + each];
        memory->values[entry->start + each] = memory->values[start + each];
        memory->values[start + each] = before;
    }
    while (memory->values_used > start)
        Py_XDECREF(memory->values[--memory->values_used]);
    return answer == DONE && !whole ? ASK_TWIN : answer;
}

static int put_back(Memory *memory, size_t at)
{
    Entry *entry = &memory->entries[at];
    if (entry->layout->remade)
        return 0;
    if (Py_TYPE(entry->thing) != entry->layout->cls) {
        static PyObject *name;
        if (!name && !(name = PyUnicode_InternFromString("__class__")))
            return -1;
        if (PyObject_GenericSetAttr(entry->thing, name, (PyObject *)entry->layout->cls) < 0)
            return -1;
    }
    if (memory_write(memory, entry) < 0)
        return -1;
    if (!memory->entries[at].layout->unordered)
        return 1;
    Answer answer = memory_remember_order(memory, at);
    return answer == FAILED ? -1 : answer == DONE; /* a set may refuse what it held */
}

int memory_restore(Memory *memory)
{
    if (!memory->looked && memory_changed(memory) < 0)
        return -1;
    memory->looked = false;
    int done = 1;
    for (size_t at = 0; done > 0 && at < memory->touched_used; at++)
        if (!memory->entries[memory->touched[at]].layout->hashes)
            done = put_back(memory, memory->touched[at]);
    for (size_t at = memory->touched_used; done > 0 && at-- > 0;) /* hashing a key may need the key's fields */
        if (memory->entries[memory->touched[at]].layout->hashes)
            done = put_back(memory, memory->touched[at]);
    return done;
}

/* ---- letting go ------------------------------------------------------------------------------- */

/* The lists are emptied before anything is let go: that may run foreign code, which may come back here. */
void memory_forget(Memory *memory)
{
    Memory old = *memory;
    memset(memory, 0, sizeof *memory);
    for (size_t at = 0; at < old.roots_used; at++)
        Py_XDECREF(old.roots[at]);
    for (size_t at = 0; at < old.values_used; at++)
        Py_XDECREF(old.values[at]);
    for (size_t at = 0; at < old.entries_used; at++)
        Py_XDECREF(old.entries[at].thing);
    old.roots_used = old.values_used = old.entries_used = old.touched_used = 0;
    old.looked = false;
    if (memory->entries) /* somebody came back and filled it */
        memory_clear(&old);
    else
        *memory = old;
}

/* Tells whether nobody outside holds any part of a graph that was made here and is in its remembered state. */
static bool is_ours_alone(Memory *memory)
{
    for (size_t at = 0; at < memory->entries_used; at++) {
        Entry *entry = &memory->entries[at];
        PyTypeObject *cls = Py_TYPE(entry->thing);
        if (entry->references < 0 || Py_REFCNT(entry->thing) != entry->references + 1)
            return false;
        if (cls != entry->layout->cls || cls->tp_finalize || cls->tp_del)
            return false; /* a finalizer must find its object whole */
    }
    return true;
}

static void cut(Entry *entry)
{
    Layout *layout = entry->layout;
    switch (layout->kind) {
    case KIND_LIST:
        PyList_SetSlice(entry->thing, 0, PyList_GET_SIZE(entry->thing), NULL);
        return;
    case KIND_DICT:
        PyDict_Clear(entry->thing);
        return;
    case KIND_SET:
        PySet_Clear(entry->thing);
        return;
    default:
        break;
    }
    for (Py_ssize_t at = 0; at < layout->slots; at++)
        replace(slot_of(layout, entry->thing, at), NULL);
    if (!layout->has_dict)
        return;
#ifdef UNLIKE_INLINE_VALUES
    PyDictValues *values = values_of(layout, entry->thing);
    if (values) {
        for (Py_ssize_t at = 0; at < layout->entries; at++)
            replace(&values->values[at], NULL);
        return;
    }
#endif
    PyObject *dictionary = dictionary_of(entry->thing);
    if (dictionary)
        PyDict_Clear(dictionary);
    PyErr_Clear();
}

void memory_dissolve(Memory *memory)
{
    if (is_ours_alone(memory))
        for (size_t at = 0; at < memory->entries_used; at++)
            cut(&memory->entries[at]); /* the memory still holds every value: nothing goes yet */
    memory_forget(memory);
}

void memory_clear(Memory *memory)
{
    for (size_t at = 0; at < memory->roots_used; at++)
        Py_XDECREF(memory->roots[at]);
    for (size_t at = 0; at < memory->values_used; at++)
        Py_XDECREF(memory->values[at]);
    for (size_t at = 0; at < memory->entries_used; at++)
        Py_XDECREF(memory->entries[at].thing);
    free(memory->entries);
    free(memory->values);
    free(memory->touched);
    free(memory->roots);
    free(memory->scratch);
    memset(memory, 0, sizeof *memory);
}

int memory_traverse(Memory *memory, visitproc visit, void *arg)
{
    for (size_t at = 0; at < memory->roots_used; at++)
        Py_VISIT(memory->roots[at]);
    for (size_t at = 0; at < memory->values_used; at++)
        Py_VISIT(memory->values[at]);
    for (size_t at = 0; at < memory->entries_used; at++)
        Py_VISIT(memory->entries[at].thing);
    return 0;
}
