"""Names in any order to entries of q and v, and every misuse of them."""

from __future__ import annotations

import numpy as np
import pytest

from dynamics_requests import positions
from robodyn_ros.algorithms import neutral
from robodyn_ros.errors import ArgumentError, UnknownNameError
from robodyn_ros.model import Model
from robodyn_ros.ros.services.coordinates import MAX_PLANS, Coordinates
from robots import OWN_ROBOTS, loaded, random_state, random_tree


@pytest.fixture(scope="module")
def every() -> Model:
    """A robot with every joint type, planar and floating ones among them."""
    return loaded(OWN_ROBOTS / "every_joint.urdf")


def test_no_names_are_all_in_the_models_order(every: Model) -> None:
    plan = Coordinates(every).plan([])
    assert plan.names == every.coordinate_names
    assert plan.in_order
    assert plan.missing == ()
    assert plan.rest == ()


@pytest.mark.parametrize("seed", range(10))
def test_shuffled_names_give_the_same_q_and_v(seed: int) -> None:
    model = random_tree(seed)
    q, v, _ = random_state(model, seed)
    position = positions(model, q)
    order = np.random.default_rng(seed).permutation(model.nv)
    plan = Coordinates(model).plan([model.coordinate_names[i] for i in order])
    np.testing.assert_allclose(plan.coordinates(position[order], neutral(model)), q, atol=1e-14)
    np.testing.assert_array_equal(plan.rates(v[order], np.zeros(model.nv)), v)
    np.testing.assert_array_equal(plan.of(v), v[order])


def test_a_part_keeps_the_rest(every: Model) -> None:
    q, v, _ = random_state(every, 3)
    plan = Coordinates(every).plan(["right_shoulder/rz", "hip"])
    shoulder, hip = every.own_joint("right_shoulder"), every.own_joint("hip")
    found, rates = plan.coordinates(np.array([0.4, -0.2]), q), plan.rates(np.array([3.0, 5.0]), v)
    expected, others = q.copy(), v.copy()
    expected[[shoulder.q_index + 2, hip.q_index]] = 0.4, -0.2
    others[[shoulder.v_index + 2, hip.v_index]] = 3.0, 5.0
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(rates, others)
    assert "right_shoulder" in [joint.name for joint in plan.rest]
    assert "hip" not in [joint.name for joint in plan.rest]
    assert set(plan.missing) == set(every.coordinate_names) - {"right_shoulder/rz", "hip"}


def test_the_sliders_of_a_ball_are_its_coordinates_behind_the_quaternion() -> None:
    model = loaded(OWN_ROBOTS / "every_type.yaml")
    q, _, _ = random_state(model, 5)
    found = Coordinates(model).plan(["ball/outer_x", "ball/z"]).coordinates(np.array([2.0, 1.0]), q)
    expected = q.copy()
    start = model.own_joint("ball").q_index
    expected[[start + 4, start + 5]] = 1.0, 2.0
    np.testing.assert_array_equal(found, expected)


def test_a_floating_joints_place_without_its_attitude(every: Model) -> None:
    q, _, _ = random_state(every, 4)
    plan = Coordinates(every).plan(["string/z", "string/x", "string/y"])
    found = plan.coordinates(np.array([3.0, 1.0, 2.0]), q)
    start = every.own_joint("string").q_index
    np.testing.assert_array_equal(found[start : start + 3], [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(found[start + 3 : start + 7], q[start + 3 : start + 7])


def test_an_attitude_is_a_rotation_vector(every: Model) -> None:
    plan = Coordinates(every).plan(["string/ry", "string/rz", "string/rx"])
    found = plan.coordinates(np.array([0.0, np.pi / 2, 0.0]), neutral(every))
    start = every.own_joint("string").q_index
    half = np.sqrt(0.5)
    np.testing.assert_allclose(found[start + 3 : start + 7], [0, 0, half, half], atol=1e-15)


def test_part_of_an_attitude_is_refused(every: Model) -> None:
    with pytest.raises(ArgumentError, match=r"'string/ry' but not all of .*rotation vector"):
        Coordinates(every).plan(["string/ry", "hip"])


def test_a_name_twice_is_named(every: Model) -> None:
    with pytest.raises(ArgumentError, match=r"names has 'hip' more than once"):
        Coordinates(every).plan(["hip", "roll", "hip"])


def test_an_unknown_name_gets_the_nearest(every: Model) -> None:
    with pytest.raises(UnknownNameError, match=r"no coordinate is called 'hipp'; available: hip"):
        Coordinates(every).plan(["hipp"])


def test_a_joint_of_several_coordinates_tells_them(every: Model) -> None:
    with pytest.raises(UnknownNameError, match=r"right_shoulder/x, right_shoulder/y.* instead"):
        Coordinates(every).plan(["right_shoulder"])


def test_a_fixed_joint_has_none(every: Model) -> None:
    with pytest.raises(UnknownNameError, match=r"joint 'mount' is fixed: .* leave it out"):
        Coordinates(every).plan(["mount"])


def test_a_prescribed_base_has_none() -> None:
    model = loaded(OWN_ROBOTS / "every_joint.urdf", "prescribed")
    base = model.joints[1]
    assert base is not None
    with pytest.raises(UnknownNameError, match=rf"'{base.name}' is prescribed: .* leave it out"):
        Coordinates(model).plan([base.name])


def test_a_follower_names_its_driver() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf")
    follower = next(joint for _, joint in model.moving if joint.is_follower)
    with pytest.raises(UnknownNameError, match=f"follows joint {follower.driver!r}"):
        Coordinates(model).plan([follower.name])


def test_a_prescribed_base_is_part_of_the_rest() -> None:
    model = loaded(OWN_ROBOTS / "mimic_chain.urdf", "prescribed")
    coordinates = Coordinates(model)
    assert coordinates.plan(model.coordinate_names).rest == ()
    assert coordinates.plan(model.coordinate_names[:1]).rest[-1] is model.joints[1]


def test_an_endless_name_costs_little_and_is_cut(every: Model) -> None:
    with pytest.raises(UnknownNameError) as error:
        Coordinates(every).plan(["hip" * 1_000_000])
    assert len(str(error.value)) < 500


def test_plans_are_remembered_and_bounded(every: Model) -> None:
    coordinates = Coordinates(every)
    first = coordinates.plan(["hip"])
    assert coordinates.plan(["hip"]) is first
    rng = np.random.default_rng(0)
    names = [n for n in every.coordinate_names if not n.startswith("string")]
    for _ in range(3 * MAX_PLANS):
        coordinates.plan([names[i] for i in rng.permutation(len(names))])
    assert len(vars(coordinates)["_plans"]) <= MAX_PLANS
