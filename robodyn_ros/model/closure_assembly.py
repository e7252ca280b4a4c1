"""From what a builder collected of loops, elements and motors to a model's `Closure`."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from robodyn_ros.errors import DescriptionError, did_you_mean
from robodyn_ros.expressions import Expression
from robodyn_ros.model.closure import Closure, Element, Weld
from robodyn_ros.model.closure_specs import ClosureParts, Measure, NamesSpec
from robodyn_ros.model.coordinates import FunctionFollower, OwnCoordinates
from robodyn_ros.model.elements import Body, constant
from robodyn_ros.model.functions import Argument, CoordinateFunction
from robodyn_ros.model.tree import JointSpec, unused

WORLD = "world"


class Auxiliary(NamedTuple):
    """Massless bodies behind loop joints and control elements, with the joints that move them."""

    bodies: tuple[Body, ...]
    joints: tuple[JointSpec, ...]


def auxiliary(parts: ClosureParts, root: str, links: Container[str], reference: str) -> Auxiliary:
    """Return what stands for loops and controls in the tree.

    Args:
        parts: what was collected.
        root: the root link, which control elements hang on.
        links: the names of all links.
        reference: the link that `world` stands for.

    Raises:
        DescriptionError: a loop joins a link that does not exist.
    """
    bodies, joints = [], []
    for name, spec in parts.loops.items():
        parent, child = (
            _known(link, links, f"loop joint {spec.label}", reference)
            for link in (spec.parent, spec.child)
        )
        if parent == child:
            raise DescriptionError(
                f"loop joint {spec.label} joins link {parent!r} to itself; name two links"
            )
        copy = unused(f"{name}_copy", links)
        bodies.append(_massless(copy))
        joints.append(replace(spec, parent=parent, child=copy))
    for name, spec in parts.controls.items():
        holder = unused(f"{name}_control", links)
        bodies.append(_massless(holder))
        joints.append(replace(spec, parent=root, child=holder))
    return Auxiliary(tuple(bodies), tuple(joints))


def closure_of(
    parts: ClosureParts,
    joints: Sequence[JointSpec],
    own: Mapping[str, OwnCoordinates],
    number: Mapping[str, int],
    reference: str,
) -> Closure:
    """Return the closure of numbered bodies and coordinates.

    Raises:
        DescriptionError: an element on an unknown link, a formula of unknown coordinates, a
            coordinate that does not exist.
    """
    specs = {spec.name: spec for spec in joints}
    arguments = Arguments(specs, own)
    elements: list[Element] = []
    for name, spec in parts.loops.items():
        child = _known(spec.child, number, f"loop joint {spec.label}", reference)
        elements.append(Weld(name, number[specs[name].child], number[child]))
    for element in parts.elements.values():
        what = f"constraint {element.label}"
        first, second = (
            number[_known(link, number, what, reference)]
            for link in (element.body_1, element.body_2)
        )
        if first == second:
            raise DescriptionError(f"{what} joins a link to itself; name two links")
        measure = arguments.function(element.measure, what)
        elements.append(element.make(first, second, measure))
    columns = _columns(specs, own)
    actuated = _entries("actuated", parts.actuated, columns)
    return Closure(
        tuple(elements),
        tuple(actuated),
        tuple(actuated.values()) if parts.actuated.weights else (),
        tuple(_entries("independent", parts.independent, columns)),
    )


def refuse_on_world(parts: ClosureParts, links: Container[str], world: str) -> None:
    """Raise for what is on the world of a robot whose base moves in it as told.

    Raises:
        DescriptionError: the equations would have to know the base's motion.
    """
    joined = {
        f"loop joint {spec.label}": (spec.parent, spec.child) for spec in parts.loops.values()
    }
    for element in parts.elements.values():
        joined[f"constraint {element.label}"] = (element.body_1, element.body_2)
    for what, ends in joined.items():
        if any(link not in links and link in (WORLD, world) for link in ends):
            raise DescriptionError(
                f"{what} is on the world, in which the prescribed base moves; put it on a link, or"
                " make the base fixed or floating"
            )


class Arguments:
    """Finds the coordinates that formulas name."""

    def __init__(self, specs: Mapping[str, JointSpec], own: Mapping[str, OwnCoordinates]) -> None:
        """Know the joints, and those with coordinates of their own."""
        self._known = {
            name: Argument(name, at.q_index, at.v_index)
            for name, at in own.items()
            if at.nq == at.nv == 1
        }
        self._specs = specs

    def function(self, measure: Measure, what: str) -> CoordinateFunction:
        """Return a number, or a formula of controls and one-number joints."""
        if not isinstance(measure, Expression):
            return CoordinateFunction(float(measure))
        found = []
        for name in measure.names:
            if name not in self._known:
                raise DescriptionError(f"{what}: {self._reason(name)}")
            found.append(self._known[name])
        return CoordinateFunction(0.0, measure, tuple(found))

    def _reason(self, name: str) -> str:
        if name in self._specs:
            kind = self._specs[name].joint
            how = "follows others" if kind.nv == 1 else f"has {kind.nv} coordinates"
            return (
                f"its formula names joint {name!r}, which {how}; formulas take control elements"
                " and joints of one number"
            )
        hint = did_you_mean(name, self._known)
        return f"its formula names {name!r}, and no control element or joint is called so{hint}"


def function_followers(
    parts: ClosureParts, joints: Sequence[JointSpec], own: Mapping[str, OwnCoordinates]
) -> Iterator[tuple[str, FunctionFollower, str]]:
    """Yield the joints that formulas move: name, coordinates, name of the (first) driver."""
    specs = {spec.name: spec for spec in joints}
    arguments = Arguments(specs, own)
    for name, follower in parts.followers.items():
        spec = specs[name]
        what = f"joint {spec.label}"
        functions = tuple(arguments.function(one, what) for one in follower.formulas)
        drivers = [argument for function in functions for argument in function.arguments]
        if not drivers:
            raise DescriptionError(
                f"{what} follows a formula without coordinates; make it fixed instead"
            )
        first = drivers[0]
        yield name, FunctionFollower(first.q_index, first.v_index, functions), first.name


def require_able_followers(
    parts: ClosureParts, joints: Sequence[JointSpec], mimics: Container[str]
) -> None:
    """Raise for a joint that cannot follow a formula."""
    specs = {spec.name: spec for spec in joints}
    for name, follower in parts.followers.items():
        if name not in specs:
            raise DescriptionError(
                f"joint {name!r} follows a formula but does not exist; correct the name"
                f"{did_you_mean(name, specs)}"
            )
        spec = specs[name]
        joint = spec.joint
        if name in mimics:
            raise DescriptionError(f"joint {spec.label} mimics another and follows a formula too")
        if joint.nv == 0:
            raise DescriptionError(f"joint {spec.label} is fixed and cannot follow a formula")
        if joint.quaternion_start is not None or joint.type_name == "global":
            raise DescriptionError(
                f"joint {spec.label} is {joint.type_name} and cannot follow formulas: its rates"
                " are not the derivatives of coordinates; use a gimbal"
            )
        if len(follower.formulas) != joint.nq:
            raise DescriptionError(
                f"joint {spec.label} has {joint.nq} coordinates and follows"
                f" {len(follower.formulas)} formulas; give one for each coordinate"
            )


def _columns(
    specs: Mapping[str, JointSpec], own: Mapping[str, OwnCoordinates]
) -> dict[str, tuple[int, ...]]:
    """Return the entries of v by name of coordinate, and of joint for all that it has."""
    columns: dict[str, tuple[int, ...]] = {}
    for name, at in own.items():
        columns[name] = tuple(range(at.v_index, at.v_index + at.nv))
        for k, axis in enumerate(specs[name].joint.axes):
            columns[f"{name}/{axis}"] = (at.v_index + k,)
    return columns


def _entries(
    kind: str, given: NamesSpec, columns: Mapping[str, tuple[int, ...]]
) -> dict[int, float]:
    """Return the entries of v of named coordinates with their weights, each once, in order."""
    found: dict[int, float] = {}
    at = f" ({given.where})" if given.where else ""
    weights = given.weights or (1.0,) * len(given.names)
    for name, weight in zip(given.names, weights, strict=True):
        if name not in columns:
            raise DescriptionError(
                f"{kind}{at}: no coordinate of its own is called {name!r}"
                f"{did_you_mean(name, columns)}"
            )
        found.update(dict.fromkeys(columns[name], weight))
    return found


def _known(link: str, links: Container[str], what: str, reference: str) -> str:
    """Return the name of a link; `world` is the link that it stands for."""
    if link in links:
        return link
    if link == WORLD:
        return reference
    names = list(links) if isinstance(links, (Mapping, Sequence, set, frozenset)) else []
    raise DescriptionError(f"{what} names link {link!r}, which does not exist"
                           f"{did_you_mean(link, names)}")  # fmt: skip


def _massless(name: str) -> Body:
    zero = constant(np.zeros(3))
    return Body(name, 0.0, zero, constant(np.zeros((3, 3))), auxiliary=True)
