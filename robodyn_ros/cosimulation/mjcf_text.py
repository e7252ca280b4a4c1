"""A model of ours as text that MuJoCo compiles: its tree, couplings and contact shapes.

Each lump of links that are fixed to each other is one body. The text has stand-ins for inertias, at
a place and in axes that nothing real has: MuJoCo leaves terms out of bodies that it thinks simple.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.cosimulation.joint_motions import Motion, Stack, stack_of
from robodyn_ros.errors import DescriptionError, quoted
from robodyn_ros.model import AffineFollower, Model
from robodyn_ros.spatial import compose, invert, quaternion_from_matrix
from robodyn_ros.spatial.poses import Pose

Floats = NDArray[np.float64]
Attributes = Mapping[str, str]

STAND_IN = {
    "pos": "0.1 0.2 0.3",
    "quat": "0.7 0.1 0.5 0.5",
    "mass": "1",
    "diaginertia": "0.9 1 1.1",
}
_COUPLING = {"solref": "0.002 1", "solimp": "0.99 0.999 0.0001"}
"""Of followers: as stiff as the step allows, which is what MuJoCo makes of a shorter time."""
_NOWHERE: Pose = (np.eye(3), np.zeros(3))


class Named(NamedTuple):
    """A motion of a lump's joint, and what MuJoCo calls the first of its joints."""

    lump: int
    motion: Motion
    name: str


class Contacts(NamedTuple):
    """What robots touch things with.

    Attributes:
        geoms: attributes of the geoms of each lump.
        assets: attributes of meshes.
        ground: height of the ground, m; None for none.
    """

    geoms: Mapping[int, Sequence[Attributes]]
    assets: Sequence[Attributes]
    ground: float | None


class MjcfText(NamedTuple):
    """A model as text.

    Attributes:
        text: MJCF.
        motions: of every lump's joint, in order.
        bodies: what MuJoCo calls the body of each lump.
        seats: pose of each lump's frame in its MuJoCo body.
    """

    text: str
    motions: tuple[Named, ...]
    bodies: tuple[str, ...]
    seats: tuple[Pose, ...]


def mjcf_text(
    model: Model,
    contacts: Contacts | None = None,
    apart: Sequence[tuple[str, str]] = (),
) -> MjcfText:
    """Return a model as MJCF.

    Args:
        model: the robot.
        contacts: what it touches things with; nothing by default.
        apart: pairs of MuJoCo's bodies that never touch each other.

    Raises:
        DescriptionError: MuJoCo cannot hold it; the text names the element and the remedy.
    """
    _require_tree(model)
    return _Writer(model, contacts).written(apart)


def _require_tree(model: Model) -> None:
    what = f"robot {quoted(model.name)}"
    if model.is_closed:
        raise DescriptionError(
            f"{what} is a closed mechanism, which MuJoCo would hold with soft constraints only; run"
            " the node simulator in place of mujoco_simulator"
        )
    if model.base == "prescribed":
        raise DescriptionError(f"{what} has a prescribed base; set base to fixed or floating")


class _Writer:
    """Writes one model."""

    def __init__(self, model: Model, contacts: Contacts | None) -> None:
        self._model = model
        self._contacts = contacts
        self._root = ElementTree.Element("mujoco", model=model.name)
        self._motions: list[Named] = []

    def written(self, apart: Sequence[tuple[str, str]]) -> MjcfText:
        """Return the text."""
        element = ElementTree.SubElement
        compiler = {"angle": "radian", "inertiafromgeom": "false", "autolimits": "false"}
        element(self._root, "compiler", compiler)
        contacts = self._contacts
        if contacts is not None:
            asset = element(self._root, "asset")
            for mesh in contacts.assets:
                element(asset, "mesh", dict(mesh))
        world = element(self._root, "worldbody")
        if contacts is not None and contacts.ground is not None:
            place = f"0 0 {contacts.ground!r}"
            element(world, "geom", name="ground", type="plane", size="0 0 1", pos=place)
        seats = self._tree(world)
        self._couple()
        if apart:
            excluded = element(self._root, "contact")
            for first, second in apart:
                element(excluded, "exclude", body1=first, body2=second)
        names = [_body_name(lump) for lump in range(self._model.lumped.size)]
        text = ElementTree.tostring(self._root, encoding="unicode")
        return MjcfText(text, tuple(self._motions), tuple(names), tuple(seats))

    def _tree(self, world: ElementTree.Element) -> list[Pose]:
        model = self._model
        elements = [self._body(world, 0, _NOWHERE)]
        seats = [_NOWHERE]
        for i, lump in model.lumped.moving:
            stack = stack_of(lump.joint.name, lump.joint.joint)
            at = compose(seats[lump.parent], (lump.rotation, lump.position))
            seats.append(invert(stack.placed))
            # Only what hangs on the world itself may be free there.
            is_base = model.base == "floating" and i == 1
            parent = world if is_base else elements[lump.parent]
            elements.append(self._body(parent, i, compose(at, stack.home)))
            self._joints(elements[-1], i, stack, is_base=is_base)
        return seats

    def _body(self, parent: ElementTree.Element, lump: int, at: Pose) -> ElementTree.Element:
        body = ElementTree.SubElement(parent, "body", {"name": _body_name(lump), **pose_text(at)})
        ElementTree.SubElement(body, "inertial", STAND_IN)
        if self._contacts is not None:
            for geom in self._contacts.geoms.get(lump, ()):
                ElementTree.SubElement(body, "geom", dict(geom))
        return body

    def _joints(self, body: ElementTree.Element, lump: int, stack: Stack, *, is_base: bool) -> None:
        for k, motion in enumerate(stack.motions):
            name = f"joint {lump}/{k}"
            self._motions.append(Named(lump, motion, name))
            if motion.kind == "free" and is_base:
                ElementTree.SubElement(body, "freejoint", name=name)
            elif motion.kind == "free":
                _free(body, name)
            else:
                axis = {"axis": numbers_text(motion.axis)} if motion.axis else {}
                ElementTree.SubElement(body, "joint", {"type": motion.kind, "name": name, **axis})

    def _couple(self) -> None:
        """Let followers follow."""
        lumps = dict(self._model.lumped.moving)
        followers = {i: lump for i, lump in lumps.items() if lump.joint.is_follower}
        if not followers:
            return
        numbers = {lump.joint.name: i for i, lump in lumps.items()}
        equality = ElementTree.SubElement(self._root, "equality")
        for i, lump in followers.items():
            law, driver = lump.joint.coordinates, lump.joint.driver
            if not isinstance(law, AffineFollower) or driver is None:
                raise DescriptionError(
                    f"joint {quoted(lump.joint.name)} follows others by a formula, for which MuJoCo"
                    " has nothing; run the node simulator in place of mujoco_simulator"
                )
            ends = {"joint1": f"joint {i}/0", "joint2": f"joint {numbers[driver]}/0"}
            law_text = numbers_text((law.offset, law.multiplier, 0.0, 0.0, 0.0))
            ElementTree.SubElement(equality, "joint", {**ends, "polycoef": law_text, **_COUPLING})


def _body_name(lump: int) -> str:
    return f"lump {lump}"


def _free(body: ElementTree.Element, name: str) -> None:
    """Add three slides and a ball, whose numbers are those of a free joint."""
    for k, axis in enumerate(np.eye(3)):
        label = name if k == 0 else f"{name}/{k}"
        attributes = {"type": "slide", "name": label, "axis": numbers_text(axis)}
        ElementTree.SubElement(body, "joint", attributes)
    ElementTree.SubElement(body, "joint", type="ball", name=f"{name}/3")


def pose_text(at: Pose) -> dict[str, str]:
    """Return a pose as MJCF's pos and quat."""
    R, p = at
    quaternion = quaternion_from_matrix(np.asarray(R))
    return {"pos": numbers_text(p), "quat": numbers_text(np.roll(quaternion, 1))}


def numbers_text(numbers: Sequence[float] | Floats) -> str:
    """Return numbers with every digit."""
    return " ".join(repr(float(x)) for x in numbers)
