"""The direction of gravity from an IMU on any link.

An orientation tells it whatever the motion (REP 145: in a world whose z is up). Without one the
measured acceleration does while the sensor rests, since it then is the reaction to gravity.
"""

from __future__ import annotations

from math import isfinite, sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.base_sources import ImuSample
from robodyn_ros.spatial import quaternion_to_matrix

Floats = NDArray[np.float64]

STILL_RATE = 0.05
"""Angular velocity, rad/s, up to which a sensor rests."""
STILL_FORCE = 0.5
"""Difference, m/s^2, of the measured acceleration's amount from gravity's up to which it does."""
_NORM_TOLERANCE = 1e-2
_REMEDY = "hold it still, or have it give its orientation"


class ImuGravity(NamedTuple):
    """What one sample says.

    Attributes:
        direction: (3,) unit vector that points down, sensor axes; zeros where it is not known.
        trouble: Why it is not known, "" where it is.
    """

    direction: Floats
    trouble: str


def imu_gravity(sample: ImuSample, strength: float) -> ImuGravity:
    """Return the direction of gravity that a sample tells; `strength` is gravity's amount, m/s^2.

    A sample with an orientation that is none says nothing, whatever else it has.
    """
    if sample.quaternion is not None:
        norm = _norm(sample.quaternion)
        if not abs(norm - 1.0) <= _NORM_TOLERANCE:
            return _unknown(
                "its orientation is no unit quaternion; where it has none, its driver has to say so"
                " by -1 as orientation_covariance[0]"
            )
        # The third row of R_WS is the world's z in sensor axes.
        return ImuGravity(-quaternion_to_matrix(sample.quaternion / norm)[2], "")
    force, rate = sample.linear_acceleration, sample.angular_velocity
    if force is None:
        return _unknown(
            "it gives neither orientation nor linear acceleration; one of them is needed"
        )
    if trouble := _motion(force, rate, strength):
        return _unknown(trouble)
    return ImuGravity(-force / _norm(force), "")


def _motion(force: Floats, rate: Floats | None, strength: float) -> str:
    """Return how a sensor moves that does not rest, "" where it does."""
    amount = _norm(force)
    if not isfinite(amount):
        return "its linear acceleration is not finite"
    if abs(amount - strength) > STILL_FORCE or amount == 0.0:
        measured = f"it measures {amount:.4g} m/s^2, gravity has {strength:.4g}"
        return f"it does not rest: {measured}; {_REMEDY}"
    if rate is not None and not _norm(rate) <= STILL_RATE:
        return f"it does not rest: it turns by {_norm(rate):.3g} rad/s; {_REMEDY}"
    return ""


def _norm(vector: Floats) -> float:
    return sqrt(sum(x * x for x in vector.tolist()))


def _unknown(trouble: str) -> ImuGravity:
    return ImuGravity(np.zeros(3), trouble)
