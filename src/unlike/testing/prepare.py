"""From what a test asks to inputs that are ready: replayed from the file beside it, or generated and saved first.

A replay reads, decodes and checks; it takes no lock and loads no solver. Everything that writes holds the lock of the
file and reads it again first, so that of many processes one prepares and the others replay what it saved.
"""

from __future__ import annotations

import fnmatch
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO

from unlike.errors import SavedFileError, SpecError, how_many
from unlike.saved import lock_path, write_whole
from unlike.suite import MEANINGS, Ending, Status
from unlike.testing.decorators import Number
from unlike.testing.inputs_file import REMEDY, SavedInput, SavedTest, names_in, read, text_of
from unlike.testing.sources.base import Input, Row, RowSource, short_id, source_text

CUT_SHORT = (Ending.UNKNOWN, Ending.TIMEOUT, Ending.FAILED)
NONE_SAVED = "none were saved before"
OLDER_CODE = "the choice is of an older code"
WORDS = {"prepared": "generated and saved"}  # what happened, where it is not called so
LONGEST_REASON = 1_000  # characters; what an exception says may have no end


@dataclass(frozen=True, slots=True)
class Policy:
    """What this run may do: write or not, generate anew or not, with which n and for how long."""

    frozen: bool = False
    regenerate: bool = False
    n: int | None = None
    any_number: bool = False  # nobody said how many, so a set to which nothing can be added is no lack
    timeout: float | None = None
    run: str = ""
    looks: bool = False  # whether the code that inputs were chosen by is looked at: by `prepare` alone
    keep: bool = False  # of inputs that were chosen by an older code all stay, and what is new is added


@dataclass(frozen=True, slots=True)
class ReadyInput:
    """One input of a test: its id, how to build it, and whether it was kept only because it failed once."""

    id: str
    input: Input
    kept: bool = False

    def as_python(self, names: Sequence[str]) -> str:
        """Return the input as Python source: imports, then one assignment for each parameter."""
        return source_text(self.input, names)


@dataclass(frozen=True, slots=True)
class Event:
    """Something the summary of a run tells: what happened to the inputs of which test."""

    kind: str
    test: str
    text: str


@dataclass(frozen=True, slots=True)
class Ready:
    """The inputs of a test in the order of its file, what the summary should tell, and why inputs are missing."""

    inputs: tuple[ReadyInput, ...]
    events: tuple[Event, ...] = ()
    short: str = ""


def all_prepared(tests: int) -> str:
    """Return the words for a run that prepared all there is."""
    return f"all is prepared: {how_many(tests, 'test')} with inputs" if tests else "no test here has inputs to prepare"


def ready(path: Path, name: str, *, source: RowSource, n: Number, policy: Policy) -> Ready:
    """Return the inputs of the test: replayed if what is saved answers what is asked, otherwise prepared first."""
    reason = "regeneration was asked for"
    if not policy.regenerate:
        answer = _replay(path, name, source=source, n=n, policy=policy)
        if isinstance(answer, Ready):
            return answer
        reason = answer
    if policy.frozen:
        raise SavedFileError(
            f"{reason}, and --unlike-frozen refuses to generate; run pytest --unlike-prepare and commit {_short(path)}"
        )
    return _prepare(path, name, source=source, n=n, policy=policy, reason=reason)


# -- replay ------------------------------------------------------------------------------------------------------


def _replay(path: Path, name: str, *, source: RowSource, n: Number, policy: Policy) -> Ready | str:
    """Return the saved inputs, or in words why they do not answer what is asked."""
    block = read(path).get(name)
    if block is None:
        return NONE_SAVED
    if block.damage:
        raise SavedFileError(f"{path}, {block.damage}; {REMEDY}")
    if block.fingerprint != source.fingerprint:
        return "the spec changed"
    wanted = policy.n if policy.n is not None else n
    stale = _other_number(block, wanted, exact=policy.n is None)
    if stale:
        return stale
    is_older = policy.looks and block.code != source.code_mark
    if is_older and policy.keep:
        return OLDER_CODE
    answer = _decode_block(path, block, source=source, policy=policy, wanted=wanted)
    if not is_older:
        return answer
    said = f"{OLDER_CODE}; --keep keeps it and adds what is new, --regenerate chooses anew"
    return replace(answer, events=(Event("older", name, said), *answer.events))


def _other_number(block: SavedTest, wanted: Number, *, exact: bool) -> str:
    """Say in words why a block with another n does not do; nothing if it does."""
    if _size(wanted) > _size(answered := _answered_number(block, wanted)):
        return "" if block.ending is Ending.COMPLETE else f"n grew from {answered} to {wanted}"
    if exact and _size(wanted) < _size(block.n):
        return f"n shrank from {block.n} to {wanted}"
    return ""


def _answered_number(block: SavedTest, wanted: Number) -> Number:
    """Return how many inputs a block answers for: all that show every choice are not all there are."""
    if block.ending is Ending.SHOWN and wanted != "all":
        return len(block.lines_in_order())
    return block.n


def _size(n: Number) -> float:
    return float("inf") if n == "all" else n


def _decode_block(path: Path, block: SavedTest, *, source: RowSource, policy: Policy, wanted: Number) -> Ready:
    """Return the inputs of a block, every line decoded and checked; a bad line is refused with its number."""
    generated = block.lines_in_order()
    inputs: dict[str, Input] = {}
    for line in generated:
        inputs[line.id] = _decode(path, line, source)
    wrong = source.first_wrong([inputs[line.id] for line in generated])
    if wrong is not None:
        raise SavedFileError(f"{path}, line {generated[wrong[0]].number}: {wrong[1]}; {REMEDY}")
    events = []
    idle = 0
    for line in block.lines:
        if line.rank is None:
            kept = _fitting(path, line, source=source, block=block)
            idle += kept is None
            inputs |= {} if kept is None else {line.id: kept}
    if idle:
        said = f"{how_many(idle, 'regression')} no longer fit{'s' if idle == 1 else ''} the spec and did not run"
        events.append(Event("idle", block.name, f"{said}; --unlike-forget ID drops it"))
    most = _size(wanted) + block.added
    chosen = [line for line in block.lines if line.id in inputs and (line.rank is None or line.rank < most)]
    short = _say_short(block, wanted, any_number=policy.any_number and policy.n is None)
    ready_inputs = tuple(ReadyInput(line.id, inputs[line.id], line.rank is None) for line in chosen)
    return Ready(ready_inputs, tuple(events), short)


def _say_short(block: SavedTest, wanted: Number, *, any_number: bool) -> str:
    """Say in words that inputs are missing, and why: fewer than wanted, and no proof that no more exist."""
    there = len(block.lines_in_order())
    lacking = block.ending is Ending.MAXIMAL and wanted != "all" and not any_number
    if there >= _size(wanted) or not (lacking or block.ending in CUT_SHORT):
        return ""
    why = str(Status(block.ending, block.why))
    if block.ending is Ending.FAILED and not block.why:  # saved before reasons were
        why = "cut short, and the file does not say by what"
    number = how_many(there, "input") if wanted == "all" else f"{there} of {wanted} inputs"
    enough = f"n={there}" if there else "fewer inputs"
    remedy = "Give it more time (timeout=…, or unlike_timeout)" if block.ending is Ending.TIMEOUT else "Change the spec"
    return f"{number}: {why}. {remedy} and run pytest --unlike-regenerate, or ask for {enough}"


def _decode(path: Path, line: SavedInput, source: RowSource) -> Input:
    try:
        return source.decode(line.input, line.choices)
    except SavedFileError as error:
        raise SavedFileError(f"{path}, line {line.number}: {error}; {REMEDY}") from error


def _fitting(path: Path, line: SavedInput, *, source: RowSource, block: SavedTest) -> Input | None:
    """Return a regression that was kept, or nothing if the spec moved away from it."""
    try:
        decoded = source.decode(line.input, line.choices)
    except SavedFileError:
        decoded = None
    if decoded is not None and source.fits(decoded):
        return decoded
    if line.kept == block.fingerprint:  # the spec did not move: the line did
        raise SavedFileError(f"{path}, line {line.number}: it breaks the spec; {REMEDY}")
    return None


# -- prepare -----------------------------------------------------------------------------------------------------


def _prepare(path: Path, name: str, *, source: RowSource, n: Number, policy: Policy, reason: str) -> Ready:
    with lock_path(path) as notebook:
        done = _done(notebook, policy.run)
        if not policy.regenerate or name in done:
            again = replace(policy, regenerate=False)
            answer = _replay(path, name, source=source, n=n, policy=again)
            if isinstance(answer, Ready):  # another process was faster
                return answer
        blocks = _blocks_to_change(path, policy)
        old = blocks.get(name)
        wanted = policy.n if policy.n is not None else n
        new, event = _new_block(name, source=source, wanted=wanted, old=old, policy=policy, reason=reason)
        _write(path, blocks | {name: new})
        _note(notebook, policy.run, [*done, name])
        answer = _decode_block(path, read(path)[name], source=source, policy=policy, wanted=wanted)
    return replace(answer, events=(event, *answer.events))


def _blocks_to_change(path: Path, policy: Policy) -> dict[str, SavedTest]:
    try:
        return read(path)
    except SavedFileError:
        if policy.regenerate:  # the user was told, and asked for a new file
            return {}
        raise


def _new_block(
    name: str, *, source: RowSource, wanted: Number, old: SavedTest | None, policy: Policy, reason: str
) -> tuple[SavedTest, Event]:
    same = old is not None and old.fingerprint == source.fingerprint and not old.damage and not policy.regenerate
    if same and old is not None and wanted != "all" and _size(wanted) < _size(_answered_number(old, wanted)):
        kept = [line for line in old.lines_in_order() if (line.rank or 0) < wanted]
        ending = Ending.FOUND if len(kept) == wanted else old.ending
        why = old.why if ending is old.ending else ""
        block = SavedTest(name, source.fingerprint, wanted, ending, tuple(kept), why, old.code)
        verb, how = "trimmed", MEANINGS[ending] if ending is Ending.FOUND else "all that were saved"
    else:
        stay = _kept_inputs(old, source) if same and policy.keep and reason == OLDER_CODE else []
        rows, status = _extend(source, stay, policy.timeout) if stay else source.generate(wanted, policy.timeout)
        _check_answered(rows, status)
        why = _plain_words(status.detail) if status.ending in (*CUT_SHORT, Ending.MAXIMAL) else ""
        known = {json.dumps(line.input): line.id for line in old.lines_in_order()} if same and old is not None else {}
        lines = tuple(_lines(rows, source, known))
        added = len(rows) - len(stay) + (old.added if old is not None else 0) if stay else 0
        block = SavedTest(name, source.fingerprint, wanted, status.ending, lines, why, source.code_mark, added)
        verb, how = _verb(old, block, same), str(status)
    block = _with_regressions(block, old)
    extra = sum(line.rank is None for line in block.lines)
    said = f"{WORDS.get(verb, verb)} {how_many(len(block.lines) - extra, 'input')}"
    said += f": {how}" if how != MEANINGS[Ending.FOUND] else ""  # that is said by the number
    said += f"; kept {how_many(extra, 'regression')}" if extra else ""
    return block, Event(verb, name, f"{said} ({reason})")


def _kept_inputs(old: SavedTest | None, source: RowSource) -> list[Input]:
    """Return the inputs of a block that are to stay."""
    lines = [] if old is None else old.lines_in_order()
    return [source.decode(line.input, line.choices) for line in lines]


def _extend(source: RowSource, stay: Sequence[Input], timeout: float | None) -> tuple[list[Row], Status]:
    """Return the inputs that stay, and what the code shows beyond them."""
    from unlike.testing.sources.chosen import ChosenSource  # no other inputs are of an older code

    assert isinstance(source, ChosenSource)
    return source.extend(stay, timeout)


def _plain_words(detail: str) -> str:
    """Return a reason as it is saved: in one line, not endless, and the same bytes wherever objects lie in memory."""
    words = " ".join(re.sub(r" at 0x[0-9a-fA-F]+", "", detail).split())
    return words if len(words) <= LONGEST_REASON else f"{words[:LONGEST_REASON]}…"


def _check_answered(rows: Sequence[Row], status: Status) -> None:
    if status.ending is Ending.INTERRUPTED:
        raise KeyboardInterrupt
    if rows:
        return
    if status.ending is Ending.UNSATISFIABLE:
        raise SpecError(f"no input exists; {status.detail or 'the spec contradicts itself'}")
    raise SpecError(f"no input was found: {status}; give more time (timeout=…), or ask for less")


def _verb(old: SavedTest | None, new: SavedTest, same: bool) -> str:
    if old is None:
        return "prepared"
    before = {line.text() for line in map(_without_mark, old.lines_in_order())}
    after = {line.text() for line in map(_without_mark, new.lines_in_order())}
    return "extended to" if same and before < after else "regenerated"


def _without_mark(line: SavedInput) -> SavedInput:
    return replace(line, failed=False)


def _lines(rows: Sequence[Row], source: RowSource, known: Mapping[str, str]) -> list[SavedInput]:
    """Return the rows as lines with unique ids; inputs that were saved before keep those they are known by."""
    taken = set(known.values())
    lines = []
    for rank, row in enumerate(rows):
        id_ = known.get(json.dumps(row.input))
        if id_ is None:
            id_ = _free(short_id(source.decode(row.input, row.choices), source.names, row.label), taken)
        lines.append(SavedInput(id_, row.input, rank, dict(row.choices)))
    return lines


def _free(id_: str, taken: set[str]) -> str:
    """Return an id that nothing has yet: where two look alike, the later one ends in its number."""
    candidate, count = id_, 1
    while candidate in taken:
        count += 1
        candidate = f"{id_}~{count}"
    taken.add(candidate)
    return candidate


def _with_regressions(block: SavedTest, old: SavedTest | None) -> SavedTest:
    """Return the block with the inputs that failed once: marked where they are there still, kept where they are not."""
    if old is None:
        return block
    failed = {json.dumps(line.input, sort_keys=True): line for line in old.regressions()}
    lines: list[SavedInput] = []
    for line in block.lines:
        known = failed.pop(json.dumps(line.input, sort_keys=True), None)
        lines.append(replace(line, failed=known is not None))
    taken = {line.id for line in lines}
    for line in failed.values():
        id_ = _free(line.id, taken)
        lines.append(replace(line, id=id_, rank=None, failed=True, kept=line.kept or old.fingerprint))
    return replace(block, lines=tuple(lines))


# -- what failed, what is to be forgotten, what has no test any more ---------------------------------------------------


def record_failures(path: Path, failures: Mapping[str, Iterable[str]]) -> int:
    """Mark the inputs that failed, by test; return how many were not marked before."""
    with lock_path(path):
        blocks = read(path)
        marked = 0
        for name, ids in failures.items():
            block = blocks.get(name)
            if block is None or block.damage:
                continue
            wanted = set(ids)
            lines = [replace(line, failed=True) if line.id in wanted else line for line in block.lines]
            marked += sum(new.failed and not line.failed for new, line in zip(lines, block.lines, strict=True))
            blocks[name] = replace(block, lines=tuple(lines))
        if marked:
            _write(path, blocks)
        return marked


def forget(path: Path, patterns: Sequence[str]) -> list[str]:
    """Forget the regressions whose id, or TEST[ID], matches a pattern; return them as TEST[ID]."""
    with lock_path(path):
        blocks = read(path)
        forgotten: list[str] = []
        for name, block in blocks.items():
            lines: list[SavedInput] = []
            for line in block.lines:
                if not (line.failed and _matches(name, line.id, patterns)):
                    lines.append(line)
                    continue
                forgotten.append(f"{name}[{line.id}]")
                if line.rank is not None:
                    lines.append(_without_mark(line))
            blocks[name] = replace(block, lines=tuple(lines))
        if forgotten:
            _write(path, blocks)
        return forgotten


def _matches(name: str, id_: str, patterns: Sequence[str]) -> bool:
    return any(text == p or fnmatch.fnmatchcase(text, p) for p in patterns for text in (id_, f"{name}[{id_}]"))


def orphans(path: Path, names: Iterable[str]) -> list[str]:
    """Return the tests in the file that are not among the names."""
    known = set(names)
    return [name for name in names_in(path) if name not in known]


def prune(path: Path, names: Iterable[str]) -> list[str]:
    """Drop the tests in the file that are not among the names, and a file with none left; return what was dropped."""
    dropped = orphans(path, names)
    if not dropped:
        return []
    with lock_path(path):
        blocks = read(path)
        for name in dropped:
            blocks.pop(name, None)
        if blocks:
            _write(path, blocks)
        else:
            path.unlink(missing_ok=True)
    return dropped


def settle_failures(failures: Mapping[str, Mapping[str, Iterable[str]]]) -> list[Event]:
    """Mark the inputs that failed, by file and test, and say how many are new."""
    events = []
    for file in sorted(failures):
        try:
            marked = record_failures(Path(file), failures[file])
        except (SavedFileError, OSError) as error:
            events.append(Event("warning", file, f"failing inputs could not be marked: {error}"))
            continue
        if marked:
            said = f"{how_many(marked, 'failing input')} marked, to be kept when a spec changes"
            events.append(Event("failed", file, said))
    return events


def settle_orphans(saved: Mapping[Path, Iterable[str]], *, drop: bool) -> list[Event]:
    """Name, or drop, saved inputs whose test is gone: what the files hold beyond the names of their tests."""
    events = []
    for file, names in saved.items():
        try:
            found = prune(file, names) if drop else orphans(file, names)
        except SavedFileError as error:
            events.append(Event("warning", str(file), f"orphans could not be dropped: {error}"))
            continue
        if found:
            said = "dropped the inputs of {}" if drop else "no test has the inputs of {}; --unlike-prune drops them"
            events.append(Event("orphans", str(file), said.format(", ".join(found))))
    return events


# -- files ---------------------------------------------------------------------------------------------------------


def _write(path: Path, blocks: dict[str, SavedTest]) -> None:
    try:
        path.parent.mkdir(exist_ok=True)
        write_whole(path, text_of(blocks))
    except OSError as error:
        raise SavedFileError(
            f"{path} cannot be written: {error}; make its directory writable, or run pytest --unlike-prepare "
            "elsewhere and commit the file"
        ) from error


def _done(notebook: IO[str], run: str) -> list[str]:
    """Return the tests that this run has regenerated already, in whichever process."""
    notebook.seek(0)
    try:
        told = json.loads(notebook.read() or "{}")
        return [str(each) for each in told["done"]] if run and told["run"] == run else []
    except (ValueError, KeyError, TypeError):  # someone else's words
        return []


def _note(notebook: IO[str], run: str, done: list[str]) -> None:
    notebook.seek(0)
    notebook.truncate()
    notebook.write(json.dumps({"run": run, "done": done}))


def _short(path: Path) -> str:
    return str(Path(path.parent.name) / path.name)
