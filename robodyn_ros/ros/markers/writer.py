"""The marker messages of one robot, as bytes for `~/visualization`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.model import Model
from robodyn_ros.model.effort_arcs import EffortAxes
from robodyn_ros.ros.markers.acting import NOTHING, Acting
from robodyn_ros.ros.markers.arrows import Arrows
from robodyn_ros.ros.markers.axes import Axes
from robodyn_ros.ros.markers.constraints import (
    ElementCircles,
    ElementLines,
    Elements,
    ElementSolids,
)
from robodyn_ros.ros.markers.efforts import EffortArcs, EffortArrows, Told
from robodyn_ros.ros.markers.geometry import Bodies, Flags, Floats
from robodyn_ros.ros.markers.loads import MOST, ForceArrows, MomentArcs, Slots, needed
from robodyn_ros.ros.markers.message import MarkerMessage
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.shapes import Shapes
from robodyn_ros.ros.markers.trail_memory import TrailMemory
from robodyn_ros.ros.markers.trails import Trail, Trails, trail_bodies, trails_of

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism import Shape


class VisualizationWriter:
    """Makes the messages that show the bodies of a model.

    Every message has the same markers in the same order, each told apart by its namespace and a
    number, mostly its body's. What is not to be seen is a deletion: whatever belongs to a body that
    is not valid, an arrow of no length. The first message, and the first after a change, deletes
    all that was there before. One thread at a time may use it.
    """

    def __init__(
        self,
        model: Model,
        plan: FramePlan,
        settings: VisualizationSettings,
        drawing: Sequence[Shape] = (),
    ) -> None:
        """Make the message; with many bodies that takes some 0.1 s.

        Args:
            model: The robot.
            plan: Its frames; markers are given in the plan's world frame.
            settings: What is shown.
            drawing: Shapes that the description draws the bodies with.
        """
        self._model = model
        self._drawing = tuple(drawing)
        self._frame = plan.state_frame
        self._settings = settings
        self._trails: tuple[Trail, ...] = tuple(trails_of(model, settings))
        self._memory = TrailMemory(len(self._trails), settings.trail_length)
        self._places: tuple[int, int, int] = (0, 0, 0)
        self._told = Told()
        self._message = self._made()

    @property
    def settings(self) -> VisualizationSettings:
        """What is shown."""
        return self._settings

    @property
    def unknown_trail_bodies(self) -> tuple[str, ...]:
        """Names in the settings that the model does not have."""
        return trail_bodies(self._model, self._settings.trail_bodies)[1]

    def change(self, settings: VisualizationSettings) -> None:
        """Show something else from the next message on; trails that stay are continued."""
        if settings == self._settings:
            return
        self._settings = settings
        trails = tuple(trails_of(self._model, settings))
        memory = TrailMemory(len(trails), settings.trail_length)
        same = [x[:3] for x in trails] == [x[:3] for x in self._trails]
        if not same or memory.points.shape != self._memory.points.shape:
            self._trails, self._memory = trails, memory
        self._message = self._made()

    def reset(self) -> None:
        """Forget the trails: the clock was reset."""
        self._memory.reset()

    def fill(
        self,
        stamp: int,
        block: Floats,
        valid: Flags,
        q: Floats | None = None,
        acting: Acting = NOTHING,
    ) -> bytes:
        """Return the message for the motion of the bodies.

        Args:
            stamp: Time of the input, ns.
            block: (nb, 28), see `geometry`; what is not finite is not shown.
            valid: (nb,) bodies whose motion is known.
            q: (nq,) coordinates; without them axes that change with them are not shown.
            acting: What acts on the robot. Where that are more wrenches or payloads than ever, or
                the first efforts, all markers are made anew.

        Raises:
            ArgumentError: a stamp whose seconds do not fit 32 bits.
        """
        # Absurd numbers are looked for, not wondered at.
        with np.errstate(all="ignore"):
            bodies = Bodies(block, valid, q, acting)
            told = self._told.after(acting)
            if told != self._told or not self._slots.serves(acting):
                # Twice as many places as are wanted: it is not to happen with every new one.
                wanted = (min(2 * count, MOST) for count in needed(acting))
                pushes, payloads, estimates = map(max, wanted, self._places)
                self._places = pushes, payloads, estimates
                self._told = told
                self._message = self._made()
            trailing = self._trailing
            self._memory.push(stamp, self._ends(bodies), bodies.sound[trailing])
            return self._message.fill(stamp, bodies)

    def clear(self, stamp: int) -> bytes:
        """Return the message that deletes all markers, as when no more are to come."""
        return self._message.clear(stamp)

    def _ends(self, bodies: Bodies) -> Floats:
        """Return where the points with trails (n, 3) are now."""
        arm = np.einsum("ijk,ik->ij", bodies.rotation[self._trailing], self._offset)
        ends: Floats = bodies.block[self._trailing, :3] + arm
        return ends

    def _made(self) -> MarkerMessage:
        self._trailing = np.array([trail.body for trail in self._trails], dtype=np.intp)
        self._offset = np.reshape([trail.offset for trail in self._trails], (-1, 3))
        model, settings = self._model, self._settings
        axes, elements = EffortAxes(model), Elements(model, settings)
        self._slots = Slots(model, settings, *self._places)
        groups = (
            Shapes(model, settings, self._drawing),
            Axes(model, settings),
            Arrows(model, settings),
            Trails(self._trails, self._memory),
            ElementLines(elements),
            ElementCircles(elements),
            ElementSolids(elements),
            EffortArcs(model, axes, settings, self._told),
            EffortArrows(model, axes, settings, self._told),
            ForceArrows(self._slots, settings),
            MomentArcs(self._slots, settings),
        )
        return MarkerMessage(groups, self._frame, settings.lifetime)
