"""The only mutable thing in the package: collects links and joints, checks them, builds a Model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import get_args

import numpy as np
from numpy.typing import ArrayLike

from robodyn_ros.errors import ArgumentError, DescriptionError, did_you_mean
from robodyn_ros.joints import Joint, JointLimits
from robodyn_ros.model.assembly import Base, FrameSpec, MarkerSpec, Parts, assembled
from robodyn_ros.model.checks import finite, finite_number, rotation_matrix
from robodyn_ros.model.closure_builder import ClosureBuilder
from robodyn_ros.model.clusters import clusters_hung
from robodyn_ros.model.elements import Body, Note, constant
from robodyn_ros.model.environment import BaseMotion, Environment
from robodyn_ros.model.joint_spec import joint_spec
from robodyn_ros.model.mimic import MimicSpec
from robodyn_ros.model.model import Model
from robodyn_ros.model.tree import JointSpec, depth_first, find_root, labelled, rerooted

__all__ = ["Base", "ModelBuilder"]


class ModelBuilder(ClosureBuilder):
    """Collects the parts of a robot in any order; `build` checks the whole and numbers it."""

    def __init__(self, name: str) -> None:
        """Begin an empty robot called `name`."""
        super().__init__()
        self.name = name
        self._bodies: dict[str, Body] = {}
        self._joints: dict[str, JointSpec] = {}
        self._mimics: dict[str, MimicSpec] = {}
        self._frames: dict[str, FrameSpec] = {}
        self._markers: dict[str, MarkerSpec] = {}
        self._environment = Environment()
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
        child_position: ArrayLike = (0.0, 0.0, 0.0),
        child_rotation: ArrayLike | None = None,
        limits: JointLimits | Sequence[JointLimits] | None = None,
        damping: ArrayLike = 0.0,
        friction: ArrayLike = 0.0,
        armature: ArrayLike = 0.0,
        initial: ArrayLike | None = None,
        initial_velocity: ArrayLike | None = None,
        where: str = "",
    ) -> None:
        """Hang link `child` on link `parent` by `joint`. Links may be added later.

        Args:
            name: unique among joints.
            joint: its kind.
            parent: name of the link that carries it.
            child: name of the link that it moves.
            position: (3,) of its predecessor frame in the parent's body frame, m.
            rotation: (3, 3) of its predecessor frame in the parent's body frame.
            child_position: (3,) of its successor frame in the child's body frame, m.
            child_rotation: (3, 3) of its successor frame in the child's body frame.
            limits: of every rate alike, or one for each.
            damping: viscous friction of every rate alike, or one for each.
            friction: Coulomb friction, likewise.
            armature: rotor inertia as seen at the joint, likewise.
            initial: (nq,) coordinates with which a robot begins; neutral by default.
            initial_velocity: (nv,) rates with which it begins; 0 by default.
            where: place in the description, for error texts.
        """
        if name in self._joints:
            raise DescriptionError(f"two joints are called {labelled(name, where)}; rename one")
        self._require_new(name, where)
        self._joints[name] = joint_spec(
            name,
            joint,
            parent,
            child,
            position=position,
            rotation=rotation,
            child_position=child_position,
            child_rotation=child_rotation,
            limits=limits,
            damping=damping,
            friction=friction,
            armature=armature,
            initial=initial,
            initial_velocity=initial_velocity,
            where=where,
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
        self._frames[name] = FrameSpec(
            name,
            body,
            finite(f"the position of frame {label}", position, (3,)),
            rotation_matrix(f"the rotation of frame {label}", rotation),
            label,
        )

    def add_marker(
        self,
        name: str,
        body: str,
        *,
        position: ArrayLike | None = None,
        direction: ArrayLike | None = None,
        where: str = "",
    ) -> None:
        """Follow a point `position` (3,) in m, or a unit vector `direction` (3,), of a link."""
        label = labelled(name, where)
        if name in self._markers:
            raise DescriptionError(f"two markers are called {label}; rename one of them")
        if position is not None and direction is None:
            point = finite(f"the position of marker {label}", position, (3,))
            self._markers[name] = MarkerSpec(name, body, "position", point, label)
            return
        if direction is None or position is not None:
            raise DescriptionError(
                f"marker {label} must have either a position or a direction; give one of them"
            )
        vector = finite(f"the direction of marker {label}", direction, (3,))
        norm = float(np.linalg.norm(vector))
        if norm == 0.0:
            raise DescriptionError(f"the direction of marker {label} is zero; give a unit vector")
        self._markers[name] = MarkerSpec(name, body, "direction", constant(vector / norm), label)

    def set_gravity(self, gravity: ArrayLike) -> None:
        """Let the robot begin under `gravity` (3,), the physical vector, world axes, m/s^2."""
        self._environment = replace(self._environment, gravity=finite("gravity", gravity, (3,)))

    def set_base_motion(self, motion: BaseMotion) -> None:
        """Let a prescribed base begin with `motion`."""
        self._environment = replace(self._environment, base_motion=motion)

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
        joints = list(self._joints.values())
        links = list(self._bodies)
        notes = list(self._notes)
        if root is not None and root not in self._bodies:
            raise DescriptionError(
                f"root link {root!r} is not a link of robot {self.name!r}"
                f"{did_you_mean(root, self._bodies)}"
            )
        if self._closure.closes:
            joints, found = clusters_hung(links, joints, root, self._closure.names)
            notes += found
        described_root = find_root(self.name, links, joints)
        chosen = described_root if root is None else root
        if chosen != described_root:
            joints = rerooted(joints, chosen)
        parts = Parts(self._bodies, self._mimics, self._frames, self._markers, notes, self._closure)
        ordered = depth_first(chosen, joints)
        return assembled(self.name, base, chosen, ordered, parts, self._environment)

    def _described_joints(self) -> Mapping[str, JointSpec]:
        return self._joints
