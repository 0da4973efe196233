/* What bounds on differences and disequalities come to, in the normal form of `unlike.zones.zone`.
 *
 * This text is included twice: by zone.c for paths and states (16-bit bounds in padded rows, so that one instruction
 * takes eight of them) and by points_zone.c for counting (32-bit bounds, as many rows as there are). Before it stand
 *
 *     ZONE         a struct with rows, stride (numbers between the starts of two rows), bounds, unequal, unequal_used
 *     NUMBER       the type of a bound
 *     UNEQUAL      a struct of i, j, c, of the same type: x_i - x_j != c
 *     OPS(name)    the name of a function here
 */

static inline NUMBER OPS(bound)(const ZONE *zone, int i, int j)
{
    return zone->bounds[i * zone->stride + j];
}

/* Adds x_i - x_j <= c to closed bounds that allow it; they are closed afterwards. */
static inline void OPS(tighten)(ZONE *zone, int i, int j, int c)
{
    int stride = zone->stride;
    const NUMBER *restrict last = zone->bounds + j * stride;
    if (OPS(bound)(zone, i, j) <= c)
        return;
    for (int a = 0; a < zone->rows; a++) {
        NUMBER *restrict row = zone->bounds + a * stride;
        NUMBER step = (NUMBER)(row[i] + c);
        if (a == j) /* it stays: bounds[j][i] + c is not negative */
            continue;
        for (int b = 0; b < stride; b++) {
            NUMBER through = (NUMBER)(step + last[b]);
            row[b] = through < row[b] ? through : row[b];
        }
    }
}

/* The first slot, of those that are kept if that is said, that this one differs from by a fixed offset; or itself. */
static inline int OPS(find_tied)(const ZONE *zone, int slot, const bool *kept, int *offset)
{
    for (int other = 0; other < zone->rows; other++)
        if ((!kept || !other || kept[other]) && OPS(bound)(zone, slot, other) == -OPS(bound)(zone, other, slot)) {
            *offset = OPS(bound)(zone, slot, other);
            return other;
        }
    *offset = 0;
    return slot;
}

/* The same said of the first slots that move together with its own, the later slot first. */
static inline UNEQUAL OPS(rewrite)(const ZONE *zone, UNEQUAL each, const bool *kept)
{
    int x, y, a = OPS(find_tied)(zone, each.i, kept, &x), b = OPS(find_tied)(zone, each.j, kept, &y);
    if (a > b)
        return (UNEQUAL){(NUMBER)a, (NUMBER)b, (NUMBER)(each.c - x + y)};
    return (UNEQUAL){(NUMBER)b, (NUMBER)a, (NUMBER)(x - y - each.c)};
}

static inline int OPS(compare)(UNEQUAL one, UNEQUAL other)
{
    return one.i != other.i ? one.i - other.i : one.j != other.j ? one.j - other.j : one.c - other.c;
}

/* Puts a disequality where it belongs in the sorted list, once. */
static inline void OPS(insert)(UNEQUAL *list, int *used, UNEQUAL each)
{
    int at = *used;
    while (at > 0 && OPS(compare)(list[at - 1], each) > 0)
        at--;
    if (at > 0 && OPS(compare)(list[at - 1], each) == 0)
        return;
    memmove(list + at + 1, list + at, sizeof *list * (size_t)(*used - at));
    list[at] = each;
    ++*used;
}

/* Brings bounds and disequalities into normal form; false if the bounds show that no point is left. */
static inline bool OPS(settle)(ZONE *zone)
{
    bool again = zone->unequal_used > 0;
    while (again) {
        int used = 0; /* those that stay are written over those already looked at */
        again = false;
        for (int at = 0; at < zone->unequal_used; at++) {
            UNEQUAL each = zone->unequal[at];
            int least = -OPS(bound)(zone, each.j, each.i), most = OPS(bound)(zone, each.i, each.j);
            if (each.c < least || each.c > most)
                continue;
            if (least == most)
                return false;
            if (least < each.c && each.c < most) {
                OPS(insert)(zone->unequal, &used, OPS(rewrite)(zone, each, NULL));
                continue;
            }
            if (each.c == most)
                OPS(tighten)(zone, each.i, each.j, each.c - 1);
            else
                OPS(tighten)(zone, each.j, each.i, -each.c - 1);
            again = true;
        }
        zone->unequal_used = used;
    }
    return true;
}
