"""A tree of ours as Pinocchio's model, from joints of its own and composites of them.

Every type but formulas: what Pinocchio has no joint for is a `JointModelComposite`. Only re-rooted
trees are not, whose joints are turned round.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import pinocchio as pin

from mixed_trees_motions import Axis, Motion, stack_of
from mixed_trees_states import Local, Place, State, their_state
from robodyn_ros.joints import Gimbal, Joint, Placed, Translational
from robodyn_ros.model import BaseMotion, Model
from robodyn_ros.spatial import quaternion_exponential, quaternion_from_matrix, quaternion_to_matrix

#: Types that no composite makes.
NOT_IN_PINOCCHIO = ("user_defined",)


class Built(NamedTuple):
    """Pinocchio's model of a tree, where our joints are in it and where our bodies are.

    Attributes:
        ours: the tree.
        model: Pinocchio's.
        data: its workspace.
        places: of every motion.
        seats: of each of our bodies, number of Pinocchio's joint and the body's pose in its frame.
    """

    ours: Model
    model: pin.Model
    data: pin.Data
    places: list[Place]
    seats: list[tuple[int, pin.SE3]]

    def state(
        self, state: tuple[np.ndarray, np.ndarray, np.ndarray], base: BaseMotion | None = None
    ) -> State:
        """Return our state in its coordinates; `base` moves a prescribed one."""
        carried = None if base is None else _carried(base)
        sizes = (self.model.nq, self.model.nv)
        return their_state(self.ours, self.places, _convert, sizes, state, carried)

    def body_poses(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Return rotations and positions of our bodies for its q."""
        pin.forwardKinematics(self.model, self.data, q)
        poses = [self.data.oMi[number] * seat for number, seat in self.seats]
        return np.array([x.rotation for x in poses]), np.array([x.translation for x in poses])


def built(model: Model, *, composites: bool = False) -> Built:
    """Return a tree as Pinocchio's model; with `composites` only of turns, slides and the like.

    Raises:
        ValueError: a joint is turned round.
    """
    other = pin.Model()
    places: list[Place] = []
    seats = [(0, pin.SE3.Identity())]
    for i, joint in model.moving:
        parent, seat = seats[joint.parent]
        home, motions, placed = stack_of(joint.joint)
        at = seat * pin.SE3(joint.rotation, joint.position) * pin.SE3(*home)
        if not composites:
            motions = _in_one(joint.joint, motions)
        kind = _joint(joint.joint, motions, composites=composites)
        if model.base == "prescribed" and i == 1:
            kind = pin.JointModelFreeFlyer()
        if kind is None:
            seats.append((parent, at * pin.SE3(*placed).inverse()))
        else:
            number = other.addJoint(parent, kind, at, joint.name)
            seats.append((number, pin.SE3(*placed).inverse()))
            places += _places(joint, motions, other.joints[number])
        body = model.bodies[i]
        inertia = pin.Inertia(body.mass, np.array(body.com), np.array(body.inertia))
        other.appendBodyToJoint(seats[i][0], inertia, seats[i][1])
    return Built(model, other, other.createData(), places, seats)


def _joint(joint: Joint, motions: tuple[Motion, ...], *, composites: bool) -> object | None:
    """Return Pinocchio's joint of some motions; None without any."""
    if isinstance(joint, Placed):
        joint = joint.inner
    whole = None if composites else _whole(joint)
    if whole is not None:
        return whole
    kinds = [_elementary(motion) for motion in motions]
    if len(kinds) <= 1:
        return kinds[0] if kinds else None
    composite = pin.JointModelComposite(len(kinds))
    for kind in kinds:
        composite.addJoint(kind)
    return composite


def _in_one(joint: Joint, motions: tuple[Motion, ...]) -> tuple[Motion, ...]:
    """Return the motions, those for which Pinocchio has coordinates of another kind as one."""
    # Pinocchio's turn without end about any axis has no constructor for Python.
    if joint.type_name == "continuous" and _letter(motions[0].axis):
        return tuple(motion._replace(kind="circle") for motion in motions)
    if joint.type_name == "planar" and motions[-1].axis == (0.0, 0.0, 1.0):
        return (Motion("plane", (0, 1, 2), (0, 1, 2)),)
    return motions


def _letter(axis: Axis) -> str:
    """Return X, Y or Z for a coordinate axis, "" for others."""
    return {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}.get(axis, "")


def _elementary(motion: Motion) -> object:
    """Return Pinocchio's joint of a motion."""
    axis = np.array(motion.axis)
    if motion.kind in ("ball", "plane", "free", "six_dof"):
        return _FREE.get(motion.kind, pin.JointModelFreeFlyer)()
    letter = _letter(motion.axis)
    match motion.kind:
        case "turn":
            return getattr(pin, f"JointModelR{letter}")() if letter else _turn(axis)
        case "slide":
            return getattr(pin, f"JointModelP{letter}")() if letter else _slide(axis)
        case "screw":
            if letter:
                return getattr(pin, f"JointModelH{letter}")(motion.pitch)
            return pin.JointModelHelicalUnaligned(axis, motion.pitch)
        case "circle":
            return getattr(pin, f"JointModelRUB{letter}")()
    raise ValueError(f"Pinocchio has no joint for {motion}")


_FREE = {"ball": pin.JointModelSpherical, "plane": pin.JointModelPlanar}
_turn, _slide = pin.JointModelRevoluteUnaligned, pin.JointModelPrismaticUnaligned


def _whole(joint: Joint) -> object | None:
    """Return Pinocchio's joint of several coordinates, all equal to ours; None without any."""
    if joint.type_name == "universal":
        return pin.JointModelUniversal(np.array(joint.first_axis), np.array(joint.second_axis))
    if joint == Gimbal("321"):
        return pin.JointModelSphericalZYX()
    return pin.JointModelTranslation() if joint == Translational() else None


def _places(joint: object, motions: tuple[Motion, ...], there: object) -> list[Place]:
    """Return where each motion's coordinates begin, one after the other."""
    found = []
    q_at, v_at = there.idx_q, there.idx_v
    for motion in motions:
        found.append(Place(joint, motion, q_at, v_at))
        q_at += _SIZES.get(motion.kind, len(motion.q))
        v_at += len(motion.v)
    return found


_SIZES = {"ball": 4, "plane": 4, "circle": 2}


def _convert(motion: Motion, z: np.ndarray, dz: np.ndarray) -> Local:
    """Return a motion's state.

    A free flyer has its linear velocity first, in its own axes, as a plane has; (cos, sin) stand
    for the angle of a plane and of a turn without end.
    """
    same = np.eye(len(motion.v))
    still = np.zeros(len(motion.v))
    match motion.kind:
        case "ball":
            return Local(z if len(z) == 4 else quaternion_exponential(z), same, still)
        case "circle":
            return Local(np.array([np.cos(z[0]), np.sin(z[0])]), same, still)
        case "plane":
            x, y, angle = z
            c, s = np.cos(angle), np.sin(angle)
            back = np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])
            drift = -np.cross([0.0, 0.0, dz[2]], back @ [dz[0], dz[1], 0.0])
            return Local(np.array([x, y, c, s]), back, drift)
        case "free":
            return Local(z, np.roll(same, 3, axis=0), still)
        case "six_dof":
            back = quaternion_to_matrix(z[3:]).T
            rates = np.kron(np.diag([1.0, 0.0]), back) + np.diag([0.0] * 3 + [1.0] * 3)
            drift = -np.cross(dz[3:], back @ dz[:3])
            return Local(z, rates, np.concatenate([drift, np.zeros(3)]))
    return Local(z, same, still)


def _carried(base: BaseMotion) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return a free flyer's state for a given motion of the root link."""
    R = np.asarray(base.rotation)
    w, dp = R.T @ base.angular_velocity, R.T @ base.linear_velocity
    ddp = R.T @ base.linear_acceleration - np.cross(w, dp)
    q = np.concatenate([base.position, quaternion_from_matrix(R)])
    return q, np.concatenate([dp, w]), np.concatenate([ddp, R.T @ base.angular_acceleration])
