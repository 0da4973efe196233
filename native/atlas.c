/* Abstract states, and the loop: every path of every call on a state.
 *
 * The twin of `unlike.classes.open.states` and of the loop over them. A path that ends in a plain result and
 * a graph that can be walked here is entered without leaving this file; what raised, returned an object or needs the
 * Python walk is judged by a callback, once per path, and entered by another one.
 */
#include "atlas.h"

/* ---- shapes and states ------------------------------------------------------------------------ */

int64_t atlas_shape(Atlas *atlas, const uint8_t *bytes, size_t size, size_t slots)
{
    int64_t known = store_find(atlas->shapes, bytes, size);
    if (known >= 0)
        return known;
    size_t number = atlas->shapes_used;
    if (slots > MOST_SLOTS) {
        PyErr_Format(CANNOT_CLASS, "a state has %zu open values, of at most %d", slots, MOST_SLOTS);
        return -1;
    }
    if (!GROW(atlas->by_shape, atlas->by_shape_capacity, number + 1) ||
        !GROW(atlas->first, atlas->first_capacity, (number + 1) * (atlas->calls_used + 1)))
        return -1;
    atlas->by_shape[number] = (OfShape){.slots = (int)slots};
    memset(atlas->first + number * atlas->calls_used, 0, sizeof *atlas->first * atlas->calls_used);
    if (store_add(atlas->shapes, bytes, size, -1, -1) < 0)
        return -1;
    atlas->shapes_used++;
    return (int64_t)number;
}

static void load_zone(const Atlas *atlas, size_t number, Zone *zone)
{
    const State *state = &atlas->states[number];
    zone_load(zone, atlas->numbers + state->start, atlas->by_shape[state->shape].slots + 1, state->unequal);
}

static inline bool within(const Bound *inner, const Bound *outer, size_t count)
{
    int beyond = 0;
    for (size_t at = 0; at < count; at++)
        beyond |= inner[at] > outer[at];
    return !beyond;
}

/* Tells whether all points of one zone, given with its disequalities, lie in the other. */
static bool covers(const Bound *outer, int outer_unequal, const Bound *inner, int inner_unequal, int rows)
{
    static Zone zones[2];
    if (!outer_unequal && !inner_unequal)
        return within(inner, outer, (size_t)(rows * rows));
    zone_load(&zones[0], outer, rows, outer_unequal);
    zone_load(&zones[1], inner, rows, inner_unequal);
    return zone_includes(&zones[0], &zones[1]);
}

/* ---- states of a single point ----------------------------------------------------------------- */

static bool is_point(const Bound *packed, int rows)
{
    for (int slot = 1; slot < rows; slot++)
        if (packed[slot] != -packed[slot * rows])
            return false;
    return true;
}

/* The place of a point among those of the shape: where it is, or where it belongs. */
static size_t place_of(const Atlas *atlas, const OfShape *shape, const Bound *packed)
{
    size_t rows = (size_t)shape->slots + 1;
    uint64_t hash = 0;
    for (size_t slot = 1; slot < rows; slot++)
        hash = (hash ^ (uint16_t)packed[slot]) * UINT64_C(0x9E3779B97F4A7C15);
    size_t at = (size_t)(hash >> 32) & shape->points_mask;
    for (; shape->points[at]; at = (at + 1) & shape->points_mask)
        if (!memcmp(atlas->numbers + atlas->states[shape->points[at] - 1].start, packed, sizeof(Bound) * rows))
            break;
    return at;
}

static bool more_points(Atlas *atlas, OfShape *shape)
{
    if (shape->points && (shape->points_used + 1) * 2 <= shape->points_mask)
        return true;
    OfShape grown = *shape;
    grown.points_mask = shape->points ? shape->points_mask * 2 + 1 : 15;
    grown.points = calloc(grown.points_mask + 1, sizeof *grown.points);
    if (!grown.points) {
        PyErr_NoMemory();
        return false;
    }
    for (size_t at = 0; shape->points && at <= shape->points_mask; at++)
        if (shape->points[at]) {
            const Bound *packed = atlas->numbers + atlas->states[shape->points[at] - 1].start;
            grown.points[place_of(atlas, &grown, packed)] = shape->points[at];
        }
    free(shape->points);
    *shape = grown;
    return true;
}

/* ---- adding ----------------------------------------------------------------------------------- */

/* Takes out of a list the states of this length that the zone covers; the others stay in their order. */
static size_t without_covered(Atlas *atlas, uint32_t *states, size_t used, const Bound *packed, int unequal, uint32_t length)
{
    size_t kept = 0;
    for (size_t at = 0; at < used; at++) {
        State *state = &atlas->states[states[at]];
        int rows = atlas->by_shape[state->shape].slots + 1;
        bool alike = state->length == length;
        if (!state->inner || (alike && !state->covered)) {
            bool within_it = covers(packed, unequal, atlas->numbers + state->start, state->unequal, rows);
            state->inner = state->inner || within_it;
            state->covered = state->covered || (within_it && alike);
        }
        if (!state->covered)
            states[kept++] = states[at];
    }
    return kept;
}

/* Adds a zone (packed bounds, then disequalities) unless a known one has all its points: its number, -1, or -2. */
int64_t atlas_add(Atlas *atlas, uint32_t shape, const Bound *packed, int unequal, uint32_t length, int64_t parent,
                  int64_t leaf)
{
    OfShape *known = &atlas->by_shape[shape];
    int rows = known->slots + 1;
    size_t size = (size_t)(rows * rows + 3 * unequal), number = atlas->states_used;
    bool point = is_point(packed, rows);
    for (size_t at = 0; at < known->wide_used; at++) {
        const State *state = &atlas->states[known->wide[at]];
        if (covers(atlas->numbers + state->start, state->unequal, packed, unequal, rows))
            return -1;
    }
    if (point && (!more_points(atlas, known) || known->points[place_of(atlas, known, packed)]))
        return PyErr_Occurred() ? -2 : -1;
    if (!point) {
        known->used = without_covered(atlas, known->states, known->used, packed, unequal, length);
        known->wide_used = without_covered(atlas, known->wide, known->wide_used, packed, unequal, length);
    }
    if (!GROW(known->states, known->capacity, known->used + 1) ||
        !GROW(known->wide, known->wide_capacity, known->wide_used + 1) ||
        !GROW(atlas->states, atlas->states_capacity, number + 1) ||
        !GROW(atlas->numbers, atlas->numbers_capacity, atlas->numbers_used + size))
        return -2;
    memcpy(atlas->numbers + atlas->numbers_used, packed, sizeof(Bound) * size);
    atlas->states[number] = (State){atlas->numbers_used, shape, length, parent, leaf, unequal, false, false};
    if (point)
        known->points[place_of(atlas, known, packed)] = (uint32_t)number + 1;
    else
        known->wide[known->wide_used++] = (uint32_t)number;
    known->points_used += point;
    atlas->points += point && rows > 1;
    atlas->numbers_used += size;
    known->states[known->used++] = (uint32_t)number;
    atlas->states_used++;
    return (int64_t)number;
}

/* ---- the graph of a shape --------------------------------------------------------------------- */

static bool let_go(Atlas *atlas)
{
    if (!atlas->has_graph)
        return true;
    atlas->has_graph = false;
    Py_CLEAR(atlas->roots);
    memory_dissolve(&atlas->walker->memory);
    for (int round = 0;; round++) {
        int slot = 1;
        while (slot < MOST_ROWS && Py_REFCNT(atlas->tokens[slot]) == atlas->usual[slot])
            slot++;
        if (slot == MOST_ROWS)
            return true;
        if (round) {
            PyErr_SetString(CANNOT_CLASS, "something outside the objects keeps a value that was passed to a call");
            return false;
        }
        PyGC_Collect(); /* a frame or an exception in a cycle */
    }
}

static bool is_same(Atlas *atlas, const uint8_t *bytes, size_t size)
{
    Walk *walk = &atlas->walker->walk;
    if (walk->state_size != size || memcmp(walk->state, bytes, size))
        return false;
    for (size_t at = 0; at < atlas->opened.used; at++)
        if (atlas->opened.terms[at].slot != (int)at + 1 || atlas->opened.terms[at].offset)
            return false;
    return true;
}

/* Makes objects of the shape with tokens in them, and makes sure that they are what the bytes say. */
static bool make_graph(Atlas *atlas, uint32_t shape)
{
    Walker *walker = atlas->walker;
    const uint8_t *bytes;
    size_t size, slots = (size_t)atlas->by_shape[shape].slots;
    if (!store_view(atlas->shapes, shape, &bytes, &size))
        return false;
    PyObject *copied = PyBytes_FromStringAndSize((const char *)bytes, (Py_ssize_t)size); /* the arena may move */
    if (!copied)
        return false;
    bytes = (const uint8_t *)PyBytes_AS_STRING(copied);
    Answer answer = memory_rebuild_open(&walker->memory, walker->whole, bytes, size, atlas->tokens + 1, slots);
    if (answer == DONE) {
        atlas->has_graph = true;
        answer = atlas_walk(atlas);
        if (answer == DONE && !is_same(atlas, bytes, size))
            answer = OUTSIDE;
    }
    Py_DECREF(copied);
    if (answer == DONE)
        return true;
    if (answer == FAILED && !PyErr_ExceptionMatches(PyExc_Exception))
        return false;
    PyErr_Clear();
    atlas->declined = true; /* the Python loop is to do this one */
    return false;
}

Answer atlas_walk(Atlas *atlas)
{
    Walker *walker = atlas->walker;
    atlas->opened.used = 0;
    atlas->opened.hashed = 0;
    walker->walk.opened = &atlas->opened;
    Answer answer =
        walk_run(&walker->walk, walker->keys, walker->memory.roots, (Py_ssize_t)walker->memory.roots_used, true);
    walker->walk.opened = NULL;
    return answer;
}

/* ---- one run ---------------------------------------------------------------------------------- */

static PyObject *roots_of(Atlas *atlas)
{
    Memory *memory = &atlas->walker->memory;
    if (!atlas->roots && (atlas->roots = PyList_New((Py_ssize_t)memory->roots_used)))
        for (size_t at = 0; at < memory->roots_used; at++)
            PyList_SET_ITEM(atlas->roots, (Py_ssize_t)at, Py_NewRef(memory->roots[at]));
    return atlas->roots;
}

static int64_t new_leaf(Atlas *atlas, Came came)
{
    if (!GROW(atlas->leaves, atlas->leaves_capacity, atlas->leaves_used + 1))
        return -1;
    atlas->leaves[atlas->leaves_used] = came;
    return (int64_t)atlas->leaves_used++;
}

/* Lets Python judge what a call came to. */
static int64_t judged(Atlas *atlas, size_t call, PyObject *result, PyObject *error, int changed)
{
    PyObject *roots = roots_of(atlas);
    if (!roots)
        return -1;
    PyObject *leaf = PyObject_CallFunction(atlas->judge, "InOOOO", (unsigned)atlas->shape, (Py_ssize_t)call,
                                           result ? result : Py_None, error ? error : Py_None,
                                           changed ? Py_True : Py_False, roots);
    if (!leaf)
        return -1;
    if (!PyLong_Check(leaf))
        return new_leaf(atlas, (Came){.kind = CAME_PYTHON, .call = (uint32_t)call, .python = leaf});
    long code = PyLong_AsLong(leaf);
    Py_DECREF(leaf);
    if (code < 0 || code >= OUTCOMES) {
        PyErr_SetString(PyExc_ValueError, "no such outcome");
        return -1;
    }
    return new_leaf(atlas, (Came){.kind = CAME_COUNTED, .call = (uint32_t)call, .code = (int)code});
}

static int64_t found(Atlas *atlas, size_t call)
{
    Walk *walk = &atlas->walker->walk;
    size_t count = atlas->opened.used, start = atlas->terms_used;
    int64_t shape = atlas_shape(atlas, walk->state, walk->state_size, count);
    if (shape < 0 || !GROW(atlas->terms, atlas->terms_capacity, start + count + 1))
        return -1;
    for (size_t at = 0; at < count; at++) {
        OpenTerm term = atlas->opened.terms[at];
        if (term.offset > FARTHEST || term.offset < -FARTHEST) {
            PyErr_Format(CANNOT_CLASS, "the number %lld in a place of open values is too large", term.offset);
            return -1;
        }
        atlas->terms[start + at] = (Term){term.slot, (int)term.offset};
    }
    atlas->terms_used += count;
    Came came = {.kind = CAME_FOUND, .call = (uint32_t)call, .shape = (uint32_t)shape, .start = start, .count = (int)count};
    return new_leaf(atlas, came);
}

static int64_t outside(Atlas *atlas, size_t call)
{
    PyObject *reason = too_much_reason(&atlas->walker->walk.too_much);
    PyObject *number = reason ? PyObject_CallMethod(atlas->walker->twin, "reason_number", "(O)", reason) : NULL;
    long code = number ? PyLong_AsLong(number) : -1;
    Py_XDECREF(reason);
    Py_XDECREF(number);
    if (code < 0 || code >= MOST_REASONS)
        return -1;
    return new_leaf(atlas, (Came){.kind = CAME_OUTSIDE, .call = (uint32_t)call, .code = (int)code});
}

static inline bool is_plain(PyObject *result)
{
    PyTypeObject *cls = Py_TYPE(result);
    return result == Py_None || cls == &PyBool_Type || cls == &PyLong_Type || cls == &PyFloat_Type ||
           cls == &PyUnicode_Type || cls == &PyBytes_Type || cls == &TokenType;
}

/* Asks the invariant of the first root, if it has one: 1 it holds, 0 not, or it raised; -1 a run that must end. */
static int holds(Atlas *atlas)
{
    PyObject *thing = atlas->walker->memory.roots[0];
    bool is_method = PyUnicode_Check(atlas->invariant);
    if (atlas->invariant == Py_None ||
        (is_method && !PyObject_HasAttr((PyObject *)Py_TYPE(thing), atlas->invariant)))
        return 1;
    PyObject *said = is_method ? PyObject_CallMethodNoArgs(thing, atlas->invariant)
                               : PyObject_CallOneArg(atlas->invariant, thing);
    int truth = said == Py_None ? 1 : said ? PyObject_IsTrue(said) : -1; /* None: nothing is wrong */
    Py_XDECREF(said);
    if (truth >= 0)
        return truth;
    if (atlas->run.trouble || PyErr_ExceptionMatches(PyExc_KeyboardInterrupt))
        return -1;
    PyErr_Clear(); /* Python asks once more, and says what it raised */
    return 0;
}

static int64_t judge_here(Atlas *atlas, size_t call, PyObject *result, PyObject *error, int changed, bool *shown)
{
    *shown = true;
    if (error || !is_plain(result))
        return judged(atlas, call, result, error, changed);
    *shown = false;
    if (!changed)
        return new_leaf(atlas, (Came){.kind = CAME_COUNTED, .call = (uint32_t)call, .code = CODE_KNOWN});
    atlas->prepared[call].changes = true;
    switch (atlas_walk(atlas)) {
    case DONE: {
        int64_t leaf = found(atlas, call);
        *shown = atlas->invariant != Py_None;
        int sound = leaf < 0 ? -1 : holds(atlas);
        if (sound)
            return sound < 0 ? -1 : leaf;
        return judged(atlas, call, result, error, changed);
    }
    case OUTSIDE:
        return outside(atlas, call);
    case ASK_TWIN:
        *shown = true;
        return judged(atlas, call, result, error, changed);
    default:
        return -1;
    }
}

/* Puts the graph back after a run, or lets it go where that is not possible. */
static bool put_back(Atlas *atlas, int changed, bool shown)
{
    Memory *memory = &atlas->walker->memory;
    if (shown) /* somebody had the graph in hands */
        changed = memory_changed(memory);
    if (changed <= 0)
        return changed == 0;
    int restored = memory_restore(memory);
    if (restored > 0)
        return true;
    if (restored < 0 && !PyErr_ExceptionMatches(PyExc_Exception))
        return false;
    PyErr_Clear(); /* a `__hash__` of the user's refused */
    Py_CLEAR(atlas->roots);
    memory_forget(memory);
    atlas->has_graph = false;
    return true;
}

/* Runs the code along the path the run has come to, and keeps what it came to as a leaf: its node, or 0. */
static uint32_t execute(Atlas *atlas, size_t call)
{
    if (!atlas->has_graph && !make_graph(atlas, atlas->shape))
        return 0;
    Run *run = &atlas->run;
    Memory *memory = &atlas->walker->memory;
    OpenCall *prepared = &atlas->prepared[call];
    for (int at = 0; at < prepared->open_used; at++)
        prepared->call.arguments[prepared->positions[at]] = atlas->tokens[atlas->by_shape[atlas->shape].slots + 1 + at];
    atlas->runs++;
    Run *outer = RUN;
    RUN = run;
    run->active = true;
    PyObject *result = prepared_run(&prepared->call, memory->roots, memory->roots_used);
    bool shown = false, interrupted = !result && PyErr_ExceptionMatches(PyExc_KeyboardInterrupt);
    PyObject *error = result || interrupted ? NULL : raised_exception();
    int64_t leaf = -1;
    int changed = 0;
    if (run->trouble) {
        Py_XDECREF(error);
        error = NULL;
        PyErr_Clear();
        PyErr_SetObject((PyObject *)Py_TYPE(run->trouble), run->trouble);
    } else if (!interrupted && (changed = memory_changed(memory)) >= 0) {
        prepared->answers = prepared->answers || result;
        leaf = judge_here(atlas, call, result, error, changed, &shown);
    }
    run->active = false;
    RUN = outer;
    Py_XDECREF(error);
    Py_XDECREF(result);
    if (leaf < 0 || !put_back(atlas, changed, shown))
        return 0;
    uint32_t node = run_end(run, (uint32_t)leaf);
    atlas->leaves[leaf].node = node;
    return node;
}

/* ---- one path --------------------------------------------------------------------------------- */

static PyObject *bounds_to_python(const Zone *zone)
{
    PyObject *rows = PyTuple_New(zone->rows);
    for (int i = 0; rows && i < zone->rows; i++) {
        PyObject *row = PyTuple_New(zone->rows);
        for (int j = 0; row && j < zone->rows; j++)
            PyTuple_SET_ITEM(row, j, PyLong_FromLong(zone_bound(zone, i, j)));
        if (!row)
            Py_CLEAR(rows);
        else
            PyTuple_SET_ITEM(rows, i, row);
    }
    return rows;
}

static PyObject *unequal_to_python(const Zone *zone)
{
    PyObject *all = PyTuple_New(zone->unequal_used);
    for (int at = 0; all && at < zone->unequal_used; at++) {
        Unequal each = zone->unequal[at];
        PyTuple_SET_ITEM(all, at, Py_BuildValue("iii", each.i, each.j, each.c));
    }
    return all;
}

/* Lets Python take in what a path came to. */
static bool enter_in_python(Atlas *atlas, size_t number, int64_t leaf)
{
    PyObject *bounds = bounds_to_python(&atlas->run.zone);
    PyObject *unequal = bounds ? unequal_to_python(&atlas->run.zone) : NULL;
    PyObject *done = NULL;
    if (unequal)
        done = PyObject_CallFunction(atlas->enter, "nLOO", (Py_ssize_t)number, (long long)leaf, bounds, unequal);
    Py_XDECREF(bounds);
    Py_XDECREF(unequal);
    Py_XDECREF(done);
    return done != NULL;
}

typedef struct {
    Atlas *atlas;
    uint32_t shape;
    size_t number;
    int64_t leaf;
    bool is_new;
} Entering;

/* Adds one of the zones that a path came to. */
static bool take(void *taker, const Zone *zone)
{
    static Bound packed[MOST_ROWS * MOST_ROWS + 3 * MOST_UNEQUAL];
    Entering *entering = taker;
    Atlas *atlas = entering->atlas;
    size_t rows = (size_t)zone->rows;
    for (size_t i = 0; i < rows; i++)
        memcpy(packed + i * rows, zone->bounds + i * (size_t)zone->stride, sizeof(Bound) * rows);
    memcpy(packed + rows * rows, zone->unequal, sizeof(Unequal) * (size_t)zone->unequal_used);
    uint32_t length = atlas->states[entering->number].length + 1;
    int64_t made = atlas_add(atlas, entering->shape, packed, zone->unequal_used, length, (int64_t)entering->number,
                             entering->leaf);
    entering->is_new = entering->is_new || made >= 0;
    return made != -2;
}

static bool enter(Atlas *atlas, size_t number, int64_t leaf)
{
    Came came = atlas->leaves[leaf];
    int64_t *counts = atlas->prepared[came.call].counts;
    if (came.kind == CAME_COUNTED) {
        counts[came.code]++;
        return true;
    }
    if (came.kind == CAME_OUTSIDE) {
        counts[CODE_OUTSIDE]++;
        atlas->reasons[came.code]++;
        return true;
    }
    if (came.kind == CAME_PYTHON)
        return enter_in_python(atlas, number, leaf);
    int slots[MOST_ROWS], offsets[MOST_ROWS];
    Bound packed[MOST_ROWS * MOST_ROWS];
    for (int at = 0; at < came.count; at++) {
        slots[at] = atlas->terms[came.start + (size_t)at].slot;
        offsets[at] = atlas->terms[came.start + (size_t)at].offset;
    }
    if (atlas->run.zone.unequal_used) {
        Entering entering = {atlas, came.shape, number, leaf, false};
        bool done = zone_project_all(&atlas->run.zone, slots, offsets, came.count, take, &entering);
        counts[entering.is_new ? CODE_NEW : CODE_KNOWN]++;
        return done;
    }
    if (!zone_project(&atlas->run.zone, slots, offsets, came.count, packed)) {
        PyErr_SetString(CANNOT_CLASS, "values that are left open grow without end");
        return false;
    }
    int64_t made = atlas_add(atlas, came.shape, packed, 0, atlas->states[number].length + 1, (int64_t)number, leaf);
    counts[made >= 0 ? CODE_NEW : CODE_KNOWN]++;
    return made != -2;
}

/* Looks at the clock and for Ctrl-C now and then. */
static bool is_time_left(Atlas *atlas)
{
    if (++atlas->paths % 2048 && atlas->runs < atlas->look_at)
        return true;
    atlas->look_at = atlas->runs + 64;
    PyObject *checked = PyErr_CheckSignals() < 0 ? NULL : PyObject_CallNoArgs(atlas->check);
    Py_XDECREF(checked);
    return checked != NULL;
}

/* Follows every path of one call on a state. */
static bool expand_call(Atlas *atlas, size_t number, size_t call, const Zone *base)
{
    Zone zone; /* not shared: while Python judges, another search may expand states of its own */
    OpenCall *prepared = &atlas->prepared[call];
    size_t place = atlas->shape * atlas->calls_used + call;
    uint32_t first = atlas->first[place], leaf;
    Run *run = &atlas->run;
    zone_copy(&zone, base);
    for (int at = 0; at < prepared->open_used; at++)
        if (!zone_extend(&zone, prepared->low[at], prepared->high[at])) {
            PyErr_Format(CANNOT_CLASS, "more than %d values are open at once, or far apart", MOST_SLOTS);
            return false;
        }
    bool done = run_begin(run, &zone, &first);
    while (done && run->pending_used) {
        done = run_next(run, &leaf);
        if (done && !leaf)
            done = (leaf = execute(atlas, call)) != 0;
        atlas->first[place] = first;
        done = done && enter(atlas, number, run->nodes[leaf].child[0]) && is_time_left(atlas);
    }
    return done;
}

static bool expand_state(Atlas *atlas, size_t number, const size_t *calls, size_t count)
{
    Zone base; /* not shared, either */
    bool done = true;
    atlas->shape = atlas->states[number].shape;
    load_zone(atlas, number, &base);
    for (size_t at = 0; done && at < count; at++)
        done = expand_call(atlas, number, calls[at], &base);
    if (!done) {
        atlas->has_graph = false;
        Py_CLEAR(atlas->roots);
        memory_forget(&atlas->walker->memory);
        return false;
    }
    return let_go(atlas);
}

/* Expands the states; returns how many were done before one that the Python loop has to do, or -1. */
Py_ssize_t atlas_expand(Atlas *atlas, const size_t *numbers, size_t states, const size_t *calls, size_t count)
{
    for (size_t at = 0; at < states; at++) {
        if (atlas->states[numbers[at]].covered)
            continue;
        atlas->declined = false;
        if (!expand_state(atlas, numbers[at], calls, count))
            return atlas->declined && !PyErr_Occurred() ? (Py_ssize_t)at : -1;
    }
    return (Py_ssize_t)states;
}

PyObject *atlas_zone(Atlas *atlas, size_t number)
{
    static Zone zone;
    load_zone(atlas, number, &zone);
    PyObject *bounds = bounds_to_python(&zone), *unequal = bounds ? unequal_to_python(&zone) : NULL;
    return unequal ? Py_BuildValue("NN", bounds, unequal) : NULL;
}
