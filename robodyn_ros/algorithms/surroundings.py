"""What dynamics needs besides the state, in the form that every algorithm of it reads."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from robodyn_ros.model import BaseMotion, Environment, Model
from robodyn_ros.model.regrouping import regrouped
from robodyn_ros.spatial import Array, apply, transpose


class Surroundings(NamedTuple):
    """Run-time state and parameters; any of it may be symbols.

    Attributes:
        gravity: (3,) physical vector, world axes, m/s^2.
        base: motion of a prescribed base.
        inertias: (n, 10) inertial parameters of the lumps; see `robodyn_ros.model.inertia`.
        regrouped: (n, 10) moments for joint efforts; see `robodyn_ros.model.regrouping`.
        joints: (nz, 3) armature, damping and Coulomb friction of each joint rate.
        limits: (nz,) pivots of the mass matrix that count as lost, see `algorithms.singular`; None
            to have them worked out from `inertias`.
    """

    gravity: Array
    base: BaseMotion
    inertias: Array
    regrouped: Array
    joints: Array
    limits: Array | None = None

    @classmethod
    def of(cls, model: Model, environment: Environment) -> Surroundings:
        """Return the surroundings of a model in an environment."""
        tree = model.lumped
        inertias, moments = tree.inertias, tree.regrouped
        if environment.payloads:
            inertias = inertias + environment.payload_inertias(model)
            moments = regrouped(tree, inertias)
        return cls(
            environment.gravity,
            environment.base_motion,
            inertias,
            moments,
            environment.joints(model),
        )

    def weightless(self) -> Surroundings:
        """Return these surroundings without gravity."""
        return self._replace(gravity=np.zeros(3))

    def resting(self) -> Surroundings:
        """Return these surroundings with the base at rest where it is."""
        return self._replace(base=BaseMotion(self.base.position, self.base.rotation))

    def unaccelerated(self) -> Surroundings:
        """Return these surroundings with the base's accelerations at zero."""
        zero = np.zeros(3)
        base = replace(self.base, angular_acceleration=zero, linear_acceleration=zero)
        return self._replace(base=base)

    def without_speed(self) -> Surroundings:
        """Return these surroundings with the base's velocities at zero."""
        zero = np.zeros(3)
        base = replace(self.base, angular_velocity=zero, linear_velocity=zero)
        return self._replace(base=base)

    def root_state(self, model: Model) -> tuple[Array, Array, Array, Array]:
        """Return R_WB and, in its own axes, w, dw and the acceleration less gravity, of lump 0."""
        if model.base != "prescribed":
            zero = np.zeros(3)
            return np.eye(3), zero, zero, -self.gravity
        R_WB = self.base.rotation
        R_BW = transpose(R_WB)
        return (
            R_WB,
            apply(R_BW, self.base.angular_velocity),
            apply(R_BW, self.base.angular_acceleration),
            apply(R_BW, self.base.linear_acceleration - self.gravity),
        )

    def lead(self, model: Model) -> tuple[int, ...]:
        """Return the leading axes that a prescribed base's motion brings along."""
        return self.base.lead if model.base == "prescribed" else ()
