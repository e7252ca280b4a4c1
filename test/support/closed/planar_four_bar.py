"""The planar four-bar by closed forms, its Lagrangian, and its mechanism file.

Pivots A at the origin and D at (ground, 0) of the plane x, y; crank AB, coupler BC, rocker DC. The
crank's angle q, the coupler's relative to the crank and the rocker's are about z, from x. The
branch is +1 where C lies on the left of the line from B to D.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from closed.one_degree import Dependent, Link, OneDegree

LENGTHS = ("crank", "coupler", "rocker", "ground")
LINKS = ("k", "c", "r")
#: Joints of the mechanism file, in the order of its coordinates, and the one that closes the loop.
JOINTS = ("crank", "coupler", "rocker")

#: A crank that can turn all the way: the shortest with the longest link, less than the others.
CRANK_ROCKER = {
    "crank": 0.2,
    "coupler": 0.5,
    "rocker": 0.45,
    "ground": 0.6,
    "k_m": 0.8,
    "k_i": 0.004,
    "k_x": 0.11,
    "k_y": 0.02,
    "c_m": 1.3,
    "c_i": 0.03,
    "c_x": 0.23,
    "c_y": -0.05,
    "r_m": 1.1,
    "r_i": 0.02,
    "r_x": 0.2,
    "r_y": 0.04,
    "g_x": 0.7,
    "g_y": -9.81,
}
#: A crank that stops where coupler and rocker are stretched: a dead centre of the rocker's pair.
TRIPLE_ROCKER = {**CRANK_ROCKER, "crank": 0.5, "coupler": 0.3, "rocker": 0.35, "ground": 0.7}


def last_angle(parameters: Mapping[str, float]) -> float:
    """Return the crank angle at which coupler and rocker are one line."""
    a, b, c, d = (parameters[name] for name in LENGTHS)
    return float(np.arccos((a**2 + d**2 - (b + c) ** 2) / (2 * a * d)))


@lru_cache(maxsize=1)
def four_bar() -> OneDegree:
    """Return the mechanism for any parameters and both branches, `branch` being a parameter."""
    q, x, y = sp.symbols("q x y", real=True)
    branch = sp.Symbol("branch", real=True)
    a, b, c, d = lengths = sp.symbols(" ".join(LENGTHS), positive=True)
    B = sp.Matrix([a * sp.cos(q), a * sp.sin(q)])
    BD = sp.Matrix([d, 0]) - B
    square = BD.dot(BD)
    along = (b**2 - c**2 + square) / (2 * square)
    across = branch * sp.sqrt(b**2 / square - along**2)
    BC = along * BD + across * sp.Matrix([-BD[1], BD[0]])
    # Where |BC| and |DC| stay: BC . BC' = 0 and DC . (B + BC)' = 0.
    unknown = sp.Matrix([x, y])
    DC = unknown - BD
    slopes = sp.Matrix([[x, y], [DC[0], DC[1]]]).LUsolve(sp.Matrix([0, -DC.dot(B.diff(q))]))
    dependent = [Dependent(x, BC[0], slopes[0]), Dependent(y, BC[1], slopes[1])]
    links = [
        Link("k", (0, 0), (sp.cos(q), sp.sin(q))),
        Link("c", (B[0], B[1]), (x / b, y / b)),
        Link("r", (d, 0), (DC[0] / c, DC[1] / c)),
    ]
    coupler, rocker = sp.atan2(y, x), sp.atan2(DC[1], DC[0])
    outputs: dict[str, Any] = {
        "crank": q,
        "coupler": coupler - q,
        "rocker": rocker,
        "pin": coupler - rocker,
        "x": B[0] + x,
        "y": B[1] + y,
    }
    return OneDegree(q, [*lengths, branch], dependent, links, outputs)


def text(parameters: Mapping[str, float], *, initial: Mapping[str, float]) -> str:
    """Return the mechanism file; `pin` between rocker and coupler closes the loop."""
    p = {name: float(value) for name, value in parameters.items()}
    start = {name: float(value) for name, value in initial.items()}
    bodies = "\n".join(
        f"  {body}: {{mass: {p[f'{key}_m']!r}, com: [{p[f'{key}_x']!r}, {p[f'{key}_y']!r}, 0],"
        f" inertia: [0.01, 0, 0, 0.02, 0, {p[f'{key}_i']!r}]}}"
        for body, key in zip(JOINTS, LINKS, strict=True)
    )
    return f"""
mechanism: 1
name: four_bar
gravity: [{p["g_x"]!r}, {p["g_y"]!r}, 0]
bodies:
  base:
{bodies}
joints:
  crank: {{type: continuous, parent: base, child: crank, axis: [0, 0, 1],
          initial_position: {start["crank"]!r}}}
  coupler: {{type: continuous, parent: crank, child: coupler, axis: [0, 0, 1],
            on_parent: {{position: [{p["crank"]!r}, 0, 0]}},
            initial_position: {start["coupler"]!r}}}
  rocker: {{type: continuous, parent: base, child: rocker, axis: [0, 0, 1],
           on_parent: {{position: [{p["ground"]!r}, 0, 0]}},
           initial_position: {start["rocker"]!r}}}
loops:
  pin: {{type: continuous, parent: rocker, child: coupler, axis: [0, 0, 1],
        on_parent: {{position: [{p["rocker"]!r}, 0, 0]}},
        on_child: {{position: [{p["coupler"]!r}, 0, 0]}},
        initial_position: {start["pin"]!r}}}
actuated: [crank]
"""
