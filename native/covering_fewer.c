/* Fewer rows. See covering.h.
 *
 * The row with the fewest tuples of its own goes. Then an open tuple after the other is put where least is lost; cells
 * that were just changed stay as they are for a while, unless that would leave less open than ever.
 */
#include "covering.h"

enum { NEAR = 12, FEW_REPAIRS = 40, MUCH_WORSE = 40, LUCK = 300 };

/* ---- what is missing -------------------------------------------------------------------------- */

static bool note_missing(Covering *c, int l, long place, const int *items)
{
    if (c->missing_used == c->missing_room) {
        long room = 2 * c->missing_room + 1024;
        Missing *grown = realloc(c->missing, sizeof(Missing) * (size_t)room);
        if (!grown)
            return false;
        c->missing = grown;
        int *wide = realloc(c->missing_items, sizeof(int) * (size_t)(room * c->widest));
        if (!wide)
            return false;
        c->missing_items = wide;
        c->missing_room = room;
    }
    c->missing[c->missing_used] = (Missing){l, place};
    memcpy(c->missing_items + c->missing_used * c->widest, items, sizeof(int) * (size_t)c->layer[l].t);
    c->missing_used++;
    return true;
}

static void forget_missing(Covering *c, int l, long place)
{
    for (long n = 0; n < c->missing_used; n++)
        if (c->missing[n].place == place && c->missing[n].layer == l) {
            c->missing_used--;
            c->missing[n] = c->missing[c->missing_used];
            memcpy(c->missing_items + n * c->widest, c->missing_items + c->missing_used * c->widest,
                   sizeof(int) * (size_t)c->widest);
            return;
        }
}

static bool count_tuple(Covering *c, int l, const int *items, bool more)
{
    Layer *layer = &c->layer[l];
    long place = layer_place(layer, items);
    if (layer->picky && (layer->size ? !layer_has(layer, NEEDED, items) : !layer->need[place]))
        return true; /* a legal row has no other tuples that are not needed */
    uint16_t before = more ? layer->times[place]++ : layer->times[place]--;
    if (more && before == 0) {
        layer_mark(layer, items, OPEN, false);
        layer_mark(layer, items, ONCE, true);
        forget_missing(c, l, place);
    } else if (more && before == 1) {
        layer_mark(layer, items, ONCE, false);
    } else if (!more && before == 1) {
        layer_mark(layer, items, ONCE, false);
        layer_mark(layer, items, OPEN, true);
        return note_missing(c, l, place, items);
    } else if (!more && before == 2) {
        layer_mark(layer, items, ONCE, true);
    }
    return true;
}

/* Counts the tuples of one cell with the rest of a row, in the order of their parameters. */
static bool count_cell(Covering *c, const int *row, int p, int v, bool more)
{
    for (int l = 0; l < c->layers; l++) {
        Layer *layer = &c->layer[l];
        int own = layer->local[p], items[64], at[64], others[layer->k + 1], n = 0, t = layer->t;
        if (own < 0)
            continue;
        for (int q = 0; q < layer->k; q++)
            if (q != own && row[layer->param[q]] >= 0)
                others[n++] = q;
        if (n < t - 1)
            continue;
        for (int i = 0; i < t - 1; i++)
            at[i] = i;
        for (;;) {
            int used = 0;
            bool put = false;
            for (int i = 0; i < t - 1; i++) {
                int q = others[at[i]];
                if (!put && q > own)
                    items[used++] = layer->start[own] + v, put = true;
                items[used++] = layer->start[q] + row[layer->param[q]];
            }
            if (!put)
                items[used++] = layer->start[own] + v;
            if (!count_tuple(c, l, items, more))
                return false;
            int i = t - 2;
            while (i >= 0 && at[i] == n - (t - 1) + i)
                i--;
            if (i < 0)
                break;
            for (at[i]++, i++; i < t - 1; i++)
                at[i] = at[i - 1] + 1;
        }
    }
    return true;
}

static bool count_row(Covering *c, int *row, bool more)
{
    int made[c->params + 1];
    for (int p = 0; p < c->params; p++)
        made[p] = more ? -1 : row[p];
    for (int p = 0; p < c->params; p++) {
        if (!more)
            made[p] = -1;
        if (!count_cell(c, made, p, row[p], more))
            return false;
        if (more)
            made[p] = row[p];
    }
    return true;
}

/* ---- the search ------------------------------------------------------------------------------- */

PyObject *covering_begin_search(Covering *c, PyObject *args)
{
    PyObject *rows;
    int n, fixed;
    if (!PyArg_ParseTuple(args, "Oi", &rows, &fixed))
        return NULL;
    free(c->row), free(c->best), free(c->tabu), free(c->bits);
    c->row = c->best = c->tabu = NULL, c->bits = NULL;
    if (!(c->row = read_rows(c, rows, &n)))
        return NULL;
    size_t cells = (size_t)n * (size_t)c->params + 1, words = (size_t)(c->words + 1);
    c->best = malloc(sizeof(int) * cells), c->tabu = calloc(cells, sizeof(int));
    c->bits = malloc(sizeof(Bits) * ((size_t)n + 1) * words);
    if (!c->best || !c->tabu || !c->bits)
        return PyErr_NoMemory();
    memcpy(c->best, c->row, sizeof(int) * (cells - 1));
    c->rows = c->best_rows = n, c->fixed = fixed, c->missing_used = 0, c->step = c->last = c->least_missing = 0;
    for (int l = 0; l < c->layers; l++) {
        Layer *layer = &c->layer[l];
        if (!layer->times && !(layer->times = malloc(sizeof(uint16_t) * (size_t)(layer->tuples + 1))))
            return PyErr_NoMemory();
        memset(layer->times, 0, sizeof(uint16_t) * (size_t)layer->tuples);
        layer_open(layer);
        if (layer->size)
            memset(layer->of[ONCE], 0, sizeof(Bits) * layer->size);
    }
    for (int r = 0; r < n; r++) {
        int *row = c->row + (size_t)r * (size_t)c->params;
        row_bits(c, row, c->bits + (size_t)r * words);
        if (!count_row(c, row, true))
            return PyErr_NoMemory();
    }
    Py_RETURN_NONE;
}

/* How many tuples a row alone shows. */
static long count_own(Covering *c, int r)
{
    int made[c->params + 1];
    Bits bits[c->words + 1];
    long sum = 0;
    memcpy(made, c->row + (size_t)r * (size_t)c->params, sizeof(int) * (size_t)c->params);
    memcpy(bits, c->bits + (size_t)r * (size_t)(c->words + 1), sizeof(Bits) * (size_t)(c->words + 1));
    for (int p = 0; p < c->params; p++) {
        int v = made[p];
        made[p] = -1;
        put_cell(c, bits, p, v, false);
        sum += gain(c, ONCE, p, v, made, bits, false);
    }
    return sum;
}

static bool drop_row(Covering *c)
{
    int worst = -1;
    long least = 0;
    size_t width = (size_t)c->params, words = (size_t)(c->words + 1);
    for (int r = c->fixed; r < c->rows; r++) {
        long own = count_own(c, r);
        if (worst < 0 || own < least)
            worst = r, least = own;
    }
    if (!count_row(c, c->row + (size_t)worst * width, false))
        return false;
    c->rows--;
    memcpy(c->row + (size_t)worst * width, c->row + (size_t)c->rows * width, sizeof(int) * width);
    memcpy(c->bits + (size_t)worst * words, c->bits + (size_t)c->rows * words, sizeof(Bits) * words);
    memcpy(c->tabu + (size_t)worst * width, c->tabu + (size_t)c->rows * width, sizeof(int) * width);
    c->least_missing = c->missing_used;
    c->last = c->step;
    return true;
}

typedef struct {
    int row, n, *params, *values;
    long gains, age;
} Move;

/* Looks at one row for a tuple; keeps the move if it is the best so far. `far`: rows that need more than one change. */
static bool look_at(Covering *c, int r, const int *params, const int *values, int t, bool far, int lucky, Move *best)
{
    int *row = c->row + (size_t)r * (size_t)c->params, *tabu = c->tabu + (size_t)r * (size_t)c->params;
    int change[c->params + 1], to[c->params + 1], n = 0;
    bool is_tabu = false;
    for (int i = 0; i < t; i++)
        if (row[params[i]] != values[i])
            change[n] = params[i], to[n++] = values[i];
    if (t > 2 && (n == 1) == far)
        return false;
    for (int i = 0; i < n; i++)
        is_tabu |= tabu[change[i]] > c->step;
    if (is_tabu && c->missing_used > c->least_missing + MUCH_WORSE)
        return true;
    int old[64];
    bool legal = true;
    for (int i = 0; i < n; i++)
        old[i] = row[change[i]], row[change[i]] = to[i];
    for (int i = 0; i < n && legal; i++)
        legal = keeps_rules(c, change[i], row);
    int made[legal ? 1 : c->params + 1];
    if (!legal)
        memcpy(made, row, sizeof(int) * (size_t)c->params);
    for (int i = 0; i < n; i++)
        row[change[i]] = old[i];
    if (!legal) {
        char fixed[c->params + 1];
        long budget = FEW_REPAIRS;
        memset(fixed, 0, (size_t)c->params + 1);
        for (int i = 0; i < t; i++)
            fixed[params[i]] = 1;
        if (repair(c, made, fixed, &budget, change, n) != 1)
            return true;
        n = 0;
        for (int p = 0; p < c->params; p++)
            if (made[p] != row[p]) {
                change[n] = p, to[n++] = made[p];
                is_tabu |= tabu[p] > c->step;
            }
    }
    long gains = change_of(c, ONCE, false, row, c->bits + (size_t)r * (size_t)(c->words + 1), change, to, n), age = 0;
    if (is_tabu && c->missing_used - gains >= c->least_missing)
        return true;
    if (r == lucky)
        gains += 1 + (long)draw(c, 2);
    for (int i = 0; i < n; i++)
        if (tabu[change[i]] > age)
            age = tabu[change[i]];
    if (best->row < 0 || gains > best->gains || (gains == best->gains && age < best->age)) {
        best->row = r, best->n = n, best->gains = gains, best->age = age;
        memcpy(best->params, change, sizeof(int) * (size_t)n);
        memcpy(best->values, to, sizeof(int) * (size_t)n);
    }
    return true;
}

static bool make_move(Covering *c, const Move *move)
{
    int *row = c->row + (size_t)move->row * (size_t)c->params, *tabu = c->tabu + (size_t)move->row * (size_t)c->params;
    for (int i = 0; i < move->n; i++) {
        int p = move->params[i], v = row[p];
        row[p] = -1;
        if (!count_cell(c, row, p, v, false))
            return false;
    }
    for (int i = 0; i < move->n; i++) {
        int p = move->params[i];
        if (!count_cell(c, row, p, move->values[i], true))
            return false;
        row[p] = move->values[i];
        tabu[p] = (int)(c->step + 1 + draw(c, 4) + ((c->step - c->last) >> 13) % 3 * 3);
    }
    row_bits(c, row, c->bits + (size_t)move->row * (size_t)(c->words + 1));
    if (c->missing_used < c->least_missing)
        c->least_missing = c->missing_used, c->last = c->step;
    return true;
}

static bool make_step(Covering *c)
{
    c->step++;
    long chosen = (long)draw(c, (uint32_t)c->missing_used);
    const Layer *layer = &c->layer[c->missing[chosen].layer];
    int params[64], values[64], t = layer->t, change[c->params + 1], to[c->params + 1];
    for (int i = 0; i < t; i++) {
        int x = c->missing_items[chosen * c->widest + i];
        params[i] = layer->param[layer->owner[x]];
        values[i] = x - layer->start[layer->owner[x]];
    }
    int open = c->rows - c->fixed;
    if (open <= 0)
        return true;
    int from = (int)draw(c, (uint32_t)open), lucky = c->fixed + (int)draw(c, LUCK), looked = 0;
    Move best = {.row = -1, .params = change, .values = to};
    for (int s = 0; s < open; s++)
        look_at(c, c->fixed + (s + from) % open, params, values, t, false, lucky, &best);
    if (t > 2 && (best.row < 0 || !draw(c, 8)))
        for (int s = 0; s < open && looked < NEAR; s++)
            looked += look_at(c, c->fixed + (s + from) % open, params, values, t, true, lucky, &best);
    return best.row < 0 || make_move(c, &best);
}

/* search(steps, low) -> rows of the best, steps that were made; fewer than asked for where there is no more to do. */
PyObject *covering_search(Covering *c, PyObject *args)
{
    long steps, made = 0;
    int low;
    if (!PyArg_ParseTuple(args, "li", &steps, &low) || PyErr_CheckSignals())
        return NULL;
    if (!c->row) {
        PyErr_SetString(PyExc_SystemError, "begin_search comes first");
        return NULL;
    }
    for (;;) {
        if (!c->missing_used) {
            c->best_rows = c->rows;
            memcpy(c->best, c->row, sizeof(int) * (size_t)c->rows * (size_t)c->params);
            if (c->rows <= low || c->rows <= c->fixed)
                break;
            if (!drop_row(c))
                return PyErr_NoMemory();
            continue;
        }
        if (made == steps)
            break;
        if (!make_step(c))
            return PyErr_NoMemory();
        made++;
    }
    return Py_BuildValue("il", c->best_rows, made);
}

PyObject *covering_best(Covering *c, PyObject *unused)
{
    (void)unused;
    PyObject *rows = PyList_New(c->best_rows);
    for (int r = 0; rows && r < c->best_rows; r++) {
        PyObject *row = make_row(c, c->best + (size_t)r * (size_t)c->params);
        if (!row)
            Py_CLEAR(rows);
        else
            PyList_SET_ITEM(rows, r, row);
    }
    return rows;
}
