"""`python -m bench packages`: what `unlike explore MODULE:CLASS --scope 3` makes of classes that anybody wrote.

    pip install 'unlike[packages]'
    python -m bench packages --subjects open --json figures.json

Explored meaningfully is a class of which five states or more were found while at least half of its public methods
succeeded once. States, calls and errors are those of the answer; which methods succeeded is seen from outside (see
`witness.py`), which makes calls slower. Subjects come in an order of chance, the same each time, so that what was
measured before a run was stopped stands for the rest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any

from bench.packages import written

HERE = Path(__file__).parent
KINDS = "container", "other"
STATES = 5  # of a meaningful exploration
SHARE = 0.5  # of the public methods, likewise
SEARCH = 20.0  # seconds of processor time after which a search is interrupted; it answers with what it found
WAITED = 120  # seconds on the clock, likewise: for classes that wait, and for a busy machine
GRACE = 15  # more seconds of either kind, to write the answer
ANSWERED = 0, 1, 3  # exit codes: done, errors were revealed, cut short
WRITTEN = 60.0  # seconds of processor time for tests of a small exploration
POLLED = 0.1  # seconds between two looks
REASONS = 10  # the commonest are shown
COLUMNS = (
    "", "classes", "meaningful", "an answer", "errors", "labelled real / guess / by design",
    "states, median", "calls a CPU second, median",
)  # fmt: skip
Figures = dict[str, Any]


def main(arguments: list[str]) -> int:
    """Measure the classes of one half and print the tables; return 0."""
    parser = argparse.ArgumentParser(prog="python -m bench packages", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--subjects", choices=("open", "held"), default="open", help="which half (%(default)s)")
    parser.add_argument("--only", nargs="+", default=(), metavar="NAME", help="classes or packages, for a quick look")
    parser.add_argument("--written", action="store_true", help="write tests, too, and run them under three hash seeds")
    parser.add_argument("--json", metavar="FILE", help="write all figures to a file; what is in it is not run again")
    parser.add_argument("--seconds", type=float, default=SEARCH, help="of processor time for each search (%(default)g)")
    parser.add_argument("--minutes", type=float, help="on the clock, after which no further class is begun; run again")
    wanted = parser.parse_args(arguments)
    ends = time.monotonic() + wanted.minutes * 60 if wanted.minutes else float("inf")
    subjects = [each for each in read_subjects(wanted.subjects) if not wanted.only or is_named(each, wanted.only)]
    signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background, and so by what is started
    file = Path(wanted.json) if wanted.json else None
    known = {each["target"]: each for each in json.loads(file.read_text())} if file and file.exists() else {}
    for number, subject in enumerate(subjects):
        target = f"{subject['module']}:{subject['class']}"
        if time.monotonic() > ends:
            print(f"{number} of {len(subjects)} classes; the same command goes on with the others", file=sys.stderr)
            subjects = subjects[:number]
            break
        known[target] = known.get(target) or measure(subject, wanted.seconds)
        if wanted.written and not known[target]["refusal"] and "written" not in known[target]:
            known[target]["written"] = write_tests(target)
        print(f"{number + 1} of {len(subjects)}: {render_class(known[target])}", file=sys.stderr, flush=True)
        if file:
            file.write_text(json.dumps(list(known.values()), indent=1) + "\n")
    print(report([known[f"{each['module']}:{each['class']}"] for each in subjects]))
    return 0


def read_subjects(half: str) -> list[dict[str, str]]:
    found = [each for each in json.loads((HERE / "classes.json").read_text()) if each["half"] == half]
    return sorted(found, key=lambda each: hashlib.sha256(f"{each['module']}:{each['class']}".encode()).digest())


def is_named(subject: dict[str, str], names: list[str]) -> bool:
    known = subject["class"], f"{subject['module']}:{subject['class']}", subject["package"].partition("==")[0]
    return any(each in known for each in names)


def measure(subject: dict[str, str], seconds: float) -> Figures:
    """Return the figures of one class, explored in an empty directory by the command, which a witness watches."""
    target = f"{subject['module']}:{subject['class']}"
    figures: Figures = {"target": target, "package": subject["package"], "kind": subject["kind"]}
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as reports:
        file = Path(reports) / "methods.json"
        command = [sys.executable, "-m", "bench.packages.witness", f"{file}", target, "--scope", "3"]
        figures |= run(command, Path(scratch), seconds)
        methods = json.loads(file.read_text()) if file.exists() else {}
        figures["files"] = sorted(each.name for each in Path(scratch).iterdir())  # left behind by the class
    said = figures.pop("said")
    figures |= {"states": 0, "calls": 0, "errors": [], "not_called": {}, "methods": methods}
    return figures if figures["refusal"] else figures | read_text(said)


def write_tests(target: str) -> Figures:
    """Return what is to be said of the tests that are written of a small exploration."""
    command = [str(Path(sys.executable).with_name("unlike")), "explore", target, "--scope", "2", "--most-states", "60"]
    with tempfile.TemporaryDirectory() as scratch, tempfile.TemporaryDirectory() as folder:
        figures = run([*command, "-o", folder], Path(scratch), WRITTEN)
        return {**written.look_at(Path(folder)), "refusal": figures["refusal"]}


def read_text(said: str) -> Figures:
    """Return the figures of the answer for people: 768 objects of C …, 39,615 calls: …, error: …."""
    states, calls = (re.search(rf"^([\d,]+) {noun}s?\b", said, re.M) for noun in ("object", "call"))
    errors = re.findall(r"^(?:error|protocol): (.*(?:\n {7}.*)*)", said, re.M)
    endings = re.findall(r"^(?:cut short|no more exist).*", said, re.M)
    return {
        "states": int(states[1].replace(",", "")) if states else 0,
        "calls": int(calls[1].replace(",", "")) if calls else 0,
        "ending": endings[-1][:200] if endings else "",
        "errors": [describe_error(each) for each in errors],
        "not_called": dict(re.findall(r"^not called: (\S+): (.*)", said, re.M)),
    }


def run(command: list[str], scratch: Path, seconds: float) -> Figures:
    """Return how a command ended, what it cost, what it said, and the reason where it gave no answer.

    After so many seconds of processor time it is interrupted as a user would, and answers with what it has found.
    """
    began = time.monotonic()
    environment = {**os.environ, "PYTHONPATH": f"{HERE.parent.parent}", "PYTHONHASHSEED": "0"}
    with tempfile.TemporaryFile("w+") as output, tempfile.TemporaryFile("w+") as messages:
        process = subprocess.Popen(
            command, cwd=scratch, env=environment, stdin=subprocess.DEVNULL, stdout=output, stderr=messages,
            start_new_session=True,
        )  # fmt: skip
        cut, spent = wait_for(process, seconds)
        output.seek(0)
        messages.seek(0)
        said, reason = output.read(), ""
        if not said or process.returncode not in ANSWERED:
            ended = f"killed by signal {-process.returncode}"
            reason = cut or ended if process.returncode < 0 else reason_of(messages.read().strip())
    cost = {"seconds": round(time.monotonic() - began, 2), "cpu": round(spent, 2), "cut": cut}
    return {"exit_code": process.returncode, "refusal": reason, "said": said, **cost}


def wait_for(process: subprocess.Popen[bytes], seconds: float) -> tuple[str, float]:
    """Wait until a process ends, interrupt it, then stop it; return why, and the processor time it has used."""
    began, spent, cut = time.monotonic(), 0.0, ""
    while process.poll() is None:
        spent = max(spent, processor_seconds(process.pid))
        late = time.monotonic() - began
        if not cut and (spent > seconds or late > WAITED):
            cut = f"interrupted after {seconds:.0f} CPU seconds" if spent > seconds else f"interrupted after {WAITED} s"
            process.send_signal(signal.SIGINT)
        elif cut and (spent > seconds + GRACE or late > WAITED + GRACE):
            cut = "no answer in time"
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        time.sleep(POLLED)
    return cut, spent


def processor_seconds(root: int) -> float:
    """Return the processor time of a process and of all that it started."""
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for file in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = file.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        number = int(file.parent.name)
        parents[number] = int(fields[1])
        used[number] = sum(map(int, fields[11:15]))  # its own, and that of children that have ended
    family = {root}
    while more := {each for each, parent in parents.items() if parent in family} - family:
        family |= more
    return sum(used.get(each, 0) for each in family) / os.sysconf("SC_CLK_TCK")


def reason_of(said: str) -> str:
    """Return the one line that matters: the message, or the end of a traceback."""
    lines = said.splitlines() or ["nothing was said"]
    return next((each for each in lines if each.startswith("unlike: ")), lines[-1]).removeprefix("unlike: ")


def describe_error(words: str) -> Figures:
    """Return what an error is (by that `labels.json` knows it), the calls that show it, and why it is likely none."""
    first, *others = (line.strip() for line in words.splitlines())
    what = re.sub(r"( at 0x[0-9a-f]+|, at [^(]*:\S+(:\d+)?)|\(after .*\)$|\(\d+ objects?\)$", "", first).strip()
    doubt = next((each.partition(": ")[2] for each in others if each.startswith("likely meant: ")), "")
    return {"what": what, "sequence": others[0] if others else "", "doubt": doubt}


def is_meaningful(figures: Figures) -> bool:
    succeeded = list(figures["methods"].values())
    return figures["states"] >= STATES and bool(succeeded) and sum(succeeded) >= SHARE * len(succeeded)


def render_class(figures: Figures) -> str:
    methods = f"{sum(figures['methods'].values())} of {len(figures['methods'])} methods"
    said = f"{figures['states']:,} states, {methods}, {len(figures['errors'])} errors"
    return f"{figures['target']}: {figures['refusal'] or said}"


def report(found: list[Figures]) -> str:
    """Return the tables: by kind, by reason of refusal, by class."""
    labels = json.loads((HERE / "labels.json").read_text())
    lines = [f"| {' | '.join(COLUMNS)} |", "|---" * len(COLUMNS) + "|"]
    for kind in KINDS:
        some = [each for each in found if each["kind"] == kind]
        if some:
            lines.append(f"| {kind} | {render_kind(some, labels)} |")
    refused = Counter(generalize(each["refusal"], each) for each in found if each["refusal"])
    lines += ["", f"No answer: {sum(refused.values())} classes", ""]
    lines += [f"- {count}: {reason}" for reason, count in refused.most_common(REASONS)]
    methods = Counter(generalize(why, each) for each in found for why in each["not_called"].values())
    lines += ["", f"Not called: {sum(methods.values())} methods", ""]
    lines += [f"- {count}: {reason}" for reason, count in methods.most_common(REASONS)]
    few = Counter(shortfall(each) for each in found if not each["refusal"] and not is_meaningful(each))
    lines += ["", f"An answer, but not meaningful: {sum(few.values())} classes", ""]
    lines += [f"- {count}: {reason}" for reason, count in few.most_common()]
    lines += ["", "| class | meaningful | states | methods | errors | CPU seconds | |", "|---|---|---|---|---|---|---|"]
    lines += [render_row(each) for each in found]
    if any("written" in each for each in found):
        lines += ["", *written.report({each["target"]: each["written"] for each in found if "written" in each})]
    return "\n".join(lines)


def render_kind(some: list[Figures], labels: dict[str, Figures]) -> str:
    answered = [each for each in some if not each["refusal"]]
    meaningful = sum(map(is_meaningful, some))
    given = [
        labels.get(f"{each['target']} {error['what']}", {}).get("label") for each in some for error in each["errors"]
    ]
    states = statistics.median([each["states"] for each in answered] or [0])
    speed = statistics.median([each["calls"] / max(each["cpu"], 0.01) for each in answered] or [0])
    judged = " / ".join(f"{given.count(label)}" for label in ("real", "guess", "by design"))
    share = f"{meaningful} ({meaningful / len(some):.0%})"
    return f"{len(some)} | {share} | {len(answered)} | {len(given)} | {judged} | {states:,.0f} | {speed:,.0f}"


def generalize(reason: str, figures: Figures) -> str:
    """Return a reason without the names and numbers of one class, so that alike ones are counted together."""
    name = figures["target"].partition(":")[2]
    reason = reason.partition("; ")[0].replace(figures["target"], "CLASS")
    reason = re.sub(rf"\b{re.escape(name)}(\.\w+)*", "CLASS", reason)
    return re.sub(r"\d[\d,.]*", "N", re.sub(r"'[^']*'|<[^>]*>", "…", reason))


def shortfall(figures: Figures) -> str:
    return f"fewer than {STATES} states" if figures["states"] < STATES else "fewer than half of the methods succeeded"


def render_row(figures: Figures) -> str:
    verdict = "yes" if is_meaningful(figures) else "no"
    methods = f"{sum(figures['methods'].values())} of {len(figures['methods'])}"
    numbers = f"{figures['states']:,} | {methods} | {len(figures['errors'])} | {figures['cpu']:.1f}"
    return f"| {figures['target']} | {verdict} | {numbers} | {figures['refusal'][:100]} |"
