"""The only mutable thing in the package: collects links and joints, checks them, builds a Model."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.joints import Fixed, Floating, Joint, JointLimits
from robodyn_ros.model.checks import finite, finite_number, known_limits, rotation_matrix
from robodyn_ros.model.coordinates import OwnCoordinates
from robodyn_ros.model.elements import Body, Frame, Note, TreeJoint, constant
from robodyn_ros.model.mimic import MimicSpec, follower_coordinates
from robodyn_ros.model.model import Model
from robodyn_ros.model.tree import JointSpec, depth_first, find_root, labelled, rerooted

Base = Literal["fixed", "floating", "prescribed"]
WORLD = "world"


@dataclass(frozen=True)
class _FrameSpec:
    name: str
    body: str
    position: NDArray[np.float64]
    rotation: NDArray[np.float64]
    label: str


class ModelBuilder:
    """Collects the parts of a robot in any order; `build` checks the whole and numbers it."""

    def __init__(self, name: str) -> None:
        """Begin an empty robot called `name`."""
        self.name = name
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, JointSpec] = {}
        self._mimics: dict[str, MimicSpec] = {}
        self._frames: dict[str, _FrameSpec] = {}
        self._notes: list[Note] = []

    def add_body(
        self,
        name: str,
        *,
        mass: float = 0.0,
        com: ArrayLike = (0.0, 0.0, 0.0),
        inertia: ArrayLike | None = None,
        has_inertial: bool = True,
        where: str = "",
    ) -> None:
        """Add a body: mass in kg, com (3,) in m, inertia (3, 3) about the com, in body axes.

        `where`, here and below, is the element's place in the description, for error texts.
        """
        label = labelled(name, where)
        if name in self._bodies:
            raise DescriptionError(f"two links are called {label}; rename one")
        kilograms = float(finite(f"the mass of link {label}", mass, ()))
        if kilograms < 0.0:
            raise DescriptionError(f"link {label} has mass {kilograms:g} kg; give one >= 0")
        self._bodies[name] = Body(
            name,
            kilograms,
            finite(f"the centre of mass of link {label}", com, (3,)),
            finite(
                f"the inertia of link {label}",
                np.zeros((3, 3)) if inertia is None else inertia,
                (3, 3),
            ),
            has_inertial,
        )

    def add_joint(
        self,
        name: str,
        joint: Joint,
        parent: str,
        child: str,
        *,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
        limits: JointLimits | None = None,
        damping: float = 0.0,
        friction: float = 0.0,
        armature: float = 0.0,
        where: str = "",
    ) -> None:
        """Hang link `child` on link `parent` by `joint`.

        `position` (3,) in m and `rotation` (3, 3) place the joint's predecessor frame in the
        parent's body frame. Links may be added later.
        """
        label = labelled(name, where)
        if name in self._joints:
            raise DescriptionError(f"two joints are called {label}; rename one")
        if not isinstance(joint, Joint):
            raise ArgumentError(f"joint {label} must be a joint such as Fixed(), got {joint!r}")
        self._joints[name] = JointSpec(
            name,
            joint,
            parent,
            child,
            finite(f"the position of joint {label}", position, (3,)),
            rotation_matrix(f"the rotation of joint {label}", rotation),
            known_limits(f"joint {label}", limits),
            finite_number(f"joint {label}: damping", damping),
            finite_number(f"joint {label}: friction", friction),
            finite_number(f"joint {label}: armature", armature),
            where,
        )

    def add_mimic(
        self,
        follower: str,
        driver: str,
        multiplier: float = 1.0,
        offset: float = 0.0,
        *,
        where: str = "",
    ) -> None:
        """Make joint `follower` move as multiplier * driver + offset."""
        label = labelled(follower, where)
        if follower in self._mimics:
            raise DescriptionError(
                f"joint {label} mimics {self._mimics[follower].driver!r} already and cannot mimic"
                f" {driver!r} too; remove one"
            )
        what = f"joint {label} mimics {driver!r}: the"
        self._mimics[follower] = MimicSpec(
            driver,
            finite_number(f"{what} multiplier", multiplier),
            finite_number(f"{what} offset", offset),
            where,
        )

    def add_frame(
        self,
        name: str,
        body: str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
        *,
        where: str = "",
    ) -> None:
        """Add a frame fixed in link `body` at `position` (3,) in m, turned by `rotation` (3, 3)."""
        label = labelled(name, where)
        if name in self._frames:
            raise DescriptionError(f"two frames are called {label}; rename one of them")
        self._frames[name] = _FrameSpec(
            name,
            body,
            finite(f"the position of frame {label}", position, (3,)),
            rotation_matrix(f"the rotation of frame {label}", rotation),
            label,
        )

    def add_note(self, category: str, element: str, text: str) -> None:
        """Record something ignored or assumed, for the model report."""
        self._notes.append(Note(category, element, text))

    def build(self, base: Base = "fixed", root: str | None = None) -> Model:
        """Check everything and return the model, rooted at link `root` if one is given.

        A floating or prescribed base adds the body `world` and the joint `floating_base` or
        `prescribed_base`, with `_` appended where the description has such a name already.

        Raises:
            ArgumentError: `base` is not one of the three kinds.
            DescriptionError: no links, unknown links, a link with two parents, a loop, several
                roots, a bad mimic; the text names the elements.
        """
        if base not in get_args(Base):
            raise ArgumentError(f"base must be one of {', '.join(get_args(Base))}, got {base!r}")
        described_root = find_root(self.name, list(self._bodies), list(self._joints.values()))
        joints = list(self._joints.values())
        if root is not None and root not in self._bodies:
            raise DescriptionError(f"root link {root!r} is not a link of robot {self.name!r}")
        chosen = described_root if root is None else root
        if chosen != described_root:
            joints = rerooted(joints, chosen)
        return self._assemble(base, depth_first(chosen, joints), chosen)

    def _assemble(self, base: Base, ordered: list[JointSpec], root: str) -> Model:
        bodies = [self._bodies[root]] + [self._bodies[spec.child] for spec in ordered]
        if base != "fixed":
            name = _unused(WORLD, self._bodies.keys() | self._frames.keys())
            still, upright = constant(np.zeros(3)), constant(np.eye(3))
            bodies.insert(0, Body(name, 0.0, still, constant(np.zeros((3, 3)))))
            kind = Floating() if base == "floating" else Fixed()
            joint_name = _unused(f"{base}_base", self._joints)
            first = JointSpec(joint_name, kind, name, root, still, upright, JointLimits())
            ordered = [first, *ordered]
        number = {body.name: i for i, body in enumerate(bodies)}
        unable = [spec.name for spec in ordered if spec.joint.nv == 0 and spec.name in self._mimics]
        text = "a fixed joint cannot follow; its mimic is ignored"
        return Model(
            self.name,
            base,
            tuple(bodies),
            (None, *self._tree_joints(ordered, number, unable)),
            tuple(self._placed_frames(number)),
            (*self._notes, *(Note("mimic", name, text) for name in unable)),
        )

    def _tree_joints(
        self, ordered: list[JointSpec], number: dict[str, int], unable: list[str]
    ) -> Iterator[TreeJoint]:
        specs = {spec.name: spec for spec in ordered}
        mimics = {name: mimic for name, mimic in self._mimics.items() if name not in unable}
        own: dict[str, OwnCoordinates] = {}
        nq = nv = 0
        for spec in ordered:
            if spec.name not in mimics:
                own[spec.name] = OwnCoordinates(nq, nv, spec.joint.nq, spec.joint.nv)
                nq, nv = nq + spec.joint.nq, nv + spec.joint.nv
        followers = follower_coordinates(mimics, specs, own)
        for spec in ordered:
            coordinates, driver = followers.get(spec.name) or (own[spec.name], None)
            yield TreeJoint(
                spec.name,
                spec.joint,
                number[spec.parent],
                spec.rotation,
                spec.position,
                coordinates,
                spec.limits,
                spec.damping,
                spec.friction,
                spec.armature,
                driver,
            )

    def _placed_frames(self, number: dict[str, int]) -> Iterator[Frame]:
        for spec in self._frames.values():
            if spec.name in number:
                raise DescriptionError(f"frame {spec.label} has the name of a link; rename it")
            if spec.body not in number:
                raise DescriptionError(f"frame {spec.label} sits on unknown link {spec.body!r}")
            yield Frame(spec.name, number[spec.body], spec.rotation, spec.position)


def _unused(name: str, taken: Container[str]) -> str:
    """Return `name` with as many underscores appended as make it new."""
    while name in taken:
        name += "_"
    return name
