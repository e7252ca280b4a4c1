"""What sensors make of a state: noise, steps of encoders, samples that are lost or no numbers.

Everything random is drawn anew from the seed and the step's number, so that the same step always
reads the same, however often and in whatever order it is looked at.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sensors:
    """Errors of measurement; nothing by default.

    Attributes:
        position_noise: standard deviation, rad or m.
        velocity_noise: standard deviation, rad/s or m/s.
        effort_noise: standard deviation, N m or N.
        encoder_resolution: step of measured positions, rad or m; 0 for none.
        dropped_share: share of states that are lost, 0 to 1.
        nan_share: share of states in which the position of one coordinate is no number, 0 to 1.
        seed: of everything random.
    """

    position_noise: float = 0.0
    velocity_noise: float = 0.0
    effort_noise: float = 0.0
    encoder_resolution: float = 0.0
    dropped_share: float = 0.0
    nan_share: float = 0.0
    seed: int = 0

    @property
    def are_ideal(self) -> bool:
        """Whether states are read as they are."""
        return not any(
            (
                self.position_noise,
                self.velocity_noise,
                self.effort_noise,
                self.encoder_resolution,
                self.dropped_share,
                self.nan_share,
            )
        )

    def read(self, state: Floats, step: int) -> Floats | None:
        """Return what is read of a state in a step; None where it is lost.

        Args:
            state: (3, n) positions, velocities and efforts of the coordinates.
            step: the number of the step, from 0 on.
        """
        if self.are_ideal:
            return state
        rng = np.random.Generator(np.random.Philox(key=self.seed, counter=step))
        lost, faulty = rng.random(2)
        if lost < self.dropped_share:
            return None
        deviations = [self.position_noise, self.velocity_noise, self.effort_noise]
        noise = rng.normal(size=state.shape)
        read: Floats = state + noise * np.array(deviations)[:, None]
        if self.encoder_resolution > 0.0:
            read[0] = self.encoder_resolution * np.round(read[0] / self.encoder_resolution)
        if faulty < self.nan_share and state.shape[1]:
            read[0, rng.integers(state.shape[1])] = np.nan
        return read
