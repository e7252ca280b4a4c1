"""The parameters of dynamics: gravity for the whole robot, and those of every joint; one row each.

The joints' own are declared once the description is known: `joints.NAME.armature` and so on, of a
joint with several coordinates `joints.NAME/rx.armature`; its efforts have parameters by both names.
What was given at start-up for them is
kept for every description that has such a joint.
"""

from __future__ import annotations

from collections.abc import Iterable

from robodyn_ros.conditioning.effort_units import AMPERE, DEFAULT, UNITS, coordinate_name, si_unit
from robodyn_ros.conditioning.told_coordinates import has_plain_rates
from robodyn_ros.model import Model, TreeJoint
from robodyn_ros.ros.parameter_specs import Spec, Value

SOURCES = ("parameter", "frame", "imu")
_MOST = 1e9
JOINT_NUMBERS = ("armature", "damping", "friction")
"""Parameters of each rate of a joint that its robot takes: columns of its `rate_parameters`."""
_MEANINGS = (
    ("Rotor inertia, as seen at the output,", "kg m^2", "kg"),
    ("Viscous friction", "N m s/rad", "N s/m"),
    ("Coulomb friction", "N m", "N"),
)

MEASURED_WEIGHT = Spec(
    "measured_efforts_include_gravity",
    bool,
    "Whether efforts in joint states hold the weight although the driver adds it to commands,"
    " as torque sensors (Franka) and motor currents (UR) do; without driver_compensates_gravity"
    " they always do.",
    default=False,
)

DYNAMICS_PARAMETERS: tuple[Spec, ...] = (
    Spec(
        "gravity",
        list,
        "The physical gravity vector (it points down), m/s^2: in world axes, or in those of"
        " gravity_frame; with gravity_source imu only its length counts. By default the"
        " description's (of which gravity_source frame and imu take the length, along -z), else"
        " (0, 0, -9.81).",
        lower=-1000.0,
        upper=1000.0,
        length=3,
    ),
    Spec(
        "gravity_source",
        str,
        "What says how the robot is turned against gravity. parameter: gravity, in world axes;"
        " frame: the rotation on /tf and /tf_static between gravity_frame and the robot's root"
        " link; imu: an IMU on any link, on topic imu.",
        default="parameter",
        choices=SOURCES,
        read_only=True,
    ),
    Spec(
        "gravity_frame",
        str,
        "Frame in whose axes gravity is given, for gravity_source frame; say a map's, whose z is"
        " up.",
        default="",
        read_only=True,
    ),
    Spec(
        "driver_compensates_gravity",
        bool,
        "Whether the robot's own driver adds the efforts that hold the weight of links and"
        " payloads: then what services answer to be sent, and what residuals compare with, has"
        " none.",
        default=False,
    ),
    MEASURED_WEIGHT,
)


def joint_specs(joint: TreeJoint) -> list[Spec]:
    """Return the parameters of one joint that moves: of its rates, then those of its efforts."""
    specs = [
        _rate_spec(joint, rate, column)
        for rate in range(joint.joint.nv)
        for column in range(len(JOINT_NUMBERS))
    ]
    if is_measured(joint):
        if joint.joint.axes:
            several = f"all efforts of joint {joint.name}"
            unit = f"{DEFAULT} N m where a coordinate turns and N where it slides,"
            specs += _effort_specs(joint.name, several, DEFAULT, unit)
        for rate in range(joint.joint.nv):
            name = coordinate_name(joint, rate)
            if joint.joint.axes:
                unit = f"{DEFAULT} means that of joint {joint.name}, with its gain,"
                specs += _effort_specs(name, f"the effort of {name}", DEFAULT, unit)
            else:
                specs += _effort_specs(name, f"joint {name}'s effort", si_unit(joint), "")
    return specs


def _effort_specs(name: str, what: str, default: str, meaning: str) -> tuple[Spec, Spec]:
    """Return the two parameters that say what reported efforts are."""
    units = UNITS if default in UNITS else (DEFAULT, *UNITS)
    return (
        Spec(
            f"joints.{name}.effort_unit",
            str,
            f"Unit of {what} in joint states; {f'{meaning} ' if meaning else ''}{AMPERE} needs"
            " effort_gain, unknown means that it is not used.",
            default=default,
            choices=units,
        ),
        Spec(
            f"joints.{name}.effort_gain",
            float,
            f"Factor from {what} in joint states to N m or N at the joint, gear included; 0 for"
            f" {'one to one' if default in UNITS else 'what the unit says'}, which amperes do not"
            " go by.",
            default=0.0,
            lower=-_MOST,
            upper=_MOST,
        ),
    )


def rate_parameter(joint: TreeJoint, rate: int, field: str) -> str:
    """Return the name of a parameter of one rate: `joints.NAME.field`, or `joints.NAME/rx.field`.

    As the model's coordinates are called: by the joint's name where it has one only.
    """
    return f"joints.{coordinate_name(joint, rate)}.{field}"


def _rate_spec(joint: TreeJoint, rate: int, column: int) -> Spec:
    field = JOINT_NUMBERS[column]
    what, turning, sliding = _MEANINGS[column]
    default = float(joint.rate_parameters[rate, column])
    unit = turning if joint.joint.turning()[rate] else sliding
    full_name = rate_parameter(joint, rate, field)
    coordinate = full_name.removeprefix("joints.").removesuffix(f".{field}")
    # What a description says is never out of bounds, whatever it is; nothing else below 0 is.
    lower, upper = min(0.0, default), max(_MOST, default)

    def check(value: Value) -> str:
        if value == default or float(value) >= 0.0:  # type: ignore[arg-type]
            return ""
        return f"{full_name} must be at least 0, or {default:g} as in the description"

    text = f"{what} of joint {coordinate}, {unit}."
    return Spec(full_name, float, text, default=default, lower=lower, upper=upper, check=check)


def joints_of(model: Model) -> Iterable[TreeJoint]:
    """Return the joints of a model that have parameters: all that move, followers too."""
    return [joint for _, joint in model.moving if joint.joint.nv > 0]


def is_measured(joint: TreeJoint) -> bool:
    """Return whether joint states give the joint's efforts, one number for each coordinate."""
    return not joint.is_follower and joint.joint.nv > 0 and has_plain_rates(joint.joint)
