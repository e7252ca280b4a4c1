"""The geometric Jacobian: J v is a frame's velocity, J a + dJ/dt v its acceleration."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from robodyn_ros.algorithms import body_motion, integrate, jacobian
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.model import BaseMotion, Environment, Frame, Model
from robodyn_ros.spatial import apply, cross, quaternion_exponential, quaternion_to_matrix
from robots import every_base, loaded, own_urdfs, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced

#: Sums over a dozen bodies of products of order 1.
ROUNDING = 1e-13
ROOTS = pytest.mark.parametrize("root", [None, "b8"])


def base_motion(rng: np.random.Generator, *lead: int) -> BaseMotion:
    """Return a resting base somewhere: Jacobians see its place only."""
    zero = np.zeros((*lead, 3))
    turn = quaternion_to_matrix(quaternion_exponential(rng.normal(size=(*lead, 3))))
    return BaseMotion(rng.normal(size=(*lead, 3)), turn, zero, zero, zero, zero)


def environment(*lead: int) -> Environment:
    return Environment(base_motion=base_motion(np.random.default_rng(2), *lead))


def frame_velocity(
    model: Model, frame: Frame, *state: np.ndarray, environment: Environment
) -> np.ndarray:
    """Return [omega; velocity of the frame's origin] from the motion of the body it is in."""
    motion = body_motion(model, *state, environment=environment)
    b = frame.body
    w = motion.angular_velocity[..., b, :]
    arm = apply(motion.rotation[..., b, :, :], frame.position)
    return np.concatenate([w, motion.linear_velocity[..., b, :] + cross(w, arm)], axis=-1)


@every_base
@ROOTS
@pytest.mark.parametrize("seed", range(3))
def test_jacobian_times_rates_is_every_frames_velocity(
    seed: int, root: str | None, base: str
) -> None:
    model = random_tree(seed, base=base, root=root)
    q, v, _ = random_state(model, seed)
    given = environment()
    for name, frame in model.frames.items():
        J = jacobian(model, q, name, environment=given)
        assert J.shape == (6, model.nv)
        velocity = frame_velocity(model, frame, q, v, environment=given)
        assert error(J @ v, velocity) < ROUNDING
        assert error(jacobian(model, q, frame, environment=given), J) == 0.0


@every_base
@pytest.mark.parametrize("seed", range(2))
def test_its_time_derivative_completes_the_acceleration(seed: int, base: str) -> None:
    model = random_tree(seed, base=base)
    q, v, a = random_state(model, seed)
    given = environment()
    motion = body_motion(model, q, v, a, environment=given)
    for name in ("b3", "b7", "b11", "tool"):
        frame = model.frame(name)

        def along(t: np.ndarray, name: str = name) -> np.ndarray:
            here = integrate(model, q, v * t[:, None])
            return jacobian(model, here, name, environment=given)

        rate, _ = derivatives(along)
        found = jacobian(model, q, name, environment=given) @ a + rate @ v
        b = frame.body
        w, dw = motion.angular_velocity[b], motion.angular_acceleration[b]
        arm = motion.rotation[b] @ frame.position
        linear = motion.linear_acceleration[b] + cross(dw, arm) + cross(w, cross(w, arm))
        assert error(found, np.concatenate([dw, linear])) < FIRST_TOLERANCE


@pytest.mark.parametrize("seed", range(3))
def test_columns_are_derivatives_along_the_tangent(seed: int) -> None:
    """Column k is d/de of the frame's place at integrate(q, e e_k)."""
    model = random_tree(seed, base="floating")
    q = random_state(model, seed)[0]
    J = jacobian(model, q, "tool")
    frame = model.frame("tool")
    for k, direction in enumerate(np.eye(model.nv)):

        def place(e: np.ndarray, direction: np.ndarray = direction) -> np.ndarray:
            motion = body_motion(model, integrate(model, q, direction * e[:, None]))
            here = motion.position[:, frame.body]
            return here + apply(motion.rotation[:, frame.body], frame.position)

        assert error(J[3:, k], derivatives(place)[0]) < FIRST_TOLERANCE


@every_base
def test_columns_of_joints_that_do_not_carry_the_frame_are_exactly_zero(base: str) -> None:
    model = random_tree(1, base=base)
    q = random_state(model, 1)[0]
    for name, frame in model.frames.items():
        J = jacobian(model, q, name)
        carrying = set(model.support(frame.body))
        for k in range(model.nv):
            moving = ((i, j) for i, j in model.moving if j.joint.nv)
            movers = {i for i, j in moving if k in j.coordinates.columns()}
            if not movers & carrying:
                assert not J[:, k].any()


def test_a_followers_part_is_in_its_drivers_column() -> None:
    """A driver that does not carry the frame still moves it by its follower."""
    model = random_tree(0)
    q, v, _ = random_state(model, 0)
    followers = [(i, joint) for i, joint in model.moving if joint.is_follower]
    assert followers
    for i, joint in followers:
        driver = model.joint(joint.driver or "")
        place = next(k for k, other in model.moving if other is driver)
        J = jacobian(model, q, model.body_names[i])
        assert J[:, joint.v_index].any()
        assert driver.v_index == joint.v_index
        if place not in model.support(i):
            only = np.zeros(model.nv)
            only[driver.v_index] = v[driver.v_index]
            moved = body_motion(model, q, only)
            found = (J @ only)[:3]
            assert error(found, moved.angular_velocity[i]) < ROUNDING


def test_frames_of_one_body_share_their_angular_rows() -> None:
    model = random_tree(2)
    q = random_state(model, 2)[0]
    tool, link = jacobian(model, q, "tool"), jacobian(model, q, "b11")
    assert np.array_equal(tool[:3], link[:3])
    assert error(tool[3:], link[3:]) > 1e-3


@every_base
@pytest.mark.parametrize("frame", ["tool", "b0", "b4"])
def test_batches_equal_singles(base: str, frame: str) -> None:
    model = random_tree(3, base=base)
    q = np.stack([random_state(model, seed)[0] for seed in range(4)])
    given = environment()
    whole = jacobian(model, q, frame, environment=given)
    assert whole.shape == (4, 6, model.nv)
    for row in range(4):
        assert error(whole[row], jacobian(model, q[row], frame, environment=given)) < ROUNDING
    assert jacobian(model, q[:0], frame, environment=given).shape == (0, 6, model.nv)
    grid = q.reshape(2, 2, -1)
    assert error(jacobian(model, grid, frame, environment=given)[1, 0], whole[2]) < ROUNDING


@pytest.mark.parametrize("frame", ["tool", "b0", "world"])
def test_a_batch_of_base_motions_carries_a_single_configuration(frame: str) -> None:
    model = random_tree(3, base="prescribed")
    q = random_state(model, 3)[0]
    many = environment(4)
    whole = jacobian(model, q, frame, environment=many)
    assert whole.shape == (4, 6, model.nv)
    for row in range(4):
        fields = (getattr(many.base_motion, name)[row] for name in vars(many.base_motion))
        one = Environment(base_motion=BaseMotion(*fields))
        assert error(whole[row], jacobian(model, q, frame, environment=one)) < ROUNDING


@every_base
def test_symbols_equal_floats(base: str) -> None:
    model = random_tree(4, base=base)
    q = random_state(model, 4)[0]
    found = traced(lambda q: jacobian(model, q, "tool"), q)[0]
    assert error(found, jacobian(model, q, "tool")) < 10 * TRACE_TOLERANCE


@pytest.mark.parametrize("path", own_urdfs(), ids=lambda path: path.stem)
def test_our_own_descriptions(path) -> None:  # type: ignore[no-untyped-def]
    model = loaded(path)
    q, v, _ = random_state(model, 5)
    motion = body_motion(model, q, v)
    for i, name in enumerate(model.body_names):
        velocity = np.concatenate([motion.angular_velocity[i], motion.linear_velocity[i]])
        assert error(jacobian(model, q, name) @ v, velocity) < ROUNDING


def test_an_unknown_frame_is_named() -> None:
    model = random_tree(0)
    with pytest.raises(UnknownNameError, match=r"no frame is called 'tol'.*tool"):
        jacobian(model, np.zeros(model.nq), "tol")
