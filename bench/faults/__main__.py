"""Every fault in every way, and what must be seen of it: `python -m bench.faults`.

python -m bench.faults                          # all faults, each alone, in all ways; exits with 1 if one does harm
python -m bench.faults --ways copy usual        # some ways
python -m bench.faults --only hang "replace"    # names that contain one of these words
python -m bench.faults --mixtures 20            # 20 random mixtures of twenty faults each
python -m bench.faults --resume FILE --seconds 600   # notes there what is done, and goes on from it the next time

Of a mixture every way has to report the same faults at the same states, beside what is asked of each alone.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import math
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bench.faults.driver import WAYS
from bench.faults.table import FAULTS

PLAIN = 13  # states of the class without its faults
ENDED = "ended or blocked its process"
MOST_SECONDS = 60
HOME = Path(__file__).parents[2]


def run_driver(way: str, names: Sequence[str], most_seconds: float = MOST_SECONDS) -> dict[str, Any]:
    """Return what the driver saw, what it left running, and how long it took."""
    token = f"{os.getpid()}-{random.getrandbits(64)}"
    environment = {
        **os.environ,
        "UNLIKE_FAULT": token,
        "PYTHONPATH": str(HOME),
        "HYPOTHESIS_STORAGE_DIRECTORY": "/nowhere",
    }
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder, tempfile.TemporaryFile() as said:
        home, answer = Path(folder) / "home", Path(folder) / "answer.json"
        home.mkdir()
        process = subprocess.Popen(
            [sys.executable, "-m", "bench.faults.driver", way, str(answer), *names],
            cwd=home, env=environment, stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True,
        )  # fmt: skip
        try:
            process.wait(most_seconds)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        seconds = time.monotonic() - began
        out = answer.read_text() if answer.exists() else ""
        said.seek(0)
        text = said.read(4000).decode(errors="replace")
    left = end_marked(token)
    try:
        seen = json.loads(out)
    except ValueError:
        words = f"no answer after {seconds:.0f} s, exit code {process.returncode}: {text[-300:]}"
        seen = {
            **dict.fromkeys(("errors", "changed", "files", "remarks"), ()),
            "plain": 0,
            "status": "",
            "words": words,
        }
    return {**seen, "left": left, "printed": text, "seconds": seconds}


def end_marked(token: str) -> list[str]:
    """End every process that still has this token in its environment; return what they were."""
    left = []
    for home in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if token.encode() in (home / "environ").read_bytes():
                if (home / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                    continue
                left.append((home / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:60])
                os.kill(int(home.name), signal.SIGKILL)
    return left


def judge(names: Sequence[str], seen: dict[str, Any], way: str) -> list[str]:
    """Return in words what is not as it must be."""
    wrong = []
    if way == "open" and "values cannot be left open here" in seen["words"]:
        return [f"{part}: {seen[part]}" for part in ("changed", "files", "left") if seen[part]]  # said, with the remedy
    if seen["words"] and "odd" not in seen["words"]:
        wrong.append(f"failed: {seen['words'][:200]}")
    elif seen["plain"] != PLAIN:
        wrong.append(f"{seen['plain']} of {PLAIN} states ({seen['status'][:100]} {seen['words'][:100]})")
    errors = {operation: (reason, exception) for operation, reason, exception in seen["errors"]}
    for number, name in enumerate(names):
        reason, exception = errors.get(f"odd{number}", ("", ""))
        match FAULTS[name].seen:
            case "fine" if reason:
                wrong.append(f"{name}: reported as {reason}: {exception}")
            case "raises" if not reason or ENDED in reason:
                wrong.append(f"{name}: {reason or 'not reported'} {exception}")
            case "ends" if ENDED not in reason and exception != "HangError":  # a call that was interrupted in time
                wrong.append(f"{name}: {reason or 'not reported'} {exception}")
    strangers = sorted(set(errors) - {f"odd{number}" for number in range(len(names))})
    wrong += [f"reported of another call: {each}: {errors[each]}" for each in strangers]
    wrong += [f"{part}: {seen[part]}" for part in ("changed", "files", "left") if seen[part]]
    if seen["printed"] and not seen["words"]:
        wrong.append(f"printed {seen['printed'][:100]!r}")
    return wrong


def main() -> int:
    """Run what the command line says; return how the process ends."""
    parser = argparse.ArgumentParser(prog="python -m bench.faults")
    parser.add_argument("--ways", nargs="+", choices=[*WAYS], default=[*WAYS])
    parser.add_argument("--only", nargs="+", default=[""])
    parser.add_argument("--mixtures", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--resume", type=Path, help="a file that notes what is done, one line of JSON each")
    parser.add_argument("--seconds", type=float, default=math.inf, help="begin nothing new after so long")
    given = parser.parse_args()
    chosen = [name for name in FAULTS if any(word in name for word in given.only)]
    chance = random.Random(given.seed)
    groups = [chance.sample(chosen, min(20, len(chosen))) for _ in range(given.mixtures)] or [[name] for name in chosen]
    done: dict[str, Any] = {}
    if given.resume is not None and given.resume.exists():
        done = {each["key"]: each for each in map(json.loads, given.resume.read_text().splitlines())}
    ends = time.monotonic() + given.seconds
    every = [(group, way) for group in groups for way in given.ways]
    for group, way in every:
        if (key := f"{way}: {', '.join(group)}") in done or time.monotonic() > ends:
            continue
        seen = run_driver(way, group)
        wrong, told = judge(group, seen, way), describe_errors(seen)
        done[key] = {"key": key, "way": way, "wrong": wrong, "told": told, "seconds": seen["seconds"]}
        if wrong:
            print(f"{key}: {'; '.join(wrong)} ({seen['seconds']:.1f} s)", flush=True)
        if given.resume is not None:
            with given.resume.open("a") as file:
                file.write(json.dumps(done[key]) + "\n")
    return summarize(groups, given.ways, done)


def describe_errors(seen: dict[str, Any]) -> list[list[str]] | None:
    """Return which faults were reported, and how; nothing where that way refused to explore the class."""
    return None if seen["words"] else sorted([operation, reason] for operation, reason, _ in seen["errors"])


def summarize(groups: Sequence[Sequence[str]], ways: Sequence[str], done: dict[str, Any]) -> int:
    """Print how many did no harm in each way, and mixtures of which ways reported other faults; return how it ends."""
    bad = 0
    for way in ways:
        rows = [done[key] for group in groups if (key := f"{way}: {', '.join(group)}") in done]
        harmless = sum(not row["wrong"] for row in rows)
        bad += len(rows) - harmless
        print(f"{way}: {harmless} of {len(rows)} do no harm; {len(groups) - len(rows)} are left")
    for group in groups if len(groups[0]) > 1 else ():
        rows = [done[key] for way in ways if (key := f"{way}: {', '.join(group)}") in done]
        told = {json.dumps(row["told"]) for row in rows if row["told"] is not None}
        if len(told) > 1:
            bad += 1
            print(f"other faults in other ways: {', '.join(group)}: {' / '.join(sorted(told))}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
