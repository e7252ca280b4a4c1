"""What the inputs and outputs of operations are, with units and frames, in one line each."""

from __future__ import annotations

from robodyn_ros import __version__
from robodyn_ros.model import Model

_EFFORTS = "efforts conjugate to v, N m or N; a mimic follower's are carried by its driver"
_LUMP = "frame of a lump: that of its first link"

_COMMON = {
    "v": "rates, one for each coordinate name, rad/s or m/s",
    "a": "accelerations, the rates of v, rad/s^2 or m/s^2",
    "tau": _EFFORTS,
    "dt": "for how long the rates v last, s",
    "effort": _EFFORTS,
    "gravity": "gravity vector, world axes, m/s^2: (0, 0, -9.81) where z is up",
    "base_motion": "motion of the root link: position of its origin (3) m, rotation to world axes"
    " by rows (9), angular velocity (3) rad/s, linear velocity (3) m/s, angular acceleration (3)"
    " rad/s^2, linear acceleration (3) m/s^2 (classical), all in world axes",
    "inertias": "of each lump: m, m c (3), Ixx, Ixy, Iyy, Ixz, Iyz, Izz about the origin of its"
    f" frame; kg, kg m, kg m^2; {_LUMP}",
    "regrouped": "of each lump: m, m c (3), Jxx, Jxy, Jyy, Jxz, Jyz, Jzz, second moments J ="
    " tr(I) / 2 - I about the origin of its frame; regrouped, which robodyn_ros.model.regrouping"
    f" explains; kg, kg m, kg m^2; {_LUMP}",
    "carried": "the payloads' share of the inertial parameters of each lump, kg, kg m, kg m^2;"
    f" {_LUMP}",
    "joints": "of each joint rate: armature kg m^2 or kg, damping N m s/rad or N s/m, friction"
    " N m or N",
    "limits": "of each joint rate: inertia, kg m^2 or kg, up to which nothing is left of it and the"
    " mass matrix counts as singular; 1e-13 of what hangs on the joint, or 0",
    "wrenches": "external wrenches on each lump: sums of moments (3) and forces (3) in world axes;"
    " of dyads p f^T (9), p in the lump's axes, f in world axes; of wrenches in the lump's axes"
    f" about its frame's origin (6); N m, N; {_LUMP}",
}
_BODIES = {
    "position": "of each body frame's origin, world axes, m",
    "rotation": "of each body: body axes to world axes",
    "angular_velocity": "of each body, world axes, rad/s",
    "linear_velocity": "of each body frame's origin, world axes, m/s",
    "angular_acceleration": "of each body, world axes, rad/s^2",
    "linear_acceleration": "of each body frame's origin, world axes, m/s^2 (classical)",
}
_TERMS = ("inertial", "coriolis", "gravity_out", "friction", "armature", "payload", "external")
_OF_KIND: dict[str, dict[str, str]] = {
    "body_motion": _BODIES,
    "center_of_mass_motion": {
        "position": "of each body's centre of mass, world axes, m",
        "velocity": "of each body's centre of mass, world axes, m/s",
        "acceleration": "of each body's centre of mass, world axes, m/s^2 (classical)",
    },
    "marker_motion": {
        "value": "of each marker: position, world axes, m, or direction in world axes",
        "rate": "of each marker: its first time derivative, world axes, m/s or 1/s",
        "acceleration": "of each marker: its second time derivative, world axes, m/s^2 or 1/s^2",
    },
    "jacobian": {"jacobian": "[angular; linear velocity] of the frame's origin = J v, world axes"},
    "jacobian_bias": {"bias": "[angular; linear acceleration] of the frame's origin less J a"},
    "integrate": {"moved": "coordinates that are reached, rad or m"},
    "coordinate_rates": {"rates": "dq/dt: of quaternions and positions their derivatives"},
    "effort_terms": {
        **{name: f"efforts by cause: {name.removesuffix('_out')}, N m or N" for name in _TERMS},
        "total": "the sum of all terms, N m or N",
    },
    "mass_matrix": {"mass": "M of effort = M a + h, kg m^2, kg m or kg"},
    "inverse_dynamics_derivatives": {
        "effort_by_q": "d effort / d q along the tangent; row: effort, column: coordinate",
        "effort_by_v": "d effort / d v",
        "effort_by_a": "d effort / d a, the mass matrix",
    },
    "forward_dynamics_derivatives": {
        "acceleration_by_q": "d a / d q along the tangent; row: acceleration, column: coordinate",
        "acceleration_by_v": "d a / d v",
        "acceleration_by_tau": "d a / d tau, the inverse of the mass matrix",
    },
    "coriolis_matrix": {"coriolis": "C: C v is the Coriolis effort, dM/dt - 2 C is skew"},
    "energy": {
        "kinetic": "of links, payloads and rotors, J",
        "potential": "in the field of gravity, 0 with everything at the world's origin, J",
    },
    "forward_dynamics": {"acceleration": "of the coordinates, the rates of v, rad/s^2 or m/s^2"},
    "regressor": {
        "regressor": "Y of effort = Y p, p: of each body m, m c (3), Ixx, Ixy, Iyy, Ixz, Iyz, Izz"
        " about the origin of its own frame"
    },
    "momentum": {"momentum": "[angular about the world's origin; linear], world axes, N m s, N s"},
    "centroidal_momentum": {
        "momentum": "[angular about the robot's centre of mass; linear], world axes, N m s, N s"
    },
    "centroidal_momentum_matrix": {"matrix": "A of centroidal momentum = A v, world axes"},
    "robot_center_of_mass": {
        "position": "of the robot's centre of mass, world axes, m",
        "velocity": "of the robot's centre of mass, world axes, m/s",
        "acceleration": "of the robot's centre of mass, world axes, m/s^2 (classical)",
    },
    "center_of_mass_jacobian": {"jacobian": "velocity of the centre of mass = J v, world axes"},
    "constraint_residual": {
        "residual": "of each equation of loops and constraint elements, m or rad; 0 where it holds"
    },
    "constraint_jacobian": {"jacobian": "G: the rate of the residual is G v"},
    "constraint_bias": {"bias": "the second rate of the residual is G a + bias"},
    "constraint_forces": {
        "multipliers": "lambda of M a + h = tau + G^T lambda, of each equation, N or N m"
    },
    "closed_configuration": {
        "configuration": "coordinates after Newton steps of the dependent ones, rad or m"
    },
    "closing": {
        "q_out": "the closed coordinates near q, rad or m",
        "left": "the largest residual that is left: rad, or share of the mechanism's size",
    },
    "motion_basis": {"basis": "N of v = N v[independent]"},
    "complete": {
        "v_out": "rates with the dependent ones that the independent ones ask for",
        "a_out": "accelerations, likewise",
    },
}


def port_descriptions(model: Model, kind: str) -> dict[str, str]:
    """Return a line for each input and output that operations of a kind may have, by its name.

    An output of an input's name has "_out" behind it.
    """
    return {**_COMMON, "q": _coordinates(model), **_OF_KIND.get(kind, {})}


def kind_of(name: str) -> str:
    """Return the kind in an operation's name."""
    return name.partition(":")[0].partition("+")[0]


def summary(name: str) -> str:
    """Return what a function is, from its operation's name."""
    kind = kind_of(name)
    rest = name.removeprefix(kind)  # a frame, flags behind it, or nothing
    return kind.replace("_", " ") + (f" ({rest.lstrip(':+')})" if rest else "")


def notes_of(model: Model) -> list[str]:
    """Return what the header of a library says of its robot."""
    return [
        f"robot {model.name}, base {model.base}; written by robodyn_ros {__version__}",
        "",
        f"coordinate names (entries of v): {', '.join(model.coordinate_names) or 'none'}",
        f"bodies (rows of body motion): {', '.join(model.body_names)}",
        "SI units, radians; spatial vectors are angular first; quaternions are (x, y, z, w), and"
        " not acceptable where their norm is not 1",
    ]


def _coordinates(model: Model) -> str:
    """Return which entries of q belong to which joint."""
    parts = []
    for joint in model.own_joints:
        begin, count = joint.q_index, joint.joint.nq
        place = f"{begin}" if count == 1 else f"{begin}-{begin + count - 1}"
        parts.append(f"{place} {joint.name}")
    return f"coordinates, rad or m: {', '.join(parts) or 'none'}"
