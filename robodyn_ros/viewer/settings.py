"""What can be shown of a robot, and how large."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "visuals": "shapes",
        "collisions": "collision shapes",
        "frames": "frames of links",
        "names": "names of links",
        "joint_axes": "joint axes",
        "centers_of_mass": "centres of mass",
        "inertia": "inertia ellipsoids",
        "markers": "markers",
        "constraints": "constraint elements",
        "payloads": "payloads",
        "wrenches": "wrenches",
        "linear_velocity": "velocities",
        "angular_velocity": "angular velocities",
        "linear_acceleration": "accelerations",
        "angular_acceleration": "angular accelerations",
        "marker_velocity": "velocities of markers",
        "marker_acceleration": "accelerations of markers",
    }
)
"""The kinds of things that a scene shows, each with its label."""

MOTIONS = (
    "linear_velocity",
    "angular_velocity",
    "linear_acceleration",
    "angular_acceleration",
)
"""The kinds that are arrows of bodies' motion, and"""
MARKER_MOTIONS: Mapping[str, str] = MappingProxyType(
    {"marker_velocity": "linear_velocity", "marker_acceleration": "linear_acceleration"}
)
"""of markers', each with the kind whose scale it has."""

SHOWN_AT_FIRST = frozenset({"visuals", "markers", "constraints", "payloads", "wrenches"})

Rgb = tuple[int, int, int]

COLORS: Mapping[str, Rgb] = MappingProxyType(
    {
        "centers_of_mass": (242, 191, 26),
        "inertia": (140, 102, 230),
        "turning": (255, 140, 26),
        "sliding": (26, 191, 191),
        "point": (255, 77, 153),
        "direction": (77, 230, 179),
        "payloads": (217, 120, 40),
        "force": (220, 40, 40),
        "moment": (150, 60, 200),
        "linear_velocity": (38, 179, 242),
        "angular_velocity": (120, 210, 60),
        "linear_acceleration": (242, 90, 77),
        "angular_acceleration": (242, 102, 204),
        "marker_velocity": (38, 140, 242),
        "marker_acceleration": (242, 60, 40),
        "rod": (110, 120, 130),
        "point_on_plane": (100, 180, 100),
        "point_on_cylinder": (180, 130, 210),
        "skew_axes": (215, 170, 60),
        "unknown": (128, 128, 128),
    }
)


@dataclass(frozen=True)
class SceneSettings:
    """Sizes and scales.

    Attributes:
        frame_size: length of a frame's axes, m.
        axis_length: of a joint's axis, m.
        marker_size: diameter of a point, m.
        arrow_width: diameter of arrows' shafts, m.
        arrow_max_length: an arrow that would be longer is cut to this, m.
        linear_velocity: m of arrow per m/s.
        angular_velocity: m per rad/s.
        linear_acceleration: m per m/s^2.
        angular_acceleration: m per rad/s^2.
        force: m per N.
        moment: m per N m.
        density: of spheres that stand for masses, kg/m^3.
    """

    frame_size: float = 0.1
    axis_length: float = 0.2
    marker_size: float = 0.03
    arrow_width: float = 0.01
    arrow_max_length: float = 1.0
    linear_velocity: float = 0.25
    angular_velocity: float = 0.1
    linear_acceleration: float = 0.05
    angular_acceleration: float = 0.02
    force: float = 0.01
    moment: float = 0.02
    density: float = 10000.0

    @classmethod
    def for_radius(cls, radius: float) -> SceneSettings:
        """Return settings for a robot that a sphere of this radius in m holds."""
        if not 1e-6 < radius < 1e6:
            return cls()
        return cls(
            frame_size=0.15 * radius,
            axis_length=0.3 * radius,
            marker_size=0.04 * radius,
            arrow_width=0.015 * radius,
            arrow_max_length=1.5 * radius,
        )
