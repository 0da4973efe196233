/* The compiled walk: what the parts of `unlike._native` know of each other.
 *
 * The Python walk (room `heap`) is the master. It alone numbers classes, atoms and field names; its tables are read
 * here, never written. Where this code meets something that the tables do not know yet, or that is not one of the
 * kinds below, it answers ASK_TWIN: the Python walk does that one piece of work and learns, and the next time
 * it is known. So both give the same bytes by construction, and rare things need no second implementation.
 *
 *     table.c      what the numbers in the bytes stand for: a copy of the tables, by address
 *     fields.h     the slots and the instance dictionary of an object, read and written
 *     walk.c       object graph -> bytes
 *     rebuild.c    bytes -> object graph
 *     memory.c     a remembered graph: did it change, put it back
 *     store.c      known states
 *     expand.c     the loop: call, changed?, walk, known?, put back
 *     walker.c     the types Walker and Snapshot, as Python sees them
 *     points*.c    whole numbers in zones: the twin of the room `points`, with a header of its own
 *     open.h       values left open: tokens, zones, the paths of calls, abstract states
 */
#ifndef UNLIKE_NATIVE_H
#define UNLIKE_NATIVE_H

#define PY_SSIZE_T_CLEAN
#if defined(__has_include) && !defined(UNLIKE_PORTABLE)
#if __has_include(<internal/pycore_dict.h>)
#define UNLIKE_INTERNALS_FOUND 1
#endif
#endif
#include <patchlevel.h>
#if defined(UNLIKE_INTERNALS_FOUND) && PY_VERSION_HEX >= 0x030b0000 && PY_VERSION_HEX < 0x030c0000
#define UNLIKE_INLINE_VALUES 1 /* 3.11 keeps fields beside the object: reading them there makes no dictionary */
#define Py_BUILD_CORE_MODULE 1
#endif
#include <Python.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef Py_GIL_DISABLED
#error "the compiled walk relies on the interpreter lock; without it the Python walk is used"
#endif

typedef enum {
    DONE,
    OUTSIDE,  /* one object or element too many */
    ASK_TWIN, /* not known here: let the Python walk do it */
    FAILED,   /* a Python exception is set */
} Answer;

/* ---- memory that grows ------------------------------------------------------------------------ */

/* Makes room for `wanted` items; returns false with MemoryError set. */
bool grow(void *array, size_t *capacity, size_t wanted, size_t item);
#define GROW(array, capacity, wanted) \
    ((size_t)(wanted) <= (capacity) || grow(&(array), &(capacity), (wanted), sizeof *(array)))

static inline uint32_t address_hash(const void *address)
{
    return (uint32_t)((((uintptr_t)address >> 4) * UINT64_C(0x9E3779B97F4A7C15)) >> 32);
}

/* From addresses to numbers, open addressing; never shrinks. */
typedef struct {
    struct AddressEntry {
        const void *address;
        uint32_t value;
    } *entries;
    uint32_t mask, used;
} AddressMap;

bool address_map_put(AddressMap *map, const void *address, uint32_t value);

static inline bool address_map_get(const AddressMap *map, const void *address, uint32_t *value)
{
    if (!map->entries)
        return false;
    for (uint32_t at = address_hash(address) & map->mask;; at = (at + 1) & map->mask) {
        if (map->entries[at].address == address) {
            *value = map->entries[at].value;
            return true;
        }
        if (!map->entries[at].address)
            return false;
    }
}

/* ---- tables ----------------------------------------------------------------------------------- */

typedef enum {
    KIND_FOREIGN, /* only the Python walk knows how */
    KIND_ATOM,
    KIND_TUPLE,
    KIND_FROZENSET,
    KIND_RECORD, /* another record: its Python layout says its parts, and makes it of them */
    KIND_OBJECT, /* from here on: nodes */
    KIND_LIST,
    KIND_DICT,
    KIND_SET,
    KIND_OTHER,        /* read and written by its Python layout */
    KIND_FOREIGN_NODE, /* a node that runs foreign code when it is read */
} Kind;

typedef struct Layout {
    PyTypeObject *cls;
    PyObject *python; /* the layout in the Python table */
    Kind kind;
    uint32_t number;
    Py_ssize_t limit; /* of instances in one graph, or -1 */
    bool is_container, hashes, unordered, fixed_size, makable;
    bool from_values; /* made by its Python layout when its values are known */
    bool from_plain;  /* and only if no node is among them */
    bool remade;      /* cannot be put back in place */
    bool uncounted;   /* a record whose parts are no elements */
    struct KeptLength {
        Py_ssize_t length, most, met;
        uint64_t met_in; /* the walk that counted them */
    } *kept;          /* lengths that are kept inside, and how many of each */
    Py_ssize_t kept_used;
    bool by_value;    /* an atom whose equal values have equal hashes and run no code: str, bytes, int */
    PyObject *pinned; /* the one object of this layout, or NULL */
    Py_ssize_t stride;
    /* fields of KIND_OBJECT */
    Py_ssize_t *offsets, slots;
    bool has_dict;
    PyObject *positions; /* name -> position in the dictionary part, in order of first sight */
    PyObject **names;
    Py_ssize_t names_known;
    size_t names_capacity;
#ifdef UNLIKE_INLINE_VALUES
    bool inline_values, in_order; /* in_order: entry i of the shared keys is name i */
    Py_ssize_t entries;
    size_t entries_capacity;
    Py_ssize_t *position_of_entry; /* -1: a name the table has not seen */
#endif
    /* how many the current walk has met */
    uint64_t met_in;
    Py_ssize_t met;
    /* what the fields (from 2 on) and the two kinds of elements were seen to hold: see walk.c */
    uint8_t *held;
    size_t held_capacity;
} Layout;

typedef struct {
    PyObject *layouts, *atoms, *atom_numbers; /* of the Python table */
    Py_ssize_t most;                          /* elements, or -1 */
    bool omits;                               /* some fields are left out */
    Layout **by_number;
    size_t by_number_capacity;
    Py_ssize_t layouts_known, atoms_known;
    AddressMap by_class, atom_by_address, pinned;
} Table;

int table_init(Table *table, PyObject *python);
void table_clear(Table *table);
int table_traverse(Table *table, visitproc visit, void *arg);
int table_learn(Table *table); /* copies layouts that the Python table has numbered since */
int64_t table_atom(Table *table, Layout *layout, PyObject *atom); /* -1 unknown, -2 failed */

static inline Layout *table_layout(const Table *table, PyTypeObject *cls)
{
    uint32_t number;
    return address_map_get(&table->by_class, cls, &number) ? table->by_number[number] : NULL;
}

static inline bool is_node(const Layout *layout)
{
    return layout->kind >= KIND_OBJECT;
}

/* ---- walk ------------------------------------------------------------------------------------- */

typedef struct {
    PyObject *thing; /* strong */
    Layout *layout;
} Visited;

typedef struct {
    PyObject *thing;
    uint64_t walk; /* the walk that put it here; any other makes the place free */
    uint32_t number;
} Place;

typedef struct {
    Layout *layout; /* NULL: tuples too deep */
    bool elements;
    Py_ssize_t count, most;
} TooMuch;

typedef struct {
    int slot; /* 0: the number itself */
    long long offset;
} OpenTerm;

/* The values left open that a walk has met; shapes with and without them are told apart by `places`, in Python. */
typedef struct {
    PyObject *places;
    OpenTerm *terms;
    size_t used, capacity;
    int hashed; /* keys and sets that are open: what is in them is chosen */
    uint8_t held_in_records;
} Opened;

/* One breadth-first pass and its working memory, which is kept for the next. */
typedef struct {
    Table *table;
    bool bounded, trial;
    Py_ssize_t most;
    uint8_t *out; /* what follows the header */
    size_t used, capacity;
    uint8_t *state; /* the whole state, when done */
    size_t state_size, state_capacity;
    Visited *order;
    size_t nodes, order_capacity;
    Place *places;
    uint32_t mask;
    uint64_t walk;
    PyObject **fields;
    size_t fields_capacity;
    PyObject *kept; /* values made by reading: they must outlive the walk, or addresses repeat */
    TooMuch too_much;
    bool busy;
    Opened *opened; /* or NULL: no value is open */
} Walk;

int walk_init(Walk *walk);
void walk_clear(Walk *walk);
Answer walk_run(Walk *walk, Table *table, PyObject *const *roots, Py_ssize_t count, bool bounded);
Answer walk_visit(Walk *walk, PyObject *thing, Layout *layout, uint32_t *number); /* number it if it is new */
void walk_begin(Walk *walk, Table *table, bool bounded);
void walk_end(Walk *walk);
PyObject *walk_parts(Walk *walk, PyObject *value, Layout *layout); /* borrowed: kept to the end of the walk */
PyObject *too_much_reason(const TooMuch *too_much);

/* ---- a remembered graph ------------------------------------------------------------------------- */

typedef struct {
    PyObject *thing; /* strong */
    Layout *layout;
    size_t start, count;  /* its part of the values */
    Py_ssize_t references; /* from within the graph; known for rebuilt graphs only */
} Entry;

typedef struct {
    Entry *entries;
    size_t entries_used, entries_capacity;
    PyObject **values; /* strong; NULL where a field is absent */
    size_t values_used, values_capacity;
    size_t *touched;
    size_t touched_used, touched_capacity;
    PyObject **roots; /* strong */
    size_t roots_used, roots_capacity;
    PyObject **scratch;
    size_t scratch_capacity;
    bool looked; /* `touched` is up to date */
} Memory;

Answer memory_take(Memory *memory, Walk *walk, Table *table, PyObject *const *roots, Py_ssize_t count);
Answer memory_rebuild(Memory *memory, Table *table, const uint8_t *state, size_t size);
Answer memory_rebuild_open(Memory *memory, Table *table, const uint8_t *state, size_t size, PyObject *const *open,
                           size_t count); /* open values are the given ones, in order */
int memory_changed(Memory *memory);     /* 1, 0, or -1 with an exception */
int memory_restore(Memory *memory);     /* 1, 0 if it must be made again, or -1 with an exception */
int memory_write(Memory *memory, Entry *entry);
Answer memory_remember_order(Memory *memory, size_t at);
void memory_forget(Memory *memory);     /* let the graph go */
void memory_dissolve(Memory *memory);   /* the same for a graph made here: cycles are cut if nobody else holds it */
void memory_clear(Memory *memory);
int memory_traverse(Memory *memory, visitproc visit, void *arg);

/* ---- store ------------------------------------------------------------------------------------ */

extern PyTypeObject StoreType;
typedef struct Store Store;
int64_t store_add(Store *store, const uint8_t *state, size_t size, int64_t parent, int64_t call); /* -1 known, -2 failed */
int64_t store_find(const Store *store, const uint8_t *state, size_t size); /* -1 not known */
bool store_knows(const Store *store, const uint8_t *state, size_t size);
bool store_view(Store *store, int64_t number, const uint8_t **state, size_t *size);

/* ---- types -------------------------------------------------------------------------------------- */

typedef struct {
    PyObject *target, *kwnames;
    PyObject **arguments; /* strong; without the roots, which come first */
    Py_ssize_t count;
    bool is_method;
} Prepared;

bool prepared_fill(Prepared *prepared, PyObject *call);
PyObject *prepared_run(const Prepared *prepared, PyObject *const *roots, size_t count);

bool clear_opaque(void);

/* guard.c */
void guard_put_back(void);
PyObject *guard_remember(PyObject *module, PyObject *rows);
PyObject *guard_restore(PyObject *module, PyObject *nothing);
PyObject *raised_exception(void);

typedef struct {
    PyObject_HEAD
    PyObject *twin;
    Table tables[2];
    Table *keys, *whole; /* the same one if states that compare equal are equal */
    Walk walk;
    Memory memory; /* of the parent that is expanded */
    bool expanding;
    PyObject *calls; /* the tuple that `prepared` was made from */
    Prepared *prepared;
    size_t prepared_used;
    TooMuch last_reason; /* the same reason comes again and again */
    bool has_last_reason;
    long long last_code;
} Walker;

extern PyTypeObject WalkerType, SnapshotType;
PyObject *walker_expand(Walker *self, PyObject *args, PyObject *kwargs);
void walker_drop_calls(Walker *self);

/* objects of the room heap that are needed here */
extern PyObject *ABSENT_OBJECT, *OUTSIDE_CLASS, *EMPTY_TUPLE;

/* observe.c */
int observe_add(PyObject *module);

#endif
