"""One kind of things in a scene, which can be shown and hidden."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.poses import Flags

Nodes = Iterator[tuple[int, Any]]
"""Numbers of bodies and the nodes that hang on them."""


class Layer(ABC):
    """A kind of things; what is hidden costs nothing."""

    def __init__(self, links: Links, *, visible: bool) -> None:
        """Begin without nodes; `refresh` makes those that are to be seen."""
        self._links = links
        self._visible = visible

    @property
    def visible(self) -> bool:
        """Whether it is shown; may be set."""
        return self._visible

    @visible.setter
    def visible(self, visible: bool) -> None:
        if bool(visible) != self._visible:
            self._visible = bool(visible)
            self.refresh()

    @abstractmethod
    def refresh(self) -> None:
        """Show or hide the nodes as `visible` says, and as the links are now."""

    @abstractmethod
    def follow(self) -> None:
        """Follow the links, which were moved or became valid or ceased to be."""


class Attached(Layer):
    """Things that are fixed in links, made when they are first shown.

    Those of a body whose motion is not known are hidden.
    """

    def __init__(self, links: Links, make: Callable[[Links], Nodes], *, visible: bool) -> None:
        """Take what makes the nodes."""
        super().__init__(links, visible=visible)
        self._make = make
        self._nodes: list[tuple[int, Any]] | None = None
        self._valid: Flags = links.valid
        self.refresh()

    def refresh(self) -> None:
        """Show or hide the nodes."""
        if self._nodes is None:
            if not self._visible:
                return
            self._nodes = list(self._make(self._links))
        self._valid = self._links.valid
        for body, node in self._nodes:
            node.visible = bool(self._visible and self._valid[body])

    def follow(self) -> None:
        """Hide what belongs to bodies that are not valid."""
        if not np.array_equal(self._valid, self._links.valid):
            self.refresh()

    def make_again(self) -> None:
        """Make the nodes anew: what they stand for has changed."""
        # Those below others first: with a node go all that are below it.
        for _, node in reversed(self._nodes or []):
            node.remove()
        self._nodes = None
        self.refresh()
