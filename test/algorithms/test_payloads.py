"""Payloads: as a link that is bolted on, gone without a trace, and right in closed form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from differentiation import error
from environments import random_environment, random_inertia, random_payload
from robodyn_ros.algorithms import (
    bias_force,
    centroidal_momentum,
    effort_terms,
    energy,
    forward_dynamics,
    gravity_force,
    inverse_dynamics,
    mass_matrix,
    robot_center_of_mass,
)
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.joints import Fixed
from robodyn_ros.model import Environment, Model, ModelBuilder, Payload
from robodyn_ros.spatial import rotation_from_rpy
from robots import every_base, example, loaded, random_joint, random_state, random_tree
from urdf_text import joint, link, robot

G = 9.81
#: Sums over a dozen bodies of products of order 10.
ROUNDING = 1e-12
ROBOTS = pytest.mark.parametrize(
    ("name", "frame"),
    [
        ("ur5_robot.urdf", "tool0"),
        ("panda.urdf", "panda_hand"),
        ("talos_reduced.urdf", "gripper_left_base_link"),
    ],
)


def answers(
    model: Model, environment: Environment, state: tuple[np.ndarray, ...]
) -> list[np.ndarray]:
    """Return everything that payloads matter to."""
    q, v, a = state
    return [
        inverse_dynamics(model, q, v, a, environment=environment),
        gravity_force(model, q, environment=environment),
        bias_force(model, q, v, environment=environment),
        mass_matrix(model, q, environment=environment),
        np.stack(energy(model, q, v, environment=environment)),
        robot_center_of_mass(model, q, environment=environment).position,
        centroidal_momentum(model, q, v, environment=environment),
    ]


def identical(one: list[np.ndarray], other: list[np.ndarray]) -> bool:
    return all(np.array_equal(x, y) for x, y in zip(one, other, strict=True))


def carriers(seed: int, base: str, *, bolted: tuple[Payload, ...] = ()) -> Model:
    """Return a tree with fixed links and frames in it, payloads bolted on as links."""
    rng = np.random.default_rng(seed)
    builder = ModelBuilder("carriers")
    for i in range(7):
        builder.add_body(f"b{i}", mass=1.0 + i, com=rng.normal(size=3), inertia=np.eye(3))
        if i:
            turned = rotation_from_rpy(rng.normal(size=3))
            kind = Fixed() if i in {3, 5} else random_joint(rng, 1 + i % 3)
            place = {"position": rng.normal(size=3), "rotation": turned}
            builder.add_joint(f"j{i}", kind, f"b{max(0, i - 2)}", f"b{i}", **place)
    builder.add_mimic("j6", "j1", -2.0, 0.1)
    frame = rng.normal(size=3), rotation_from_rpy(rng.normal(size=3))
    builder.add_frame("tool", "b5", *frame)
    for payload in bolted:
        builder.add_body(payload.name, mass=payload.mass, com=payload.com, inertia=payload.inertia)
        at_tool = payload.frame == "tool"
        place = dict(zip(("position", "rotation"), frame, strict=True)) if at_tool else {}
        carrier = "b5" if at_tool else payload.frame
        builder.add_joint(f"on {payload.name}", Fixed(), carrier, payload.name, **place)
    return builder.build(base)  # type: ignore[arg-type]


@every_base
@pytest.mark.parametrize("frame", ["b0", "b2", "b3", "b5", "b6", "tool"])
def test_a_payload_is_a_link_that_is_bolted_on(frame: str, base: str) -> None:
    """At the root, at moving, fixed and following links, and at a frame."""
    payload = replace(random_payload(frame, 3), name="load")
    bare, bolted = carriers(1, base), carriers(1, base, bolted=(payload,))
    state = random_state(bare, 1)
    given = random_environment(bare, 1)
    found = answers(bare, given.with_payload(payload), state)
    for ours, truth in zip(found, answers(bolted, given, state), strict=True):
        assert error(ours, truth) < ROUNDING


@every_base
def test_several_payloads_add_up(base: str) -> None:
    payloads = tuple(
        replace(random_payload(frame, k), name=f"load{k}")
        for k, frame in enumerate(["tool", "tool", "b2", "b6"])
    )
    bare, bolted = carriers(2, base), carriers(2, base, bolted=payloads)
    state = random_state(bare, 2)
    given = random_environment(bare, 2)
    loaded_up = given
    for payload in payloads:
        loaded_up = loaded_up.with_payload(payload)
    found = answers(bare, loaded_up, state)
    for ours, truth in zip(found, answers(bolted, given, state), strict=True):
        assert error(ours, truth) < ROUNDING


@ROBOTS
def test_nothing_to_carry_changes_no_bit(name: str, frame: str) -> None:
    model = loaded(example(name))
    state = random_state(model, 1)
    plain = Environment()
    nothing = Payload("none", frame, 0.0, np.ones(3), np.zeros((3, 3)))
    before = answers(model, plain, state)
    assert identical(answers(model, plain.with_payload(nothing), state), before)


@ROBOTS
def test_after_it_is_taken_off_no_bit_remembers_it(name: str, frame: str) -> None:
    model = loaded(example(name))
    state = random_state(model, 1)
    plain = Environment()
    before = answers(model, plain, state)
    payload = random_payload(frame, 1)
    carrying = plain.with_payload(payload)
    during = answers(model, carrying, state)
    assert error(during[0], before[0]) > 1e-2
    assert identical(answers(model, carrying.without_payload(payload.name), state), before)
    assert identical(answers(model, carrying.without_payload(), state), before)
    assert identical(answers(model, plain, state), before)
    assert identical(answers(model, carrying, state), during)


def test_one_of_the_same_name_takes_its_place() -> None:
    model = loaded(example("panda.urdf"))
    state = random_state(model, 1)
    first, second = (
        replace(random_payload(frame, seed), name="load")
        for seed, frame in enumerate(["panda_link5", "panda_hand"])
    )
    replaced = Environment().with_payload(first).with_payload(second)
    assert [payload.frame for payload in replaced.payloads] == ["panda_hand"]
    alone = Environment().with_payload(second)
    assert identical(answers(model, replaced, state), answers(model, alone, state))


def test_its_share_in_closed_form_at_rest_and_moving() -> None:
    """An arm about y: weight m g x, inertia I_yy + m l^2; I about the payload's own centre."""
    model = robot(
        link("base"),
        link("arm", 2.0, (0.5, 0.0, 0.0)),
        link("hand"),
        joint("turn", "base", "arm", "continuous"),
        joint("wrist", "arm", "hand", xyz=(1.0, 0.0, 0.2), rpy=(0.3, -0.5, 0.7)),
    )
    rng = np.random.default_rng(0)
    payload = Payload("load", "hand", 1.5, rng.normal(size=3), random_inertia(rng))
    R = rotation_from_rpy((0.3, -0.5, 0.7))
    x, _, z = np.array([1.0, 0.0, 0.2]) + R @ payload.com
    about_axis = (R @ payload.inertia @ R.T)[1, 1] + 1.5 * (x**2 + z**2)
    q, v, a = np.array([[0.4], [0.7], [-2.0]])
    given = Environment().with_payload(payload)
    # The centre's horizontal distance from the axis, turned by q about y.
    weight = -1.5 * G * (x * np.cos(0.4) + z * np.sin(0.4))
    more = gravity_force(model, q, environment=given) - gravity_force(model, q)
    assert error(more, np.array([weight])) < ROUNDING
    more = inverse_dynamics(model, q, v, a, environment=given) - inverse_dynamics(model, q, v, a)
    assert error(more, weight + about_axis * a) < ROUNDING
    efforts = inverse_dynamics(model, q, v, a, environment=given)
    assert error(forward_dynamics(model, q, v, efforts, environment=given), a) < ROUNDING


@every_base
def test_the_term_is_all_that_payloads_cause(base: str) -> None:
    model = random_tree(3, base=base)
    state = random_state(model, 3)
    given = random_environment(model, 3, "tool", "b4")
    terms = effort_terms(model, *state, environment=given)
    bare = effort_terms(model, *state, environment=given.without_payload())
    with_it = inverse_dynamics(model, *state, environment=given)
    without = inverse_dynamics(model, *state, environment=given.without_payload())
    assert error(terms.payload, with_it - without) < ROUNDING
    assert not bare.payload.any()
    for name in set(terms._fields) - {"payload", "total"}:
        assert np.array_equal(getattr(terms, name), getattr(bare, name))


def test_what_is_on_the_root_of_a_fixed_base_asks_nothing_of_the_joints() -> None:
    model = random_tree(1)
    state = random_state(model, 1)
    given = Environment().with_payload(random_payload("b0", 1))
    assert np.array_equal(
        inverse_dynamics(model, *state, environment=given), inverse_dynamics(model, *state)
    )


def test_an_unknown_carrier_is_named() -> None:
    model = random_tree(1)
    given = Environment().with_payload(random_payload("hnad", 1))
    with pytest.raises(UnknownNameError, match="no frame is called 'hnad'"):
        inverse_dynamics(model, *random_state(model, 1), environment=given)
