/* From bytes to a fresh object graph, which is remembered as it is made.
 *
 * Objects are made first and written afterwards, so cycles are no obstacle; dicts and sets come last, because hashing a
 * key may need the key's fields. A state with anything in it that cannot be made here is left to the Python walk.
 */
#include "fields.h"

enum { NONE = 0, MISSING = 1, FALSE_ = 2, TRUE_ = 3, OPEN = 4, INT64 = 5, FLOAT = 6, ATOM = 7, REF = 8, TUPLE = 9, RECORD = 10 };
enum { SMALL_INT = 0x30, FIRST_SMALL_INT = 0x20, SMALL_REF = 0x80 };

typedef struct {
    Memory *memory;
    Table *table;
    const uint8_t *at, *end;
    int within; /* records that are open */
    int hashed; /* frozensets that are open */
    PyObject *const *open; /* values left open that are still to come */
    size_t open_left;
    bool peeking, plain; /* values are read to make their node; no node may be among them */
} Reader;

static Answer read_value(Reader *reader, PyObject **value);

static Answer broken(void)
{
    PyErr_SetString(PyExc_ValueError, "these bytes are no captured state of this walker");
    return FAILED;
}

static inline bool read_number(Reader *reader, uint64_t *number)
{
    *number = 0;
    for (int shift = 0; reader->at < reader->end && shift < 64; shift += 7) {
        uint8_t byte = *reader->at++;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static inline bool read_eight(Reader *reader, uint64_t *bits)
{
    if (reader->end - reader->at < 8)
        return false;
    *bits = 0;
    for (int at = 0; at < 8; at++)
        *bits |= (uint64_t)*reader->at++ << (8 * at);
    return true;
}

/* ---- values ----------------------------------------------------------------------------------- */

static inline Answer read_reference(Reader *reader, uint64_t number, PyObject **value)
{
    if (number >= reader->memory->entries_used)
        return broken();
    if (reader->hashed)
        return ASK_TWIN; /* its hash may need fields that are not there yet */
    Entry *entry = &reader->memory->entries[number];
    if (!entry->thing || (reader->peeking && reader->plain))
        return ASK_TWIN;
    if (!reader->peeking)
        entry->references += reader->within ? 1 : 2; /* the object will hold it, and so does the memory */
    *value = Py_NewRef(entry->thing);
    return DONE;
}

static Answer read_parts(Reader *reader, uint64_t count, PyObject **parts)
{
    if (count > (uint64_t)(reader->end - reader->at))
        return broken();
    *parts = PyTuple_New((Py_ssize_t)count);
    Answer answer = *parts ? DONE : FAILED;
    reader->within++;
    for (uint64_t at = 0; answer == DONE && at < count; at++) {
        PyObject *part = NULL;
        answer = read_value(reader, &part);
        if (answer == DONE && !part)
            answer = broken();
        if (answer == DONE)
            PyTuple_SET_ITEM(*parts, (Py_ssize_t)at, part);
    }
    reader->within--;
    if (answer != DONE)
        Py_CLEAR(*parts);
    return answer;
}

static Answer read_tuple(Reader *reader, PyObject **value)
{
    uint64_t count;
    return read_number(reader, &count) ? read_parts(reader, count, value) : broken();
}

/* Lets the Python layout make another record of its parts. */
static Answer make_record(Layout *layout, PyObject *parts, PyObject **value)
{
    *value = PyObject_CallMethod(layout->python, "make", "(O)", parts);
    return *value ? DONE : FAILED;
}

/* A subclass of tuple, or a frozenset; its constructor in Python is not run. */
static Answer read_record(Reader *reader, PyObject **value)
{
    uint64_t number, count;
    if (!read_number(reader, &number) || !read_number(reader, &count) || number >= (uint64_t)reader->table->layouts_known)
        return broken();
    Layout *layout = reader->table->by_number[number];
    bool is_set = layout->kind == KIND_FROZENSET;
    PyObject *parts = NULL, *arguments;
    if (!is_set && layout->kind != KIND_TUPLE && layout->kind != KIND_RECORD)
        return ASK_TWIN;
    reader->hashed += is_set;
    Answer answer = read_parts(reader, count, &parts);
    reader->hashed -= is_set;
    if (answer != DONE)
        return answer;
    if (layout->kind == KIND_RECORD) {
        answer = make_record(layout, parts, value);
        Py_DECREF(parts);
        return answer;
    }
    arguments = PyTuple_Pack(1, parts);
    Py_DECREF(parts);
    if (!arguments)
        return FAILED;
    *value = (is_set ? &PyFrozenSet_Type : &PyTuple_Type)->tp_new(layout->cls, arguments, NULL);
    Py_DECREF(arguments);
    return *value ? DONE : FAILED;
}

static Answer read_atom(Reader *reader, PyObject **value)
{
    uint64_t number;
    if (!read_number(reader, &number) || number >= (uint64_t)PyList_GET_SIZE(reader->table->atoms))
        return broken();
    *value = Py_NewRef(PyList_GET_ITEM(reader->table->atoms, (Py_ssize_t)number));
    return DONE;
}

static Answer read_wide(Reader *reader, int code, PyObject **value)
{
    uint64_t bits;
    double number;
    if (!read_eight(reader, &bits))
        return broken();
    memcpy(&number, &bits, 8);
    *value = code == INT64 ? PyLong_FromLongLong((long long)bits) : PyFloat_FromDouble(number);
    return *value ? DONE : FAILED;
}

/* Reads one value, a new reference; NULL stands for an absent field. */
static Answer read_value(Reader *reader, PyObject **value)
{
    uint64_t number;
    if (reader->at >= reader->end)
        return broken();
    int code = *reader->at++;
    if (code >= SMALL_REF)
        return read_reference(reader, (uint64_t)code - SMALL_REF, value);
    if (code >= FIRST_SMALL_INT) {
        *value = PyLong_FromLong(code - SMALL_INT);
        return *value ? DONE : FAILED;
    }
    switch (code) {
    case NONE:
        *value = Py_NewRef(Py_None);
        return DONE;
    case MISSING:
        *value = NULL;
        return DONE;
    case FALSE_:
    case TRUE_:
        *value = PyBool_FromLong(code == TRUE_);
        return DONE;
    case OPEN:
        if (!reader->open_left)
            return broken();
        reader->open_left--;
        *value = Py_NewRef(*reader->open++);
        return DONE;
    case INT64:
    case FLOAT:
        return read_wide(reader, code, value);
    case ATOM:
        return read_atom(reader, value);
    case REF:
        return read_number(reader, &number) ? read_reference(reader, number, value) : broken();
    case TUPLE:
        return read_tuple(reader, value);
    case RECORD:
        return read_record(reader, value);
    default:
        return broken();
    }
}

/* ---- nodes ------------------------------------------------------------------------------------ */

static PyObject *blank(const Layout *layout)
{
    if (layout->pinned)
        return Py_NewRef(layout->pinned);
    switch (layout->kind) {
    case KIND_LIST:
        return PyList_New(0);
    case KIND_DICT:
        return PyDict_New();
    case KIND_SET:
        return PySet_New(NULL);
    case KIND_OTHER:
        return PyObject_CallMethod(layout->python, "blank", "(())");
    default:
        return PyBaseObject_Type.tp_new(layout->cls, EMPTY_TUPLE, NULL);
    }
}

static Answer make_blanks(Reader *reader, uint64_t count, bool *late)
{
    Memory *memory = reader->memory;
    if (count > (uint64_t)(reader->end - reader->at))
        return broken();
    if (!GROW(memory->entries, memory->entries_capacity, count))
        return FAILED;
    for (uint64_t at = 0; at < count; at++) {
        uint64_t number;
        if (!read_number(reader, &number) || number >= (uint64_t)reader->table->layouts_known)
            return broken();
        Layout *layout = reader->table->by_number[number];
        if (!layout->makable)
            return ASK_TWIN;
        PyObject *thing = layout->from_values && !layout->pinned ? NULL : blank(layout);
        if (!thing && PyErr_Occurred())
            return FAILED;
        *late |= !thing;
        Py_ssize_t elsewhere = layout->pinned ? -1 : 0; /* never take a pinned object apart */
        memory->entries[memory->entries_used++] = (Entry){thing, layout, 0, 0, elsewhere};
    }
    return DONE;
}

/* Goes past one value. */
static bool skip_value(Reader *reader)
{
    uint64_t number, count;
    if (reader->at >= reader->end)
        return false;
    int code = *reader->at++;
    switch (code) {
    case INT64:
    case FLOAT:
        reader->at += 8;
        return reader->at <= reader->end;
    case ATOM:
    case REF:
        return read_number(reader, &number);
    case RECORD:
        if (!read_number(reader, &number))
            return false;
        break;
    case TUPLE:
        break;
    default:
        return code != OPEN;
    }
    if (!read_number(reader, &count))
        return false;
    while (count--)
        if (!skip_value(reader))
            return false;
    return true;
}

/* Makes a node that needs its values, by its Python layout. */
static Answer make_of_values(Reader *reader, Entry *entry, uint64_t count)
{
    PyObject *values = count > (uint64_t)(reader->end - reader->at) ? NULL : PyList_New((Py_ssize_t)count);
    Answer answer = values ? DONE : PyErr_Occurred() ? FAILED : broken();
    reader->plain = entry->layout->from_plain;
    for (uint64_t at = 0; answer == DONE && at < count; at++) {
        PyObject *value = NULL;
        answer = read_value(reader, &value);
        if (answer == DONE)
            PyList_SET_ITEM(values, (Py_ssize_t)at, value ? value : Py_NewRef(ABSENT_OBJECT));
    }
    if (answer == DONE) {
        entry->thing = PyObject_CallMethod(entry->layout->python, "blank", "(O)", values);
        answer = entry->thing ? DONE : FAILED;
    }
    Py_XDECREF(values);
    return answer;
}

/* Looks ahead for the values of nodes that cannot be made without them. */
static Answer make_late(Reader *reader)
{
    Memory *memory = reader->memory;
    const uint8_t *begin = reader->at;
    uint64_t count;
    Answer answer = read_number(reader, &count) ? DONE : broken();
    reader->peeking = true;
    while (answer == DONE && count--)
        answer = skip_value(reader) ? DONE : broken();
    for (size_t at = 0; answer == DONE && at < memory->entries_used; at++) {
        Entry *entry = &memory->entries[at];
        count = (uint64_t)entry->layout->slots;
        if (!entry->layout->fixed_size && !read_number(reader, &count))
            answer = broken();
        else if (!entry->thing)
            answer = make_of_values(reader, entry, count);
        else
            while (answer == DONE && count--)
                answer = skip_value(reader) ? DONE : broken();
    }
    reader->peeking = false;
    reader->at = begin;
    return answer;
}

static Answer read_roots(Reader *reader)
{
    Memory *memory = reader->memory;
    uint64_t count;
    if (!read_number(reader, &count) || count > (uint64_t)(reader->end - reader->at))
        return broken();
    if (!GROW(memory->roots, memory->roots_capacity, count + 1))
        return FAILED;
    Answer answer = DONE;
    reader->within++; /* only the list of roots holds them */
    for (uint64_t at = 0; answer == DONE && at < count; at++) {
        PyObject *root = NULL;
        answer = read_value(reader, &root);
        if (answer == DONE && !root)
            answer = broken();
        if (answer == DONE)
            memory->roots[memory->roots_used++] = root;
    }
    reader->within--;
    return answer;
}

static Answer read_node(Reader *reader, Entry *entry)
{
    Memory *memory = reader->memory;
    uint64_t count = (uint64_t)entry->layout->slots;
    if (!entry->layout->fixed_size && !read_number(reader, &count))
        return broken();
    if (count > (uint64_t)(reader->end - reader->at))
        return broken();
    if (!GROW(memory->values, memory->values_capacity, memory->values_used + count))
        return FAILED;
    entry->start = memory->values_used;
    entry->count = count;
    for (uint64_t at = 0; at < count; at++) {
        PyObject *value = NULL;
        Answer answer = read_value(reader, &value);
        if (answer != DONE)
            return answer;
        if (!value && entry->layout->kind != KIND_OBJECT && entry->layout->kind != KIND_OTHER)
            return broken();
        memory->values[memory->values_used++] = value;
    }
    return DONE;
}

/* Gives a new object its fields; it has none yet. */
static int write_new(Memory *memory, Entry *entry)
{
    Layout *layout = entry->layout;
    for (size_t at = 0; at < entry->count; at++) {
        PyObject *value = memory->values[entry->start + at];
        if (!value)
            continue;
        if ((Py_ssize_t)at < layout->slots)
            replace(slot_of(layout, entry->thing, (Py_ssize_t)at), value);
        else if (set_in_dictionary(layout, entry->thing, (Py_ssize_t)at - layout->slots, value) < 0)
            return -1;
    }
    return 0;
}

static Answer check_names(Layout *layout, size_t count)
{
    if ((Py_ssize_t)count > layout->slots + layout->names_known)
        learn_names(layout);
    return (Py_ssize_t)count > layout->slots + layout->names_known ? broken() : DONE;
}

static Answer write_node(Memory *memory, Entry *entry)
{
    bool is_new_object = entry->layout->kind == KIND_OBJECT && !entry->layout->pinned;
    if (entry->layout->kind == KIND_DICT && entry->count % 2)
        return broken();
    if (entry->layout->kind == KIND_OBJECT && check_names(entry->layout, entry->count) != DONE)
        return FAILED;
    int written = is_new_object ? write_new(memory, entry) : memory_write(memory, entry);
    return written < 0 ? FAILED : DONE;
}

static Answer write_all(Memory *memory)
{
    Answer answer = DONE;
    for (size_t at = 0; answer == DONE && at < memory->entries_used; at++)
        if (!memory->entries[at].layout->hashes)
            answer = write_node(memory, &memory->entries[at]);
    for (size_t at = memory->entries_used; answer == DONE && at-- > 0;) {
        Entry *entry = &memory->entries[at];
        if (!entry->layout->hashes)
            continue;
        answer = write_node(memory, entry);
        if (answer == DONE && entry->layout->kind == KIND_SET)
            answer = memory_remember_order(memory, at);
    }
    return answer;
}

Answer memory_rebuild(Memory *memory, Table *table, const uint8_t *state, size_t size)
{
    return memory_rebuild_open(memory, table, state, size, NULL, 0);
}

Answer memory_rebuild_open(Memory *memory, Table *table, const uint8_t *state, size_t size, PyObject *const *open,
                           size_t count_open)
{
    Reader reader = {memory, table, state, state + size, 0, 0, open, count_open, false, false};
    uint64_t count;
    if (table->layouts_known < PyList_GET_SIZE(table->layouts) && table_learn(table) < 0)
        return FAILED;
    bool late = false;
    Answer answer = read_number(&reader, &count) ? make_blanks(&reader, count, &late) : broken();
    if (answer == DONE && late)
        answer = open ? ASK_TWIN : make_late(&reader);
    if (answer == DONE)
        answer = read_roots(&reader);
    for (size_t at = 0; answer == DONE && at < memory->entries_used; at++)
        answer = read_node(&reader, &memory->entries[at]);
    if (answer == DONE && (reader.at != reader.end || reader.open_left))
        answer = broken();
    if (answer == DONE)
        answer = write_all(memory);
    memory->looked = false;
    if (answer != DONE)
        memory_forget(memory);
    return answer;
}
