"""The simulator as a node: wiring of its loop, inputs, outputs and services."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import partial
from typing import ClassVar

import numpy as np
from rclpy.clock import Clock, ClockType
from rclpy.node import Node
from robodyn_interfaces.msg import SimulatorStatus

from robodyn_ros.conditioning.complaints import Complaint, counted
from robodyn_ros.errors import SingularMassMatrixError, quoted
from robodyn_ros.model.builder import Base
from robodyn_ros.robot import Robot
from robodyn_ros.ros import qos
from robodyn_ros.ros.base_parameters import base_of
from robodyn_ros.ros.description_notes import about_notes
from robodyn_ros.ros.description_source import DescriptionSource
from robodyn_ros.ros.diagnostics import DiagnosticsPublisher
from robodyn_ros.ros.environment_stream import EnvironmentStream
from robodyn_ros.ros.graph_reports import connections_report
from robodyn_ros.ros.graph_watch import Endpoint, GraphWatch
from robodyn_ros.ros.kernel_watch import KernelWatch
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameter_tables import SIMULATOR_PARAMETERS
from robodyn_ros.ros.parameters import Parameters
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Report, description_report
from robodyn_ros.ros.robot_loads import attach, carry_over, loads_given
from robodyn_ros.ros.services.subject import Known
from robodyn_ros.ros.simulator.beginning import simulation_of
from robodyn_ros.ros.simulator.clock import SimulatedClock
from robodyn_ros.ros.simulator.engines import Engines
from robodyn_ros.ros.simulator.host import SimulatedHost
from robodyn_ros.ros.simulator.inputs import Inputs
from robodyn_ros.ros.simulator.loop import Loop
from robodyn_ros.ros.simulator.outputs import Outputs
from robodyn_ros.ros.simulator.pace import Pace
from robodyn_ros.ros.simulator.reports import (
    Condition,
    StatusLook,
    commands_report,
    simulation_report,
    status_message,
)
from robodyn_ros.ros.simulator.services import SimulatorServices
from robodyn_ros.ros.simulator.simulation import SimulationEngine
from robodyn_ros.ros.simulator.world import World
from robodyn_ros.ros.speaker import Speaker
from robodyn_ros.ros.state_settings import frame_plan

STATUS = "~/status"
STATUS_PERIOD = 0.1


class SimulatorNode(Node):
    """Simulates the robot of a description, in real time, and says what it does.

    Another engine than ours is another `_engine`; see `robodyn_ros.ros.mujoco`.
    """

    NAME: ClassVar[str] = "simulator"
    TABLE: ClassVar[tuple[Spec, ...]] = SIMULATOR_PARAMETERS

    def __init__(self) -> None:
        """Load the robot if a parameter says which, and begin.

        Raises:
            RobodynError: the description or a parameter cannot be used.
        """
        super().__init__(self.NAME)
        self._speaker = Speaker(self)
        self._traffic = Traffic()
        self._looks = StatusLook(), StatusLook()
        self._lost: list[Complaint] = []
        self._source = DescriptionSource(self, self._adopt)
        config = self._config = Parameters(
            self,
            self.TABLE,
            on_change=self._parameters_changed,
            checks={"robot_description": self._source.check},
        )
        self._given = loads_given(config)
        step, prefix = config.number("step"), config.text("frame_prefix")
        self._time = SimulatedClock(step, config.number("rate"))
        self._outputs = self._make_outputs(prefix)
        self._loop = Loop(
            Pace(step, config.number("real_time_factor")),
            self._outputs.publish,
            self._speaker,
            paused=bool(config["paused"]),
        )
        self._kernels = KernelWatch(self, self._kernel_state)
        self._environment = EnvironmentStream(self, self._now)
        self._host = SimulatedHost(self._loop, self._source, self._announce)
        self._inputs = self._make_inputs()
        self._status = self.create_publisher(
            SimulatorStatus, STATUS, qos.STREAM, event_callbacks=qos.QUIET
        )
        self._begin()
        self._answers = SimulatorServices(
            self,
            self._loop,
            self._host,
            prefix=prefix,
            resets_clock=lambda: bool(config["reset_clock"]),
            changed=self._show,
        )
        self._graph = GraphWatch(self)
        self._diagnostics = DiagnosticsPublisher(
            self, config.number("diagnostics_period"), self._reports, self._now
        )
        steady = Clock(clock_type=ClockType.STEADY_TIME)
        self._timer = self.create_timer(STATUS_PERIOD, self._show, clock=steady)
        self._loop.start()

    def destroy_node(self) -> None:
        """End the thread of the simulation, then the node."""
        self._loop.stop()
        super().destroy_node()

    def _make_outputs(self, prefix: str) -> Outputs:
        """Return what publishes states; `prefix` is that of frames."""
        config = self._config
        clock, passive = bool(config["publish_clock"]), bool(config["publish_passive"])
        return Outputs(self, clock=clock, passive=passive, prefix=prefix)

    def _make_inputs(self) -> Inputs:
        """Return what takes commands and wrenches."""
        timeout = partial(self._config.number, "wrench_timeout")
        return Inputs(self, self._loop, timeout, self._complain)

    def _begin(self) -> None:
        """Load the description that parameters give, or listen to one.

        Raises:
            RobodynError: it cannot be used.
        """
        config = self._config
        text, path = config.get("robot_description"), config.text("robot_description_file")
        self._source.start(text, path, self._base())

    def _engine(self, robot: Robot) -> SimulationEngine:
        """Return what simulates a robot.

        Raises:
            RobodynError: it cannot be simulated.
        """
        return Engines(robot, simulation_of(self._config, robot.model))

    def _base(self) -> Base | None:
        return base_of(self._config.text("base"), "none")

    def _now(self) -> int:
        """Return simulated time, ns."""
        return self._time.stamp

    def _adopt(self, robot: Robot) -> None:
        config, before = self._config, self._loop.world
        plan = frame_plan(robot.model, config)
        config.fall_back("gravity", robot.model.defaults.environment.gravity.tolist())
        robot.gravity = np.array(config.numbers("gravity"))
        lost: list[Complaint] = []
        if before is None:
            attach(robot, self._given)
        else:
            lost += carry_over(robot, before.robot.payloads)
        try:
            engine = self._engine(robot)
            world = World(robot, engine, self._time, hold=bool(config["hold"]))
        except SingularMassMatrixError as error:
            raise SingularMassMatrixError(
                f"robot {quoted(robot.model.name)} cannot be simulated: {error}"
            ) from error
        with self._loop.turn:
            self._time.count(before is not None)
            self._outputs.begin(world)
            self._loop.world = world
            self._loop.begin()
        self._world_frame = plan.world_frame
        self._inputs.begin(Known(robot.model, prefix=config.text("frame_prefix")))
        self._speaker.forget()
        self._complain([*lost, *about_notes(robot.model.notes)])
        self.get_logger().info(
            f"robot {quoted(robot.model.name)}: simulated in steps of {self._time.step:g} s by"
            f" {config.text('integrator')}, {counted(len(world.names), 'coordinate')} with a motor"
        )
        self._announce(world)
        self._kernels.begin(robot.model.name)

    def _announce(self, world: World) -> None:
        robot = world.robot
        self._environment.announce(
            self._world_frame, robot.gravity, robot.payloads, driver_compensates=False
        )

    def _parameters_changed(self, names: set[str]) -> None:
        if "real_time_factor" in names:
            with self._loop.turn:
                self._loop.pace.change(self._config.number("real_time_factor"), time.monotonic())
                self._loop.begin()
        if "gravity" in names and self._loop.world is not None:
            self._host.set_gravity(self._config.numbers("gravity"))
        if "robot_description" in names:
            self._source.change(self._config["robot_description"])
        self._show()

    def _complain(self, complaints: Iterable[Complaint]) -> None:
        """Log what is to be said, and count it; not with the lock held."""
        told = list(complaints)
        self._speaker.say(told)
        self._traffic.note(told)

    def _condition(self, world: World, look: StatusLook) -> Condition:
        loop = self._loop
        return look.condition(world, loop.pace, time.monotonic(), paused=loop.paused)

    def _show(self) -> None:
        """Publish the status, where somebody listens."""
        if self._loop.world is None or self._status.get_subscription_count() == 0:
            return
        with self._loop.turn:
            world = self._loop.world
            message = status_message(world, self._condition(world, self._looks[0]))
        self._status.publish(message)

    def _kernel_state(self) -> str:
        world = self._loop.world
        return "plain" if world is None else world.engines.state

    def _reports(self) -> Iterator[Report]:
        now, world = time.monotonic(), self._loop.world
        if world is None:
            yield description_report(None, self._source.waiting_for)
        else:
            kernels = {"simulation": world.engines.state}
            yield description_report(world.robot, "", kernels)
            with self._loop.turn:
                report = simulation_report(world, self._condition(world, self._looks[1]))
            yield report
        yield commands_report(self._traffic, self._inputs.received, now)
        yield self._answers.report(now)
        inward, outward = self._source.ends
        found = self._graph.look(
            [*inward, *self._inputs.ends],
            [
                *outward,
                *self._outputs.ends,
                self._environment.end,
                Endpoint(STATUS, SimulatorStatus, qos.STREAM),
            ],
        )
        self._complain(found.complaints())
        yield connections_report(found)
