"""A plant's MjModel kept as our robot's environment and the settings say, and its forces."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cosimulation.engine import mujoco_engine
from robodyn_ros.cosimulation.plant import Plant
from robodyn_ros.cosimulation.settings import Settings
from robodyn_ros.model import Environment
from robodyn_ros.model.inertia import moved, parameters_of

Floats = NDArray[np.float64]

_FASTEST = 1e8
"""rad/s or m/s beyond which a motion is none."""
_SOLVER = {"implicitfast": "IMPLICITFAST", "implicit": "IMPLICIT", "euler": "EULER", "rk4": "RK4"}


class Energy(NamedTuple):
    """Energies of robot and payloads, J; potential energy is 0 at the world's origin."""

    kinetic: float
    potential: float


class Physics:
    """What MuJoCo computes a plant's motion with.

    Attributes:
        plant: both models.
        data: MuJoCo's state.
    """

    def __init__(self, plant: Plant, settings: Settings, environment: Environment) -> None:
        """Set the model up.

        Raises:
            UnknownNameError: settings name a link or joint that there is not.
        """
        self.plant = plant
        self._engine = engine = mujoco_engine()
        self._settings = settings
        self._compiled = compiled = plant.compiled
        self._base = plant.inertias(settings.errors.factors(plant.model))
        self._resistance = settings.errors.resistance(plant.model)
        self._dofs = self._dofs_of_rates()
        compiled.opt.timestep = settings.step
        compiled.opt.integrator = getattr(
            engine.mjtIntegrator, f"mjINT_{_SOLVER[settings.integrator]}"
        )
        disable = engine.mjtDisableBit
        off = int(disable.mjDSBL_ACTUATION) | int(disable.mjDSBL_AUTORESET)
        off |= 0 if settings.contacts else int(disable.mjDSBL_CONTACT)
        off |= 0 if settings.limits else int(disable.mjDSBL_LIMIT)
        compiled.opt.disableflags = int(compiled.opt.disableflags) | off
        self._limit()
        self._environment: Environment | None = None
        self.data: Any = engine.MjData(compiled)
        self._scratch: Any = engine.MjData(compiled)
        self.refresh(environment)

    def refresh(self, environment: Environment) -> None:
        """Take gravity, payloads and joint parameters of an environment, unless they are taken."""
        if environment is self._environment:
            return
        plant, compiled = self.plant, self._compiled
        compiled.opt.gravity[:] = environment.gravity
        rows = environment.joints(plant.model).copy()
        rows[:, 1:] += self._resistance
        if not self._settings.friction:
            rows[:, 1:] = 0.0
        for row, dof in zip(rows, self._dofs, strict=True):
            compiled.dof_armature[dof] = row[0]
            compiled.dof_damping[dof] = row[1]
            compiled.dof_frictionloss[dof] = row[2]
        inertias = self._base.copy()
        for load in environment.payloads:
            seat = plant.seat(plant.model.frame(load.frame))
            own = parameters_of(load.mass, load.com, load.inertia)
            inertias[seat.body] += moved(own, seat.rotation, seat.position)
        plant.write_inertias(inertias)
        self._environment = environment

    def enter(self, q: Floats, v: Floats) -> None:
        """Go to a state of ours, with nothing remembered of what was before."""
        self._engine.mj_resetData(self._compiled, self.data)
        self.data.qpos[:], self.data.qvel[:] = self.plant.coordinates.theirs(q, v)

    def exert(self, efforts: Floats, wrenches: Mapping[str, Floats]) -> None:
        """Let motors exert efforts (nv,), and wrenches act, in the next step.

        Wrenches are [moment; force] (6,) at the origin of each frame, in its axes.
        """
        data = self.data
        data.qfrc_applied[:] = self.plant.coordinates.their_efforts(efforts, data.qpos)
        if not wrenches:
            data.xfrc_applied[:] = 0.0
            return
        self._engine.mj_kinematics(self._compiled, data)
        data.xfrc_applied[:] = 0.0
        for frame, wrench in wrenches.items():
            seat = self.plant.seat(self.plant.model.frame(frame))
            R_WB = data.xmat[seat.body].reshape(3, 3)
            R_WF = R_WB @ seat.rotation
            force, moment = R_WF @ wrench[3:], R_WF @ wrench[:3]
            lever = data.xpos[seat.body] + R_WB @ seat.position - data.xipos[seat.body]
            acting = data.xfrc_applied[seat.body]
            acting[:3] += force
            acting[3:] += moment + np.cross(lever, force)

    def step(self, steps: int) -> bool:
        """Take steps; return whether the state is one still, with rates within bounds."""
        data = self.data
        self._engine.mj_step(self._compiled, data, steps)
        qpos, qvel = data.qpos, data.qvel
        return bool(qvel.dot(qvel) < _FASTEST**2 and math.isfinite(qpos.dot(qpos)))

    def weight(self, q: Floats) -> Floats:
        """Return the efforts (nv,) that hold the robot at rest where it is."""
        scratch = self._scratch
        scratch.qpos[:], scratch.qvel[:] = self.data.qpos, 0.0
        self._engine.mj_kinematics(self._compiled, scratch)
        self._engine.mj_comPos(self._compiled, scratch)
        self._engine.mj_comVel(self._compiled, scratch)
        efforts = np.zeros(self._compiled.nv)
        self._engine.mj_rne(self._compiled, scratch, 0, efforts)
        return self.plant.coordinates.our_efforts(efforts, q, scratch.qpos)

    @property
    def energy(self) -> Energy:
        """Energies of the state."""
        engine, compiled, scratch = self._engine, self._compiled, self._scratch
        scratch.qpos[:], scratch.qvel[:] = self.data.qpos, self.data.qvel
        engine.mj_fwdPosition(compiled, scratch)
        engine.mj_fwdVelocity(compiled, scratch)
        engine.mj_energyPos(compiled, scratch)
        engine.mj_energyVel(compiled, scratch)
        return Energy(float(scratch.energy[1]), float(scratch.energy[0]))

    def _dofs_of_rates(self) -> list[int]:
        """Return the entry of qvel of every joint rate, followers among them."""
        coordinates = self.plant.coordinates
        own = coordinates.dofs()
        followers = {follower.joint.name: follower.dof for follower in coordinates.followers}
        found: list[int] = []
        for lump in self.plant.model.lumped.lumps:
            joint = lump.joint
            if joint.is_follower:
                found.append(followers[joint.name])
            else:
                found += [own[joint.v_index + k] for k in range(joint.joint.nv)]
        return found

    def _limit(self) -> None:
        """Let hinges and slides stop at the limits of our joints."""
        compiled, settings = self._compiled, self._settings
        for lump in self.plant.model.lumped.lumps:
            joint = lump.joint
            if joint.joint.type_name == "continuous":
                continue
            for k, limits in enumerate(joint.rate_limits):
                place = joint.joint.rate_coordinates()[k]
                if place is None or (limits.lower is None and limits.upper is None):
                    continue
                number = int(compiled.dof_jntid[self._dofs[lump.rates.start + k]])
                compiled.jnt_limited[number] = 1
                compiled.jnt_range[number] = (
                    -1e9 if limits.lower is None else limits.lower,
                    1e9 if limits.upper is None else limits.upper,
                )
                compiled.jnt_solref[number] = (
                    max(settings.limit_time_constant, 2.0 * settings.step),
                    settings.limit_damping_ratio,
                )
