"""Controls that push a simulated robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from robodyn_ros.viewer.panel_actions import Abilities, Actions, WantedPush
from robodyn_ros.viewer.panel_inputs import on_user, show_value
from robodyn_ros.viewer.panel_loads import NO_LINK

if TYPE_CHECKING:
    import viser

_STRONGEST = 1e6
_LONGEST = 60.0


class PushControls:
    """The folder "Push"."""

    def __init__(self, gui: viser.GuiApi, actions: Actions) -> None:
        """Add the folder to the container that is open.

        Args:
            gui: The page's controls.
            actions: What is asked for.
        """
        self._actions = actions
        lower, upper = (-_STRONGEST,) * 3, (_STRONGEST,) * 3
        with gui.add_folder("Push"):
            self.link = gui.add_dropdown("link", (NO_LINK,))
            self.force = gui.add_vector3(
                "force [N]", (20.0, 0.0, 0.0), min=lower, max=upper, step=0.1, hint="World axes."
            )
            self.moment = gui.add_vector3(
                "moment [N m]", (0.0, 0.0, 0.0), min=lower, max=upper, step=0.1, hint="World axes."
            )
            self.duration = gui.add_number("for [s]", 0.2, min=0.001, max=_LONGEST, step=0.01)
            self.push = gui.add_button("Push")
            self.handle = gui.add_checkbox(
                "handle to drag", initial_value=True, hint="Arrows at the link, in the scene."
            )
        on_user(self.push, self._push)
        self.allow(Abilities())

    def allow(self, abilities: Abilities) -> None:
        """Grey out what nothing would do."""
        self.push.disabled = self.handle.disabled = not abilities.push

    @property
    def handled(self) -> str:
        """The link or frame whose body can be dragged; "" for none."""
        wanted = self.handle.value and not self.handle.disabled and self.link.value != NO_LINK
        return self.link.value if wanted else ""

    def offer(self, links: Sequence[str], chosen: str) -> None:
        """Let people choose from these links; `chosen` is the first choice."""
        self.link.options = tuple(links) or (NO_LINK,)
        if chosen in links:
            show_value(self.link, chosen)

    def _push(self) -> None:
        fx, fy, fz = (float(each) for each in self.force.value)
        mx, my, mz = (float(each) for each in self.moment.value)
        duration = float(self.duration.value)
        known = all(map(math.isfinite, (fx, fy, fz, mx, my, mz, duration)))
        if self.link.value != NO_LINK and known:
            push = WantedPush(self.link.value, (fx, fy, fz), (mx, my, mz), duration)
            self._actions.push(push)
