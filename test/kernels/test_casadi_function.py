"""Plain functions as CasADi Functions."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels.casadi_function import casadi_function
from robodyn_ros.kernels.elementary import arccos, arcsin, arctan, exp, log, power
from robodyn_ros.kernels.scalar import arctan2, sin
from robodyn_ros.kernels.signature import Signature

SIGNATURE = Signature(
    "test",
    (("x", (2, 3)), ("s", ()), ("x y", (2,)), ("none", (0, 3))),
    (("x", (3, 2)), ("number", ()), ("stack", (2, 2, 3)), ("constant", (2,)), ("empty", (0,))),
)


def function(x, s, y, none):
    stack = np.stack([x, 2.0 * x], axis=-3)
    verdict = s - s
    return (x.T * s, sin(s) * y[0], stack, np.array([0.0, 3.0]), none[:, 0], verdict)


def test_values_names_and_shapes():
    compiled = casadi_function(function, SIGNATURE, "7:arm+jac")
    assert compiled.name() == "n7_arm_jac"
    assert compiled.name_in() == ["x", "s", "x_y", "none"]
    assert compiled.name_out() == ["x_out", "number", "stack", "constant", "empty"]
    assert [compiled.size_out(k) for k in range(5)] == [(3, 2), (1, 1), (4, 3), (2, 1), (0, 1)]
    rng = np.random.default_rng(2)
    inputs = rng.normal(size=(2, 3)), rng.normal(), rng.normal(size=2), np.zeros((0, 3))
    results = compiled(*inputs)
    expected = function(inputs[0], np.array(inputs[1]), inputs[2], inputs[3])
    for result, value in zip(results, expected, strict=False):
        np.testing.assert_allclose(result.full().ravel(), np.ravel(value), atol=1e-15)


@pytest.mark.parametrize("name", ["jac", "hess", "null"])
def test_names_that_casadi_keeps_for_itself(name):
    signature = Signature(name, (("x", (1,)),), (("y", (1,)),))
    assert casadi_function(lambda x: (2.0 * x,), signature, name).name() == f"{name}_2"


def test_known_zeros_are_not_in_the_structure():
    signature = Signature("eye", (("x", (2,)),), (("y", (2, 2)),))
    compiled = casadi_function(lambda x: (np.diag(x),), signature, "eye")
    assert compiled.nnz_out(0) == 2


def test_a_branch_is_told():
    signature = Signature("branch", (("x", (1,)),), (("y", (1,)),))
    with pytest.raises(CompilationError, match="where"):
        casadi_function(lambda x: (x if x[0] > 0.0 else -x,), signature, "branch")


def test_every_function_of_formulas():
    formulas = (
        lambda x: exp(x) + log(x) * power(x, 1.7) - power(x, x),
        lambda x: arctan(x) + arcsin(x) * arccos(x) - arctan2(x, 0.3),
    )
    signature = Signature("functions", (("x", ()),), (("y", ()), ("z", ())))
    compiled = casadi_function(lambda x: [f(x) for f in formulas], signature, "functions")
    for result, formula in zip(compiled(0.6), formulas, strict=True):
        assert float(result) == pytest.approx(formula(0.6), rel=1e-14)
