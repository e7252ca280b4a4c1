"""`~/external_wrench_estimate`: what the surroundings exert on a robot, from its efforts."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from geometry_msgs.msg import WrenchStamped
from numpy.typing import NDArray
from robodyn_interfaces.msg import ExternalWrenchEstimate

from robodyn_ros.analysis.wrench_estimate import described
from robodyn_ros.conditioning.complaints import Complaint, Severity, listed
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.errors import UnknownNameError, quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.audience import Audience
from robodyn_ros.ros.dynamics import Dynamics
from robodyn_ros.ros.estimate_parameters import FRAME, thresholds_given, thresholds_of
from robodyn_ros.ros.external_wrench_messages import WrenchMessages
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.joint_dynamics import PATIENCE
from robodyn_ros.ros.reports import Level, Report
from robodyn_ros.ros.state_node import StateNode
from robodyn_ros.ros.wrench_estimator import Estimated, Settings, WrenchEstimator
from robodyn_ros.ros.wrench_parameters import topics_named

Floats = NDArray[np.float64]

ESTIMATE, WRENCH = "~/external_wrench_estimate", "~/external_wrench"
_WHO = "external wrench"
_FRESH = 1.0
"""Seconds for which an estimate is drawn."""
_OF_IT = {
    "wrench_estimate_gain",
    "contact_threshold",
    "contact_thresholds",
    "contact_duration",
    "driver_compensates_gravity",
    "measured_efforts_include_gravity",
}


class ExternalWrenches(Feature):
    """Publishes estimates with every state, while somebody listens and there are frames for them.

    Attributes:
        is_watched: Whether estimates are wanted by more than who listens to their topics.
    """

    def __init__(self, node: StateNode, dynamics: Dynamics) -> None:
        """Make the publishers; efforts come from the node's dynamics."""
        self._node, self._dynamics = node, dynamics
        self._config = node.config
        self._frames = topics_named(node.config.text("wrench_estimate_frames"))
        publishers = [
            node.create_publisher(kind, topic, qos.STREAM, event_callbacks=qos.QUIET)
            for kind, topic in ((ExternalWrenchEstimate, ESTIMATE), (WrenchStamped, WRENCH))
        ]
        self._audiences = [Audience(publisher) for publisher in publishers]
        #: As far as they were held against a robot: what was refused is not taken at the next one.
        self._thresholds = node.config.text("contact_thresholds")
        self._estimator: WrenchEstimator | None = None
        self._messages: WrenchMessages | None = None
        self._estimated: Sequence[Estimated] = ()
        self._last = 0.0
        self._due = 0.0
        self._is_wanted = False
        self.is_watched = False

    @property
    def ends(self) -> Ends:
        """What is published."""
        kinds = ((ESTIMATE, ExternalWrenchEstimate), (WRENCH, WrenchStamped))
        return Ends(outward=[Endpoint(topic, kind, qos.STREAM) for topic, kind in kinds])

    def adopt(self, path: StatePath) -> None:
        """Begin with another description.

        Raises:
            UnknownNameError: it has no such frame, or no such joint as thresholds are given for.
            ArgumentError: it is a closed mechanism.
        """
        dynamics = self._dynamics.of_path
        if not self._frames or dynamics is None:
            return
        prefix = self._config.text("frame_prefix")
        known = path.robot.model.frames
        names = tuple(x if x in known else x.removeprefix(prefix) for x in self._frames)
        self._estimator = WrenchEstimator(dynamics, names, self._settings(path))
        self._estimated = ()
        self._messages = WrenchMessages(
            path.robot.model.coordinate_names, names, prefix, path.plan.state_frame
        )

    def adopted(self, path: StatePath) -> None:
        """Have the kernels made ahead."""
        with self._node.lock:
            if self._estimator is not None:
                self._estimator.ask_for_kernels()

    def parameters_changed(self, names: set[str]) -> None:
        """Take what concerns estimates."""
        path = self._node.path
        if self._estimator is None or path is None or not names & _OF_IT:
            return
        before, self._thresholds = self._thresholds, self._config.text("contact_thresholds")
        try:
            settings = self._settings(path)
        except UnknownNameError as error:
            self._thresholds = before
            text = f"{error}; the thresholds from before are kept"
            self._node.complain([Complaint(Severity.WARN, _WHO, text, once=False)])
            return
        with self._node.lock:
            self._estimator.choose(settings)

    def prepare(self, path: StatePath, now: float) -> None:
        """Have efforts taken while somebody listens."""
        if self._estimator is None:
            return
        if self._estimator.dynamics is not self._dynamics.of_path:
            self.adopt(path)  # a description that was refused is no longer there
        wanted = self.is_watched or any(x.is_there(now) for x in self._audiences)
        if wanted is not self._is_wanted:
            self._is_wanted = wanted
            self._dynamics.watch(_WHO, wanted=wanted)
            self._estimator.reset()
            self._estimated = ()

    def publish(self, path: StatePath, step: Step, now: float) -> Iterable[Complaint]:
        """Publish the estimates of a step."""
        estimator, dynamics = self._estimator, self._dynamics.of_path
        if not self._is_wanted or estimator is None or dynamics is None or path.efforts is None:
            return ()
        quick = estimator.ask_for_kernels()
        if not quick and now < self._due:
            return ()
        stamp = path.stamp if path.stamp is not None else step.stamp
        measured = self._dynamics.stream.measured_at(dynamics, stamp)
        if self._dynamics.surroundings_trouble:
            measured = np.full_like(measured, np.nan)
        if estimator.update(measured) and step.bodies:
            self._estimated = estimator.wrenches()
            self._last = now
            self._send(estimator, stamp, now)
        if not quick:
            self._due = now + (1.0 + PATIENCE) * (time.monotonic() - now)
        return ()

    def estimates(self) -> tuple[tuple[Estimated, ...], bool]:
        """Return what is known of this moment, and whether something touches the robot."""
        estimator = self._estimator
        if estimator is None or time.monotonic() - self._last > _FRESH:
            return (), False
        return tuple(x for x in self._estimated if x.valid), estimator.in_contact

    def reports(self, now: float) -> Iterator[Report]:
        """Report on the estimates, where frames are given."""
        estimator = self._estimator
        if estimator is None:
            return
        with self._node.lock:
            unknown = [*np.flatnonzero(~estimator.known).tolist()]
            estimated, wanted = list(self._estimated), self._is_wanted
            contact, touched = estimator.in_contact, estimator.touched.copy()
            left, thresholds = estimator.left_to_learn, estimator.thresholds.copy()
            settled = estimator.is_settled
            path = self._node.path
        if path is None:
            return
        names = path.robot.model.coordinate_names
        if not wanted:
            text = f"not looked at: nobody listens to {ESTIMATE} or {WRENCH}"
            yield Report(_WHO, Level.OK, text)
            return
        values = {"contact": str(contact).lower()}
        if left > 0.0:
            values["thresholds"] = f"learnt from the next {left:.1f} s of motion without contact"
        else:
            told = [f"{quoted(n)} {x:.3g}" for n, x in zip(names, thresholds, strict=True)]
            values["thresholds"] = listed(told, 64)
        for each in estimated:
            values[f"at {quoted(each.frame)}"] = _told(each)
        trouble = self._dynamics.surroundings_trouble
        if not trouble and unknown:
            trouble = f"efforts not known: {listed([quoted(names[k]) for k in unknown])}"
        if not trouble and not settled:
            trouble = "no estimate yet: joint states with efforts have just begun"
        if trouble:
            yield Report(_WHO, Level.WARN, trouble, values=values)
            return
        joints = listed([quoted(names[k]) for k in np.flatnonzero(touched)])
        text = f"contact ({joints or 'ending'})" if contact else "no contact"
        yield Report(_WHO, Level.OK, text, values=values)

    def _send(self, estimator: WrenchEstimator, stamp: int, now: float) -> None:
        """Publish all estimates, each kind to those who listen to it."""
        messages = self._messages
        if messages is None:
            return
        in_frame = self._config.text("wrench_estimate_axes") == FRAME
        full, plain = self._audiences
        for k, each in enumerate(self._estimated):
            if full.is_there(now):
                full.send(messages.estimate(k, stamp, each, estimator, in_frame=in_frame))
            if plain.is_there(now) and each.valid:
                plain.send(messages.wrench(k, stamp, each))
        self._node.traffic.count("external_wrench")

    def _settings(self, path: StatePath) -> Settings:
        """Return what the parameters say.

        Raises:
            UnknownNameError: thresholds of a joint that there is not.
        """
        given = thresholds_given(self._thresholds)
        return Settings(
            self._config.number("wrench_estimate_gain"),
            thresholds_of(self._config.number("contact_threshold"), given, path.robot.model),
            self._config.number("contact_duration"),
            self._dynamics.measured_lack_gravity,
        )


def _told(each: Estimated) -> str:
    """Return an estimate in words."""
    moment, force = (float(np.linalg.norm(part)) for part in np.split(each.own.wrench, 2))
    text = f"force {force:.3g} N, moment {moment:.3g} N m"
    if len(each.own.unseen):
        unseen = ", ".join(map(described, each.own.unseen))
        text += f"; not seen in its axes: {unseen}"
    return text if each.valid else f"{text}; not valid"
