"""What is left of measured efforts, before and after an identification, joint by joint."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.analysis.robust_fit import Fit
from robodyn_ros.analysis.unknowns import Unknowns
from robodyn_ros.analysis.window_means import Windows

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class JointResidual:
    """What is left of the measured efforts of one coordinate, root mean squares in N m or N.

    Attributes:
        name: The coordinate.
        measured: Of the efforts.
        before, after: Of the residual on stretches that were fitted: as described, as identified.
        before_held, after_held: Likewise on stretches held out; NaN where there are none.
        by_part: Of the change of effort that each part makes.
        noise: Standard deviation that the fit weighted this joint by.
        rows: Windows that count.
        outliers: Share of windows with less than half the weight.
    """

    name: str
    measured: float
    before: float
    after: float
    before_held: float
    after_held: float
    by_part: dict[str, float]
    noise: float
    rows: int
    outliers: float


def joint_residuals(
    unknowns: Unknowns, windows: Windows, fit: Fit, change: Floats, use: Flags, held: Flags
) -> tuple[JointResidual, ...]:
    """Return what is left of the measured efforts, by coordinate that has any."""
    found = []
    for j, name in enumerate(unknowns.robot.model.coordinate_names):
        if not use[:, j].any():
            continue
        columns, before = windows.columns[:, j], windows.residual[:, j]
        after = before - columns @ change
        own, out = use[:, j] & ~held, use[:, j] & held
        parts = {
            part: rms(columns[use[:, j]][:, place] @ change[place])
            for part, place in unknowns.places.items()
        }
        found.append(
            JointResidual(
                name=name,
                measured=rms(windows.measured[use[:, j], j]),
                before=rms(before[own]),
                after=rms(after[own]),
                before_held=rms(before[out]),
                after_held=rms(after[out]),
                by_part=parts,
                noise=float(fit.noise[j]),
                rows=int(fit.rows[j]),
                outliers=float(fit.outliers[j]),
            )
        )
    return tuple(found)


def rms(values: Floats) -> float:
    """Return the root of the mean of squares; NaN of nothing."""
    return float(np.sqrt(np.mean(values * values))) if len(values) else float("nan")
