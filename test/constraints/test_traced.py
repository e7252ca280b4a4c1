"""What is compiled of closed mechanisms: traces equal plain evaluation, and do not grow."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from differentiation import error
from random_closures import mechanism
from robodyn_ros.algorithms.external_wrenches import packed_wrenches
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.assembly import assembled_model
from robodyn_ros.constraints.dynamics import closed_accelerations, closed_efforts
from robodyn_ros.constraints.elimination import closed_configuration, completed
from robodyn_ros.constraints.jacobian import all_equations, residual
from robodyn_ros.kernels.signature import Signature
from robodyn_ros.kernels.trace import trace
from robodyn_ros.model import Environment, Model
from small_mechanisms import Closed, four_bar, slider_crank, stewart_platform
from tracing import as_arrays, traced

#: A trace sums in another order; systems of condition 1e3 make that visible.
ROUNDING = 1e-12

MECHANISMS: Mapping[str, Callable[[], Closed]] = {
    "four-bar": four_bar,
    "slider-crank": slider_crank,
    "stewart": stewart_platform,
}
#: Steps of Newton's method in a trace of `closed_configuration`.
STEPS = 2

Function = Callable[..., tuple[np.ndarray, ...]]


def functions(model: Model) -> dict[str, tuple[int, Function]]:
    """Return what is traced by name, each with its number of arguments of q, v and a."""
    around = Surroundings.of(model, Environment())
    return {
        "equations": (2, lambda q, v: tuple(all_equations(model, q, v, closed=True))),
        "completed": (3, lambda q, v, a: completed(model, q, v, a)),
        "closed_configuration": (1, lambda q: closed_configuration(model, q, STEPS)),
        "closed_accelerations": (
            3,
            lambda q, v, tau: closed_accelerations(model, q, v, tau, around),
        ),
        "closed_efforts": (3, lambda q, v, a: closed_efforts(model, q, v, a, around)),
    }


def state(model: Model, q: np.ndarray, seed: int = 0) -> list[np.ndarray]:
    return [q, *np.random.default_rng([60, seed]).uniform(-1.0, 1.0, (2, model.nv))]


def same(found: list[np.ndarray], exact: Any) -> None:
    for one, other in zip(found, as_arrays(exact), strict=True):
        assert error(one, other) < ROUNDING


@pytest.mark.parametrize("name", MECHANISMS)
def test_traces_equal_plain_evaluation(name: str) -> None:
    model, q = MECHANISMS[name]()
    assert np.max(np.abs(residual(model, q))) < 1e-14
    model = assembled_model(model, q)
    given = state(model, q)
    for count, function in functions(model).values():
        exact = function(*given[:count])
        assert not np.any(as_arrays(exact)[-1]) or count == 2  # the verdict
        same(traced(function, *given[:count]), exact)


@pytest.mark.parametrize("constraints", [("rod", "skew_axes", "gimbal-231"), ("helical-z", "rod")])
def test_traces_of_random_mechanisms(constraints: tuple[str, ...]) -> None:
    """With formulas for lengths and joints; from coordinates that are nearly closed."""
    case = mechanism(8, constraints, bodies=5, formulas=True)
    model = assembled_model(case.model, case.q)
    given = state(model, case.q)
    for count, function in functions(model).values():
        same(traced(function, *given[:count]), function(*given[:count]))
    near = case.q.copy()
    near[-1] += 1e-3
    _, function = functions(model)["closed_configuration"]
    same(traced(function, near), function(near))


def test_equations_that_are_not_closed_trace_too() -> None:
    case = mechanism(9, ("universal-plain", "point_on_plane"), bodies=4)
    q, v, _ = state(case.model, case.q)
    q = q + 0.01 * (np.arange(len(q)) == 0)
    same(
        traced(lambda q, v: tuple(all_equations(case.model, q, v)), q, v),
        tuple(all_equations(case.model, q, v)),
    )


def test_friction_and_wrenches_trace_too() -> None:
    model, q = slider_crank()
    model = assembled_model(model, q)
    around = Surroundings.of(model, Environment())
    packed = packed_wrenches(model, {"slider": np.arange(6.0)})
    for function in (closed_accelerations, closed_efforts):

        def called(*given: np.ndarray, function: Callable[..., Any] = function) -> Any:
            *arrays, wrenches = given
            return function(model, *arrays, around, packed=wrenches, friction=True)

        given = [*state(model, q), packed]
        same(traced(called, *given), called(*given))


def test_newtons_steps_close_what_is_nearly_closed() -> None:
    """Each step doubles the digits; the independent coordinates stay."""
    for name, make in MECHANISMS.items():
        model, q = make()
        model = assembled_model(model, q)
        independent = model.closure.partition.independent
        changed = q.copy()
        names = model.coordinate_names
        for column in independent:
            changed[model.joint(names[column]).q_index] += 0.01
        sizes = []
        for steps in range(4):
            found, verdict = closed_configuration(model, changed, steps)
            assert verdict == 0.0
            sizes.append(float(np.max(np.abs(residual(model, found)))))
            for column in independent:
                at = model.joint(names[column]).q_index
                assert found[at] == changed[at], name
        assert sizes[1] < 0.1 * sizes[0], name
        assert sizes[3] < 1e-12, name


#: Instructions at most: four-bar, slider-crank, Stewart platform.
LIMITS = {
    "equations": (100, 55, 740),
    "completed": (75, 43, 1050),
    "closed_configuration": (165, 104, 1850),
    "closed_accelerations": (156, 115, 2040),
    "closed_efforts": (112, 68, 1160),
}


@pytest.mark.parametrize("mechanism_name", MECHANISMS)
@pytest.mark.parametrize("name", LIMITS)
def test_instructions_do_not_grow(name: str, mechanism_name: str) -> None:
    model, q = MECHANISMS[mechanism_name]()
    model = assembled_model(model, q)
    count, function = functions(model)[name]
    given = state(model, q)[:count]
    inputs = tuple((f"x{k}", array.shape) for k, array in enumerate(given))
    shapes = [array.shape for array in as_arrays(function(*given))]
    outputs = tuple((f"y{k}", shape) for k, shape in enumerate(shapes))
    found = trace(lambda *x: tuple(as_arrays(function(*x))), Signature("counted", inputs, outputs))
    assert found.instruction_count <= LIMITS[name][list(MECHANISMS).index(mechanism_name)], (
        found.instruction_count
    )
