"""What is known of the joints that are moved as whole poses, merged from messages by name.

A transform says where the joint's child frame is in its parent frame: the transform that the joint
puts between the two, without the origin that the description gives (sensor_msgs/MultiDOFJointState:
"a transform that gets applied along the kinematic chain"); for a moving base, where the root link
is in the world. Twists have the same convention: `linear` is the derivative of the translation, in
the parent frame's axes, `angular` has those axes too. Without a twist velocities are filtered from
the poses; accelerations are filtered from the velocities.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from robodyn_ros import algorithms
from robodyn_ros.conditioning.complaints import Complaint, Severity, Subject
from robodyn_ros.conditioning.frame_motion import (
    PLANE_TOLERANCE,
    Motion,
    at_rest,
    base_motion_numbers,
    described_motion,
    is_given,
    pose_trouble,
    vector_trouble,
)
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.joint_states import Choices
from robodyn_ros.conditioning.multi_dof_coordinates import joint_coordinates, off_joint
from robodyn_ros.conditioning.one_frame import norm
from robodyn_ros.conditioning.stamps import NEVER
from robodyn_ros.conditioning.tracked_frame import TrackedFrame
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.joints import Planar
from robodyn_ros.model import Model

Floats = NDArray[np.float64]
Program = Callable[[int], Motion]

_OUTLIER = "does not follow from those before it"
_UNLESS = "; it is invalid, and no rate is derived from it unless the next one confirms it"
_NO_VELOCITY = "velocity not known yet: it takes two poses"


class MultiDofStates:
    """Coordinates, validity and stamps of the joints in `FramePlan.multi`, in that order.

    Attributes:
        q, v, a: (nq,), (nv,), (nv,) of the whole model; only the parts of these joints are ever
            written, in place. What is not sane never enters: the last sane value stays.
        base_motion: (24,) motion of a prescribed base as kernels take it; as described until
            something moves it.
        inputs: q, v, a and, of a prescribed base, its motion: as inputs of `state_step`.
        position_valid, velocity_valid: (m,) whether the last pose and velocity are usable.
        outlier: (m,) whether the last pose is sane, and shown, but not valid: an outlier.
        stamp: (m,) time of the last sane pose, ns; NEVER at first.
        reasons: Why a joint's pose or velocity is not valid; "" for a valid one.
        is_held: Whether a prescribed base moves as described, or by a program, whatever time it is.
        program: Returns the motion of a prescribed base at a stamp, ns; None for none.
    """

    def __init__(self, model: Model, plan: FramePlan) -> None:
        """Start with neutral coordinates and nothing received."""
        count = len(plan.multi)
        self._plan = plan
        self.q: Floats = np.array(algorithms.neutral(model), dtype=np.float64)
        self.v: Floats = np.zeros(model.nv)
        self.a: Floats = np.zeros(model.nv)
        self.is_held = False
        self.program: Program | None = None
        self._described = described_motion(model.defaults.environment.base_motion)
        self.base_motion: Floats = base_motion_numbers(self._described)
        base = (self.base_motion,) if model.base == "prescribed" else ()
        self.inputs: tuple[Floats, ...] = (self.q, self.v, self.a, *base)
        self.position_valid: NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self.velocity_valid: NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self.outlier: NDArray[np.bool_] = np.zeros(count, dtype=bool)
        self.stamp: NDArray[np.int64] = np.full(count, NEVER, dtype=np.int64)
        self.reasons: list[str] = [""] * count
        self._frames = [TrackedFrame() for _ in plan.multi]
        self.reset()

    def __len__(self) -> int:
        return len(self._plan.multi)

    def reset(self, slots: Iterable[int] | None = None, reason: str = "nothing received") -> None:
        """Forget all that is known of some joints, by number from 0, or of all of them.

        Args:
            slots: The joints.
            reason: Why they are not valid from now on.
        """
        for slot in range(len(self)) if slots is None else slots:
            if slot == 0 and self.is_held:
                continue
            self._frames[slot] = TrackedFrame()
            prescribed = self._plan.multi[slot].type_name == "prescribed"
            self._put(slot, self._described if prescribed else at_rest())
            self.position_valid[slot] = self.velocity_valid[slot] = False
            self.outlier[slot] = False
            self.stamp[slot] = NEVER
            self.reasons[slot] = reason

    def hold(self, base_input: str, program: Program | None = None) -> None:
        """Have a prescribed base move as its description says, or a program, from now on.

        Args:
            base_input: What says that, for the error.
            program: Returns the motion at a stamp, ns.

        Raises:
            ArgumentError: the base is not prescribed.
        """
        if not self._plan.multi or self._plan.multi[0].type_name != "prescribed":
            raise ArgumentError(
                f"base_input {base_input} needs a prescribed base; set base to prescribed"
            )
        self.reset([0], "")
        self.is_held, self.program = True, program
        self.position_valid[0] = self.velocity_valid[0] = True

    def advance(self, stamp: int) -> None:
        """Put a base that moves by a program where it is at a stamp, ns."""
        if self.program is not None:
            self._put(0, self.program(stamp))

    def merge(
        self,
        name: str,
        position: Floats,
        quaternion: Floats,
        twist: Floats | None,
        stamp: int,
        choices: Choices,
    ) -> tuple[Complaint, ...]:
        """Take a pose of one joint, and return what is wrong with it.

        Args:
            name: The joint's name.
            position: (3,) of the child frame in the parent frame, m.
            quaternion: (4,) xyzw, child to parent axes; of any norm within 1e-2 of 1.
            twist: (6,) [angular; linear] in the parent frame's axes; NaN or None for none.
            stamp: Time, ns.
            choices: What the operator chose.
        """
        slot = self._plan.multi_slots.names.index(name)
        kind, trouble = pose_trouble(position, quaternion)
        frame = self._frames[slot]
        if kind:
            self.position_valid[slot] = self.velocity_valid[slot] = self.outlier[slot] = False
            self.reasons[slot] = trouble
            frame.restart()
            return (_complaint(name, kind, f"{trouble}; it is invalid until a sane one comes"),)
        quaternion = quaternion / norm(quaternion)
        complaints = [*self._about_joint(slot, position, quaternion)]
        follows = frame.take_pose(position, quaternion, stamp, choices)
        self.stamp[slot], self.outlier[slot] = stamp, not follows
        self.position_valid[slot], self.reasons[slot] = follows, "" if follows else _OUTLIER
        if not (is_given(twist) and choices.message_velocity):
            frame.derive_velocity(stamp, choices)
            self.velocity_valid[slot] = frame.velocity_known
            if not frame.velocity_known:
                self.reasons[slot] = _NO_VELOCITY
        else:
            complaints.extend(self.merge_twist(name, twist, stamp, choices))
        if not follows:
            complaints.append(_complaint(name, "outliers", f"its pose {_OUTLIER}{_UNLESS}"))
        self._put(slot, frame.motion)
        return tuple(complaints)

    def merge_twist(
        self, name: str, twist: Floats | None, stamp: int, choices: Choices
    ) -> tuple[Complaint, ...]:
        """Take a velocity of one joint, at its last pose; see `merge`."""
        slot = self._plan.multi_slots.names.index(name)
        if not (is_given(twist) and choices.message_velocity):
            return ()
        kind, trouble = vector_trouble("twist", twist, "rad/s or m/s")
        if kind:
            self.velocity_valid[slot] = False
            self.reasons[slot] = trouble
            return (_complaint(name, kind, f"{trouble}; it is invalid until a sane one comes"),)
        follows = self._frames[slot].take_velocity(twist, stamp, choices)
        self.velocity_valid[slot] = follows
        self._put(slot, self._frames[slot].motion)
        if self.position_valid[slot]:
            self.reasons[slot] = "" if follows else _OUTLIER
        if follows:
            return ()
        return (_complaint(name, "outliers", f"its twist {_OUTLIER}{_UNLESS}"),)

    def place(
        self,
        name: str,
        motion: Motion,
        stamp: int,
        *,
        position_valid: bool = True,
        velocity_valid: bool = True,
        reason: str = "",
    ) -> None:
        """Set one joint's motion from another source, as `base_state` does for the base.

        Args:
            name: The joint's name.
            motion: Of its child frame in its parent frame, sane, with a unit quaternion.
            stamp: Time of the pose, ns.
            position_valid: Whether the pose is usable.
            velocity_valid: Whether the velocity is.
            reason: Why not.
        """
        slot = self._plan.multi_slots.names.index(name)
        self._put(slot, motion)
        self.stamp[slot] = stamp
        self.position_valid[slot], self.velocity_valid[slot] = position_valid, velocity_valid
        self.reasons[slot] = reason

    def usable(self) -> NDArray[np.bool_]:
        """Return which of the joints (m,) have good values."""
        return self.position_valid & self.velocity_valid

    def age(self, stamp: int) -> Floats:
        """Return the age (m,) in s of each pose at a stamp in ns; -1 where there is none."""
        since = np.maximum(stamp - self.stamp, 0) * 1e-9
        age: Floats = np.where(self.stamp == NEVER, -1.0, since)
        if self.is_held:
            age[0] = 0.0
        return age

    def ahead(self, stamp: int) -> Floats:
        """Return by how much (m,), s, each pose is later than a stamp in ns; 0 if it is not."""
        ahead: Floats = np.maximum(self.stamp - stamp, 0) * 1e-9
        return ahead

    def troubles(self, stamp: int, stale_after: float) -> Iterator[tuple[str, float, str]]:
        """Yield name, age in s (-1 for none) and what is wrong ("" for nothing) of each."""
        names = self._plan.multi_slots.names
        for name, age, reason in zip(names, self.age(stamp).tolist(), self.reasons, strict=True):
            stale = f"stale: {age:.1f} s" if 0.0 < stale_after < age else ""
            yield name, age, reason or stale

    def _put(self, slot: int, motion: Motion) -> None:
        """Write a motion as coordinates of the joint."""
        entry = self._plan.multi[slot]
        if entry.type_name == "prescribed":
            self.base_motion[:] = base_motion_numbers(motion)
            return
        parts = joint_coordinates(entry.joint, motion)
        self.q[entry.q], self.v[entry.v], self.a[entry.v] = parts

    def _about_joint(self, slot: int, position: Floats, quaternion: Floats) -> Iterator[Complaint]:
        entry = self._plan.multi[slot]
        if entry.type_name == "prescribed":
            return
        distance, tilt = off_joint(entry.joint, position, quaternion)
        if max(distance, tilt) <= PLANE_TOLERANCE:
            return
        if isinstance(entry.joint, Planar):
            text = (
                f"its pose is {distance:.3g} m off its plane and tilted by {tilt:.3g} rad;"
                " what is in the plane counts"
            )
            yield _complaint(entry.name, "off the plane", text, once=True)
            return
        text = (
            f"its pose is {distance:.3g} m and {tilt:.3g} rad off what a {entry.type_name} joint"
            " can do; the nearest that it can counts"
        )
        yield _complaint(entry.name, "off the joint", text, once=True)


def _complaint(name: str, kind: str, text: str, *, once: bool = False) -> Complaint:
    about = quoted(name)
    told = f"joint {about}: {text}"
    return Complaint(Severity.WARN, kind, told, about, once, subjects=(Subject(name),))
