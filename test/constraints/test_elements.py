"""Residual, Jacobian and bias of every constraint element and loop, on random trees.

The residual is computed a second time from the motion of bodies, and differentiated numerically
along curves of constant rates, at configurations in which nothing is closed.
"""

from __future__ import annotations

import numpy as np
import pytest

from differentiation import FIRST_TOLERANCE, derivatives, error
from environments import random_base
from joint_cases import PLACEMENT
from mixed_trees import BASES, CASES, cases_by_type
from random_closures import ELEMENTS, PAIRS, Mechanism, mechanism
from robodyn_ros.algorithms import integrate
from robodyn_ros.constraints.jacobian import all_equations, bias, jacobian, residual
from robodyn_ros.joints import Cylindrical, Fixed, Revolute
from robodyn_ros.model import Environment, Model, ModelBuilder
from robodyn_ros.spatial import rotation_from_rpy

#: Sums and products of a dozen poses of order 1.
ROUNDING = 2e-13
#: Lines that are nearly parallel, and short arms, have large higher derivatives.
FIRST_STEP, SECOND_STEP = 2e-3, 3e-3
#: eps / h^2 of the second derivative, and what rounds in a dozen poses.
SECOND_TOLERANCE = 3e-9

#: A case of every catalogue type, for loops.
LOOPS = tuple(names[len(names) // 2] for names in cases_by_type())
KINDS = (*ELEMENTS, *LOOPS)


def anywhere(case: Mechanism, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Return a configuration away from the closed one, no loop turned by half a turn, and rates."""
    rng = np.random.default_rng([53, seed])
    step, v = rng.uniform(-0.3, 0.3, case.model.nv), rng.uniform(-1.0, 1.0, case.model.nv)
    return integrate(case.model, case.q, step), v


def differentiated(case: Mechanism, seed: int) -> None:
    """Compare with the independent residual and its derivatives at a random configuration."""
    model = case.model
    q, v = anywhere(case, seed)
    found = all_equations(model, q, v)
    given = Environment(base_motion=random_base(seed)) if model.base == "prescribed" else None
    assert error(found.residual, case.residual(q, given)) < ROUNDING

    def along(t: np.ndarray) -> np.ndarray:
        return case.residual(integrate(model, q, v * t[:, None]), given)

    def along_each(t: np.ndarray) -> np.ndarray:
        return case.residual(integrate(model, q, np.eye(model.nv) * t[:, None, None]), given)

    def speed(t: np.ndarray) -> np.ndarray:
        return jacobian(model, integrate(model, q, v * t[:, None])) @ v

    columns, _ = derivatives(along_each, FIRST_STEP)
    assert error(found.jacobian, columns.T) < FIRST_TOLERANCE
    assert error(found.jacobian @ v, derivatives(along, FIRST_STEP)[0]) < FIRST_TOLERANCE
    assert error(found.bias, derivatives(speed, FIRST_STEP)[0]) < FIRST_TOLERANCE
    assert error(found.bias, derivatives(along, SECOND_STEP)[1]) < SECOND_TOLERANCE


@pytest.mark.parametrize("pair", PAIRS)
@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kinds", [ELEMENTS, LOOPS[::2], LOOPS[1::2]])
def test_elements_and_loops_of_every_type(kinds: tuple[str, ...], base: str, pair: str) -> None:
    seed = BASES.index(base) + 3 * PAIRS.index(pair)
    formulas = kinds is ELEMENTS and base != "fixed"
    differentiated(mechanism(seed, kinds, pair=pair, base=base, formulas=formulas), seed)


@pytest.mark.parametrize("seed", range(3))
def test_on_trees_that_were_rerooted(seed: int) -> None:
    root = ("b3", "led", "fixed_1")[seed]
    case = mechanism(seed, [*ELEMENTS, "revolute-skew", "universal-skew"], root=root)
    differentiated(case, seed)


def test_all_kinds_and_types_take_part() -> None:
    assert {CASES[name].type_name for name in LOOPS} == {j.type_name for j in CASES.values()}
    case = mechanism(0, KINDS, formulas=True)
    types = {element.type_name for element in case.model.closure.elements}
    assert types == {*ELEMENTS, "loop"}


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("seed", range(4))
def test_closed_forms_are_exact_where_all_is_closed(seed: int, base: str) -> None:
    root = "b2" if seed == 3 else None
    case = mechanism(seed, KINDS, pair=PAIRS[seed], base=base, formulas=True, root=root)
    model, q = case.model, case.q
    assert np.max(np.abs(residual(model, q))) < ROUNDING
    plain = all_equations(model, q, None)
    v = np.random.default_rng([54, seed]).uniform(-1.0, 1.0, model.nv)
    v -= np.linalg.pinv(plain.jacobian, rcond=1e-10) @ (plain.jacobian @ v)
    assert np.max(np.abs(plain.jacobian @ v)) < 1e-12
    exact, found = (all_equations(model, q, v, closed=closed) for closed in (False, True))
    for one, other in zip(found, exact, strict=True):
        assert error(one, other) < ROUNDING


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("closed", [False, True])
def test_batches_equal_single_rows(base: str, closed: bool) -> None:
    case = mechanism(5, (*ELEMENTS, *LOOPS[::3]), base=base, formulas=True, bodies=5)
    states = [anywhere(case, seed) for seed in range(6)]
    q, v = (np.stack(rows).reshape(2, 3, -1) for rows in zip(*states, strict=True))
    whole = all_equations(case.model, q, v, closed=closed)
    for k, state in enumerate(states):
        one = all_equations(case.model, *state, closed=closed)
        for rows, row in zip(whole, one, strict=True):
            assert error(rows.reshape(6, *rows.shape[2:])[k], row) < 1e-14
    one = all_equations(case.model, q[0, 0], v, closed=closed)
    assert one.bias.shape == (2, 3, case.model.closure.rows)
    assert error(one.bias[0, 0], whole.bias[0, 0]) < 1e-14


def test_parts_equal_the_whole() -> None:
    case = mechanism(6, KINDS, formulas=True)
    q, v = anywhere(case, 6)
    whole = all_equations(case.model, q, v)
    assert np.array_equal(residual(case.model, q), whole.residual)
    assert np.array_equal(jacobian(case.model, q), whole.jacobian)
    assert np.array_equal(bias(case.model, q, v), whole.bias)


def test_rows_are_found_by_name() -> None:
    case = mechanism(0, ["rod", "universal-skew", "skew_axes", "fixed"])
    closure = case.model.closure
    assert [element.name for element in closure.elements] == ["loop1", "loop3", "e0", "e2"]
    ranges = {"loop1": range(6), "loop3": range(6, 12), "e0": range(12, 13), "e2": range(13, 14)}
    assert {name: closure.rows_of(name) for name in ranges} == ranges
    assert closure.rows_of("nothing") == range(0)
    assert closure.rows == 14


def test_what_moves_both_bodies_alike_is_not_felt() -> None:
    """A rod between two fingers of a hand knows nothing of the arm that carries it."""
    builder = ModelBuilder("hand")
    for name in ("base", "upper", "palm", "left", "right"):
        builder.add_body(name, mass=1.0)
    turn = Revolute((0.0, 0.0, 1.0))
    builder.add_joint("shoulder", turn, "base", "upper")
    builder.add_joint("elbow", turn, "upper", "palm", position=(1.0, 0.0, 0.0))
    builder.add_joint("first", turn, "palm", "left", position=(0.3, 0.1, 0.0))
    builder.add_joint("second", turn, "palm", "right", position=(0.3, -0.1, 0.0))
    builder.add_rod("band", "left", (0.1, 0.0, 0.0), "right", (0.1, 0.0, 0.0), 0.2)
    model = builder.build(base="floating")
    G = jacobian(model, np.array([0.0] * 6 + [1.0, 0.3, 0.4, 0.5, 0.6]))
    assert not G[0, :8].any()
    assert G[0, 8:].all()


@pytest.mark.parametrize("angle", [0.5, 3.1, 3.1415, np.pi - 1e-9, np.pi, -3.1])
def test_a_loop_that_is_turned_by_half_a_turn_is_not_taken_for_closed(angle: float) -> None:
    """The sign of the residual flips there; it is 2, not 0, and never infinite."""
    builder = ModelBuilder("far")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0)
    builder.add_joint("j", Revolute((0.0, 0.0, 1.0)), "base", "arm")
    builder.add_loop("weld", Fixed(), "base", "arm")
    model = builder.build()
    found = all_equations(model, np.array([angle]), np.array([1.0]))
    assert abs(abs(found.residual[2]) - 2.0 * abs(np.sin(0.5 * angle))) < 1e-15
    assert abs(found.jacobian[2, 0] - abs(np.cos(0.5 * angle))) < 1e-15
    for part in found:
        assert np.isfinite(part).all()
    small = all_equations(model, np.array([angle]), None, closed=True)
    assert np.max(np.abs(small.residual)) > 0.4


def degenerate(kind: str) -> Model:
    """Return two links with points, or lines, upon each other."""
    builder = ModelBuilder("degenerate")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0)
    builder.add_joint("j", Cylindrical((0.0, 0.0, 1.0)), "base", "arm")
    zero, z = (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)
    match kind:
        case "rod":
            builder.add_rod("e", "base", zero, "arm", zero, 1.0)
        case "point_on_cylinder":
            builder.add_point_on_cylinder("e", "base", zero, z, "arm", zero, 1.0)
        case "skew_axes":
            builder.add_skew_axes("e", "base", zero, z, "arm", (1.0, 0.0, 0.0), z, 0.0)
    return builder.build()


@pytest.mark.parametrize("kind", ["rod", "point_on_cylinder", "skew_axes"])
def test_where_a_direction_is_lost_nothing_is_infinite(kind: str) -> None:
    found = all_equations(degenerate(kind), np.zeros(2), np.array([1.0, 0.5]))
    for part in found:
        assert np.isfinite(part).all()


def test_signs_are_those_of_document_d() -> None:
    """A skew distance counts along axis 1 x axis 2, a plane's offset along its normal."""
    builder = ModelBuilder("signs")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0)
    R, p = rotation_from_rpy((0.0, 0.0, 0.0)), np.array([0.0, 0.0, 0.7])
    builder.add_joint("j", Cylindrical((0.0, 0.0, 1.0)), "base", "arm", rotation=R, position=p)
    x, y, z, zero = *np.eye(3), np.zeros(3)
    builder.add_skew_axes("up", "base", zero, x, "arm", zero, y, 0.5)
    builder.add_skew_axes("down", "base", zero, y, "arm", zero, x, -0.5)
    builder.add_point_on_plane("above", "base", z, 0.5, "arm", zero)
    builder.add_point_on_plane("below", "base", -z, -0.5, "arm", zero)
    found = residual(builder.build(), np.array([0.0, 0.1]))
    assert error(found, np.array([0.3, -0.3, 0.3, -0.3])) < 1e-15


@pytest.mark.parametrize("kind", ["fixed", "universal-skew", "floating"])
def test_loops_placed_in_the_child(kind: str) -> None:
    """The successor frame of a loop's joint sits anywhere in the child, or in its origin."""
    for seed in range(4):
        case = mechanism(seed, [kind], bodies=4)
        differentiated(case, seed)
    builder = ModelBuilder("placed")
    builder.add_body("base")
    builder.add_body("arm", mass=1.0)
    builder.add_joint("j", Revolute((0.0, 0.0, 1.0)), "base", "arm")
    R, p = PLACEMENT
    at = {"rotation": R, "position": p, "child_rotation": R, "child_position": p}
    builder.add_loop("loop", Revolute(tuple(R[2])), "base", "arm", **at)
    model = builder.build()
    # Both axes are the z axis of the base, the loop's through `p`: only the first position closes.
    assert np.max(np.abs(residual(model, np.array([0.0, 0.0])))) < 1e-15
    turned = residual(model, np.array([0.6, 0.6]))
    assert np.max(np.abs(turned[:3])) < 1e-15
    off = p - rotation_from_rpy((0.0, 0.0, 0.6)) @ p
    assert abs(np.linalg.norm(turned[3:]) - np.linalg.norm(off)) < 1e-12
