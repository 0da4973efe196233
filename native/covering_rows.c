/* Rows one after the other, each with as many open tuples as can be found. See covering.h.
 *
 * A row starts from an open tuple of the parameters that have most of them left. The other parameters take the value
 * with the greatest gain that leaves the row legal: a whole legal row stands behind the one that is made, and is mended
 * after each choice. Then single values change as long as that gains. A tuple weighs the more the less likely it is to
 * be shown by luck in the rows to come. The best of some candidates is taken.
 */
#include "covering.h"

enum { TOP = 24, SWEEPS = 12, SIDEWAYS = 4, SMALL_REPAIR = 60, LARGE_REPAIR = 100000 };

/* The change in gain when some parameters of a row take other values. */
long change_of(Covering *c, int which, bool weighted, int *row, Bits *bits, const int *params, const int *values, int n)
{
    int old[n + 1];
    long sum = 0;
    for (int i = 0; i < n; i++) {
        int p = params[i];
        old[i] = row[p];
        row[p] = -1;
        put_cell(c, bits, p, old[i], false);
        sum -= gain(c, which, p, old[i], row, bits, weighted);
    }
    for (int i = 0; i < n; i++) {
        sum += gain(c, OPEN, params[i], values[i], row, bits, weighted);
        row[params[i]] = values[i];
        put_cell(c, bits, params[i], values[i], true);
    }
    for (int i = 0; i < n; i++) {
        put_cell(c, bits, params[i], values[i], false);
        row[params[i]] = old[i];
        put_cell(c, bits, params[i], old[i], true);
    }
    return sum;
}

static long worth_of_row(const Covering *c, const int *row, Bits *bits, bool weighted)
{
    int made[c->params + 1];
    long sum = 0;
    memset(bits, 0, sizeof(Bits) * (size_t)(c->words + 1));
    for (int p = 0; p < c->params; p++)
        made[p] = -1;
    for (int p = 0; p < c->params; p++) {
        sum += gain(c, OPEN, p, row[p], made, bits, weighted);
        made[p] = row[p];
        put_cell(c, bits, p, row[p], true);
    }
    return sum;
}

static void shuffle(Covering *c, int *order, int n)
{
    for (int i = n - 1; i > 0; i--) {
        int other = (int)draw(c, (uint32_t)i + 1), swap = order[i];
        order[i] = order[other];
        order[other] = swap;
    }
}

/* Gives a parameter the value of greatest gain that leaves a legal row behind. */
static void choose_value(Covering *c, int p, int *row, int *behind, char *chosen, Bits *bits)
{
    int values = c->levels[p], first = (int)draw(c, (uint32_t)values);
    long gains[values];
    for (int v = 0; v < values; v++)
        gains[v] = gain(c, OPEN, p, v, row, bits, true);
    for (int tried = 0; tried < values; tried++) {
        int best = -1;
        for (int n = 0; n < values; n++) {
            int v = (first + n) % values;
            if (gains[v] >= 0 && (best < 0 || gains[v] > gains[best]))
                best = v;
        }
        gains[best] = -1;
        int old = behind[p];
        behind[p] = best;
        if (best == old || keeps_rules(c, p, behind))
            break;
        char fixed[c->params + 1];
        long budget = LARGE_REPAIR;
        memcpy(fixed, chosen, (size_t)c->params);
        fixed[p] = 1;
        if (repair(c, behind, fixed, &budget, &p, 1) == 1)
            break;
        behind[p] = old;
    }
    row[p] = behind[p];
    chosen[p] = 1;
    put_cell(c, bits, p, row[p], true);
}

/* Changes one value where that gains, others with it if the rules ask for that; tells whether anything was gained. */
static bool improve(Covering *c, int p, int *row, const char *kept, Bits *bits, bool sideways)
{
    int values = c->levels[p], now = row[p], equal = -1;
    long gains[values];
    for (int v = 0; v < values; v++)
        gains[v] = gain(c, OPEN, p, v, row, bits, true);
    for (;;) {
        int best = -1;
        for (int n = 1; n < values; n++) {
            int v = (now + n) % values;
            if (gains[v] > gains[now] && (best < 0 || gains[v] > gains[best]))
                best = v;
            else if (gains[v] == gains[now] && equal < 0)
                equal = v;
        }
        if (best < 0)
            break;
        gains[best] = -1;
        row[p] = best;
        if (keeps_rules(c, p, row)) {
            put_cell(c, bits, p, now, false);
            put_cell(c, bits, p, best, true);
            return true;
        }
        int made[c->params + 1], params[c->params + 1], others[c->params + 1], n = 0;
        char fixed[c->params + 1];
        long budget = SMALL_REPAIR;
        memcpy(made, row, sizeof(int) * (size_t)c->params);
        memcpy(fixed, kept, (size_t)c->params);
        row[p] = now;
        fixed[p] = 1;
        if (repair(c, made, fixed, &budget, &p, 1) != 1)
            continue;
        for (int q = 0; q < c->params; q++)
            if (made[q] != row[q])
                params[n] = q, others[n++] = made[q];
        if (change_of(c, OPEN, true, row, bits, params, others, n) > 0) {
            memcpy(row, made, sizeof(int) * (size_t)c->params);
            row_bits(c, row, bits);
            return true;
        }
    }
    if (equal >= 0 && sideways && draw(c, 2)) {
        row[p] = equal;
        if (keeps_rules(c, p, row)) {
            put_cell(c, bits, p, now, false);
            put_cell(c, bits, p, equal, true);
        } else
            row[p] = now;
    }
    return false;
}

/* Makes a row with some values; returns what it is worth, or -1. */
static long make_candidate(Covering *c, int *row, const int *params, const int *values, int n, bool widest_first, Bits *bits)
{
    int behind[c->params + 1], order[c->params + 1], open = 0;
    char chosen[c->params + 1];
    if (find_legal(c, behind, params, values, n, LARGE_REPAIR) != 1)
        return -1;
    memset(chosen, 0, (size_t)c->params + 1);
    for (int p = 0; p < c->params; p++)
        row[p] = -1;
    for (int i = 0; i < n; i++)
        row[params[i]] = values[i], chosen[params[i]] = 1;
    row_bits(c, row, bits);
    for (int p = 0; p < c->params; p++)
        if (!chosen[p])
            order[open++] = p;
    shuffle(c, order, open);
    if (widest_first)
        for (int i = 1; i < open; i++) {
            int p = order[i], at = i;
            for (; at && c->levels[order[at - 1]] < c->levels[p]; at--)
                order[at] = order[at - 1];
            order[at] = p;
        }
    for (int i = 0; i < open; i++)
        choose_value(c, order[i], row, behind, chosen, bits);
    memset(chosen, 0, (size_t)c->params + 1);
    for (int i = 0; i < n; i++)
        chosen[params[i]] = 1;
    bool gained = true;
    for (int sweep = 0; gained && sweep < SWEEPS; sweep++) {
        gained = false;
        shuffle(c, order, open);
        for (int i = 0; i < open; i++)
            gained |= improve(c, order[i], row, chosen, bits, sweep < SIDEWAYS);
    }
    return worth_of_row(c, row, bits, true);
}

/* ---- where a row starts ----------------------------------------------------------------------- */

static long count_in(const Layer *layer, int which, int *sets)
{
    int items[64];
    long n = 0;
    if (layer->t == 2) {
        const Bits *open = layer->of[which];
        int first = layer->start[sets[1]], last = first + layer->counts[layer->param[sets[1]]];
        for (int v = 0; v < layer->counts[layer->param[sets[0]]]; v++) {
            const Bits *mine = open + (size_t)(layer->start[sets[0]] + v) * (size_t)layer->words;
            for (int x = first; x < last; x++)
                n += (long)HAS(mine, x);
        }
        return n;
    }
    for (int i = 0; i < layer->t; i++)
        items[i] = layer->start[sets[i]];
    items[layer->t - 1]--;
    while (layer_next(layer, which, sets, items))
        n++;
    return n;
}

/* The parameters of a layer by falling number of values: as many of them as make few sets. */
static int list_widest(const Covering *c, const Layer *layer, int *widest)
{
    for (int q = 0; q < layer->k; q++) {
        int at = q;
        for (; at && c->levels[layer->param[widest[at - 1]]] < c->levels[layer->param[q]]; at--)
            widest[at] = widest[at - 1];
        widest[at] = q;
    }
    int most = layer->t <= 3 ? TOP : layer->t + 4;
    return layer->k < most ? layer->k : most;
}

static void sort_up(int *numbers, int n)
{
    for (int i = 1; i < n; i++)
        for (int z = i; z && numbers[z - 1] > numbers[z]; z--) {
            int swap = numbers[z];
            numbers[z] = numbers[z - 1], numbers[z - 1] = swap;
        }
}

typedef struct {
    int layer, sets[64];
    long open;
} Start;

/* The set of parameters with most tuples that are open or needed, among the widest of each layer. */
static Start find_start(const Covering *c, int which)
{
    Start best = {.open = 0};
    for (int l = 0; l < c->layers; l++) {
        const Layer *layer = &c->layer[l];
        int widest[layer->k + 1], at[64], sets[64], t = layer->t, top = list_widest(c, layer, widest);
        for (int n = 0; n < t; n++)
            at[n] = n;
        for (;;) {
            for (int n = 0; n < t; n++)
                sets[n] = widest[at[n]];
            sort_up(sets, t);
            long open = count_in(layer, which, sets);
            if (open > best.open) {
                best.layer = l;
                best.open = open;
                memcpy(best.sets, sets, sizeof(int) * (size_t)t);
            }
            int n = t - 1;
            while (n >= 0 && at[n] == top - t + n)
                n--;
            if (n < 0)
                break;
            for (at[n]++, n++; n < t; n++)
                at[n] = at[n - 1] + 1;
        }
    }
    return best;
}

/* The first set of parameters of any layer with an open tuple. */
static Start find_any(Covering *c)
{
    Start found = {.open = 0};
    for (int l = 0; l < c->layers; l++) {
        Layer *layer = &c->layer[l];
        int t = layer->t;
        long number = 0;
        for (int n = 0; n < t; n++)
            found.sets[n] = n;
        for (;;) {
            if (number >= layer->at) { /* before, nothing is open any more */
                layer->at = number;
                if ((found.open = count_in(layer, OPEN, found.sets))) {
                    found.layer = l;
                    return found;
                }
            }
            number++;
            int n = t - 1;
            while (n >= 0 && found.sets[n] == layer->k - t + n)
                n--;
            if (n < 0)
                break;
            for (found.sets[n]++, n++; n < t; n++)
                found.sets[n] = found.sets[n - 1] + 1;
        }
        layer->at = number;
    }
    return found;
}

static void take_tuple(const Covering *c, Start *start, long number, int *params, int *values)
{
    const Layer *layer = &c->layer[start->layer];
    int items[64];
    for (int n = 0; n < layer->t; n++)
        items[n] = layer->start[start->sets[n]];
    items[layer->t - 1]--;
    do
        layer_next(layer, OPEN, start->sets, items);
    while (number--);
    for (int n = 0; n < layer->t; n++) {
        params[n] = layer->param[start->sets[n]];
        values[n] = items[n] - layer->start[start->sets[n]];
    }
}

/* ---- from Python ------------------------------------------------------------------------------ */

static void show_row(Covering *c, const int *row, Bits *bits)
{
    row_bits(c, row, bits);
    for (int l = 0; l < c->layers; l++)
        layer_show(&c->layer[l], row, bits + c->layer[l].before);
}

PyObject *covering_begin(Covering *c, PyObject *args)
{
    PyObject *rows;
    int n;
    if (!PyArg_ParseTuple(args, "O", &rows))
        return NULL;
    int *read = read_rows(c, rows, &n);
    if (!read)
        return NULL;
    Bits bits[c->words + 1];
    long left = 0;
    for (int l = 0; l < c->layers; l++)
        layer_open(&c->layer[l]);
    for (int i = 0; i < n; i++)
        show_row(c, read + (size_t)i * (size_t)c->params, bits);
    free(read);
    for (int l = 0; l < c->layers; l++)
        left += layer_left(&c->layer[l], OPEN);
    return PyLong_FromLong(left);
}

/* grow(candidates, ahead) -> the next row and the tuple it started from, or None where nothing is open. */
PyObject *covering_grow(Covering *c, PyObject *args)
{
    int candidates, ahead;
    if (!PyArg_ParseTuple(args, "ii", &candidates, &ahead) || PyErr_CheckSignals())
        return NULL;
    Start start = find_start(c, OPEN);
    for (int l = 0; l < c->layers; l++)
        layer_weigh(&c->layer[l], start.open * ahead);
    if (!start.open)
        start = find_any(c);
    if (!start.open)
        Py_RETURN_NONE;
    int row[c->params + 1], made[c->params + 1], params[64], values[64], t = c->layer[start.layer].t;
    Bits bits[c->words + 1];
    long best = -1;
    for (int n = 0; n < candidates; n++) {
        take_tuple(c, &start, (long)draw(c, (uint32_t)start.open), params, values);
        long worth = make_candidate(c, made, params, values, t, n & 1, bits);
        if (worth > best) {
            best = worth;
            memcpy(row, made, sizeof(int) * (size_t)c->params);
        }
    }
    PyObject *cells = make_tuple(c, params, values, t);
    if (!cells)
        return NULL;
    if (best < 0) /* no row was found within the budget */
        return Py_BuildValue("OlN", Py_None, 0L, cells);
    long shown = worth_of_row(c, row, bits, false);
    show_row(c, row, bits);
    PyObject *answer = make_row(c, row);
    if (!answer) {
        Py_DECREF(cells);
        return NULL;
    }
    return Py_BuildValue("NlN", answer, shown, cells);
}

/* count_least() -> how many rows there are at least: no row has two tuples of the same parameters. */
PyObject *covering_count_least(Covering *c, PyObject *unused)
{
    (void)unused;
    return PyLong_FromLong(find_start(c, NEEDED).open);
}

/* arrange(rows, fixed) -> numbers of the rows in an order in which each shows most that is new. */
PyObject *covering_arrange(Covering *c, PyObject *args)
{
    PyObject *rows;
    int n, fixed;
    if (!PyArg_ParseTuple(args, "Oi", &rows, &fixed))
        return NULL;
    int *read = read_rows(c, rows, &n);
    if (!read)
        return NULL;
    Bits bits[c->words + 1];
    PyObject *order = PyList_New(0);
    long *most = malloc(sizeof(long) * (size_t)(n + 1)); /* news at most, as known before */
    for (int l = 0; l < c->layers; l++)
        layer_open(&c->layer[l]);
    for (int i = 0; most && i < n; i++)
        most[i] = -1;
    for (int taken = 0; order && most && taken < n; taken++) {
        int best = -1;
        long news = -1;
        if (taken < fixed)
            best = taken;
        else
            for (int i = fixed; i < n; i++) {
                if (most[i] == -2 || (most[i] >= 0 && most[i] <= news))
                    continue;
                most[i] = worth_of_row(c, read + (size_t)i * (size_t)c->params, bits, false);
                if (most[i] > news)
                    news = most[i], best = i;
            }
        most[best] = -2;
        show_row(c, read + (size_t)best * (size_t)c->params, bits);
        PyObject *number = PyLong_FromLong(best);
        if (!number || PyList_Append(order, number))
            Py_CLEAR(order);
        Py_XDECREF(number);
    }
    free(read);
    if (!most) {
        Py_CLEAR(order);
        PyErr_NoMemory();
    }
    free(most);
    return order;
}

/* missing(rows, most) -> how many needed tuples no row has, and the first of them. */
PyObject *covering_missing(Covering *c, PyObject *args)
{
    PyObject *rows;
    long most;
    if (!PyArg_ParseTuple(args, "Ol", &rows, &most))
        return NULL;
    PyObject *one = PyTuple_Pack(1, rows), *left = one ? covering_begin(c, one) : NULL, *found = left ? PyList_New(0) : NULL;
    Py_XDECREF(one);
    for (int l = 0; found && l < c->layers; l++) {
        const Layer *layer = &c->layer[l];
        int set[64], items[64], params[64], values[64], t = layer->t;
        for (int n = 0; n < t; n++)
            set[n] = n;
        for (bool more = t <= layer->k; more && PyList_GET_SIZE(found) < most;) {
            for (int n = 0; n < t; n++)
                items[n] = layer->start[set[n]];
            items[t - 1]--;
            while (PyList_GET_SIZE(found) < most && layer_next(layer, OPEN, set, items)) {
                for (int n = 0; n < t; n++) {
                    params[n] = layer->param[set[n]];
                    values[n] = items[n] - layer->start[set[n]];
                }
                PyObject *cells = make_tuple(c, params, values, t);
                if (!cells || PyList_Append(found, cells)) {
                    Py_XDECREF(cells);
                    Py_CLEAR(found);
                    more = false;
                    break;
                }
                Py_DECREF(cells);
            }
            if (!found)
                break;
            int n = t - 1;
            while (n >= 0 && set[n] == layer->k - t + n)
                n--;
            if (n < 0)
                break;
            for (set[n]++, n++; n < t; n++)
                set[n] = set[n - 1] + 1;
        }
    }
    return found ? Py_BuildValue("NN", left, found) : (Py_XDECREF(left), NULL);
}
