"""Comments taken out before parsing.

XML forbids `--` inside a comment, so `<!--- like this --->` stops a conforming parser, while the
parsers that most URDF is written for take it. What is in a comment matters to nobody.
"""

from __future__ import annotations

import re

_OPENING = re.compile(rb"<!--|<!\[CDATA\[|<\?")
_CLOSING = {b"<!--": b"-->", b"<![CDATA[": b"]]>", b"<?": b"?>"}


def without_comments(data: bytes) -> bytes:
    """Return the document without comments, its line ends kept.

    Args:
        data: XML in an encoding that contains ASCII; in any other nothing is found. What looks
            like a comment inside CDATA or a processing instruction stays.
    """
    kept: list[bytes] = []
    done = position = 0
    while opening := _OPENING.search(data, position):
        closing = _CLOSING[opening.group()]
        end = data.find(closing, opening.end())
        if end < 0:
            break
        position = end + len(closing)
        if opening.group() == b"<!--":
            lines = data.count(b"\n", opening.start(), position)
            kept += [data[done : opening.start()], b"\n" * lines]
            done = position
    return b"".join([*kept, data[done:]])
