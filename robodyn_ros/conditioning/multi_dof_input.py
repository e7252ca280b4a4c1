"""Multi-DOF joint states: names, lengths and stamps of one message, before its values are merged.

The fields are those of sensor_msgs/MultiDOFJointState; `header.frame_id` is ignored, since each
joint's own parent frame is what its transform refers to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.input_settings import InputSettings
from robodyn_ros.conditioning.joint_layout import Layout
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.stamps import Timeline, Verdict
from robodyn_ros.errors import quoted

_ABOUT_VERDICT = {
    Verdict.RESET: Complaint(
        Severity.WARN,
        "clock resets",
        "multi-DOF joint state stamps jumped back: starting over, what was known is forgotten",
        about="multi-DOF",
        once=False,
    ),
    Verdict.LATE: Complaint(
        Severity.WARN,
        "late",
        "a multi-DOF joint state older than what is known already is dropped",
        about="multi-DOF",
        once=False,
    ),
    Verdict.REPEATED: Complaint(
        Severity.DEBUG,
        "repeated stamps",
        "a multi-DOF joint state with the stamp of the last one is dropped",
        about="multi-DOF",
    ),
}
_NO_STAMP = Complaint(
    Severity.WARN,
    "without stamp",
    "multi-DOF joint states without a stamp are given the node's time; set header.stamp in their"
    " publisher",
    about="multi-DOF",
)
NOTHING: NDArray[np.intp] = np.zeros(0, dtype=np.intp)


@dataclass(frozen=True, slots=True)
class MultiDofSample:
    """The numbers of a sensor_msgs/MultiDOFJointState.

    Attributes:
        stamp: Time, ns; 0 for none.
        names: Joint names.
        transforms: x y z (m) and quaternion xyzw of each.
        twists: angular (rad/s), then linear (m/s), of each.
        wrench_count: Number of wrenches.
    """

    stamp: int
    names: tuple[str, ...]
    transforms: tuple[tuple[float, ...], ...]
    twists: tuple[tuple[float, ...], ...]
    wrench_count: int


@dataclass(frozen=True, slots=True)
class MultiStep:
    """What one message brought.

    Attributes:
        stamp: Its time, ns.
        moved: Slots of the plan with a new sane pose at that time.
        verdict: What the stamp meant; None when the message gave no joint anything.
        complaints: What to tell the operator.
    """

    stamp: int
    moved: NDArray[np.intp]
    verdict: Verdict | None
    complaints: tuple[Complaint, ...]


class MultiDofInput:
    """Merges messages into the states of their joints."""

    def __init__(
        self,
        plan: FramePlan,
        states: MultiDofStates,
        *,
        base_input: str = "none",
        topic: str = "multi_dof_joint_states",
    ) -> None:
        """Start with nothing received.

        Args:
            plan: The joints.
            states: What messages are merged into.
            base_input: What moves a moving base; anything but "none" keeps messages from it.
            topic: Full name of the messages' topic, for texts.
        """
        self._plan = plan
        self._states = states
        self._topic = topic
        self._base_input = base_input
        self._first = len(plan.slots)
        self._single = frozenset(plan.slots.names)
        reserved = base_input != "none" and plan.moving_base
        self._reserved = plan.multi[0].name if reserved else None
        self._open_slots = range(1 if reserved else 0, len(plan.multi))
        self._times = Timeline(len(plan.multi))
        self.reset()

    def reset(self) -> None:
        """Forget all that messages gave, as after a clock reset; a base moved by others stays."""
        self._states.reset(self._open_slots, f"nothing received yet on {self._topic}")

    def take(self, sample: MultiDofSample, stamp: int, settings: InputSettings) -> MultiStep:
        """Merge one message.

        Args:
            sample: Its numbers.
            stamp: Its stamp, or the node's time where it has none, ns.
            settings: What the operator chose.
        """
        names, transforms, twists = sample.names, sample.transforms, sample.twists
        wrench_count = sample.wrench_count
        layout = self._plan.multi_slots.layout(names)
        lengths = {"transforms": len(transforms), "twist": len(twists), "wrench": wrench_count}
        complaints = [*layout.complaints, *self._about(names, lengths)]
        transforms = transforms if len(transforms) == layout.count else ()
        twists = twists if len(twists) == layout.count else ()
        slots, rows = self._open(layout)
        if len(slots) == 0 or not (transforms or twists):
            return MultiStep(stamp, NOTHING, None, tuple(complaints))
        if sample.stamp == 0:
            complaints.append(_NO_STAMP)
        verdict, fresh = Verdict.NEW, slots
        if not settings.ignore_timestamp:
            verdict, fresh = self._times.judge(slots, stamp)
        if verdict is not Verdict.NEW:
            complaints.append(_ABOUT_VERDICT[verdict])
            if verdict is not Verdict.RESET:
                return MultiStep(stamp, NOTHING, verdict, tuple(complaints))
            self.reset()
        moved: list[int] = []
        for slot, row in zip(slots.tolist(), rows.tolist(), strict=True):
            if slot not in fresh:
                continue
            twist = np.array(twists[row], dtype=np.float64) if twists else None
            name = self._plan.multi[slot].name
            if not transforms:
                complaints.extend(self._states.merge_twist(name, twist, stamp, settings.choices))
                continue
            pose = np.array(transforms[row], dtype=np.float64)
            told = self._states.merge(name, pose[:3], pose[3:], twist, stamp, settings.choices)
            complaints.extend(told)
            outlier = settings.publish_outliers and self._states.outlier[slot]
            if self._states.position_valid[slot] or outlier:
                moved.append(slot)
        return MultiStep(stamp, np.array(moved, np.intp) + self._first, verdict, tuple(complaints))

    def _open(self, layout: Layout) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Return the slots named and their rows, without a base that another input moves."""
        if self._reserved is None or 0 not in layout.slots:
            return layout.slots, layout.rows
        return layout.slots[1:], layout.rows[1:]

    def _about(self, names: Sequence[str], lengths: dict[str, int]) -> Iterator[Complaint]:
        for kind, count in lengths.items():
            if count not in (0, len(names)):
                text = (
                    f"multi-DOF joint state rejected in part: {kind} has {count} entries for"
                    f" {len(names)} names"
                )
                yield Complaint(Severity.WARN, "wrong lengths", text, about=kind, once=False)
        for name in names:
            if name in self._single:
                text = "has one coordinate: a multi-DOF joint state cannot move it, give it on"
                yield _about_joint(name, "one coordinate", f"{text} joint_states")
            elif name == self._reserved:
                text = f"is moved by base_input {self._base_input}, not by {self._topic}"
                yield _about_joint(name, "base moved twice", text)


def _about_joint(name: str, kind: str, text: str) -> Complaint:
    return Complaint(Severity.WARN, kind, f"joint {quoted(name)} {text}", about=quoted(name))
