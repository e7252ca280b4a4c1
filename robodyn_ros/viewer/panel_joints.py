"""Sliders that show where coordinates are, and move them."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from robodyn_ros.viewer.panel_actions import Abilities
from robodyn_ros.viewer.panel_inputs import Hold, on_user, show_value

if TYPE_CHECKING:
    import viser

_STEPS = 1000
"""Of a slider from end to end, about."""
_SMALLEST = 1e-6


class Range(NamedTuple):
    """A coordinate and how far it goes.

    Attributes:
        name: Its name.
        lower, upper: Its range, rad or m; finite.
        unit: "rad" or "m".
        turns_endlessly: Whether it is an angle without limits: then a whole turn is its range,
            and the slider moves it the shorter way.
    """

    name: str
    lower: float
    upper: float
    unit: str
    turns_endlessly: bool = False


class JointSliders:
    """A slider per coordinate. It follows what is measured, except while somebody moves it."""

    def __init__(
        self,
        gui: viser.GuiApi,
        move: Callable[[str, float], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Add the folder to the container that is open, without sliders.

        Args:
            gui: The page's controls.
            move: Called with a coordinate and where somebody moved its slider to.
            clock: Returns the time in s.
        """
        self._gui = gui
        self._move = move
        self._clock = clock
        self._folder = gui.add_folder("Joints")
        self._ranges: dict[str, Range] = {}
        self._holds: dict[str, Hold] = {}
        self._positions: dict[str, float] = {}
        self._known: dict[str, float] = {}
        self._can_move = False
        #: By coordinate.
        self.sliders: dict[str, viser.GuiSliderHandle[float]] = {}

    def arrange(self, ranges: Sequence[Range]) -> None:
        """Have sliders for these coordinates and no others."""
        wanted = {one.name: one for one in ranges}
        if wanted == self._ranges and list(wanted) == list(self._ranges):
            return
        for slider in self.sliders.values():
            slider.remove()
        self._ranges, self.sliders = wanted, {}
        self._holds = {one.name: Hold(self._clock) for one in ranges}
        with self._folder:
            for one in wanted.values():
                self.sliders[one.name] = self._slider(one)

    def allow(self, abilities: Abilities) -> None:
        """Grey the sliders out where nothing would follow them."""
        self._can_move = abilities.move
        for slider in self.sliders.values():
            slider.disabled = not abilities.move

    def follow(self, positions: Mapping[str, float]) -> None:
        """Show where coordinates are, rad or m; what is not known or finite stays."""
        for name, slider in self.sliders.items():
            position = positions.get(name, math.nan)
            if not math.isfinite(position):
                continue
            self._positions[name] = position
            # Another value than the one known is somebody's, and the page is about to tell of it.
            used = slider.value != self._known[name] and not slider.disabled
            if used or not self._holds[name].is_over:
                continue
            shown = _shown(self._ranges[name], position)
            if abs(shown - slider.value) >= 0.5 * slider.step:
                self._known[name] = shown
                show_value(slider, shown)

    def _slider(self, one: Range) -> viser.GuiSliderHandle[float]:
        lower, upper = one.lower, max(one.upper, one.lower)
        step = max(10.0 ** math.floor(math.log10(max(upper - lower, 1e-3) / _STEPS)), _SMALLEST)
        start = _shown(one, self._positions.get(one.name, 0.0))
        slider = self._gui.add_slider(
            f"{one.name} [{one.unit}]",
            float(lower),
            float(upper),
            step,
            start,
            disabled=not self._can_move,
        )
        self._known[one.name] = slider.value
        on_user(slider, lambda: self._used(one, slider))
        return slider

    def _used(self, one: Range, slider: viser.GuiSliderHandle[float]) -> None:
        if self.sliders.get(one.name) is not slider:
            return
        wanted = float(slider.value)
        if not math.isfinite(wanted):
            return
        self._holds[one.name].begin()
        self._known[one.name] = slider.value
        wanted = min(max(wanted, one.lower), one.upper)
        if one.turns_endlessly:
            wanted = nearest_turn(wanted, self._positions.get(one.name, wanted))
        self._move(one.name, wanted)


def nearest_turn(angle: float, reference: float) -> float:
    """Return the angle, whole turns added, that is nearest to a reference, rad."""
    return angle + math.tau * round((reference - angle) / math.tau)


def _shown(one: Range, position: float) -> float:
    """Return where the slider of a coordinate stands for a position, rad or m."""
    if one.turns_endlessly:
        position = nearest_turn(position, 0.5 * (one.lower + one.upper))
    return min(max(position, one.lower), max(one.upper, one.lower))
