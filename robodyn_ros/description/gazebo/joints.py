"""Which joints of a robot ros2_control is told of, and where they begin."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from robodyn_ros.description.gazebo.remarks import Remark, filled, lost
from robodyn_ros.description.gazebo.ros2_control import ControlledJoint
from robodyn_ros.description.xml_tree import Element, line_of
from robodyn_ros.errors import quoted
from robodyn_ros.model import AffineFollower, Model, TreeJoint


def controlled_joints(
    model: Model,
    robot: Element,
    unseen: Collection[str],
    positions: Mapping[str, float],
    asked: Collection[str],
) -> tuple[list[ControlledJoint], list[Remark]]:
    """Return the moving joints, those that take efforts first, and what is told of them.

    Args:
        model: the robot; its joints have one coordinate.
        robot: the URDF's root element.
        unseen: links that Gazebo drops.
        positions: where joints begin, rad or m.
        asked: names of those among them that are taken although they are out of range.

    Raises:
        UnknownNameError: no such joint, or a mimic follower (the text names its driver).
    """
    for name in asked:
        model.own_joint(name)
    elements = {element.get("name"): element for element in robot.iterchildren("joint")}
    remarks: list[Remark] = []
    begun: dict[str, float] = {}
    found: list[ControlledJoint] = []
    for i, joint in model.moving:
        if joint.joint.nv == 0 or joint.is_follower:
            continue
        begun[joint.name], told = _beginning(joint, positions, asked)
        if model.body_names[i] not in unseen:
            remarks += told
            found.append(ControlledJoint(joint.name, begun[joint.name], True))
    q_index = {joint.q_index: joint.name for joint in model.own_joints}
    mimics = {
        joint.name: (joint, elements[joint.name].find("mimic"))
        for i, joint in model.moving
        if joint.is_follower and model.body_names[i] not in unseen
    }
    known = {joint.name for joint in found}
    while ready := [name for name, (_, mimic) in mimics.items() if mimic.get("joint") in known]:
        for name in ready:
            joint, mimic = mimics.pop(name)
            follower = joint.coordinates
            if isinstance(follower, AffineFollower):
                driver = begun[q_index[follower.q_index]]
                position = follower.multiplier * driver + follower.offset
                found.append(ControlledJoint(name, position, False))
                known.add(name)
                remarks.append(_mimic_remark(name, mimic))
    return found, remarks


def _beginning(
    joint: TreeJoint, positions: Mapping[str, float], asked: Collection[str]
) -> tuple[float, list[Remark]]:
    """Return where a joint begins: as is told, else 0, in the middle where that is out of range."""
    position = positions.get(joint.name, 0.0)
    lower, upper = joint.limits.lower, joint.limits.upper
    if joint.name in asked or lower is None or upper is None or lower <= position <= upper:
        return position, []
    middle = 0.5 * (lower + upper)
    text = f"{position:g} is beyond its range; it begins in the middle, at {middle:.4g}"
    return middle, [filled(f"joint {quoted(joint.name)}: {text}")]


def _mimic_remark(name: str, mimic: Element) -> Remark:
    """Return what is said of a follower."""
    offset = float(mimic.get("offset", "0") or 0.0)
    where = f"joint {quoted(name)} ({line_of(mimic)})"
    text = "follows by velocity in Gazebo: its driver does not feel what it carries"
    if offset:
        return lost(f"{where}: {text}, and the offset {offset:g} of its <mimic> is left out")
    return lost(f"{where}: {text}")
