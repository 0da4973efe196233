/* Values left open: tokens, zones, and the paths of calls. The compiled twin of the room `zones`, with points.h.
 *
 *     token.c      a stand-in for an integer that asks when it is looked at
 *     zone.c       bounds on differences and disequalities, as a matrix (zone_ops.h: its arithmetic)
 *     paths.c      a trie of questions and answers; the run that is under way
 *     atlas.c      abstract states, and the loop: every path of every call on a state
 */
#ifndef UNLIKE_OPEN_H
#define UNLIKE_OPEN_H

#include "native.h"

enum { MOST_SLOTS = 63, MOST_ROWS = MOST_SLOTS + 1, MOST_UNEQUAL = 256 };
enum { FARTHEST = 6000 }; /* a bound is nearer than this, so that the sum of two fits into 16 bits, with room for a third */
enum { CLAMPED = 20000 }; /* constants beyond this are all alike */

/* ---- tokens ----------------------------------------------------------------------------------- */

typedef enum { AT_MOST = 1, EQUAL = 2, VALUE = 3, LEAF = 4 } Question;

typedef struct {
    PyObject_HEAD
    int slot;
    long long offset;
} Token;

extern PyTypeObject TokenType;
PyObject *token_new(int slot, long long offset);
long long token_value(PyObject *token, bool *failed); /* asks for it */
extern PyObject *ANSWERS; /* the Python object that tokens ask when no compiled run is under way, or NULL */

/* ---- zones ------------------------------------------------------------------------------------ */

typedef int16_t Bound;
typedef struct {
    int16_t i, j, c; /* x_i - x_j != c, i > j */
} Unequal;

/* Row i of the matrix starts at i * stride; rows are padded with zeros that no operation makes smaller than -2 * FARTHEST. */
typedef struct {
    int rows, stride;
    int unequal_used;
    Unequal unequal[MOST_UNEQUAL];
    Bound bounds[MOST_ROWS * MOST_ROWS];
} Zone;

static inline int stride_for(int rows)
{
    return rows <= 8 ? 8 : rows <= 16 ? 16 : rows <= 32 ? 32 : 64;
}

#define ZONE Zone
#define NUMBER Bound
#define UNEQUAL Unequal
#define OPS(name) zone_##name
#include "zone_ops.h"
#undef ZONE
#undef NUMBER
#undef UNEQUAL
#undef OPS

void zone_copy(Zone *to, const Zone *from);
void zone_load(Zone *zone, const Bound *packed, int rows, int unequal);
bool zone_narrow(Zone *zone, Question question, int i, int j, int c, int answer); /* false: nothing is left */
bool zone_is_possible(const Zone *zone, Question question, int i, int j, int c, int answer); /* by the bounds alone */
bool zone_extend(Zone *zone, int low, int high);
bool zone_project(const Zone *zone, const int *slots, const int *offsets, int count, Bound *packed);
bool zone_project_all(const Zone *zone, const int *slots, const int *offsets, int count,
                      bool (*take)(void *, const Zone *), void *taker);
bool zone_includes(const Zone *zone, const Zone *other);

/* ---- paths ------------------------------------------------------------------------------------ */

typedef struct {
    uint8_t kind;
    int16_t i, j, c;
    uint32_t parent;
    int32_t label;     /* the answer of the parent that leads here */
    uint32_t child[2]; /* after False and True; VALUE: the first edge; LEAF: what the path came to */
} Node;

typedef struct {
    int32_t label;
    uint32_t node, next;
} Edge;

typedef struct {
    uint32_t node; /* 0: the beginning */
    int32_t label;
    int rows, stride, unequal_used;
    size_t before; /* where its numbers start */
} Pending;

typedef struct {
    Node *nodes;
    size_t nodes_used, nodes_capacity;
    Edge *edges;
    size_t edges_used, edges_capacity;
    Pending *pending;
    size_t pending_used, pending_capacity;
    Bound *numbers; /* of the pending zones */
    size_t numbers_used, numbers_capacity;
    uint32_t *given; /* the questions answered so far, from the first */
    int32_t *answers;
    size_t given_used, given_capacity, answers_capacity;
    size_t replayed;
    uint32_t *first; /* where the node of the first question of this call is kept */
    Zone zone;       /* of the path that is followed */
    bool active;
    PyObject *trouble; /* what the code under test must not catch */
} Run;

extern Run *RUN; /* the compiled run under way, or NULL */
int run_ask(Run *run, Question kind, int i, int j, long long c, long long *answer); /* 0, or -1 with an exception */
bool run_begin(Run *run, const Zone *zone, uint32_t *first);
bool run_next(Run *run, uint32_t *leaf); /* takes the next pending zone down the trie; *leaf 0: code must run */
uint32_t run_end(Run *run, uint32_t value); /* the code has returned: a new leaf, 0 on failure */
void run_clear(Run *run);

extern PyObject *UNSTEADY_CLASS, *TOO_MANY_CLASS, *CANNOT_CLASS;
extern PyTypeObject AtlasType;

#endif
