"""Two small arms, and the steps by which a test closes them."""

from __future__ import annotations

from collections.abc import Callable

from robodyn_ros.expressions import parse
from robodyn_ros.joints import Joint, Revolute
from robodyn_ros.model import Model, ModelBuilder

Z = Revolute((0.0, 0.0, 1.0))
ZERO = (0.0, 0.0, 0.0)
Step = Callable[[ModelBuilder], object]


def arms() -> ModelBuilder:
    """Return two arms: base - a - b by ja and jb, base - c by jc."""
    builder = ModelBuilder("arms")
    for name in ("base", "a", "b", "c"):
        builder.add_body(name, mass=1.0)
    builder.add_joint("ja", Z, "base", "a")
    builder.add_joint("jb", Z, "a", "b", position=(1.0, 0.0, 0.0))
    builder.add_joint("jc", Z, "base", "c", position=(2.0, 0.0, 0.0))
    return builder


def built(*steps: Step, base: str = "fixed", root: str | None = None) -> Model:
    """Return the model of the arms after some steps."""
    builder = arms()
    for step in steps:
        step(builder)
    return builder.build(base, root)  # type: ignore[arg-type]


def loop(name: str = "closing", joint: Joint = Z, parent: str = "b", child: str = "c") -> Step:
    """Add a loop."""
    return lambda builder: builder.add_loop(name, joint, parent, child)


def rod(name: str = "rod", first: str = "b", second: str = "c", length: object = 1.0) -> Step:
    """Add a rod between two origins."""
    return lambda builder: builder.add_rod(name, first, ZERO, second, ZERO, length)  # type: ignore[arg-type]


def control(name: str = "u", **given: object) -> Step:
    """Add a control element."""
    return lambda builder: builder.add_control(name, **given)  # type: ignore[arg-type]


def follower(name: str, *formulas: str, where: str = "") -> Step:
    """Let a joint follow formulas."""
    return lambda builder: builder.add_follower(name, list(map(parse, formulas)), where=where)
