"""What is shown of a robot's bodies, and how large."""

from __future__ import annotations

from dataclasses import dataclass

NAMESPACES = {
    "frames": "frames",
    "linear_velocity": "velocity/linear",
    "angular_velocity": "velocity/angular",
    "linear_acceleration": "acceleration/linear",
    "angular_acceleration": "acceleration/angular",
    "center_of_mass": "center_of_mass",
    "inertia": "inertia",
    "joint_axes": "joint_axes",
    "trails": "trails",
}
"""The marker namespace of each kind; a kind is a switch of `VisualizationSettings`."""
DESCRIBED = {"markers": "markers", "marker_trails": "marker_trails", "drawing": "drawing"}
"""The same of what only mechanism files describe."""
CLOSED = {"constraints": "constraints"}
"""The same of what only closed mechanisms have."""
ACTING = {
    "efforts": ("effort/model", "effort/measured"),
    "wrenches": (
        *("wrench/external", "wrench/payload", "wrench/constraint"),
        "wrench/estimated",
    ),
}
"""The namespaces of what acts on a robot, several of each kind."""
EVERY_NAMESPACE: tuple[str, ...] = (
    *(NAMESPACES | DESCRIBED | CLOSED).values(),
    *(name for names in ACTING.values() for name in names),
)

_SHORTEST_LIFETIME = 0.5
_PERIODS = 3.0


@dataclass(frozen=True, slots=True)
class VisualizationSettings:
    """Switches, scales and sizes.

    Attributes:
        rate: Messages a second, Hz, which decides how long markers live; 0 for none.
        frames: Show the axes of every body, x red, y green, z blue.
        linear_velocity, angular_velocity, linear_acceleration, angular_acceleration: Show an arrow
            from the origin of every body that has any.
        center_of_mass: Show a sphere at the centre of mass of every body, of the body's mass.
        inertia: Show the ellipsoid of uniform density with the body's mass and inertia.
        joint_axes: Show the axis of every rate of the joints, pointing to the positive side.
        trails: Show where bodies have been.
        markers: Show a sphere at every marker that is a point, an arrow for a direction.
        marker_trails: Show where markers that are points have been.
        constraints: Show every constraint element: its rod, plane, cylinder, axes or joint.
        efforts: Show an arc or arrow for the effort of every coordinate, computed and measured.
        wrenches: Show external wrenches, given and estimated, payloads' weights and what
            constraints transmit.
        drawing: Show the shapes that a mechanism file draws bodies with.
        frame_size: Length of the axes, m.
        linear_velocity_scale: Length of an arrow, m per m/s.
        angular_velocity_scale: m per rad/s.
        linear_acceleration_scale: m per m/s^2.
        angular_acceleration_scale: m per rad/s^2.
        arrow_width: Diameter of an arrow's shaft, m; its head is twice as wide.
        arrow_min_length: An arrow that would be shorter is not shown, m; above 0.
        arrow_max_length: An arrow that would be longer is cut to this, m.
        density: Of the spheres, kg/m^3.
        joint_axis_length: m.
        marker_size: Diameter of a point's sphere, m.
        marker_length: Of a direction's arrow, m.
        effort_radius: Of the arcs of efforts, m; arrows are twice as long at the joint's limit.
        effort_per_turn: What a full circle is where no limit is known, N m.
        force_scale: Length of a force's arrow, m per N.
        moment_scale: Radius of a moment's arc, m per N m.
        trail_length: Number of points of a trail, one a message.
        trail_bodies: Names of the bodies with a trail; empty for those that carry no others.
    """

    rate: float = 30.0
    frames: bool = True
    linear_velocity: bool = True
    angular_velocity: bool = True
    linear_acceleration: bool = True
    angular_acceleration: bool = True
    center_of_mass: bool = True
    inertia: bool = True
    joint_axes: bool = True
    trails: bool = True
    markers: bool = True
    marker_trails: bool = True
    constraints: bool = True
    efforts: bool = True
    wrenches: bool = True
    drawing: bool = True
    frame_size: float = 0.1
    linear_velocity_scale: float = 0.25
    angular_velocity_scale: float = 0.1
    linear_acceleration_scale: float = 0.05
    angular_acceleration_scale: float = 0.02
    arrow_width: float = 0.01
    arrow_min_length: float = 0.005
    arrow_max_length: float = 1.0
    density: float = 10000.0
    joint_axis_length: float = 0.2
    marker_size: float = 0.03
    marker_length: float = 0.2
    effort_radius: float = 0.12
    effort_per_turn: float = 100.0
    force_scale: float = 0.005
    moment_scale: float = 0.02
    trail_length: int = 100
    trail_bodies: tuple[str, ...] = ()

    @property
    def lifetime(self) -> float:
        """How long a marker is shown when no more messages come, s: three periods, 0.5 s or more.

        Markers vanish by themselves when the node dies, and do not flicker while it lives.
        """
        period = 1.0 / self.rate if self.rate > 0.0 else 0.0
        return max(_SHORTEST_LIFETIME, _PERIODS * period)
