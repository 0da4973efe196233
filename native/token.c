/* A stand-in for an integer that asks when it is looked at; the twin of `unlike.zones.open_values`.
 *
 * It is no subclass of int, so no compiled code can read digits out of it; everything that would reach the number goes
 * through one of the slots below. It calls itself int where messages name the type.
 */
#include "open.h"

PyObject *ANSWERS;

static PyObject *NUMBER_CLASS; /* numbers.Number: what is compared and computed with by value */

PyObject *token_new(int slot, long long offset)
{
    Token *token = PyObject_New(Token, &TokenType);
    if (token) {
        token->slot = slot;
        token->offset = offset;
    }
    return (PyObject *)token;
}

static inline bool is_token(PyObject *thing)
{
    return Py_TYPE(thing) == &TokenType;
}

/* ---- asking ----------------------------------------------------------------------------------- */

static int ask(Question kind, int i, int j, long long c, long long *answer)
{
    static const char *const names[] = {"", "at_most", "equal", "value"};
    if (RUN && RUN->active)
        return run_ask(RUN, kind, i, j, c, answer);
    PyObject *said = kind == VALUE ? PyObject_CallMethod(ANSWERS, names[kind], "i", i)
                                   : PyObject_CallMethod(ANSWERS, names[kind], "iiL", i, j, c);
    if (!said)
        return -1;
    *answer = PyLong_AsLongLong(said);
    Py_DECREF(said);
    return PyErr_Occurred() ? -1 : 0;
}

long long token_value(PyObject *thing, bool *failed)
{
    Token *token = (Token *)thing;
    long long value = 0;
    *failed = token->slot && ask(VALUE, token->slot, 0, 0, &value) < 0;
    return value + token->offset;
}

static PyObject *number_of(PyObject *thing)
{
    bool failed;
    if (!is_token(thing))
        return Py_NewRef(thing);
    long long value = token_value(thing, &failed);
    return failed ? NULL : PyLong_FromLongLong(value);
}

/* ---- comparing -------------------------------------------------------------------------------- */

static PyObject *by_value(PyObject *left, PyObject *right, PyObject *(*operation)(PyObject *, PyObject *))
{
    PyObject *a = number_of(left), *b = a ? number_of(right) : NULL;
    PyObject *result = b ? operation(a, b) : NULL;
    Py_XDECREF(a);
    Py_XDECREF(b);
    return result;
}

/* 1: a number other than an int, 0: not, -1: failed. */
static int is_number(PyObject *thing)
{
    if (PyFloat_Check(thing) || PyComplex_Check(thing))
        return 1;
    if (thing == Py_None || PyUnicode_Check(thing) || PyTuple_Check(thing) || PyList_Check(thing))
        return 0;
    return PyObject_IsInstance(thing, NUMBER_CLASS);
}

static PyObject *compare_numbers(Token *token, PyObject *other, int op)
{
    int number = PyComplex_Check(other) && op != Py_EQ && op != Py_NE ? 0 : is_number(other);
    if (number < 0)
        return NULL;
    if (!number)
        Py_RETURN_NOTIMPLEMENTED;
    PyObject *value = number_of((PyObject *)token);
    PyObject *result = value ? PyObject_RichCompare(value, other, op) : NULL;
    Py_XDECREF(value);
    return result;
}

static PyObject *Token_compare(PyObject *self, PyObject *other, int op)
{
    Token *token = (Token *)self;
    long long constant = -token->offset, answer;
    int against = 0;
    if (is_token(other)) {
        against = ((Token *)other)->slot;
        constant += ((Token *)other)->offset;
    } else if (PyLong_Check(other)) {
        int overflow;
        long long value = PyLong_AsLongLongAndOverflow(other, &overflow);
        constant += overflow ? overflow * (long long)CLAMPED * 2 : value;
        if (!overflow && (value > CLAMPED * 1000000LL || value < -CLAMPED * 1000000LL))
            constant = value > 0 ? CLAMPED * 2LL : -CLAMPED * 2LL;
    } else
        return compare_numbers(token, other, op);
    if (token->slot == against) { /* the same value, or two constants */
        Py_RETURN_RICHCOMPARE(0LL, constant, op);
    }
    Question kind = op == Py_EQ || op == Py_NE ? EQUAL : AT_MOST;
    bool strict = op == Py_LT || op == Py_GE, negated = op == Py_NE || op == Py_GT || op == Py_GE;
    if (ask(kind, token->slot, against, constant - strict, &answer) < 0)
        return NULL;
    return PyBool_FromLong((answer != 0) != negated);
}

static int Token_bool(PyObject *self)
{
    Token *token = (Token *)self;
    long long answer;
    if (!token->slot)
        return token->offset != 0;
    return ask(EQUAL, token->slot, 0, -token->offset, &answer) < 0 ? -1 : !answer;
}

/* ---- computing -------------------------------------------------------------------------------- */

static PyObject *shifted(Token *token, PyObject *by, int sign)
{
    int overflow;
    long long offset = PyLong_AsLongLongAndOverflow(by, &overflow);
    if (overflow || offset > CLAMPED || offset < -CLAMPED)
        return NULL;
    return token_new(token->slot, token->offset + sign * offset);
}

/* Two operands of which one is a token: by value, if the other is a number. */
static PyObject *computed(PyObject *left, PyObject *right, PyObject *(*operation)(PyObject *, PyObject *))
{
    PyObject *other = is_token(left) ? right : left;
    int number = is_token(other) || PyLong_Check(other) ? 1 : is_number(other);
    if (number < 0)
        return NULL;
    if (!number)
        Py_RETURN_NOTIMPLEMENTED;
    return by_value(left, right, operation);
}

static PyObject *Token_add(PyObject *left, PyObject *right)
{
    PyObject *made = NULL;
    if (is_token(left) && PyLong_CheckExact(right))
        made = shifted((Token *)left, right, 1);
    else if (is_token(right) && PyLong_CheckExact(left))
        made = shifted((Token *)right, left, 1);
    return made || PyErr_Occurred() ? made : computed(left, right, PyNumber_Add);
}

static PyObject *Token_subtract(PyObject *left, PyObject *right)
{
    PyObject *made = NULL;
    if (is_token(left) && PyLong_CheckExact(right))
        made = shifted((Token *)left, right, -1);
    else if (is_token(left) && is_token(right) && ((Token *)left)->slot == ((Token *)right)->slot)
        return PyLong_FromLongLong(((Token *)left)->offset - ((Token *)right)->offset);
    return made || PyErr_Occurred() ? made : computed(left, right, PyNumber_Subtract);
}

static PyObject *Token_multiply(PyObject *left, PyObject *right)
{
    PyObject *other = is_token(left) ? right : left;
    if (PySequence_Check(other) && (PyUnicode_Check(other) || PyBytes_Check(other) || PyByteArray_Check(other) ||
                                    PyList_Check(other) || PyTuple_Check(other)))
        return by_value(left, right, PyNumber_Multiply);
    return computed(left, right, PyNumber_Multiply);
}

#define COMPUTED(name, operation)                              \
    static PyObject *name(PyObject *left, PyObject *right)     \
    {                                                          \
        return computed(left, right, operation);               \
    }
COMPUTED(Token_remainder, PyNumber_Remainder)
COMPUTED(Token_divmod, PyNumber_Divmod)
COMPUTED(Token_lshift, PyNumber_Lshift)
COMPUTED(Token_rshift, PyNumber_Rshift)
COMPUTED(Token_and, PyNumber_And)
COMPUTED(Token_or, PyNumber_Or)
COMPUTED(Token_xor, PyNumber_Xor)
COMPUTED(Token_floor_divide, PyNumber_FloorDivide)
COMPUTED(Token_true_divide, PyNumber_TrueDivide)

static PyObject *Token_power(PyObject *base, PyObject *exponent, PyObject *modulus)
{
    PyObject *a = number_of(base), *b = a ? number_of(exponent) : NULL, *m = b ? number_of(modulus) : NULL;
    PyObject *result = NULL;
    int able = m ? PyLong_Check(a) || is_number(a) == 1 : 0;
    able = able && (PyLong_Check(b) || is_number(b) == 1);
    if (able)
        result = PyNumber_Power(a, b, m);
    else if (m && !PyErr_Occurred())
        result = Py_NewRef(Py_NotImplemented);
    Py_XDECREF(a);
    Py_XDECREF(b);
    Py_XDECREF(m);
    return result;
}

static PyObject *unary(PyObject *self, PyObject *(*operation)(PyObject *))
{
    PyObject *value = number_of(self), *result = value ? operation(value) : NULL;
    Py_XDECREF(value);
    return result;
}

static PyObject *Token_negative(PyObject *self)
{
    return unary(self, PyNumber_Negative);
}

static PyObject *Token_absolute(PyObject *self)
{
    return unary(self, PyNumber_Absolute);
}

static PyObject *Token_invert(PyObject *self)
{
    return unary(self, PyNumber_Invert);
}

static PyObject *Token_float(PyObject *self)
{
    return unary(self, PyNumber_Float);
}

static PyObject *Token_positive(PyObject *self)
{
    return Py_NewRef(self);
}

/* ---- the number itself ------------------------------------------------------------------------ */

static PyObject *Token_index(PyObject *self)
{
    return number_of(self);
}

static Py_hash_t Token_hash(PyObject *self)
{
    PyObject *value = number_of(self);
    Py_hash_t hash = value ? PyObject_Hash(value) : -1;
    Py_XDECREF(value);
    return hash;
}

static PyObject *Token_repr(PyObject *self)
{
    return unary(self, PyObject_Repr);
}

static PyObject *Token_getattro(PyObject *self, PyObject *name)
{
    PyObject *found = PyObject_GenericGetAttr(self, name);
    if (found || !PyErr_ExceptionMatches(PyExc_AttributeError))
        return found;
    PyErr_Clear();
    PyObject *value = number_of(self);
    found = value ? PyObject_GetAttr(value, name) : NULL; /* bit_length, real, to_bytes, … */
    Py_XDECREF(value);
    return found;
}

static PyObject *Token_class(PyObject *self, void *closure)
{
    (void)self;
    (void)closure;
    return Py_NewRef((PyObject *)&PyLong_Type);
}

static PyObject *Token_format(PyObject *self, PyObject *specification)
{
    PyObject *value = number_of(self), *result = value ? PyObject_Format(value, specification) : NULL;
    Py_XDECREF(value);
    return result;
}

static PyObject *Token_round(PyObject *self, PyObject *const *args, Py_ssize_t count)
{
    PyObject *value = number_of(self);
    PyObject *method = value ? PyObject_GetAttrString(value, "__round__") : NULL;
    PyObject *result = method ? PyObject_Vectorcall(method, args, (size_t)count, NULL) : NULL;
    Py_XDECREF(value);
    Py_XDECREF(method);
    return result;
}

static PyObject *Token_whole(PyObject *self, PyObject *unused)
{
    (void)unused;
    return number_of(self);
}

static PyObject *Token_complex(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *value = number_of(self);
    PyObject *result = value ? PyObject_CallOneArg((PyObject *)&PyComplex_Type, value) : NULL;
    Py_XDECREF(value);
    return result;
}

static PyObject *Token_itself(PyObject *self, PyObject *unused)
{
    (void)unused;
    return Py_NewRef(self);
}

static PyObject *Token_reduce(PyObject *self, PyObject *unused)
{
    (void)unused;
    PyObject *value = number_of(self);
    return value ? Py_BuildValue("O(N)", &PyLong_Type, value) : NULL;
}

static PyObject *Token_make(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *names[] = {"slot", "offset", NULL};
    int slot;
    long long offset = 0;
    (void)type;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "i|L:Token", names, &slot, &offset))
        return NULL;
    return token_new(slot, offset);
}

static PyObject *Token_slot(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLong(((Token *)self)->slot);
}

static PyObject *Token_offset(PyObject *self, void *closure)
{
    (void)closure;
    return PyLong_FromLongLong(((Token *)self)->offset);
}

static PyNumberMethods Token_number = {
    .nb_add = Token_add,
    .nb_subtract = Token_subtract,
    .nb_multiply = Token_multiply,
    .nb_remainder = Token_remainder,
    .nb_divmod = Token_divmod,
    .nb_power = Token_power,
    .nb_negative = Token_negative,
    .nb_positive = Token_positive,
    .nb_absolute = Token_absolute,
    .nb_bool = Token_bool,
    .nb_invert = Token_invert,
    .nb_lshift = Token_lshift,
    .nb_rshift = Token_rshift,
    .nb_and = Token_and,
    .nb_xor = Token_xor,
    .nb_or = Token_or,
    .nb_int = Token_index,
    .nb_float = Token_float,
    .nb_floor_divide = Token_floor_divide,
    .nb_true_divide = Token_true_divide,
    .nb_index = Token_index,
};

static PyGetSetDef Token_getset[] = {
    {"__class__", Token_class, NULL, "What isinstance is told.", NULL},
    {"slot", Token_slot, NULL, "Whose value it is.", NULL},
    {"offset", Token_offset, NULL, "What is added to that value.", NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

static PyMethodDef Token_methods[] = {
    {"__format__", Token_format, METH_O, NULL},
    {"__round__", (PyCFunction)(void (*)(void))Token_round, METH_FASTCALL, NULL},
    {"__trunc__", Token_whole, METH_NOARGS, NULL},
    {"__floor__", Token_whole, METH_NOARGS, NULL},
    {"__ceil__", Token_whole, METH_NOARGS, NULL},
    {"__complex__", Token_complex, METH_NOARGS, NULL},
    {"__copy__", Token_itself, METH_NOARGS, NULL},
    {"__deepcopy__", Token_itself, METH_O, NULL},
    {"__reduce_ex__", Token_reduce, METH_O, NULL},
    {NULL, NULL, 0, NULL},
};

PyTypeObject TokenType = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "int", /* what error messages call it */
    .tp_doc = "An integer whose value is that of a slot, plus an offset.",
    .tp_basicsize = sizeof(Token),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = Token_make,
    .tp_richcompare = Token_compare,
    .tp_hash = Token_hash,
    .tp_repr = Token_repr,
    .tp_str = Token_repr,
    .tp_getattro = Token_getattro,
    .tp_as_number = &Token_number,
    .tp_getset = Token_getset,
    .tp_methods = Token_methods,
};

/* ---- who answers ------------------------------------------------------------------------------ */

PyObject *native_set_answerer(PyObject *module, PyObject *answers)
{
    (void)module;
    PyObject *before = ANSWERS ? ANSWERS : Py_NewRef(Py_None);
    ANSWERS = Py_NewRef(answers);
    return before;
}

int token_init(void)
{
    PyObject *module = PyImport_ImportModule("numbers");
    NUMBER_CLASS = module ? PyObject_GetAttrString(module, "Number") : NULL;
    Py_XDECREF(module);
    return NUMBER_CLASS ? PyType_Ready(&TokenType) : -1;
}
