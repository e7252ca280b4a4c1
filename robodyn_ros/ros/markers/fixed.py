"""A marker that is fixed in a body."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from visualization_msgs.msg import Marker

from robodyn_ros.ros.markers.geometry import IDENTITY, Floats


@dataclass(frozen=True)
class Fixed:
    """A marker and its pose in its body.

    Attributes:
        body: Number of the body.
        marker: What of it does not change.
        at_com: Whether it sits at the centre of mass instead of the body's origin.
        offset: Its position (3,) from there, body axes, m.
        turn: The rotation (4,), xyzw, of its axes to the body's.
    """

    body: int
    marker: Marker
    at_com: bool = False
    offset: Floats = field(default_factory=lambda: np.zeros(3))
    turn: Floats = field(default_factory=lambda: IDENTITY)
