/* The order of choices, and how many completions each has. See counting.py. */
#include "points.h"

#define BIT(v) (UINT64_C(1) << (v))
#define UNKNOWN UINT64_MAX

typedef struct {
    const WideZone *zone;
    Arena *arena;
    bool edge[MOST_FREE][MOST_FREE]; /* x_a - x_b has a bound that no others imply */
    Difference *pairs;               /* differences between two variables */
    int pairs_used;
    uint64_t left, near[MOST_FREE], depends[MOST_FREE];
    int parent[MOST_FREE];
} Graph;

static inline int32_t low_of(const WideZone *zone, int v)
{
    return -wide_bound(zone, 0, v);
}

static inline int32_t high_of(const WideZone *zone, int v)
{
    return wide_bound(zone, v, 0);
}

/* ---- the graph ------------------------------------------------------------------------------------ */

static bool is_implied(const WideZone *zone, int a, int b)
{
    int32_t bound = wide_bound(zone, a, b);
    for (int k = 0; k < zone->rows; k++)
        if (k != a && k != b && wide_bound(zone, a, k) + wide_bound(zone, k, b) <= bound)
            return true;
    return false;
}

static bool graph_make(Graph *graph, const WideZone *zone, Arena *arena)
{
    memset(graph, 0, sizeof *graph);
    graph->zone = zone;
    graph->arena = arena;
    if (!(graph->pairs = TAKE(arena, Difference, zone->unequal_used)))
        return false;
    for (int a = 1; a < zone->rows; a++) {
        graph->left |= BIT(a);
        for (int b = 1; b < zone->rows; b++)
            if (a != b && !is_implied(zone, a, b)) {
                graph->edge[a][b] = true;
                graph->near[a] |= BIT(b);
                graph->near[b] |= BIT(a);
            }
    }
    for (int at = 0; at < zone->unequal_used; at++) {
        Difference each = zone->unequal[at];
        if (!each.j)
            continue;
        graph->pairs[graph->pairs_used++] = each;
        graph->near[each.i] |= BIT(each.j);
        graph->near[each.j] |= BIT(each.i);
    }
    return true;
}

static void graph_remove(Graph *graph, int v)
{
    graph->left &= ~BIT(v);
    for (int u = 1; u < graph->zone->rows; u++)
        graph->near[u] &= ~BIT(v);
}

/* ---- one choice ----------------------------------------------------------------------------------- */

/* Writes pairs (u, c) such that x_v is not x_u + c; `links` has room for all pairs. */
static int beside(const Graph *graph, int v, uint64_t others, Link *links)
{
    int used = 0;
    for (int at = 0; at < graph->pairs_used; at++) {
        Difference each = graph->pairs[at];
        if (each.i == v && others & BIT(each.j))
            links[used++] = (Link){each.j, each.c};
        if (each.j == v && others & BIT(each.i))
            links[used++] = (Link){each.i, -each.c};
    }
    return used;
}

static bool choice_make(Choice *choice, const Graph *graph, int v, uint64_t others)
{
    const WideZone *zone = graph->zone;
    int neighbours = __builtin_popcountll(others);
    choice->variable = v;
    choice->low = low_of(zone, v);
    choice->high = high_of(zone, v);
    choice->depends = others;
    choice->above = TAKE(graph->arena, Link, neighbours);
    choice->below = TAKE(graph->arena, Link, neighbours);
    choice->beside = TAKE(graph->arena, Link, graph->pairs_used);
    choice->excluded = TAKE(graph->arena, int32_t, zone->unequal_used);
    choice->taken = TAKE(graph->arena, int32_t, zone->unequal_used);
    if (!choice->above || !choice->below || !choice->beside || !choice->excluded || !choice->taken)
        return false;
    for (int u = 1; u < zone->rows; u++) {
        if (others & BIT(u) && graph->edge[v][u])
            choice->above[choice->aboves++] = (Link){u, wide_bound(zone, v, u)};
        if (others & BIT(u) && graph->edge[u][v])
            choice->below[choice->belows++] = (Link){u, -wide_bound(zone, u, v)};
    }
    choice->besides = beside(graph, v, others, choice->beside);
    for (int at = 0; at < zone->unequal_used; at++)
        if (zone->unequal[at].i == v && !zone->unequal[at].j)
            choice->excluded[choice->excludeds++] = zone->unequal[at].c;
    return true;
}

/* ---- variables with a constant number of choices -------------------------------------------------- */

static bool differ(const Graph *graph, int a, int b, int32_t c)
{
    const WideZone *zone = graph->zone;
    if (a == b)
        return c;
    if (wide_bound(zone, a, b) < c || wide_bound(zone, b, a) < -c)
        return true;
    Difference wanted = a > b ? (Difference){a, b, c} : (Difference){b, a, -c};
    for (int at = 0; at < graph->pairs_used; at++)
        if (!wide_compare(graph->pairs[at], wanted))
            return true;
    return false;
}

static bool is_constant(const Graph *graph, int v, Link *taken)
{
    const WideZone *zone = graph->zone;
    int used = beside(graph, v, graph->near[v], taken);
    for (int at = 0; at < used; at++) {
        int32_t low = low_of(zone, taken[at].variable) + taken[at].c, high = high_of(zone, taken[at].variable) + taken[at].c;
        if (low < low_of(zone, v) || high > high_of(zone, v))
            return false;
        for (int each = 0; each < zone->unequal_used; each++)
            if (zone->unequal[each].i == v && !zone->unequal[each].j && low <= zone->unequal[each].c &&
                zone->unequal[each].c <= high)
                return false;
        for (int other = at + 1; other < used; other++)
            if (!differ(graph, taken[at].variable, taken[other].variable, taken[other].c - taken[at].c))
                return false;
    }
    return true;
}

/* Takes such variables out; writes them in the order in which they were taken, and returns how many, or -1. */
static int peel(Graph *graph, int *peeled, uint64_t *others)
{
    const WideZone *zone = graph->zone;
    uint64_t ordered = 0;
    int used = 0;
    Link *links = TAKE(graph->arena, Link, graph->pairs_used);
    if (!links)
        return -1;
    for (int a = 1; a < zone->rows; a++)
        for (int b = 1; b < zone->rows; b++)
            if (graph->edge[a][b])
                ordered |= BIT(a) | BIT(b);
    for (int v = zone->rows - 1; v > 0;) {
        if (!(graph->left & ~ordered & BIT(v)) || !is_constant(graph, v, links)) {
            v--;
            continue;
        }
        peeled[used] = v;
        others[used++] = graph->near[v];
        graph_remove(graph, v);
        v = zone->rows - 1; /* one that was none before may be one now */
    }
    return used;
}

/* ---- the tree ------------------------------------------------------------------------------------- */

static void eliminate(Graph *graph)
{
    int place[MOST_FREE] = {0}, size = graph->zone->rows, order[MOST_FREE], used = 0;
    while (graph->left) {
        int best = 0, fewest = MOST_FREE + 1;
        for (int v = 1; v < size; v++)
            if (graph->left & BIT(v) && __builtin_popcountll(graph->near[v]) <= fewest) {
                best = v;
                fewest = __builtin_popcountll(graph->near[v]);
            }
        graph->depends[best] = graph->near[best];
        place[best] = used;
        order[used++] = best;
        graph_remove(graph, best);
        for (int u = 1; u < size; u++)
            if (graph->depends[best] & BIT(u))
                graph->near[u] |= graph->depends[best] & ~BIT(u);
    }
    for (int at = 0; at < used; at++) {
        int v = order[at], parent = 0;
        for (int u = 1; u < size; u++)
            if (graph->depends[v] & BIT(u) && (!parent || place[u] < place[parent]))
                parent = u;
        graph->parent[v] = parent;
    }
}

/* Writes the tree under v in preorder and returns its root, or NULL. */
static Choice *tree(PlanData *plan, Graph *graph, uint64_t members, int v)
{
    Choice *choice = &plan->choices[plan->used++];
    if (!choice_make(choice, graph, v, graph->depends[v]))
        return NULL;
    int size = graph->zone->rows, children = 0;
    for (int u = 1; u < size; u++)
        children += (members & BIT(u)) && graph->parent[u] == v;
    if (!(choice->children = TAKE(graph->arena, Choice *, children)))
        return NULL;
    choice->alone = true;
    for (int u = 1; u < size; u++) {
        if (!(members & BIT(u)) || graph->parent[u] != v)
            continue;
        Choice *child = tree(plan, graph, members, u);
        if (!child)
            return NULL;
        choice->children[choice->children_used++] = child;
        choice->alone &= !(child->depends & ~BIT(v));
    }
    return choice;
}

static int64_t values_of(const WideZone *zone, uint64_t variables)
{
    int64_t product = 1;
    for (int u = 1; u < zone->rows; u++)
        if (variables & BIT(u) && product <= MOST_WORK)
            product *= (int64_t)high_of(zone, u) - low_of(zone, u) + 1;
    return product;
}

/* Returns the sums that counting may take, no further than just beyond the limit. */
static int64_t work_of(const WideZone *zone, const Choice *choice)
{
    int64_t size = (int64_t)choice->high - choice->low + 1, work = 0;
    for (int at = 0; at < choice->children_used && work <= MOST_WORK; at++)
        work += work_of(zone, choice->children[at]);
    if (!choice->children_used || work > MOST_WORK)
        return work;
    int64_t others = choice->alone ? 1 : values_of(zone, choice->depends);
    return others > MOST_WORK ? others : work + size * others;
}

/* ---- completions ---------------------------------------------------------------------------------- */

static uint64_t completions(PlanData *plan, Choice *choice, int32_t *values);

static inline void range_of(const Choice *choice, const int32_t *values, int32_t *low, int32_t *high)
{
    *low = choice->low;
    *high = choice->high;
    for (int at = 0; at < choice->belows; at++) {
        int32_t least = values[choice->below[at].variable] + choice->below[at].c;
        if (least > *low)
            *low = least;
    }
    for (int at = 0; at < choice->aboves; at++) {
        int32_t most = values[choice->above[at].variable] + choice->above[at].c;
        if (most < *high)
            *high = most;
    }
}

/* Collects the values of the range that others have taken, and with `all` those excluded, sorted, each once. */
static int taken_of(const Choice *choice, const int32_t *values, int32_t low, int32_t high, bool all)
{
    int used = 0, first = all ? -choice->excludeds : 0;
    for (int at = first; at < choice->besides; at++) {
        int32_t x = at < 0 ? choice->excluded[at + choice->excludeds]
                           : values[choice->beside[at].variable] + choice->beside[at].c;
        int to = used;
        if (x < low || x > high)
            continue;
        while (to && choice->taken[to - 1] > x)
            to--;
        if (to && choice->taken[to - 1] == x)
            continue;
        memmove(&choice->taken[to + 1], &choice->taken[to], sizeof(int32_t) * (size_t)(used - to));
        choice->taken[to] = x;
        used++;
    }
    return used;
}

static inline bool is_taken(const Choice *choice, int used, int32_t x)
{
    for (int at = 0; at < used; at++)
        if (choice->taken[at] == x)
            return true;
    return false;
}

static uint64_t weight(PlanData *plan, Choice *choice, int32_t *values, int32_t x)
{
    uint64_t product = 1;
    values[choice->variable] = x;
    for (int at = 0; at < choice->excludeds; at++)
        if (choice->excluded[at] == x)
            return 0;
    for (int at = 0; at < choice->children_used && product; at++)
        if (__builtin_mul_overflow(product, completions(plan, choice->children[at], values), &product))
            plan->too_large = true;
    return product;
}

static bool make_sums(PlanData *plan, Choice *choice, int32_t *values)
{
    size_t size = (size_t)(choice->high - choice->low + 1);
    int32_t kept = values[choice->variable];
    uint64_t *sums = calloc(size + 1, sizeof *sums);
    if (!sums) {
        plan->too_large = true;
        return false;
    }
    for (size_t at = 0; at < size; at++)
        if (__builtin_add_overflow(sums[at], weight(plan, choice, values, choice->low + (int32_t)at), &sums[at + 1]))
            plan->too_large = true;
    values[choice->variable] = kept;
    choice->sums = sums;
    return true;
}

static inline uint64_t weight_alone(const Choice *choice, int32_t x)
{
    return choice->sums[x + 1 - choice->low] - choice->sums[x - choice->low];
}

static uint64_t *known_place(PlanData *plan, Choice *choice, const int32_t *values)
{
    const WideZone *zone = &plan->free.zone;
    if (!choice->known) {
        size_t size = (size_t)values_of(zone, choice->depends);
        if (!(choice->known = malloc(size * sizeof *choice->known))) {
            plan->too_large = true;
            return NULL;
        }
        memset(choice->known, 0xff, size * sizeof *choice->known);
    }
    size_t at = 0;
    for (int u = 1; u < zone->rows; u++)
        if (choice->depends & BIT(u))
            at = at * (size_t)(high_of(zone, u) - low_of(zone, u) + 1) + (size_t)(values[u] - low_of(zone, u));
    return &choice->known[at];
}

static uint64_t completions(PlanData *plan, Choice *choice, int32_t *values)
{
    int32_t low, high;
    range_of(choice, values, &low, &high);
    if (low > high)
        return 0;
    if (!choice->children_used) {
        int used = choice->besides || choice->excludeds ? taken_of(choice, values, low, high, true) : 0;
        return (uint64_t)(high - low + 1 - used);
    }
    if (choice->alone) {
        if (!choice->sums && !make_sums(plan, choice, values))
            return 0;
        uint64_t total = choice->sums[high + 1 - choice->low] - choice->sums[low - choice->low];
        int used = choice->besides ? taken_of(choice, values, low, high, false) : 0;
        for (int at = 0; at < used; at++)
            total -= weight_alone(choice, choice->taken[at]);
        return total;
    }
    uint64_t *known = known_place(plan, choice, values), total = 0;
    if (!known || *known != UNKNOWN)
        return known ? *known : 0;
    int used = taken_of(choice, values, low, high, false);
    for (int32_t x = low; x <= high; x++)
        if (!is_taken(choice, used, x) && __builtin_add_overflow(total, weight(plan, choice, values, x), &total))
            plan->too_large = true;
    if (total == UNKNOWN)
        plan->too_large = true;
    return *known = total;
}

/* ---- the plan ------------------------------------------------------------------------------------- */

static Answer make_radices(PlanData *plan, Arena *arena)
{
    int32_t *values = TAKE(arena, int32_t, plan->free.zone.rows);
    plan->radices_used = plan->roots_used + plan->used - plan->trees;
    if (!values || !(plan->radices = TAKE(arena, uint64_t, plan->radices_used)))
        return FAILED;
    for (int at = 0; at < plan->roots_used; at++)
        plan->radices[at] = completions(plan, plan->roots[at], values);
    for (int at = plan->trees; at < plan->used; at++) {
        const Choice *choice = &plan->choices[at];
        int64_t left = (int64_t)choice->high - choice->low + 1 - choice->excludeds - choice->besides;
        plan->radices[plan->roots_used + at - plan->trees] = left > 0 ? (uint64_t)left : 0;
    }
    return plan->too_large ? ASK_TWIN : DONE;
}

Answer plan_make(PlanData *plan, Arena *arena)
{
    const WideZone *zone = &plan->free.zone;
    Graph graph;
    int peeled[MOST_FREE], count;
    uint64_t others[MOST_FREE], members;
    plan->choices = TAKE(arena, Choice, zone->rows);
    plan->roots = TAKE(arena, Choice *, zone->rows);
    if (!plan->choices || !plan->roots || !graph_make(&graph, zone, arena) || (count = peel(&graph, peeled, others)) < 0)
        return FAILED;
    members = graph.left;
    eliminate(&graph);
    for (int v = 1; v < zone->rows; v++) {
        if (!(members & BIT(v)) || graph.parent[v])
            continue;
        Choice *root = tree(plan, &graph, members, v);
        if (!root)
            return FAILED;
        if (work_of(zone, root) > MOST_WORK)
            return ASK_TWIN;
        plan->roots[plan->roots_used++] = root;
    }
    plan->trees = plan->used;
    while (count--)
        if (!choice_make(&plan->choices[plan->used++], &graph, peeled[count], others[count]))
            return FAILED;
    return make_radices(plan, arena);
}

/* ---- one point, and the next ---------------------------------------------------------------------- */

static int32_t skip(const Choice *choice, int used, int64_t value)
{
    for (int at = 0; at < used; at++)
        value += choice->taken[at] <= value;
    return (int32_t)value;
}

/* Finds the value at the digit from the sums. */
static bool find_alone(const Choice *choice, int used, int32_t low, int32_t *values, uint64_t *digit)
{
    *digit += choice->sums[low - choice->low];
    for (int at = 0; at < used; at++)
        if (choice->sums[choice->taken[at] - choice->low] <= *digit)
            *digit += weight_alone(choice, choice->taken[at]);
    int32_t first = 0, last = choice->high - choice->low; /* sums[first] <= digit; the answer is not after last */
    while (first < last) {
        int32_t middle = first + (last - first + 1) / 2;
        if (choice->sums[middle] <= *digit)
            first = middle;
        else
            last = middle - 1;
    }
    *digit -= choice->sums[first];
    values[choice->variable] = choice->low + first;
    return true;
}

/* Finds the value at the digit, and what is left of the digit. */
static bool find(PlanData *plan, Choice *choice, int32_t *values, uint64_t *digit)
{
    int32_t low, high;
    range_of(choice, values, &low, &high);
    int used = taken_of(choice, values, low, high, !choice->children_used);
    if (!choice->children_used) {
        values[choice->variable] = skip(choice, used, (int64_t)low + (int64_t)*digit);
        return values[choice->variable] <= high;
    }
    if (choice->alone)
        return find_alone(choice, used, low, values, digit);
    for (int32_t x = low; x <= high; x++) {
        if (is_taken(choice, used, x))
            continue;
        uint64_t here = weight(plan, choice, values, x);
        if (*digit < here) {
            values[choice->variable] = x;
            return true;
        }
        *digit -= here;
    }
    return false;
}

static bool descend(PlanData *plan, Choice *choice, uint64_t digit, int32_t *values)
{
    uint64_t before = 1;
    if (!find(plan, choice, values, &digit))
        return false;
    for (int at = 0; at < choice->children_used; at++)
        before *= completions(plan, choice->children[at], values);
    for (int at = 0; at < choice->children_used; at++) {
        before /= completions(plan, choice->children[at], values);
        if (!descend(plan, choice->children[at], digit / before, values))
            return false;
        digit %= before;
    }
    return true;
}

bool plan_fill(PlanData *plan, const uint64_t *digits, int32_t *values)
{
    for (int at = 0; at < plan->roots_used; at++)
        if (digits[at] >= plan->radices[at] || !descend(plan, plan->roots[at], digits[at], values))
            return false;
    for (int at = plan->trees; at < plan->used; at++) {
        Choice *choice = &plan->choices[at];
        uint64_t digit = digits[plan->roots_used + at - plan->trees];
        int used = taken_of(choice, values, choice->low, choice->high, true);
        values[choice->variable] = skip(choice, used, (int64_t)choice->low + (int64_t)digit);
        if (values[choice->variable] > choice->high)
            return false;
    }
    return true;
}

/* Chooses the smallest value from `from` on that can be completed. */
bool plan_next(PlanData *plan, Choice *choice, int32_t *values, int32_t from)
{
    int32_t low, high;
    range_of(choice, values, &low, &high);
    int used = choice->besides || choice->excludeds ? taken_of(choice, values, low, high, true) : 0;
    for (int32_t x = from > low ? from : low; x <= high; x++) {
        if (used && is_taken(choice, used, x))
            continue;
        uint64_t here = choice->children_used == 0 ? 1
                        : choice->alone            ? weight_alone(choice, x)
                                                   : weight(plan, choice, values, x);
        if (!here)
            continue;
        values[choice->variable] = x;
        return true;
    }
    return false;
}

bool plan_advance(PlanData *plan, int32_t *values)
{
    for (int at = plan->used - 1; at >= 0; at--) {
        Choice *choice = &plan->choices[at];
        if (!plan_next(plan, choice, values, values[choice->variable] + 1))
            continue;
        for (int after = at + 1; after < plan->used; after++)
            plan_next(plan, &plan->choices[after], values, plan->choices[after].low);
        return true;
    }
    return false;
}
