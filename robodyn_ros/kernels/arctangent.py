"""The angle of a point, W at a time, the same bits at every width.

The plane is folded to the octant 0 <= y <= x; there, where y/x > tan(pi/8), the point is turned
back by pi/4. What is left is an arc tangent of at most 0.4143, whose polynomial is that of fdlibm
(Sun Microsystems, 1993), s_atan.c. The multiple of pi/4 is added in two parts. Errors stay below
2.5 units in the last place (3.5 of arc sines and cosines, which are angles of points too).
"""

from __future__ import annotations

from robodyn_ros.kernels.lanes import Lanes, Lines

_EIGHTH = 0.4142135623730951
"""tan(pi/8)"""
_QUARTER = (0.7853981633974483, 3.061616997868383e-17)
"""pi/4 in two parts."""
_ATAN = (
    3.33333333333329318027e-01,
    -1.99999999998764832476e-01,
    1.42857142725034663711e-01,
    -1.11111104054623557880e-01,
    9.09088713343650656196e-02,
    -7.69187620504482999495e-02,
    6.66107313738753120669e-02,
    -5.83357013379057348645e-02,
    4.97687799461593236017e-02,
    -3.65315727442169155270e-02,
    1.62858201153657823623e-02,
)


def atan2_function(lanes: Lanes) -> str:
    """Return the text of ``W doubles @w<W>_atan2(W doubles %y, W doubles %x)``.

    Signs of zeros count as in C: (0, -0) is pi.
    """
    body = Lines(lanes)
    zero, one, two, four = (lanes.number(value) for value in (0.0, 1.0, 2.0, 4.0))
    high, wide = body.call("fabs", "%y"), body.call("fabs", "%x")
    steep = body.compare("ogt", high, wide)
    small, large = body.select(steep, wide, high), body.select(steep, high, wide)
    large = body.select(body.compare("oeq", large, zero), one, large)
    turned = body.compare("ogt", small, body.binary("fmul", large, lanes.number(_EIGHTH)))
    arc = _arc(body, small, large, turned)
    # The angle is multiple * pi/4 + arc, mirrored at pi/4 where it is steep, at pi/2 where x < 0.
    multiple = body.select(turned, one, zero)
    multiple = body.select(steep, body.binary("fsub", two, multiple), multiple)
    arc = body.select(steep, body.negated(arc), arc)
    left = body.new(f"icmp slt {lanes.integer} {body.bits('%x')}, {lanes.whole(0)}")
    multiple = body.select(left, body.binary("fsub", four, multiple), multiple)
    arc = body.select(left, body.negated(arc), arc)
    arc = body.call("fma", multiple, lanes.number(_QUARTER[1]), arc)
    angle = body.call("fma", multiple, lanes.number(_QUARTER[0]), arc)
    below = body.integer("and", body.bits("%y"), -(2**63))
    angle = body.value_of(body.integer("xor", body.bits(angle), below))
    text = "\n".join([*body.lines, f"  ret {lanes.real} {angle}"])
    real = lanes.real
    head = f"define internal fastcc {real} @w{lanes.width}_atan2({real} %y, {real} %x) noinline"
    return f"{head} {{\n{text}\n}}\n"


def _arc(body: Lines, small: str, large: str, turned: str) -> str:
    """Return the angle of (large, small), less pi/4 where it is turned."""
    top = body.select(turned, body.binary("fsub", small, large), small)
    bottom = body.select(turned, body.binary("fadd", small, large), large)
    ratio = body.binary("fdiv", top, bottom)
    square = body.binary("fmul", ratio, ratio)
    curve = body.binary("fmul", square, body.polynomial(square, _ATAN))
    return body.call("fma", body.negated(ratio), curve, ratio)
