"""Names, numbers and comments in C, whatever the text that they are made from."""

from __future__ import annotations

import math
import re
import textwrap
from collections.abc import Iterable

from robodyn_ros.kernels.signature import Signature

_KEYWORDS = """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl const
    const_cast constexpr continue decltype default delete do double dynamic_cast else enum explicit
    export extern false float for friend goto if inline int long mutable namespace new noexcept not
    not_eq nullptr operator or or_eq private protected public register reinterpret_cast restrict
    return short signed sizeof static static_assert static_cast struct switch template this throw
    true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor
    xor_eq
"""
_OWN = """
    main sin cos sqrt fabs fma atan2 exp log pow isfinite slots all_finite poison linux unix
    k largest refused spoilt worst verdict
"""
_RESERVED = frozenset(_KEYWORDS.split()) | frozenset(_OWN.split())
_VALUE = re.compile(r"t\d+")


def identifier(text: str) -> str:
    """Return a C (and C++) identifier that looks like `text`; equal texts give equal ones.

    It has no two underscores in a row, begins with a letter, and is no keyword and no name that
    exported sources use themselves.
    """
    name = re.sub(r"[^0-9A-Za-z]+", "_", text).strip("_") or "unnamed"
    if not name[0].isalpha():
        name = f"n{name}"
    return f"{name}_x" if name in _RESERVED or _VALUE.fullmatch(name) else name


def unique_identifiers(texts: Iterable[str], taken: Iterable[str] = ()) -> list[str]:
    """Return an identifier for each text; no two are equal, nor equal to one of `taken`.

    Case does not tell them apart: they may be names of files.
    """
    used = {name.lower() for name in taken}
    names = []
    for text in texts:
        name = base = identifier(text)
        number = 2
        while name.lower() in used:
            name, number = f"{base}_{number}", number + 1
        used.add(name.lower())
        names.append(name)
    return names


def argument_names(signature: Signature) -> tuple[list[str], list[str]]:
    """Return the names of inputs and outputs; an output called as an input gets "_out"."""
    known = [name for name, _ in signature.inputs]
    texts = list(known)
    texts += [f"{name}_out" if name in known else name for name, _ in signature.outputs]
    names = unique_identifiers(texts)
    return names[: len(known)], names[len(known) :]


def number(value: float) -> str:
    """Return the literal of a double, exact to the bit."""
    if math.isfinite(value):
        return repr(float(value))
    return "NAN" if math.isnan(value) else "INFINITY" if value > 0 else "-INFINITY"


def comment(*lines: str) -> str:
    """Return a block comment, long lines wrapped; whatever is in `lines`, it ends as it should."""
    wrapped = (_wrapped(_harmless(line)) for line in lines)
    body = "\n".join(f" * {line}".rstrip() for part in wrapped for line in part)
    return f"/*\n{body}\n */"


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, 96, subsequent_indent="      ") or [""]


def _harmless(text: str) -> str:
    printable = "".join(c if c.isprintable() else " " for c in text)
    plain = printable.encode("ascii", "backslashreplace").decode()
    return plain.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
