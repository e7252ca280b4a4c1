"""Random run-time state: gravity, payloads, joint parameters, motion of a prescribed base."""

from __future__ import annotations

import numpy as np

from robodyn_ros.model import BaseMotion, Environment, Model, Payload
from robodyn_ros.spatial import quaternion_exponential, quaternion_to_matrix


def random_base(seed: int, *lead: int) -> BaseMotion:
    """Return a moving base."""
    rng = np.random.default_rng(seed)
    p, turn, w, v, dw, dv = rng.normal(size=(6, *lead, 3))
    return BaseMotion(p, quaternion_to_matrix(quaternion_exponential(turn)), w, v, dw, dv)


def random_inertia(rng: np.random.Generator) -> np.ndarray:
    """Return an inertia (3, 3) that a rigid body can have."""
    points = rng.normal(size=(5, 3))
    spread = points.T @ points
    return np.trace(spread) * np.eye(3) - spread


def random_payload(frame: str, seed: int) -> Payload:
    """Return something to carry, by its frame's name."""
    rng = np.random.default_rng(seed)
    return Payload(frame, frame, rng.uniform(0.5, 3.0), rng.normal(size=3), random_inertia(rng))


def random_environment(
    model: Model, seed: int, *carriers: str, lead: tuple[int, ...] = ()
) -> Environment:
    """Return an environment in which all there is matters; `carriers` are frames with payloads.

    Args:
        model: the model.
        seed: of what is random.
        carriers: names of frames that carry a payload each.
        lead: leading axes of the base's motion.
    """
    rng = np.random.default_rng(seed)
    environment = Environment(base_motion=random_base(seed, *lead)).with_gravity(rng.normal(size=3))
    parameters = rng.uniform(0.1, 1.0, size=(model.lumped.rates, 3))
    environment = environment.with_joint_parameters(parameters)
    for k, frame in enumerate(carriers):
        environment = environment.with_payload(random_payload(frame, seed + k + 1))
    return environment
