"""How much property-based tests try, and the values that they try."""

from __future__ import annotations

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

#: The same examples in every run, none timed, none remembered on disk.
bounded = settings(max_examples=30, derandomize=True, deadline=None, database=None)

#: Whole trees cost more than vectors.
few = settings(bounded, max_examples=20)


def vectors(size: int = 3, largest: float = 10.0) -> st.SearchStrategy[np.ndarray]:
    """Return vectors (size,) with entries up to `largest`, zeros and tiny ones among them."""
    entries = st.floats(-largest, largest, allow_nan=False, allow_subnormal=False)
    return st.tuples(*[entries] * size).map(np.array)


def unit_vectors(size: int = 3) -> st.SearchStrategy[np.ndarray]:
    """Return vectors (size,) of norm 1: axes, or quaternions for size 4."""
    long_enough = vectors(size).filter(lambda x: np.linalg.norm(x) > 1e-3)
    return long_enough.map(lambda x: x / np.linalg.norm(x))


def parent_arrays(most: int = 20) -> st.SearchStrategy[list[int]]:
    """Return parent arrays lambda(1), lambda(2), ... with 0 <= lambda(i) < i."""
    sizes = st.integers(0, most)
    return sizes.flatmap(lambda n: st.tuples(*(st.integers(0, i) for i in range(n)))).map(list)
