"""Joints that follow: another joint (mimic), formulas of coordinates, control elements."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from robodyn_ros.description.mechanism.coordinates import Coordinates
from robodyn_ros.description.mechanism.formulas import Formula
from robodyn_ros.description.mechanism.kinds import listed
from robodyn_ros.description.mechanism.sections import Entry
from robodyn_ros.errors import did_you_mean, quoted
from robodyn_ros.expressions import Expression, parse
from robodyn_ros.joints import Joint
from robodyn_ros.model import ModelBuilder

_VARIABLES = "variables"


def is_follower(entry: Entry, controls: Collection[str]) -> bool:
    """Return whether a joint follows others."""
    return entry.get("follows") is not None or bool(driven_variables(entry, controls))


def driven_variables(entry: Entry, controls: Collection[str]) -> tuple[str, ...]:
    """Return the variables of a user-defined joint if they are control elements.

    Raises:
        DescriptionError: some are, others are not; or they are, and the joint follows others too.
    """
    variables: tuple[str, ...] = tuple(entry.get(_VARIABLES) or ())
    driven = [name for name in variables if name in controls]
    if not driven:
        return ()
    if len(driven) < len(variables):
        own = next(name for name in variables if name not in controls)
        raise entry.failure(
            _VARIABLES,
            f"{quoted(driven[0])} is a control and {quoted(own)} is none; all variables of a joint"
            f" follow controls or none does, so add a control {quoted(own)} or rename"
            f" {quoted(driven[0])}",
        )
    if entry.get("follows") is not None:
        raise entry.failure(
            "follows", f"the joint's variables follow controls ({listed(driven)}) already; drop it"
        )
    return variables


def require_can_follow(
    name: str, joint: Joint | None, entry: Entry, coordinates: Coordinates
) -> None:
    """Raise where a joint follows what does not exist, or cannot do what is asked.

    `joint` is None for one of a URDF, which is known only when it is built.
    """
    follows: Entry | None = entry.get("follows")
    formulas = formulas_of(follows)
    if follows is None:
        if name not in coordinates.followers:
            return
        leader = "controls; give their initial values"
    elif formulas:
        _require_formulas(name, joint, follows, formulas, coordinates)
        leader = "formulas; give initial values of what is in them"
    else:
        _require_driver(name, joint, follows, coordinates.joints)
        leader = f"{quoted(follows['joint'])}; give it there"
    for key in ("initial_position", "initial_velocity"):
        if entry.gives(key):
            raise entry.failure(key, f"the joint follows {leader}")


def formulas_of(follows: Entry | None) -> list[Formula]:
    """Return the formulas that a joint follows, none where it follows a joint or nothing."""
    if follows is None:
        return []
    if follows.gives("expression"):
        return [follows["expression"]]
    return list(follows["expressions"]) if follows.gives("expressions") else []


def _require_driver(
    name: str, joint: Joint | None, follows: Entry, joints: Mapping[str, object]
) -> None:
    if not follows.gives("joint"):
        raise follows.place.failure("lacks joint, expression or expressions; add one of them")
    if joint is None:
        raise follows.failure(
            "joint",
            "is the URDF's to say; change it there, or let it follow a formula: expression: ...",
        )
    driver = follows["joint"]
    if driver not in joints:
        known = f"joints: {listed(list(joints))}"
        raise follows.failure(
            "joint", f"no joint is called {quoted(driver)} ({known}){did_you_mean(driver, joints)}"
        )
    if driver == name:
        raise follows.failure("joint", f"{quoted(name)} would follow itself, a cycle")


def _require_formulas(
    name: str,
    joint: Joint | None,
    follows: Entry,
    formulas: list[Formula],
    coordinates: Coordinates,
) -> None:
    for key in ("multiplier", "offset"):
        if follows.gives(key):
            raise follows.failure(key, "goes with joint alone; write it into the formula")
    if joint is not None and joint.quaternion_start is None and len(formulas) != joint.nq:
        names = f" ({', '.join(joint.axes)})" if joint.axes else ""
        raise follows.place.failure(
            f"has {len(formulas)} formula{'s' * (len(formulas) != 1)}; the joint has {joint.nq}"
            f" coordinate{'s' * (joint.nq != 1)}{names}, so give as many below expressions"
        )
    for formula in formulas:
        if isinstance(formula.value, Expression) and name in formula.value.names:
            raise formula.place.failure(f"{quoted(name)} would follow itself, a cycle")
        coordinates.require(formula)
    if not any(isinstance(formula.value, Expression) for formula in formulas):
        raise follows.place.failure(
            "names no coordinate, so the joint would stand still; make it fixed, or name a control"
            " or a joint"
        )


def add_following(
    builder: ModelBuilder, name: str, entry: Entry, controls: Collection[str]
) -> None:
    """Tell a builder what a joint follows, if it does."""
    variables = driven_variables(entry, controls)
    if variables:
        at = entry.at(_VARIABLES).where
        builder.add_follower(name, [parse(variable) for variable in variables], where=at)
    follows: Entry | None = entry.get("follows")
    if follows is None:
        return
    formulas = formulas_of(follows)
    if formulas:
        builder.add_follower(name, [f.expression for f in formulas], where=follows.where)
        return
    builder.add_mimic(
        name, follows["joint"], follows["multiplier"], follows["offset"], where=follows.where
    )
