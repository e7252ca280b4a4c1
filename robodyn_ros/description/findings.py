"""All findings on a robot: of its model, and of what only the text of the description shows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from robodyn_ros.algorithms.inertia_free import inertia_free_rates
from robodyn_ros.description.closed_findings import closed_findings
from robodyn_ros.description.load import load_description, load_model
from robodyn_ros.description.source import Source, read_source
from robodyn_ros.description.xml_tree import Element, describe, parse_tree
from robodyn_ros.errors import quoted
from robodyn_ros.model import Model
from robodyn_ros.model.findings import Finding, link_findings
from robodyn_ros.model.joint_findings import joint_findings

#: A text with four digits for each entry of a unit vector stays within it.
_UNIT = 1e-3
_WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")


def findings(model: Model) -> tuple[Finding, ...]:
    """Return what in a model will hurt dynamics: errors first, then in the order of its parts.

    A pure function. The model does not know what a loader has mended already (an axis that was no
    unit vector, a range whose ends were exchanged): see `described_findings`.
    """
    singular = closed_findings(model) if model.is_closed else _singular_findings(model)
    return _sorted([*singular, *link_findings(model), *joint_findings(model)])


def described_findings(
    source: Source,
    *,
    root: str | None = None,
    parameters: Mapping[str, float] | None = None,
) -> tuple[Model, tuple[Finding, ...]]:
    """Return the model of a description and all findings on it, with their lines.

    Args:
        source: see `robodyn_ros.description.load_model`.
        root: the link to root the tree at; by default the description's own root.
        parameters: values in place of a mechanism file's, by name.

    Raises:
        DescriptionError: the description cannot be used.
        UnknownNameError: the mechanism file has no such parameter.
        ArgumentError: parameters of a description that has none.
    """
    document = read_source(source)
    if document.is_mechanism:
        described = load_description(document, root=root, parameters=parameters)
        found = findings(described.model)
        return described.model, tuple(
            replace(f, line=described.lines.get(f.element)) for f in found
        )
    model = load_model(document, root=root, parameters=parameters)
    tree = parse_tree(document)
    told = [*_text_findings(tree)]
    # The text says more exactly what the model only lacks.
    known = {(finding.kind, finding.element) for finding in told}
    told += [f for f in findings(model) if (f.kind, f.element) not in known]
    lines = {describe(e): e.sourceline for e in tree if e.tag in ("link", "joint")}
    return model, _sorted([replace(f, line=lines.get(f.element)) for f in told])


def _sorted(found: list[Finding]) -> tuple[Finding, ...]:
    """Return the findings with errors first, otherwise in their order."""
    return tuple(sorted(found, key=lambda finding: finding.severity != "error"))


def _singular_findings(model: Model) -> Iterator[Finding]:
    """Yield the joints that can move without moving inertia."""
    groups = inertia_free_rates(model)
    single = {group[0] for group in groups if len(group) == 1}
    for i, joint in model.moving:
        if joint.is_follower:
            continue
        names = [f"{joint.name}/{axis}" for axis in joint.joint.axes] or [joint.name]
        free = [name for name in names if name in single]
        if free:
            rates = f" along {', '.join(map(quoted, free))}" if len(names) > 1 else ""
            yield Finding(
                "error",
                "singular",
                f"joint {quoted(joint.name)}",
                f"{_why_free(model, i)}: it moves no inertia{rates}, and the mass matrix is"
                " singular",
                "give the links behind it mass and inertia, or make it fixed",
            )
    for group in groups:
        if len(group) > 1:
            yield Finding(
                "error",
                "singular",
                f"joints {', '.join(map(quoted, group))}",
                "together they can move without moving any inertia: the mass matrix is singular",
                "give the links between and behind them mass and inertia",
            )


def _why_free(model: Model, number: int) -> str:
    """Return why the joint of a body moves no inertia."""
    behind = [model.bodies[i] for i in model.subtree(number)]
    if any(body.mass or np.any(body.inertia) for body in behind):
        return "all mass behind it lies on its axis, as points"
    return "no link behind it has mass"


def _text_findings(robot: Element) -> Iterator[Finding]:
    """Yield what a loader mends without a trace in the model."""
    for joint in robot.iterchildren("joint"):
        kind = joint.get("type")
        if kind in _WITH_AXIS:
            yield from _axis_findings(joint)
        if kind in ("revolute", "prismatic"):
            yield from _exchanged_range(joint)
        if kind == "fixed" and joint.find("mimic") is not None:
            text = "is fixed and cannot follow; its <mimic> is ignored"
            yield Finding("warning", "mimic", describe(joint), text, "remove it, or let it move")


def _axis_findings(joint: Element) -> Iterator[Finding]:
    axis = joint.find("axis")
    text = None if axis is None else axis.get("xyz")
    if text is None:
        what, remedy = "has no axis; (1, 0, 0) is taken", 'give it: <axis xyz="..."/>'
        yield Finding("warning", "axis", describe(joint), what, remedy)
        return
    length = math.hypot(*map(float, text.split()))
    if abs(length - 1.0) > _UNIT:
        what = f"its axis has length {length:.4g}; some programs scale the motion by it"
        yield Finding("warning", "axis", describe(joint), what, "give a unit vector")


def _exchanged_range(joint: Element) -> Iterator[Finding]:
    limit = joint.find("limit")
    if limit is None:
        return
    lower, upper = (float(limit.get(key, "nan")) for key in ("lower", "upper"))
    if lower > upper:
        what = f"its lower limit {lower:.4g} is above its upper limit {upper:.4g}"
        yield Finding("error", "range", describe(joint), what, "exchange them")
