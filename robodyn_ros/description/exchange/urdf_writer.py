"""A model as URDF, as far as URDF can say it, and what is lost."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from lxml import etree
from numpy.typing import NDArray

from robodyn_ros.description.exchange.closure_losses import closure_losses, freed, is_written
from robodyn_ros.description.exchange.serial import Serial, Step, serial_chain
from robodyn_ros.errors import quoted
from robodyn_ros.joints import Gimbal, Joint, JointLimits, Spherical
from robodyn_ros.model import AffineFollower, Model, TreeJoint
from robodyn_ros.spatial import axis_rotation, compose
from robodyn_ros.spatial.poses import Pose

Floats = NDArray[np.float64]

ENDLESS = 1e9
"""What stands for a range that is not known, in m: URDF takes a missing one for 0."""
INITIAL_STATE = "the initial state"
_NATIVE = ("fixed", "revolute", "continuous", "prismatic", "planar", "floating")
_HOME: Pose = (np.eye(3), np.zeros(3))


class UrdfText(NamedTuple):
    """A URDF and what it does not say: a line for each thing."""

    text: str
    lost: tuple[str, ...]


def urdf_text(model: Model) -> UrdfText:
    """Return a model as URDF.

    Joints of several coordinates become chains of joints with massless links between, screws a turn
    with a slide that mimics it; both move alike, coordinate by coordinate. Ball joints become three
    turns, and a six_dof joint a floating one, whose rates are others; that is among what is lost.
    """
    return _Writer(model).written()


class _Writer:
    """Writes one model."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self._robot = etree.Element("robot", name=model.name)
        self._taken = set(model.body_names) | {frame.name for frame in model.extra_frames}
        self._joints_taken = {joint.name for _, joint in model.moving}
        self._lost: list[str] = []

    def written(self) -> UrdfText:
        """Return the text and the losses."""
        model = self._model
        root = 0 if model.base == "fixed" else 1
        if root:
            self._lost.append(f"the base is {model.base}: load the URDF with base={model.base!r}")
        for i, body in enumerate(model.bodies):
            if i >= root and not body.auxiliary:
                link = etree.SubElement(self._robot, "link", name=body.name)
                if body.has_inertial:
                    _inertial(link, body.mass, body.com, body.inertia)
        for i, joint in model.moving:
            if i > root and is_written(model, i):
                self._add(joint, model.body_names[joint.parent], model.body_names[i])
        for frame in model.extra_frames:
            if frame.body >= root:
                etree.SubElement(self._robot, "link", name=frame.name)
                name = self._joint_name(f"{frame.name}_frame")
                parent = model.body_names[frame.body]
                self._joint(name, "fixed", parent, frame.name, (frame.rotation, frame.position))
        self._lost.extend(_unsaid(model))
        etree.indent(self._robot)
        text = etree.tostring(self._robot, encoding="unicode", pretty_print=True)
        return UrdfText(f'<?xml version="1.0"?>\n{text}', tuple(self._lost))

    def _add(self, joint: TreeJoint, parent: str, child: str) -> None:
        """Add a joint with whatever links it needs between."""
        kind, pose = joint.joint, (joint.rotation, joint.position)
        if kind.type_name in _NATIVE and hasattr(kind, "parameters") and _is_plain(kind):
            self._native(joint, parent, child, pose)
            return
        if kind.nv == 0:
            at = compose(pose, kind.pose(np.zeros(0)))
            self._joint(joint.name, "fixed", parent, child, at)
            return
        if kind.type_name == "six_dof" and _is_plain(kind):
            self._lose(joint, "is six_dof, written as floating, whose rates are others")
            self._joint(joint.name, "floating", parent, child, pose)
            return
        chain = serial_chain(kind, along_z=False) or self._turns(joint)
        if chain is None:
            turned = "" if _is_plain(kind) else " seen from its other end"
            self._lose(joint, f"is {kind.type_name}{turned}, written as fixed")
            self._joint(
                joint.name, "fixed", parent, child, compose(pose, kind.pose(kind.neutral()))
            )
            return
        self._chain(joint, chain, parent, child, pose)

    def _native(self, joint: TreeJoint, parent: str, child: str, pose: Pose) -> None:
        """Add a joint that URDF has."""
        kind = joint.joint.type_name
        limits = joint.rate_limits[0] if joint.joint.nv == 1 else JointLimits()
        if kind == "revolute" and None in (limits.lower, limits.upper):
            kind = "continuous"
        element = self._joint(joint.name, kind, parent, child, pose)
        if kind in ("fixed", "floating"):
            return
        axis = np.array(joint.joint.axis)  # type: ignore[attr-defined]
        etree.SubElement(element, "axis", xyz=_words(axis))
        if joint.joint.nv == 1:
            self._rate(element, joint, 0, kind)
        else:
            self._lose_rates(joint)

    def _turns(self, joint: TreeJoint) -> Serial | None:
        """Return a ball joint as three turns with its sliders."""
        kind = joint.joint
        if isinstance(kind, Spherical):
            self._lose(joint, "is spherical, written as turns about x, y and z")
            return serial_chain(Gimbal("123", kind.inner, kind.outer), along_z=False)
        if kind.type_name == "global" and _is_plain(kind):
            self._lose(joint, "is global, written as turns about x, y and z")
            return serial_chain(Gimbal("123"), along_z=False)
        return None

    def _chain(self, joint: TreeJoint, chain: Serial, parent: str, child: str, pose: Pose) -> None:
        """Add a joint for each step, with massless links between."""
        several = len(chain.steps) > 1
        axes = joint.joint.axes
        before = pose
        at_end = _is_home(chain.end)
        for k, step in enumerate(chain.steps):
            suffix = f"_{axes[step.rate]}" if several and step.rate < len(axes) else ""
            last = k == len(chain.steps) - 1 and at_end
            name = self._joint_name(joint.name + suffix) if suffix else joint.name
            link = child if last else self._link(f"{child}{suffix}_carrier")
            self._step(joint, step, name, (parent, link), compose(before, step.pose))
            parent, before = link, _HOME
        if not at_end:
            name = self._joint_name(f"{joint.name}_end")
            self._joint(name, "fixed", parent, child, chain.end)

    def _step(
        self, joint: TreeJoint, step: Step, name: str, links: tuple[str, str], pose: Pose
    ) -> None:
        """Add one joint of a chain; a screw is a turn and a slide that mimics it."""
        parent, child = links
        limit = joint.rate_limits[step.rate]
        kind: str = step.motion
        if kind != "prismatic":
            kind = "continuous" if None in (limit.lower, limit.upper) else "revolute"
        middle = self._link(f"{child}_turned") if step.motion == "helical" else child
        element = self._joint(name, kind, parent, middle, pose)
        etree.SubElement(element, "axis", xyz=_words(step.axis))
        self._rate(element, joint, step.rate, kind)
        if step.motion == "helical":
            slide = self._joint(
                self._joint_name(f"{name}_slide"), "prismatic", middle, child, _HOME
            )
            etree.SubElement(slide, "axis", xyz=_words(step.axis))
            _limit(slide, JointLimits(-ENDLESS, ENDLESS), "prismatic")
            etree.SubElement(slide, "mimic", joint=name, multiplier=_number(step.pitch))

    def _rate(self, element: Any, joint: TreeJoint, rate: int, kind: str) -> None:
        """Add limits, friction and mimic of one rate."""
        limit = joint.rate_limits[rate]
        if kind == "prismatic" and None in (limit.lower, limit.upper):
            self._lose(joint, f"has no known range, written as +-{ENDLESS:g} m")
        _limit(element, limit, kind)
        armature, damping, friction = joint.rate_parameters[rate]
        if damping or friction:
            etree.SubElement(
                element, "dynamics", damping=_number(damping), friction=_number(friction)
            )
        if armature:
            self._lose(joint, f"has armature {armature:g}, which URDF cannot say")
        if isinstance(joint.coordinates, AffineFollower) and not freed(self._model, joint):
            etree.SubElement(
                element,
                "mimic",
                joint=str(joint.driver),
                multiplier=_number(joint.coordinates.multiplier),
                offset=_number(joint.coordinates.offset),
            )

    def _lose_rates(self, joint: TreeJoint) -> None:
        """Tell what URDF has no place for in a joint of several coordinates."""
        if np.any(joint.rate_parameters):
            self._lose(joint, "has damping, friction or armature, which are not written")

    def _joint(self, name: str, kind: str, parent: str, child: str, pose: Pose) -> Any:
        element = etree.SubElement(self._robot, "joint", name=name, type=kind)
        etree.SubElement(element, "parent", link=parent)
        etree.SubElement(element, "child", link=child)
        etree.SubElement(element, "origin", xyz=_words(pose[1]), rpy=_words(_rpy(pose[0])))
        return element

    def _link(self, wish: str) -> str:
        """Add a massless link and return its name."""
        name = _unused(wish, self._taken)
        etree.SubElement(self._robot, "link", name=name)
        return name

    def _joint_name(self, wish: str) -> str:
        return _unused(wish, self._joints_taken)

    def _lose(self, joint: TreeJoint, what: str) -> None:
        self._lost.append(f"joint {quoted(joint.name)} {what}")


def _is_plain(joint: Joint) -> bool:
    """Return whether it is a joint type itself, not one placed or seen from its other end."""
    return not hasattr(joint, "inner") or isinstance(joint.inner, tuple)


def _is_home(pose: Pose) -> bool:
    return bool(np.allclose(pose[0], np.eye(3), atol=1e-15) and not np.any(pose[1]))


def _unused(wish: str, taken: set[str]) -> str:
    """Return a name that is not taken yet, and take it."""
    name, count = wish, 1
    while name in taken:
        count += 1
        name = f"{wish}_{count}"
    taken.add(name)
    return name


def _inertial(link: Any, mass: float, com: Floats, inertia: Floats) -> None:
    element = etree.SubElement(link, "inertial")
    etree.SubElement(element, "origin", xyz=_words(com), rpy="0 0 0")
    etree.SubElement(element, "mass", value=_number(mass))
    pairs = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2)}
    entries = {name: _number(inertia[place]) for name, place in pairs.items()}
    etree.SubElement(element, "inertia", **entries, izz=_number(inertia[2, 2]))


def _limit(element: Any, limit: JointLimits, kind: str) -> None:
    """Add a limit where URDF wants one; 0 is what it has for an unknown velocity or effort."""
    words = {}
    if kind != "continuous":
        lower = -ENDLESS if limit.lower is None or not math.isfinite(limit.lower) else limit.lower
        upper = ENDLESS if limit.upper is None or not math.isfinite(limit.upper) else limit.upper
        words = {"lower": _number(lower), "upper": _number(upper)}
    elif limit.velocity is None and limit.effort is None:
        return
    for name in ("effort", "velocity"):
        words[name] = _number(getattr(limit, name) or 0.0)
    etree.SubElement(element, "limit", **words)


def _unsaid(model: Model) -> Iterator[str]:
    """Yield what URDF has no element for."""
    yield from closure_losses(model)
    if model.markers:
        yield f"markers: {', '.join(quoted(marker.name) for marker in model.markers)}"
    own = np.concatenate([np.zeros(0), *(j.joint.neutral() for j in model.own_joints)])
    if np.any(model.defaults.v) or not np.array_equal(model.defaults.q, own):
        yield INITIAL_STATE
    if not np.array_equal(model.defaults.environment.gravity, (0.0, 0.0, -9.81)):
        yield "gravity"


def _number(value: float) -> str:
    """Return a number with every digit, 0 without a sign."""
    return repr(float(value) + 0.0)


def _words(vector: Floats) -> str:
    return " ".join(_number(value) for value in vector)


def _rpy(R: Floats) -> Floats:
    """Return roll, pitch and yaw of a rotation (3, 3), to rounding even where the pitch is 90."""
    yaw = math.atan2(R[1, 0], R[0, 0])
    level = axis_rotation(np.array([0.0, 0.0, 1.0]), np.array(-yaw)) @ R
    pitch = math.atan2(-level[2, 0], level[0, 0])
    return np.array([math.atan2(-level[1, 2], level[1, 1]), pitch, yaw])
