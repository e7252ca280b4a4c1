"""Controls of simulated time: pause, step, speed, reset; and the end of all commands."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from robodyn_ros.viewer.panel_actions import Abilities, Actions
from robodyn_ros.viewer.panel_inputs import Hold, on_user, show_value

if TYPE_CHECKING:
    import viser

_PAUSE, _RUN = "Pause", "Run"
MOST_STEPS = 1_000_000
FASTEST = 10.0
"""Highest speed that can be chosen, times real time."""


class TimeControls:
    """The folder "Time"."""

    def __init__(
        self,
        gui: viser.GuiApi,
        actions: Actions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Add the folder to the container that is open.

        Args:
            gui: The page's controls.
            actions: What is asked for.
            clock: Returns the time in s.
        """
        self._actions = actions
        self._hold = Hold(clock)
        self._can_step = False
        self._paused = False
        with gui.add_folder("Time"):
            self.pause = gui.add_button(_PAUSE, hint="Let time stand still, or go on.")
            self.steps = gui.add_number("steps", 10, min=1, max=MOST_STEPS, step=1)
            self.step = gui.add_button("Step", hint="Take so many steps of a paused simulation.")
            self.speed = gui.add_slider(
                "speed",
                0.0,
                FASTEST,
                0.05,
                1.0,
                hint="Simulated seconds per second; 0 for as fast as possible.",
            )
            self.release = gui.add_button("Release", hint="End all commands.")
            self.reset = gui.add_button("Reset", hint="Put the simulation back to its beginning.")
        on_user(self.pause, lambda: actions.pause(not self._paused))
        on_user(self.step, self._step)
        on_user(self.speed, self._speed)
        on_user(self.release, actions.release)
        on_user(self.reset, actions.reset)
        self.allow(Abilities())

    def allow(self, abilities: Abilities) -> None:
        """Grey out what nothing would do."""
        self.pause.disabled = not abilities.pause
        self._can_step = abilities.step
        self.steps.disabled = self.step.disabled = not (abilities.step and self._paused)
        self.speed.disabled = not abilities.speed
        self.release.disabled = not abilities.release
        self.reset.disabled = not abilities.reset

    def show(self, paused: bool, speed: float) -> None:
        """Show what time does.

        Args:
            paused: Whether it stands still.
            speed: Simulated seconds per second that are asked for; NaN where that is not known.
        """
        self._paused = paused
        self.pause.label = _RUN if paused else _PAUSE
        self.steps.disabled = self.step.disabled = not (self._can_step and paused)
        if math.isfinite(speed) and self._hold.is_over:
            show_value(self.speed, min(max(speed, 0.0), FASTEST))

    def _step(self) -> None:
        self._actions.step(min(max(int(self.steps.value), 1), MOST_STEPS))

    def _speed(self) -> None:
        if math.isfinite(self.speed.value):
            self._hold.begin()
            self._actions.set_speed(min(max(float(self.speed.value), 0.0), FASTEST))
