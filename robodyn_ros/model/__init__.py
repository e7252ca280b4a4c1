"""The immutable model, the builder that makes it, and the report on it."""

from robodyn_ros.model.builder import ModelBuilder
from robodyn_ros.model.closure import (
    Closure,
    Element,
    Partition,
    PointOnCylinder,
    PointOnPlane,
    Rod,
    SkewAxes,
    Weld,
)
from robodyn_ros.model.coordinates import (
    AffineFollower,
    FunctionFollower,
    JointCoordinates,
    OwnCoordinates,
)
from robodyn_ros.model.defaults import Defaults
from robodyn_ros.model.elements import Body, Frame, Note, TreeJoint
from robodyn_ros.model.environment import BaseMotion, Environment, Payload
from robodyn_ros.model.functions import CoordinateFunction
from robodyn_ros.model.lumped import Lump, LumpedTree, Place
from robodyn_ros.model.markers import Marker
from robodyn_ros.model.model import Model
from robodyn_ros.model.report import ModelReport

__all__ = [
    "AffineFollower",
    "BaseMotion",
    "Body",
    "Closure",
    "CoordinateFunction",
    "Defaults",
    "Element",
    "Environment",
    "Frame",
    "FunctionFollower",
    "JointCoordinates",
    "Lump",
    "LumpedTree",
    "Marker",
    "Model",
    "ModelBuilder",
    "ModelReport",
    "Note",
    "OwnCoordinates",
    "Partition",
    "Payload",
    "Place",
    "PointOnCylinder",
    "PointOnPlane",
    "Rod",
    "SkewAxes",
    "TreeJoint",
    "Weld",
]
