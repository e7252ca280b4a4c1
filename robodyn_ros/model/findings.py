"""What in the links of a model will hurt dynamics, as findings with a remedy.

These are the findings that a link or the sizes of links show by themselves. Those of joints are in
`joint_findings`; `robodyn_ros.description.findings` puts all of them together.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from robodyn_ros.errors import quoted
from robodyn_ros.model.elements import Body
from robodyn_ros.model.model import Model
from robodyn_ros.model.report import inertia_problems

Severity = Literal["error", "warning"]
Kind = Literal[
    "singular",
    "closure",
    "inertia",
    "mass",
    "range",
    "limits",
    "axis",
    "mimic",
    "friction",
    "units",
]

#: kg/m^3; osmium, the densest of materials, has 22590.
DENSEST = 25_000.0
#: m; joints of no robot are as far apart as those of a description in millimetres.
LONGEST_REACH = 100.0
#: m; inertia that belongs to a smaller radius is none.
_NO_RADIUS = 1e-6
_FROM_CAD = "take it from CAD, about the centre of mass, in kg m^2"


@dataclass(frozen=True)
class Finding:
    """Something in a description that will hurt dynamics.

    Attributes:
        severity: "error" where results will be wrong or not exist, "warning" where they may.
        kind: what it is about, one word for programs.
        element: the link or joint, as error messages name it.
        what: what is wrong with it.
        remedy: what to do about it.
        line: the element's line in the description, where it is known.
    """

    severity: Severity
    kind: Kind
    element: str
    what: str
    remedy: str
    line: int | None = None


def link_findings(model: Model) -> Iterator[Finding]:
    """Yield what is wrong with the mass properties of the model's links."""
    reach = _reach(model)
    if reach > LONGEST_REACH:
        yield Finding(
            "warning",
            "units",
            f"robot {quoted(model.name)}",
            f"its joints lie up to {reach:.4g} m apart",
            "give positions in m, not in mm",
        )
    for body in model.bodies:
        if body.has_inertial:
            yield from _inertia_findings(body, max(1.0, 3.0 * reach))
    yield from _massless_between(model)


def _reach(model: Model) -> float:
    """Return the greatest sum of distances (m) from joint to joint, from the root to a link."""
    reach = [0.0]
    for _, joint in model.moving:
        reach.append(reach[joint.parent] + math.hypot(*joint.position))
    return max(reach)


def _inertia_findings(body: Body, largest: float) -> Iterator[Finding]:
    """Yield what is wrong with one link; no radius on it should be above `largest` (m)."""
    element = f"link {quoted(body.name)}"
    moments = np.linalg.eigvalsh(0.5 * (body.inertia + body.inertia.T))
    wrong = [text for text in inertia_problems(body) if text.startswith("inertia ")]
    if float(np.max(np.abs(moments))) <= _NO_RADIUS**2 * body.mass:
        moments, wrong = np.zeros(3), []  # of a point, whatever rounding has left
    for text in wrong:
        yield Finding("error", "inertia", element, text, _FROM_CAD)
    if body.mass == 0.0:
        if np.any(body.inertia):
            text = f"has no mass, but a moment of inertia of {moments[2]:.4g} kg m^2"
            yield Finding("warning", "mass", element, text, "give its mass, or drop the inertia")
        return
    distance = math.hypot(*body.com)
    if distance > largest:
        text = f"its centre of mass lies {distance:.4g} m from its frame"
        yield Finding("warning", "units", element, text, "give positions in m, not in mm")
    if wrong:
        return
    # Half of the trace is the polar moment: the integral of r^2 over the mass.
    polar = 0.5 * float(np.sum(moments)) / body.mass
    if polar <= 0.0:
        text = f"has a mass of {body.mass:.4g} kg and no inertia: a point"
        yield Finding("warning", "inertia", element, text, _FROM_CAD)
        return
    if math.sqrt(polar) > largest:
        text = (
            f"its inertia is that of {body.mass:.4g} kg at a distance of {math.sqrt(polar):.4g} m"
        )
        remedy = "give it in kg m^2, not in kg mm^2, kg cm^2 or g mm^2"
        yield Finding("warning", "units", element, text, remedy)
    # Of all solids with one density and polar moment, the ball holds the most.
    radius = math.sqrt(5.0 / 3.0 * polar)
    density = body.mass / (4.0 / 3.0 * math.pi * radius**3)
    if density > DENSEST:
        text = (
            f"its inertia is too small for {body.mass:.4g} kg: that of a ball of radius"
            f" {radius * 1e3:.3g} mm, denser than any material"
        )
        yield Finding("warning", "inertia", element, text, _FROM_CAD)


def _massless_between(model: Model) -> Iterator[Finding]:
    """Yield the moving bodies without mass that carry others with mass by joints."""
    tree = model.lumped
    carried = [bool(np.any(row)) for row in tree.inertias]
    beyond = [False] * tree.size
    for i, lump in reversed(tree.moving):
        beyond[lump.parent] |= carried[i] or beyond[i]
    for i, lump in tree.moving:
        if not carried[i] and beyond[i]:
            yield Finding(
                "warning",
                "mass",
                f"link {quoted(model.body_names[lump.body])}",
                f"moves by joint {quoted(lump.joint.name)} and carries others, but has no mass",
                "give it an <inertial>; without one, what lies behind alone resists the joint",
            )
