"""Robot descriptions: from a path or text to a Model, by stages *normalise, check, build*."""

from robodyn_ros.description.dh import dh_model
from robodyn_ros.description.load import load_description, load_model
from robodyn_ros.description.source import Source

__all__ = [
    "Source",
    "dh_model",
    "load_description",
    "load_model",
]
