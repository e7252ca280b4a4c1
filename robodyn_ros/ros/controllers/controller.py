"""A controller as a feature of a node that follows a robot's state."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.conditioning.stamps import Verdict
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.control import Fault, FaultKind, RobotState, SafeForm
from robodyn_ros.control.supervisor import Command
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.controllers.assembly import Assembly, assembled
from robodyn_ros.ros.controllers.command_output import CommandOutput
from robodyn_ros.ros.controllers.control_meters import ControlMeters
from robodyn_ros.ros.controllers.deadman import Deadman
from robodyn_ros.ros.controllers.good_state import GoodState
from robodyn_ros.ros.controllers.laws import MakeLaw
from robodyn_ros.ros.controllers.readiness import is_compiling, prepare_kernels, refusals
from robodyn_ros.ros.controllers.residuals import Residuals
from robodyn_ros.ros.controllers.state_watch import StateWatch
from robodyn_ros.ros.controllers.watch_thread import WatchThread
from robodyn_ros.ros.feature import Ends, Feature
from robodyn_ros.ros.followed_environment import FollowedEnvironment
from robodyn_ros.ros.garbage import keep, sweep
from robodyn_ros.ros.state_node import StateNode

Floats = NDArray[np.float64]
_GOOD = (Verdict.NEW, Verdict.RESET)


class Controller(Feature):
    """Sends a command for every state while it is active, and watches.

    States come in a thread of theirs, watchdog and deadman have one too, and the rest is done by
    the node's executor: all but what the deadman hears with the node's lock held.

    Attributes:
        assembly: The controller of the robot of now; None before there is one.
        meters: How punctual it is.
    """

    def __init__(self, node: StateNode, environment: FollowedEnvironment, make: MakeLaw) -> None:
        """Make output and deadman.

        Args:
            node: The node.
            environment: The robot's surroundings; served before this.
            make: Makes the law.

        Raises:
            ArgumentError: a topic without a possible name.
        """
        self._node = node
        self._environment = environment
        self._make = make
        config = node.config
        topic = config.text("command_topic")
        self.output = CommandOutput(node, config.text("command_interface"), topic)
        switch = config.text("deadman_topic"), config.number("deadman_timeout")
        self._deadman = Deadman(node, *switch)
        self.assembly: Assembly | None = None
        self._coming: Assembly | None = None
        self.meters = ControlMeters()
        self._residuals: Residuals | None = None
        self._path: StatePath | None = None
        self._good: GoodState | None = None
        self._states: StateWatch | None = None
        self._safe_period = 1.0 / config.number("safe_rate")
        self._sent = 0.0
        self._untold: list[Complaint] = []
        self._watch = WatchThread(config.number("watchdog_period"), self._look)

    @property
    def ends(self) -> Ends:
        """What is subscribed to, and what is published."""
        return Ends(self._deadman.ends, (self.output.end,))

    @property
    def state(self) -> RobotState | None:
        """Where its robot is, as far as that is known; None before the first state."""
        return self._good.state if self._good is not None else None

    @property
    def is_compiling(self) -> bool:
        """Whether kernels of its law are being compiled; called with the lock held."""
        return self.assembly is not None and is_compiling(self.assembly)

    def start(self) -> None:
        """Begin to watch."""
        self._deadman.start()
        self._watch.start()

    def stop(self) -> None:
        """End watching, and command nothing any more."""
        with self._node.lock:
            self.deactivate()
        self._watch.stop()
        self._deadman.stop()

    def foresee(self, path: StatePath) -> None:
        """Make the controller of another description, and load its kernels: some 60 ms.

        Raises:
            RobodynError: parameters that do not go together with it.
        """
        self._coming = self._assembled(path)

    def _assembled(self, path: StatePath) -> Assembly:
        compensated = self._environment.compensated
        made = assembled(path.robot, self._node.config, self._make, compensated=compensated)
        prepare_kernels(made)
        return made

    def adopt(self, path: StatePath) -> None:
        """Take another description; while it is active in a safe form, or not at all.

        Raises:
            RobodynError: parameters that do not go together with it, or a robot with other joints
                while the controller is active.
        """
        config, before, state = self._node.config, self.assembly, self.state
        made, self._coming = self._coming, None
        if made is None or made.robot is not path.robot:  # back to the one before
            made = self._assembled(path)
        active = before is not None and before.supervisor.is_active
        if active and before is not None:
            self._require_same(before, made)
        watch = StateWatch(self._node, made, path)
        self._path, self.assembly, self._good = path, made, GoodState(path)
        self._states = watch
        self.output.begin(made.commanded)
        self._residuals = Residuals(made, path, config, self._environment)
        if active and before is not None:
            now = time.monotonic()
            watch.begin(now)
            self._good.inherit(made.commanded, state, before.commanded)
            text = (
                "the description was replaced while the controller was active: look whether it is"
                " right, then call ~/clear_faults"
            )
            fault = Fault(FaultKind.DESCRIPTION, text)
            made.supervisor.take_over(now, before.supervisor.shaper.last, fault)

    @staticmethod
    def _require_same(before: Assembly, after: Assembly) -> None:
        if before.commanded.names != after.commanded.names or after.without_limit:
            raise ArgumentError(
                "the controller is active and the new description has other joints, or no effort"
                " limits: it is not taken; deactivate the controller first"
            )

    def adopted(self, path: StatePath) -> None:
        """Say what came of it, and look for garbage now: while it is active nothing may pause."""
        self._say()
        active = self.assembly is not None and self.assembly.supervisor.is_active
        (keep if active else sweep)()

    def publish(self, path: StatePath, step: Step, now: float) -> Iterable[Complaint]:
        """Send the command of a state."""
        made, good, watch = self.assembly, self._good, self._states
        if made is None or good is None or watch is None:
            return ()
        if path is not self._path or step.verdict not in _GOOD:
            return ()
        supervisor, state = made.supervisor, good.take(step.stamp)
        self.meters.state(step.stamp)
        faults = watch.state(now, step.stamp)
        if not supervisor.is_active:
            return ()
        supervisor.compensated = self._environment.compensated
        supervisor.see(state)
        for fault in faults:
            supervisor.fail(fault)
        found = self._residuals.take(state) if self._residuals is not None else None
        if found is not None:
            watch.residual(now, found)
        self._check(made, watch, now)
        self._send(made, state, supervisor.command(now, state, found), now)
        return self._news()

    def _check(self, made: Assembly, watch: StateWatch, now: float) -> None:
        for fault in watch.look(now):
            made.supervisor.fail(fault)
        if (deadman := self._deadman.fault(now)) is not None:
            made.supervisor.fail(deadman)

    def _news(self) -> list[Complaint]:
        """Return what is to be said, new faults too; called with the lock held."""
        told, self._untold = self._untold, []
        supervisor = self.assembly.supervisor if self.assembly is not None else None
        while supervisor is not None and supervisor.untold:
            fault = supervisor.untold.popleft()
            does = (supervisor.form or SafeForm.STOP).value
            text = f"fault {fault.kind.value}: {fault.text}; the controller goes to {does}"
            told.append(Complaint(Severity.ERROR, "faults", text, fault.kind.value, once=False))
        return told

    def _send(self, made: Assembly, state: RobotState, command: Command | None, now: float) -> None:
        if command is None:
            return
        motion: tuple[Floats, ...] = ()
        if self.output.has_positions:
            motion = self._motion(made, state)
        self.output.send(state.stamp, command.effort, *motion)
        sent = time.monotonic()
        self.meters.latency.add(sent - now)
        self.meters.intervals.add(sent)
        self.meters.sent += 1
        self.meters.saturated += bool(command.saturated.any())
        self._sent = now

    @staticmethod
    def _motion(made: Assembly, state: RobotState) -> tuple[Floats, Floats]:
        commanded, follower = made.commanded, made.referenced.follower
        if follower is not None and made.supervisor.form is None:
            reference = follower.at(state)
            return reference.q[commanded.place], reference.v[commanded.column]
        return state.q[commanded.place], np.zeros(len(commanded.names))

    def _look(self) -> None:
        """Look what is wrong while no state comes; in the watchdog's thread."""
        try:
            with self._node.lock:
                now = time.monotonic()
                made, state, watch = self.assembly, self.state, self._states
                if made is None or watch is None or not made.supervisor.is_active:
                    return
                self._check(made, watch, now)
                due = made.supervisor.form is not None and now - self._sent >= self._safe_period
                if due and state is not None:
                    self._send(made, state, made.supervisor.command(now, None), now)
        except Exception as error:  # noqa: BLE001 - the watchdog outlives whatever happens
            text = f"a look of the watchdog failed: {type(error).__name__}: {error}"
            self._untold.append(Complaint(Severity.ERROR, "failures", text, once=False))
        self._say()

    def _say(self) -> None:
        with self._node.lock:
            told = self._news()
        if told:
            self._node.complain(told)

    def refusals(self, now: float) -> Iterator[str]:
        """Yield why it cannot be activated now; called with the lock held."""
        made, path, watch = self.assembly, self._path, self._states
        if made is None or path is None or watch is None:
            yield f"there is no robot yet: {self._node.source.waiting_for or 'no description'}"
            return
        yield from refusals(made, path, watch, now)
        if self._environment.trouble:
            yield self._environment.trouble
        if (fault := self._deadman.fault(now, past=False)) is not None:
            yield fault.text

    def activate(self) -> None:
        """Begin to command; called with the lock held, once nothing refuses it."""
        made, path, state, watch = self.assembly, self._path, self.state, self._states
        if made is None or path is None or state is None or watch is None:
            raise ArgumentError("there is no robot, or no state of it")
        self._deadman.begin()
        self.meters.pause()
        if self._residuals is not None:
            self._residuals.begin()
        made.supervisor.activate(time.monotonic(), state, self._start(made, path))
        watch.begin(time.monotonic())

    def _start(self, made: Assembly, path: StatePath) -> Floats | None:
        """Return what efforts are ramped from (n,); None for 0."""
        zero = self._node.config.text("ramp_from") == "zero"
        if self._residuals is None or zero or made.supervisor.compensated:
            return None
        measured = self._residuals.measured(path.stamp or 0)
        return np.nan_to_num(measured[made.commanded.column])

    def deactivate(self) -> None:
        """Command nothing any more; called with the lock held."""
        if self.assembly is not None:
            self.assembly.supervisor.deactivate()

    def clear(self, now: float) -> str:
        """Return to the law if nothing is wrong any more; return what is. With the lock held."""
        made, state, watch = self.assembly, self.state, self._states
        if made is None or state is None or watch is None:
            return "there is no robot, or no state of it"
        if not made.supervisor.is_active:
            return "the controller is not active"
        if wrong := next(self.refusals(now), ""):
            return wrong
        self._deadman.begin()
        made.supervisor.clear(now, state)
        watch.begin(time.monotonic())
        return ""
