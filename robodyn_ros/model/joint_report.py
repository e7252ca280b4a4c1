"""What the model report says of joints: as data, and in words."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from robodyn_ros.expressions import Expression
from robodyn_ros.joints import Joint, JointLimits, Placed, Reversed
from robodyn_ros.model.elements import Body, TreeJoint

_DYNAMICS = ("armature", "damping", "friction")


def joint_entry(joint: TreeJoint, parent: Body, child: Body) -> dict[str, Any]:
    """Return the data of a joint; limits that are not known or endless are None."""
    kind, reverse, on_child = _unwrapped(joint.joint)
    return {
        "name": joint.name,
        "type": kind.type_name,
        "parent": parent.name,
        "child": child.name,
        "axis": list(getattr(kind, "axis", ())) or None,
        "parameters": {
            parameter.name: _plain(getattr(kind, parameter.name)) for parameter in kind.parameters
        },
        "on_parent": _placement(joint.rotation, joint.position),
        "on_child": on_child,
        "reversed": reverse,
        "driver": joint.driver,
        "limits": _limits(joint.limits),
        "armature": joint.armature,
        "damping": joint.damping,
        "friction": joint.friction,
        "rates": [
            {
                "name": f"{joint.name}/{axis}" if axis else joint.name,
                "unit": "rad/s" if turns else "m/s",
                "limits": _limits(limits),
                **dict(zip(_DYNAMICS, numbers.tolist(), strict=True)),
            }
            for axis, turns, limits, numbers in zip(
                kind.axes or ("",) * kind.nv,
                kind.turning() if kind.nv else (),
                joint.rate_limits,
                joint.rate_parameters,
                strict=True,
            )
        ],
    }


def joint_lines(entry: dict[str, Any]) -> Iterator[str]:
    """Yield a joint in words: a line for it, and one for each of several rates that says more."""
    about = [entry["type"], *_parameter_texts(entry)]
    if entry["reversed"]:
        about.append("seen from its child")
    if entry["on_child"] is not None:
        about.append(f"at ({listed(entry['on_child']['position'])}) m in its child")
    if entry["driver"] is not None:
        about.append(f"follows {entry['driver']}")
    texts = [(rate["name"], _rate_text(rate)) for rate in entry["rates"]]
    own = f" {texts[0][1]}" if len(texts) == 1 and texts[0][1] else ""
    yield f"{entry['name']} [{', '.join(about)}]{own}"
    for name, text in texts if len(texts) > 1 else ():
        if text:
            yield f"{name}: {text}"


def _unwrapped(joint: Joint) -> tuple[Joint, bool, dict[str, Any] | None]:
    """Return a joint as described, whether it is seen from its other end, and where in its child.

    Of a joint that is seen from its other end that child is the parent now.
    """
    reverse, on_child = False, None
    while isinstance(joint, (Reversed, Placed)):
        if isinstance(joint, Placed):
            on_child = _placement(joint.R_CM, joint.p_CM)
        else:
            reverse = not reverse
        joint = joint.inner
    return joint, reverse, on_child


def _placement(rotation: Any, position: Any) -> dict[str, Any]:
    return {"position": np.asarray(position).tolist(), "rotation": np.asarray(rotation).tolist()}


def _plain(value: Any) -> Any:
    """Return tuples as lists, as JSON has them, and formulas as text."""
    if isinstance(value, Expression):
        return value.text
    return [_plain(entry) for entry in value] if isinstance(value, tuple) else value


def _limits(limits: JointLimits) -> dict[str, float | None]:
    return {
        name: value if value is not None and math.isfinite(value) else None
        for name, value in vars(limits).items()
    }


def _parameter_texts(entry: dict[str, Any]) -> Iterator[str]:
    """Yield the parameters of a joint's type that are not zero, none or its axis."""
    for name, value in entry["parameters"].items():
        if name == "axis" or not value:
            continue
        if isinstance(value, list) and isinstance(value[0], str):
            yield f"{name} ({', '.join(value)})"
        elif isinstance(value, list):
            axes = value if isinstance(value[0], list) else [value]
            yield f"{name} {' '.join(f'({listed(axis)})' for axis in axes)}"
        else:
            yield f"{name} {value if isinstance(value, str) else f'{value:.4g}'}"


def _rate_text(rate: dict[str, Any]) -> str:
    """Return the known limits of a rate, and what resists it."""
    limits = rate["limits"]
    parts = []
    if limits["lower"] is not None or limits["upper"] is not None:
        ends = (
            ("-inf" if limits["lower"] is None else f"{limits['lower']:.4g}"),
            ("inf" if limits["upper"] is None else f"{limits['upper']:.4g}"),
        )
        parts.append(f"{ends[0]} .. {ends[1]}")
    parts += [
        f"{name} <= {limits[name]:.4g}"
        for name in ("velocity", "effort")
        if limits[name] is not None
    ]
    parts += [f"{name} {rate[name]:.4g}" for name in _DYNAMICS if rate[name]]
    return ", ".join(parts)


def listed(numbers: list[float]) -> str:
    """Return numbers as text, four digits each."""
    return ", ".join(f"{x:.4g}" for x in numbers)
