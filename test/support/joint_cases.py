"""One joint of every catalogue row for each of several axes, and each seen from its other end."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from robodyn_ros.joints import JOINT_TYPES, Joint, Reversed
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

#: Axes of another length only: a joint normalises them, so that reversing it shows nothing new.
SAME_DIRECTIONS = ("-z", "-tiny", "-huge")

#: Where the reversed joints' predecessor frame sits in the old parent.
PLACEMENT = (rotation_from_rpy([0.4, -1.1, 2.0]), np.array([0.3, -0.2, 0.7]))


def _every_joint() -> dict[str, Joint]:
    """Return the cases by name; a type with other parameters than an axis needs an entry here."""
    cases: dict[str, Joint] = {}
    for name, joint_type in JOINT_TYPES.items():
        parameters = {field.name for field in fields(joint_type)}  # type: ignore[arg-type]
        if parameters == {"axis"}:
            cases |= {f"{name}-{a}": joint_type(axis=x) for a, x in AXES.items()}  # type: ignore[call-arg]
        elif not parameters:
            cases[name] = joint_type()
        else:
            raise NotImplementedError(f"say which {name} joints to test, with {parameters}")
    turned = {name: case for name, case in cases.items() if not name.endswith(SAME_DIRECTIONS)}
    return cases | {f"reversed-{name}": Reversed(case, *PLACEMENT) for name, case in turned.items()}


JOINTS = _every_joint()


def state(joint: Joint, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return random coordinates, rates and their derivatives of order 1."""
    from robodyn_ros.joints import JointLimits

    rng = np.random.default_rng(seed)
    q = joint.random(rng, JointLimits())
    return q, rng.uniform(-1.0, 1.0, joint.nv), rng.uniform(-1.0, 1.0, joint.nv)


def same_place(joint: Joint, a: np.ndarray, b: np.ndarray) -> float:
    """Return how far apart two coordinate vectors are, both signs of a quaternion being one."""
    a, b = np.array(a), np.array(b)
    if joint.quaternion_start is not None:
        part = slice(joint.quaternion_start, joint.quaternion_start + 4)
        sign = np.sign(np.sum(a[..., part] * b[..., part], axis=-1, keepdims=True))
        a[..., part] *= sign
    return float(np.max(np.abs(a - b), initial=0.0))


def subspace_at(joint: Joint, q: np.ndarray) -> np.ndarray:
    """Return S (..., 6, nv), with the batch axes of q whatever the joint broadcasts."""
    return np.broadcast_to(joint.motion_subspace(q), (*q.shape[:-1], 6, joint.nv))


def bias_at(joint: Joint, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Return the bias (..., 6), zero where the joint has none."""
    bias = joint.bias(q, v)
    lead = np.broadcast_shapes(q.shape[:-1], v.shape[:-1])
    return np.broadcast_to(np.zeros(6) if bias is None else bias, (*lead, 6))
