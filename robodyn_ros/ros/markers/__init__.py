"""The motion of a robot's bodies as markers for RViz.

`settings`, `geometry` and `trail_memory` need no ROS: they hold the numbers. `shapes`, `arrows` and
`trails` say which markers there are and write their numbers; `message` makes bytes of them.
"""

from robodyn_ros.ros.markers.settings import NAMESPACES, VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter

__all__ = ["NAMESPACES", "VisualizationSettings", "VisualizationWriter"]
