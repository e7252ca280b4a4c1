"""A slider for every coordinate of a robot."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.model import Model
from robodyn_ros.viewer.page import Page

Floats = NDArray[np.float64]
OnMove = Callable[[Sequence[str], Floats], None]
"""Takes the names of coordinates that were moved and their new values (n,), rad or m."""


class Sliders:
    """Sliders in the panel of a page, within the limits of the coordinates.

    They are made where they are constructed: within `with gui.add_folder(...)` in that folder.
    A coordinate without limits reaches from -pi to pi, or as far as the robot is large.

    Attributes:
        names: the coordinates that have a slider, of `model.coordinate_names`.
    """

    def __init__(
        self,
        page: Page,
        model: Model,
        *,
        names: Sequence[str] | None = None,
        q: ArrayLike | None = None,
    ) -> None:
        """Put sliders on the page.

        Args:
            page: the page.
            model: the robot.
            names: which coordinates; by default all, of a closed mechanism the independent ones.
            q: (nq,) where they are at first; by default as the description begins.
        """
        self.names: tuple[str, ...] = tuple(names or model.coordinate_names)
        self._on_move: list[OnMove] = []
        self._handles: list[Any] = []

    def on_move(self, callback: OnMove) -> OnMove:
        """Let `callback(names, values)` be called when a person moves a slider."""
        self._on_move.append(callback)
        return callback

    def show(self, q: ArrayLike) -> None:
        """Move the sliders to coordinates q (nq,); no callback hears of it."""

    @property
    def enabled(self) -> bool:
        """Whether they can be moved; may be set."""
        return True

    @enabled.setter
    def enabled(self, enabled: bool) -> None:
        pass
