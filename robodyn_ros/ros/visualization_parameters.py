"""The parameters of what is shown in RViz: one row for each of `VisualizationSettings`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from typing import Any

from robodyn_ros.ros.markers.settings import (
    ACTING,
    CLOSED,
    DESCRIBED,
    NAMESPACES,
    VisualizationSettings,
)
from robodyn_ros.ros.parameter_specs import Spec, Value

PREFIX = "visualization_"
"""What the name of a parameter has before that of the setting."""

_SWITCHES = {
    "frames": "axes of every body",
    "linear_velocity": "an arrow for the linear velocity of every body's origin",
    "angular_velocity": "an arrow for the angular velocity of every body",
    "linear_acceleration": "an arrow for the linear acceleration of every body's origin",
    "angular_acceleration": "an arrow for the angular acceleration of every body",
    "center_of_mass": "a sphere of every body's mass at its centre of mass",
    "inertia": "the ellipsoid of uniform density with every body's mass and inertia",
    "joint_axes": "an axis for every rate of the joints, where it is now",
    "trails": "the last positions of some bodies",
    "markers": "a sphere at every marker that is a point, an arrow for one that is a direction",
    "marker_trails": "the last positions of the markers that are points",
    "constraints": "constraint elements: rods, planes, cylinders, axes and closed loops, red where"
    " they do not hold",
    "efforts": "an arc for the effort of every coordinate that turns and an arrow for one that"
    " slides, as computed and as measured: a full circle is its limit",
    "wrenches": "forces as arrows and moments as arcs: external wrenches, as told and as estimated,"
    " weight and inertia of payloads, and what constraint elements exert on their second body",
    "drawing": "the shapes that a mechanism file draws bodies with",
}

_SIZES: tuple[tuple[str, float, float, str], ...] = (
    ("frame_size", 1e-3, 10.0, "Length of a body's axes, m."),
    ("linear_velocity_scale", 0.0, 1000.0, "Length of a linear velocity's arrow, m per m/s."),
    ("angular_velocity_scale", 0.0, 1000.0, "Length of an angular velocity's arrow, m per rad/s."),
    (
        "linear_acceleration_scale",
        0.0,
        1000.0,
        "Length of a linear acceleration's arrow, m per m/s^2.",
    ),
    (
        "angular_acceleration_scale",
        0.0,
        1000.0,
        "Length of an angular acceleration's arrow, m per rad/s^2.",
    ),
    ("arrow_width", 1e-4, 1.0, "Diameter of an arrow's shaft, m."),
    ("arrow_min_length", 1e-4, 0.1, "An arrow that would be shorter is not shown, m."),
    ("arrow_max_length", 0.1, 1000.0, "An arrow that would be longer is cut to this length, m."),
    ("density", 1.0, 1e6, "Density of the spheres that show masses, kg/m^3."),
    ("joint_axis_length", 1e-3, 10.0, "Length of a joint's axis, m."),
    ("marker_size", 1e-3, 10.0, "Diameter of the sphere at a marker that is a point, m."),
    ("marker_length", 1e-3, 10.0, "Length of the arrow of a marker that is a direction, m."),
    (
        "effort_radius",
        1e-3,
        10.0,
        "Radius of the arcs of computed efforts, m; those of measured ones are smaller, arrows of"
        " joints that slide twice as long at their limit.",
    ),
    (
        "effort_per_turn",
        1e-3,
        1e6,
        "Effort that is a full circle where the joint has no limit of it, N m.",
    ),
    ("force_scale", 0.0, 1000.0, "Length of a force's arrow, m per N."),
    ("moment_scale", 0.0, 1000.0, "Radius of a moment's arc, m per N m."),
)

_NAMESPACES = NAMESPACES | DESCRIBED | CLOSED | {x: ", ".join(y) for x, y in ACTING.items()}
_DEFAULTS = VisualizationSettings()

VISUALIZATION_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        f"{PREFIX}rate",
        float,
        "Messages a second on ~/visualization, Hz, while somebody listens; 0 for none.",
        default=_DEFAULTS.rate,
        lower=0.0,
        upper=200.0,
    ),
    *(
        Spec(
            PREFIX + name,
            bool,
            f"Whether ~/visualization shows {shown} (namespace{'s' * (name in ACTING)}"
            f" {_NAMESPACES[name]}).",
            default=getattr(_DEFAULTS, name),
        )
        for name, shown in _SWITCHES.items()
    ),
    *(
        Spec(PREFIX + name, float, text, default=getattr(_DEFAULTS, name), lower=low, upper=high)
        for name, low, high, text in _SIZES
    ),
    Spec(
        f"{PREFIX}trail_length",
        int,
        "Points of a trail, one a message.",
        default=_DEFAULTS.trail_length,
        lower=2,
        upper=1000,
    ),
    Spec(
        f"{PREFIX}trail_bodies",
        str,
        "Links that leave a trail, separated by commas; empty for those that carry no others.",
        default="",
    ),
)


def visualization_settings(value: Callable[[str], Value]) -> VisualizationSettings:
    """Return the settings that the parameters say.

    Args:
        value: Gives the value of a parameter by its name.
    """
    values: dict[str, Any] = {
        field.name: value(PREFIX + field.name) for field in fields(VisualizationSettings)
    }
    names = (name.strip() for name in str(values["trail_bodies"]).split(","))
    values["trail_bodies"] = tuple(name for name in names if name)
    return VisualizationSettings(**values)
