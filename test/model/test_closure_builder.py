"""What a builder makes of loops, constraint elements, controls and motors; and what it refuses."""

from __future__ import annotations

import numpy as np
import pytest

from closing_steps import ZERO, Z, built, control, follower, loop, rod
from differentiation import error
from robodyn_ros.algorithms import body_motion
from robodyn_ros.constraints.jacobian import residual
from robodyn_ros.errors import DescriptionError
from robodyn_ros.expressions import parse
from robodyn_ros.joints import Fixed, JointLimits, Planar, Spherical
from robodyn_ros.model import AffineFollower, Closure, ModelBuilder


def test_a_plain_tree_says_nothing() -> None:
    model = built()
    assert not model.is_closed
    assert model.closure == Closure()
    assert not any(body.auxiliary for body in model.bodies)


def test_loops_and_controls_come_after_the_tree() -> None:
    model = built(control(initial=0.3, initial_velocity=-1.0), loop(joint=Spherical()), rod())
    assert model.is_closed
    assert model.joint_names == ("ja", "jb", "jc", "closing", "u")
    assert model.coordinate_names[3:] == ("closing/rx", "closing/ry", "closing/rz", "u")
    assert [body.name for body in model.bodies if body.auxiliary] == ["closing_copy", "u_control"]
    assert [element.name for element in model.closure.elements] == ["closing", "rod"]
    assert model.defaults.q[-1] == 0.3
    assert model.defaults.v[-1] == -1.0
    weld = model.closure.elements[0]
    assert (weld.body_1, weld.body_2) == (model.body_index("closing_copy"), model.body_index("c"))
    assert model.closure.partition is None


def test_bodies_behind_loops_and_controls_weigh_nothing() -> None:
    model = built(control(), loop(), loop("other", Fixed()))
    assert model.mass == 4.0
    assert model.lumped.inertias[:, 0].sum() == 4.0


def test_a_loops_joint_is_a_joint() -> None:
    """Limits, friction, armature, placement and start are those it was given."""
    limits = JointLimits(-1.0, 1.0)
    at = {"position": (0.1, 0.2, 0.3), "child_position": (0.0, 0.0, 0.4)}
    model = built(
        lambda builder: builder.add_loop(
            "l",
            Z,
            "b",
            "c",
            **at,
            limits=limits,
            damping=0.1,
            friction=0.2,
            armature=0.3,
            initial=0.5,
        )
    )
    joint = model.joint("l")
    assert joint.rate_limits == (limits,)
    assert (joint.damping, joint.friction, joint.armature) == (0.1, 0.2, 0.3)
    assert model.defaults.q[3] == 0.5
    motion = body_motion(model, np.array([0.3, 0.4, 0.5, 0.6]))
    b, copy = model.body_index("b"), model.body_index("l_copy")
    found = motion.position[b] + motion.rotation[b] @ np.array([0.1, 0.2, -0.1])
    assert error(motion.position[copy], found) < 1e-15


def test_names_already_taken_are_left_alone() -> None:
    model = built(
        lambda builder: builder.add_body("closing_copy"),
        lambda builder: builder.add_joint("fixing", Fixed(), "base", "closing_copy"),
        lambda builder: builder.add_frame("u_control", "b"),
        loop(),
        control(),
        loop("floating_base", Z, "a", "c"),
        base="floating",
    )
    assert model.body_names[-3:] == ("closing_copy_", "floating_base_copy", "u_control_")
    assert model.joints[1].name == "floating_base_"  # type: ignore[union-attr]
    names = [joint.name for _, joint in model.moving]
    assert len(set(names)) == len(names)


def test_who_has_a_motor_and_who_is_independent() -> None:
    def say(builder: ModelBuilder) -> None:
        builder.set_actuated(["jc", "closing", "jc"])
        builder.set_independent(["closing/rz", "ja"])

    model = built(loop(joint=Spherical()), say)
    assert model.closure.actuated == (2, 3, 4, 5)
    assert model.closure.preferred == (5, 0)
    tree = built(lambda builder: builder.set_actuated(["ja"]))
    assert tree.closure.actuated == (0,)
    assert not tree.is_closed


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_world_is_what_does_not_move(base: str) -> None:
    model = built(rod(first="world"), loop("l", Fixed(), "world", "c"), base=base)
    elements = {element.name: element for element in model.closure.elements}
    assert elements["rod"].body_1 == 0
    copy = model.body_index("l_copy")
    assert model.parent[copy] == 0


def test_a_link_called_world_is_that_link() -> None:
    builder = ModelBuilder("worldly")
    for name in ("root", "world", "arm"):
        builder.add_body(name, mass=1.0)
    builder.add_joint("j", Z, "root", "world")
    builder.add_joint("k", Z, "world", "arm")
    builder.add_rod("r", "root", ZERO, "arm", ZERO, 1.0)
    builder.add_rod("s", "world", ZERO, "root", ZERO, 1.0)
    model = builder.build("prescribed")
    assert model.body_names[0] == "world_"
    assert model.closure.elements[1].body_1 == model.body_index("world")


def test_links_that_no_joint_carries_float() -> None:
    steps = (
        lambda builder: builder.add_body("d", mass=1.0),
        lambda builder: builder.add_rod("d_free", "d", ZERO, "c", ZERO, 1.0),
    )
    model = built(*steps)
    assert model.joint("d_free_").joint.type_name == "floating"
    assert [(note.category, note.element) for note in model.notes] == [("cluster", "d_free_")]
    assert "'d'" in model.notes[0].text
    assert (model.nq, model.nv) == (10, 9)
    assert built(*steps, root="d").joint_names[0] == "base_free"
    rerooted = built(*steps, root="b")
    assert rerooted.body_names[0] == "b"
    assert rerooted.joint("d_free_").parent == rerooted.body_index("base")


def test_without_constraints_a_loose_link_is_an_error() -> None:
    with pytest.raises(DescriptionError, match="2 root links: 'base', 'd'"):
        built(lambda builder: builder.add_body("d"), control())


@pytest.mark.parametrize("root", ["a", "b", "c"])
def test_another_root_leaves_the_equations_alone(root: str) -> None:
    steps = (control(initial=0.2), loop(joint=Spherical()), rod(length=parse("1 + u^2")))
    q = {"ja": 0.4, "jb": -0.7, "jc": 0.9, "u": 0.2}
    values = []
    for model in (built(*steps), built(*steps, root=root)):
        state = np.array(model.defaults.q)
        for name, value in q.items():
            state[model.joint(name).q_index] = value
        values.append(residual(model, state))
    assert error(*values) < 1e-14


def test_loops_may_mimic_and_controls_may_drive() -> None:
    model = built(
        control(),
        loop(),
        lambda builder: builder.add_mimic("closing", "u", 2.0, 0.1),
        lambda builder: builder.add_mimic("ja", "jb", -1.0),
    )
    assert model.joint_names == ("jb", "jc", "u")
    assert isinstance(model.joint("closing").coordinates, AffineFollower)
    assert model.joint("closing").driver == "u"
    assert model.joint("closing").q_index == 2


def test_a_planar_joint_follows_one_formula_for_each_number() -> None:
    model = built(control(), loop("l", Planar()), follower("l", "u", "u^2", "0.1*u"))
    joint = model.joint("l")
    assert joint.is_follower
    assert joint.driver == "u"
    assert joint.coordinates.columns() == (3,)
    assert (
        error(joint.coordinates.position(np.array([0, 0, 0, 3.0])), np.array([3, 9, 0.3])) < 1e-15
    )
