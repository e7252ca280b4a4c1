"""What closes a mechanism is lost where another form has only trees: what to say of it."""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.errors import quoted
from robodyn_ros.model import FunctionFollower, Model, TreeJoint, Weld


def is_written(model: Model, body: int) -> bool:
    """Return whether a body is one of the robot's own, not one that serves a loop or control."""
    return not model.bodies[body].auxiliary


def closure_losses(model: Model) -> Iterator[str]:
    """Yield a line for each thing beyond a tree of joints that move by themselves."""
    for element in model.closure.elements:
        first, second = (
            quoted(model.body_names[_described(model, body)])
            for body in (element.body_1, element.body_2)
        )
        what = "loop joint" if isinstance(element, Weld) else f"{element.type_name} constraint"
        yield f"{what} {quoted(element.name)} between links {first} and {second}"
    for _, joint in model.moving:
        if joint.joint.type_name == "control":
            yield f"control {quoted(joint.name)}"
        elif reason := freed(model, joint):
            yield f"joint {quoted(joint.name)} {reason}: it moves freely"
    if model.closure.actuated:
        names = ", ".join(quoted(model.coordinate_names[k]) for k in model.closure.actuated)
        yield f"which coordinates have a motor: {names}"


def freed(model: Model, joint: TreeJoint) -> str:
    """Return what a joint follows that is not written; "" where it follows nothing of the kind."""
    if isinstance(joint.coordinates, FunctionFollower):
        names = dict.fromkeys(
            argument.name
            for function in joint.coordinates.functions
            for argument in function.arguments
        )
        return f"follows formulas of {', '.join(map(quoted, names))}"
    if joint.driver is None:
        return ""
    driver = next(i for i, other in model.moving if other.name == joint.driver)
    return "" if is_written(model, driver) else f"follows {quoted(joint.driver)}"


def _described(model: Model, body: int) -> int:
    """Return the body that stands in the description: the parent of a copy behind a loop joint."""
    return body if is_written(model, body) else model.parent[body]
