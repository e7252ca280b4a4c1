"""Controls of gravity and payloads."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from robodyn_ros.viewer.panel_actions import Abilities, Actions, Vector, WantedPayload
from robodyn_ros.viewer.panel_inputs import Hold, on_user, show_value

if TYPE_CHECKING:
    import viser

STANDARD: Vector = (0.0, 0.0, -9.81)
_MOST_GRAVITY = 1000.0
_HEAVIEST = 1e6
NO_LINK = "-"
"""Stands where there are no links to choose from."""


class LoadControls:
    """The folders "Gravity" and "Payload"."""

    def __init__(
        self,
        gui: viser.GuiApi,
        actions: Actions,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Add the folders to the container that is open.

        Args:
            gui: The page's controls.
            actions: What is asked for.
            clock: Returns the time in s.
        """
        self._actions = actions
        self._hold = Hold(clock)
        self._simulated = False
        with gui.add_folder("Gravity"):
            self.has_gravity = gui.add_checkbox("gravity", initial_value=True)
            limit = (_MOST_GRAVITY,) * 3
            self.gravity = gui.add_vector3(
                "m/s^2", STANDARD, min=(-_MOST_GRAVITY,) * 3, max=limit, step=0.01
            )
        with gui.add_folder("Payload"):
            self.link = gui.add_dropdown("link", (NO_LINK,))
            self.mass = gui.add_number("mass [kg]", 1.0, min=0.0, max=_HEAVIEST, step=0.1)
            self.com = gui.add_vector3("centre [m]", (0.0, 0.0, 0.0), step=0.01)
            self.simulated = gui.add_checkbox(
                "also in the simulation",
                initial_value=True,
                hint="Off: the simulated robot carries it only if it did before, and what the"
                " dynamics expect differs from what is measured.",
            )
            self.attach = gui.add_button("Attach")
            self.remove = gui.add_button("Remove")
        on_user(self.has_gravity, self._switch_gravity)
        on_user(self.gravity, self._choose_gravity)
        on_user(self.attach, self._attach)
        on_user(self.remove, self._remove)
        self.allow(Abilities())

    def allow(self, abilities: Abilities) -> None:
        """Grey out what nothing would do."""
        self.has_gravity.disabled = self.gravity.disabled = not abilities.gravity
        self._simulated = abilities.simulated_payload
        self.simulated.disabled = not abilities.simulated_payload
        able = abilities.payload or abilities.simulated_payload
        self.attach.disabled = self.remove.disabled = not able

    def offer(self, links: Sequence[str], chosen: str) -> None:
        """Let people choose from these links; `chosen` is the first choice."""
        self.link.options = tuple(links) or (NO_LINK,)
        if chosen in links:
            show_value(self.link, chosen)

    def show_gravity(self, gravity: Vector) -> None:
        """Show gravity as it is, world axes, m/s^2, unless somebody is about to change it."""
        if not self._hold.is_over or not all(map(math.isfinite, gravity)):
            return
        show_value(self.has_gravity, any(gravity))
        if any(gravity):  # what it was stays there, to be switched on again
            show_value(self.gravity, gravity)

    def _switch_gravity(self) -> None:
        x, y, z = self.gravity.value if self.has_gravity.value else (0.0, 0.0, 0.0)
        self._set_gravity((float(x), float(y), float(z)))

    def _choose_gravity(self) -> None:
        x, y, z = self.gravity.value
        self._set_gravity((float(x), float(y), float(z)))

    def _set_gravity(self, gravity: Vector) -> None:
        if all(map(math.isfinite, gravity)):
            self._hold.begin()
            self._actions.set_gravity(gravity)

    def _attach(self) -> None:
        x, y, z = (float(each) for each in self.com.value)
        mass = float(self.mass.value)
        if self.link.value == NO_LINK or not all(map(math.isfinite, (mass, x, y, z))):
            return
        payload = WantedPayload(self.link.value, mass, (x, y, z))
        self._actions.attach(payload, self._simulated and self.simulated.value)

    def _remove(self) -> None:
        if self.link.value != NO_LINK:
            self._actions.remove(self.link.value, self._simulated and self.simulated.value)
