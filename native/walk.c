/* From an object graph to its bytes. The grammar of the bytes stands in unlike/heap/canonical.py.
 *
 * No foreign code runs while values are written, so they may be borrowed; only a node of KIND_OTHER is read by Python
 * code, before its values are written, and what that code returns is kept to the end.
 */
#include "fields.h"
#include "open.h"

enum { NONE = 0, MISSING = 1, FALSE_ = 2, TRUE_ = 3, OPEN = 4, INT64 = 5, FLOAT = 6, ATOM = 7, REF = 8, TUPLE = 9, RECORD = 10 };
enum { SMALL_INT = 0x30, LEAST_SMALL = -16, MOST_SMALL = 79, SMALL_REF = 0x80, MOST_REF = 126, DEEPEST_RECORD = 100 };

static Answer put(Walk *walk, PyObject *value, int depth);

/* ---- bytes ------------------------------------------------------------------------------------ */

/* Room for any single value: a code and ten bytes. */
static inline bool reserve(Walk *walk)
{
    return GROW(walk->out, walk->capacity, walk->used + 16);
}

static inline uint8_t *leb128(uint8_t *out, uint64_t number)
{
    for (; number > 127; number >>= 7)
        *out++ = (uint8_t)(number & 127) | 128;
    *out++ = (uint8_t)number;
    return out;
}

static inline Answer put_count(Walk *walk, uint64_t number)
{
    if (!reserve(walk))
        return FAILED;
    walk->used = (size_t)(leb128(walk->out + walk->used, number) - walk->out);
    return DONE;
}

static inline Answer put_coded(Walk *walk, uint8_t code, uint64_t number)
{
    if (!reserve(walk))
        return FAILED;
    walk->out[walk->used++] = code;
    return put_count(walk, number);
}

static Answer put_eight(Walk *walk, uint8_t code, uint64_t bits)
{
    if (!reserve(walk))
        return FAILED;
    walk->out[walk->used++] = code;
    for (int at = 0; at < 8; at++)
        walk->out[walk->used++] = (uint8_t)(bits >> (8 * at)); /* little-endian everywhere */
    return DONE;
}

/* ---- atoms ------------------------------------------------------------------------------------ */

/* Tells whether an int is one of those with a byte of their own. */
static inline bool small_int(PyObject *value, long *small)
{
#if PY_VERSION_HEX >= 0x030c0000
    if (!PyUnstable_Long_IsCompact((PyLongObject *)value))
        return false;
    *small = (long)PyUnstable_Long_CompactValue((PyLongObject *)value);
#else
    Py_ssize_t size = Py_SIZE(value);
    if (size < -1 || size > 1)
        return false;
    *small = (long)size * (long)((PyLongObject *)value)->ob_digit[0];
#endif
    return *small >= LEAST_SMALL && *small <= MOST_SMALL;
}

static Answer put_atom(Walk *walk, PyObject *value, Layout *layout)
{
    int64_t number = table_atom(walk->table, layout, value);
    if (number < 0)
        return number == -1 ? ASK_TWIN : FAILED;
    return put_coded(walk, ATOM, (uint64_t)number);
}

static Answer put_int(Walk *walk, PyObject *value, Layout *layout)
{
    long small;
    int overflow;
    if (small_int(value, &small)) {
        if (!reserve(walk))
            return FAILED;
        walk->out[walk->used++] = (uint8_t)(SMALL_INT + small);
        return DONE;
    }
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow ? put_atom(walk, value, layout) : put_eight(walk, INT64, (uint64_t)number);
}

static Answer put_float(Walk *walk, PyObject *value)
{
    double number = PyFloat_AS_DOUBLE(value);
    uint64_t bits;
    memcpy(&bits, &number, 8);
    return put_eight(walk, FLOAT, bits);
}

static Answer put_byte(Walk *walk, uint8_t code)
{
    if (!reserve(walk))
        return FAILED;
    walk->out[walk->used++] = code;
    return DONE;
}

/* ---- values left open ------------------------------------------------------------------------- */

/* A place is a field of a class, the elements of a container (their keys, their values), or the parts of records; once
 * it has held an open value, plain numbers are written as open, too. Python's `Places` knows; what it said is kept here. */
enum { NOT_SEEN, HELD_PLAIN, HELD_OPEN };
enum { PLACE_ELEMENTS = -1, PLACE_VALUES = -2, PLACE_RECORDS = -3 };

static uint8_t *held_at(Walk *walk, Layout *layout, Py_ssize_t place)
{
    if (place == PLACE_RECORDS)
        return &walk->opened->held_in_records;
    size_t at = place < 0 ? (size_t)(-1 - place) : (size_t)place + 2;
    size_t known = layout->held_capacity;
    if (at >= known) {
        if (!GROW(layout->held, layout->held_capacity, at + 1))
            return NULL;
        memset(layout->held + known, NOT_SEEN, layout->held_capacity - known);
    }
    return &layout->held[at];
}

static Answer ask_places(Walk *walk, Layout *layout, Py_ssize_t place, bool is_open, uint8_t *held)
{
    bool records = place == PLACE_RECORDS;
    PyObject *said = PyObject_CallMethod(walk->opened->places, is_open ? "open_at" : "is_open", "(ln)",
                                         records ? -1L : (long)layout->number, records ? (Py_ssize_t)-1 : place);
    if (!said)
        return FAILED;
    *held = is_open || said == Py_True ? HELD_OPEN : HELD_PLAIN;
    Py_DECREF(said);
    return DONE;
}

static Answer put_term(Walk *walk, int slot, long long offset)
{
    Opened *opened = walk->opened;
    if (!GROW(opened->terms, opened->capacity, opened->used + 1))
        return FAILED;
    opened->terms[opened->used++] = (OpenTerm){slot, offset};
    return put_byte(walk, OPEN);
}

static Answer put_chosen(Walk *walk, PyObject *value, Layout *ints)
{
    bool failed;
    if (Py_TYPE(value) != &TokenType)
        return put_int(walk, value, ints);
    PyObject *number = PyLong_FromLongLong(token_value(value, &failed));
    if (failed || !number) {
        Py_XDECREF(number);
        return FAILED;
    }
    Answer answer = put_int(walk, number, ints);
    Py_DECREF(number);
    return answer;
}

/* Writes a token, or an int that stands where tokens may stand. */
static Answer put_number(Walk *walk, PyObject *value, Layout *layout, Py_ssize_t place)
{
    Layout *ints = table_layout(walk->table, &PyLong_Type);
    bool is_token = Py_TYPE(value) == &TokenType;
    if (!ints || walk->trial)
        return walk->trial && ints ? put_chosen(walk, value, ints) : ASK_TWIN;
    if (walk->opened->hashed)
        return put_chosen(walk, value, ints);
    uint8_t *held = held_at(walk, layout, place);
    if (!held)
        return FAILED;
    if (*held != HELD_OPEN && (is_token || *held == NOT_SEEN)) {
        Answer answer = ask_places(walk, layout, place, is_token, held);
        if (answer != DONE)
            return answer;
    }
    if (is_token)
        return put_term(walk, ((Token *)value)->slot, ((Token *)value)->offset);
    if (*held == HELD_PLAIN)
        return put_int(walk, value, ints);
    int overflow;
    long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
    return overflow ? ASK_TWIN : put_term(walk, 0, number);
}

static inline bool is_numeral(PyObject *value)
{
    return value && (PyLong_CheckExact(value) || Py_TYPE(value) == &TokenType);
}

/* ---- records ---------------------------------------------------------------------------------- */

static Answer too_much(Walk *walk, Layout *layout, bool elements, Py_ssize_t count, Py_ssize_t most)
{
    walk->too_much = (TooMuch){layout, elements, count, most};
    return OUTSIDE;
}

static struct KeptLength *kept_length(Layout *layout, Py_ssize_t count)
{
    for (Py_ssize_t at = 0; at < layout->kept_used; at++)
        if (layout->kept[at].length == count)
            return &layout->kept[at];
    return NULL;
}

static Answer begin_record(Walk *walk, Layout *layout, Py_ssize_t count, int depth)
{
    if (depth > DEEPEST_RECORD)
        return too_much(walk, NULL, false, 0, DEEPEST_RECORD);
    if (walk->most >= 0 && count > walk->most && !layout->uncounted && !kept_length(layout, count))
        return too_much(walk, layout, true, count, walk->most);
    Answer answer = layout->cls == &PyTuple_Type ? put_byte(walk, TUPLE) : put_coded(walk, RECORD, layout->number);
    return answer != DONE ? answer : put_count(walk, (uint64_t)count);
}

static Answer put_tuple(Walk *walk, PyObject *value, Layout *layout, int depth)
{
    Py_ssize_t count = PyTuple_GET_SIZE(value);
    Answer answer = begin_record(walk, layout, count, depth);
    for (Py_ssize_t at = 0; answer == DONE && at < count; at++)
        answer = put(walk, PyTuple_GET_ITEM(value, at), depth + 1);
    return answer;
}

typedef struct {
    PyObject *element; /* borrowed from the set */
    size_t start, size;
    const uint8_t *bytes;
} Ranked;

static int by_bytes(const void *one, const void *other)
{
    const Ranked *a = one, *b = other;
    int order = memcmp(a->bytes, b->bytes, a->size < b->size ? a->size : b->size);
    return order ? order : (a->size > b->size) - (a->size < b->size);
}

/* Writes every element once for trial; a new node among them is for the Python walk, which can order look-alikes. */
static Answer rank_elements(Walk *walk, PyObject *set, Ranked *ranked, Py_ssize_t count)
{
    Py_ssize_t found = 0;
    Answer answer = DONE;
    PyObject *element, *elements = PyObject_GetIter(set);
    if (!elements)
        return FAILED;
    while (answer == DONE && found < count && (element = PyIter_Next(elements))) {
        size_t start = walk->used;
        answer = put(walk, element, 0);
        ranked[found++] = (Ranked){element, start, walk->used - start, NULL};
        Py_DECREF(element); /* the set holds it, and nothing runs that could take it away */
    }
    Py_DECREF(elements);
    if (answer == DONE && found < count)
        return PyErr_Occurred() ? FAILED : ASK_TWIN;
    return answer;
}

static Answer put_elements(Walk *walk, PyObject *set, int depth)
{
    Py_ssize_t count = PySet_GET_SIZE(set);
    size_t begin = walk->used;
    bool trial = walk->trial;
    Py_ssize_t most = walk->most;
    Ranked *ranked = malloc(sizeof *ranked * (size_t)(count + 1));
    if (!ranked) {
        PyErr_NoMemory();
        return FAILED;
    }
    walk->trial = true;
    walk->most = -1;
    Answer answer = rank_elements(walk, set, ranked, count);
    walk->trial = trial;
    walk->most = most;
    for (Py_ssize_t at = 0; answer == DONE && at < count; at++)
        ranked[at].bytes = walk->out + ranked[at].start;
    if (answer == DONE)
        qsort(ranked, (size_t)count, sizeof *ranked, by_bytes);
    walk->used = begin;
    for (Py_ssize_t at = 0; answer == DONE && at < count; at++)
        answer = put(walk, ranked[at].element, depth);
    free(ranked);
    return answer;
}

static Answer put_frozenset(Walk *walk, PyObject *value, Layout *layout, int depth)
{
    if (Py_TYPE(value) != &PyFrozenSet_Type)
        return ASK_TWIN; /* its class may define how it is iterated */
    Answer answer = begin_record(walk, layout, PySet_GET_SIZE(value), depth);
    if (answer != DONE)
        return answer;
    if (walk->opened)
        walk->opened->hashed++;
    answer = put_elements(walk, value, depth + 1);
    if (walk->opened)
        walk->opened->hashed--;
    return answer;
}

/* The parts of another record, kept to the end of the walk, or NULL with an exception. */
PyObject *walk_parts(Walk *walk, PyObject *value, Layout *layout)
{
    PyObject *said = PyObject_CallMethod(layout->python, "parts", "(O)", value);
    PyObject *parts = said ? PySequence_Fast(said, "the parts of a record are a sequence") : NULL;
    Py_XDECREF(said);
    if (!parts || (!walk->kept && !(walk->kept = PyList_New(0))) || PyList_Append(walk->kept, parts) < 0) {
        Py_XDECREF(parts);
        return NULL;
    }
    Py_DECREF(parts); /* kept */
    return parts;
}

static Answer put_record(Walk *walk, PyObject *value, Layout *layout, int depth)
{
    if (walk->opened)
        return ASK_TWIN;
    PyObject *parts = walk_parts(walk, value, layout);
    if (!parts)
        return FAILED;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(parts);
    Answer answer = begin_record(walk, layout, count, depth);
    for (Py_ssize_t at = 0; answer == DONE && at < count; at++)
        answer = put(walk, PySequence_Fast_GET_ITEM(parts, at), depth + 1);
    return answer;
}

/* ---- nodes ------------------------------------------------------------------------------------ */

static bool more_places(Walk *walk)
{
    uint32_t mask = walk->mask * 2 + 1;
    Place *places = calloc((size_t)mask + 1, sizeof *places);
    if (!places) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t number = 0; number < walk->nodes; number++) {
        uint32_t at = address_hash(walk->order[number].thing) & mask;
        while (places[at].walk)
            at = (at + 1) & mask;
        places[at] = (Place){walk->order[number].thing, walk->walk, (uint32_t)number};
    }
    free(walk->places);
    walk->places = places;
    walk->mask = mask;
    return true;
}

static inline bool one_too_many(Walk *walk, Layout *layout)
{
    if (layout->met_in != walk->walk) {
        layout->met_in = walk->walk;
        layout->met = 0;
    }
    return ++layout->met > layout->limit;
}

Answer walk_visit(Walk *walk, PyObject *thing, Layout *layout, uint32_t *number)
{
    uint32_t at = address_hash(thing) & walk->mask;
    for (; walk->places[at].walk == walk->walk; at = (at + 1) & walk->mask) {
        if (walk->places[at].thing == thing) {
            *number = walk->places[at].number;
            return DONE;
        }
    }
    if (walk->trial)
        return ASK_TWIN;
    uint32_t pinned;
    if (walk->table->pinned.used && address_map_get(&walk->table->pinned, thing, &pinned))
        layout = walk->table->by_number[pinned];
    else if (walk->bounded && layout->limit >= 0 && one_too_many(walk, layout))
        return too_much(walk, layout, false, layout->met, layout->limit);
    if (!GROW(walk->order, walk->order_capacity, walk->nodes + 1))
        return FAILED;
    *number = (uint32_t)walk->nodes;
    walk->places[at] = (Place){thing, walk->walk, *number};
    walk->order[walk->nodes++] = (Visited){Py_NewRef(thing), layout};
    if (walk->nodes * 2 > walk->mask && !more_places(walk))
        return FAILED;
    return DONE;
}

static inline Answer put_node(Walk *walk, PyObject *value, Layout *layout)
{
    uint32_t number;
    Answer answer = walk_visit(walk, value, layout, &number);
    if (answer != DONE)
        return answer;
    return number <= MOST_REF ? put_byte(walk, (uint8_t)(SMALL_REF + number)) : put_coded(walk, REF, number);
}

/* Writes one value (NULL: absent); a node that is met for the first time joins the queue. */
static Answer put(Walk *walk, PyObject *value, int depth)
{
    if (!value || value == ABSENT_OBJECT)
        return put_byte(walk, MISSING);
    if (walk->opened && (Py_TYPE(value) == &TokenType || (depth && PyLong_CheckExact(value))))
        return put_number(walk, value, NULL, PLACE_RECORDS);
    Layout *layout = table_layout(walk->table, Py_TYPE(value));
    if (!layout)
        return ASK_TWIN; /* a class not seen before: even that of None has a number */
    if (is_node(layout))
        return put_node(walk, value, layout);
    if (layout->cls == &PyLong_Type)
        return put_int(walk, value, layout);
    if (value == Py_None)
        return put_byte(walk, NONE);
    if (layout->cls == &PyBool_Type)
        return put_byte(walk, value == Py_True ? TRUE_ : FALSE_);
    if (layout->cls == &PyFloat_Type)
        return put_float(walk, value);
    switch (layout->kind) {
    case KIND_ATOM:
        return put_atom(walk, value, layout);
    case KIND_TUPLE:
        return put_tuple(walk, value, layout, depth);
    case KIND_FROZENSET:
        return put_frozenset(walk, value, layout, depth);
    case KIND_RECORD:
        return put_record(walk, value, layout, depth);
    default:
        return ASK_TWIN;
    }
}

/* The same for a value of a node, where small ints, None and truth values are the usual case. */
static inline Answer put_value(Walk *walk, PyObject *value)
{
    long small;
    if (!reserve(walk))
        return FAILED;
    if (value == Py_None) {
        walk->out[walk->used++] = NONE;
        return DONE;
    }
    if (value && Py_TYPE(value) == &PyLong_Type && small_int(value, &small)) {
        walk->out[walk->used++] = (uint8_t)(SMALL_INT + small);
        return DONE;
    }
    if (value == Py_True || value == Py_False) {
        walk->out[walk->used++] = value == Py_True ? TRUE_ : FALSE_;
        return DONE;
    }
    return put(walk, value, 0);
}

/* The same for a value that may be open. */
static Answer put_at(Walk *walk, PyObject *value, Layout *layout, Py_ssize_t place)
{
    return is_numeral(value) ? put_number(walk, value, layout, place) : put_value(walk, value);
}

/* Writes values; each has a place of its own, or all have the given one. */
static Answer put_open_values(Walk *walk, PyObject **values, Py_ssize_t count, Layout *layout, Py_ssize_t place)
{
    for (Py_ssize_t at = 0; at < count; at++) {
        Answer answer = put_at(walk, values[at], layout, place < 0 ? place : at);
        if (answer != DONE)
            return answer;
    }
    return DONE;
}

static inline Answer put_values(Walk *walk, PyObject **values, Py_ssize_t count)
{
    for (Py_ssize_t at = 0; at < count; at++) {
        Answer answer = put_value(walk, values[at]);
        if (answer != DONE)
            return answer;
    }
    return DONE;
}

/* A container with more elements than are put in: one that keeps its length counts like an object. */
static Answer meet_long(Walk *walk, Layout *layout, Py_ssize_t elements)
{
    struct KeptLength *kept = kept_length(layout, elements);
    if (!kept)
        return too_much(walk, layout, true, elements, walk->most);
    if (kept->met_in != walk->walk) {
        kept->met_in = walk->walk;
        kept->met = 0;
    }
    return ++kept->met > kept->most ? too_much(walk, layout, false, kept->met, kept->most) : DONE;
}

static inline Answer begin_content(Walk *walk, Layout *layout, Py_ssize_t values, Py_ssize_t elements)
{
    Answer answer = put_count(walk, (uint64_t)values);
    if (answer == DONE && walk->most >= 0 && elements > walk->most)
        return meet_long(walk, layout, elements);
    return answer;
}

static inline Answer drain_object(Walk *walk, PyObject *thing, Layout *layout)
{
    Py_ssize_t count = read_fields(layout, thing, &walk->fields, &walk->fields_capacity);
    if (count < 0)
        return ASK_TWIN;
    Answer answer = layout->has_dict ? put_count(walk, (uint64_t)count) : DONE;
    if (answer == DONE && walk->opened)
        return put_open_values(walk, walk->fields, count, layout, 0);
    return answer != DONE ? answer : put_values(walk, walk->fields, count);
}

static Answer drain_list(Walk *walk, PyObject *thing, Layout *layout)
{
    Py_ssize_t count = PyList_GET_SIZE(thing);
    Answer answer = begin_content(walk, layout, count, count);
    if (answer == DONE && walk->opened)
        return put_open_values(walk, ((PyListObject *)thing)->ob_item, count, layout, PLACE_ELEMENTS);
    return answer != DONE ? answer : put_values(walk, ((PyListObject *)thing)->ob_item, count);
}

static Answer drain_dict(Walk *walk, PyObject *thing, Layout *layout)
{
    Py_ssize_t count = PyDict_GET_SIZE(thing), cursor = 0;
    PyObject *key, *value;
    Answer answer = begin_content(walk, layout, count * 2, count);
    while (walk->opened && answer == DONE && PyDict_Next(thing, &cursor, &key, &value)) {
        walk->opened->hashed++;
        answer = put_at(walk, key, layout, PLACE_ELEMENTS);
        walk->opened->hashed--;
        if (answer == DONE)
            answer = put_at(walk, value, layout, PLACE_VALUES);
    }
    while (!walk->opened && answer == DONE && PyDict_Next(thing, &cursor, &key, &value)) {
        answer = put_value(walk, key);
        if (answer == DONE)
            answer = put_value(walk, value);
    }
    return answer;
}

static Answer drain_set(Walk *walk, PyObject *thing, Layout *layout)
{
    Py_ssize_t count = PySet_GET_SIZE(thing);
    Answer answer = begin_content(walk, layout, count, count);
    if (answer != DONE)
        return answer;
    if (walk->opened)
        walk->opened->hashed++;
    answer = put_elements(walk, thing, 0);
    if (walk->opened)
        walk->opened->hashed--;
    return answer;
}

/* How many elements a container holds that its Python layout has read; -1 with an exception. */
static Py_ssize_t elements_in(Layout *layout, PyObject *values)
{
    PyObject *start = PyObject_CallMethod(layout->python, "content_start", "(O)", values);
    if (!start)
        return -1;
    Py_ssize_t before = PyLong_AsSsize_t(start);
    Py_DECREF(start);
    return PyErr_Occurred() ? -1 : (PySequence_Fast_GET_SIZE(values) - before) / layout->stride;
}

static Answer drain_other(Walk *walk, PyObject *thing, Layout *layout)
{
    PyObject *read = PyObject_CallMethod(layout->python, "read", "(O)", thing);
    PyObject *values = read ? PySequence_Fast(read, "the values of a node are a sequence") : NULL;
    Py_XDECREF(read);
    if (!values || (!walk->kept && !(walk->kept = PyList_New(0))) || PyList_Append(walk->kept, values) < 0) {
        Py_XDECREF(values);
        return FAILED;
    }
    Py_DECREF(values); /* kept */
    Py_ssize_t count = PySequence_Fast_GET_SIZE(values);
    Py_ssize_t elements = layout->is_container && walk->most >= 0 ? elements_in(layout, values) : 0;
    if (elements < 0)
        return FAILED;
    Answer answer = layout->fixed_size ? DONE : begin_content(walk, layout, count, elements);
    return answer != DONE ? answer : put_values(walk, PySequence_Fast_ITEMS(values), count);
}

static inline Answer drain_node(Walk *walk, PyObject *thing, Layout *layout)
{
    switch (layout->kind) {
    case KIND_OBJECT:
        return drain_object(walk, thing, layout);
    case KIND_LIST:
        return drain_list(walk, thing, layout);
    case KIND_DICT:
        return drain_dict(walk, thing, layout);
    case KIND_SET:
        return drain_set(walk, thing, layout);
    case KIND_OTHER:
        return walk->opened ? ASK_TWIN : drain_other(walk, thing, layout);
    default:
        return ASK_TWIN;
    }
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* Puts the header before what was written: the classes of the nodes and the number of roots. */
static Answer finish(Walk *walk, Py_ssize_t roots)
{
    size_t most = 10 * (walk->nodes + 2) + walk->used;
    if (!GROW(walk->state, walk->state_capacity, most))
        return FAILED;
    uint8_t *end = leb128(walk->state, walk->nodes);
    for (size_t at = 0; at < walk->nodes; at++)
        end = leb128(end, walk->order[at].layout->number);
    end = leb128(end, (uint64_t)roots);
    memcpy(end, walk->out, walk->used);
    walk->state_size = (size_t)(end - walk->state) + walk->used;
    return DONE;
}

void walk_begin(Walk *walk, Table *table, bool bounded)
{
    walk->table = table;
    walk->bounded = bounded;
    walk->trial = false;
    walk->most = bounded ? table->most : -1;
    walk->used = 0;
    walk->busy = true;
    walk->walk++; /* the marks of earlier walks mean nothing now */
}

void walk_end(Walk *walk)
{
    size_t nodes = walk->nodes;
    walk->nodes = 0;
    Py_CLEAR(walk->kept);
    for (size_t at = 0; at < nodes; at++)
        Py_DECREF(walk->order[at].thing);
    walk->busy = false;
}

Answer walk_run(Walk *walk, Table *table, PyObject *const *roots, Py_ssize_t count, bool bounded)
{
    if (walk->busy)
        return ASK_TWIN; /* a walk within a walk */
    if (table->layouts_known < PyList_GET_SIZE(table->layouts) && table_learn(table) < 0)
        return FAILED;
    Answer answer = DONE;
    int collecting = PyGC_Disable(); /* a collection may run foreign code in the middle */
    walk_begin(walk, table, bounded);
    for (Py_ssize_t at = 0; answer == DONE && at < count; at++)
        answer = put(walk, roots[at], 0);
    for (size_t at = 0; answer == DONE && at < walk->nodes; at++) /* grows while we walk */
        answer = drain_node(walk, walk->order[at].thing, walk->order[at].layout);
    if (answer == DONE)
        answer = finish(walk, count);
    if (collecting)
        PyGC_Enable();
    walk_end(walk);
    return answer;
}

PyObject *too_much_reason(const TooMuch *much)
{
    if (!much->layout)
        return PyUnicode_FromFormat("more than %zd tuples within each other", much->most);
    PyObject *name = PyObject_GetAttrString((PyObject *)much->layout->cls, "__name__");
    PyObject *reason = NULL;
    if (name && much->elements)
        reason = PyUnicode_FromFormat("a %S of %zd elements, of at most %zd", name, much->count, much->most);
    else if (name)
        reason = PyUnicode_FromFormat("%zd objects of class %S, of at most %zd", much->count, name, much->most);
    Py_XDECREF(name);
    return reason;
}

int walk_init(Walk *walk)
{
    walk->mask = 255;
    walk->places = calloc((size_t)walk->mask + 1, sizeof *walk->places);
    if (!walk->places || !GROW(walk->fields, walk->fields_capacity, 64)) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

void walk_clear(Walk *walk)
{
    free(walk->out);
    free(walk->state);
    free(walk->order);
    free(walk->places);
    free(walk->fields);
    memset(walk, 0, sizeof *walk);
}
