"""What goes over a bag, each in a process: `python -m benchmarks.bags_sides SIDE BAG ROWS OUT`.

Prints rows, seconds, those of all processors, and memory before and at the peak in MB, as JSON.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.robots import ROBOTS
from robodyn_ros.bags import BagFile, Choices, replay, write_replay
from robodyn_ros.bags.bag_file import JOINT_STATE
from robodyn_ros.bags.joint_state_bytes import JointStateBytes
from robodyn_ros.robot import Robot, load

TOPICS = [("/joint_states", JOINT_STATE)]
State = tuple[np.ndarray, np.ndarray]


def peak() -> float:
    """Return the largest memory that the process had so far, MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0


def text() -> str:
    """Return Panda without its mimic tag, which both sides read."""
    return re.sub(r"<mimic[^>]*/>", "", next(ROBOTS.rglob("panda.urdf")).read_text())


def our_robot() -> Robot:
    """Return Panda with its kernels at hand."""
    robot = load(text(), compile="wait")
    rows = np.zeros((2, robot.model.nv))
    robot.effort_terms(rows, rows, rows)
    robot.energy(rows, rows)
    return robot


def ours(bag: Path, rows: int, out: Path) -> Callable[[], int]:
    """Return a replay that writes Parquet."""
    robot = our_robot()

    def go() -> int:
        found = write_replay(replay(bag, robot, Choices(rest="neutral")), out, report=False)
        return int(found["rows"])

    return go


def evaluated(bag: Path, rows: int, out: Path) -> Callable[[], int]:
    """Return a replay that writes nothing."""
    robot = our_robot()
    return lambda: sum(len(block) for block in replay(bag, robot, Choices(rest="neutral")))


def plain(bag: Path, rows: int, out: Path) -> Callable[[], int]:
    """Return what a user of Pinocchio and rosbags writes."""
    return lambda: _pinocchio(_by_rosbags(bag), rows)


def fed(bag: Path, rows: int, out: Path) -> Callable[[], int]:
    """Return the same with our reader."""
    return lambda: _pinocchio(_by_us(bag), rows)


def _by_rosbags(bag: Path) -> Iterator[State]:
    with BagFile(bag) as opened:
        for batch in opened.batches(TOPICS):
            for data in batch.data:
                found = opened.types.deserialize_cdr(data, JOINT_STATE)
                yield found.position, found.velocity


def _by_us(bag: Path) -> Iterator[State]:
    with BagFile(bag) as opened:
        reader = JointStateBytes(lambda data: opened.read(data, JOINT_STATE))
        for batch in opened.batches(TOPICS):
            for run in reader.read(batch.data):
                yield from zip(run.position, run.velocity, strict=True)


def _pinocchio(states: Iterator[State], rows: int) -> int:
    """Compute efforts and energies of states, accelerations by differences; return how many."""
    import pinocchio as pin

    model = pin.buildModelFromXML(text())
    data = model.createData()
    efforts, energies = np.zeros((rows, model.nv)), np.zeros((rows, 2))
    q, v, a = pin.neutral(model), np.zeros(model.nv), np.zeros(model.nv)
    told = 8
    for k, (position, velocity) in enumerate(islice(states, rows)):
        a[:told] = (velocity - v[:told]) * 1e3 if k else 0.0
        q[:told], v[:told] = position, velocity
        efforts[k] = pin.rnea(model, data, q, v, a)
        energies[k] = (
            pin.computeKineticEnergy(model, data, q, v),
            pin.computePotentialEnergy(model, data, q),
        )
    return rows


def main() -> None:
    """Go over the bag and print the figures."""
    name, bag, rows, out = sys.argv[1:]
    go = {"ours": ours, "evaluated": evaluated, "plain": plain, "fed": fed}[name](
        Path(bag), int(rows), Path(out)
    )
    before, begin, busy = peak(), time.perf_counter(), time.process_time()
    found = {"rows": go(), "seconds": time.perf_counter() - begin}
    found["cpu"] = time.process_time() - busy
    print(json.dumps({**found, "before": before, "peak": peak()}))


if __name__ == "__main__":
    main()
