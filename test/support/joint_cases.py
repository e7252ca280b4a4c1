"""One joint of every catalogue row for each of several axes, and each seen from its other end."""

from __future__ import annotations

import numpy as np

from robodyn_ros.joints import JOINT_TYPES, Joint, Placed, Reversed
from robodyn_ros.spatial import rotation_from_rpy

AXES = {
    "x": (1.0, 0.0, 0.0),
    "z": (0.0, 0.0, 1.0),
    "minus_z": (0.0, 0.0, -1.0),
    "near_minus_z": (3e-5, -4e-5, -1.0),
    "skew": (0.3, -0.5, 0.8),
    "tiny": (1e-200, -2e-200, 1e-201),
    "huge": (1e200, 3e200, -2e200),
}

#: Enough for types whose formulas are those of others.
FEW_AXES = ("x", "near_minus_z", "skew")

#: Axes of another length only: a joint normalises them, so that reversing it shows nothing new;
#: nor do all of the sequences.
SAME_DIRECTIONS = ("-z", "-tiny", "-huge")

#: Cases that are placed in the child's frame too: constant and changing subspaces, a quaternion.
TO_PLACE = (
    "revolute-skew",
    "universal-skew",
    "floating",
    "gimbal-231 both sides",
    "dh_cylindrical-all",
    "user_defined-turned and slid",
)

#: Where the reversed joints' predecessor frame sits in the old parent, and the placed ones'
#: successor frame in the child.
PLACEMENT = (rotation_from_rpy([0.4, -1.1, 2.0]), np.array([0.3, -0.2, 0.7]))


X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
SKEW, TILTED = (0.3, -0.5, 0.8), (0.2, 0.9, -0.4)
DH = {"a": 0.4, "alpha": -1.1, "s": 0.3, "theta": 0.7}

#: Three different axes, and proper Euler angles; cyclic ones first.
EULER_SEQUENCES = (
    *("123", "231", "312", "132", "213", "321"),
    *("121", "232", "313", "131", "212", "323"),
)

#: Keywords of the joints to test, for types that take more than an axis.
CHOICES: dict[str, dict[str, dict[str, object]]] = {
    "translational": {
        "xyz": {},
        "one skew": {"inner": [SKEW]},
        "both sides": {"inner": [SKEW, Y], "outer": [Z]},
        "outer xz": {"inner": [], "outer": [X, Z]},
    },
    "spherical": {
        "plain": {},
        "inner z": {"inner": [Z]},
        "both sides": {"inner": [X, SKEW], "outer": [TILTED]},
    },
    "gimbal": {
        # The others differ by the names of axes; see test_document_b_joints for all of them.
        **{name: {"sequence": name} for name in ("2", "12", "32", "231", "321", "121", "323")},
        "3 inner z": {"sequence": "3", "inner": [Z]},
        "1 both z": {"sequence": "1", "inner": [Z], "outer": [Z]},
        "23 outer z": {"sequence": "23", "outer": [Z]},
        "231 both sides": {"sequence": "231", "inner": [SKEW], "outer": [X, TILTED]},
        "313 inner xyz": {"sequence": "313", "inner": [X, Y, Z]},
    },
    "universal": {
        "plain": {},
        "skew": {"first_axis": SKEW, "second_axis": (0.8, 0.5, 0.1)},
        "45 degrees": {"first_axis": Z, "second_axis": (0.0, 1.0, 1.0)},
    },
    "helical": {
        "z": {"axis": Z, "pitch": 0.05},
        "left-handed": {"axis": SKEW, "pitch": -0.7},
    },
    "user_defined": {
        "crank": {
            "variables": ["u"],
            "m": ["cos(u + 0.2)", "sin(u + 0.2)", 0],
            "n": ["-sin(u + 0.2)", "cos(u + 0.2)", 0],
            "a": ["0.3*cos(u) + u^2/5", "0.3*sin(u)", "0.1*exp(u/20) + pow(2 + u^2, 1.3)/9"],
        },
        "cam": {
            "variables": ["u"],
            "m": [1, 0, 0],
            "n": [0, "cos(u + atan(u))", "sin(u + atan(u))"],
            "a": ["if(u < 0.35, 0.1*u^2, log(3 + u^2)/9)", "sqrt(2 + sin(u))/5", "abs(u + 5)/5"],
        },
        "path": {
            "variables": ["s"],
            "m": [1, 0, 0],
            "n": [0, 0.6, 0.8],
            "a": ["s", "0.4*sin(2*s)", "tan(0.1*s) + min(s, 9) - max(s, -9) + sign(s - 9)"],
        },
        "straight": {
            "variables": ["x", "z"],
            "m": [0, 1, 0],
            "n": [0, 0, 1],
            "a": ["x", "0.2 + x/2", "z - x"],
        },
        "turned and slid": {
            "variables": ["u", "w", "s"],
            "m": ["cos(u)", "sin(u)", 0],
            "n": ["-sin(u)*cos(w)", "cos(u)*cos(w)", "sin(w)"],
            "a": ["s*cos(u) + 0.1*w", "s*sin(u)", "0.3*s + asin(u/99)*acos(w/99) + atan2(s, 9)"],
        },
    },
    "dh_revolute": {"plain": {}, "all": DH},
    "dh_prismatic": {"plain": {}, "all": DH},
    "dh_cylindrical": {"plain": {}, "all": DH},
    "dh_helical": {"plain": {"pitch": 0.3}, "all": {**DH, "pitch": -0.2}},
}


def _every_joint() -> dict[str, Joint]:
    """Return the cases by name; a type with other parameters than an axis needs an entry above."""
    cases: dict[str, Joint] = {}
    for name, joint_type in JOINT_TYPES.items():
        parameters = [parameter.name for parameter in joint_type.parameters]
        if name in CHOICES:
            cases |= {
                f"{name}-{c}": joint_type(**keywords) for c, keywords in CHOICES[name].items()
            }
        elif parameters == ["axis"]:
            axes = AXES if name in ("revolute", "planar") else {a: AXES[a] for a in FEW_AXES}
            cases |= {f"{name}-{a}": joint_type(axis=x) for a, x in axes.items()}  # type: ignore[call-arg]
        elif not parameters:
            cases[name] = joint_type()
        else:
            raise NotImplementedError(f"say which {name} joints to test, with {parameters}")
    alike = (*SAME_DIRECTIONS, *(f"gimbal-{name}" for name in ("2", "12", "321", "121")))
    alike += ("revolute-near_minus_z", "prismatic-near_minus_z", "continuous-x", "-plain")
    turned = {name: case for name, case in cases.items() if not name.endswith(alike)}
    return {
        **cases,
        **{f"reversed-{name}": Reversed(case, *PLACEMENT) for name, case in turned.items()},
        **{f"placed-{name}": Placed(cases[name], *PLACEMENT) for name in TO_PLACE},
    }


JOINTS = _every_joint()


def state(joint: Joint, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random coordinates, rates and their derivatives of order 1."""
    from robodyn_ros.joints import JointLimits

    rng = np.random.default_rng(seed)
    q = joint.random(rng, JointLimits())
    if joint.type_name == "global":
        q = 0.8 * q  # away from half a turn, where integrate leaps to the other side
    return q, rng.uniform(-1.0, 1.0, joint.nv), rng.uniform(-1.0, 1.0, joint.nv)


def same_place(joint: Joint, a: np.ndarray, b: np.ndarray) -> float:
    """Return how far apart two coordinate vectors are, both signs of a quaternion being one."""
    a, b = np.array(a), np.array(b)
    if joint.quaternion_start is not None:
        part = slice(joint.quaternion_start, joint.quaternion_start + 4)
        sign = np.sign(np.sum(a[..., part] * b[..., part], axis=-1, keepdims=True))
        a[..., part] *= sign
    return float(np.max(np.abs(a - b), initial=0.0))


def pose_at(joint: Joint, q: np.ndarray) -> np.ndarray:
    """Return [R p] as (..., 3, 4), with the batch axes of q whatever the joint broadcasts."""
    R, p = joint.pose(q)
    lead = q.shape[:-1]
    R, p = np.broadcast_to(R, (*lead, 3, 3)), np.broadcast_to(p, (*lead, 3))
    return np.concatenate([R, p[..., None]], axis=-1)


def subspace_at(joint: Joint, q: np.ndarray) -> np.ndarray:
    """Return S (..., 6, nv), with the batch axes of q whatever the joint broadcasts."""
    return np.broadcast_to(joint.motion_subspace(q), (*q.shape[:-1], 6, joint.nv))


def bias_at(joint: Joint, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the bias (..., 6), zero where the joint has none."""
    bias = joint.bias(q, v)
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
    return np.broadcast_to(np.zeros(6) if bias is None else bias, (*lead, 6))
