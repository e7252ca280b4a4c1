"""What a builder takes where nothing is said: no mass, the origin, no turn, nothing known."""

from __future__ import annotations

import numpy as np

from robodyn_ros.joints import JointLimits, Revolute
from robodyn_ros.model import Model, ModelBuilder


def pair() -> Model:
    builder = ModelBuilder("pair")
    builder.add_body("a")
    builder.add_body("b")
    builder.add_body("c", has_inertial=False)
    builder.add_joint("j", Revolute((0, 0, 1)), "a", "b")
    builder.add_joint("k", Revolute((0, 0, 1)), "b", "c")
    builder.add_mimic("k", "j")
    builder.add_frame("f", "b")
    return builder.build()


def test_a_body_is_massless_at_its_origin() -> None:
    body = pair().bodies[1]
    assert body.mass == 0.0
    assert body.com.tolist() == [0.0, 0.0, 0.0]
    assert np.array_equal(body.inertia, np.zeros((3, 3)))
    assert [body.has_inertial for body in pair().bodies] == [True, True, False]


def test_a_joint_sits_in_the_parents_frame_without_losses_or_limits() -> None:
    joint = pair().joint("j")
    assert joint.position.tolist() == [0.0, 0.0, 0.0]
    assert np.array_equal(joint.rotation, np.eye(3))
    assert joint.limits == JointLimits(None, None, None, None)
    assert (joint.damping, joint.friction) == (0.0, 0.0)
    assert joint.driver is None
    assert not joint.is_follower


def test_a_mimic_repeats_its_driver() -> None:
    coordinates = pair().joint("k").coordinates
    assert (coordinates.multiplier, coordinates.offset) == (1.0, 0.0)  # type: ignore[attr-defined]


def test_a_frame_is_its_bodys() -> None:
    frame = pair().frame("f")
    assert frame.body == 1
    assert frame.position.tolist() == [0.0, 0.0, 0.0]
    assert np.array_equal(frame.rotation, np.eye(3))


def test_a_model_is_fixed_at_its_own_root_without_frames_or_notes() -> None:
    model = pair()
    assert model.name == "pair"
    assert model.base == "fixed"
    assert model.body_names[0] == "a"
    assert model.notes == ()
    assert [frame.name for frame in model.extra_frames] == ["f"]
