/* Covering arrays: rows in which every tuple of values that is needed stands; the twin of `unlike.covering.plain`.
 *
 *     covering.c          the type Covering, as Python sees it
 *     covering_layer.c    which tuples of a layer (some parameters, one strength) are needed, open or shown once
 *     covering_legal.c    rules; legal rows; which tuples no legal row has
 *     covering_rows.c     rows one after the other, each with as many open tuples as can be found
 *     covering_fewer.c    a row less, again and again: moves that put an open tuple where least is lost
 *
 * Both twins draw the same numbers in the same order, so that they give the same rows.
 */
#ifndef UNLIKE_COVERING_H
#define UNLIKE_COVERING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef uint64_t Bits;
enum { MOST_CLASSES = 16, OPEN = 0, ONCE = 1, NEEDED = 2 };

/* Some parameters and how many of them are combined. Strengths 2 and 3 are sets of bits: `of[OPEN]` has at an item
 * (at two items) the items that make an open tuple with it. Other strengths are a table with a place for each tuple. */
typedef struct {
    int t, k, items, words, classes;
    const int *counts; /* values of each parameter of the whole */
    int *param;    /* global number of each parameter */
    int *local;    /* and back; -1 */
    int *start;    /* first item of each parameter; items of one class share no word with others */
    int *owner;    /* parameter of an item; -1 between classes */
    int *cls;      /* class of a parameter: those of as many values */
    int *word_cls; /* class of a word */
    long levels[MOST_CLASSES];
    long weight[MOST_CLASSES][MOST_CLASSES][MOST_CLASSES];
    size_t size;
    Bits *of[3];
    long *base; /* strength 3: place of the first tuple of two items */
    long tuples, sets;
    int *members;           /* of each set of parameters, for a table */
    long *first;            /* place of its first tuple */
    long *with, *with_start; /* the sets with a parameter */
    long *set_weight;
    uint8_t *need;
    uint16_t *times;
    long at; /* where open tuples are looked for */
    int before; /* words of earlier layers */
    bool picky; /* legal rows may have tuples that are not needed */
} Layer;

typedef struct {
    int layer;
    long place;
} Missing;

typedef struct {
    PyObject_HEAD
    int params, layers, rules, words, widest; /* widest: greatest strength */
    int *levels, *global;                     /* global: first item of a parameter; params + 1 */
    uint8_t *enters;                          /* by item */
    int *rule_start, *part_param;
    long *part_values;
    uint8_t *allowed;
    int *of_start, *of_rule; /* the rules with a parameter */
    int *component;          /* parameters that rules join; -1 */
    Layer *layer;
    uint64_t chance;
    int *pool, pooled; /* legal rows */
    int *list;
    size_t list_used, list_room;
    PyObject *look; /* called now and then while it is decided; what it raises ends that */
    unsigned long looks;
    /* the search */
    int rows, fixed, best_rows, *row, *best, *tabu;
    Bits *bits;
    Missing *missing;
    int *missing_items;
    long missing_used, missing_room;
    long step, last, least_missing;
} Covering;

enum { POOL = 64 };

static inline uint32_t draw(Covering *c, uint32_t n)
{
    c->chance = c->chance * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((c->chance >> 33) % n);
}

#define HAS(set, x) ((set)[(x) >> 6] >> ((x) & 63) & 1)
#define PUT(set, x) ((set)[(x) >> 6] |= UINT64_C(1) << ((x) & 63))
#define TAKE(set, x) ((set)[(x) >> 6] &= ~(UINT64_C(1) << ((x) & 63)))

#if defined(__GNUC__) && defined(__x86_64__) && defined(__linux__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__)
#define FAST __attribute__((target_clones("arch=haswell", "default")))
#else
#define FAST
#endif

/* layer */
bool layer_init(Layer *layer, const Covering *c, int t, const int *params, int k);
void layer_clear(Layer *layer);
long layer_gain(const Layer *layer, int which, int p, int v, const int *row, const Bits *bits, bool weighted);
void layer_weigh(Layer *layer, long ahead);
void layer_open(Layer *layer); /* all that is needed is open */
long layer_left(const Layer *layer, int which);
void layer_show(Layer *layer, const int *row, const Bits *bits); /* a row's tuples are open no more */
long layer_place(const Layer *layer, const int *items); /* of the tuple of these items, by rising parameter */
void layer_mark(Layer *layer, const int *items, int which, bool on);
bool layer_has(const Layer *layer, int which, const int *items);
bool layer_next(const Layer *layer, int which, int *sets, int *items); /* the next tuple of a set of parameters */
void layer_forbid(Layer *layer, const int *params, const int *values, int n);
int layer_items(const Layer *layer, const int *row, int *items); /* of a row; -1 where it is open */

static inline long gain(const Covering *c, int which, int p, int v, const int *row, const Bits *bits, bool weighted)
{
    long sum = 0;
    for (int l = 0; l < c->layers; l++)
        if (c->layer[l].local[p] >= 0)
            sum += layer_gain(&c->layer[l], which, c->layer[l].local[p], v, row, bits + c->layer[l].before, weighted);
    return sum;
}

static inline void put_cell(const Covering *c, Bits *bits, int p, int v, bool on)
{
    for (int l = 0; l < c->layers; l++) {
        const Layer *layer = &c->layer[l];
        int q = layer->local[p];
        if (q < 0 || !layer->words)
            continue;
        if (on)
            PUT(bits + layer->before, layer->start[q] + v);
        else
            TAKE(bits + layer->before, layer->start[q] + v);
    }
}

static inline void row_bits(const Covering *c, const int *row, Bits *bits)
{
    memset(bits, 0, sizeof(Bits) * (size_t)(c->words + 1));
    for (int p = 0; p < c->params; p++)
        if (row[p] >= 0)
            put_cell(c, bits, p, row[p], true);
}

/* legal */
bool keeps_rules(const Covering *c, int p, const int *row);
int repair(Covering *c, int *row, char *fixed, long *budget, const int *changed, int n);
int find_legal(Covering *c, int *row, const int *params, const int *values, int n, long budget);
PyObject *covering_decide(Covering *c, PyObject *args);

/* rows */
PyObject *covering_begin(Covering *c, PyObject *args);
PyObject *covering_grow(Covering *c, PyObject *args);
PyObject *covering_count_least(Covering *c, PyObject *unused);
PyObject *covering_arrange(Covering *c, PyObject *args);
PyObject *covering_missing(Covering *c, PyObject *args);

/* fewer */
PyObject *covering_begin_search(Covering *c, PyObject *args);
PyObject *covering_search(Covering *c, PyObject *args);
PyObject *covering_best(Covering *c, PyObject *unused);
long change_of(Covering *c, int which, bool weighted, int *row, Bits *bits, const int *params, const int *values, int n);

/* Python values */
int *read_rows(const Covering *c, PyObject *rows, int *count);
PyObject *make_row(const Covering *c, const int *row);
PyObject *make_tuple(const Covering *c, const int *params, const int *values, int n);
int read_tuple(const Covering *c, PyObject *cells, int *params, int *values, int most);
int covering_add(PyObject *module);

#endif
