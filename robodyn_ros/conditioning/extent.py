"""How large a robot is, in the one respect that decides whether its motion stays finite."""

from __future__ import annotations

import numpy as np

from robodyn_ros.model import AffineFollower, Model

BOUND = 1e60
"""Sum of dimensions (m) and ratios of mimics up to which sane joints leave all results finite."""


def extent(model: Model) -> float:
    """Return the sum of a robot's dimensions, m, and of the ratios of its mimic joints."""
    with np.errstate(all="ignore"):
        joints = [joint for _, joint in model.moving]
        arms = sum(np.abs(joint.position).sum() for joint in joints)
        centers = sum(np.abs(body.com).sum() for body in model.bodies)
        points = sum(np.abs(marker.vector).sum() for marker in model.markers)
        places = sum(np.abs(frame.position).sum() for frame in model.extra_frames)
        followers = [joint.coordinates for joint in joints]
        gears = sum(
            abs(x.multiplier) + abs(x.offset) for x in followers if isinstance(x, AffineFollower)
        )
        return float(arms + centers + points + places + gears)
