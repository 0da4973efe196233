/* Which tuples of a layer are needed, open, or shown by one row only. See covering.h. */
#include "covering.h"

/* ---- making ----------------------------------------------------------------------------------- */

static int count_entering(const Covering *c, int p)
{
    int n = 0;
    for (int v = 0; v < c->levels[p]; v++)
        n += c->enters[c->global[p] + v];
    return n ? n : 1;
}

/* Numbers the items: parameters of as many values after each other, each class from a fresh word on. */
static bool number_items(Layer *layer, const Covering *c)
{
    int at = 0, top = 0;
    int *order = malloc(sizeof(int) * (size_t)(layer->k + 1));
    if (!order)
        return false;
    for (int q = 0; q < layer->k; q++) { /* a stable sort by falling number of values */
        int z = q;
        for (; z && count_entering(c, layer->param[order[z - 1]]) < count_entering(c, layer->param[q]); z--)
            order[z] = order[z - 1];
        order[z] = q;
    }
    layer->classes = 0;
    for (int n = 0; n < layer->k; n++) {
        int q = order[n], levels = count_entering(c, layer->param[q]);
        if (!n || (levels != layer->levels[layer->classes - 1] && layer->classes < MOST_CLASSES)) {
            at = (at + 63) / 64 * 64;
            layer->levels[layer->classes++] = levels;
        }
        layer->cls[q] = layer->classes - 1;
        layer->start[q] = at;
        at += c->levels[layer->param[q]];
        top = at;
    }
    free(order);
    layer->items = top;
    layer->words = (top + 63) / 64;
    layer->owner = malloc(sizeof(int) * (size_t)(top + 1));
    layer->word_cls = calloc((size_t)layer->words + 1, sizeof(int));
    if (!layer->owner || !layer->word_cls)
        return false;
    for (int x = 0; x < top; x++)
        layer->owner[x] = -1;
    for (int q = 0; q < layer->k; q++)
        for (int v = 0; v < c->levels[layer->param[q]]; v++) {
            layer->owner[layer->start[q] + v] = q;
            layer->word_cls[(layer->start[q] + v) >> 6] = layer->cls[q];
        }
    return true;
}

static bool enters_item(const Layer *layer, const Covering *c, int x)
{
    int q = layer->owner[x];
    return q >= 0 && c->enters[c->global[layer->param[q]] + x - layer->start[q]];
}

static bool make_bits(Layer *layer, const Covering *c)
{
    size_t items = (size_t)layer->items, words = (size_t)layer->words;
    layer->size = (layer->t == 2 ? items : items * items) * words;
    for (int which = 0; which < 3; which++)
        if (!(layer->of[which] = calloc(layer->size + 1, sizeof(Bits))))
            return false;
    Bits *mine = layer->of[NEEDED];
    for (int i = 0; i < layer->items; i++) {
        if (!enters_item(layer, c, i))
            continue;
        for (int j = 0; j < layer->items; j++) {
            if (!enters_item(layer, c, j) || layer->owner[j] == layer->owner[i])
                continue;
            if (layer->t == 2) {
                PUT(mine + (size_t)i * words, j);
                continue;
            }
            Bits *both = mine + ((size_t)i * items + (size_t)j) * words;
            for (int k = 0; k < layer->items; k++)
                if (enters_item(layer, c, k) && layer->owner[k] != layer->owner[i] && layer->owner[k] != layer->owner[j])
                    PUT(both, k);
        }
    }
    return true;
}

static bool make_table(Layer *layer, const Covering *c)
{
    int t = layer->t, k = layer->k, at[64];
    long sets = 1;
    for (int n = 0; n < t; n++)
        sets = sets * (k - n) / (n + 1);
    layer->sets = sets;
    layer->members = malloc(sizeof(int) * (size_t)(sets * t + 1));
    layer->first = malloc(sizeof(long) * (size_t)(sets + 1));
    layer->set_weight = malloc(sizeof(long) * (size_t)(sets + 1));
    layer->with = malloc(sizeof(long) * (size_t)(sets * t + 1));
    layer->with_start = calloc((size_t)k + 2, sizeof(long));
    if (!layer->members || !layer->first || !layer->with || !layer->with_start || !layer->set_weight)
        return false;
    for (int n = 0; n < t; n++)
        at[n] = n;
    long places = 0;
    for (long set = 0; set < sets; set++) {
        long size = 1;
        for (int n = 0; n < t; n++) {
            layer->members[set * t + n] = at[n];
            layer->with_start[at[n] + 1]++;
            size *= c->levels[layer->param[at[n]]];
        }
        layer->first[set] = places;
        layer->set_weight[set] = 1;
        places += size;
        int n = t - 1;
        while (n >= 0 && at[n] == k - t + n)
            n--;
        if (n >= 0)
            for (at[n]++, n++; n < t; n++)
                at[n] = at[n - 1] + 1;
    }
    layer->first[sets] = layer->tuples = places;
    for (int q = 0; q < k; q++)
        layer->with_start[q + 1] += layer->with_start[q];
    long *fill = malloc(sizeof(long) * (size_t)(k + 1));
    layer->need = calloc((size_t)places + 1, 1);
    layer->times = calloc((size_t)places + 1, sizeof(uint16_t));
    if (!fill || !layer->need || !layer->times) {
        free(fill);
        return false;
    }
    memcpy(fill, layer->with_start, sizeof(long) * (size_t)k);
    for (long set = 0; set < sets; set++) {
        for (int n = 0; n < t; n++)
            layer->with[fill[layer->members[set * t + n]]++] = set;
        for (long place = layer->first[set]; place < layer->first[set + 1]; place++) {
            long rest = place - layer->first[set];
            bool all = true;
            for (int n = t - 1; n >= 0; n--) {
                int p = layer->param[layer->members[set * t + n]];
                all &= c->enters[c->global[p] + rest % c->levels[p]];
                rest /= c->levels[p];
            }
            layer->need[place] = all;
        }
    }
    free(fill);
    return true;
}

/* The places of tuples of three items, i before j before k by parameter. */
static bool make_times(Layer *layer)
{
    size_t items = (size_t)layer->items;
    if (layer->t == 2) {
        layer->tuples = (long)(items * items);
    } else {
        if (!(layer->base = malloc(sizeof(long) * (items * items + 1))))
            return false;
        long at = 0;
        for (int i = 0; i < layer->items; i++)
            for (int j = 0; j < layer->items; j++)
                if (layer->owner[i] >= 0 && layer->owner[j] > layer->owner[i]) {
                    layer->base[(size_t)i * items + (size_t)j] = at;
                    at += layer->items;
                }
        layer->tuples = at;
    }
    return true;
}

bool layer_init(Layer *layer, const Covering *c, int t, const int *params, int k)
{
    memset(layer, 0, sizeof *layer);
    layer->t = t;
    layer->k = k;
    layer->counts = c->levels;
    layer->param = malloc(sizeof(int) * (size_t)(k + 1));
    layer->local = malloc(sizeof(int) * (size_t)(c->params + 1));
    layer->start = malloc(sizeof(int) * (size_t)(k + 1));
    layer->cls = malloc(sizeof(int) * (size_t)(k + 1));
    if (!layer->param || !layer->local || !layer->start || !layer->cls)
        return false;
    for (int p = 0; p < c->params; p++)
        layer->local[p] = -1;
    for (int q = 0; q < k; q++) {
        layer->param[q] = params[q];
        layer->local[params[q]] = q;
    }
    if (!number_items(layer, c))
        return false;
    for (int q = 0; q < k; q++)
        for (int v = 0; v < c->levels[params[q]]; v++)
            layer->picky |= !c->enters[c->global[params[q]] + v];
    if (t == 2 || t == 3)
        return make_bits(layer, c) && make_times(layer);
    layer->words = 0;
    return make_table(layer, c);
}

void layer_clear(Layer *layer)
{
    free(layer->param), free(layer->local), free(layer->start), free(layer->owner), free(layer->cls);
    free(layer->word_cls), free(layer->base), free(layer->members), free(layer->first), free(layer->with);
    free(layer->with_start), free(layer->set_weight), free(layer->need), free(layer->times);
    for (int which = 0; which < 3; which++)
        free(layer->of[which]);
    memset(layer, 0, sizeof *layer);
}

/* ---- one tuple -------------------------------------------------------------------------------- */

static long place_in(const Layer *layer, long set, const int *row)
{
    long place = 0;
    for (int n = 0; n < layer->t; n++) {
        int p = layer->param[layer->members[set * layer->t + n]];
        place = place * layer->counts[p] + row[p];
    }
    return layer->first[set] + place;
}

/* The set of parameters with these members, by rank among all of its size. */
static long rank_of(const Layer *layer, const int *members)
{
    long low = 0, high = layer->sets - 1;
    while (low < high) {
        long mid = (low + high) / 2;
        int n = 0;
        while (n < layer->t && layer->members[mid * layer->t + n] == members[n])
            n++;
        if (n == layer->t || layer->members[mid * layer->t + n] > members[n])
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

long layer_place(const Layer *layer, const int *items)
{
    size_t all = (size_t)layer->items;
    if (layer->t == 2)
        return (long)((size_t)items[0] * all + (size_t)items[1]);
    if (layer->t == 3)
        return layer->base[(size_t)items[0] * all + (size_t)items[1]] + items[2];
    int members[64];
    for (int n = 0; n < layer->t; n++)
        members[n] = layer->owner[items[n]];
    long set = rank_of(layer, members), place = 0;
    for (int n = 0; n < layer->t; n++)
        place = place * layer->counts[layer->param[members[n]]] + items[n] - layer->start[members[n]];
    return layer->first[set] + place;
}

void layer_mark(Layer *layer, const int *items, int which, bool on)
{
    size_t all = (size_t)layer->items, words = (size_t)layer->words;
    Bits *set = layer->of[which];
    if (layer->t == 2) {
        Bits *one = set + (size_t)items[0] * words, *two = set + (size_t)items[1] * words;
        if (on)
            PUT(one, items[1]), PUT(two, items[0]);
        else
            TAKE(one, items[1]), TAKE(two, items[0]);
    } else if (layer->t == 3) {
        static const int ways[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
        for (int way = 0; way < 6; way++) {
            Bits *both = set + ((size_t)items[ways[way][0]] * all + (size_t)items[ways[way][1]]) * words;
            if (on)
                PUT(both, items[ways[way][2]]);
            else
                TAKE(both, items[ways[way][2]]);
        }
    } else if (which == NEEDED) {
        layer->need[layer_place(layer, items)] = on;
    } /* what is open or shown once, tables tell by how often it is shown */
}

bool layer_has(const Layer *layer, int which, const int *items)
{
    size_t all = (size_t)layer->items, words = (size_t)layer->words;
    if (layer->t == 2)
        return HAS(layer->of[which] + (size_t)items[0] * words, items[1]);
    if (layer->t == 3)
        return HAS(layer->of[which] + ((size_t)items[0] * all + (size_t)items[1]) * words, items[2]);
    long place = layer_place(layer, items);
    return layer->need[place] && (which == NEEDED || layer->times[place] == which);
}

int layer_items(const Layer *layer, const int *row, int *items)
{
    for (int q = 0; q < layer->k; q++)
        items[q] = row[layer->param[q]] < 0 ? -1 : layer->start[q] + row[layer->param[q]];
    return layer->k;
}

/* ---- gains ------------------------------------------------------------------------------------ */

static inline long count_both(const Bits *one, const Bits *two, int words)
{
    long sum = 0;
    for (int w = 0; w < words; w++)
        sum += __builtin_popcountll(one[w] & two[w]);
    return sum;
}

static inline long weigh_both(const Bits *one, const Bits *two, int words, const int *cls, const long *weight, int stride)
{
    long sum = 0;
    for (int w = 0; w < words; w++)
        sum += __builtin_popcountll(one[w] & two[w]) * weight[cls[w] * stride];
    return sum;
}

FAST long layer_gain(const Layer *layer, int which, int q, int v, const int *row, const Bits *bits, bool weighted)
{
    int words = layer->words, x = layer->start[q] + v, cls = layer->cls[q];
    long sum = 0;
    if (layer->t == 2) {
        const Bits *mine = layer->of[which] + (size_t)x * (size_t)words;
        if (!weighted)
            return count_both(mine, bits, words);
        return weigh_both(mine, bits, words, layer->word_cls, &layer->weight[cls][0][0], MOST_CLASSES);
    }
    if (layer->t == 3) {
        const Bits *mine = layer->of[which] + (size_t)x * (size_t)layer->items * (size_t)words;
        for (int r = 0; r < layer->k; r++) {
            int other = row[layer->param[r]];
            if (other < 0)
                continue;
            const Bits *both = mine + (size_t)(layer->start[r] + other) * (size_t)words;
            if (weighted)
                sum += weigh_both(both, bits, words, layer->word_cls, layer->weight[cls][layer->cls[r]], 1);
            else
                sum += count_both(both, bits, words);
        }
        return sum / 2; /* each tuple was met from both of its other items */
    }
    for (long at = layer->with_start[q]; at < layer->with_start[q + 1]; at++) {
        long set = layer->with[at], place = 0;
        bool whole = true;
        for (int n = 0; n < layer->t; n++) {
            int r = layer->members[set * layer->t + n], p = layer->param[r], value = r == q ? v : row[p];
            if (value < 0) {
                whole = false;
                break;
            }
            place = place * layer->counts[p] + value;
        }
        place += layer->first[set];
        if (whole && layer->need[place] && layer->times[place] == which)
            sum += weighted ? layer->set_weight[set] : 1;
    }
    return sum;
}

/* What a tuple of s equally likely ones is worth with so many rows to come: 2^20 (1 - 1/s)^rows, at least 1. */
static long worth_of(long s, long rows)
{
    uint64_t value = 1 << 20;
    for (long n = 0; n < rows && value > 1; n++)
        value = value * (uint64_t)(s - 1) / (uint64_t)s;
    return value ? (long)value : 1;
}

void layer_weigh(Layer *layer, long ahead)
{
    if (layer->t != 2 && layer->t != 3) {
        long known = 0, worth = 1;
        for (long set = 0; set < layer->sets; set++) {
            long size = 1;
            for (int n = 0; n < layer->t; n++)
                size *= layer->levels[layer->cls[layer->members[set * layer->t + n]]];
            if (size != known)
                known = size, worth = worth_of(size, ahead);
            layer->set_weight[set] = worth;
        }
        return;
    }
    for (int a = 0; a < layer->classes; a++)
        for (int b = 0; b < layer->classes; b++)
            for (int d = 0; d < (layer->t == 3 ? layer->classes : 1); d++)
                layer->weight[a][b][d] = worth_of(layer->levels[a] * layer->levels[b] * (layer->t == 3 ? layer->levels[d] : 1), ahead);
}

/* ---- all tuples ------------------------------------------------------------------------------- */

void layer_open(Layer *layer)
{
    if (layer->size)
        memcpy(layer->of[OPEN], layer->of[NEEDED], layer->size * sizeof(Bits));
    else
        memset(layer->times, 0, (size_t)layer->tuples * sizeof(uint16_t));
    layer->at = 0;
}

FAST long layer_left(const Layer *layer, int which)
{
    long sum = 0;
    if (!layer->size) {
        for (long place = 0; place < layer->tuples; place++)
            sum += layer->need[place] && (which == NEEDED || layer->times[place] == which);
        return sum;
    }
    for (size_t w = 0; w < layer->size; w++)
        sum += __builtin_popcountll(layer->of[which][w]);
    return sum / (layer->t == 2 ? 2 : 6);
}

FAST void layer_show(Layer *layer, const int *row, const Bits *bits)
{
    size_t words = (size_t)layer->words, items = (size_t)layer->items;
    Bits *open = layer->of[OPEN];
    if (!layer->size) {
        for (long set = 0; set < layer->sets; set++)
            layer->times[place_in(layer, set, row)] = 1;
        return;
    }
    for (int q = 0; q < layer->k; q++) {
        size_t x = (size_t)(layer->start[q] + row[layer->param[q]]);
        if (layer->t == 2) {
            for (size_t w = 0; w < words; w++)
                open[x * words + w] &= ~bits[w];
            continue;
        }
        for (int r = 0; r < layer->k; r++) {
            Bits *both = open + (x * items + (size_t)(layer->start[r] + row[layer->param[r]])) * words;
            for (size_t w = 0; w < words; w++)
                both[w] &= ~bits[w];
        }
    }
}

/* Goes through the tuples of the parameters in `sets`, from the values in `items` on; false after the last. */
bool layer_next(const Layer *layer, int which, int *sets, int *items)
{
    for (;;) {
        int n = layer->t - 1;
        while (n >= 0) {
            int q = sets[n];
            if (++items[n] < layer->start[q] + layer->counts[layer->param[q]])
                break;
            items[n] = layer->start[q];
            n--;
        }
        if (n < 0)
            return false;
        if (layer_has(layer, which, items))
            return true;
    }
}

void layer_forbid(Layer *layer, const int *params, const int *values, int n)
{
    int sets[64], items[64];
    if (n > layer->t)
        return;
    for (int i = 0; i < n; i++)
        if (layer->local[params[i]] < 0)
            return;
    /* all sets of parameters with these: the others rise */
    int others[64], free_places = layer->t - n, k = layer->k;
    for (int i = 0; i < free_places; i++)
        others[i] = i;
    for (;;) {
        bool fits = true;
        int used = 0;
        for (int i = 0; i < free_places && fits; i++)
            for (int j = 0; j < n; j++)
                fits &= others[i] != layer->local[params[j]];
        if (fits && free_places <= k) {
            for (int i = 0; i < n; i++)
                sets[used++] = layer->local[params[i]];
            for (int i = 0; i < free_places; i++)
                sets[used++] = others[i];
            for (int i = 1; i < used; i++) /* by rising number */
                for (int z = i; z && sets[z - 1] > sets[z]; z--) {
                    int swap = sets[z];
                    sets[z] = sets[z - 1], sets[z - 1] = swap;
                }
            for (int i = 0; i < used; i++)
                items[i] = layer->start[sets[i]];
            items[layer->t - 1]--; /* so that the first is met */
            while (layer_next(layer, NEEDED, sets, items)) {
                bool all = true;
                for (int j = 0; j < n && all; j++) {
                    bool found = false;
                    for (int i = 0; i < used; i++)
                        found |= items[i] == layer->start[layer->local[params[j]]] + values[j];
                    all = found;
                }
                if (all)
                    layer_mark(layer, items, NEEDED, false);
            }
        }
        int i = free_places - 1;
        while (i >= 0 && others[i] == k - free_places + i)
            i--;
        if (i < 0)
            return;
        for (others[i]++, i++; i < free_places; i++)
            others[i] = others[i - 1] + 1;
    }
}
