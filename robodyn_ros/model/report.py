"""The model report: what was loaded, in text and as data."""

from __future__ import annotations

import copy
import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from robodyn_ros.model.elements import Body, TreeJoint
from robodyn_ros.model.inertia import central

if TYPE_CHECKING:
    from robodyn_ros.model.model import Model

#: Deeper branches are not indented any further: a chain of thousands would fill the memory.
_DEEPEST = 40


@dataclass(frozen=True)
class ModelReport:
    """Masses, inertias, limits, structure and notes of one model."""

    data: dict[str, Any]

    @classmethod
    def of(cls, model: Model) -> ModelReport:
        """Collect the report of `model`."""
        joints = [
            _joint_entry(joint, model.bodies[joint.parent], model.bodies[i])
            for i, joint in model.moving
        ]
        return cls(
            {
                "name": model.name,
                "base": model.base,
                "root": model.body_names[0 if model.base == "fixed" else 1],
                "bodies_count": model.nb,
                "nq": model.nq,
                "nv": model.nv,
                "total_mass": float(sum(body.mass for body in model.bodies)),
                "joint_names": list(model.joint_names),
                "coordinate_names": list(model.coordinate_names),
                "bodies": [
                    _body_entry(body, problems=i > 0 or model.base == "fixed")
                    for i, body in enumerate(model.bodies)
                ],
                "joints": joints,
                "lumps": _lump_entries(model),
                "frames": [frame.name for frame in model.extra_frames],
                "notes": [
                    {"category": note.category, "element": note.element, "text": note.text}
                    for note in model.notes
                ],
            }
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
        together = _lump_lines(d)
        if together:
            lines += ["", "links fixed to each other, as one body, seen from the first:", *together]
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
        depth[joint["child"]] = depth[joint["parent"]] + 1
        text = f"{joint['name']} [{joint['type']}"
        if joint["driver"] is not None:
            text += f", follows {joint['driver']}"
        text += "]" + _limit_text(joint)
        indent = _indent(depth[joint["child"]])
        lines.append(f"{indent}{joint['child']} ({masses[joint['child']]:.4g} kg) by {text}")
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


def _indent(depth: int) -> str:
    """Return the blanks before a body; beyond what a screen holds, the depth in figures."""
    return "  " * depth if depth <= _DEEPEST else "  " * _DEEPEST + f"[{depth}] "


def _limit_text(joint: dict[str, Any]) -> str:
    """Return the known limits of a joint entry as text."""
    limits = joint["limits"]
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
    return f" {', '.join(parts)}" if parts else ""


def _joint_entry(joint: TreeJoint, parent: Body, child: Body) -> dict[str, Any]:
    limits = joint.limits
    return {
        "name": joint.name,
        "type": joint.joint.type_name,
        "parent": parent.name,
        "child": child.name,
        "axis": list(getattr(joint.joint, "axis", ())) or None,
        "driver": joint.driver,
        "limits": {
            name: value if value is not None and math.isfinite(value) else None
            for name, value in vars(limits).items()
        },
        "damping": joint.damping,
        "friction": joint.friction,
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
    for name, place in zip(model.body_names, tree.places, strict=True):
        links[place.lump].append(name)
    entries = []
    for number, members in enumerate(links):
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
