"""The outside of a kernel: its name and the names and shapes of what goes in and comes out."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

Port: TypeAlias = tuple[str, tuple[int, ...]]
"""The name and shape (of one sample, without batch axes) of an input or output."""


@dataclass(frozen=True)
class Signature:
    """Name, inputs and outputs of a kernel.

    Attributes:
        name: What messages call the kernel.
        inputs: Name and shape of each input of one sample; a size may be zero.
        outputs: The same of each output.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]

    @property
    def input_sizes(self) -> tuple[int, ...]:
        """Number of float64 of each input of one sample."""
        return tuple(math.prod(shape) for _, shape in self.inputs)

    @property
    def output_sizes(self) -> tuple[int, ...]:
        """Number of float64 of each output of one sample."""
        return tuple(math.prod(shape) for _, shape in self.outputs)
