"""Units taken out of a Jacobian: the same numbers for a mechanism in mm and one in km.

Rows are lengths or angles, columns are slides or turns. Lengths are counted in a length of the
mechanism itself, so that ranks, pivots and steps do not depend on its size.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.model import Model, Weld

Floats = NDArray[np.float64]

_SHORT = 1e-6
"""Share of the mechanism's extent below which lever arms say nothing about its size."""
_SLIGHT = 1e-6
"""A control whose column stays below it has no part in the constraints."""


class Scales(NamedTuple):
    """What to multiply a Jacobian with: rows[:, None] * G * columns has no units.

    Attributes:
        rows: (..., m) 1/m of lengths, 1 of angles.
        columns: (..., nv) m of slides, 1 of turns, of control elements what makes them like those.
    """

    rows: Floats
    columns: Floats

    def scaled(self, G: Floats) -> Floats:
        """Return a Jacobian (..., m, nv) without units."""
        product: Floats = self.rows[..., :, None] * G * self.columns[..., None, :]
        return product


def scales_of(model: Model, G: Floats) -> Scales:
    """Return the scales for a Jacobian G (..., m, nv) of a model's constraints."""
    turn_rows, turns, controls = turn_equations(model), turning_rates(model), control_rates(model)
    extent = _extent(model)
    arms = np.abs(G[..., ~turn_rows, :][..., turns])
    arm = np.max(arms, axis=(-2, -1), initial=0.0)
    length = np.where(arm > _SHORT * extent, arm, extent)
    rows = np.where(turn_rows, 1.0, 1.0 / length[..., None])
    slides = ~turns & ~controls
    columns = np.where(slides, length[..., None], 1.0)
    if np.any(controls):
        sizes = np.max(np.abs(rows[..., :, None] * G), axis=-2, initial=0.0)
        felt = controls & (sizes > _SLIGHT)
        columns = np.where(felt, 1.0 / np.where(felt, sizes, 1.0), columns)
    return Scales(rows, columns)


def turn_equations(model: Model) -> NDArray[np.bool_]:
    """Return which equations (m,) are about an angle in rad; the others are lengths in m."""
    kinds: list[bool] = []
    for element in model.closure.elements:
        turns = 3 if isinstance(element, Weld) else 0
        kinds += [True] * turns + [False] * (element.rows - turns)
    return np.array(kinds, dtype=np.bool_)


def turning_rates(model: Model) -> NDArray[np.bool_]:
    """Return which rates (nv,) turn something: rad/s."""
    kinds = [turns for joint in model.own_joints for turns in joint.joint.turning()]
    return np.array(kinds, dtype=np.bool_)


def control_rates(model: Model) -> NDArray[np.bool_]:
    """Return which rates (nv,) are those of control elements, whose unit is theirs."""
    kinds = [
        joint.joint.type_name == "control"
        for joint in model.own_joints
        for _ in range(joint.joint.nv)
    ]
    return np.array(kinds, dtype=np.bool_)


def _extent(model: Model) -> float:
    """Return the largest distance in the description of a mechanism, 1 m where it has none."""
    places = [place.position for place in model.lumped.places]
    places += [lump.position for lump in model.lumped.lumps]
    sizes = [float(np.linalg.norm(place)) for place in places]
    for element in model.closure.elements:
        ends = (getattr(element, name, np.zeros(3)) for name in ("point_1", "point_2"))
        sizes += [float(np.linalg.norm(end)) for end in ends]
        sizes.append(abs(element.measure.constant))
    return max(sizes, default=0.0) or 1.0
