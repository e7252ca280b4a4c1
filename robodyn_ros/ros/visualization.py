"""`~/visualization`: the motion of the robot as markers, at a rate of its own.

A timer asks for the latest motion, so that markers stay while the robot does not move. Nothing is
made before somebody listens.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from rclpy.timer import Timer
from visualization_msgs.msg import MarkerArray

from robodyn_ros.conditioning.path_knowledge import Flags, Floats
from robodyn_ros.conditioning.state_path import StatePath
from robodyn_ros.errors import quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.markers.acting import NOTHING
from robodyn_ros.ros.markers.described import mesh_uri
from robodyn_ros.ros.markers.settings import VisualizationSettings
from robodyn_ros.ros.markers.writer import VisualizationWriter
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.visualization_parameters import visualization_settings

if TYPE_CHECKING:
    from robodyn_ros.description.mechanism import Shape
    from robodyn_ros.ros.acting_sources import ActingSource

LOOKOUT = 0.25
"""Seconds between two looks for somebody who listens: a turn of the executor at the full rate would
cost more than TF does at some hundred joint states a second."""


class Snapshot(NamedTuple):
    """What is known of a robot at one moment.

    Attributes:
        path: The state path that knows it.
        stamp: Time of the last input, ns.
        bodies: (nb, 28) motion of its bodies, see `state_step`.
        valid: (nb,) bodies whose motion is known.
        q: (nq,) coordinates.
    """

    path: StatePath
    stamp: int
    bodies: Floats
    valid: Flags
    q: Floats


class Visualization(Feature):
    """Publishes markers; it lives in the executor's thread."""

    def __init__(
        self,
        node: Node,
        config: Parameters,
        traffic: Traffic,
        snapshot: Callable[[], Snapshot | None],
        drawing: Callable[[], Sequence[Shape]] = tuple,
        source: ActingSource | None = None,
    ) -> None:
        """Make the publisher and begin, if the rate is not zero.

        Args:
            node: The node.
            config: Its parameters, `VISUALIZATION_PARAMETERS` among them.
            traffic: Counts what is published.
            snapshot: Returns what is to be shown, None before the first input.
            drawing: Returns the shapes that the description draws bodies with.
            source: Knows what acts on the robot; without one nothing of that is shown.
        """
        self._node = node
        self._source = source
        self._config = config
        self._traffic = traffic
        self._snapshot = snapshot
        self._drawing = drawing
        self._publisher = node.create_publisher(
            MarkerArray, "~/visualization", qos.STREAM, event_callbacks=qos.QUIET
        )
        self._clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._path: StatePath | None = None
        self._writer: VisualizationWriter | None = None
        self._timer: Timer | None = None
        self._start()

    @property
    def ends(self) -> Ends:
        """What is published."""
        return Ends(outward=(Endpoint("~/visualization", MarkerArray, qos.STREAM),))

    def adopted(self, path: StatePath) -> None:
        """Delete all markers, since another robot is shown from now on."""
        if self._writer is not None:
            self._publisher.publish(self._writer.clear(self._node.get_clock().now().nanoseconds))
            self._leave()

    def parameters_changed(self, names: set[str]) -> None:
        """Take the parameters' new values."""
        if not any(name.startswith("visualization") for name in names):
            return
        settings = self._settings()
        if self._timer is not None and settings.rate != self._rate:
            self._node.destroy_timer(self._timer)
            self._timer = None
        if self._writer is not None:
            if settings.rate == 0.0:
                self._publisher.publish(self._writer.clear(0))
                self._leave()
            else:
                self._writer.change(settings)
        self._start()

    def _start(self) -> None:
        self._rate = self._settings().rate
        if self._timer is None and self._rate > 0.0:
            self._timer = self._node.create_timer(LOOKOUT, self._publish, clock=self._clock)

    def _pace(self, period: float) -> None:
        """Come again every `period` seconds."""
        nanoseconds = round(period * 1e9)
        if self._timer is not None and self._timer.timer_period_ns != nanoseconds:
            self._timer.timer_period_ns = nanoseconds
            self._timer.reset()

    def _settings(self) -> VisualizationSettings:
        return visualization_settings(self._config.__getitem__)

    def _publish(self) -> None:
        if self._publisher.get_subscription_count() == 0:
            # Whoever comes next sees all markers made anew, and no trail with a gap.
            self._leave()
            self._pace(LOOKOUT)
            return
        self._pace(1.0 / self._rate)
        snapshot = self._snapshot()
        if snapshot is None:
            return
        if self._writer is None or snapshot.path is not self._path:
            self._begin(snapshot.path)
        if self._writer is not None:
            path, stamp, bodies, valid, q = snapshot
            acting = NOTHING
            if self._source is not None:
                acting = self._source.acting(path, self._writer.settings)
            self._publisher.publish(self._writer.fill(stamp, bodies, valid, q, acting))
            self._traffic.count("visualization")

    def _leave(self) -> None:
        """Forget the markers: nobody sees them any more."""
        if self._writer is not None and self._source is not None:
            self._source.leave()
        self._writer = None

    def _begin(self, path: StatePath) -> None:
        self._path = path
        started = time.monotonic()
        drawing = self._drawing()
        self._writer = VisualizationWriter(path.robot.model, path.plan, self._settings(), drawing)
        lost = [shape.file for shape in drawing if shape.kind == "mesh" and not mesh_uri(shape)]
        if lost:
            self._node.get_logger().warning(
                f"meshes {', '.join(map(quoted, lost))} of the description are not shown: give a"
                " file its path, or the text absolute paths or URIs"
            )
        unknown = self._writer.unknown_trail_bodies
        if unknown:
            listed = ", ".join(map(quoted, unknown))
            self._node.get_logger().warning(
                f"visualization_trail_bodies: the robot has no link {listed}"
            )
        self._node.get_logger().debug(f"markers made in {time.monotonic() - started:.3f} s")
