"""The slider-crank by closed forms, its Lagrangian, and its mechanism file.

The crank turns by q about z at the origin; the slider's pin C moves along x at the height `offset`.
The branch is +1 where C is on the side of +x of the crank's pin. Dead centres of the slider are
where crank and connecting rod are one line.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from closed.one_degree import Dependent, Link, OneDegree

LINKS = ("k", "c", "s")
JOINTS = ("crank", "rod", "slider")

PARAMETERS = {
    "crank": 0.15,
    "rod": 0.4,
    "offset": 0.03,
    "k_m": 0.9,
    "k_i": 0.005,
    "k_x": 0.07,
    "k_y": -0.01,
    "c_m": 0.7,
    "c_i": 0.012,
    "c_x": 0.18,
    "c_y": 0.03,
    "s_m": 1.6,
    "s_i": 0.002,
    "s_x": 0.05,
    "s_y": -0.02,
    "g_x": -0.4,
    "g_y": -9.81,
}


def dead_centre(parameters: Mapping[str, float]) -> float:
    """Return the crank angle at which the slider is farthest out on branch +1."""
    return float(np.arcsin(parameters["offset"] / (parameters["crank"] + parameters["rod"])))


@lru_cache(maxsize=1)
def slider_crank() -> OneDegree:
    """Return the mechanism for any parameters and both branches, `branch` being a parameter."""
    q, reach, branch = sp.symbols("q reach branch", real=True)
    a, b, e = lengths = sp.symbols("crank rod offset", real=True)
    B = (a * sp.cos(q), a * sp.sin(q))
    rise = e - B[1]
    dependent = [Dependent(reach, branch * sp.sqrt(b**2 - rise**2), rise * B[1].diff(q) / reach)]
    links = [
        Link("k", (0, 0), (sp.cos(q), sp.sin(q))),
        Link("c", B, (reach / b, rise / b)),
        Link("s", (B[0] + reach, e), (sp.Integer(1), sp.Integer(0))),
    ]
    angle = sp.atan2(rise, reach)
    outputs: dict[str, Any] = {
        "crank": q,
        "rod": angle - q,
        "slider": B[0] + reach,
        "pin": angle,
    }
    return OneDegree(q, [*lengths, branch], dependent, links, outputs)


def text(
    parameters: Mapping[str, float], *, initial: Mapping[str, float], actuated: str = "crank"
) -> str:
    """Return the mechanism file; `pin` between slider and connecting rod closes the loop."""
    p = {name: float(value) for name, value in parameters.items()}
    start = {name: float(value) for name, value in initial.items()}
    bodies = "\n".join(
        f"  {body}: {{mass: {p[f'{key}_m']!r}, com: [{p[f'{key}_x']!r}, {p[f'{key}_y']!r}, 0],"
        f" inertia: [0.01, 0, 0, 0.02, 0, {p[f'{key}_i']!r}]}}"
        for body, key in zip(JOINTS, LINKS, strict=True)
    )
    return f"""
mechanism: 1
name: slider_crank
gravity: [{p["g_x"]!r}, {p["g_y"]!r}, 0]
bodies:
  base:
{bodies}
joints:
  crank: {{type: continuous, parent: base, child: crank, axis: [0, 0, 1],
          initial_position: {start["crank"]!r}}}
  rod: {{type: continuous, parent: crank, child: rod, axis: [0, 0, 1],
        on_parent: {{position: [{p["crank"]!r}, 0, 0]}}, initial_position: {start["rod"]!r}}}
  slider: {{type: prismatic, parent: base, child: slider, axis: [1, 0, 0],
           on_parent: {{position: [0, {p["offset"]!r}, 0]}},
           initial_position: {start["slider"]!r}}}
loops:
  pin: {{type: continuous, parent: slider, child: rod, axis: [0, 0, 1],
        on_child: {{position: [{p["rod"]!r}, 0, 0]}},
        initial_position: {start["pin"]!r}}}
actuated: [{actuated}]
"""
