/* What the compiled probes and the record that they write to know of each other: observe.c, observe_record.c. */
#ifndef UNLIKE_OBSERVE_H
#define UNLIKE_OBSERVE_H

#include "native.h"

/* From the boundary of a comparison; whole numbers are exact up to MOST_NUMBER, what is further away is a float. */
typedef struct {
    bool is_float;
    long long whole;
    double part;
} Distance;

typedef struct {
    Distance away;
    PyObject *a, *b; /* NULL: nothing came from this side */
} Closest;

struct Cell;

typedef struct {
    PyObject_HEAD
    struct Cell **touched; /* cells that were written to since the last `take` */
    size_t touched_size, touched_used;
    long long *tally; /* how often each slot was marked */
    size_t tally_size;
    long long *marked; /* the slots that were */
    size_t marked_size, marked_used;
    PyObject *pairs; /* compared values that were handed out */
} Record;

/* A comparison of the source: what came closest to its boundary, below it and above it. */
typedef struct Cell {
    PyObject_HEAD
    Record *record;
    long long spot;
    Closest low, high;
    int first; /* the side that was met first: -1, 1, or 0 for none */
    int tries; /* to find the nearest of many */
    bool on, is_touched;
} Cell;

extern PyTypeObject CellType, RecordType;

bool touch(Cell *cell);
bool mark_slot(Record *record, PyObject *slot);
int compare_distances(Distance one, Distance two);
bool come_closer(Cell *cell, Distance away, PyObject *a, PyObject *b);

static inline Distance whole_distance(long long number)
{
    Distance made = {false, number, 0};
    return made;
}

#endif
