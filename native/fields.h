/* The slots and the instance dictionary of an object, read and written past `getattr`: no code of the class runs. */
#ifndef UNLIKE_FIELDS_H
#define UNLIKE_FIELDS_H

#include "native.h"

#ifdef UNLIKE_INLINE_VALUES
#include <internal/pycore_dict.h>
#include <internal/pycore_object.h>
#endif

static inline PyObject **slot_of(const Layout *layout, PyObject *thing, Py_ssize_t at)
{
    return (PyObject **)((char *)thing + layout->offsets[at]);
}

/* Gives a place a value (or none, NULL); what stood there is let go last, for that may run code. */
static inline void replace(PyObject **place, PyObject *value)
{
    PyObject *before = *place;
    *place = Py_XNewRef(value);
    Py_XDECREF(before);
}

/* Copies names that the Python layout has seen since; false if there are none (or no memory: then ask the twin). */
static inline bool learn_names(Layout *layout)
{
    Py_ssize_t known = PyDict_GET_SIZE(layout->positions), cursor = 0, at = 0;
    PyObject *name, *position;
    if (known == layout->names_known)
        return false;
    if (!GROW(layout->names, layout->names_capacity, known)) {
        PyErr_Clear();
        return false;
    }
    for (; PyDict_Next(layout->positions, &cursor, &name, &position); at++)
        if (at >= layout->names_known)
            layout->names[at] = Py_NewRef(name);
    layout->names_known = known;
#ifdef UNLIKE_INLINE_VALUES
    layout->entries = 0; /* map the shared keys again */
#endif
    return true;
}

/* The position of a name, or -1 if the table has not seen it. Names are interned, so addresses decide nearly always. */
static inline Py_ssize_t position_of(const Layout *layout, PyObject *name)
{
    for (Py_ssize_t at = 0; at < layout->names_known; at++)
        if (layout->names[at] == name)
            return at;
    if (!PyUnicode_CheckExact(name))
        return -1;
    for (Py_ssize_t at = 0; at < layout->names_known; at++)
        if (PyUnicode_CheckExact(layout->names[at]) && PyUnicode_Compare(layout->names[at], name) == 0)
            return at;
    return -1;
}

/* Reads a dictionary into out; returns the number of positions, or -1 at a name that is not known. */
static inline Py_ssize_t read_dictionary(const Layout *layout, PyObject *dictionary, PyObject **out)
{
    Py_ssize_t cursor = 0, expected = 0, count = 0;
    PyObject *name, *value;
    while (PyDict_Next(dictionary, &cursor, &name, &value)) {
        Py_ssize_t at = expected;
        if (at >= layout->names_known || layout->names[at] != name) {
            at = position_of(layout, name);
            if (at < 0)
                return -1;
        }
        while (count <= at)
            out[count++] = NULL;
        out[at] = value;
        expected = at + 1;
    }
    return count;
}

#ifdef UNLIKE_INLINE_VALUES
static inline PyDictKeysObject *shared_keys(const Layout *layout)
{
    return ((PyHeapTypeObject *)layout->cls)->ht_cached_keys;
}

static inline PyDictValues *values_of(const Layout *layout, PyObject *thing)
{
    return layout->inline_values ? *_PyObject_ValuesPointer(thing) : NULL;
}

/* Brings the map from the class's shared keys to positions up to date. */
static inline bool map_entries(Layout *layout)
{
    PyDictKeysObject *keys = shared_keys(layout);
    PyDictUnicodeEntry *entries = DK_UNICODE_ENTRIES(keys);
    if (!GROW(layout->position_of_entry, layout->entries_capacity, keys->dk_nentries)) {
        PyErr_Clear();
        return false;
    }
    layout->entries = keys->dk_nentries;
    layout->in_order = true;
    for (Py_ssize_t at = 0; at < layout->entries; at++) {
        layout->position_of_entry[at] = position_of(layout, entries[at].me_key);
        layout->in_order &= layout->position_of_entry[at] == at;
    }
    return true;
}

/* Reads values kept beside the object; returns the number of positions, or -1 at a name that is not known. */
static inline Py_ssize_t read_values(Layout *layout, PyDictValues *values, PyObject **out)
{
    if (layout->entries != shared_keys(layout)->dk_nentries && !map_entries(layout))
        return -1;
    Py_ssize_t count = layout->entries;
    if (layout->in_order) {
        while (count > 0 && !values->values[count - 1])
            count--;
        for (Py_ssize_t at = 0; at < count; at++)
            out[at] = values->values[at];
        return count;
    }
    count = 0;
    for (Py_ssize_t entry = 0; entry < layout->entries; entry++) {
        Py_ssize_t at = layout->position_of_entry[entry];
        if (!values->values[entry])
            continue;
        if (at < 0)
            return -1;
        while (count <= at)
            out[count++] = NULL;
        out[at] = values->values[entry];
    }
    return count;
}
#endif

/* The instance dictionary (borrowed from the object), or NULL with or without an exception. */
static inline PyObject *dictionary_of(PyObject *thing)
{
    PyObject *dictionary = PyObject_GenericGetDict(thing, NULL);
    Py_XDECREF(dictionary); /* the object holds it */
    return dictionary;
}

/* Reads the fields, borrowed, NULL where one is absent. Returns their number; -1 where the Python layout has to
 * be asked: a name not seen before, or a dictionary of a class of its own. */
static inline Py_ssize_t read_fields(Layout *layout, PyObject *thing, PyObject ***buffer, size_t *capacity)
{
    do {
        if (!GROW(*buffer, *capacity, layout->slots + layout->names_known + 32)) {
            PyErr_Clear();
            return -1;
        }
        PyObject **out = *buffer;
        for (Py_ssize_t at = 0; at < layout->slots; at++)
            out[at] = *slot_of(layout, thing, at);
        if (!layout->has_dict)
            return layout->slots;
        Py_ssize_t count;
#ifdef UNLIKE_INLINE_VALUES
        PyDictValues *values = values_of(layout, thing);
        if (values) {
            count = read_values(layout, values, out + layout->slots);
            if (count >= 0)
                return layout->slots + count;
            continue;
        }
#endif
        PyObject *dictionary = dictionary_of(thing);
        if (!dictionary) {
            PyErr_Clear();
            return -1;
        }
        if (!PyDict_CheckExact(dictionary))
            return -1;
        count = read_dictionary(layout, dictionary, out + layout->slots);
        if (count >= 0)
            return layout->slots + count;
    } while (learn_names(layout));
    return -1;
}

/* Gives an absent or present field of the dictionary a value, or takes it away (NULL). */
static inline int set_in_dictionary(Layout *layout, PyObject *thing, Py_ssize_t at, PyObject *value)
{
#ifdef UNLIKE_INLINE_VALUES
    PyDictValues *values = values_of(layout, thing);
    if (values && layout->entries != shared_keys(layout)->dk_nentries)
        map_entries(layout);
    if (values && layout->in_order && at < layout->entries && value) {
        if (!values->values[at])
            _PyDictValues_AddToInsertionOrder(values, at);
        replace(&values->values[at], value);
        return 0;
    }
#endif
    PyObject *dictionary = dictionary_of(thing);
    if (!dictionary)
        return -1;
    if (value)
        return PyDict_SetItem(dictionary, layout->names[at], value);
    return PyDict_DelItem(dictionary, layout->names[at]);
}

#endif
