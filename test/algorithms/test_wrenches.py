"""External wrenches: J^T w at any frame, in world axes or the frame's own."""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import error
from environments import random_environment
from robodyn_ros.algorithms import (
    body_motion,
    effort_terms,
    forward_dynamics,
    inverse_dynamics,
    jacobian,
)
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Environment, Frame, Model, Payload
from robots import every_base, example, loaded, random_state, random_tree
from tracing import TRACE_TOLERANCE, traced
from urdf_text import joint, link, robot

G = 9.81
#: Sums over a dozen bodies of products of order 10.
ROUNDING = 1e-12


def attitude(model: Model, q: np.ndarray, frame: Frame, environment: Environment) -> np.ndarray:
    """Return R_WF."""
    motion = body_motion(model, q, environment=environment)
    return motion.rotation[frame.body] @ frame.rotation


@every_base
@pytest.mark.parametrize("root", [None, "b8"])
@pytest.mark.parametrize("seed", range(2))
def test_they_act_through_the_transposed_jacobian(seed: int, root: str | None, base: str) -> None:
    """At every frame: of moving, fixed, following links, the root's, and the tool's."""
    model = random_tree(seed, base=base, root=root)
    state = random_state(model, seed)
    given = random_environment(model, seed, "tool")
    without = inverse_dynamics(model, *state, environment=given)
    rng = np.random.default_rng(seed)
    for name, frame in model.frames.items():
        w = rng.normal(size=6)
        J = jacobian(model, state[0], name, environment=given)
        found = inverse_dynamics(model, *state, environment=given, external_wrenches={name: w})
        assert error(found, without - J.T @ w) < ROUNDING
        R = attitude(model, state[0], frame, given)
        own = np.concatenate([R.T @ w[:3], R.T @ w[3:]])
        found = inverse_dynamics(
            model, *state, environment=given, external_wrenches={name: own}, wrench_axes="local"
        )
        assert error(found, without - J.T @ w) < ROUNDING


@every_base
@pytest.mark.parametrize("axes", ["world", "local"])
def test_several_add_up_and_have_a_term_of_their_own(axes, base: str) -> None:
    model = random_tree(3, base=base)
    state = random_state(model, 3)
    given = random_environment(model, 3)
    rng = np.random.default_rng(3)
    wrenches = {name: rng.normal(size=6) for name in ("tool", "b11", "b4", "b0", "b6")}
    how = {"environment": given, "wrench_axes": axes}
    without = inverse_dynamics(model, *state, environment=given)
    total = sum(
        inverse_dynamics(model, *state, external_wrenches={name: w}, **how) - without
        for name, w in wrenches.items()
    )
    together = inverse_dynamics(model, *state, external_wrenches=wrenches, **how)
    assert error(together - without, total) < ROUNDING
    terms = effort_terms(model, *state, external_wrenches=wrenches, **how)
    assert error(terms.external, total) < ROUNDING
    assert not effort_terms(model, *state, environment=given).external.any()


@pytest.mark.parametrize(
    ("name", "frame"),
    [("ur5_robot.urdf", "tool0"), ("panda.urdf", "panda_hand"), ("talos_left_arm.urdf", None)],
)
def test_ten_newtons_down_are_one_kilogram_at_rest(name: str, frame: str | None) -> None:
    """1.0194 kg, exactly 10 N / g, at the frame's origin."""
    model = loaded(example(name))
    frame = frame or model.body_names[-1]
    q = random_state(model, 1)[0]
    kilogram = Payload("load", frame, 10.0 / G, np.zeros(3), np.zeros((3, 3)))
    assert round(kilogram.mass, 4) == 1.0194
    carried = inverse_dynamics(model, q, environment=Environment().with_payload(kilogram))
    down = np.array([0.0, 0.0, 0.0, 0.0, 0.0, -10.0])
    pushed = inverse_dynamics(model, q, external_wrenches={frame: down})
    assert error(pushed, carried) < ROUNDING
    assert error(pushed, inverse_dynamics(model, q)) > 0.1
    R = attitude(model, q, model.frame(frame), Environment())
    own = np.concatenate([np.zeros(3), R.T @ down[3:]])
    local = inverse_dynamics(model, q, external_wrenches={frame: own}, wrench_axes="local")
    assert error(local, carried) < ROUNDING


def test_the_sign_in_closed_form() -> None:
    """A force that lifts the arm takes load off its joint; own axes turn with the arm."""
    model = robot(
        link("base"),
        link("arm"),
        link("tip"),
        joint("turn", "base", "arm", "continuous"),
        joint("end", "arm", "tip", xyz=(2.0, 0.0, 0.0), rpy=(0.0, 0.0, np.pi / 2.0)),
    )
    q = np.array([0.5])
    lift = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 3.0])
    # About y a positive angle lowers the tip: lifting it asks the joint for a positive effort.
    world = inverse_dynamics(model, q, external_wrenches={"tip": lift})
    assert error(world, np.array([3.0 * 2.0 * np.cos(0.5)])) < ROUNDING
    local = inverse_dynamics(model, q, external_wrenches={"tip": lift}, wrench_axes="local")
    assert error(local, np.array([3.0 * 2.0])) < ROUNDING
    # The tip's y axis points against the arm's x: about it a moment of the joint's axis is -x.
    twist = np.array([5.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    local = inverse_dynamics(model, q, external_wrenches={"tip": twist}, wrench_axes="local")
    assert error(local, np.array([-5.0])) < ROUNDING


@every_base
def test_forward_dynamics_takes_the_same_wrenches(base: str) -> None:
    model = random_tree(2, base=base)
    q, v, a = random_state(model, 2)
    given = random_environment(model, 2)
    wrenches = {"tool": np.arange(6.0), "b5": -np.ones(6)}
    for axes in ("world", "local"):
        how = {"environment": given, "external_wrenches": wrenches, "wrench_axes": axes}
        efforts = inverse_dynamics(model, q, v, a, **how)
        found = forward_dynamics(model, q, v, efforts, **how)
        again = inverse_dynamics(model, q, v, found, **how)
        assert error(again, efforts) < 1e-10


@pytest.mark.parametrize("axes", ["world", "local"])
def test_batches_of_states_and_of_wrenches(axes) -> None:  # type: ignore[no-untyped-def]
    model = random_tree(3)
    states = [random_state(model, seed) for seed in range(4)]
    batch = tuple(np.stack(rows) for rows in zip(*states, strict=True))
    many = np.random.default_rng(0).normal(size=(4, 6))

    def efforts(state: tuple[np.ndarray, ...], w: np.ndarray) -> np.ndarray:
        wrenches = {"tool": w, "b2": np.ones(6)}
        return inverse_dynamics(model, *state, external_wrenches=wrenches, wrench_axes=axes)

    each, one_wrench, one_state = (
        efforts(batch, many),
        efforts(batch, many[0]),
        efforts(states[0], many),
    )
    for row in range(4):
        assert error(each[row], efforts(states[row], many[row])) < ROUNDING
        assert error(one_wrench[row], efforts(states[row], many[0])) < ROUNDING
        assert error(one_state[row], efforts(states[0], many[row])) < ROUNDING


@pytest.mark.parametrize("axes", ["world", "local"])
def test_symbols_equal_floats(axes) -> None:  # type: ignore[no-untyped-def]
    model = random_tree(4, base="floating")
    state = random_state(model, 4)
    wrenches = {"tool": np.arange(6.0), "b5": -np.ones(6)}

    def efforts(*state: np.ndarray) -> np.ndarray:
        return inverse_dynamics(model, *state, external_wrenches=wrenches, wrench_axes=axes)

    assert error(traced(efforts, *state)[0], efforts(*state)) < 10 * TRACE_TOLERANCE


def test_unknown_frames_and_axes_are_named() -> None:
    model = random_tree(0)
    q = random_state(model, 0)[0]
    with pytest.raises(UnknownNameError, match=r"no frame is called 'tol'.*tool"):
        inverse_dynamics(model, q, external_wrenches={"tol": np.zeros(6)})
    with pytest.raises(ArgumentError, match="wrench_axes must be 'world' or 'local'"):
        inverse_dynamics(
            model,
            q,
            external_wrenches={"tool": np.zeros(6)},
            wrench_axes="body",  # type: ignore[arg-type]
        )
