"""Mimic joints: chains in any order resolve to one affine function of the joint that drives."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from differentiation import error
from robodyn_ros.algorithms import body_motion
from robodyn_ros.errors import DescriptionError, UnknownNameError
from robodyn_ros.joints import Continuous, Fixed, Floating, Joint, Planar, Prismatic, Revolute
from robodyn_ros.model import AffineFollower, Model, ModelBuilder

Z = Revolute((0.0, 0.0, 1.0))
SLIDE = Prismatic((1.0, 0.0, 0.0))


def star(**joints: Joint) -> ModelBuilder:
    """Return a builder with one link, called as its joint with _link, on the base per joint."""
    builder = ModelBuilder("star")
    builder.add_body("base")
    for i, (name, joint) in enumerate(joints.items()):
        builder.add_body(f"{name}_link", mass=1.0)
        builder.add_joint(name, joint, "base", f"{name}_link", position=(0, i, 0))
    return builder


def refusal(builder: ModelBuilder) -> str:
    with pytest.raises(DescriptionError) as caught:
        builder.build()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def chain(order: tuple[int, ...]) -> Model:
    """A follows b, b follows c, c follows d; the three mimics added in `order`."""
    builder = star(a=Z, b=Z, c=SLIDE, d=Z)
    mimics = [("a", "b", 2.0, 0.1), ("b", "c", -3.0, 0.2), ("c", "d", 0.5, -0.3)]
    for k in order:
        builder.add_mimic(*mimics[k])
    return builder.build()


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_chains_are_followed_to_their_end(order: tuple[int, ...]) -> None:
    model = chain(order)
    assert model.joint_names == model.coordinate_names == ("d",)
    assert (model.nq, model.nv) == (1, 1)
    # c = 0.5 d - 0.3; b = -3 c + 0.2 = -1.5 d + 1.1; a = 2 b + 0.1 = -3 d + 2.3
    for name, multiplier, offset in (("c", 0.5, -0.3), ("b", -1.5, 1.1), ("a", -3.0, 2.3)):
        joint = model.joint(name)
        assert joint.is_follower
        assert joint.driver == "d"
        assert isinstance(joint.coordinates, AffineFollower)
        assert joint.coordinates.multiplier == pytest.approx(multiplier, abs=1e-15)
        assert joint.coordinates.offset == pytest.approx(offset, abs=1e-15)
        assert (joint.q_index, joint.v_index) == (0, 0)


def test_followers_move_as_told() -> None:
    model = chain((0, 1, 2))
    q, v, a = (np.array([x]) for x in (0.7, -1.3, 2.1))
    motion = body_motion(model, q, v, a)
    turn = motion.angular_velocity[model.body_index("a_link")]
    assert error(turn, np.array([0.0, 0.0, -3.0 * -1.3])) < 1e-15
    turn = motion.angular_acceleration[model.body_index("a_link")]
    assert error(turn, np.array([0.0, 0.0, -3.0 * 2.1])) < 1e-15
    slid = motion.position[model.body_index("c_link")]
    assert error(slid, np.array([0.5 * 0.7 - 0.3, 2.0, 0.0])) < 1e-15


def test_a_follower_may_stand_before_its_driver() -> None:
    builder = star(follower=Z, driver=Z)
    builder.add_mimic("follower", "driver", -1.0)
    model = builder.build()
    assert model.joint_names == ("driver",)
    assert model.joint("follower").q_index == model.joint("driver").q_index == 0


def test_several_followers_of_one_driver() -> None:
    builder = star(**dict.fromkeys("abcde", Z))
    for name in "acde":
        builder.add_mimic(name, "b")
    model = builder.build()
    assert model.joint_names == ("b",)
    assert [j.driver for _, j in model.moving] == ["b", None, "b", "b", "b"]


def test_a_chain_that_overflows_is_refused() -> None:
    builder = star(a=Z, b=Z, c=Z)
    builder.add_mimic("a", "b", 1e200)
    builder.add_mimic("b", "c", 1e200)
    text = refusal(builder)
    assert "'a'" in text
    assert "inf" in text


def test_multiplier_zero_holds_still() -> None:
    builder = star(a=Z, b=Z)
    builder.add_mimic("a", "b", 0.0, 0.4)
    motion = body_motion(builder.build(), np.array([5.0]), np.array([5.0]), np.array([5.0]))
    assert not motion.angular_velocity[1].any()
    assert motion.rotation[1, 0, 0] == np.cos(0.4)


@pytest.mark.parametrize("kind", [Continuous((0, 0, 1)), SLIDE], ids=lambda j: j.type_name)
def test_any_joint_of_one_coordinate_can_drive_and_follow(kind: Joint) -> None:
    for joints in ({"a": kind, "b": Z}, {"a": Z, "b": kind}):
        builder = star(**joints)
        builder.add_mimic("a", "b")
        assert builder.build().joint_names == ("b",)


def test_a_cycle_names_its_joints() -> None:
    builder = star(**dict.fromkeys("abcd", Z))
    for follower, driver in ("ab", "bc", "cb", "da"):
        builder.add_mimic(follower, driver)
    text = refusal(builder)
    assert "cycle" in text
    assert "b -> c -> b" in text
    assert "a ->" not in text  # it follows the cycle and is no part of it


def test_a_joint_cannot_follow_itself() -> None:
    builder = star(a=Z)
    builder.add_mimic("a", "a")
    assert "a -> a" in refusal(builder)


def test_a_long_chain_needs_no_recursion_and_no_quadratic_time() -> None:
    builder = star(**{f"j{i}": Z for i in range(3000)})
    for i in range(1, 3000):
        builder.add_mimic(f"j{i}", f"j{i - 1}")
    begin = time.monotonic()
    model = builder.build()
    assert time.monotonic() - begin < 20.0
    assert model.nv == 1
    assert model.joint("j2999").driver == "j0"


@pytest.mark.parametrize("place", ["", "line 8"])
def test_an_absent_driver(place: str) -> None:
    builder = star(a=Z, b=Z)
    builder.add_mimic("a", "ghost", where=place)
    text = refusal(builder)
    assert ("'a' (line 8)" if place else "'a'") in text
    assert "'ghost'" in text
    assert "does not exist" in text


def test_an_absent_driver_in_the_middle_of_a_chain_is_blamed_on_the_middle() -> None:
    builder = star(a=Z, b=Z)
    builder.add_mimic("a", "b")
    builder.add_mimic("b", "ghost", where="line 9")
    text = refusal(builder)
    assert "'b' (line 9)" in text
    assert "'ghost'" in text


def test_an_absent_follower() -> None:
    builder = star(a=Z)
    builder.add_mimic("ghost", "a", where="line 8")
    text = refusal(builder)
    assert "'ghost' (line 8)" in text
    assert "'a'" in text
    assert "does not exist itself" in text


@pytest.mark.parametrize("kind", [Planar(), Floating(), Fixed()], ids=lambda j: j.type_name)
def test_a_driver_without_exactly_one_coordinate(kind: Joint) -> None:
    builder = star(a=Z, b=kind)
    builder.add_mimic("a", "b", where="line 8")
    text = refusal(builder)
    assert "'a' (line 8)" in text
    assert "'b'" in text
    assert kind.type_name in text
    assert f"{kind.nv} coordinates" in text


@pytest.mark.parametrize("kind", [Planar(), Floating()], ids=lambda j: j.type_name)
def test_a_follower_of_several_coordinates(kind: Joint) -> None:
    builder = star(a=kind, b=Z)
    builder.add_mimic("a", "b")
    text = refusal(builder)
    assert "'a'" in text
    assert kind.type_name in text


def test_a_fixed_follower_is_ignored_with_a_note() -> None:
    builder = star(a=Fixed(), b=Z)
    builder.add_mimic("a", "b")
    for _ in range(2):  # building leaves the builder alone
        model = builder.build()
        assert [(n.category, n.element) for n in model.notes] == [("mimic", "a")]
        assert not model.joint("a").is_follower
        assert model.joint_names == ("b",)


def test_a_followers_coordinate_is_asked_of_its_driver() -> None:
    model = chain((0, 1, 2))
    with pytest.raises(UnknownNameError, match=r"'a' follows joint 'd'.*give 'd'"):
        model.own_joint("a")
    assert model.own_joint("d").name == "d"


def test_rerooting_keeps_who_follows_whom() -> None:
    builder = ModelBuilder("arm")
    for i in range(4):
        builder.add_body(f"l{i}", mass=1.0)
    for i in range(3):
        builder.add_joint(f"j{i}", Z, f"l{i}", f"l{i + 1}", position=(1.0, 0.2, 0.0))
    builder.add_mimic("j0", "j2", -2.0, 0.1)
    for root in (None, "l1", "l3"):
        joint = builder.build(root=root).joint("j0")
        assert joint.driver == "j2"
        assert isinstance(joint.coordinates, AffineFollower)
        assert (joint.coordinates.multiplier, joint.coordinates.offset) == (-2.0, 0.1)
