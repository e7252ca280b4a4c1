"""Recorded messages merged into rows: one for each message that counts, as the nodes decide it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.bags.bag_file import JOINT_STATE, MULTI_DOF, BagFile, Batch
from robodyn_ros.bags.joint_state_bytes import LAYOUTS, JointStateBytes, Run, Shape
from robodyn_ros.bags.pose_message import poses_of
from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.input_plan import InputPlan, input_plan
from robodyn_ros.conditioning.stamps import RESET_GAP, Timeline, Verdict

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Indices = NDArray[np.intp]
Stamps = NDArray[np.int64]

MOST_NOTES = 50
_DROPPED = {Verdict.LATE: "late", Verdict.REPEATED: "repeated"}


class Rows(NamedTuple):
    """Messages of one robot, a row each, between which its clock was not reset.

    Numbers are NaN where a message does not give them; `given` tells that from a NaN that was sent.

    Attributes:
        stamp: (n,) ns.
        position, velocity, effort: (n, slots) of the coordinates that joint states can give.
        position_given, velocity_given, effort_given: (n, slots).
        pose: (n, multi, 7) x y z and quaternion xyzw of the joints that are moved as poses.
        twist: (n, multi, 6) angular, then linear.
        pose_given, twist_given: (n, multi).
    """

    stamp: Stamps
    position: Floats
    velocity: Floats
    effort: Floats
    position_given: Flags
    velocity_given: Flags
    effort_given: Flags
    pose: Floats
    twist: Floats
    pose_given: Flags
    twist_given: Flags

    def part(self, which: slice | Indices | Flags) -> Rows:
        """Return some of the rows."""
        arrays: list[Any] = [array[which] for array in self]
        return Rows(*arrays)

    @staticmethod
    def joined(parts: Sequence[Rows]) -> Rows:
        """Return the rows of several one after the other."""
        if len(parts) == 1:
            return parts[0]
        arrays: list[Any] = [np.concatenate(x) for x in zip(*parts, strict=True)]
        return Rows(*arrays)

    @staticmethod
    def blank(count: int, slots: int, multi: int) -> Rows:
        """Return rows in which nothing is given."""
        numbers = [np.full((count, slots), np.nan) for _ in range(3)]
        flags = [np.zeros((count, slots), bool) for _ in range(3)]
        poses = [np.full((count, multi, size), np.nan) for size in (7, 6)]
        given = [np.zeros((count, multi), bool) for _ in range(2)]
        return Rows(np.zeros(count, np.int64), *numbers, *flags, *poses, *given)


class _Known(NamedTuple):
    """A run with what its names mean; `rows` are those of the batch."""

    run: Run
    rows: Indices
    stamp: Stamps
    plan: InputPlan


class RowMerger:
    """Merges the messages of one robot.

    Attributes:
        counts: Messages by what became of them.
        notes: What is to be said of names and lengths, each once.
    """

    def __init__(self, bag: BagFile, plan: FramePlan) -> None:
        """Begin.

        Args:
            bag: Reads what is laid out unusually.
            plan: Names the robot's joints.
        """
        self._bag, self._plan = bag, plan
        self._reader = JointStateBytes(lambda data: bag.read(data, JOINT_STATE))
        self._plans: dict[Shape, InputPlan] = {}
        count = len(plan.slots)
        #: Messages with positions, with velocities alone, with efforts alone, and poses.
        self._times = [*(Timeline(count) for _ in range(3)), Timeline(len(plan.multi))]
        self._began: tuple[int, int] | None = None
        self.counts: Counter[str] = Counter()
        self.notes: dict[str, Complaint] = {}

    def merge(self, batch: Batch) -> Iterator[tuple[bool, Rows]]:
        """Yield rows of some messages, in order; with each whether a clock reset is before it.

        Args:
            batch: Messages of the kinds 0, joint states, and 1, multi-DOF joint states.
        """
        size = len(batch.data)
        rows = Rows.blank(size, len(self._plan.slots), len(self._plan.multi))
        keep = np.zeros(size, bool)
        resets: list[tuple[int, int]] = []
        self.counts["messages"] += size
        kind = np.array(batch.kind)
        others = np.flatnonzero(kind == 0)
        known = self._known(batch, others)
        for number in range(3):
            of_kind = [x for x in known if _stream(x.plan) == number]
            resets += self._take(number, of_kind, rows, keep)
        for k in np.flatnonzero(kind == 1).tolist():
            resets += self._take_poses(batch, k, rows, keep)
        yield from self._cut(rows, keep, sorted(resets))

    def _known(self, batch: Batch, which: Indices) -> list[_Known]:
        """Return the runs that say anything of the robot's joints."""
        chosen = batch.data
        if len(which) < len(chosen):
            chosen = tuple(chosen[k] for k in which)
        runs = self._reader.read(chosen)
        self.counts["unreadable"] += len(which) - sum(len(run.rows) for run in runs)
        found = []
        for run in runs:
            plan = self._plan_of(run.shape)
            if plan.is_empty and not plan.has_effort:
                self.counts["without a known joint"] += len(run.rows)
                continue
            rows, stamp = which[run.rows], run.stamp
            unset = np.flatnonzero(stamp == 0)
            if len(unset):
                self.counts["without stamp"] += len(unset)
                stamp = stamp.copy()
                stamp[unset] = [batch.received[rows[k]] for k in unset]
            found.append(_Known(run, rows, stamp, plan))
        return found

    def _plan_of(self, shape: Shape) -> InputPlan:
        plan = self._plans.get(shape)
        if plan is None:
            if len(self._plans) >= LAYOUTS:
                self._plans.clear()
            plan = self._plans[shape] = input_plan(self._plan.slots, *shape)
            self._note(plan.complaints)
        return plan

    def _note(self, complaints: Iterable[Complaint]) -> None:
        for told in complaints:
            if len(self.notes) < MOST_NOTES:
                self.notes.setdefault(told.text, told)

    def _take(
        self, stream: int, known: list[_Known], rows: Rows, keep: Flags
    ) -> list[tuple[int, int]]:
        """Write the messages of one stream that count; return the rows at which it was reset."""
        if not known:
            return []
        times = self._times[stream]
        if times.judge_rising([x.plan.layout.slots for x in known], [x.stamp for x in known]):
            for one in known:
                _write(one, slice(None), rows)
                keep[one.rows] = True
            return []
        resets = []
        order = sorted(
            (int(row), which, k)
            for which, one in enumerate(known)
            for k, row in enumerate(one.rows)
        )
        for row, which, k in order:
            one = known[which]
            slots, stamp = one.plan.layout.slots, int(one.stamp[k])
            verdict, fresh = times.judge(slots, stamp)
            if verdict in _DROPPED:
                self.counts[_DROPPED[verdict]] += 1
                continue
            if verdict is Verdict.RESET:
                resets.append((row, stream))
            _write(one, slice(k, k + 1), rows)
            keep[row] = True
            if len(fresh) < len(slots):
                _take_back(rows, row, np.setdiff1d(slots, fresh))
        return resets

    def _take_poses(self, batch: Batch, row: int, rows: Rows, keep: Flags) -> list[tuple[int, int]]:
        """Write a multi-DOF joint state, if it counts."""
        try:
            sample = poses_of(self._bag.read(batch.data[row], MULTI_DOF))
        except Exception:  # noqa: BLE001 - whatever the bytes are, they are no such message
            self.counts["unreadable"] += 1
            return []
        stamp, names, pose, twist = sample
        layout = self._plan.multi_slots.layout(names)
        self._note(layout.complaints)
        if len(layout.slots) == 0 or len(pose) != len(names):
            self.counts["without a known joint"] += 1
            return []
        if not stamp:
            self.counts["without stamp"] += 1
            stamp = batch.received[row]
        verdict, fresh = self._times[3].judge(layout.slots, stamp)
        if verdict in _DROPPED:
            self.counts[_DROPPED[verdict]] += 1
            return []
        keep[row], rows.stamp[row] = True, stamp
        for slot, place in zip(layout.slots, layout.rows, strict=True):
            if slot in fresh:
                rows.pose[row, slot], rows.pose_given[row, slot] = pose[place], True
                if len(twist) == len(names):
                    rows.twist[row, slot] = twist[place]
                    rows.twist_given[row, slot] = not np.isnan(twist[place]).any()
        return [(row, 3)] if verdict is Verdict.RESET else []

    def _cut(
        self, rows: Rows, keep: Flags, resets: list[tuple[int, int]]
    ) -> Iterator[tuple[bool, Rows]]:
        """Yield the kept rows, cut where the clock was reset.

        Streams see the reset of one clock one after the other: it counts once.
        """
        cuts = []
        for row, stream in resets:
            stamp = int(rows.stamp[row])
            if self._began is not None and self._began[0] != stream:
                first = self._began[1]
                if first - RESET_GAP <= stamp:
                    continue
            self._began = (stream, stamp)
            self.counts["clock resets"] += 1
            cuts.append(row)
        begins = [0, *cuts]
        for first, last in zip(begins, [*cuts, len(keep)], strict=True):
            inside = keep[first:last]
            part = rows.part(slice(first, last))
            if not inside.all():
                part = part.part(inside)
            if first in cuts or len(part.stamp):
                yield first in cuts, part

    def warnings(self) -> list[str]:
        """Return what is to be told of names and lengths, what matters most first."""
        told = [x.text for x in self.notes.values() if x.severity is not Severity.DEBUG]
        quiet = [x.text for x in self.notes.values() if x.severity is Severity.DEBUG]
        return [*told, *quiet]


def _stream(plan: InputPlan) -> int:
    """Return 0 for messages with positions, 1 with velocities alone, 2 with efforts alone."""
    if plan.has_position:
        return 0
    return 2 if plan.is_empty else 1


def _write(known: _Known, which: slice, rows: Rows) -> None:
    """Write messages of a run into their rows."""
    run, plan = known.run, known.plan
    at, slots, columns = known.rows[which], plan.layout.slots, plan.layout.rows
    rows.stamp[at] = known.stamp[which]
    where: Any = np.ix_(at, slots)
    if len(at) == len(rows.stamp):
        where = (slice(None), slots)
    if plan.has_position:
        rows.position[where] = run.position[which][:, columns]
        rows.position_given[where] = True
    if plan.has_velocity:
        velocity = run.velocity[which][:, columns]
        rows.velocity[where] = velocity
        # NaN beside a position says that the velocity is not known.
        rows.velocity_given[where] = ~np.isnan(velocity) if plan.has_position else True
    if plan.has_effort:
        rows.effort[where] = run.effort[which][:, columns]
        rows.effort_given[where] = True


def _take_back(rows: Rows, row: int, slots: Indices) -> None:
    """Have a row give nothing of some slots: something newer is known of them."""
    for array, given in (
        (rows.position, rows.position_given),
        (rows.velocity, rows.velocity_given),
        (rows.effort, rows.effort_given),
    ):
        array[row, slots], given[row, slots] = np.nan, False
