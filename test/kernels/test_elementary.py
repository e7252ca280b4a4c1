"""Exponentials, logarithms, powers and arcs of kernels against extended precision."""

from __future__ import annotations

import numpy as np
import pytest

from robodyn_ros.kernels.derivative import jacobian
from robodyn_ros.kernels.elementary import arccos, arcsin, arctan, exp, log, power
from robodyn_ros.kernels.scalar import arctan2

COUNT = 20_000

pytestmark = pytest.mark.skipif(
    np.finfo(np.longdouble).eps >= np.finfo(np.float64).eps,
    reason="this machine has no extended precision to compare with",
)


def around(scale):
    return lambda rng: rng.uniform(-scale, scale, COUNT)


def magnitudes(low, high):
    return lambda rng: 10.0 ** rng.uniform(low, high, COUNT)


def below_one(rng):
    return 1.0 - 10.0 ** rng.uniform(-16, 0, COUNT)


#: Function, the same in extended precision, units in the last place, and samples of arguments.
CASES = {
    "exp": (exp, np.exp, 1.0, [[around(s)] for s in (1e-9, 0.4, 3.0, 50.0, 709.0)]),
    "exp that fades out": (exp, np.exp, 1.0, [[lambda rng: rng.uniform(-745, -708, COUNT)]]),
    "log": (
        log,
        np.log,
        1.0,
        [
            [lambda rng: rng.uniform(0.5, 3.0, COUNT)],
            [lambda rng: 1.0 + rng.uniform(-1e-9, 1e-9, COUNT)],
            [magnitudes(-307, 307)],
            [magnitudes(-323, -305)],
        ],
    ),
    "power": (
        power,
        np.power,
        2.0,
        [
            [lambda rng: rng.uniform(0, 5, COUNT), around(5.0)],
            [magnitudes(-100, 100), around(3.0)],
            [lambda rng: rng.uniform(0.9, 1.1, COUNT), around(6500.0)],
            [
                lambda rng: rng.uniform(-5.0, 0.0, COUNT),
                lambda rng: rng.integers(-20, 20, COUNT) * 1.0,
            ],
        ],
    ),
    "arctan": (arctan, np.arctan, 2.5, [[around(s)] for s in (1e-300, 1e-3, 0.5, 1.0, 3.0, 1e9)]),
    "arctan2": (arctan2, np.arctan2, 2.5, [[around(1.0)] * 2, [magnitudes(-9, 9), around(1.0)]]),
    "arcsin": (arcsin, np.arcsin, 3.5, [[around(1.0)], [magnitudes(-15, 0)], [below_one]]),
    "arccos": (arccos, np.arccos, 3.5, [[around(1.0)], [magnitudes(-15, 0)], [below_one]]),
}


def kernel_for(kernel_of, function, count, width):
    inputs = tuple((f"x{k}", ()) for k in range(count))
    return kernel_of(lambda *x: (function(*x),), inputs, (("y", ()),), width=width)


def values_of(kernel, arguments):
    out = np.full(len(arguments[0]), 12345.0)
    assert kernel.batch(list(arguments), [out]) == 0
    return out


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("name", CASES)
def test_accuracy(kernel_of, name, width):
    function, exact, most, samples = CASES[name]
    kernel = kernel_for(kernel_of, function, len(samples[0]), width)
    for makers in samples:
        rng = np.random.default_rng(3)
        arguments = [make(rng) for make in makers]
        wanted = exact(*(x.astype(np.longdouble) for x in arguments))
        spacing = np.spacing(np.abs(wanted).astype(np.float64)).astype(np.longdouble)
        error = np.abs(values_of(kernel, arguments).astype(np.longdouble) - wanted) / spacing
        assert np.max(error) < most


@pytest.mark.parametrize("name", CASES)
def test_the_same_bits_at_every_width(kernel_of, name):
    function, _, _, samples = CASES[name]
    rng = np.random.default_rng(5)
    arguments = [make(rng)[:203] for make in samples[-1]]
    kernels = {w: kernel_for(kernel_of, function, len(arguments), w) for w in (1, 2, 8)}
    wanted = [float(kernels[1].single(*map(np.array, row))) for row in zip(*arguments, strict=True)]
    for kernel in kernels.values():
        np.testing.assert_array_equal(values_of(kernel, arguments), wanted)


SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 3.0, -3.0, 2.0, 5e-324, 1e300, -1e300]


@pytest.mark.parametrize(
    ("function", "plain", "count"),
    [
        (exp, np.exp, 1),
        (log, np.log, 1),
        (power, np.power, 2),
        (arctan, np.arctan, 1),
        (arctan2, np.arctan2, 2),
        (arcsin, np.arcsin, 1),
        (arccos, np.arccos, 1),
    ],
)
def test_special_arguments(kernel_of, function, plain, count):
    columns = np.meshgrid(*[np.array(SPECIAL)] * count)
    arguments = [column.ravel() for column in columns]
    if function is power:  # see below
        told = (arguments[0] >= 0.0) | (np.abs(arguments[1]) < 2.0**51)
        arguments = [column[told] for column in arguments]
    with np.errstate(all="ignore"):
        wanted = plain(*arguments)
    found = values_of(kernel_for(kernel_of, function, count, 4), arguments)
    np.testing.assert_allclose(found, wanted, rtol=1e-15)
    zero = wanted == 0.0
    if function is arctan2:
        np.testing.assert_array_equal(np.signbit(found[zero]), np.signbit(wanted[zero]))


def test_whether_an_exponent_is_whole_is_not_told_of_huge_ones(kernel_of):
    kernel = kernel_for(kernel_of, power, 2, 4)
    exponents = np.array([2.0**51 - 1, 2.0**51, 2.0**52])
    found = values_of(kernel, [-np.ones(3), exponents])
    np.testing.assert_array_equal(found, [-1.0, 1.0, np.nan])


@pytest.mark.parametrize(
    ("function", "slope"),
    [
        (exp, exp),
        (log, lambda x: 1.0 / x),
        (lambda x: power(x, 1.7), lambda x: 1.7 * power(x, 0.7)),
        (lambda x: power(x, x), lambda x: power(x, x) * (1.0 + log(x))),
        (lambda x: power(3.0, x), lambda x: power(3.0, x) * log(3.0)),
        (arctan, lambda x: 1.0 / (1.0 + x * x)),
        (arcsin, lambda x: (1.0 - x * x) ** -0.5),
        (arccos, lambda x: -((1.0 - x * x) ** -0.5)),
        (lambda x: arctan2(x, 0.3), lambda x: 0.3 / (x * x + 0.09)),
    ],
)
def test_derivatives_are_kernels_too(kernel_of, function, slope):
    def derivative(x):
        return (jacobian(np.array([function(x[()])]), np.array([x[()]]))[0, 0],)

    kernel = kernel_of(derivative, (("x", ()),), (("y", ()),))
    for x in (0.05, 0.4, 0.9):
        assert float(kernel.single(np.array(x))) == pytest.approx(float(slope(x)), rel=1e-14)
