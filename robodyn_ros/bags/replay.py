"""A recorded bag through kinematics and dynamics: `replay`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.bag_file import JOINT_STATE, MULTI_DOF, SECOND, BagFile, Batch, only_topic
from robodyn_ros.bags.closing import by_recorded
from robodyn_ros.bags.evaluation import Block, Evaluator
from robodyn_ros.bags.reported_efforts import EffortReports
from robodyn_ros.bags.rows import RowMerger
from robodyn_ros.bags.series import Conditioning
from robodyn_ros.bags.states import States, StateTracker
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]

Rest = Literal["error", "neutral"]
_LISTED = 8


@dataclass(frozen=True)
class Choices:
    """How a bag is replayed.

    Attributes:
        topic, multi_dof_topic: Names of topics; None for the only ones.
        start, end: s after the bag's first message; None for all.
        conditioning: How samples become states.
        efforts: What measured efforts are.
        friction: Whether joint friction is among the efforts.
        rest: What joints do that the bag does not tell: "error", or "neutral" to keep them at rest
            in their neutral positions.
        bodies: Whether the motion of bodies is worked out.
    """

    topic: str | None = None
    multi_dof_topic: str | None = None
    start: float | None = None
    end: float | None = None
    conditioning: Conditioning = field(default_factory=Conditioning)
    efforts: EffortReports = field(default_factory=EffortReports)
    friction: bool = True
    rest: Rest = "error"
    bodies: bool = False


class Replay:
    """The rows of a bag, in blocks: iterate over it, once or again.

    Attributes:
        path: The bag.
        robot: The robot; of a closed mechanism with the inputs that the bag tells.
        choices: How it is replayed.
        topics: What is read: name and type of each.
        duration: How long the bag lasts, s.
        expected: How many messages the topics have.
        counts: Of the last iteration, messages by what became of them, and rows.
        warnings: What is to be told of names and lengths of arrays.
        refused: Joints whose measured efforts are not used, and why.
        progress: Is told how many more messages were read.
    """

    def __init__(
        self,
        path: str | Path,
        robot: Robot,
        choices: Choices,
        progress: Callable[[int], None] | None = None,
    ) -> None:
        """Look into a bag.

        Args:
            path: A rosbag2 folder, or a .db3 or .mcap file.
            robot: What it tells the joints of.
            choices: How it is replayed.
            progress: Is told how many more messages were read.

        Raises:
            ArgumentError: there is no such bag, it tells nothing of joints, or the choices do not
                go with it.
            UnknownNameError: efforts are told of joints that there are not.
            RobodynError: rosbags is not installed.
        """
        if not robot.model.nv:
            raise ArgumentError(f"robot {quoted(robot.model.name)} has no coordinates to replay")
        self.path, self.robot, self.choices = Path(path), robot, choices
        self.progress = progress or (lambda count: None)
        self._plan = FramePlan(robot.model)
        self._evaluator = self._new_evaluator()
        self.refused = self._evaluator.factors.refused
        with BagFile(path) as bag:
            self.topics = _topics(bag, choices, poses=bool(self._plan.multi))
            self._start, self._stop = _range(bag, choices)
            self.duration = max(bag.end - bag.start, 0) / SECOND
            self.expected = sum(bag.topics(kind)[name] for name, kind in self.topics)
        self._forget()

    def _new_evaluator(self) -> Evaluator:
        choices = self.choices
        return Evaluator(
            self.robot,
            self._plan,
            choices.efforts,
            friction=choices.friction,
            bodies=choices.bodies,
            rest_neutral=choices.rest == "neutral",
        )

    def _forget(self) -> None:
        self.counts: Counter[str] = Counter()
        slots = [*self._plan.slots.names, *(entry.name for entry in self._plan.multi)]
        self._names = slots
        self._bad: NDArray[np.int64] = np.zeros((2, len(slots)), dtype=np.int64)
        self.warnings: list[str] = []
        self._missing: set[str] = set()
        self._segment = 0
        self._first: tuple[int, float] | None = None
        self._last_time, self._step = 0.0, 0.0

    @property
    def insane(self) -> dict[str, int]:
        """Rows with a number that was not finite, or beyond all bounds, by joint."""
        return {n: int(k) for n, k in zip(self._names, self._bad[0], strict=True) if k}

    @property
    def outliers(self) -> dict[str, int]:
        """Rows with a number that does not follow from those round it, by joint."""
        return {n: int(k) for n, k in zip(self._names, self._bad[1], strict=True) if k}

    def __iter__(self) -> Iterator[Block]:
        """Read the bag and yield its rows.

        Raises:
            ArgumentError: the bag is damaged, or tells too little of this robot.
        """
        self._forget()
        with BagFile(self.path) as bag:
            merger = RowMerger(bag, self._plan)
            self.counts = merger.counts
            tracker = StateTracker(self.robot.model, self._plan, self.choices.conditioning)
            kinds = [kind == MULTI_DOF for _, kind in self.topics]
            for batch in bag.batches(self.topics, self._start, self._stop):
                told = batch._replace(kind=[int(kinds[k]) for k in batch.kind])
                yield from self._taken(merger, tracker, told)
                self.warnings = merger.warnings()
                self.progress(len(batch.data))
            yield from self._evaluated(tracker.flush())
        if not self.counts["rows"]:
            raise ArgumentError(self._nothing())

    def _taken(self, merger: RowMerger, tracker: StateTracker, batch: Batch) -> Iterator[Block]:
        for reset, rows in merger.merge(batch):
            if reset:
                yield from self._evaluated(tracker.flush())
                self._segment, self._first = self._segment + 1, None
            if len(rows.stamp):
                yield from self._evaluated(tracker.push(rows))

    def _evaluated(self, many: Iterator[States]) -> Iterator[Block]:
        """Yield what is behind states in which all is known that must be."""
        for states in many:
            self._bad += [states.insane, states.outlier]
            self._choose_inputs(states)
            slots, unserved = self._evaluator.required()
            if unserved and self.choices.rest != "neutral":
                raise ArgumentError(self._untold(unserved))
            there = self._evaluator.received(states)[:, slots]
            whole = there.all(axis=1)
            self._missing = {self._names[slots[k]] for k in np.flatnonzero(~there[-1])}
            self.counts["before all joints were told"] += int((~whole).sum())
            if not whole.any():
                continue
            first = int(np.argmax(whole))  # what was told is never forgotten within a segment
            known = states.behind(first)
            self.counts["rows"] += len(known.stamp)
            segment = np.full(len(known.stamp), self._segment, dtype=np.int64)
            yield self._evaluator.evaluate(known, self._time(known.stamp), segment)

    def _choose_inputs(self, states: States) -> None:
        """Have a closed mechanism follow from what the bag tells."""
        if not self.robot.model.is_closed:
            return
        received = self._evaluator.received(states)[-1]
        columns = set(self._plan.v_index[received[: len(self._plan.slots)]].tolist())
        for given, entry in zip(received[len(self._plan.slots) :], self._plan.multi, strict=True):
            columns |= set(range(entry.v.start, entry.v.stop)) if given else set()
        robot = by_recorded(self.robot, columns)
        if robot is not self.robot:
            self.robot = robot
            self._evaluator = self._new_evaluator()

    def _time(self, stamp: NDArray[np.int64]) -> Floats:
        """Return s since the first row, on and on through resets of the clock."""
        if self._first is None:
            self._first = (int(stamp[0]), self._last_time + self._step)
        zero, offset = self._first
        time = np.asarray((stamp - zero) * 1e-9 + offset, dtype=np.float64)
        if len(time) > 1:
            self._step = float(np.median(np.diff(time)))
        self._last_time = max(self._last_time, float(time[-1]))
        return time

    def _nothing(self) -> str:
        """Return why no row came out of the bag."""
        counts, robot = self.counts, quoted(self.robot.model.name)
        topics = " and ".join(quoted(name)[1:-1] for name, _ in self.topics)
        if not counts["messages"]:
            return (
                f"there is no message on {topics} in this time; the bag lasts from 0 to"
                f" {self.duration:.6g} s"
            )
        if self._missing:
            return self._untold(sorted(self._missing))
        if counts["unreadable"] == counts["messages"]:
            return f"no message on {topics} can be read as what its type says"
        if self.warnings and counts["without a known joint"]:
            return f"{topics} tells nothing of robot {robot}: {self.warnings[0]}"
        return f"no message on {topics} has positions of robot {robot}"

    def _untold(self, names: Sequence[str]) -> str:
        listed = ", ".join(map(quoted, names[:_LISTED])) + (", ..." if len(names) > _LISTED else "")
        return (
            f"the bag does not tell {listed} of robot {quoted(self.robot.model.name)}: record them,"
            " or keep them at rest in their neutral positions by rest neutral"
        )


def replay(
    bag: str | Path,
    robot: Robot,
    choices: Choices | None = None,
    *,
    progress: Callable[[int], None] | None = None,
) -> Replay:
    """Return a bag's rows with the efforts behind them, in blocks to iterate over.

    Memory is bounded whatever the length of the bag.

        for block in replay("run1", robot):
            print(block.time[-1], abs(block.residual).max())

    Args:
        bag: A rosbag2 folder (SQLite or MCAP, compressed too), or a .db3 or .mcap file.
        robot: The robot, with its gravity, payloads and joint parameters.
        choices: How it is replayed.
        progress: Is told how many more messages were read.

    Raises:
        ArgumentError: the bag cannot be used; the text says what to do.
        RobodynError: rosbags is not installed.
    """
    return Replay(bag, robot, Choices() if choices is None else choices, progress)


def _topics(bag: BagFile, choices: Choices, *, poses: bool) -> list[tuple[str, str]]:
    """Return name and type of what is read; joint states come first."""
    joints = only_topic(bag, JOINT_STATE, choices.topic, "--topic")
    asked = choices.multi_dof_topic
    found = only_topic(bag, MULTI_DOF, asked, "--multi-dof-topic") if poses or asked else None
    topics = [*(x for x in ((joints, JOINT_STATE), (found, MULTI_DOF)) if x[0] is not None)]
    if not topics:
        raise ArgumentError(
            f"bag {quoted(str(bag.path), 200)} has no topic of the type {JOINT_STATE}"
            f"{f' or {MULTI_DOF}' if poses else ''}; record one"
        )
    return [(str(name), kind) for name, kind in topics]


def _range(bag: BagFile, choices: Choices) -> tuple[int | None, int | None]:
    """Return the times of recording between which messages count, ns."""
    start, end = choices.start, choices.end
    for name, value in (("start", start), ("end", end)):
        if value is not None and not (np.isfinite(value) and value >= 0.0):
            raise ArgumentError(f"{name} must be a time of 0 s or more, got {value:g}")
    if end is not None and end <= (start or 0.0):
        raise ArgumentError(f"end ({end:g} s) must be after start ({start or 0.0:g} s)")
    lasts = max(bag.end - bag.start, 0) / SECOND
    if start is not None and start > lasts:
        raise ArgumentError(f"start ({start:g} s) is behind the bag's end, {lasts:.6g} s")
    if end is not None and end > lasts:
        end = None
    first, last = (None if x is None else bag.start + round(x * SECOND) for x in (start, end))
    return first, last
