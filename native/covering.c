/* The type Covering, as Python sees it. See covering.h. */
#include "covering.h"

/* ---- Python values ---------------------------------------------------------------------------- */

int *read_rows(const Covering *c, PyObject *rows, int *count)
{
    PyObject *list = PySequence_Fast(rows, "rows are a list");
    if (!list)
        return NULL;
    Py_ssize_t n = PySequence_Fast_GET_SIZE(list);
    int *found = malloc(sizeof(int) * ((size_t)n * (size_t)c->params + 1));
    if (!found)
        PyErr_NoMemory();
    for (Py_ssize_t r = 0; found && r < n; r++) {
        PyObject *row = PySequence_Fast(PySequence_Fast_GET_ITEM(list, r), "a row is a list");
        if (row && PySequence_Fast_GET_SIZE(row) != c->params)
            PyErr_SetString(PyExc_ValueError, "a row has a value for every parameter");
        for (int p = 0; row && !PyErr_Occurred() && p < c->params; p++) {
            long v = PyLong_AsLong(PySequence_Fast_GET_ITEM(row, p));
            if (!PyErr_Occurred() && (v < 0 || v >= c->levels[p]))
                PyErr_SetString(PyExc_ValueError, "there is no such value");
            found[(size_t)r * (size_t)c->params + (size_t)p] = (int)v;
        }
        Py_XDECREF(row);
        if (PyErr_Occurred()) {
            free(found);
            found = NULL;
        }
    }
    Py_DECREF(list);
    *count = (int)n;
    return found;
}

PyObject *make_row(const Covering *c, const int *row)
{
    PyObject *list = PyList_New(c->params);
    for (int p = 0; list && p < c->params; p++) {
        PyObject *value = PyLong_FromLong(row[p]);
        if (!value)
            Py_CLEAR(list);
        else
            PyList_SET_ITEM(list, p, value);
    }
    return list;
}

PyObject *make_tuple(const Covering *c, const int *params, const int *values, int n)
{
    (void)c;
    PyObject *cells = PyTuple_New(n);
    for (int i = 0; cells && i < n; i++) {
        PyObject *cell = Py_BuildValue("ii", params[i], values[i]);
        if (!cell)
            Py_CLEAR(cells);
        else
            PyTuple_SET_ITEM(cells, i, cell);
    }
    return cells;
}

int read_tuple(const Covering *c, PyObject *cells, int *params, int *values, int most)
{
    Py_ssize_t n = PyTuple_Check(cells) ? PyTuple_GET_SIZE(cells) : -1;
    if (n < 0 || n > most) {
        PyErr_SetString(PyExc_ValueError, "a tuple of cells");
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(cells, i), "ii", &params[i], &values[i]))
            return -1;
        if (params[i] < 0 || params[i] >= c->params || values[i] < 0 || values[i] >= c->levels[params[i]]) {
            PyErr_SetString(PyExc_ValueError, "there is no such value");
            return -1;
        }
    }
    return (int)n;
}

/* ---- making ----------------------------------------------------------------------------------- */

static bool read_values(Covering *c, PyObject *enters)
{
    Py_ssize_t n = PyList_GET_SIZE(enters);
    c->params = (int)n;
    c->levels = malloc(sizeof(int) * (size_t)(n + 1));
    c->global = malloc(sizeof(int) * (size_t)(n + 2));
    if (!c->levels || !c->global)
        return PyErr_NoMemory(), false;
    int all = 0;
    for (Py_ssize_t p = 0; p < n; p++) {
        PyObject *each = PyList_GET_ITEM(enters, p);
        if (!PyBytes_Check(each) || !PyBytes_GET_SIZE(each))
            return PyErr_SetString(PyExc_ValueError, "a parameter has at least one value"), false;
        c->levels[p] = (int)PyBytes_GET_SIZE(each);
        c->global[p] = all;
        all += c->levels[p];
    }
    c->global[n] = all;
    if (!(c->enters = malloc((size_t)all + 1)))
        return PyErr_NoMemory(), false;
    for (Py_ssize_t p = 0; p < n; p++)
        memcpy(c->enters + c->global[p], PyBytes_AS_STRING(PyList_GET_ITEM(enters, p)), (size_t)c->levels[p]);
    return true;
}

static bool read_rules(Covering *c, PyObject *rules)
{
    Py_ssize_t parts = 0, values = 0;
    c->rules = (int)PyList_GET_SIZE(rules);
    for (int r = 0; r < c->rules; r++) {
        PyObject *rule = PyList_GET_ITEM(rules, r);
        if (!PyList_Check(rule))
            return PyErr_SetString(PyExc_TypeError, "a rule is a list"), false;
        parts += PyList_GET_SIZE(rule);
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rule); i++) {
            int p;
            PyObject *allowed;
            if (!PyArg_ParseTuple(PyList_GET_ITEM(rule, i), "iS", &p, &allowed))
                return false;
            if (p < 0 || p >= c->params || PyBytes_GET_SIZE(allowed) != c->levels[p])
                return PyErr_SetString(PyExc_ValueError, "a rule allows some values of a parameter"), false;
            values += c->levels[p];
        }
    }
    c->rule_start = malloc(sizeof(int) * (size_t)(c->rules + 1));
    c->part_param = malloc(sizeof(int) * (size_t)(parts + 1));
    c->part_values = malloc(sizeof(long) * (size_t)(parts + 1));
    c->allowed = malloc((size_t)values + 1);
    c->of_start = calloc((size_t)c->params + 2, sizeof(int));
    c->of_rule = malloc(sizeof(int) * (size_t)(parts + 1));
    if (!c->rule_start || !c->part_param || !c->part_values || !c->allowed || !c->of_start || !c->of_rule)
        return PyErr_NoMemory(), false;
    int part = 0;
    long value = 0;
    for (int r = 0; r < c->rules; r++) {
        PyObject *rule = PyList_GET_ITEM(rules, r);
        c->rule_start[r] = part;
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(rule); i++, part++) {
            int p;
            PyObject *allowed;
            if (!PyArg_ParseTuple(PyList_GET_ITEM(rule, i), "iS", &p, &allowed))
                return false;
            c->part_param[part] = p;
            c->part_values[part] = value;
            memcpy(c->allowed + value, PyBytes_AS_STRING(allowed), (size_t)c->levels[p]);
            value += c->levels[p];
        }
    }
    c->rule_start[c->rules] = part;
    return true;
}

/* Which rules speak of which parameter, each rule once; and which parameters rules join. */
static bool join_parameters(Covering *c)
{
    if (!(c->component = malloc(sizeof(int) * (size_t)(c->params + 1))))
        return PyErr_NoMemory(), false;
    int used = 0;
    for (int p = 0; p < c->params; p++) {
        c->of_start[p] = used;
        c->component[p] = -1;
        for (int r = 0; r < c->rules; r++)
            for (int part = c->rule_start[r]; part < c->rule_start[r + 1]; part++)
                if (c->part_param[part] == p) {
                    c->of_rule[used++] = r;
                    c->component[p] = p;
                    break;
                }
    }
    c->of_start[c->params] = used;
    for (int r = 0; r < c->rules; r++)
        for (int part = c->rule_start[r] + 1; part < c->rule_start[r + 1]; part++) {
            int one = c->component[c->part_param[c->rule_start[r]]], two = c->component[c->part_param[part]];
            for (int p = 0; p < c->params; p++)
                if (c->component[p] == two)
                    c->component[p] = one;
        }
    return true;
}

static bool read_layers(Covering *c, PyObject *layers)
{
    Py_ssize_t n = PyList_GET_SIZE(layers);
    if (!(c->layer = calloc((size_t)n + 1, sizeof(Layer))))
        return PyErr_NoMemory(), false;
    c->widest = 1;
    for (Py_ssize_t l = 0; l < n; l++) {
        int t, params[c->params + 1];
        PyObject *list;
        if (!PyArg_ParseTuple(PyList_GET_ITEM(layers, l), "iO!", &t, &PyList_Type, &list))
            return false;
        Py_ssize_t k = PyList_GET_SIZE(list);
        if (t < 1 || t > k || t > 60 || k > c->params)
            return PyErr_SetString(PyExc_ValueError, "so many parameters cannot be combined"), false;
        for (Py_ssize_t i = 0; i < k; i++) {
            params[i] = (int)PyLong_AsLong(PyList_GET_ITEM(list, i));
            if (PyErr_Occurred())
                return false;
            if (params[i] < 0 || params[i] >= c->params || (i && params[i] <= params[i - 1]))
                return PyErr_SetString(PyExc_ValueError, "parameters of a layer rise"), false;
        }
        c->layers++;
        if (!layer_init(&c->layer[l], c, t, params, (int)k))
            return PyErr_NoMemory(), false;
        c->layer[l].before = c->words;
        c->words += c->layer[l].words;
        if (t > c->widest)
            c->widest = t;
    }
    return true;
}

static PyObject *covering_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *enters, *rules, *layers;
    unsigned long long seed;
    (void)keywords;
    if (!PyArg_ParseTuple(args, "O!O!O!K", &PyList_Type, &enters, &PyList_Type, &rules, &PyList_Type, &layers, &seed))
        return NULL;
    Covering *c = (Covering *)type->tp_alloc(type, 0);
    if (!c)
        return NULL;
    c->chance = seed;
    if (!read_values(c, enters) || !read_rules(c, rules) || !join_parameters(c) || !read_layers(c, layers)) {
        Py_DECREF(c);
        return NULL;
    }
    if (!(c->pool = calloc((size_t)POOL * (size_t)c->params + 1, sizeof(int)))) {
        Py_DECREF(c);
        return PyErr_NoMemory();
    }
    return (PyObject *)c;
}

static void covering_dealloc(Covering *c)
{
    for (int l = 0; l < c->layers; l++)
        layer_clear(&c->layer[l]);
    free(c->layer), free(c->levels), free(c->global), free(c->enters), free(c->rule_start), free(c->part_param);
    free(c->part_values), free(c->allowed), free(c->of_start), free(c->of_rule), free(c->component), free(c->pool);
    free(c->list), free(c->row), free(c->best), free(c->tabu), free(c->bits), free(c->missing), free(c->missing_items);
    Py_TYPE(c)->tp_free((PyObject *)c);
}

/* ---- methods ---------------------------------------------------------------------------------- */

static PyObject *covering_forbid(Covering *c, PyObject *tuples)
{
    int params[64], values[64];
    PyObject *list = PySequence_Fast(tuples, "a list of tuples");
    for (Py_ssize_t i = 0; list && i < PySequence_Fast_GET_SIZE(list); i++) {
        int n = read_tuple(c, PySequence_Fast_GET_ITEM(list, i), params, values, 60);
        if (n < 0) {
            Py_DECREF(list);
            return NULL;
        }
        for (int l = 0; l < c->layers; l++) {
            layer_forbid(&c->layer[l], params, values, n);
            c->layer[l].picky = true;
        }
    }
    if (!list)
        return NULL;
    Py_DECREF(list);
    Py_RETURN_NONE;
}

static PyObject *covering_count(Covering *c, PyObject *unused)
{
    (void)unused;
    PyObject *counts = PyList_New(c->layers);
    for (int l = 0; counts && l < c->layers; l++)
        PyList_SET_ITEM(counts, l, PyLong_FromLong(layer_left(&c->layer[l], NEEDED)));
    return counts;
}

static PyMethodDef covering_methods[] = {
    {"decide", (PyCFunction)covering_decide, METH_VARARGS, "Find out which tuples no legal row has."},
    {"forbid", (PyCFunction)covering_forbid, METH_O, "Let tuples with these cells not be needed."},
    {"count", (PyCFunction)covering_count, METH_NOARGS, "Return how many tuples each layer needs."},
    {"begin", (PyCFunction)covering_begin, METH_VARARGS, "Begin with these rows; return how many tuples are open."},
    {"grow", (PyCFunction)covering_grow, METH_VARARGS, "Return the next row, its news, and where it started."},
    {"count_least", (PyCFunction)covering_count_least, METH_NOARGS, "Return how many rows there are at least."},
    {"begin_search", (PyCFunction)covering_begin_search, METH_VARARGS, "Begin to look for fewer rows."},
    {"search", (PyCFunction)covering_search, METH_VARARGS, "Make some steps; return how many rows the best has."},
    {"best", (PyCFunction)covering_best, METH_NOARGS, "Return the fewest rows so far."},
    {"arrange", (PyCFunction)covering_arrange, METH_VARARGS, "Return an order in which each row has most that is new."},
    {"missing", (PyCFunction)covering_missing, METH_VARARGS, "Return which needed tuples no row has."},
    {NULL},
};

static PyTypeObject CoveringType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "unlike._native.Covering",
    .tp_doc = "Rows in which every tuple of values that is needed stands.",
    .tp_basicsize = sizeof(Covering),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = covering_new,
    .tp_dealloc = (destructor)covering_dealloc,
    .tp_methods = covering_methods,
};

int covering_add(PyObject *module)
{
    if (PyType_Ready(&CoveringType) < 0)
        return -1;
    return PyModule_AddObjectRef(module, "Covering", (PyObject *)&CoveringType);
}
