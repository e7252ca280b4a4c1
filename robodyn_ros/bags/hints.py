"""What measured efforts of a replay look like beside computed ones, in words."""

from __future__ import annotations

from collections.abc import Iterator

from robodyn_ros.analysis.effort_hints import EffortHints
from robodyn_ros.bags.evaluation import Block
from robodyn_ros.model import Model


class Likeness:
    """Takes the blocks of a replay; see `EffortHints`."""

    def __init__(self, model: Model) -> None:
        """Begin with nothing."""
        self._hints = EffortHints(model.coordinate_names)

    def add(self, block: Block) -> None:
        """Take a block in."""
        self._hints.add(block.measured, block.effort, block.residual, block.terms["gravity"])

    def hints(self) -> Iterator[str]:
        """Yield what the numbers look like."""
        yield from self._hints.hints()
