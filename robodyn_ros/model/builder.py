"""The only mutable thing in the package: collects links and joints, checks them, builds a Model."""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from robodyn_ros.errors import ArgumentError, DescriptionError
from robodyn_ros.joints import Fixed, Floating, Joint, JointLimits
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
        if name in self._bodies:
            raise DescriptionError(f"two links are called {labelled(name, where)}; rename one")
        moment = np.zeros((3, 3)) if inertia is None else inertia
        values = _finite(f"the inertia of link {name!r}", moment, (3, 3))
        centre = _finite(f"the centre of mass of link {name!r}", com, (3,))
        if not np.isfinite(mass) or mass < 0.0:
            raise DescriptionError(
                f"link {labelled(name, where)} has mass {mass}; give a finite mass >= 0"
            )
        self._bodies[name] = Body(name, float(mass), centre, values, has_inertial)

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
        where: str = "",
    ) -> None:
        """Hang link `child` on link `parent` by `joint`.

        `position` (3,) in m and `rotation` (3, 3) place the joint's predecessor frame in the
        parent's body frame. Links may be added later.
        """
        if name in self._joints:
            raise DescriptionError(f"two joints are called {labelled(name, where)}; rename one")
        turned = np.eye(3) if rotation is None else rotation
        self._joints[name] = JointSpec(
            name,
            joint,
            parent,
            child,
            _finite(f"the position of joint {name!r}", position, (3,)),
            _finite(f"the rotation of joint {name!r}", turned, (3, 3)),
            limits or JointLimits(),
            float(damping),
            float(friction),
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
        if not (np.isfinite(multiplier) and np.isfinite(offset)):
            raise DescriptionError(
                f"joint {labelled(follower, where)} mimics {driver!r} with a multiplier or offset that is not"
                f" finite: {multiplier}, {offset}"
            )
        self._mimics[follower] = MimicSpec(driver, float(multiplier), float(offset), where)

    def add_frame(
        self,
        name: str,
        body: str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: ArrayLike | None = None,
    ) -> None:
        """Add a frame fixed in link `body` at `position` (3,) in m, turned by `rotation` (3, 3)."""
        if name in self._frames:
            raise DescriptionError(f"two frames are called {name!r}; rename one of them")
        turned = np.eye(3) if rotation is None else rotation
        self._frames[name] = _FrameSpec(
            name,
            body,
            _finite(f"the position of frame {name!r}", position, (3,)),
            _finite(f"the rotation of frame {name!r}", turned, (3, 3)),
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
            name = _unused(WORLD, self._bodies)
            still, upright = constant(np.zeros(3)), constant(np.eye(3))
            bodies.insert(0, Body(name, 0.0, still, constant(np.zeros((3, 3)))))
            kind = Floating() if base == "floating" else Fixed()
            joint_name = _unused(f"{base}_base", self._joints)
            first = JointSpec(joint_name, kind, name, root, still, upright, JointLimits())
            ordered = [first, *ordered]
        number = {body.name: i for i, body in enumerate(bodies)}
        return Model(
            self.name,
            base,
            tuple(bodies),
            (None, *self._tree_joints(ordered, number)),
            tuple(self._placed_frames(number)),
            tuple(self._notes),
        )

    def _tree_joints(self, ordered: list[JointSpec], number: dict[str, int]) -> Iterator[TreeJoint]:
        specs = {spec.name: spec for spec in ordered}
        mimics = dict(self._mimics)
        for name in list(mimics):
            if name in specs and specs[name].joint.nv == 0:
                self.add_note("mimic", name, "a fixed joint cannot follow; its mimic is ignored")
                del mimics[name]
        own: dict[str, OwnCoordinates] = {}
        nq = nv = 0
        for spec in ordered:
            if spec.name not in mimics:
                own[spec.name] = OwnCoordinates(nq, nv, spec.joint.nq, spec.joint.nv)
                nq, nv = nq + spec.joint.nq, nv + spec.joint.nv
        followers = follower_coordinates(mimics, specs, own)
        for spec in ordered:
            coordinates, driver = followers.get(spec.name, (own.get(spec.name), None))
            assert coordinates is not None  # every joint is in exactly one of the two
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
                driver,
            )

    def _placed_frames(self, number: dict[str, int]) -> Iterator[Frame]:
        for spec in self._frames.values():
            if spec.name in number:
                raise DescriptionError(f"frame {spec.name!r} has the name of a link; rename it")
            if spec.body not in number:
                raise DescriptionError(f"frame {spec.name!r} sits on unknown link {spec.body!r}")
            yield Frame(spec.name, number[spec.body], spec.rotation, spec.position)


def _unused(name: str, taken: Container[str]) -> str:
    """Return `name` with as many underscores appended as make it new."""
    while name in taken:
        name += "_"
    return name


def _finite(what: str, values: ArrayLike, shape: tuple[int, ...]) -> NDArray[np.float64]:
    """Return a read-only copy of `values`, checked for shape and finiteness."""
    array = constant(values)
    if array.shape != shape or not np.all(np.isfinite(array)):
        raise DescriptionError(f"{what} must be {shape} finite numbers, got {array.tolist()}")
    return array
