/* Legal rows, and which tuples no legal row has. See covering.h.
 *
 * A rule is a clause: at least one of its parameters has one of the values that it allows there.
 */
#include "covering.h"

enum { LOOK_EVERY = 64 }; /* changes between two looks at the clock */

static bool keeps_rule(const Covering *c, int rule, const int *row)
{
    for (int part = c->rule_start[rule]; part < c->rule_start[rule + 1]; part++)
        if (c->allowed[c->part_values[part] + row[c->part_param[part]]])
            return true;
    return false;
}

bool keeps_rules(const Covering *c, int p, const int *row)
{
    for (int at = c->of_start[p]; at < c->of_start[p + 1]; at++)
        if (!keeps_rule(c, c->of_rule[at], row))
            return false;
    return true;
}

static bool push(Covering *c, int rule)
{
    if (c->list_used == c->list_room) {
        size_t room = 2 * c->list_room + 256;
        int *list = realloc(c->list, room * sizeof(int));
        if (!list)
            return false;
        c->list = list;
        c->list_room = room;
    }
    c->list[c->list_used++] = rule;
    return true;
}

/* Tells whether to go on; else an exception is set. */
static bool may_go_on(Covering *c)
{
    if (!c->look || ++c->looks % LOOK_EVERY)
        return true;
    PyObject *answer = PyObject_CallNoArgs(c->look);
    Py_XDECREF(answer);
    return answer != NULL;
}

/* Makes the rules in list[from, list_used) hold by changing cells that are not fixed: 1, 0 if that cannot be, -1 beyond
 * the budget. Without an answer of 1 the row is as it was. */
static int mend(Covering *c, int *row, char *fixed, long *budget, size_t from)
{
    size_t to = c->list_used, at = from;
    while (at < to && keeps_rule(c, c->list[at], row))
        at++;
    if (at == to)
        return 1;
    if (--*budget < 0 || !may_go_on(c))
        return -1;
    int rule = c->list[at], parts = c->rule_start[rule + 1] - c->rule_start[rule], turn = (int)draw(c, (uint32_t)parts);
    for (int n = 0; n < parts; n++) {
        int part = c->rule_start[rule] + (n + turn) % parts, p = c->part_param[part], old = row[p];
        if (fixed[p])
            continue;
        fixed[p] = 1;
        int values = c->levels[p], first = (int)draw(c, (uint32_t)values);
        for (int v = 0; v < values; v++) {
            int value = (v + first) % values;
            if (!c->allowed[c->part_values[part] + value])
                continue;
            row[p] = value;
            for (size_t rest = at + 1; rest < to; rest++)
                if (!push(c, c->list[rest]))
                    return -1;
            for (int of = c->of_start[p]; of < c->of_start[p + 1]; of++)
                if (!push(c, c->of_rule[of]))
                    return -1;
            int answer = mend(c, row, fixed, budget, to);
            c->list_used = to;
            if (answer == 1)
                return 1;
            if (answer < 0) {
                row[p] = old;
                fixed[p] = 0;
                return -1;
            }
        }
        row[p] = old;
        fixed[p] = 0;
    }
    return 0;
}

int repair(Covering *c, int *row, char *fixed, long *budget, const int *changed, int n)
{
    c->list_used = 0;
    for (int i = 0; i < n; i++)
        for (int of = c->of_start[changed[i]]; of < c->of_start[changed[i] + 1]; of++)
            if (!push(c, c->of_rule[of]))
                return -1;
    return mend(c, row, fixed, budget, 0);
}

/* Makes a legal row with these values, from a legal one. */
int find_legal(Covering *c, int *row, const int *params, const int *values, int n, long budget)
{
    char fixed[c->params + 1];
    memset(fixed, 0, (size_t)c->params + 1);
    memcpy(row, c->pool + (size_t)draw(c, (uint32_t)c->pooled) * (size_t)c->params, sizeof(int) * (size_t)c->params);
    for (int i = 0; i < n; i++) {
        row[params[i]] = values[i];
        fixed[params[i]] = 1;
    }
    return repair(c, row, fixed, &budget, params, n);
}

/* ---- what cannot be --------------------------------------------------------------------------- */

typedef struct {
    Covering *c;
    uint8_t *seen, *bad; /* by two global items; an item alone with itself */
    PyObject *impossible, *undecided;
    long budget;
    Bits *bits;
    int *row;
} Deciding;

static void note_row(Deciding *d)
{
    Covering *c = d->c;
    size_t all = (size_t)c->global[c->params];
    for (int p = 0; p < c->params; p++)
        if (c->component[p] >= 0)
            for (int q = 0; q < c->params; q++)
                if (c->component[q] == c->component[p])
                    d->seen[(size_t)(c->global[p] + d->row[p]) * all + (size_t)(c->global[q] + d->row[q])] = 1;
    row_bits(c, d->row, d->bits);
    for (int l = 0; l < c->layers; l++)
        if (c->layer[l].t > 2)
            layer_show(&c->layer[l], d->row, d->bits + c->layer[l].before);
}

/* Decides on some values; false with an exception set. */
static bool decide_one(Deciding *d, const int *params, const int *values, int n)
{
    int answer = find_legal(d->c, d->row, params, values, n, d->budget);
    if (answer == 1) {
        note_row(d);
        return true;
    }
    if (PyErr_Occurred())
        return false;
    PyObject *cells = make_tuple(d->c, params, values, n);
    if (!cells)
        return false;
    int failed = PyList_Append(answer ? d->undecided : d->impossible, cells);
    Py_DECREF(cells);
    if (failed)
        return false;
    for (int l = 0; l < d->c->layers; l++) {
        layer_forbid(&d->c->layer[l], params, values, n);
        d->c->layer[l].picky |= answer < 0; /* a legal row may have it */
    }
    if (n <= 2) {
        size_t all = (size_t)d->c->global[d->c->params];
        int one = d->c->global[params[0]] + values[0], two = d->c->global[params[n - 1]] + values[n - 1];
        d->bad[(size_t)one * all + (size_t)two] = d->bad[(size_t)two * all + (size_t)one] = 1;
    }
    return true;
}

static bool decide_pairs(Deciding *d)
{
    Covering *c = d->c;
    size_t all = (size_t)c->global[c->params];
    for (int p = 0; p < c->params; p++)
        for (int v = 0; v < c->levels[p] && c->component[p] >= 0; v++) {
            size_t x = (size_t)(c->global[p] + v);
            if (!d->seen[x * all + x] && !decide_one(d, &p, &v, 1))
                return false;
        }
    for (int p = 0; p < c->params; p++)
        for (int q = p + 1; q < c->params; q++) {
            if (c->component[p] < 0 || c->component[p] != c->component[q])
                continue;
            for (int v = 0; v < c->levels[p]; v++)
                for (int w = 0; w < c->levels[q]; w++) {
                    size_t x = (size_t)(c->global[p] + v), y = (size_t)(c->global[q] + w);
                    if (d->seen[x * all + y] || d->bad[x * all + x] || d->bad[y * all + y])
                        continue;
                    int params[2] = {p, q}, values[2] = {v, w};
                    if (!decide_one(d, params, values, 2))
                        return false;
                }
        }
    return true;
}

static bool decide_set(Deciding *d, Layer *layer, const int *set)
{
    Covering *c = d->c;
    int params[64], values[64], sets[64], items[64], t = layer->t;
    size_t all = (size_t)c->global[c->params];
    for (int n = 0; n < t; n++) {
        sets[n] = set[n];
        params[n] = layer->param[set[n]];
        if (c->component[params[n]] < 0 || c->component[params[n]] != c->component[params[0]])
            return true;
        items[n] = layer->start[set[n]];
    }
    items[t - 1]--;
    while (layer_next(layer, OPEN, sets, items)) {
        bool known = false;
        for (int n = 0; n < t; n++)
            values[n] = items[n] - layer->start[sets[n]];
        for (int n = 0; n < t && !known; n++)
            for (int m = 0; m <= n && !known; m++)
                known = d->bad[(size_t)(c->global[params[n]] + values[n]) * all + (size_t)(c->global[params[m]] + values[m])];
        if (!known && layer_has(layer, NEEDED, items) && !decide_one(d, params, values, t))
            return false;
    }
    return true;
}

static bool decide_layer(Deciding *d, Layer *layer)
{
    int set[64], t = layer->t, k = layer->k;
    for (int n = 0; n < t; n++)
        set[n] = n;
    for (;;) {
        if (!decide_set(d, layer, set))
            return false;
        int n = t - 1;
        while (n >= 0 && set[n] == k - t + n)
            n--;
        if (n < 0)
            return true;
        for (set[n]++, n++; n < t; n++)
            set[n] = set[n - 1] + 1;
    }
}

static void draw_row(Covering *c, int *row)
{
    for (int p = 0; p < c->params; p++)
        row[p] = c->of_start[p] < c->of_start[p + 1] ? (int)draw(c, (uint32_t)c->levels[p]) : 0;
}

static int sample_rows(Deciding *d, int samples)
{
    Covering *c = d->c;
    int every[c->params + 1];
    char fixed[c->params + 1];
    for (int p = 0; p < c->params; p++)
        every[p] = p;
    for (int n = 0; n < samples; n++) {
        long budget = n ? 1000 : d->budget * 100; /* that there is one at all is worth more */
        memset(fixed, 0, (size_t)c->params + 1);
        draw_row(c, d->row);
        int answer = repair(c, d->row, fixed, &budget, every, c->params);
        if (answer < 1) {
            if (!c->pooled || PyErr_Occurred())
                return answer;
            continue;
        }
        if (c->pooled < POOL)
            memcpy(c->pool + (size_t)c->pooled++ * (size_t)c->params, d->row, sizeof(int) * (size_t)c->params);
        note_row(d);
        if (!c->rules)
            break;
    }
    return 1;
}

PyObject *covering_decide(Covering *c, PyObject *args)
{
    int samples;
    PyObject *look = Py_None;
    Deciding d = {.c = c};
    if (!PyArg_ParseTuple(args, "il|O", &samples, &d.budget, &look))
        return NULL;
    c->look = look == Py_None ? NULL : look; /* the caller keeps it */
    size_t all = (size_t)c->global[c->params];
    PyObject *answer = NULL;
    d.seen = calloc(c->rules ? all * all + 1 : 1, 1), d.bad = calloc(c->rules ? all * all + 1 : 1, 1);
    d.bits = malloc(sizeof(Bits) * (size_t)(c->words + 1)), d.row = calloc((size_t)c->params + 1, sizeof(int));
    d.impossible = PyList_New(0), d.undecided = PyList_New(0);
    if (!d.seen || !d.bad || !d.bits || !d.row || !d.impossible || !d.undecided) {
        PyErr_NoMemory();
        goto done;
    }
    c->pooled = 0;
    for (int l = 0; l < c->layers; l++)
        layer_open(&c->layer[l]);
    int legal = sample_rows(&d, samples);
    if (PyErr_Occurred())
        goto done;
    if (legal == 1 && c->rules) {
        if (!decide_pairs(&d))
            goto done;
        for (int l = 0; l < c->layers; l++)
            if (c->layer[l].t > 2 && !decide_layer(&d, &c->layer[l]))
                goto done;
    }
    answer = Py_BuildValue("iOO", legal, d.impossible, d.undecided);
done:
    c->look = NULL;
    free(d.seen), free(d.bad), free(d.bits), free(d.row);
    Py_XDECREF(d.impossible), Py_XDECREF(d.undecided);
    return answer;
}
