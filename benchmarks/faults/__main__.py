"""`python -m benchmarks.faults --write`: how soon faults are answered, idle and under load.

Writes the tables between the marks of docs/controllers.md.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from benchmarks.control import PAGE
from benchmarks.faults.outage import outages
from benchmarks.faults.stand import Reaction, Stand
from benchmarks.marked_page import tell
from robodyn_ros import load

MARK = "<!-- figures of benchmarks.faults -->\n"
TIMES = 20
LIMIT = 0.2
"""Share of effort limits that a residual may have."""
_BURN = "while True: pass"


class Case(NamedTuple):
    """A fault.

    Attributes:
        text: What happens.
        deadline: s until the first command of the safe form.
        inject: Has it happen; returns when.
    """

    text: str
    deadline: float
    inject: Callable[[], float]


def cases(stand: Stand) -> Iterator[Case]:
    """Yield the faults, with the deadlines of the documentation for the parameters' defaults."""
    sent = 0.02
    look, period = 0.005 + sent, 0.002 + sent
    stale = 0.05 + look
    yield Case("driver killed (SIGKILL)", stale, stand.feed.kill)
    yield Case("driver frozen (SIGSTOP)", stale, stand.feed.freeze)
    yield Case("position of a joint NaN", stale, lambda: stand.feed.tell("nan"))
    yield Case("stamps jump back 5 s", period, lambda: stand.feed.tell("clock -5"))
    yield Case("stamps jump ahead 100 s", period, lambda: stand.feed.tell("clock 100"))
    yield Case("500 states/s become 25", 0.5 + look, lambda: stand.feed.tell("rate 25"))
    yield Case("deadman let go", look, lambda: stand.switch.tell("let go"))
    yield Case("deadman silent", 0.2 + look, lambda: stand.switch.tell("silent"))
    # The observer has the share 1 - exp(-25 t) of a residual after t.
    seen = -np.log(1.0 - LIMIT * 87.0 / 30.0) / 25.0
    yield Case("efforts differ by 30 N m", 0.1 + look + seen, lambda: stand.feed.tell("effort 30"))


def reactions(stand: Stand, case: Case, times: int) -> list[Reaction]:
    """Have a fault happen some times."""
    found = []
    for _ in range(times):
        stand.ready()
        found.append(stand.reaction(case.inject, stand.weight()))
    return found


def described(stand: Stand, times: int) -> list[Reaction]:
    """Replace the description some times by a heavier or lighter arm."""
    found = []
    heavier = re.sub(
        r'<mass value="([\d.]+)"', lambda m: f'<mass value="{float(m[1]) * 1.1}"', stand.description
    )
    texts = (heavier, stand.description)
    robots = [load(text, compile="off") for text in texts]
    for k in range(times):
        stand.ready()
        text, stand.robot = texts[k % 2], robots[k % 2]
        found.append(stand.reaction(lambda text=text: stand.describe(text), stand.weight()))
    return found


@contextlib.contextmanager
def load_of(processes: int) -> Iterator[None]:
    """Keep processors busy."""
    burning = [subprocess.Popen([sys.executable, "-c", _BURN]) for _ in range(processes)]
    try:
        yield
    finally:
        for process in burning:
            process.kill()
            process.wait()


def table(busy: int, times: int) -> Iterator[str]:
    """Yield how soon each fault is answered while other processes keep all processors busy."""
    cores = len(os.sched_getaffinity(0))
    beside = f"beside {busy} busy processes" if busy else "with nothing else to do"
    yield f"\n{times} faults of each kind, on {cores} processors {beside}, in ms:\n"
    yield (
        "| fault | deadline | first safe command sent: median, latest | received, latest"
        " | form reached, latest | sent in time | received in time |"
    )
    yield "|---|---|---|---|---|---|---|"
    with load_of(busy), Stand(deadman_topic="deadman", residual_limit=LIMIT) as stand:
        for case in cases(stand):
            found = reactions(stand, case, times)
            yield row(case.text, case.deadline, found)
        found = described(stand, times)
        yield row("description replaced", None, found)
        gap = 1e3 * max(one.gap for one in found)
        longest = stand.report().get("longest gap", "")
    yield f"\nWhile a description is replaced the longest time without a command is {gap:.1f} ms."
    if not stand.is_preferred:
        yield "The driver had no real-time priority: its own delays are in the figures."
    if stand.repeated:
        yield f"{stand.repeated} times another fault came before one was injected: begun again."
    print(f"  (longest gap by the report: {longest})", file=sys.stderr)


def row(text: str, deadline: float | None, found: list[Reaction]) -> str:
    """Return the row of a fault."""
    first = 1e3 * np.array([one.first for one in found])
    received = 1e3 * np.array([one.received for one in found])
    reached = 1e3 * max(one.reached for one in found)
    cells = [
        "as it is loaded",
        f"{np.median(first):.1f}, {np.max(first):.1f}",
        f"{np.max(received):.1f}",
        f"{reached:.1f}",
        "",
        "",
    ]
    if deadline is not None:
        cells[0] = f"{1e3 * deadline:.0f}"
        cells[4:] = (
            f"{int(np.sum(times <= 1e3 * deadline))} of {len(found)}" for times in (first, received)
        )
    return f"| {text} | {' | '.join(cells)} |"


def main() -> None:
    """Print the tables, or write them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--times", type=int, default=TIMES, help="faults of each kind")
    given = parser.parse_args()
    doubled = 2 * len(os.sched_getaffinity(0))
    lines = itertools.chain(
        table(0, given.times), table(doubled, given.times), outages(given.times)
    )
    tell(lines, PAGE, MARK, write=given.write)


if __name__ == "__main__":
    main()
