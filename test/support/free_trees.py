"""Random trees without followers, and surroundings in which everything happens at once."""

from __future__ import annotations

import numpy as np

from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder, Payload
from robodyn_ros.spatial import rotation_from_rpy
from robots import random_joint


def uncoupled_tree(seed: int, base: str = "fixed", root: str | None = None) -> Model:
    """Return a branched tree with every joint type, rotors, and no followers."""
    rng = np.random.default_rng([100, seed])
    builder = ModelBuilder(f"free{seed}")
    for i in range(12):
        half = rng.normal(size=(3, 3))
        builder.add_body(
            f"b{i}", mass=rng.uniform(0.1, 3.0), com=rng.normal(size=3), inertia=half @ half.T
        )
        if i:
            builder.add_joint(
                f"j{i}",
                random_joint(rng, i + seed),
                f"b{rng.integers(max(0, i - 3), i)}",
                f"b{i}",
                position=rng.uniform(-0.5, 0.5, 3),
                rotation=rotation_from_rpy(rng.uniform(-np.pi, np.pi, 3)),
                armature=0.3 * (i % 2),
            )
    return builder.build(base, root)  # type: ignore[arg-type]


def busy_environment(model: Model, seed: int) -> Environment:
    """Return tilted gravity, a payload, joint parameters and a moving base."""
    rng = np.random.default_rng([7, seed])
    position, w, v, dw, dv, tilt = rng.uniform(-1.0, 1.0, (6, 3))
    motion = BaseMotion(position, rotation_from_rpy(tilt), w, v, dw, dv)
    load = Payload("load", model.body_names[-1], 1.5, rng.normal(size=3), 0.1 * np.eye(3))
    parameters = rng.uniform(0.0, 0.5, (model.lumped.rates, 3))
    environment = Environment(gravity=np.array([1.0, -2.0, -9.0]), base_motion=motion)
    return environment.with_payload(load).with_joint_parameters(parameters)
