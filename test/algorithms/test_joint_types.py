"""Dynamics over every joint type: a ball, the joint, a revolute joint, with bodies that matter.

Identities for all of them; Pinocchio where it has the joint or can put it together.
"""

from __future__ import annotations

import functools
from collections.abc import Callable

import numpy as np
import pinocchio as pin
import pytest

from differentiation import derivatives, error
from joint_cases import CHOICES, JOINTS
from robodyn_ros import algorithms
from robodyn_ros.joints import (
    Cylindrical,
    Gimbal,
    Helical,
    Joint,
    Revolute,
    Spherical,
    Translational,
    Universal,
)
from robodyn_ros.model import Model, ModelBuilder
from robodyn_ros.spatial import rotation_from_rpy

ROUNDING = 1e-10
DIFFERENCE = 1e-8
FEW = ("2", "32", "231", "121")
#: Every type and both ends of it; other axes and sequences show nothing new here.
ALIKE = (
    *("-x", "-z", "minus_z", "-tiny", "-huge"),
    *(f"gimbal-{name}" for name in CHOICES["gimbal"] if name.isdigit() and name not in FEW),
)
MOVING = sorted(name for name, joint in JOINTS.items() if joint.nv and not name.endswith(ALIKE))
every_joint = pytest.mark.parametrize("name", MOVING)


class Links:
    """Three links behind a ball, a joint and a revolute joint, random but always the same."""

    def __init__(self, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self.rotations = [rotation_from_rpy(rng.uniform(-3, 3, 3)) for _ in range(3)]
        self.positions = rng.uniform(-1, 1, (3, 3))
        self.coms = rng.uniform(-0.5, 0.5, (3, 3))
        self.masses = rng.uniform(1.0, 2.0, 3)
        roots = rng.uniform(-1, 1, (3, 3, 3))
        self.inertias = [0.2 * (root @ root.T + np.eye(3)) for root in roots]

    def model(self, joint: Joint) -> Model:
        """Return them as our model."""
        builder = ModelBuilder("links")
        builder.add_body("0")
        for i, kind in enumerate((Spherical(), joint, Revolute((0.0, 1.0, 0.0)))):
            mass, com, inertia = self.masses[i], self.coms[i], self.inertias[i]
            builder.add_body(str(i + 1), mass=mass, com=com, inertia=inertia)
            R, p = self.rotations[i], self.positions[i]
            builder.add_joint(f"j{i}", kind, str(i), str(i + 1), rotation=R, position=p)
        return builder.build()

    def counterpart(self, joint: object) -> pin.Model:
        """Return them as Pinocchio's model."""
        other = pin.Model()
        parent = 0
        kinds = (pin.JointModelSpherical(), joint, pin.JointModelRY())
        for i, kind in enumerate(kinds):
            place = pin.SE3(self.rotations[i], self.positions[i])
            parent = other.addJoint(parent, kind, place, f"j{i}")
            inertia = pin.Inertia(self.masses[i], self.coms[i], self.inertias[i])
            other.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
        return other


@functools.cache
def model_of(name: str) -> Model:
    return Links().model(JOINTS[name])


def state(model: Model, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q = algorithms.random_configuration(model, rng)
    return q, *rng.uniform(-1.0, 1.0, (2, model.nv))


@every_joint
def test_inverse_and_forward_dynamics_agree(name: str) -> None:
    model = model_of(name)
    q, v, a = state(model)
    tau = algorithms.inverse_dynamics(model, q, v, a)
    M = algorithms.mass_matrix(model, q)
    h = algorithms.bias_force(model, q, v)
    assert error(M @ a + h, tau) < ROUNDING
    assert error(M @ algorithms.forward_dynamics(model, q, v, tau) + h, tau) < ROUNDING
    assert np.linalg.eigvalsh(M)[0] > 0.0
    C = algorithms.coriolis_matrix(model, q, v)
    assert error(C @ v + algorithms.gravity_force(model, q), h) < ROUNDING


@every_joint
def test_power_is_the_rate_of_energy(name: str) -> None:
    model = model_of(name)
    q, v, a = state(model, 1)
    tau = algorithms.inverse_dynamics(model, q, v, a)

    def energies(t: np.ndarray) -> np.ndarray:
        t = t[:, None]
        found = algorithms.energy(
            model, algorithms.integrate(model, q, v * t + 0.5 * a * t * t), v + a * t
        )
        return found.kinetic + found.potential

    power = derivatives(energies, h=0.01)[0]
    assert abs(power - tau @ v) < DIFFERENCE * max(1.0, abs(power))


@every_joint
def test_derivatives_of_inverse_dynamics(name: str) -> None:
    model = model_of(name)
    q, v, a = state(model, 2)
    found = algorithms.inverse_dynamics_derivatives(model, q, v, a)
    units = np.eye(model.nv)

    def along_q(unit: np.ndarray) -> np.ndarray:
        def moved(t: np.ndarray) -> np.ndarray:
            there = algorithms.integrate(model, q, unit * t[:, None])
            return algorithms.inverse_dynamics(model, there, v, a)

        return derivatives(moved, h=0.01)[0]

    def along_v(unit: np.ndarray) -> np.ndarray:
        ahead, behind = (algorithms.inverse_dynamics(model, q, v + s * unit, a) for s in (1, -1))
        return 0.5 * (ahead - behind)  # quadratic in v, so that this is exact

    assert error(found[0], np.stack([along_q(unit) for unit in units], axis=-1)) < DIFFERENCE
    assert error(found[1], np.stack([along_v(unit) for unit in units], axis=-1)) < ROUNDING
    assert error(found[2], algorithms.mass_matrix(model, q)) < ROUNDING


def composite(*kinds: object) -> pin.JointModelComposite:
    joint = pin.JointModelComposite(len(kinds))
    for kind in kinds:
        joint.addJoint(kind)
    return joint


def turn(digit: str) -> object:
    return (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)[int(digit) - 1]()


AXIS, OTHER = np.array([0.6, 0.0, -0.8]), np.array([0.0, 1.0, 0.0])
#: Ours and Pinocchio's, with equal coordinates and rates.
PAIRS: dict[str, tuple[Joint, Callable[[], object]]] = {
    "spherical": (Spherical(), pin.JointModelSpherical),
    "spherical inner z": (
        Spherical(inner=[(0, 0, 1)]),
        lambda: composite(pin.JointModelPZ(), pin.JointModelSpherical()),
    ),
    "translational": (Translational(), pin.JointModelTranslation),
    "one slider": (
        Translational(outer=[AXIS]),
        lambda: pin.JointModelPrismaticUnaligned(-AXIS),
    ),
    "universal": (
        Universal(tuple(AXIS), tuple(OTHER)),
        lambda: pin.JointModelUniversal(AXIS, OTHER),
    ),
    "helical": (Helical(tuple(AXIS), pitch=0.3), lambda: pin.JointModelHelicalUnaligned(AXIS, 0.3)),
    "cylindrical": (
        Cylindrical((0, 0, 1)),
        lambda: composite(pin.JointModelRZ(), pin.JointModelPZ()),
    ),
    "euler zyx": (Gimbal("321"), pin.JointModelSphericalZYX),
    **{
        f"gimbal {sequence}": (
            Gimbal(sequence),
            lambda sequence=sequence: composite(*map(turn, sequence)),
        )
        for sequence in ("12", "31", "123", "231", "121", "313", "212")
    },
    "document B's example": (
        Gimbal("23", outer=[(0, 0, 1)]),
        lambda: composite(
            turn("2"), turn("3"), pin.JointModelPrismaticUnaligned(np.array([0.0, 0.0, -1.0]))
        ),
    ),
}


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("seed", range(2))
def test_pinocchio_has_the_same_dynamics(name: str, seed: int) -> None:
    joint, counterpart = PAIRS[name]
    links = Links(seed)
    model, other = links.model(joint), links.counterpart(counterpart())
    q, v, a = state(model, seed)
    order_q = np.arange(model.nq)
    order_v = np.arange(model.nv)
    if joint.inner if isinstance(joint, Spherical) else ():
        # Theirs has the slider first, ours last.
        order_q[4:9], order_v[3:7] = [8, 4, 5, 6, 7], [6, 3, 4, 5]
    data = other.createData()
    theirs = pin.rnea(other, data, q[order_q], v[order_v], a[order_v])
    assert error(algorithms.inverse_dynamics(model, q, v, a)[order_v], theirs) < ROUNDING
    M = pin.crba(other, data, q[order_q])
    M = np.triu(M) + np.triu(M, 1).T
    assert error(algorithms.mass_matrix(model, q)[np.ix_(order_v, order_v)], M) < ROUNDING
    assert (
        error(
            algorithms.forward_dynamics(model, q, v, theirs[np.argsort(order_v)]),
            pin.aba(other, data, q[order_q], v[order_v], theirs)[np.argsort(order_v)],
        )
        < 100 * ROUNDING
    )
    pin.forwardKinematics(other, data, q[order_q], v[order_v], a[order_v])
    found = algorithms.body_motion(model, q, v, a)
    for body, place in enumerate(data.oMi):
        assert error(found.rotation[body], place.rotation) < ROUNDING
        assert error(found.position[body], place.translation) < ROUNDING
    last = other.njoints - 1
    acceleration = pin.getClassicalAcceleration(other, data, last, pin.LOCAL_WORLD_ALIGNED)
    assert error(found.linear_acceleration[-1], acceleration.linear) < ROUNDING
    assert error(found.angular_acceleration[-1], acceleration.angular) < ROUNDING
