"""`~/model_check`: whether measured efforts are those of the model, and what to do where not."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

import numpy as np
from geometry_msgs.msg import Vector3
from numpy.typing import NDArray
from rclpy.clock import Clock, ClockType
from robodyn_interfaces.msg import ModelCheck as ModelCheckMessage
from robodyn_interfaces.msg import Payload

from robodyn_ros.analysis.check_findings import Finding
from robodyn_ros.analysis.check_findings import Severity as Grade
from robodyn_ros.analysis.model_check import CheckReport
from robodyn_ros.conditioning.complaints import Complaint, Severity, counted
from robodyn_ros.conditioning.path_dynamics import PathDynamics
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.errors import quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.audience import Audience
from robodyn_ros.ros.check_sampler import CheckSampler
from robodyn_ros.ros.conversions import set_time
from robodyn_ros.ros.dynamics import Dynamics
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.joint_dynamics import PATIENCE
from robodyn_ros.ros.reports import MAX_ROWS, Level, Report
from robodyn_ros.ros.state_node import StateNode
from robodyn_ros.ros.wrench_parameters import topics_named

Floats = NDArray[np.float64]

TOPIC = "~/model_check"
REPORT_PERIOD = 1.0
"""Seconds between two messages."""
_WHO = "model check"
_SOURCE = "acceleration_source"
_WITHOUT_USE = {
    "forward_dynamics": "accelerations follow from the very efforts that they are compared with",
    "none": "accelerations count as zero",
}
"""Sources of accelerations with which efforts of a moving robot cannot be compared, and why."""
_OF_IT = {
    "driver_compensates_gravity",
    "measured_efforts_include_gravity",
    "model_check_window",
}


class ModelChecking(Feature):
    """Compares efforts while somebody listens, or all the time where `model_check` says so."""

    def __init__(self, node: StateNode, dynamics: Dynamics) -> None:
        """Make the publisher; efforts come from the node's dynamics."""
        self._node, self._dynamics = node, dynamics
        self._config = node.config
        self._frames = topics_named(node.config.text("model_check_frames"))
        self._publisher = node.create_publisher(
            ModelCheckMessage, TOPIC, qos.STREAM, event_callbacks=qos.QUIET
        )
        self._audience = Audience(self._publisher)
        self._sampler: CheckSampler | None = None
        self._names: tuple[str, ...] = ()
        self._frame = ""
        self._told: CheckReport | None = None
        self._is_wanted = False
        self._due = 0.0
        clock = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = node.create_timer(REPORT_PERIOD, self._tell, clock=clock)

    @property
    def ends(self) -> Ends:
        """What is published."""
        return Ends(outward=(Endpoint(TOPIC, ModelCheckMessage, qos.STREAM),))

    def adopt(self, path: StatePath) -> None:
        """Begin with another description.

        Raises:
            UnknownNameError: it has no such frame.
        """
        dynamics = self._dynamics.of_path
        if dynamics is None:
            return
        prefix, known = self._config.text("frame_prefix"), path.robot.model.frames
        frames = [x if x in known else x.removeprefix(prefix) for x in self._frames]
        window = self._config.number("model_check_window")
        self._sampler = CheckSampler(dynamics, frames, window, self._dynamics.stream.measured)
        self._told = None
        self._names = path.robot.model.coordinate_names
        self._frame = path.plan.world_frame

    def parameters_changed(self, names: set[str]) -> None:
        """Take what concerns measured efforts."""
        path, sampler = self._node.path, self._sampler
        if path is None or sampler is None:
            return
        with self._node.lock:
            if "model_check_window" in names:
                self.adopt(path)
            elif names & _OF_IT or any(name.startswith("joints.") for name in names):
                sampler.take(self._dynamics.stream.measured)

    def prepare(self, path: StatePath, now: float) -> None:
        """Have efforts computed along, while they are compared."""
        if self._sampler is not None and self._sampler.dynamics is not self._dynamics.of_path:
            self.adopt(path)  # a description that was refused is no longer there
        wanted = bool(self._config["model_check"]) or self._audience.is_there(now)
        if wanted is self._is_wanted:
            return
        self._is_wanted = wanted
        self._dynamics.watch(_WHO, wanted=wanted)
        if self._sampler is not None:
            self._sampler.check.reset()

    def publish(self, path: StatePath, step: Step, now: float) -> Iterable[Complaint]:
        """Compare the efforts of a step; they are told by a timer."""
        sampler, dynamics, stamp = self._sampler, self._dynamics.of_path, path.stamp
        if not self._is_wanted or sampler is None or dynamics is None or path.efforts is None:
            return ()
        if stamp is None or not sampler.is_due(stamp) or self._dynamics.surroundings_trouble:
            return ()
        if self._config.text(_SOURCE) not in _WITHOUT_USE:
            return self._compare(sampler, dynamics, stamp, now)
        sampler.check.reset()
        sampler.stamp = stamp
        return ()

    def _compare(
        self, sampler: CheckSampler, dynamics: PathDynamics, stamp: int, now: float
    ) -> Iterable[Complaint]:
        """Compare the efforts of this moment; without kernels that takes long, and is done less."""
        quick = sampler.ask_for_kernels()
        block = dynamics.computed()
        if block is None or not quick:
            if now < self._due:
                return ()
            block = dynamics.block()
        sampler.update(stamp, block)
        self._due = now + (1.0 + PATIENCE) * (time.monotonic() - now)
        return ()

    def reports(self, now: float) -> Iterator[Report]:
        """Report on what was found, while efforts are compared."""
        told = self._told
        if not self._is_wanted or told is None:
            return
        seconds = told.joints.seconds
        compared = int(np.isfinite(told.joints.residual_rms).sum())
        values = {
            "joints compared": str(compared),
            "seconds": f"{float(seconds.max(initial=0.0)):.1f}",
        }
        rows = zip(self._names, told.joints.residual_mean, told.joints.residual_rms, strict=True)
        for name, mean, rms in list(rows)[:MAX_ROWS]:
            if np.isfinite(rms):
                values[f"residual of {quoted(name)}"] = f"mean {mean:+.3g}, rms {rms:.3g} N m or N"
        for k, finding in enumerate(told.findings[:MAX_ROWS], start=1):
            values[f"finding {k}"] = finding.text
        if told.findings:
            more = len(told.findings) - 1
            text = told.findings[0].text + (
                f" (and {counted(more, 'finding')} more)" if more else ""
            )
            yield Report(_WHO, Level.WARN, text, values=values)
        elif not compared:
            text = "nothing to compare: no measured efforts of joints whose motion is known"
            yield Report(_WHO, Level.WARN, text, values=values)
        else:
            yield Report(_WHO, Level.OK, "measured efforts are those of the model", values=values)

    def _tell(self) -> None:
        """Work out what the last seconds say, and publish it."""
        with self._node.lock:
            sampler = self._sampler
            if not self._is_wanted or sampler is None or sampler.stamp is None:
                return
            record, stamp = sampler.check.record(), sampler.stamp
        told = sampler.check.report(record)
        if why := _WITHOUT_USE.get(self._config.text(_SOURCE)):
            text = f"nothing to compare: {why}; set {_SOURCE} to filtered"
            told = told._replace(findings=(Finding("settings", Grade.WARN, (), text),))
        self._told = told
        self._node.complain(_complaint(finding) for finding in told.findings)
        if self._publisher.get_subscription_count():
            self._publisher.publish(self._message(told, stamp))
            self._node.traffic.count("model_check")

    def _message(self, told: CheckReport, stamp: int) -> ModelCheckMessage:
        numbers = {name: values.tolist() for name, values in told.joints._asdict().items()}
        message = ModelCheckMessage(
            names=list(self._names),
            findings=[finding.text for finding in told.findings],
            severity=[int(finding.severity) for finding in told.findings],
            payloads=[
                _payload(x, self._config.text("frame_prefix"))
                for x in told.findings
                if x.kind == "payload" and x.mass > 0.0
            ],
            **numbers,
        )
        message.header.frame_id = self._frame
        set_time(message.header.stamp, stamp)
        return message


def _payload(finding: Finding, prefix: str) -> Payload:
    x, y, z = finding.com
    (frame,) = finding.names
    message = Payload(name="estimated", frame_id=prefix + frame, mass=finding.mass)
    message.com = Vector3(x=x, y=y, z=z)
    return message


def _complaint(finding: Finding) -> Complaint:
    """Return a finding as a line of the log, said once for what it is about."""
    severity = Severity.INFO if finding.severity is Grade.INFO else Severity.WARN
    return Complaint(severity, _WHO, f"{_WHO}: {finding.text}", about=finding.key)
