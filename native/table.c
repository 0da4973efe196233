/* What the numbers in the bytes stand for: a copy of the Python tables that is looked up by address. */
#include "native.h"

#include <structmember.h>

bool grow(void *array, size_t *capacity, size_t wanted, size_t item)
{
    size_t larger = *capacity + *capacity / 2 + 16;
    if (larger < wanted)
        larger = wanted;
    void **place = array;
    void *moved = larger > SIZE_MAX / item ? NULL : realloc(*place, larger * item);
    if (!moved) {
        PyErr_NoMemory();
        return false;
    }
    *place = moved;
    *capacity = larger;
    return true;
}

static void place_address(struct AddressEntry *entries, uint32_t mask, struct AddressEntry entry)
{
    uint32_t at = address_hash(entry.address) & mask;
    while (entries[at].address && entries[at].address != entry.address)
        at = (at + 1) & mask;
    entries[at] = entry;
}

bool address_map_put(AddressMap *map, const void *address, uint32_t value)
{
    if (!map->entries || (map->used + 1) * 2 > map->mask) {
        uint32_t mask = map->entries ? map->mask * 2 + 1 : 63;
        struct AddressEntry *entries = calloc((size_t)mask + 1, sizeof *entries);
        if (!entries) {
            PyErr_NoMemory();
            return false;
        }
        for (uint32_t at = 0; map->entries && at <= map->mask; at++)
            if (map->entries[at].address)
                place_address(entries, mask, map->entries[at]);
        free(map->entries);
        map->entries = entries;
        map->mask = mask;
    }
    uint32_t known;
    if (!address_map_get(map, address, &known))
        map->used++;
    place_address(map->entries, map->mask, (struct AddressEntry){address, value});
    return true;
}

/* ---- reading attributes of the Python layouts ------------------------------------------------- */

static int truth_of(PyObject *thing, const char *name)
{
    PyObject *value = PyObject_GetAttrString(thing, name);
    if (!value)
        return -1;
    int truth = PyObject_IsTrue(value);
    Py_DECREF(value);
    return truth;
}

/* Reads an int or None (-1) into `number`; false with an exception. */
static bool number_or_none(PyObject *thing, const char *name, Py_ssize_t *number)
{
    PyObject *value = PyObject_GetAttrString(thing, name);
    if (!value)
        return false;
    *number = value == Py_None ? -1 : PyLong_AsSsize_t(value);
    Py_DECREF(value);
    return !PyErr_Occurred();
}

static bool is_called(PyObject *thing, const char *name)
{
    return strcmp(Py_TYPE(thing)->tp_name, name) == 0;
}

static bool is_none(PyObject *thing, const char *name)
{
    PyObject *value = PyObject_GetAttrString(thing, name);
    if (!value)
        PyErr_Clear();
    Py_XDECREF(value);
    return value == Py_None;
}

static bool base_is_object(PyTypeObject *cls)
{
    while (cls && PyType_HasFeature(cls, Py_TPFLAGS_HEAPTYPE))
        cls = cls->tp_base;
    return cls == &PyBaseObject_Type;
}

/* ---- one layout --------------------------------------------------------------------------------- */

/* Takes over the slots; returns 0 if some slot is of a kind that is not known here. */
static int copy_slots(Layout *layout, PyObject *slots)
{
    Py_ssize_t count = PyTuple_GET_SIZE(slots);
    layout->offsets = calloc((size_t)count + 1, sizeof *layout->offsets);
    if (!layout->offsets) {
        PyErr_NoMemory();
        return -1;
    }
    for (Py_ssize_t at = 0; at < count; at++) {
        PyObject *slot = PyTuple_GET_ITEM(slots, at);
        if (Py_TYPE(slot) != &PyMemberDescr_Type)
            return 0;
        PyMemberDef *member = ((PyMemberDescrObject *)slot)->d_member;
        if (member->type != T_OBJECT_EX || (member->flags & READONLY))
            return 0;
        layout->offsets[at] = member->offset;
    }
    layout->slots = count;
    return 1;
}

static int copy_fields(Layout *layout, PyObject *python, bool omits)
{
    PyObject *fields = PyObject_GetAttrString(python, "fields");
    PyObject *slots = fields ? PyObject_GetAttrString(fields, "slots") : NULL;
    PyObject *dictionary = slots ? PyObject_GetAttrString(fields, "dictionary") : NULL;
    int copied = -1;
    if (dictionary && (layout->positions = PyObject_GetAttrString(fields, "positions"))) {
        copied = PyTuple_Check(slots) && PyDict_CheckExact(layout->positions) ? copy_slots(layout, slots) : 0;
        layout->has_dict = dictionary != Py_None;
        if (layout->has_dict && omits)
            copied = copied < 0 ? -1 : 0; /* which names are left out is for the Python layout to say */
    }
#ifdef UNLIKE_INLINE_VALUES
    layout->inline_values = PyType_HasFeature(layout->cls, Py_TPFLAGS_MANAGED_DICT) &&
                            ((PyHeapTypeObject *)layout->cls)->ht_cached_keys;
    layout->in_order = true;
#endif
    Py_XDECREF(fields);
    Py_XDECREF(slots);
    Py_XDECREF(dictionary);
    return copied;
}

static Kind container_kind(Layout *layout, PyObject *python)
{
    if (!is_none(python, "fields"))
        return layout->unordered ? KIND_FOREIGN_NODE : KIND_OTHER;
    if (layout->cls == &PyList_Type)
        return KIND_LIST;
    if (layout->cls == &PyDict_Type && !layout->unordered)
        return KIND_DICT;
    if (layout->cls == &PySet_Type)
        return KIND_SET;
    return layout->unordered ? KIND_FOREIGN_NODE : KIND_OTHER;
}

/* Finds out which kind of node it is; -1 with an exception. */
static int copy_node(Layout *layout, PyObject *python, bool omits)
{
    int is_container = truth_of(python, "is_container"), hashes = truth_of(python, "hashes");
    int unordered = truth_of(python, "unordered"), restorable = truth_of(python, "restorable");
    int fixed_size = truth_of(python, "fixed_size");
    if (is_container < 0 || hashes < 0 || unordered < 0 || restorable < 0 || fixed_size < 0)
        return -1;
    layout->is_container = is_container;
    layout->hashes = hashes;
    layout->unordered = unordered;
    layout->fixed_size = fixed_size;
    if (!number_or_none(python, "limit", &layout->limit) || !number_or_none(python, "stride", &layout->stride))
        return -1;
    layout->kind = KIND_OTHER;
    int quiet = truth_of(python, "quiet"), alone = truth_of(python, "made_alone");
    int early = truth_of(python, "made_early"), parts_first = truth_of(python, "needs_parts");
    if (quiet < 0 || alone < 0 || early < 0 || parts_first < 0)
        return -1;
    layout->remade = !restorable;
    if (!restorable) {
        layout->kind = quiet && !unordered ? KIND_OTHER : KIND_FOREIGN_NODE;
    } else if (is_called(python, "ObjectNode")) {
        int copied = copy_fields(layout, python, omits);
        if (copied < 0)
            return -1;
        if (copied && base_is_object(layout->cls))
            layout->kind = KIND_OBJECT;
    } else if (is_container) {
        layout->kind = container_kind(layout, python);
    }
    layout->from_values = layout->kind == KIND_OTHER && early;
    layout->from_plain = layout->from_values && parts_first;
    layout->makable = layout->kind >= KIND_OBJECT &&
                      (layout->kind <= KIND_SET || (layout->kind == KIND_OTHER && (alone || early)));
    return 0;
}

/* Copies the lengths that containers of the class keep; -1 with an exception. */
static int copy_kept(Layout *layout, PyObject *python)
{
    PyObject *lengths = PyObject_GetAttrString(python, "lengths"), *length, *most;
    Py_ssize_t cursor = 0;
    int copied = lengths && PyDict_Check(lengths) ? 0 : -1;
    if (copied == 0 && PyDict_GET_SIZE(lengths)) {
        layout->kept = calloc((size_t)PyDict_GET_SIZE(lengths), sizeof *layout->kept);
        if (!layout->kept) {
            PyErr_NoMemory();
            copied = -1;
        }
        while (copied == 0 && PyDict_Next(lengths, &cursor, &length, &most))
            layout->kept[layout->kept_used++] =
                (struct KeptLength){.length = PyLong_AsSsize_t(length), .most = PyLong_AsSsize_t(most)};
        if (PyErr_Occurred())
            copied = -1;
    }
    Py_XDECREF(lengths);
    return copied;
}

/* A pinned object has a layout of its own: that of its class, without a limit. */
static int copy_pinned(Table *table, Layout *layout, PyObject *python)
{
    PyObject *inner = PyObject_GetAttrString(python, "inner");
    if (!inner)
        return -1;
    int copied = copy_node(layout, inner, table->omits);
    if (copied == 0)
        copied = copy_kept(layout, inner);
    Py_DECREF(inner);
    layout->limit = -1;
    layout->pinned = PyObject_GetAttrString(python, "thing");
    if (copied < 0 || !layout->pinned)
        return -1;
    return address_map_put(&table->pinned, layout->pinned, layout->number) ? 0 : -1;
}

static int fill_layout(Table *table, Layout *layout, PyObject *python)
{
    PyObject *cls = PyObject_GetAttrString(python, "cls");
    if (!cls)
        return -1;
    layout->cls = (PyTypeObject *)cls; /* strong */
    if (is_called(python, "PinnedNode"))
        return copy_pinned(table, layout, python);
    int node = truth_of(python, "is_node");
    if (node < 0 || (node && copy_node(layout, python, table->omits) < 0) || copy_kept(layout, python) < 0)
        return -1;
    if (is_called(python, "Atom")) {
        layout->kind = KIND_ATOM;
        layout->by_value = layout->cls == &PyUnicode_Type || layout->cls == &PyBytes_Type || layout->cls == &PyLong_Type;
    } else if (is_called(python, "TupleRecord")) {
        int counted = truth_of(python, "counted");
        if (counted < 0)
            return -1;
        layout->kind = KIND_TUPLE;
        layout->uncounted = !counted;
    } else if (is_called(python, "FrozensetRecord")) {
        layout->kind = KIND_FROZENSET;
    } else if (!node) {
        int counted = truth_of(python, "counted"), unordered = truth_of(python, "unordered");
        if (counted < 0 || unordered < 0)
            return -1;
        layout->kind = unordered ? KIND_FOREIGN : KIND_RECORD;
        layout->uncounted = !counted;
    }
    return address_map_put(&table->by_class, cls, layout->number) ? 0 : -1;
}

static void layout_free(Layout *layout)
{
    if (!layout)
        return;
    for (Py_ssize_t at = 0; at < layout->names_known; at++)
        Py_XDECREF(layout->names[at]);
    Py_XDECREF(layout->cls);
    Py_XDECREF(layout->python);
    Py_XDECREF(layout->pinned);
    Py_XDECREF(layout->positions);
    free(layout->names);
    free(layout->offsets);
    free(layout->held);
    free(layout->kept);
#ifdef UNLIKE_INLINE_VALUES
    free(layout->position_of_entry);
#endif
    free(layout);
}

/* ---- the table ---------------------------------------------------------------------------------- */

int table_init(Table *table, PyObject *python)
{
    PyObject *limits = PyObject_GetAttrString(python, "limits");
    table->omits = limits && !is_none(limits, "omit");
    bool found = limits && number_or_none(limits, "elements", &table->most) &&
                 (table->layouts = PyObject_GetAttrString(python, "layouts")) &&
                 (table->atoms = PyObject_GetAttrString(python, "atoms")) &&
                 (table->atom_numbers = PyObject_GetAttrString(python, "_atom_numbers"));
    Py_XDECREF(limits);
    if (!found)
        return -1;
    if (!PyList_CheckExact(table->layouts) || !PyList_CheckExact(table->atoms) || !PyDict_CheckExact(table->atom_numbers)) {
        PyErr_SetString(PyExc_TypeError, "a table keeps its layouts and atoms in lists, its atom numbers in a dict");
        return -1;
    }
    return table_learn(table);
}

int table_learn(Table *table)
{
    while (table->layouts_known < PyList_GET_SIZE(table->layouts)) {
        Py_ssize_t number = table->layouts_known;
        PyObject *python = PyList_GET_ITEM(table->layouts, number);
        Layout *layout = calloc(1, sizeof *layout);
        if (!layout || !GROW(table->by_number, table->by_number_capacity, number + 1)) {
            free(layout);
            PyErr_NoMemory();
            return -1;
        }
        layout->number = (uint32_t)number;
        layout->limit = -1;
        layout->stride = 1;
        layout->python = Py_NewRef(python);
        table->by_number[number] = layout;
        table->layouts_known++;
        if (fill_layout(table, layout, python) < 0)
            return -1;
    }
    return 0;
}

/* Numbers that the Python table has given since; the table keeps its atoms alive, so addresses stay theirs. */
static bool learn_atoms(Table *table)
{
    for (; table->atoms_known < PyList_GET_SIZE(table->atoms); table->atoms_known++) {
        PyObject *atom = PyList_GET_ITEM(table->atoms, table->atoms_known);
        if (!address_map_put(&table->atom_by_address, atom, (uint32_t)table->atoms_known))
            return false;
    }
    return true;
}

int64_t table_atom(Table *table, Layout *layout, PyObject *atom)
{
    uint32_t number;
    if (table->atoms_known < PyList_GET_SIZE(table->atoms) && !learn_atoms(table))
        return -2;
    if (address_map_get(&table->atom_by_address, atom, &number))
        return number;
    if (!layout->by_value)
        return -1;
    PyObject *key = PyTuple_Pack(2, layout->cls, atom);
    PyObject *found = key ? PyDict_GetItemWithError(table->atom_numbers, key) : NULL;
    Py_XDECREF(key);
    if (!found)
        return PyErr_Occurred() ? -2 : -1;
    return PyLong_AsLongLong(found);
}

void table_clear(Table *table)
{
    for (Py_ssize_t at = 0; at < table->layouts_known; at++)
        layout_free(table->by_number[at]);
    free(table->by_number);
    free(table->by_class.entries);
    free(table->atom_by_address.entries);
    free(table->pinned.entries);
    Py_XDECREF(table->layouts);
    Py_XDECREF(table->atoms);
    Py_XDECREF(table->atom_numbers);
    memset(table, 0, sizeof *table);
}

int table_traverse(Table *table, visitproc visit, void *arg)
{
    Py_VISIT(table->layouts);
    Py_VISIT(table->atoms);
    Py_VISIT(table->atom_numbers);
    for (Py_ssize_t at = 0; at < table->layouts_known; at++) {
        Py_VISIT(table->by_number[at]->cls);
        Py_VISIT(table->by_number[at]->python);
        Py_VISIT(table->by_number[at]->pinned);
        Py_VISIT(table->by_number[at]->positions);
    }
    return 0;
}
