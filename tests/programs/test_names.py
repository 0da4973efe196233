"""Every name that a program may use means what the same thing means in Python."""

import datetime

import pytest

import unlike
from unlike import (
    Bool,
    Date,
    Int,
    List,
    OneOf,
    Option,
    Place,
    Real,
    Spec,
    Str,
    Time,
    TimeZone,
    all_of,
    always,
    blank,
    cover,
    different_lengths,
    differs_by,
    distance,
    edit_distance,
    enumerate_,
    enumerate_linear,
    generate,
    never,
    not_different,
    read_program,
    record,
    some_of,
)

BLANKS = {
    "x": (Int(0, 9), "(Integer 0 9)"),
    "y": (Int(0, 9), "(Integer 0 9)"),
    "s": (Str(max_length=4), "(String (length 0 4))"),
    "b": (Bool(), "Boolean"),
    "d": (Date(), "Date"),
    "t": (Time(), "Time"),
    "o": (Option(Int(0, 9)), "(Option (Integer 0 9))"),
    "l": (List(Int(0, 9)), "(List (Integer 0 9))"),
    "r": (record(a=Int(0, 9)), "(Record (a (Integer 0 9)))"),
    "p": (Place("Tokyo", "Lima"), '(Location "Tokyo" "Lima")'),
    "z": (TimeZone("Asia/Tokyo", "Europe/Paris"), '(TimeZone "Asia/Tokyo" "Europe/Paris")'),
}
X, Y, S, B, D, T, MAYBE, L, R, P = (blank(name, BLANKS[name][0]) for name in "xysbdtolrp")
DECLARED = "".join(f"(declare {name} ?{written})" for name, (_, written) in BLANKS.items())


def read(statement):
    [spec] = read_program(f"(program p (generate g 5 {DECLARED} {statement}))")
    return spec


def spec(**said):
    return Spec({name: value for name, (value, _) in BLANKS.items()}, name="g", n=5, **said)


@pytest.mark.parametrize(
    ("about", "written", "meant"),
    [
        *[("x", f"({name} 3)", X == 3) for name in ("eq", "=", "equal")],
        *[("x", f"({name} 3)", X != 3) for name in ("neq", "≠", "!=")],
        *[("x", f"({name} 3)", X < 3) for name in ("lt", "<")],
        *[("x", f"({name} 3)", X <= 3) for name in ("lte", "<=", "≤")],
        *[("x", f"({name} 3)", X > 3) for name in ("gt", ">")],
        *[("x", f"({name} 3)", X >= 3) for name in ("gte", ">=", "≥")],
        ("x", "(gte x y)", X >= Y),
        ("x", "(eq (+ x y) (* 2 y))", X + Y == 2 * Y),
        ("x", "(eq (- x y) (- y))", X - Y == -Y),
        ("x", "(eq (div x 2) (mod y 3))", X // 2 == Y % 3),
        ("x", "(eq (abs y) (neg x))", abs(Y) == -X),
        ("x", "(one-of (list 1 2))", X.is_in([1, 2])),
        ("x", "(and (gt 1) (lt 5))", unlike.and_(X > 1, X < 5)),
        ("x", "(or (gt 1) (lt 5))", unlike.or_(X > 1, X < 5)),
        ("x", "(not (gt 1))", unlike.not_(X > 1)),
        ("x", "(implies (gt 1) (gt y 1))", unlike.implies(X > 1, Y > 1)),
        ("x", "(ite b (gt 1) (lt 5))", unlike.ite(B, X > 1, X < 5)),
        ("x", "(eq (ite b 1 2) x)", unlike.ite(B, 1, 2) == X),
        ("s", '(matches "a+")', S.matches("a+")),
        ("s", '(contains "a")', S.contains("a")),
        ("s", '(starts-with "a")', S.startswith("a")),
        ("s", '(ends-with "a")', S.endswith("a")),
        ("s", '(eq (string-append s "a") "ba")', S + "a" == "ba"),
        *[("s", f"(gte ({name} s) 2)", S.length >= 2) for name in ("length", "string-length")],
        ("d", '(gte (date "2024-01-31"))', datetime.date(2024, 1, 31) <= D),
        ("d", "(eq (year d) 2024)", D.year == 2024),
        ("d", "(lt (month d) (day d))", D.month < D.day),
        ("d", "(eq (weekday d) 3)", D.weekday == 3),
        ("d", '(gt (days-between d (date "2024-01-31")) 9)', D - datetime.date(2024, 1, 31) > 9),
        ("d", "(gt (add-days d 9) d)", D + 9 > D),
        ("t", '(lt (time "12:30:00"))', datetime.time(12, 30) > T),
        ("t", "(eq (hour t) (minute t))", T.hour == T.minute),
        ("t", "(eq (second t) 0)", T.second == 0),
        ("o", "(present)", MAYBE.present),
        ("o", "(absent)", unlike.not_(MAYBE.present)),
        ("o", "(implies present (gt (value o) 3))", unlike.implies(MAYBE.present, MAYBE.value > 3)),
        ("l", "(gt (at l 0) 3)", L[0] > 3),
        ("l", "(each (lambda (item) (gt item 3)))", L.each(lambda item: item > 3)),
        ("l", "(some (λ (item) (gt item 3)))", L.some(lambda item: item > 3)),
        ("r", "(gt (field r a) 3)", R.a > 3),
        ("p", '(eq (attribute p country) "JP")', P.country == "JP"),
        ("p", '(eq (location "Tokyo"))', Place("Tokyo").members[0] == P),
    ],
)
def test_an_assertion_means_what_it_means_in_python(about, written, meant):
    assert read(f"(specify {about} {written})") == spec(where=meant)


@pytest.mark.parametrize(
    ("about", "written", "meant"),
    [
        ("x", "always", always),
        ("x", "not-equal", differs_by("x")),
        ("x", "(differs-by (div x 2))", differs_by(X // 2)),
        ("s", "different-lengths", different_lengths("s")),
        ("p", "different-time-zones", differs_by(P.zone)),
        ("x", "(numeric-distance 3)", distance("x", 3)),
        ("s", "(edit-distance 2)", edit_distance("s", 2)),
        ("s", '(cover-regexp "a|b")', cover.regex("s", "a|b")),
        ("s", '(cover-regexp "a|b" (heuristic shortest))', cover.regex("s", "a|b", heuristic="shortest")),
        ("s", '(coverage (cover-regexp "a|b"))', cover.regex("s", "a|b")),
        ("b", "cover-json", differs_by("b")),
        ("x", "(relation y not-equal)", differs_by("y")),
        ("x", "(all-of not-equal (relation y not-equal))", all_of(differs_by("x"), differs_by("y"))),
        ("x", "(some-of not-equal (relation y not-equal))", some_of(differs_by("x"), differs_by("y"))),
        ("x", "(not (numeric-distance 3))", not_different(distance("x", 3))),
        ("x", "(ite (gt 3) not-equal never)", unlike.ite(X > 3, differs_by("x"), never)),
        ("x", "(enumerate* (list (gt 3) (lt 3)) (list not-equal never))", enumerate_([X > 3, X < 3], [differs_by("x"), never])),
        ("x", "(enumerate-linear (list (gt 3) true))", enumerate_linear([X > 3, True])),
    ],
)  # fmt: skip
def test_a_constraint_means_what_it_means_in_python(about, written, meant):
    assert read(f"(constrain-solutions {about} {written})") == spec(different=meant)


@pytest.mark.parametrize(
    ("written", "pattern"),
    [
        ('(re-union "a" #rx"b")', "(?:a)|(?:b)"),
        ('(re-? "ab")', "(?:ab)?"),
        ('(re-+ "ab")', "(?:ab)+"),
        ('(re-* "ab")', "(?:ab)*"),
        ('(concat "." #rx"a" #rx"b")', r"(?:a)\.(?:b)"),  # the leading string separates, as in section 7.2
        ('(concat #rx"a" "b")', "(?:a)(?:b)"),
        ('(concat "" #rx"a" #rx"b")', "(?:a)(?:b)"),
    ],
)
def test_regexes_are_made_of_regexes(written, pattern):
    [found] = read_program(f"(program p (declare made {written}) (generate g 5 (declare s ?made)))")

    assert found.blanks == {"s": Str(pattern)}


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("Integer", Int()),
        ("Real", Real()),
        ("(Real 0 1 1)", Real(0, 1, 1)),
        ("String", Str()),
        ('(String "a+" (length 0 4))', Str("a+", 0, 4)),
        ("Boolean", Bool()),
        ("Date", Date()),
        ("Time", Time()),
        ("Location", Place()),
        ("TimeZone", TimeZone()),
        ('(OneOf 1 "a" none)', OneOf(1, "a", None)),
        ("(List Boolean 1 2)", List(Bool(), 1, 2)),
        ("Email", unlike.email()),
        ("Url", unlike.url()),
        ("Slug", unlike.slug()),
        ("AccountNumber", unlike.account_number()),
    ],
)
def test_a_type_means_what_it_means_in_python(written, meant):
    [found] = read_program(f"(generate g 5 (declare x ?{written}))")

    assert found.blanks == {"x": meant}


@pytest.mark.parametrize("name", ["Uuid", "IpAddress", "IsoDate", "Iban"])
def test_a_ready_type_builds_its_objects(name):
    [found] = read_program(f"(generate g 5 (declare x ?{name}))")

    assert len(generate(found)) == 5


def test_never_is_what_differs_by_nothing_at_all():
    assert read("(constrain-solutions x never)") == spec()  # as if nothing were said: any two are not equal
