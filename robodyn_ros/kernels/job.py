"""What a compiling process is told."""

from __future__ import annotations

from dataclasses import dataclass

from robodyn_ros.kernels.cache import Cache
from robodyn_ros.kernels.recipe import Recipe
from robodyn_ros.kernels.target import Target


@dataclass(frozen=True)
class Job:
    """A recipe with all that a worker must know.

    Attributes:
        recipe: What to compile.
        target: What for.
        key: Under which key it is stored.
        cache: Where, or None.
        parent: Process id of who asks.
    """

    recipe: Recipe
    target: Target
    key: str
    cache: Cache | None
    parent: int
