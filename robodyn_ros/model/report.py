"""The model report: what was loaded, in text and as data."""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_ros.model.closure import Weld
from robodyn_ros.model.elements import Body
from robodyn_ros.model.environment import Environment
from robodyn_ros.model.inertia import central
from robodyn_ros.model.joint_report import joint_entry, joint_lines, listed

if TYPE_CHECKING:
    from robodyn_ros.model.model import Model

#: Deeper branches are not indented any further: a chain of thousands would fill the memory.
_DEEPEST = 40
_NOISE = 1e-12
"""What rounding leaves of a neutral value where a mechanism is closed; not told in text."""


@dataclass(frozen=True)
class ModelReport:
    """Masses, inertias, limits, structure and notes of one model.

    Attributes:
        data: all of it, plain.
        sections: lines of text, by heading, on what was added to the data.
    """

    data: dict[str, Any]
    sections: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model) -> ModelReport:
        """Collect the report of `model`."""
        ends = {one.body_1: one.body_2 for one in model.closure.elements if isinstance(one, Weld)}
        joints = [
            joint_entry(joint, model.bodies[joint.parent], model.bodies[ends.get(i, i)])
            | {"role": "loop" if i in ends else _role(model.bodies[i])}
            for i, joint in model.moving
        ]
        return cls(
            {
                "name": model.name,
                "base": model.base,
                "root": model.body_names[0 if model.base == "fixed" else 1],
                "bodies_count": sum(not body.auxiliary for body in model.bodies),
                "nq": model.nq,
                "nv": model.nv,
                "total_mass": float(sum(body.mass for body in model.bodies)),
                "joint_names": list(model.joint_names),
                "coordinate_names": list(model.coordinate_names),
                "position_names": list(model.position_names),
                "bodies": [
                    _body_entry(body, problems=i > 0 or model.base == "fixed")
                    for i, body in enumerate(model.bodies)
                    if not body.auxiliary
                ],
                "joints": joints,
                "lumps": _lump_entries(model),
                "frames": [frame.name for frame in model.extra_frames],
                "markers": [
                    {
                        "name": marker.name,
                        "body": model.body_names[marker.body],
                        "kind": marker.kind,
                        "vector": marker.vector.tolist(),
                    }
                    for marker in model.markers
                ],
                "initial": _initial_entry(model),
                "notes": [
                    {"category": note.category, "element": note.element, "text": note.text}
                    for note in model.notes
                ],
            }
        )

    def extended(self, key: str, data: Any, heading: str, lines: Sequence[str]) -> ModelReport:
        """Return the report with more data under a key, and what to say of it under a heading."""
        return replace(
            self, data=self.data | {key: data}, sections={**self.sections, heading: tuple(lines)}
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain data, a copy."""
        return copy.deepcopy(self.data)

    def json(self) -> str:
        """Return the report as JSON."""
        return json.dumps(self.data, indent=2, ensure_ascii=False)

    def text(self) -> str:
        """Return the report for a person."""
        d = self.data
        lines = [
            f"robot {d['name']}: {d['bodies_count']} bodies, nq {d['nq']}, nv {d['nv']},"
            f" {d['base']} base, root {d['root']}, total mass {d['total_mass']:.6g} kg",
            "",
            *_tree_lines(d),
        ]
        for heading, role in (("loop joints:", "loop"), ("control elements:", "control")):
            closing = _role_lines(d, role)
            lines += ["", heading, *closing] * bool(closing)
        for heading, section in self.sections.items():
            lines += ["", heading, *(f"  {line}" for line in section)]
        together = _lump_lines(d)
        if together:
            lines += ["", "links fixed to each other, as one body, seen from the first:", *together]
        if d["markers"]:
            lines += ["", "markers:", *_marker_lines(d)]
        if d["initial"]["given"]:
            lines += ["", "begins with:", *_initial_lines(d)]
        problems = [
            f"  {body['name']}: {problem}" for body in d["bodies"] for problem in body["problems"]
        ]
        if problems:
            lines += ["", "mass properties to look at:", *problems]
        if d["notes"]:
            notes = [f"  {n['element']}: {n['text']} [{n['category']}]" for n in d["notes"]]
            lines += ["", "ignored or assumed on loading:", *notes]
        return "\n".join(lines)


def _tree_lines(data: dict[str, Any]) -> list[str]:
    """Return the tree, a line per body, indented by its depth."""
    masses = {body["name"]: body["mass"] for body in data["bodies"]}
    root = data["bodies"][0]["name"]
    depth = {root: 0}
    lines = [f"{root} ({masses[root]:.4g} kg)"]
    for joint in data["joints"]:
        if joint["role"] != "tree":
            continue
        depth[joint["child"]] = depth[joint["parent"]] + 1
        indent = _indent(depth[joint["child"]])
        text, *rates = joint_lines(joint)
        lines.append(f"{indent}{joint['child']} ({masses[joint['child']]:.4g} kg) by {text}")
        lines += [f"{indent}- {rate}" for rate in rates]
    return lines


def _role_lines(data: dict[str, Any], role: str) -> list[str]:
    """Return the lines of the joints that close loops, or of the control elements."""
    lines = []
    for joint in data["joints"]:
        if joint["role"] == role:
            text, *rates = joint_lines(joint)
            links = f"{joint['parent']} and {joint['child']} by " if role == "loop" else ""
            lines += [f"  {links}{text}", *(f"  - {rate}" for rate in rates)]
    return lines


def _lump_lines(data: dict[str, Any]) -> list[str]:
    """Return a line per lump that more than one link gives mass to, frames left out."""
    masses = {body["name"]: body["mass"] for body in data["bodies"]}
    lines = []
    for lump in data["lumps"]:
        links = [name for name in lump["links"] if masses[name] > 0.0]
        if len(links) > 1:
            first = lump["links"][0]
            names = ", ".join([first, *(name for name in links if name != first)])
            com = ", ".join(f"{x:.4g}" for x in lump["com"])
            lines.append(f"  {lump['mass']:.4g} kg at ({com}) m: {names}")
    return lines


def _marker_lines(data: dict[str, Any]) -> list[str]:
    """Return a line per marker."""
    units = {"position": " m", "direction": ""}
    return [
        f"  {m['name']}: {m['kind']} ({listed(m['vector'])}){units[m['kind']]} of {m['body']}"
        for m in data["markers"]
    ]


def _initial_lines(data: dict[str, Any]) -> list[str]:
    """Return gravity, and the coordinates and rates that are not neutral and 0."""
    initial = data["initial"]
    lines = [f"  gravity ({listed(initial['gravity'])}) m/s^2"]
    for what, names, neutral in (
        ("positions", data["position_names"], initial["neutral"]),
        ("velocities", data["coordinate_names"], [0.0] * data["nv"]),
    ):
        rows = zip(names, initial[what], neutral, strict=True)
        given = [
            f"{name} {value:.4g}" for name, value, usual in rows if abs(value - usual) > _NOISE
        ]
        lines += [f"  {what}: {', '.join(given)}"] * bool(given)
    return lines


def _role(body: Body) -> str:
    return "control" if body.auxiliary else "tree"


def _indent(depth: int) -> str:
    """Return the blanks before a body; beyond what a screen holds, the depth in figures."""
    return "  " * depth if depth <= _DEEPEST else "  " * _DEEPEST + f"[{depth}] "


def _initial_entry(model: Model) -> dict[str, Any]:
    """Return what a robot begins with, and whether the description gives any of it."""
    defaults = model.defaults
    neutral = [x for joint in model.own_joints for x in joint.joint.neutral().tolist()]
    q = defaults.q.tolist() or neutral
    v = defaults.v.tolist() or [0.0] * model.nv
    gravity = defaults.environment.gravity.tolist()
    usual = Environment().gravity.tolist()
    return {
        "given": q != neutral or any(v) or gravity != usual,
        "gravity": gravity,
        "positions": q,
        "velocities": v,
        "neutral": neutral,
    }


def _body_entry(body: Body, *, problems: bool) -> dict[str, Any]:
    return {
        "name": body.name,
        "mass": body.mass,
        "com": body.com.tolist(),
        "inertia": body.inertia.tolist(),
        "problems": inertia_problems(body) if problems else [],
    }


def _lump_entries(model: Model) -> list[dict[str, Any]]:
    """Return the rigid bodies that links fixed to each other make, the root's first.

    `com` (m) and `inertia` (about it, kg m^2) are in the frame and axes of the first of `links`;
    the root's `joint` and `parent` are None.
    """
    tree = model.lumped
    links: list[list[str]] = [[] for _ in range(tree.size)]
    for body, place in zip(model.bodies, tree.places, strict=True):
        if not body.auxiliary:
            links[place.lump].append(body.name)
    entries = []
    for number, members in enumerate(links):
        if not members:
            continue
        moving = tree.lumps[number - 1] if number else None
        mass, com, inertia = central(tree.inertias[number])
        entries.append(
            {
                "links": members,
                "joint": moving.joint.name if moving else None,
                "parent": links[moving.parent][0] if moving else None,
                "mass": mass,
                "com": com.tolist(),
                "inertia": inertia.tolist(),
            }
        )
    return entries


def inertia_problems(body: Body) -> list[str]:
    """Return what is missing or cannot be in a body's mass properties, in words.

    A rigid body's principal moments are not negative and obey the triangle inequality.
    """
    if not body.has_inertial:
        return ["no inertial given, taken as massless"]
    problems = []
    if body.mass == 0.0:
        problems.append("mass is 0")
    moments = np.linalg.eigvalsh(0.5 * (body.inertia + body.inertia.T))
    tolerance = 1e-9 * max(float(np.max(np.abs(moments))), 1e-12)
    if np.max(np.abs(body.inertia - body.inertia.T)) > tolerance:
        problems.append("inertia is not symmetric")
    if moments[0] < -tolerance:
        problems.append(f"inertia has a negative principal moment {moments[0]:.4g} kg m^2")
    elif moments[2] > moments[0] + moments[1] + 1e-6 * moments[2] + tolerance:
        problems.append(
            "inertia breaks the triangle inequality: principal moments "
            + ", ".join(f"{moment:.4g}" for moment in moments)
        )
    elif body.mass > 0.0 and moments[2] <= tolerance:
        problems.append("mass without inertia: a point mass")
    return problems
