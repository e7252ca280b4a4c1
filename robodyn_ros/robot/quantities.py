"""Inertia, energy, momentum and centre of mass of a robot as a whole."""

from __future__ import annotations

from numpy.typing import ArrayLike

from robodyn_ros.robot.functions import Floats, Functions
from robodyn_ros.robot.results import LazyEnergy, LazyRobotCenterOfMass


class Quantities(Functions):
    """Quantities of the whole robot, with the payloads of the environment."""

    @property
    def mass(self) -> float:
        """Mass in kg of all links, the root link included, and of the payloads of the moment.

        `model.mass` is that of the links alone.
        """
        return self._model.mass + sum(load.mass for load in self.environment.payloads)

    def mass_matrix(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return M (nv, nv) or (N, nv, nv), exactly symmetric, armature on its diagonal.

        Kinetic energy of joint rates v is v^T M v / 2; a mimic follower's inertia is on its driver.
        """
        matrix: Floats = self._call("mass_matrix", (q,), out)
        return matrix

    def coriolis_matrix(self, q: ArrayLike, v: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return C (nv, nv) or (N, nv, nv): C v is the Coriolis effort, dM/dt - 2 C is skew."""
        matrix: Floats = self._call("coriolis_matrix", (q, v), out)
        return matrix

    def energy(
        self, q: ArrayLike, v: ArrayLike | None = None, *, out: LazyEnergy | None = None
    ) -> LazyEnergy:
        """Return kinetic and potential energy in J of all links, payloads and rotors.

        The potential is 0 with everything at the world's origin; a root link at rest counts.
        """
        energy: LazyEnergy = self._call("energy", (q, *self._rates(v)), out)
        return energy

    def momentum(
        self, q: ArrayLike, v: ArrayLike | None = None, *, out: Floats | None = None
    ) -> Floats:
        """Return [angular momentum about the world's origin; linear] (6,) or (N, 6), world axes."""
        momentum: Floats = self._call("momentum", (q, *self._rates(v)), out)
        return momentum

    def centroidal_momentum(
        self, q: ArrayLike, v: ArrayLike | None = None, *, out: Floats | None = None
    ) -> Floats:
        """Return [angular momentum about the robot's centre of mass; linear] (6,), world axes.

        The centre of mass is that of all links, a root link at rest among them.
        """
        momentum: Floats = self._call("centroidal_momentum", (q, *self._rates(v)), out)
        return momentum

    def centroidal_momentum_matrix(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return A (6, nv) or (N, 6, nv): `centroidal_momentum` is A v."""
        matrix: Floats = self._call("centroidal_momentum_matrix", (q,), out)
        return matrix

    def robot_center_of_mass(
        self,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        *,
        out: LazyRobotCenterOfMass | None = None,
    ) -> LazyRobotCenterOfMass:
        """Return position, velocity and acceleration (3,) of the whole robot's centre of mass.

        World axes; all links and payloads, the root link included.
        """
        arguments = (q, *self._rates(v, a))
        center: LazyRobotCenterOfMass = self._call("robot_center_of_mass", arguments, out)
        return center

    def center_of_mass_jacobian(self, q: ArrayLike, *, out: Floats | None = None) -> Floats:
        """Return J (3, nv) or (N, 3, nv): the velocity of `robot_center_of_mass` is J v."""
        jacobian: Floats = self._call("center_of_mass_jacobian", (q,), out)
        return jacobian
