"""What a program says, what is wrong with one that cannot be read, and that nothing gets lost on the way."""

import itertools
import json
import random
import types

import pytest
from tests.programs import paper
from tests.specs.random_specs import random_spec

import unlike
from unlike import Ending, generate, read_program, write_program
from unlike.documents.programs.read import primitives_of
from unlike.documents.programs.sexpr import Comment, Form, laid_out, read_trees
from unlike.errors import SpecError, UnlikeError

PROGRAMS = [text for name, text in vars(paper).items() if name.isupper() and "(generate" in text]


def outline(*statements):
    return f"(program p\n (generate g 5\n  {chr(10).join(statements)}))"


def values(text, **given):
    [spec] = read_program(text, **given)
    return generate(spec).values


# -- what is wrong


@pytest.mark.parametrize(
    ("text", "line", "column", "said"),
    [
        ("", 1, 1, "empty"),
        ("(program p", 1, 1, "never closed"),
        ("(program p))", 1, 12, "closes nothing"),
        ("(program p]", 1, 11, "expected ')'"),
        ('(program "a', 1, 10, "no end"),
        ("(program p)", 1, 1, "expected (generate NAME N"),
        ("(program p (generate g 5))", 1, 12, "no blanks"),
        ("(program p (generate g 0 (declare x ?Integer)))", 1, 24, "at least 1"),
        ("(program p (generate g (declare x ?Integer)))", 1, 12, "expected (generate NAME N"),
        ("5 (program p)", 1, 1, "outside of the program"),
        (outline("(declare x ?Intger)"), 3, 15, "did you mean 'Integer'?"),
        (outline("(declare x ?Integer)", "(specify x (gtee 3))"), 4, 12, "did you mean 'gte'?"),
        (outline("(declare price ?Integer)", "(specify prise (gte 3))"), 4, 10, "did you mean 'price'?"),
        (outline("(declare x ?Integer)", "(constrain-solutions x different-length)"), 4, 24, "'different-lengths'"),
        (outline("(declare x ?Integer)", "(constrain-solution x not-equal)"), 4, 1, "'constrain-solutions'"),
        (outline("(declare x ?Integer)", "(specify x (gte))"), 4, 12, "takes 2 arguments"),
        (outline("(declare x ?Integer)", '(specify x (matches "["))'), 4, 21, "is not a regex"),
        (outline("(declare x ?Integer)", '(specify x (matches "a"))'), 4, 12, "has no 'matches'"),
        (outline("(declare x ?Integer)", '(specify x (eq "a"))'), 4, 12, "cannot be compared"),
        (outline("(declare x ?Integer)", "(declare x ?Integer)"), 4, 10, "declared already, in line 3"),
        (outline("(declare x ?Object)"), 3, 3, "(specify x (with NAME VALUE) …)"),
        (outline("(declare x ?(Option))"), 3, 15, "expected (Option TYPE)"),
        (outline("(declare x ?(Integer 5 1))"), 3, 15, "the lower bound is above"),
        (outline("(declare x ?Integer)", "(specify x 3)"), 4, 12, "expected an assertion"),
        (outline("(declare x ?Integer)", "(constrain-solutions x (numeric-distance 0))"), 4, 24, "above 0"),
        (outline("(declare x ?Integer)", "(constrain-solutions x cover-json)"), 4, 24, "nothing in x has branches"),
        (outline("(declare x ?Integer)", "(constrain-solutions x different-time-zones)"), 4, 24, "has no time zone"),
        (outline("(declare a ?Object)", "(specify a (with a a))"), 4, 12, "contain itself"),
        (outline('(declare r #rx"a")', "(declare x ?Integer)", "(specify x (gte r))"), 5, 17, "is a regex"),
        (outline("(declare x ?Integer)", "(generate h 5)"), 4, 1, "an outline inside another"),
        (outline("(declare x ?Integer)") + outline("(declare x ?Integer)"), 4, 12, "called so already, in line 2"),
        (outline("(declare x ?)"), 3, 14, "'?' names no type; expected one, like ?Integer"),
        (outline("(declare x ?(Option Object))"), 3, 23, "expected (declare NAME ?Object) by itself"),
        (outline("(declare x ?Record)"), 3, 15, "Record: expected (Record (NAME TYPE) …)"),
        (outline("(declare x ?(Boolean 1))"), 3, 15, "expected Boolean, without brackets"),
        (outline("(declare x ?(Record (a Integer) (a Date)))"), 3, 35, "(a Date): there is a field 'a' already"),
        (outline("(declare x ?(String (length a b)))"), 3, 23, "(length a b): expected String or (String REGEX"),
        (outline("(declare x ?Integer) (specify x (gte 0))", "(declare y ?(Option x))"), 4, 21, "would be lost here"),
        (outline("(declare x ?Integer)", "(specify x (gte y))"), 4, 17, "y: nothing is declared under this name"),
        (outline("(declare x ?Integer)", "(specify x (gte 1 2 3))"), 4, 12, "not 3"),
        (outline("(declare x ?Integer)", "(constrain-solutions x (not-equal))"), 4, 24, "expected not-equal, without"),
        (outline("(define (f a a) (gte a))", "(declare x ?Integer)"), 3, 3, "every parameter once"),
        (outline("(define (f a) (f a))", "(declare x ?Integer)", "(specify x (f))"), 3, 17, "is nested too deeply"),
        (
            outline("(declare x ?(OneOf 1))", "(constrain-solutions x (relation (lambda (a b) (neq a b))))"),
            4,
            53,
            "(field a",
        ),
        (outline("(declare s ?String)", '(specify s (matches #rx"a))'), 4, 21, "this regex has no end"),
        (outline("(declare 日本 ?Intger)", ""), 3, 16, "did you mean 'Integer'?"),
        (
            outline("(declare s ?String)", '(constrain-solutions s (cover-regexp "a" (heuristic none-such)))'),
            4,
            24,
            "heur",
        ),
    ],
)
def test_a_malformed_program_is_told_where_what_and_what_was_expected(text, line, column, said):
    with pytest.raises(SpecError) as error:
        read_program(text, "time.iorek")

    assert str(error.value).startswith(f"time.iorek:{line}:{column}: ")
    assert said in str(error.value)


def test_a_contradiction_names_the_clashing_statements_by_line():
    text = outline(
        "(declare x ?Integer)",
        "(declare y ?Integer)",
        "(specify x (gte 5))",
        "(specify y (gte 7))",
        "(specify x (lt 3))",
    )

    [spec] = read_program(text)
    status = generate(spec).status

    assert status.ending is Ending.UNSATISFIABLE
    assert status.clash == ("line 5: (specify x (gte 5))", "line 7: (specify x (lt 3))")


def test_a_contradiction_with_bounds_or_a_cover_names_those_lines_too():
    bounds = outline("(declare x ?(Integer 0 4))", "(specify x (gte 5))")
    cover = outline("(declare x ?String)", '(specify x (matches "ab+"))', '(constrain-solutions x (cover-regexp "c+"))')

    unicode = outline("(declare x ?String)", '(specify x (matches "[あ-ん]+"))')

    clashes = [generate(spec).status.clash for text in (bounds, cover) for spec in read_program(text)]

    assert "line 3: (declare x ?String)" in generate(read_program(unicode)[0]).status.clash  # of printable ASCII
    assert clashes[0] == ("line 4: (specify x (gte 5))", "line 3: (declare x ?(Integer 0 4))")
    assert 'line 5: (constrain-solutions x (cover-regexp "c+"))' in clashes[1]


# -- what it means


def test_global_statements_hold_in_every_outline_and_local_ones_in_theirs():
    text = """
    (declare x ?(Integer 0 9))
    (specify x (gt 2))
    (generate even all (specify x (= (mod x 2) 0)))
    (generate odd all (specify x (= (mod x 2) 1)))
    (generate any all)"""

    found = {spec.name: {value["x"] for value in generate(spec).values} for spec in read_program(text)}

    assert found == {"even": {4, 6, 8}, "odd": {3, 5, 7, 9}, "any": {3, 4, 5, 6, 7, 8, 9}}


def test_differences_are_disjoined_and_assertions_conjoined():
    text = outline(
        "(declare x ?(Integer 0 1)) (declare y ?(Integer 0 1))",
        "(constrain-solutions x not-equal) (constrain-solutions y not-equal)",
    ).replace("g 5", "g all")

    assert len(values(text)) == 4
    assert len(values(text.replace("(constrain-solutions y not-equal)", ""))) == 2


def test_a_fresh_blank_is_like_the_declared_one_but_not_the_same():
    text = """
    (program p (declare a ?(Integer 0 9)) (specify a (gt 7))
      (generate g all (declare b ?a) (declare c ?a)))"""

    assert {(value["b"], value["c"]) for value in values(text)} == set(itertools.product((8, 9), repeat=2))


def test_a_name_declared_as_another_is_the_same_blank():
    text = "(program p (declare a ?(Integer 0 9)) (declare b a) (specify a (gt 7)) (generate g all (specify b (lt 9))))"

    assert values(text) == [{"a": 8}]


def test_a_blank_that_is_also_a_field_is_the_same_in_both_places():
    text = """
    (program p (generate g all
      (declare a ?(Integer 0 3)) (declare o ?Object) (specify o (with first a) (with second ?(Integer 0 1)))
      (specify a (gt 1)) (specify o (eq (field o second) 1))))"""

    found = values(text)

    assert {(each["a"], each["o"]["first"]) for each in found} == {(2, 2), (3, 3)}
    assert all(each["o"]["second"] == 1 for each in found)


def test_an_option_may_be_absent_and_a_local_name_hides_a_global_one():
    text = """
    (program p (declare x ?Integer)
      (generate g all (declare x ?(Option (Integer 0 1)))))"""

    assert [each["x"] for each in sorted(values(text), key=str)] == [0, 1, None]


def test_names_become_names_of_python_parameters():
    text = outline("(declare start-time ?Time) (declare 24Hour ?Boolean) (declare class ?Boolean)")

    [spec] = read_program(text)

    assert list(spec.blanks) == ["start_time", "x_24Hour", "x_class"]


@pytest.mark.parametrize("name", ["v", "a", "k0", "a-b", "class", "24h", "all", "x"])
def test_a_bound_variable_may_have_any_name(name):
    text = f"""
    (generate g all (declare x ?(Integer 0 2)) (declare l ?(List (Integer 0 2) 1 2))
      (specify l (each (lambda ({name}) (some l (lambda (w) (some l (lambda (w) (gt w (blank x)))))))))
      (specify l (each (lambda ({name}) (gt {name} (blank x))))))"""
    [spec] = read_program(text)

    found = generate(spec, in_process=True).values

    wanted = [
        (x, [*items])
        for x in range(3)
        for size in (1, 2)
        for items in itertools.product(range(3), repeat=size)
        if min(items) > x
    ]
    assert sorted((each["x"], each["l"]) for each in found) == sorted(wanted)
    assert read_program(write_program([spec])) == [spec]


def test_a_long_pattern_gives_long_strings():
    assert len(values(outline("(declare s ?String)", '(specify s (matches "[a-z]{30}"))'))[0]["s"]) == 30


def test_every_character_of_a_string_is_an_escape_or_itself():
    tree = read_trees(r'"a\\b\"c\nd\u{e9}\d"')[0]

    assert tree.value == 'a\\b"c\nd\u00e9\\d'


def test_primitives_come_from_a_python_module():
    module = types.ModuleType("mine")
    exec(
        "from unlike import Int, differs_by, predicate\n"
        "Small = Int(0, 20)\n"
        "def is_odd(x): return x % 2 == 1\n"
        "def multiple_of(x, n): return x % n == 0\n"
        "def another_ten(x): return differs_by(x // 10)\n"
        "square = predicate(lambda n: int(n ** 0.5) ** 2 == n)\n",
        module.__dict__,
    )
    text = outline(
        "(declare x ?Small) (specify x (is-odd)) (specify x (multiple-of 3))",
        "(declare y ?Small) (specify y (square y)) (constrain-solutions x another-ten)",
    )

    found = values(text, primitives=primitives_of(module))

    assert sorted(each["x"] // 10 for each in found) == [0, 1]
    assert all(each["x"] % 6 == 3 and each["y"] in (0, 1, 4, 9, 16) for each in found)


def test_definitions_that_double_themselves_are_stopped_by_count():
    doubled = [f"(define (f{i + 1} a) (and (f{i} a) (f{i} a)))" for i in range(40)]
    text = outline("(define (f0 a) (gte a 0))", *doubled, "(declare x ?Integer)", "(specify x (f40))")

    with pytest.raises(SpecError, match="uses definitions more than 1000 times"):
        read_program(text)


def test_two_whole_inputs_are_given_to_functions_of_the_user():
    text = outline("(declare x ?(Integer 0 9))", "(constrain-solutions x (relation (lambda (a b) (far a b))))")

    found = values(text, primitives={"far": lambda a, b: abs(a["x"] - b["x"]) >= 4})
    with pytest.raises(SpecError, match="speaks of an input as a whole"):
        read_program(text, primitives={"far": lambda a, b: a != b})

    assert len(found) == 3


def test_a_negative_index_counts_from_the_end():
    [spec] = read_program(
        '(program p (generate g all (declare s ?(String "[ab]{0,2}")) (specify s (eq (at s -1) "a"))))'
    )

    assert sorted(each["s"] for each in generate(spec).values) == ["a", "aa", "ba"]


def test_a_byte_order_mark_is_not_part_of_a_program():
    assert read_program("\ufeff" + outline("(declare x ?Integer)")) == read_program(outline("(declare x ?Integer)"))


def test_a_primitive_that_raises_is_named_with_its_place():
    with pytest.raises(SpecError, match=r"p:4:12: \(boom 1\): <lambda> raised ZeroDivisionError"):
        read_program(outline("(declare x ?Integer)", "(specify x (boom 1))"), "p", {"boom": lambda x, n: 1 // 0})


def test_json_coverage_goes_through_patterns_options_and_enumerations():
    text = """
    (program p (declare s ?String) (specify s (matches "a|b"))
      (declare o ?Object)
      (specify o (with s s) (with day ?(Option Date)) (with kind ?(OneOf "x" "y" "z")) (with n ?Integer))
      (generate g all (declare e ?o) (constrain-solutions e cover-json)))"""

    assert len(values(text)) == 2 * 2 * 3


PETS = r'''"{\"type\": \"object\", \"properties\": {\"kind\": {\"enum\": [\"cat\", \"dog\"]}, \"old\": {\"type\": \"boolean\"}},
  \"required\": [\"kind\"], \"additionalProperties\": false}"'''


@pytest.mark.parametrize(("strength", "count"), [("", 3), ("each", 3), ("pairs", 6), ("all", 6)])
def test_json_coverage_of_a_schema_shows_its_choices(strength, count):
    written = outline(
        "(declare pets " + PETS + ")",
        "(declare body ?(String (length 0 99)))",
        f"(constrain-solutions body (cover-json pets {strength}))",
    )

    found = [json.loads(each["body"]) for each in values(written.replace(" 5", " all", 1))]

    assert len(found) == count
    assert {each["kind"] for each in found} == {"cat", "dog"}
    assert {each.get("old") for each in found} == {None, True, False}


@pytest.mark.parametrize(
    ("schema", "said"), [('"{"', "the schema is not JSON"), ('"false"', "no instance is possible")]
)
def test_a_schema_that_is_none_is_refused_with_its_place(schema, said):
    with pytest.raises(SpecError, match=rf"\(cover-json .*{said}"):
        read_program(outline("(declare body ?String)", f"(constrain-solutions body (cover-json {schema}))"))


# -- there and back


@pytest.mark.parametrize("text", PROGRAMS)
def test_laying_out_keeps_every_tree_and_comment_and_is_done_once(text):
    trees = read_trees(text)

    said = laid_out(trees)

    assert read_trees(said) == trees
    assert laid_out(read_trees(said)) == said
    assert read_program(said, primitives=SHOP) == read_program(text, primitives=SHOP)


SHOP = {
    "Item": unlike.record(price=unlike.Int(0, 3)),
    "cover-products": lambda item: unlike.differs_by(item.price),
    "cover-by-structure": unlike.differs_by,
}


@pytest.mark.corpus
def test_random_python_specs_are_written_as_programs_and_read_back_equal():
    written = 0
    for seed in range(760):
        spec = random_spec(seed)
        try:
            text = write_program([spec])
        except SpecError:  # plain Python, and members of an Enum
            continue
        written += 1

        assert read_program(text) == [spec], text

    assert written >= 500


def test_what_is_said_of_strings_and_of_pairs_is_read_back_as_it_was():
    spec = unlike.Spec(
        {"s": unlike.Str(), "t": unlike.Str(), "x": unlike.Int()},
        where=lambda s: s.matches("a+"),
        different=unlike.relation(lambda a, b: unlike.and_(a.x < 3, b.x < 3, a.s == b.t, a.t == b.s)),
    )
    text = outline(
        "(declare x ?Integer)", "(constrain-solutions x (relation x (lambda (a b) (and (lt a 3) (gt a 0)))))"
    )

    assert read_program(write_program([spec])) == [spec]
    assert read_program(write_program(read_program(text))) == read_program(text)


def test_the_examples_are_written_as_programs_and_read_back_equal():
    from examples.calendar_events import calendar
    from examples.retail import items

    assert read_program(write_program([items, calendar])) == [items, calendar]


def test_what_a_program_cannot_say_is_named():
    spec = unlike.Spec({"x": unlike.uuid()})

    with pytest.raises(SpecError, match="a record built by _uuid cannot be written in a program"):
        write_program([spec])


# -- anything at all

NAMES = """program generate declare specify constrain-solutions with p g x y a 5 0 -3 2.5 all none true "a|b" #rx"a*"
?Integer ?String ?x ?Object ?(Option ?(List ?(OneOf gte lt eq and or not ite matches length field concat re-union
re-? re-* flags relation lambda λ enumerate* list cover-regexp cover-json numeric-distance not-equal define each
some-of all-of different-time-zones different-lengths edit-distance Integer Date"""
WORDS = [*"()()()[];\n"] * 3 + NAMES.split()


def tried(text, generating=False):
    try:
        specs = read_program(text, "fuzz")
        for spec in specs:
            assert read_program(write_program([spec])) == [spec]
            if generating:
                assert len(generate(spec, 2, timeout=1, in_process=True)) <= 2
    except UnlikeError as error:
        return str(error)
    return ""


def test_random_bytes_are_refused_without_a_traceback():
    chance = random.Random(1)
    for _ in range(3_000):
        text = chance.randbytes(chance.randint(0, 60)).decode("latin-1")
        assert tried(text)
    for text in (
        "(" * 100_000,
        "?" * 1000,
        "[" * 50 + "]" * 50,
        "(program p (generate g " + "9" * 5000 + "))",
        "\0",
        "'a",
    ):
        assert tried(text).startswith("fuzz:")


@pytest.mark.corpus
def test_random_words_and_damaged_programs_are_refused_without_a_traceback():
    chance = random.Random(2)
    read = 0
    for _ in range(3_000):
        tried(" ".join(chance.choice(WORDS) for _ in range(chance.randint(1, 40))))
    for text in PROGRAMS:
        trees = read_trees(text)
        for _ in range(60):
            text = laid_out([damaged(tree, chance) for tree in trees])
            read += not tried(text, generating=chance.random() < 0.1)

    assert read > 50  # some damage does no harm: then the spec is written and read back, and some give inputs


def damaged(tree, chance):
    """A tree in which something was left out, doubled, or put in another place."""
    if not isinstance(tree, Form) or not tree.items:
        return tree
    items = list(tree.items)
    index = chance.randrange(len(items))
    match chance.randrange(6):
        case 0:
            del items[index]
        case 1:
            items.insert(index, items[chance.randrange(len(items))])
        case 2:
            items[index] = read_trees(
                chance.choice(["x", "5", '"a"', "?Integer", "(gte 3)", "not-equal", "()", '#rx"b"'])
            )[0]
        case _:
            items[index] = damaged(items[index], chance)
    return Form(tuple(item for item in items if not isinstance(item, Comment)), tree.place)


@pytest.mark.parametrize(
    ("members", "said", "expected"),
    [
        ('1 1.0 "1"', "#t", [1, 1.0, "1"]),
        ('1 1.0 "1"', "(eq x 1.0)", [1.0]),
        ("1.5 2.5", "(lt x 2)", [1.5]),
        ("(list 1.5) (list 2)", "(eq x (list 1.5))", [[1.5]]),
    ],
)
def test_a_number_with_a_point_among_values_is_a_float_as_in_python(members, said, expected):
    text = f"(generate g all (declare x ?(OneOf {members})) (specify x {said}))"

    [spec] = read_program(text)

    found = [each["x"] for each in generate(spec, "all").values]
    assert found == expected
    assert [type(each) for each in found] == [type(each) for each in expected]


def test_the_guarantee_names_a_relation_with_its_brackets_in_pairs():
    text = "(generate g all (declare n ?(Integer 0 2)) (constrain-solutions n (relation n (lambda (a b) (neq a b)))))"

    [spec] = read_program(text)

    assert "Any two: (a.n != b.n) & (b.n != a.n)." in generate(spec, "all").guarantee
