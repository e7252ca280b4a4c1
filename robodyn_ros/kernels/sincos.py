"""Sine and cosine together, W at a time, the same bits at every width.

The angle is reduced to [-pi/4, pi/4] by subtracting a multiple of pi/2 in three parts (Cody and
Waite, "Software Manual for the Elementary Functions", 1980), the multiple found by adding a number
so large that what is left of the mantissa is the rounded quotient. The polynomials are those of
Cephes (Moshier), sin.c. Errors stay below 2 units in the last place up to 1e12; beyond 2**50 the
rounding no longer works and both results are NaN.
"""

from __future__ import annotations

import math

from robodyn_ros.kernels.lanes import Lanes, Lines

RANGE = 2.0**50
"""The largest angle (rad) that is served; NaN beyond."""

_HALF_PI = (1.5707963267948966, 6.123233995736766e-17, -1.4973849048591833e-33)
_ROUNDER = 1.5 * 2.0**52
_SIN = (
    -1.66666666666666307295e-1,
    8.33333333332211858878e-3,
    -1.98412698295895385996e-4,
    2.75573136213857245213e-6,
    -2.50507477628578072866e-8,
    1.58962301576546568060e-10,
)
_COS = (
    4.16666666666665929218e-2,
    -1.38888888888730564116e-3,
    2.48015872888517047348e-5,
    -2.75573141792967388112e-7,
    2.08757008419747316778e-9,
    -1.13585365213876817300e-11,
)


def sincos_function(lanes: Lanes) -> str:
    """Return the text of ``{W doubles, W doubles} @w<W>_sincos(W doubles)``: sine, then cosine."""
    body = Lines(lanes)
    pair = f"{{{lanes.real}, {lanes.real}}}"
    quotient, rest = _reduce(body)
    sine, cosine = _polynomials(body, rest)
    odd = _bit(body, quotient, 1)
    results = (
        _signed(body, quotient, body.select(odd, cosine, sine)),
        _signed(
            body,
            body.integer("add", quotient, 1),
            body.select(odd, sine, cosine),
        ),
    )
    first = body.new(f"insertvalue {pair} undef, {lanes.real} {results[0]}, 0")
    both = body.new(f"insertvalue {pair} {first}, {lanes.real} {results[1]}, 1")
    body.do(f"ret {pair} {both}")
    text = "\n".join(body.lines)
    head = f"define internal fastcc {pair} @w{lanes.width}_sincos({lanes.real} %x) noinline"
    return f"{head} {{\n{text}\n}}\n"


def _reduce(body: Lines) -> tuple[str, str]:
    """Return the multiple of pi/2 nearest to %x, as an integer, and what is left of %x."""
    lanes = body.lanes
    size = body.call("fabs", "%x")
    inside = body.compare("ole", size, lanes.number(RANGE))
    angle = body.select(inside, "%x", lanes.number(math.nan))
    rounder = lanes.number(_ROUNDER)
    shifted = body.call("fma", angle, lanes.number(2.0 / math.pi), rounder)
    multiple = body.binary("fsub", shifted, rounder)
    rest = angle
    for part in _HALF_PI:
        rest = body.call("fma", multiple, lanes.number(-part), rest)
    return body.bits(shifted), rest


def _polynomials(body: Lines, rest: str) -> tuple[str, str]:
    """Return sine and cosine of the reduced angle."""
    lanes = body.lanes
    square = body.binary("fmul", rest, rest)

    curve = body.polynomial(square, _SIN)
    sine = body.call("fma", body.binary("fmul", square, rest), curve, rest)
    start = body.call("fma", square, lanes.number(-0.5), lanes.number(1.0))
    curve = body.polynomial(square, _COS)
    cosine = body.call("fma", body.binary("fmul", square, square), curve, start)
    return sine, cosine


def _bit(body: Lines, integer: str, bit: int) -> str:
    lanes = body.lanes
    part = body.integer("and", integer, bit)
    return body.new(f"icmp ne {lanes.integer} {part}, {lanes.whole(0)}")


def _signed(body: Lines, quadrant: str, value: str) -> str:
    """Return `value`, negated where bit 1 of the quadrant is set: moved to the sign bit."""
    sign = body.integer("shl", body.integer("and", quadrant, 2), 62)
    return body.value_of(body.integer("xor", body.bits(value), sign))
