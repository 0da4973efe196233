/* A trie of questions and answers, and the run that is under way; the twin of `unlike.zones.paths`.
 *
 * The zones still to be followed are a stack, each with the answer it has come down to. What was asked before on the
 * way to an answer stands in the nodes above it, so that a run is answered as before up to there.
 */
#include "open.h"

Run *RUN;
PyObject *UNSTEADY_CLASS, *TOO_MANY_CLASS, *CANNOT_CLASS;

enum { MOST_QUESTIONS = 100000 };

/* ---- the trie --------------------------------------------------------------------------------- */

static uint32_t new_node(Run *run, Question kind, int i, int j, int c)
{
    if (!run->nodes_used)
        run->nodes_used = 1; /* 0 is none */
    if (!GROW(run->nodes, run->nodes_capacity, run->nodes_used + 1))
        return 0;
    run->nodes[run->nodes_used] = (Node){.kind = (uint8_t)kind, .i = (int16_t)i, .j = (int16_t)j, .c = (int16_t)c};
    return (uint32_t)run->nodes_used++;
}

/* What follows an answer, or 0. */
static uint32_t after(const Run *run, uint32_t node, int32_t label)
{
    if (!node)
        return *run->first;
    const Node *here = &run->nodes[node];
    if (here->kind != VALUE)
        return here->child[label != 0];
    for (uint32_t edge = here->child[0]; edge; edge = run->edges[edge].next)
        if (run->edges[edge].label == label)
            return run->edges[edge].node;
    return 0;
}

static bool attach(Run *run, uint32_t node, int32_t label, uint32_t child)
{
    run->nodes[child].parent = node;
    run->nodes[child].label = label;
    if (!node)
        *run->first = child;
    else if (run->nodes[node].kind != VALUE)
        run->nodes[node].child[label != 0] = child;
    else {
        if (!run->edges_used)
            run->edges_used = 1;
        if (!GROW(run->edges, run->edges_capacity, run->edges_used + 1))
            return false;
        run->edges[run->edges_used] = (Edge){label, child, run->nodes[node].child[0]};
        run->nodes[node].child[0] = (uint32_t)run->edges_used++;
    }
    return true;
}

/* ---- zones still to be followed --------------------------------------------------------------- */

static bool push(Run *run, const Zone *zone, uint32_t node, int32_t label)
{
    size_t bounds = (size_t)(zone->rows * zone->stride), unequal = (size_t)zone->unequal_used * 3;
    if (!GROW(run->pending, run->pending_capacity, run->pending_used + 1) ||
        !GROW(run->numbers, run->numbers_capacity, run->numbers_used + bounds + unequal))
        return false;
    run->pending[run->pending_used++] =
        (Pending){node, label, zone->rows, zone->stride, zone->unequal_used, run->numbers_used};
    memcpy(run->numbers + run->numbers_used, zone->bounds, sizeof(Bound) * bounds);
    memcpy(run->numbers + run->numbers_used + bounds, zone->unequal, sizeof(Bound) * unequal);
    run->numbers_used += bounds + unequal;
    return true;
}

static Pending pop(Run *run)
{
    Pending top = run->pending[--run->pending_used];
    size_t bounds = (size_t)(top.rows * top.stride);
    Zone *zone = &run->zone;
    zone->rows = top.rows;
    zone->stride = top.stride;
    zone->unequal_used = top.unequal_used;
    memcpy(zone->bounds, run->numbers + top.before, sizeof(Bound) * bounds);
    memcpy(zone->unequal, run->numbers + top.before + bounds, sizeof(Unequal) * (size_t)top.unequal_used);
    run->numbers_used = top.before;
    return top;
}

/* ---- answering -------------------------------------------------------------------------------- */

static bool remember(Run *run, uint32_t node, int32_t answer)
{
    if (!GROW(run->given, run->given_capacity, run->given_used + 1) ||
        !GROW(run->answers, run->answers_capacity, run->given_used + 1))
        return false;
    run->given[run->given_used] = node;
    run->answers[run->given_used++] = answer;
    return true;
}

/* Tries one answer on a copy of the zone, and keeps that for later if a point is left. */
static int keep_if_possible(Run *run, const Zone *zone, uint32_t node, int answer)
{
    static Zone part; /* the interpreter lock is held */
    const Node *asked = &run->nodes[node];
    if (!zone_is_possible(zone, asked->kind, asked->i, asked->j, asked->c, answer))
        return 0;
    zone_copy(&part, zone);
    if (!zone_narrow(&part, asked->kind, asked->i, asked->j, asked->c, answer))
        return 0;
    return push(run, &part, node, answer) ? 1 : -1;
}

static int refuse(Run *run, PyObject *cls, const char *words)
{
    PyErr_SetString(cls, words);
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    Py_XSETREF(run->trouble, Py_XNewRef(error));
    PyErr_Restore(type, error, trace);
    return -1;
}

/* Answers the question of a node under the current zone: the first possible answer is taken, the others wait. */
static bool choose(Run *run, uint32_t node, int32_t *answer)
{
    const Node asked = run->nodes[node];
    Zone *zone = &run->zone;
    if (!zone->unequal_used && asked.kind != VALUE) {
        bool yes = zone_is_possible(zone, asked.kind, asked.i, asked.j, asked.c, 1);
        if (!yes || !zone_is_possible(zone, asked.kind, asked.i, asked.j, asked.c, 0)) {
            *answer = yes; /* there is no other: the bounds say so already */
            return remember(run, node, *answer);
        }
        if (asked.kind == AT_MOST) {
            if (keep_if_possible(run, zone, node, 0) < 0)
                return false;
            zone_tighten(zone, asked.i, asked.j, asked.c);
            *answer = 1;
            return remember(run, node, 1);
        }
    }
    if (zone->unequal_used >= MOST_UNEQUAL - 2) {
        refuse(run, CANNOT_CLASS, "too many values that are only known to differ");
        return false;
    }
    static Zone whole;
    zone_copy(&whole, zone);
    size_t before = run->pending_used;
    int least = asked.kind == VALUE ? -zone_bound(zone, 0, asked.i) : 0, most = asked.kind == VALUE ? zone_bound(zone, asked.i, 0) : 1;
    for (int at = 0; at <= most - least; at++) { /* the last one pushed is the first: True, or the least value */
        int candidate = asked.kind == VALUE ? most - at : least + at;
        if (keep_if_possible(run, &whole, node, candidate) < 0)
            return false;
    }
    if (run->pending_used == before) {
        PyErr_SetString(PyExc_SystemError, "a zone without a point");
        return false;
    }
    *answer = pop(run).label;
    return remember(run, node, *answer);
}

int run_ask(Run *run, Question kind, int i, int j, long long wide, long long *answer)
{
    int c = (int)(wide > CLAMPED ? CLAMPED : wide < -CLAMPED ? -CLAMPED : wide);
    int32_t said;
    if (i >= run->zone.rows || j >= run->zone.rows)
        return refuse(run, UNSTEADY_CLASS, "a value was looked at that belongs to another state: something kept it");
    if (run->replayed < run->given_used) {
        const Node *before = &run->nodes[run->given[run->replayed]];
        if (before->kind != kind || before->i != i || before->j != j || before->c != c)
            return refuse(run, UNSTEADY_CLASS, "it asked something else than the time before");
        *answer = run->answers[run->replayed++];
        return 0;
    }
    if (run->replayed >= MOST_QUESTIONS)
        return refuse(run, TOO_MANY_CLASS, "one path asked more than 100,000 questions");
    uint32_t last = run->given_used ? run->given[run->given_used - 1] : 0;
    int32_t label = run->given_used ? run->answers[run->given_used - 1] : 0;
    uint32_t node = new_node(run, kind, i, j, c);
    if (!node || !attach(run, last, label, node) || !choose(run, node, &said))
        return -1;
    run->replayed++;
    *answer = said;
    return 0;
}

/* ---- one zone after the other ----------------------------------------------------------------- */

bool run_begin(Run *run, const Zone *zone, uint32_t *first)
{
    run->first = first;
    run->pending_used = run->numbers_used = 0;
    return push(run, zone, 0, 0);
}

/* Writes down the questions above a node, from the first. */
static bool climb(Run *run, uint32_t node, int32_t label)
{
    run->given_used = 0;
    for (; node; label = run->nodes[node].label, node = run->nodes[node].parent)
        if (!remember(run, node, label))
            return false;
    for (size_t at = 0; at < run->given_used / 2; at++) {
        size_t other = run->given_used - 1 - at;
        uint32_t question = run->given[at];
        int32_t answer = run->answers[at];
        run->given[at] = run->given[other];
        run->answers[at] = run->answers[other];
        run->given[other] = question;
        run->answers[other] = answer;
    }
    return true;
}

bool run_next(Run *run, uint32_t *leaf)
{
    Pending here = pop(run);
    uint32_t node = here.node, next;
    int32_t label = here.label;
    run->given_used = 0; /* only needed if code must run */
    while ((next = after(run, node, label)) && run->nodes[next].kind != LEAF) {
        if (!choose(run, next, &label))
            return false;
        node = next;
    }
    *leaf = next;
    run->replayed = 0;
    return next || climb(run, node, label);
}

uint32_t run_end(Run *run, uint32_t value)
{
    if (run->replayed < run->given_used) {
        PyErr_SetString(UNSTEADY_CLASS, "it asked less than the time before");
        return 0;
    }
    uint32_t last = run->given_used ? run->given[run->given_used - 1] : 0;
    int32_t label = run->given_used ? run->answers[run->given_used - 1] : 0;
    uint32_t node = new_node(run, LEAF, 0, 0, 0);
    if (!node || !attach(run, last, label, node))
        return 0;
    run->nodes[node].child[0] = value;
    return node;
}

void run_clear(Run *run)
{
    free(run->nodes);
    free(run->edges);
    free(run->pending);
    free(run->numbers);
    free(run->given);
    free(run->answers);
    Py_CLEAR(run->trouble);
    memset(run, 0, sizeof *run);
}
