"""Pictures of robots that move and of their coordinates; Matplotlib is an extra dependency."""

from robodyn_ros.plots.animation import write_animation
from robodyn_ros.plots.curves import write_curves
from robodyn_ros.plots.skeleton import VIEWS, Skeleton

__all__ = ["VIEWS", "Skeleton", "write_animation", "write_curves"]
