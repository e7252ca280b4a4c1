"""Document A's own equations 2 to 12 against the model's recursion.

JT 2 is built both of three prismatic joints and of a floating joint that only
slides, JT 4 of a floating joint that only turns. The root's state is given (document A's first
reading), so its base is prescribed.
"""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from differentiation import error
from document_a import (
    BALL,
    ONE,
    REVOLUTE,
    SLIDER,
    THREE_SLIDERS,
    BodyState,
    Joint,
    attitude,
    outward,
    random_joint,
    random_root,
)
from robodyn_ros.algorithms import body_motion, center_of_mass_motion
from robodyn_ros.joints import Floating, Prismatic, Revolute
from robodyn_ros.model import BaseMotion, Environment, Model, ModelBuilder

#: Both sides are a few products of numbers of order 1.
ROUNDING = 1e-13


class Assembly:
    """The same bodies as a model, with its q, v and a."""

    def __init__(self, root_com: np.ndarray, *, prismatics: bool) -> None:
        self.builder = ModelBuilder("document A")
        self.builder.add_body("b1", mass=1.0, com=root_com)
        self.prismatics = prismatics
        self.q: list[np.ndarray] = []
        self.v: list[np.ndarray] = []
        self.a: list[np.ndarray] = []

    def hang(self, name: str, parent: str, joint: Joint) -> None:
        """Add body `name` by the joints that its type is made of."""
        self.builder.add_body(name, mass=1.0, com=joint.s)
        add = self.builder.add_joint
        if joint.jt == SLIDER:
            add(name, Prismatic(tuple(joint.g)), parent, name, position=joint.d)
            self._state(joint.gamma, joint.rate, joint.rate_rate)
        elif joint.jt == REVOLUTE:
            kind = Revolute(tuple(joint.g))
            add(name, kind, parent, name, position=joint.d, rotation=joint.C_bar)
            self._state(joint.gamma, joint.rate, joint.rate_rate)
        elif joint.jt == THREE_SLIDERS and self.prismatics:
            links = [parent, f"{name}x", f"{name}y", name]
            for k, (inner, outer) in enumerate(itertools.pairwise(links)):
                if outer != name:
                    self.builder.add_body(outer)
                kind = Prismatic(tuple(ONE[k]))
                add(f"{name}{k}", kind, inner, outer, position=joint.d if k == 0 else np.zeros(3))
            self._state(joint.gamma, joint.rate, joint.rate_rate)
        else:
            add(name, Floating(), parent, name, position=joint.d)
            still = np.zeros(3)
            if joint.jt == BALL:
                q = np.concatenate([still, joint.gamma])
                rates = [np.concatenate([x, still]) for x in (joint.rate, joint.rate_rate)]
            else:
                q = np.concatenate([joint.gamma, [0.0, 0.0, 0.0, 1.0]])
                rates = [np.concatenate([still, x]) for x in (joint.rate, joint.rate_rate)]
            self._state(q, *rates)

    def _state(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> None:
        self.q.append(q)
        self.v.append(v)
        self.a.append(a)

    def build(self) -> tuple[Model, list[np.ndarray]]:
        """Return the model and its state."""
        state = [np.concatenate(part) for part in (self.q, self.v, self.a)]
        return self.builder.build("prescribed"), state


def assert_equal(
    assembly: Assembly, root: BodyState, root_com: np.ndarray, bodies: dict[str, tuple]
) -> None:
    model, state = assembly.build()
    given = BaseMotion(root.eta, root.C, root.w, root.v, root.dw, root.dv)
    environment = Environment(base_motion=given)
    motion = body_motion(model, *state, environment=environment)
    centres = center_of_mass_motion(model, *state, environment=environment)
    for name, (body, s) in {"b1": (root, root_com), **bodies}.items():
        row = model.body_index(name)
        assert error(motion.rotation[row], body.C) < ROUNDING
        assert error(motion.position[row], body.eta) < ROUNDING
        assert error(motion.angular_velocity[row], body.w) < ROUNDING
        assert error(motion.linear_velocity[row], body.v) < ROUNDING
        assert error(motion.angular_acceleration[row], body.dw) < ROUNDING
        assert error(motion.linear_acceleration[row], body.dv) < ROUNDING
        for ours, theirs in zip(centres, body.centre(s), strict=True):
            assert error(ours[row], theirs) < ROUNDING


TYPES = (SLIDER, THREE_SLIDERS, REVOLUTE, BALL)


@pytest.mark.parametrize("prismatics", [True, False], ids=["prismatics", "floating"])
@pytest.mark.parametrize("types", list(itertools.product(TYPES, TYPES)), ids=str)
def test_chains_of_every_two_joint_types(types: tuple[int, int], prismatics: bool) -> None:
    rng = np.random.default_rng([*types, 5])
    root, root_com = random_root(rng), rng.normal(size=3)
    second, third = (random_joint(jt, rng) for jt in types)
    assembly = Assembly(root_com, prismatics=prismatics)
    assembly.hang("b2", "b1", second)
    assembly.hang("b3", "b2", third)
    b2 = outward(root, second)
    assert_equal(
        assembly, root, root_com, {"b2": (b2, second.s), "b3": (outward(b2, third), third.s)}
    )


@pytest.mark.parametrize("seed", range(3))
def test_a_branched_tree_of_all_four(seed: int) -> None:
    """Parents (0, 1, 1, 2, 2, 3): branches share their parent's state only."""
    rng = np.random.default_rng(seed)
    root, root_com = random_root(rng), rng.normal(size=3)
    assembly = Assembly(root_com, prismatics=True)
    states = {"b1": root}
    bodies = {}
    for name, parent, jt in (
        ("b2", "b1", BALL),
        ("b4", "b2", SLIDER),
        ("b5", "b2", REVOLUTE),
        ("b3", "b1", REVOLUTE),
        ("b6", "b3", THREE_SLIDERS),
    ):
        joint = random_joint(jt, rng)
        assembly.hang(name, parent, joint)
        states[name] = outward(states[parent], joint)
        bodies[name] = (states[name], joint.s)
    assert_equal(assembly, root, root_com, bodies)


def test_a_six_dof_joint_is_three_sliders_and_then_a_ball() -> None:
    """Document A's example: (gamma_jp, gamma_j) = (x, q) with d_j = 0."""
    rng = np.random.default_rng(11)
    root = random_root(rng)
    slide, turn = random_joint(THREE_SLIDERS, rng), random_joint(BALL, rng)
    turn.d = np.zeros(3)
    end = outward(outward(root, slide), turn)
    # The same by one floating joint, whose rates are both in the child's axes.
    builder = ModelBuilder("six_dof")
    builder.add_body("b1")
    builder.add_body("b2", com=turn.s)
    builder.add_joint("j", Floating(), "b1", "b2", position=slide.d)
    back = attitude(turn).T
    q = np.concatenate([slide.gamma, turn.gamma])
    velocity = back @ slide.rate
    acceleration = back @ slide.rate_rate - np.cross(turn.rate, velocity)
    given = BaseMotion(root.eta, root.C, root.w, root.v, root.dw, root.dv)
    motion = body_motion(
        builder.build("prescribed"),
        q,
        np.concatenate([turn.rate, velocity]),
        np.concatenate([turn.rate_rate, acceleration]),
        environment=Environment(base_motion=given),
    )
    for found, expected in zip(motion, (end.eta, end.C, end.w, end.v, end.dw, end.dv), strict=True):
        assert error(found[2], expected) < ROUNDING


def test_a_universal_joint_is_two_revolutes_with_perpendicular_axes() -> None:
    """Document A's example; perpendicular means (C-bar g_j) . g_jp = 0, in the frame of jp."""
    rng = np.random.default_rng(12)
    root, root_com = random_root(rng), rng.normal(size=3)
    first, second = random_joint(REVOLUTE, rng), random_joint(REVOLUTE, rng)
    second.d = np.zeros(3)
    across = np.cross(second.C_bar.T @ first.g, rng.normal(size=3))
    second.g = across / np.linalg.norm(across)
    assembly = Assembly(root_com, prismatics=True)
    assembly.hang("cross", "b1", first)
    assembly.hang("b2", "cross", second)
    middle = outward(root, first)
    end = outward(middle, second)
    assert error(middle.eta, end.eta) < ROUNDING
    assert abs((middle.C @ first.g) @ (end.C @ second.g)) < ROUNDING
    assert_equal(assembly, root, root_com, {"cross": (middle, first.s), "b2": (end, second.s)})


def test_a_root_with_a_joint_of_its_own_on_the_inertial_frame() -> None:
    """Document A's second reading: C_0 = 1, eta_0 = omega_0 = 0 and i = 1..N."""
    rng = np.random.default_rng(13)
    still = BodyState(ONE, *np.zeros((5, 3)))
    joint = random_joint(REVOLUTE, rng)
    builder = ModelBuilder("second reading")
    builder.add_body("ground")
    builder.add_body("b1", com=joint.s)
    builder.add_joint(
        "j", Revolute(tuple(joint.g)), "ground", "b1", position=joint.d, rotation=joint.C_bar
    )
    model = builder.build()
    state = (joint.gamma, joint.rate, joint.rate_rate)
    end = outward(still, joint)
    motion = body_motion(model, *state)
    for found, expected in zip(motion, (end.eta, end.C, end.w, end.v, end.dw, end.dv), strict=True):
        assert error(found[1], expected) < ROUNDING
    for found, expected in zip(
        center_of_mass_motion(model, *state), end.centre(joint.s), strict=True
    ):
        assert error(found[1], expected) < ROUNDING
