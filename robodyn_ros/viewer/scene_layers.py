"""All kinds of things that a scene shows of one robot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from robodyn_ros.description.mechanism import Shape
from robodyn_ros.model import Payload
from robodyn_ros.viewer import attached
from robodyn_ros.viewer.arrows import Arrows, Wrenches
from robodyn_ros.viewer.drawn import Drawn
from robodyn_ros.viewer.elements import Elements
from robodyn_ros.viewer.joint_axes import JointAxes
from robodyn_ros.viewer.layer import Attached, Layer, Nodes
from robodyn_ros.viewer.links import Links
from robodyn_ros.viewer.meshes import MeshFiles
from robodyn_ros.viewer.settings import (
    KINDS,
    MARKER_MOTIONS,
    MOTIONS,
    SHOWN_AT_FIRST,
    SceneSettings,
)


class SceneLayers:
    """The layers of what a robot has.

    Attributes:
        by_kind: all, in the order of `KINDS`.
        arrows: those of motions, by kind.
        wrenches: forces and moments.
        notes: what could not be shown as described, as far as it was tried.
    """

    def __init__(
        self,
        links: Links,
        settings: SceneSettings,
        drawn: Drawn,
        collisions: Sequence[Shape],
        files: MeshFiles,
    ) -> None:
        """Make the layers; what is hidden at first makes no nodes.

        Args:
            links: what they hang on.
            settings: sizes and scales.
            drawn: the shapes of the robot.
            collisions: shapes that collisions are looked for with.
            files: meshes.
        """
        self._links = links
        self._settings = settings
        self._carried: tuple[Payload, ...] = ()
        self._drawings = [drawn]
        if collisions:
            hidden = Drawn(links, collisions, files, folder="collisions", visible=False)
            self._drawings.append(hidden)
        self.wrenches = Wrenches(links, settings, visible="wrenches" in SHOWN_AT_FIRST)
        self.arrows = dict(self._all_arrows())
        self._payloads = self._attached("payloads", self._loads)
        made = dict(self._fixed())
        made |= dict(zip(("visuals", "collisions"), self._drawings, strict=False))
        made |= {"payloads": self._payloads, "wrenches": self.wrenches, **self.arrows}
        self.by_kind: dict[str, Layer] = {kind: made[kind] for kind in KINDS if kind in made}

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be shown as described, each once."""
        return tuple(dict.fromkeys(note for drawn in self._drawings for note in drawn.notes))

    def follow(self) -> None:
        """Follow the links."""
        for layer in self.by_kind.values():
            layer.follow()

    def carry(self, payloads: Sequence[Payload]) -> None:
        """Show other payloads."""
        if not _same(payloads, self._carried):
            self._carried = tuple(payloads)
            self._payloads.make_again()

    def _fixed(self) -> Iterator[tuple[str, Layer]]:
        """Yield what is fixed in links, joints and constraint elements, as far as there is any."""
        links, settings = self._links, self._settings
        yield "frames", self._attached("frames", lambda x: attached.frames(x, settings))
        yield "names", self._attached("names", attached.names)
        axes = JointAxes(links, settings, visible="joint_axes" in SHOWN_AT_FIRST)
        if axes:
            yield "joint_axes", axes
        masses = self._attached("centers_of_mass", lambda x: attached.centers_of_mass(x, settings))
        yield "centers_of_mass", masses
        yield "inertia", self._attached("inertia", attached.ellipsoids)
        if links.model.markers:
            yield "markers", self._attached("markers", lambda x: attached.markers(x, settings))
        elements = Elements(links, settings, visible="constraints" in SHOWN_AT_FIRST)
        if elements:
            yield "constraints", elements

    def _all_arrows(self) -> Iterator[tuple[str, Arrows]]:
        kinds = (*MOTIONS, *(MARKER_MOTIONS if self._links.model.markers else ()))
        for kind in kinds:
            scale = float(getattr(self._settings, MARKER_MOTIONS.get(kind, kind)))
            visible = kind in SHOWN_AT_FIRST
            yield kind, Arrows(self._links, self._settings, kind, scale=scale, visible=visible)

    def _loads(self, links: Links) -> Nodes:
        return attached.payloads(links, self._carried)

    def _attached(self, kind: str, make: Callable[[Links], Nodes]) -> Attached:
        return Attached(self._links, make, visible=kind in SHOWN_AT_FIRST)


def _same(new: Sequence[Payload], old: Sequence[Payload]) -> bool:
    """Return whether payloads look alike."""
    return len(new) == len(old) and all(
        (x.name, x.frame, x.mass) == (y.name, y.frame, y.mass) and np.array_equal(x.com, y.com)
        for x, y in zip(new, old, strict=True)
    )
