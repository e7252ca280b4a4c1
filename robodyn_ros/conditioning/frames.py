"""Which joint moves which frame, what frames are called, and what a body's validity rests on.

Built once per description from the model. A frame is a body of the model; its published name is
the frame prefix, taken literally, followed by the body's name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.frame_names import frame_names
from robodyn_ros.conditioning.frame_supports import bodies_by_slot, supports
from robodyn_ros.conditioning.joint_layout import JointSlots
from robodyn_ros.conditioning.multi_dof_coordinates import described, is_told_by_poses
from robodyn_ros.conditioning.multi_slots import multi_slots
from robodyn_ros.conditioning.told_coordinates import (
    groups_of,
    has_plain_rates,
    told_coordinates,
)
from robodyn_ros.errors import ArgumentError, quoted
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.spatial import quaternion_from_matrix

Floats = NDArray[np.float64]
Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True)
class Poses:
    """Poses of child frames in their parents: (n, 3) in m and quaternions (n, 4), xyzw."""

    position: Floats
    quaternion: Floats


class FramePlan:
    """The frames of one model.

    Slots 0 to n - 1 are the coordinates that joint states can give (see `told_coordinates`; mostly
    one is a joint), slots n to n + m - 1 the joints of `multi`.

    Where the base is fixed, body 0 is the root link, and the world is by default its frame. Where
    the base moves, body 0 is the world: it is published as `world_frame`, which never takes the
    prefix (two robots share one world) and by default is "world", with `_` appended while another
    frame is called so. The root link then moves in the world, by the first joint of `multi`; its
    transform is a dynamic one, published with `publish_base` only, since another node (odometry,
    localisation) may own it already.

    States of bodies are given in the world, or in a frame of the description that is at rest in it:
    a workspace, say. That has its place under the world in the tree of frames in any case.

    Attributes:
        names: Published frame name of every body.
        world_frame: Name of the world.
        state_frame: Name of the frame that poses, velocities and accelerations are given in.
        seen_from: The same by its name in the model; "" where it is the world.
        publish_base: Whether the root link's own transform is published.
        moving_base: Whether the root link moves in the world.
        slots: The coordinates that joint states can give.
        q_index, v_index: (n,) place of each slot's coordinate in q, and in v.
        groups: The joints of several such coordinates.
        multi: The joints that multi-DOF joint states or the base's input can move.
        multi_slots: The same joints by name, numbered from 0.
        parent: (nb,) parent of every body, -1 for body 0.
        fixed: Bodies behind a fixed joint.
        unsourced: Joints of several coordinates, as (name, type), that no input can move.
        rests_on: (nb, n + m) slots that a body's pose rests on.
        unreachable: (nb,) bodies that nothing can place.
        visible: Bodies that somebody may see: all but those that only serve a loop or a control.
        passive: (nb,) bodies that a passive joint of a closed mechanism carries.
        revision: Counts the calls of `bind`.
    """

    def __init__(
        self,
        model: Model,
        *,
        prefix: str = "",
        world_frame: str = "",
        publish_base: bool = False,
    ) -> None:
        """Work the plan out.

        Args:
            model: The robot.
            prefix: Put before every frame name of the model as it is (no slash is added).
            world_frame: The published name of a frame of the description that is at rest in the
                world: states are given in that, and the world keeps its default name. Any other
                name is the world's, used as it is; by default the root link's frame, or "world"
                where the base moves.
            publish_base: Whether the root link's own transform is published.

        Raises:
            ArgumentError: `world_frame` is a frame of the description that moves in the world.
        """
        self.moving_base = model.base != "fixed"
        self.publish_base = publish_base
        names = frame_names(model, prefix, world_frame)
        self.names, self.world_frame = names.bodies, names.world
        self.state_frame, self.seen_from = names.state, names.seen_from
        own = [(body, joint) for body, joint in model.moving if not joint.is_follower]
        told = told_coordinates(model)
        singles = [one.name for one in told]
        silent = [joint.name for _, joint in model.moving if joint.name not in singles]
        several = {joint.name: _remedy(joint) for _, joint in own if joint.joint.nv > 1}
        self.slots = JointSlots(singles, silent, model.name, several)
        self.q_index: Indices = np.array([one.q for one in told], dtype=np.intp)
        self.v_index: Indices = np.array([one.v for one in told], dtype=np.intp)
        self.multi = tuple(multi_slots(model))
        poses = [entry.name for entry in self.multi]
        others = [joint.name for _, joint in model.moving if joint.name not in poses]
        self.multi_slots = JointSlots(poses, others, model.name)
        self.parent: Indices = np.array(model.parent, dtype=np.intp)
        seen = [body for body in range(model.nb) if not model.bodies[body].auxiliary]
        self.visible: Indices = np.array(seen, dtype=np.intp)
        still = [body for body, joint in model.moving if joint.joint.nv == 0 and body in seen]
        self.fixed: Indices = np.setdiff1d(
            np.array(still, dtype=np.intp), [entry.body for entry in self.multi]
        )
        nowhere = [j for _, j in own if j.joint.nv > 1 and j.name not in poses]
        self.unsourced = tuple(
            (j.name, j.joint.type_name) for j in nowhere if not has_plain_rates(j.joint)
        )
        self._extra = [(self.names[body], name) for body, name in names.extra]
        self._fixed_poses = _fixed_poses(model, self.fixed)
        movers = [*(one.joint.name for one in told), *poses]
        self.groups = tuple(groups_of(movers, len(told)))
        silent_root = {1} if self.moving_base and not publish_base else set()
        self._silent = {*range(model.nb)} - {*seen} | silent_root
        self._moved_by = bodies_by_slot(model, movers, told)
        self.revision = -1
        self.bind(model, {})

    def bind(self, model: Model, follows: Mapping[int, Sequence[int]]) -> None:
        """Have bodies follow from inputs through the constraints of a closed mechanism.

        Args:
            model: The model.
            follows: The slots that the joint of each such body follows from.
        """
        moved_by = tuple(tuple(b for b in x if b not in follows) for x in self._moved_by)
        self.rests_on, self.unreachable = supports(model, moved_by, follows)
        self.passive: NDArray[np.bool_] = np.zeros(model.nb, dtype=bool)
        for body, joint in model.moving:
            self.passive[body] = body in follows or self.passive[joint.parent]
        self._sound, self._new = ~self.unreachable, np.where(self.unreachable, -1.0, 0.0)
        self._shown = tuple(tuple(b for b in x if b not in self._silent) for x in moved_by)
        self._children: dict[bytes, Indices] = {}
        self._last_slots: Indices | None = None
        self._last_children: Indices = np.zeros(0, dtype=np.intp)
        self.revision += 1

    def children(self, slots: Indices) -> Indices:
        """Return the bodies whose frames the joints in these slots move.

        Mimic followers are among them; a moving root link only with `publish_base`.
        """
        if slots is self._last_slots:
            return self._last_children
        key = slots.tobytes()
        found = self._children.get(key)
        if found is None:
            if len(self._children) >= 256:
                self._children.clear()
            bodies = {body for slot in slots for body in self._shown[slot]}
            found = self._children[key] = np.array(sorted(bodies), dtype=np.intp)
        # Arrays of slots are never written to: the same array asks the same again.
        self._last_slots, self._last_children = slots, found
        return found

    def shown(self, bodies: Iterable[int]) -> Indices:
        """Return those of some bodies whose transforms are published, each once.

        The same bodies give the same array.
        """
        found = sorted({*bodies} - self._silent)
        key = np.array(found, dtype=np.intp)
        return self._children.setdefault(b"shown" + key.tobytes(), key)

    def pairs(self, bodies: Indices) -> list[tuple[str, str]]:
        """Return (parent frame, child frame) of each body."""
        return [(self.names[self.parent[body]], self.names[body]) for body in bodies]

    def static(self, *, with_world: bool | None = None) -> tuple[list[tuple[str, str]], Poses]:
        """Return the frames behind fixed joints, and those beyond the bodies' own (a workspace).

        `with_world` puts the root into the world.

        By default that is what `publish_base` says. A root link that moves is never among them.
        Where states are given in a frame of the description, the root link is not put into it: it
        is connected to it already.

        Raises:
            ArgumentError: the world has the name of the root's frame.
        """
        pairs, poses = [*self.pairs(self.fixed), *self._extra], self._fixed_poses
        with_world = self.publish_base if with_world is None else with_world
        if self.moving_base or self.seen_from or not with_world:
            return pairs, poses
        if self.world_frame == self.names[0]:
            raise ArgumentError(
                f"publish_base needs a world_frame that is not the root's own frame "
                f"{quoted(self.world_frame)}; set world_frame"
            )
        position = np.vstack([np.zeros((1, 3)), poses.position])
        quaternion = np.vstack([np.array([[0.0, 0.0, 0.0, 1.0]]), poses.quaternion])
        return [(self.world_frame, self.names[0]), *pairs], Poses(position, quaternion)

    def validity(
        self, valid: NDArray[np.bool_], age: Floats, stale_after: float
    ) -> tuple[NDArray[np.bool_], Floats]:
        """Return validity (nb,) and age (nb,) in s of every body from those of the joints.

        A body is valid when every joint between it and the world is, that of a moving base
        included, and its age is that of the oldest of them: 0 without any, -1 where one was never
        received.

        Args:
            valid: (n + m,) joints with usable values.
            age: (n + m,) time since the joint's value, s; negative where there is none.
            stale_after: Age in s beyond which a joint is not valid; 0 for never.
        """
        if valid.all() and not age.any():
            return self._sound, self._new
        usable = valid & (age >= 0.0)
        if stale_after > 0.0:
            usable = usable & (age <= stale_after)
        unreceived = (self.rests_on & (age < 0.0)).any(axis=1) | self.unreachable
        oldest = np.where(self.rests_on, age, 0.0).max(axis=1, initial=0.0)
        sound = ~(self.rests_on & ~usable).any(axis=1) & ~self.unreachable
        return sound, np.where(unreceived, -1.0, oldest)


def _fixed_poses(model: Model, bodies: Indices) -> Poses:
    """Return the poses of bodies in their parents, then those of the frames beyond the bodies'."""
    places = [(x.rotation, x.position) for x in model.extra_frames]
    for body in bodies[::-1]:
        joint = _joint_of(model, body)
        # The child's frame may sit anywhere from the joint's.
        R_FM, p_FM = joint.joint.pose(joint.joint.neutral())
        places.insert(0, (joint.rotation @ R_FM, joint.position + joint.rotation @ p_FM))
    position = np.array([place for _, place in places]).reshape(-1, 3)
    rotation = np.array([turn for turn, _ in places]).reshape(-1, 3, 3)
    return Poses(position, quaternion_from_matrix(rotation))


def _joint_of(model: Model, body: int) -> TreeJoint:
    joint = model.joints[body]
    if joint is None:
        raise ArgumentError(f"body {quoted(model.body_names[body])} has no joint")
    return joint


def _remedy(joint: TreeJoint) -> str:
    """Return where to give a joint of several coordinates, for who gives it on joint_states."""
    poses = is_told_by_poses(described(joint.joint))
    ways = ["give it on multi_dof_joint_states"] if poses else []
    if has_plain_rates(joint.joint):
        first, *_, last = (quoted(f"{joint.name}/{axis}") for axis in joint.joint.axes)
        ways.append(f"give each by its name, {first} to {last}")
    return ", or ".join(ways) or "nothing can move it here"
