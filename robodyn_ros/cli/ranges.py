"""What of a motion `robodyn animate` tells beside its energies: friction, and ranges left."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cli.torque_rows import SLACK
from robodyn_ros.errors import quoted
from robodyn_ros.model import Model

Floats = NDArray[np.float64]


def resists(model: Model) -> bool:
    """Return whether a joint has damping or friction."""
    return bool(np.any(model.lumped.joint_parameters[:, 1:]))


def left_ranges(model: Model, q: Floats) -> list[dict[str, Any]]:
    """Return coordinates that a motion q (n, nq) brings out of their ranges.

    Each with the least and largest of its values, and its limits, None where there is none; rad or
    m. Quaternions have no ranges.
    """
    column = {name: k for k, name in enumerate(model.position_names)}
    limits = [limit for joint in model.own_joints for limit in joint.rate_limits]
    found = []
    for name, limit in zip(model.coordinate_names, limits, strict=True):
        if name not in column:
            continue
        low = -np.inf if limit.lower is None else limit.lower
        high = np.inf if limit.upper is None else limit.upper
        least, most = float(q[:, column[name]].min()), float(q[:, column[name]].max())
        if least < low - SLACK or most > high + SLACK:
            found.append(
                {
                    "coordinate": name,
                    "least": least,
                    "largest": most,
                    "lower": limit.lower,
                    "upper": limit.upper,
                }
            )
    return found


def told(left: dict[str, Any]) -> str:
    """Return what `left_ranges` found of a coordinate as text."""
    low = "" if left["lower"] is None else f"{left['lower']:.4g}"
    high = "" if left["upper"] is None else f"{left['upper']:.4g}"
    name = quoted(left["coordinate"])
    return f"{name} ({left['least']:.4g} .. {left['largest']:.4g}, allowed {low} .. {high})"
