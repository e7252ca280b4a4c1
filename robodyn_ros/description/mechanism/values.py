"""Python values as nodes: a description may be made in a program, and is checked like a file."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from numbers import Integral, Real

import numpy as np

from robodyn_ros.description.mechanism.nodes import List, Map, Node, Scalar
from robodyn_ros.errors import ArgumentError, quoted

_DEEPEST = 20


def node_of(value: object, depth: int = 0) -> Node:
    """Return the node of a mapping, list, array, number, text, truth value or None.

    Raises:
        ArgumentError: a value of another type, or nested too deeply.
    """
    if depth > _DEEPEST:
        raise ArgumentError(f"a description is nested at most {_DEEPEST} levels deep")
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if value is None or isinstance(value, (bool, np.bool_)):
        return Scalar("" if value is None else str(bool(value)).lower(), plain=True, line=0)
    if isinstance(value, str):
        return Scalar(value, plain=False, line=0)
    if isinstance(value, Real):
        return Scalar(_number_text(value), plain=True, line=0)
    if isinstance(value, Mapping):
        entries = {
            str(key): (Scalar(str(key), plain=False, line=0), node_of(item, depth + 1))
            for key, item in value.items()
        }
        return Map(entries, 0, len(entries))
    if isinstance(value, Iterable) and not isinstance(value, (bytes, bytearray)):
        items = tuple(node_of(item, depth + 1) for item in value)
        return List(items, 0, len(items))
    raise ArgumentError(
        f"a description consists of mappings, lists, numbers and text, not {quoted(value)}"
    )


def _number_text(value: Real) -> str:
    """Return a number as YAML writes it, every digit kept."""
    if isinstance(value, Integral):
        return str(int(value))
    number = float(value)
    if math.isfinite(number):
        return repr(number)
    return ".nan" if math.isnan(number) else f"{'-' if number < 0.0 else ''}.inf"
