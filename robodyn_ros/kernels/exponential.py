"""Exponential, logarithm and power, W at a time, the same bits at every width.

exp: x = k ln 2 + r with |r| <= ln 2 / 2, the product k ln 2 subtracted in two parts by fused steps
(Cody and Waite, "Software Manual for the Elementary Functions", 1980), then Taylor's polynomial of
degree 13, and 2^k in two factors, so that results fade out below 1e-308 instead of jumping to 0.

log: x = 2^k m with m between sqrt(1/2) and sqrt(2), log m = 2 artanh s with s = (m - 1)/(m + 1).
The result has two parts, a double and what it lacks: about 65 bits. x^y is exp(y log x), and y
would enlarge the error of one double alone by up to 700.

Errors stay below 1 unit in the last place (2 of powers) where results are normal numbers.
"""

from __future__ import annotations

import math

from robodyn_ros.kernels.lanes import Lanes, Lines

_LN2 = (0.6931471805599453, 2.3190468138462996e-17)
_ROUNDER = 1.5 * 2.0**52
_ROUNDER_BITS = 0x4338000000000000
_SMALLEST, _LARGEST = -746.0, 710.0
"""Where exp has become 0 and infinite."""
_EXP = tuple(1.0 / math.factorial(k) for k in range(2, 14))

_THIRD = (1.0 / 3.0, 1.850371707708594e-17)
_ARTANH = tuple(1.0 / k for k in range(5, 27, 2))
_NORMAL = 2.0**-1022
_MANTISSA = (1 << 52) - 1
_ROOT_HALF_BITS = 0x3FE6A09E667F3BCD
_WHOLE = 2.0**51
"""Size up to which an exponent is told to be whole or not."""

Pair = tuple[str, str]


def exp_function(lanes: Lanes) -> str:
    """Return the text of ``W doubles @w<W>_exp(W doubles)``."""
    body = Lines(lanes)
    return _function(body, "exp", "%x", _exponential(body, ("%x", lanes.number(0.0))))


def log_function(lanes: Lanes) -> str:
    """Return the text of ``W doubles @w<W>_log(W doubles)``: NaN below 0, -inf at 0."""
    body = Lines(lanes)
    high, low = _logarithm(body, "%x")
    return _function(body, "log", "%x", body.binary("fadd", high, low))


def pow_function(lanes: Lanes) -> str:
    """Return the text of ``W doubles @w<W>_pow(W doubles, W doubles)``.

    NaN where the base is negative and the exponent not whole, or larger than 2^51.
    """
    body = Lines(lanes)
    zero, nan = lanes.number(0.0), lanes.number(math.nan)
    size = body.call("fabs", "%x")
    high, low = _logarithm(body, size)
    product = body.binary("fmul", high, "%y")
    rest = body.call("fma", high, "%y", body.negated(product))
    rest = body.call("fma", low, "%y", rest)
    # Where the product is out of range there is no rest, or NaN from infinite parts.
    inside = body.compare("olt", body.call("fabs", product), lanes.number(-_SMALLEST))
    result = _exponential(body, (product, body.select(inside, rest, zero)))

    rounder = lanes.number(_ROUNDER)
    shifted = body.binary("fadd", "%y", rounder)
    rounded = body.compare("oeq", body.binary("fsub", shifted, rounder), "%y")
    small = body.compare("ole", body.call("fabs", "%y"), lanes.number(_WHOLE))
    whole = body.new(f"and {lanes.mask} {rounded}, {small}")
    sign = body.integer("shl", body.bits(shifted), 63)
    turned = body.value_of(body.integer("xor", body.bits(result), sign))
    minus = body.new(f"icmp slt {lanes.integer} {body.bits('%x')}, {lanes.whole(0)}")
    result = body.select(body.new(f"and {lanes.mask} {minus}, {whole}"), turned, result)
    broken = body.new(f"xor {lanes.mask} {whole}, {lanes.true}")
    without = body.new(f"and {lanes.mask} {body.compare('olt', '%x', zero)}, {broken}")
    result = body.select(without, nan, result)
    result = body.select(body.compare("oeq", "%y", zero), lanes.number(1.0), result)
    return _function(body, "pow", "%x %y", result)


def _function(body: Lines, name: str, arguments: str, result: str) -> str:
    lanes = body.lanes
    listed = ", ".join(f"{lanes.real} {argument}" for argument in arguments.split())
    text = "\n".join([*body.lines, f"  ret {lanes.real} {result}"])
    head = f"define internal fastcc {lanes.real} @w{lanes.width}_{name}({listed}) noinline"
    return f"{head} {{\n{text}\n}}\n"


def _exponential(body: Lines, x: Pair) -> str:
    """Return exp of the sum of both parts, the second less than a unit of the first."""
    lanes = body.lanes
    low, high = lanes.number(_SMALLEST), lanes.number(_LARGEST)
    value = body.select(body.compare("ogt", x[0], high), high, x[0])
    value = body.select(body.compare("olt", value, low), low, value)
    rounder = lanes.number(_ROUNDER)
    shifted = body.call("fma", value, lanes.number(1.0 / math.log(2.0)), rounder)
    multiple = body.binary("fsub", shifted, rounder)
    rest = body.call("fma", multiple, lanes.number(-_LN2[0]), value)
    tail = body.call("fma", multiple, lanes.number(-_LN2[1]), x[1])
    rest = body.binary("fadd", rest, tail)
    curve = body.polynomial(rest, _EXP)
    square = body.binary("fmul", rest, rest)
    power = body.binary("fadd", body.call("fma", square, curve, rest), lanes.number(1.0))

    exponent = body.integer("sub", body.bits(shifted), _ROUNDER_BITS)
    half = body.integer("sub", body.integer("lshr", body.integer("add", exponent, 2048), 1), 1024)
    for part in (half, body.integer("sub", exponent, half)):
        factor = body.value_of(body.integer("shl", body.integer("add", part, 1023), 52))
        power = body.binary("fmul", power, factor)
    return power


def _logarithm(body: Lines, x: str) -> Pair:
    """Return log x in two parts; -inf at 0, NaN below."""
    exponent, mantissa = _split(body, x)
    artanh = _artanh(body, mantissa)
    lanes = body.lanes
    # k ln 2 + 2 artanh s, every rounding error kept.
    product = body.binary("fmul", exponent, lanes.number(_LN2[0]))
    lost = body.call("fma", exponent, lanes.number(_LN2[0]), body.negated(product))
    lost = body.call("fma", exponent, lanes.number(_LN2[1]), lost)
    high, low = _sum(body, product, artanh[0])
    low = body.binary("fadd", low, body.binary("fadd", lost, artanh[1]))
    high, low = _fast_sum(body, high, low)

    zero = lanes.number(0.0)
    infinite = lanes.number(math.inf)
    positive = body.compare("ogt", x, zero)
    finite = body.compare("olt", x, infinite)
    nan = lanes.number(math.nan)
    beside = body.select(body.compare("oeq", x, zero), lanes.number(-math.inf), nan)
    beside = body.select(positive, x, beside)
    usual = body.new(f"and {lanes.mask} {positive}, {finite}")
    return body.select(usual, high, beside), body.select(usual, low, zero)


def _split(body: Lines, x: str) -> Pair:
    """Return k (as a value) and m between sqrt(1/2) and sqrt(2) with x = 2^k m, for x > 0."""
    lanes = body.lanes
    tiny = body.compare("olt", x, lanes.number(_NORMAL))
    scaled = body.select(tiny, body.binary("fmul", x, lanes.number(2.0**54)), x)
    bits = body.bits(scaled)
    moved = body.integer("sub", bits, _ROOT_HALF_BITS)  # the exponent's field is now k
    field = body.integer("and", moved, ~_MANTISSA)
    mantissa = body.value_of(body.integer("sub", bits, field))
    # k to a value: its bits in the last places of a large number.
    steps = body.integer("lshr", body.integer("add", moved, 1024 << 52), 52)
    shifted = body.value_of(body.integer("add", steps, _ROUNDER_BITS - 1024))
    exponent = body.binary("fsub", shifted, lanes.number(_ROUNDER))
    less = body.binary("fadd", exponent, lanes.number(-54.0))
    return body.select(tiny, less, exponent), mantissa


def _artanh(body: Lines, m: str) -> Pair:
    """Return log m = 2 artanh s, s = (m - 1)/(m + 1), in two parts."""
    lanes = body.lanes
    one = lanes.number(1.0)
    top = body.binary("fsub", m, one)  # exact
    bottom, missing = _sum(body, m, one)
    s = body.binary("fdiv", top, bottom)
    rest = body.call("fma", body.negated(s), bottom, top)
    rest = body.call("fma", body.negated(s), missing, rest)
    s_low = body.binary("fdiv", rest, bottom)
    # s + s z (1/3 + z (1/5 + z/7 ...)) with z = s^2: the first two terms in two parts each.
    z = body.binary("fmul", s, s)
    z_low = body.call("fma", s, s, body.negated(z))
    z_low = body.call("fma", body.binary("fadd", s, s), s_low, z_low)
    tail = body.binary("fmul", body.binary("fmul", z, z), body.polynomial(z, _ARTANH))
    thirds = lanes.number(_THIRD[0]), lanes.number(_THIRD[1])
    third, third_low = _product(body, (z, z_low), thirds)
    factor, factor_low = _fast_sum(body, third, body.binary("fadd", third_low, tail))
    more, more_low = _product(body, (s, s_low), (factor, factor_low))
    high, low = _fast_sum(body, s, more)
    low = body.binary("fadd", low, body.binary("fadd", more_low, s_low))
    high, low = _fast_sum(body, high, low)
    return body.binary("fadd", high, high), body.binary("fadd", low, low)


def _product(body: Lines, a: Pair, b: Pair) -> Pair:
    high = body.binary("fmul", a[0], b[0])
    low = body.call("fma", a[0], b[0], body.negated(high))
    low = body.call("fma", a[0], b[1], low)
    return high, body.call("fma", a[1], b[0], low)


def _fast_sum(body: Lines, large: str, small: str) -> Pair:
    """Return the sum and what its rounding lost, where |large| >= |small| (Dekker, 1971)."""
    total = body.binary("fadd", large, small)
    return total, body.binary("fsub", small, body.binary("fsub", total, large))


def _sum(body: Lines, a: str, b: str) -> Pair:
    """Return the sum and what its rounding lost (Knuth, The Art of Computer Programming 2)."""
    total = body.binary("fadd", a, b)
    part = body.binary("fsub", total, a)
    lost = body.binary("fsub", a, body.binary("fsub", total, part))
    return total, body.binary("fadd", lost, body.binary("fsub", b, part))
