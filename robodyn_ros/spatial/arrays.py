"""Joining arrays whose leading (batch) axes may differ."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def joined(*parts: Array, axis: int = -1) -> Array:
    """Concatenate along `axis` (-1 or -2), the axes before it broadcast against each other."""
    lead = np.broadcast_shapes(*(part.shape[:axis] for part in parts))
    return np.concatenate(
        [np.broadcast_to(part, lead + part.shape[axis:]) for part in parts], axis=axis
    )
