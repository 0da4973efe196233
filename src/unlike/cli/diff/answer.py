"""What a comparison of two versions answers: verdicts, the calls that tell them apart, and these as tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unlike.diff.verdict import Verdict
from unlike.suite import Ending, Status
from unlike.writers.envelope import DataCases, Envelope, Medium, Notice, Page, Part, Remark, worst

DIFFERENT = Status(Ending.FOUND, "they are different")


@dataclass(frozen=True, slots=True)
class JudgedVersions:
    """Verdicts in order, and the tests of those that differ."""

    verdicts: Sequence[Verdict]
    tests: Mapping[str, str]  # by the name of what differs
    old: str
    new: str
    reasons: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    is_table: bool = False


def answer_of(found: JudgedVersions) -> Envelope:
    """Return the answer."""
    verdicts = found.verdicts
    different = [each for each in verdicts if each.difference is not None]
    several = len(verdicts) != 1
    words = _summary(verdicts) if several else ""
    statuses = [(each.name, each.status) for each in verdicts] or [("", Status(Ending.COMPLETE))]
    status = worst(statuses) if several or not different else DIFFERENT
    return Envelope(
        status=Status(Ending.FOUND, words) if different and several else status,
        guarantee="; ".join(
            f"{each.name}: {each.guarantee}" if several else each.guarantee for each in verdicts if each.guarantee
        ),
        words=words or _words_of(verdicts[0]),
        counts={
            "same": sum(
                each.word.startswith("same") and not each.status.detail.startswith("only in") for each in verdicts
            ),
            "different": len(different),
            "undecided": sum(each.word == "undecided" for each in verdicts),
            "one_side_only": sum(each.status.detail.startswith("only in") for each in verdicts),
            **({} if several else verdicts[0].counts),
        },
        findings=tuple(_findings(found)),
        contents=DataCases(
            {"format": "unlike differences", "verdicts": [_data(each, found) for each in verdicts]}, tests=_pages(found)
        ),
        parts=tuple(Part(each.name, each.status, each.guarantee, sum(each.counts.values())) for each in verdicts)
        if several
        else (),
        text=lambda: _text(found),
        remarks=(*(Remark(f"note: {each}", is_note=True) for each in found.notes),),
        number=len(different),
    )


def _words_of(verdict: Verdict) -> str:
    if verdict.difference is not None:
        return "different"
    return str(verdict.status)


def _summary(verdicts: Sequence[Verdict]) -> str:
    if not verdicts:
        return "nothing changed that can be called"
    counts: dict[str, int] = {}
    for each in verdicts:
        word = "on one side only" if each.status.detail.startswith("only in") else each.word
        counts[word] = counts.get(word, 0) + 1
    return ", ".join(f"{number} {word}" for word, number in counts.items())


def _findings(found: JudgedVersions) -> Iterator[Notice]:
    for each in found.verdicts:
        if each.difference is not None:
            words = f"{each.difference.old} in {found.old}; {each.difference.new} in {found.new}"
            yield Notice("different", f"{each.difference.sequence}\n{words}", each.name, each.difference.recipe)
        for side, names in ((found.old, each.only_old), (found.new, each.only_new)):
            for name in names:
                yield Notice("not called", f"only in {side}", f"{each.name}.{name}")
    yield from (Notice("note", each) for each in found.notes)


def _data(verdict: Verdict, found: JudgedVersions) -> dict[str, object]:
    difference = verdict.difference
    shown = (
        None
        if difference is None
        else {
            "sequence": difference.sequence,
            "old": difference.old,
            "new": difference.new,
            "afterwards": list(difference.afterwards),
            "test": found.tests.get(verdict.name, ""),
        }
    )
    return {
        "name": verdict.name,
        "kind": verdict.kind,
        "verdict": verdict.word,
        "why": found.reasons.get(verdict.name, ""),
        "detail": verdict.status.detail,
        "guarantee": verdict.guarantee,
        "only_old": list(verdict.only_old),
        "only_new": list(verdict.only_new),
        "difference": shown,
    }


def _pages(found: JudgedVersions) -> Callable[[Medium], Iterator[Page]]:
    def write(medium: Medium) -> Iterator[Page]:
        del medium
        words = f"What {found.old} does and {found.new} does not"
        words += ": each test passes with the first, and fails with the second."
        yield Page("test_differences.py", [join_tests(list(found.tests.values()), words)])

    return write


def join_tests(tests: Sequence[str], words: str) -> str:
    """Return several tests as one file that begins with some words."""
    head = f'"""{words}"""\n'
    if not tests:
        return f"{head}\n# No difference was found.\n"
    imports: dict[str, None] = {}
    bodies = []
    taken: dict[str, int] = {}
    for text in tests:
        top, mark, body = text.partition("\n\n\ndef ")
        if not mark:
            bodies.append(text)
            continue
        imports.update(dict.fromkeys(line for line in top.splitlines() if line))
        name = body.partition("(")[0]
        taken[name] = taken.get(name, 0) + 1
        bodies.append(f"def {name}{f'_{taken[name]}' if taken[name] > 1 else ''}{body.removeprefix(name)}")
    clashing = _clashes(imports)
    if clashing:  # two modules have something of this name: each test imports its own
        return head + "\n\n".join(["", *(_with_imports(each) for each in tests)])
    standard = [line for line in imports if line == "import re"]
    lines = [
        *standard,
        *([""] if standard else []),
        *sorted((line for line in imports if line not in standard), key=_order),
    ]
    return "\n\n".join(part.strip("\n") + "\n" for part in (f"{head}\n" + "\n".join(lines), *bodies) if part.strip())


def _order(line: str) -> tuple[bool, str]:
    return line != "import pytest", line


def _clashes(imports: Mapping[str, None]) -> bool:
    names = [line.rpartition(" ")[2] for line in imports]
    return len(names) != len(set(names))


def _with_imports(text: str) -> str:
    """Return a test that imports what it needs itself."""
    top, mark, body = text.partition("\n\n\ndef ")
    if not mark:
        return text
    head, _, rest = body.partition('"""\n')
    about, _, _ = rest.partition("\n")
    del about
    inner = "".join(f"    {line}\n" for line in top.splitlines() if line)
    return re.sub(r'("""\n)', lambda found: f"{found[1]}{inner}", f"def {head}" + '"""\n' + rest, count=1)


# -- for people ----------------------------------------------------------------------------------------


def _text(found: JudgedVersions) -> Iterator[str]:
    if found.is_table or len(found.verdicts) != 1:
        yield from _table(found)
        return
    (verdict,) = found.verdicts
    yield from _one(verdict, found)


def _one(verdict: Verdict, found: JudgedVersions) -> Iterator[str]:
    difference = verdict.difference
    if difference is None:
        yield f"{verdict.name}: {verdict.word}"
        yield verdict.guarantee if not verdict.status.cut_short or verdict.guarantee else ""
        if verdict.status.cut_short:
            yield str(verdict.status)
    else:
        yield f"{verdict.name}: different"
        yield f"  {difference.sequence}"
        yield f"    {found.old}: {difference.old}"
        yield f"    {found.new}: {difference.new}"
        yield from (f"    afterwards {each}" for each in difference.afterwards)
    for side, names in ((found.old, verdict.only_old), (found.new, verdict.only_new)):
        if names:
            yield f"only in {side}: {', '.join(names)}"
    if verdict.name in found.tests:
        yield ""
        yield from found.tests[verdict.name].rstrip("\n").splitlines()


def _table(found: JudgedVersions) -> Iterator[str]:
    rows = [(each.name, _word_in_table(each), _detail(each, found)) for each in found.verdicts]
    widths = [max((len(row[place]) for row in rows), default=0) for place in range(2)]
    for name, word, detail in rows:
        yield f"{name:{widths[0]}}  {word:{widths[1]}}  {detail}".rstrip()
    yield _summary(found.verdicts)
    for each in found.verdicts:
        if each.difference is not None:
            yield ""
            yield from _one(each, found)


def _word_in_table(verdict: Verdict) -> str:
    return verdict.status.detail if verdict.status.detail.startswith("only in") else verdict.word


def _detail(verdict: Verdict, found: JudgedVersions) -> str:
    why = found.reasons.get(verdict.name, "")
    why = f" ({why})" if why.startswith("uses") else ""
    if verdict.difference is not None:
        return f"{verdict.difference.sequence}{why}"
    if verdict.status.detail.startswith("only in"):
        return ""
    only = [
        f"only in {side}: {', '.join(names)}"
        for side, names in ((found.old, verdict.only_old), (found.new, verdict.only_new))
        if names
    ]
    return "; ".join([verdict.status.detail, *only]) + why
