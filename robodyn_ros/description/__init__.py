"""Robot descriptions: from a path or text to a Model, by stages *normalise, check, build*."""

from robodyn_ros.description.load import load_model
from robodyn_ros.description.source import Source

__all__ = ["Source", "load_model"]
