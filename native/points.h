/* Whole numbers in zones: the compiled twin of `unlike.zones.points`.
 *
 * The same steps in the same order as in Python (zone.py, counting.py, points.py), on 32-bit bounds,
 * 64-bit counts and at most 64 free variables. Where a zone goes beyond, the answer is ASK_TWIN.
 *
 *     points_zone.c    zones read, brought to their free variables, cut along each other
 *     points_plan.c    the order of choices, and how many completions each has
 *     points.c         the type Digits and the functions, as Python sees them
 */
#ifndef UNLIKE_POINTS_H
#define UNLIKE_POINTS_H

#include "native.h"

#define MOST_FREE 64
#define MOST_BOUND (1 << 28) /* sums of two stay within 32 bits */
#define MOST_WORK 4000000    /* as in counting.py; a test compares what the module says of both */
#define MOST_PARTS 5000      /* as in points.py */

typedef struct {
    int32_t i, j, c; /* about x_i - x_j and c */
} Difference; /* in disequalities: that it is not c */

/* Memory that is given back all at once. */
typedef struct Block Block;
typedef struct {
    Block *last;
} Arena;

void *arena_take(Arena *arena, size_t size); /* zeroed; NULL with MemoryError set */
void arena_clear(Arena *arena);
#define TAKE(arena, type, count) ((type *)arena_take((arena), sizeof(type) * (size_t)(count)))

/* Closed bounds and disequalities; a part that was cut off need not be settled. */
typedef struct {
    int rows, stride; /* slots + 1, both: there is no padding */
    int32_t *bounds;
    Difference *unequal; /* sorted */
    int unequal_used;
} WideZone;

#define ZONE WideZone
#define NUMBER int32_t
#define UNEQUAL Difference
#define OPS(name) wide_##name
#include "zone_ops.h"
#undef ZONE
#undef NUMBER
#undef UNEQUAL
#undef OPS

typedef struct {
    int slots;
    int *which; /* slot i + 1 is the variable which[i], plus offset[i]; variable 0 is 0 */
    int32_t *offset;
    WideZone zone; /* over free variables */
} FreeZone;

Answer wide_read(WideZone *zone, Arena *arena, PyObject *from); /* something with bounds and unequal */
Answer find_free(FreeZone *found, Arena *arena, const WideZone *zone, bool *empty);
Answer make_disjoint(Arena *arena, WideZone *zones, int count, WideZone **parts, int *used);

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
    FreeZone free;
    Choice *choices; /* in the order of choice: trees in preorder, then what was peeled off */
    Choice **roots;
    int used, trees, roots_used;
    uint64_t *radices;
    int radices_used;
    bool too_large; /* some count does not fit into 64 bits */
} PlanData;

Answer plan_make(PlanData *plan, Arena *arena); /* needs plan->free */
bool plan_fill(PlanData *plan, const uint64_t *digits, int32_t *values);
bool plan_advance(PlanData *plan, int32_t *values); /* false: that was the last */
bool plan_next(PlanData *plan, Choice *choice, int32_t *values, int32_t from);

int points_add(PyObject *module);

#endif
