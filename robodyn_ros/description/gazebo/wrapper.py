"""From any description to a URDF that current Gazebo and ros2_control take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from lxml import etree

from robodyn_ros.description.exchange.urdf_writer import INITIAL_STATE, urdf_text
from robodyn_ros.description.gazebo.bodies import WORLD, GazeboBody, dropped, gazebo_bodies
from robodyn_ros.description.gazebo.complete import complete
from robodyn_ros.description.gazebo.joints import controlled_joints
from robodyn_ros.description.gazebo.massless import (
    given_mass,
    settle_masses,
    settle_nothing,
    tokens_for,
)
from robodyn_ros.description.gazebo.meshes import located_meshes
from robodyn_ros.description.gazebo.placing import anchor, append, keep
from robodyn_ros.description.gazebo.refused import (
    classic_plugins,
    name_remarks,
    require_spawnable,
    sensor_remarks,
)
from robodyn_ros.description.gazebo.remarks import Remark, lost
from robodyn_ros.description.gazebo.ros2_control import (
    control_block,
    kept_joints,
    plugin_block,
    settle_own_tags,
)
from robodyn_ros.description.gazebo.settings import DEFAULT_RATE, GazeboSettings
from robodyn_ros.description.load import errors_named, load_model, plain_name
from robodyn_ros.description.source import Document, Source, read_source, text_document
from robodyn_ros.description.urdf import urdf_builder
from robodyn_ros.description.xml_tree import Element, parse_tree
from robodyn_ros.errors import ArgumentError
from robodyn_ros.model import Model


@dataclass(frozen=True)
class GazeboDescription:
    """What a description became.

    Attributes:
        text: the URDF.
        name: the robot's name.
        joints: that take efforts, in the order of the model's coordinates.
        followers: mimic joints that ros2_control knows of.
        rate: of the controller manager, Hz.
        base: "fixed" or "floating".
        is_anchored: whether a link `world` was added, which holds the robot in place.
        bodies: that Gazebo simulates.
        resource_folders: for `GZ_SIM_RESOURCE_PATH`, so that meshes are found.
        remarks: what was filled in, and what is lost.
    """

    text: str
    name: str
    joints: tuple[str, ...]
    followers: tuple[str, ...]
    rate: int
    base: str
    is_anchored: bool
    bodies: tuple[GazeboBody, ...]
    resource_folders: tuple[Path, ...]
    remarks: tuple[Remark, ...]

    def lines(self, kind: str) -> list[str]:
        """Return the texts of the remarks of a kind."""
        return [remark.text for remark in self.remarks if remark.kind == kind]


def gazebo_description(
    source: Source | Document,
    settings: GazeboSettings,
    *,
    parameters: Mapping[str, float] | None = None,
) -> GazeboDescription:
    """Return a description as a URDF for Gazebo, with the tags of ros2_control.

    The links and joints of a URDF stay as they are, but for what its reader in Gazebo needs besides
    (see `complete`); all else in it is kept. What is no URDF is written as one first.

    Args:
        source: as for `load_model`.
        settings: how.
        parameters: values in place of a mechanism file's, by name.

    Raises:
        DescriptionError: it cannot be loaded, here or in Gazebo, or has tags of its own that are
            not to be replaced.
        ArgumentError: a setting that does not fit the robot.
        UnknownNameError: no such joint.
    """
    document = read_source(source)
    begun = _begun(document, settings, parameters)
    with errors_named(document):
        return _wrapped(begun, settings)


@dataclass
class _Begun:
    """A URDF's root element, and what is known of the description beside it."""

    robot: Element
    model: Model
    name: str
    folder: Path | None
    base: str
    positions: dict[str, float]
    remarks: list[Remark]


def _begun(
    document: Document, settings: GazeboSettings, parameters: Mapping[str, float] | None
) -> _Begun:
    """Return a document as a URDF."""
    name = plain_name(document.name)
    if not document.is_mechanism and not document.is_spatial_v2:
        model = load_model(document, base="fixed", parameters=parameters)
        robot = parse_tree(document)
        return _Begun(robot, model, name, document.folder, settings.base or "fixed", {}, [])
    model = load_model(document, parameters=parameters)
    base = settings.base or model.base
    if base == "prescribed":
        raise ArgumentError("Gazebo moves no base as it is told; give base fixed or floating")
    fixed = load_model(document, base="fixed", parameters=parameters)
    written = urdf_text(fixed)
    robot = parse_tree(text_document(written.text))
    remarks = [
        lost(text) for text in written.lost if text != INITIAL_STATE or np.any(model.defaults.v)
    ]
    urdf = urdf_builder(robot, name).build(base="fixed")
    return _Begun(robot, urdf, name, None, base, _positions(fixed), remarks)


def _positions(model: Model) -> dict[str, float]:
    """Return where a mechanism file has its joints of one coordinate begin."""
    q = model.defaults.q
    ones = [joint for joint in model.own_joints if joint.joint.nq == 1]
    return {joint.name: float(q[joint.q_index]) for joint in ones} if len(q) else {}


def _wrapped(begun: _Begun, settings: GazeboSettings) -> GazeboDescription:
    """Return the finished description."""
    robot, remarks = begun.robot, begun.remarks
    require_spawnable(robot, begun.base)
    settle_own_tags(robot, replace=settings.replace)
    remarks += classic_plugins(robot)
    remarks += complete(robot, begun.name)
    remarks += settle_nothing(robot)
    keep(robot, begun.model, settings.kept)
    hold = anchor(robot, settings) if begun.base == "fixed" else ""
    bodies = _bodies(begun, hold)
    tokens = tokens_for(bodies, settings.token_mass)
    gone = dropped(bodies, tokens)
    left = tuple(given_mass(body, tokens) for body in bodies if body.name not in gone)
    remarks += name_remarks(robot)
    remarks += sensor_remarks(robot, left)
    remarks += settle_masses(robot, bodies, tokens, gone)
    unseen = {link for body in bodies if body.name in gone for link in body.links}
    positions = {**begun.positions, **settings.positions}
    joints, more = controlled_joints(begun.model, robot, unseen, positions, settings.positions)
    remarks += more
    if joints:
        append(robot, control_block(joints))
        append(robot, plugin_block(settings))
    folders, more = located_meshes(robot, begun.folder)
    remarks += more
    etree.cleanup_namespaces(robot)
    text = etree.tostring(robot, encoding="unicode")
    return GazeboDescription(
        f'<?xml version="1.0"?>\n{text}\n',
        robot.get("name"),
        tuple(joint.name for joint in joints if joint.commanded),
        tuple(joint.name for joint in joints if not joint.commanded),
        settings.rate or DEFAULT_RATE,
        begun.base,
        bool(hold),
        left,
        tuple(folders),
        tuple(remarks),
    )


def _bodies(begun: _Begun, hold: str) -> tuple[GazeboBody, ...]:
    """Return the bodies, the root's fixed to the world where it was given a joint `hold` to it."""
    root, *others = gazebo_bodies(begun.model, kept_joints(begun.robot)) or (None,)
    if root is None:
        return ()
    if hold:
        root = replace(root, joint=hold, parent=WORLD, anchored=True)
    return (root, *others)
