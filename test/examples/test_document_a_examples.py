"""The examples of document A's joints, against its own equations 2 to 19."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import document_a as a
import robodyn_ros as rd
from differentiation import error
from robodyn_ros.spatial import rotation_from_rpy

EXAMPLES = Path(__file__).parents[2] / "examples"
ROUNDING = 1e-13

#: What body_motion calls document A's C, eta, omega and so on.
QUANTITIES = {
    "rotation": "C",
    "position": "eta",
    "angular_velocity": "w",
    "linear_velocity": "v",
    "angular_acceleration": "dw",
    "linear_acceleration": "dv",
}


def vector(*entries: float) -> np.ndarray:
    return np.array(entries, dtype=float)


def ship() -> a.BodyState:
    """Return the state of body 1, as the file has it."""
    return a.BodyState(
        rotation_from_rpy([0.1, -0.05, 0.4]),
        vector(0, 0, 1),
        vector(0.08, -0.05, 0.02),
        vector(3, 1, 0.2),
        vector(-0.03, 0.06, 0.01),
        vector(0.1, -0.2, 0.4),
    )


def crane(robot: rd.Robot, q: np.ndarray, v: np.ndarray, dv: np.ndarray) -> dict[str, a.Joint]:
    """Return the joints as document A describes them, each in a state of the robot's."""
    described = {
        "slewing": a.Joint(
            *(a.REVOLUTE, vector(-1, 0.2, 3), vector(2.5, 0, 0), vector(0, 0, 1)),
            rotation_from_rpy([0.05, -0.1, 0.3]),
        ),
        "trolley": a.Joint(a.SLIDER, vector(0.8, 0, -0.25), vector(0, 0, -0.1), vector(1, 0, 0)),
        "hook": a.Joint(a.BALL, vector(0, 0, -0.2), vector(0, 0, -0.6)),
        "mounts": a.Joint(a.THREE_SLIDERS, vector(2, 0, -0.5), vector(0, 0, 0.4)),
    }
    for name, joint in described.items():
        own = robot.model.own_joint(name)
        joint.gamma = q[own.q_index : own.q_index + own.joint.nq]
        joint.rate, joint.rate_rate = (x[own.v_index : own.v_index + own.joint.nv] for x in (v, dv))
    return described


def states(joints: dict[str, a.Joint]) -> dict[str, a.BodyState]:
    """Return every body's state, from the ship outwards."""
    jib = a.outward(ship(), joints["slewing"])
    trolley = a.outward(jib, joints["trolley"])
    hook = a.outward(trolley, joints["hook"])
    load = a.outward(ship(), joints["mounts"])
    return {"ship": ship(), "jib": jib, "trolley": trolley, "hook": hook, "load": load}


@pytest.mark.parametrize("seed", range(3))
def test_motion_of_the_crane(seed: int) -> None:
    robot = rd.load(EXAMPLES / "crane_on_a_ship.yaml", compile="off")
    assert robot.model.base == "prescribed"
    rng = np.random.default_rng(seed)
    q = robot.random_configuration(rng)
    v, dv = rng.normal(size=(2, robot.model.nv))
    joints = crane(robot, q, v, dv)
    expected = states(joints)
    motion, centres = robot.body_motion(q, v, dv), robot.center_of_mass_motion(q, v, dv)
    s = {"jib": "slewing", "trolley": "trolley", "hook": "hook", "load": "mounts"}
    for name, body in expected.items():
        row = robot.model.body_index(name)
        for quantity, field in QUANTITIES.items():
            found = getattr(motion, quantity)[row]
            assert error(found, getattr(body, field)) < ROUNDING, (name, quantity)
        offset = joints[s[name]].s if name in s else vector(0.5, 0, -0.8)
        for ours, theirs in zip(centres, body.centre(offset), strict=True):
            assert error(ours[row], theirs) < ROUNDING


def point(body: a.BodyState, p: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return equations 14, 15 and 16 with p_j of 13."""
    p = body.C @ p
    turning = np.cross(body.w, p)
    acceleration = body.dv + np.cross(body.dw, p) + np.cross(body.w, turning)
    return body.eta + p, body.v + turning, acceleration


def direction(body: a.BodyState, u: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return equations 17, 18 and 19."""
    u = body.C @ u
    return (
        u,
        np.cross(body.w, u),
        np.cross(body.dw, u) + np.cross(body.w, np.cross(body.w, u)),
    )


@pytest.mark.parametrize("seed", range(3))
def test_markers_of_the_crane(seed: int) -> None:
    robot = rd.load(EXAMPLES / "crane_on_a_ship.yaml", compile="off")
    rng = np.random.default_rng(10 + seed)
    q = robot.random_configuration(rng)
    v, dv = rng.normal(size=(2, robot.model.nv))
    bodies = states(crane(robot, q, v, dv))
    expected = {
        "jib_tip": point(bodies["jib"], vector(5, 0, 0)),
        "hook_tip": point(bodies["hook"], vector(0, 0, -1)),
        "mast_foot": point(bodies["ship"], vector(-1, 0.2, 0)),
        "along_jib": direction(bodies["jib"], vector(1, 0, 0)),
        "along_hook": direction(bodies["hook"], vector(0, 0, -1)),
        "bow": direction(bodies["ship"], vector(1, 0, 0)),
    }
    motion = robot.marker_motion(q, v, dv)
    assert [marker.name for marker in robot.model.markers] == list(expected)
    for row, (name, values) in enumerate(expected.items()):
        for quantity, value in zip(motion, values, strict=True):
            assert error(quantity[row], value) < ROUNDING, name


TWICE = {
    "universal_joint.yaml": ("serial_shaft", "shaft", 2),
    "six_dof_joint.yaml": ("serial_body", "body", 6),
}


@pytest.mark.parametrize("name", TWICE)
def test_joints_in_series_are_the_joint_of_its_own(name: str) -> None:
    """Equal coordinates: equal motion but for the place, and equal dynamics."""
    serial, own, nv = TWICE[name]
    robot = rd.load(EXAMPLES / name, compile="off")
    model = robot.model
    assert model.nv == 2 * nv
    rng = np.random.default_rng(4)
    half = robot.random_configuration(rng)[: model.nq // 2]
    q = np.concatenate([half, half])
    v, dv = (np.tile(x, 2) for x in rng.normal(size=(2, nv)))
    motion = robot.body_motion(q, v, dv)
    first, second = model.body_index(serial), model.body_index(own)
    for quantity in QUANTITIES.keys() - {"position"}:
        values = getattr(motion, quantity)
        assert error(values[first], values[second]) < ROUNDING, quantity
    neutral = robot.body_motion(robot.neutral()).position
    moved = motion.position - neutral
    assert error(moved[first], moved[second]) < ROUNDING
    M, tau = robot.mass_matrix(q), robot.inverse_dynamics(q, v, dv)
    assert error(M[:nv, :nv], M[nv:, nv:]) < ROUNDING
    assert error(M[:nv, nv:], np.zeros((nv, nv))) == 0.0
    assert error(tau[:nv], tau[nv:]) < ROUNDING


def test_universal_by_document_a() -> None:
    """Two JT 3 in series, whose axes are perpendicular in any position."""
    robot = rd.load(EXAMPLES / "universal_joint.yaml", compile="off")
    angles, rates, accelerations = np.random.default_rng(1).normal(size=(3, 2))
    state = a.BodyState(np.eye(3), *np.zeros((5, 3)))
    axes = []
    for k, d in enumerate((vector(0, 0.15, 0), vector(0, 0, 0))):
        numbers = (x[k : k + 1] for x in (angles, rates, accelerations))
        joint = a.Joint(a.REVOLUTE, d, np.zeros(3), np.eye(3)[k], np.eye(3), *numbers)
        state = a.outward(state, joint)
        axes.append(state.C @ joint.g)
    assert axes[0] @ axes[1] == pytest.approx(0.0, abs=1e-15)
    q, v, dv = (np.concatenate([np.zeros(2), x]) for x in (angles, rates, accelerations))
    motion = robot.body_motion(q, v, dv)
    row = robot.model.body_index("shaft")
    assert error(motion.rotation[row], state.C) < ROUNDING
    assert error(motion.position[row], state.eta) < ROUNDING
    assert error(motion.angular_velocity[row], state.w) < ROUNDING
    assert error(motion.angular_acceleration[row], state.dw) < ROUNDING
