/* What atlas.c (the loop) and atlas_type.c (how Python sees it) share. */
#ifndef UNLIKE_ATLAS_H
#define UNLIKE_ATLAS_H

#include "open.h"

enum { CODE_NEW, CODE_KNOWN, CODE_OUTSIDE, CODE_PRECONDITION, CODE_ERROR, OUTCOMES };
enum { MOST_REASONS = 4096 };

typedef enum { CAME_COUNTED, CAME_OUTSIDE, CAME_FOUND, CAME_PYTHON } CameKind;

/* What a path came to. */
typedef struct {
    CameKind kind;
    uint32_t call, shape, node;
    int code, count;
    size_t start; /* of its terms */
    PyObject *python;
} Came;

typedef struct {
    int slot, offset;
} Term;

typedef struct {
    size_t start; /* of its numbers */
    uint32_t shape, length;
    int64_t parent, leaf; /* -1: Python knows where it comes from */
    int unequal;
    bool covered; /* by another one of the same length: it need not be expanded */
    bool inner;   /* all its points are in another one, perhaps of more calls */
} State;

/* A zone of a single point lies in another one of a single point only if they are the same: these are found by hash. */
typedef struct {
    uint32_t *states; /* those that no other of the same length covers */
    size_t used, capacity;
    uint32_t *wide; /* those among them with more than one point */
    size_t wide_used, wide_capacity;
    uint32_t *points; /* a hash table of the others, each one more than its number; 0 is free */
    size_t points_mask, points_used;
    int slots;
} OfShape;

typedef struct {
    Prepared call;
    PyObject *kept; /* holds the arguments that stay */
    int positions[MOST_ROWS], low[MOST_ROWS], high[MOST_ROWS], open_used;
    int64_t counts[OUTCOMES];
    bool answers, changes;
} OpenCall;

typedef struct {
    PyObject_HEAD
    Walker *walker; /* strong */
    Store *shapes;  /* strong */
    OfShape *by_shape;
    size_t shapes_used, by_shape_capacity;
    uint32_t *first; /* per shape and call: the first question */
    size_t first_capacity;
    State *states;
    size_t states_used, states_capacity;
    Bound *numbers;
    size_t numbers_used, numbers_capacity;
    Came *leaves;
    size_t leaves_used, leaves_capacity;
    Term *terms;
    size_t terms_used, terms_capacity;
    OpenCall *prepared;
    size_t calls_used;
    int64_t reasons[MOST_REASONS];
    PyObject *tokens[MOST_ROWS];
    Py_ssize_t usual[MOST_ROWS]; /* references that are here */
    Opened opened;
    Run run;
    PyObject *judge, *enter, *check, *roots;
    PyObject *invariant; /* the name of a method, a function of the object, or None */
    bool has_graph, declined, busy;
    uint32_t shape; /* of the state that is expanded */
    long long runs, look_at, paths, points; /* points: states that stand for one object with values */
} Atlas;

Answer atlas_walk(Atlas *atlas);
int64_t atlas_shape(Atlas *atlas, const uint8_t *bytes, size_t size, size_t slots); /* -1 with an exception */
int64_t atlas_add(Atlas *atlas, uint32_t shape, const Bound *packed, int unequal, uint32_t length, int64_t parent,
                  int64_t leaf);
Py_ssize_t atlas_expand(Atlas *atlas, const size_t *numbers, size_t states, const size_t *calls, size_t count);
PyObject *atlas_zone(Atlas *atlas, size_t number);

#endif
