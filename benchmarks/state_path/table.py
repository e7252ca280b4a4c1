"""The figures of the state path as lines of Markdown."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from benchmarks.state_path.measure import Measurement, measure
from benchmarks.state_path.modes import MODES, Mode
from robodyn_ros import load
from robodyn_ros.conditioning.dynamics_step import loads_of
from robodyn_ros.conditioning.stepper import Stepper
from robodyn_ros.model import Environment

RATE = 1000.0
_FIRST_THREADS = 4
"""Threads listed: those that use most."""


def table(path: Path, seconds: float) -> Iterator[str]:
    """Yield the table, measuring on the way, and what is to be said to its rows."""
    yield f"\n### state_publisher with Panda, {RATE:.0f} joint states a second\n"
    yield (
        "| | sent | lost | of these cut | CPU, µs a message | beside the floor"
        " | p50, ms | p99, ms | worst, ms |"
    )
    yield "|---|---|---|---|---|---|---|---|---|"
    # Only the cold start is to be without a compiled function.
    model = load(path, compile="off").model
    stepper = Stepper(model, "wait")
    stepper.prepare(wait=True)
    stepper.join_dynamics(loads_of(model, Environment()), wait=True)
    notes = []
    floor = float("nan")
    for mode in MODES:
        taken = measure(mode, path, RATE, seconds)
        if mode is MODES[0]:
            floor = taken.cpu_per_message
        yield _row(mode, taken, floor)
        notes.append(_note(mode, taken))
    yield "\nCPU by thread, µs a message:\n"
    yield from notes


def _row(mode: Mode, taken: Measurement, floor: float) -> str:
    cells = [mode.name, str(taken.sent), str(taken.lost), str(taken.cut)]
    cells.append(f"{1e6 * taken.cpu_per_message:.0f}")
    cells.append(f"{taken.cpu_per_message / floor:.2f}")
    cells += [f"{1e3 * taken.percentile(share):.2f}" for share in (50, 99, 100)]
    return f"| {' | '.join(cells)} |"


def _note(mode: Mode, taken: Measurement) -> str:
    if taken.compiled is not None:
        return (
            f"- {mode.name}: the kernel was there {taken.compiled:.1f} s after the start of the"
            f" process; of {taken.sent} states before that {taken.received} were served"
        )
    most = taken.threads.most_common(_FIRST_THREADS)
    return f"- {mode.name}: " + ", ".join(f"{x} {1e6 * t / taken.sent:.0f}" for x, t in most)
