/* Whole numbers in zones: the compiled twin of the room `points`.
 *
 * The same steps in the same order as in Python (zone.py, normal.py, plan.py, counting.py, union.py), on 32-bit bounds,
 * 64-bit counts and at most 64 free variables. Where a zone goes beyond, the answer is ASK_TWIN.
 *
 *     points_zone.c    zones read and written, closed, normalised, cut along each other
 *     points_plan.c    the order of choices, and how many completions each has
 *     points.c         the type Digits and the functions, as Python sees them
 */
#ifndef UNLIKE_POINTS_H
#define UNLIKE_POINTS_H

#include "native.h"

#define MOST_FREE 64
#define MOST_BOUND (1 << 28) /* sums of two stay within 32 bits */
#define MOST_WORK 4000000    /* as in plan.py */
#define MOST_PIECES 5000     /* as in union.py */

typedef struct {
    int32_t i, j, c; /* about x_i - x_j and c */
} Difference;

/* Memory that is given back all at once. */
typedef struct Block Block;
typedef struct {
    Block *last;
} Arena;

void *arena_take(Arena *arena, size_t size); /* zeroed; NULL with MemoryError set */
void arena_clear(Arena *arena);
#define TAKE(arena, type, count) ((type *)arena_take((arena), sizeof(type) * (size_t)(count)))

typedef struct {
    int size; /* slots + 1 */
    int32_t *bounds;
    Difference *unequal;
    int unequals;
} PieceData;

#define BOUND(zone, i, j) ((zone)->bounds[(i) * (zone)->size + (j)])

typedef struct {
    int slots, size; /* size: free variables + 1 */
    int *which;
    int32_t *offset;
    PieceData zone; /* over free variables */
} NormalData;

Answer piece_read(PieceData *zone, Arena *arena, PyObject *bounds, PyObject *unequal);
PyObject *piece_write(const PieceData *zone); /* (bounds, unequal) */
bool piece_close(PieceData *zone);            /* false: empty */
bool piece_tighten(PieceData *zone, int i, int j, int32_t most);
Answer piece_normal(NormalData *normal, Arena *arena, const PieceData *zone, bool *empty);
Answer pieces_disjoint(Arena *arena, PieceData *zones, int count, PieceData **pieces, int *used);

typedef struct {
    int variable;
    int32_t c;
} Link;

typedef struct Choice Choice;
struct Choice {
    int variable;
    int32_t low, high;
    Link *above, *below, *beside;
    int aboves, belows, besides;
    int32_t *excluded, *taken; /* sorted; working memory */
    int excludeds;
    uint64_t depends;
    Choice **children;
    int children_used;
    bool alone;
    uint64_t *sums;  /* alone: completions of all values before */
    uint64_t *known; /* not alone: completions by the values it depends on */
};

typedef struct {
    NormalData normal;
    Choice *choices; /* in the order of choice: trees in preorder, then what was peeled off */
    Choice **roots;
    int used, trees, roots_used;
    uint64_t *radices;
    int radices_used;
    bool too_large; /* some count does not fit into 64 bits */
} PlanData;

Answer plan_make(PlanData *plan, Arena *arena); /* needs plan->normal */
bool plan_fill(PlanData *plan, const uint64_t *digits, int32_t *values);
bool plan_advance(PlanData *plan, int32_t *values); /* false: that was the last */
bool plan_next(PlanData *plan, Choice *choice, int32_t *values, int32_t from);

int points_add(PyObject *module);

#endif
