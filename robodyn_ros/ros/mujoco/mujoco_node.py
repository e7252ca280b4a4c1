"""mujoco_simulator: the simulator's node with MuJoCo for an engine, as the hardware of others."""

from __future__ import annotations

from functools import partial
from typing import ClassVar

from robodyn_ros.conditioning.complaints import one_line
from robodyn_ros.cosimulation.built import plant_of
from robodyn_ros.cosimulation.contact_shapes import contacts_of
from robodyn_ros.cosimulation.engine import mujoco_engine
from robodyn_ros.cosimulation.mjcf_file import mjcf_plant
from robodyn_ros.cosimulation.mujoco_simulator import MujocoSimulator
from robodyn_ros.cosimulation.plant import Plant
from robodyn_ros.cosimulation.sensors import Sensors
from robodyn_ros.description.exchange.urdf_writer import urdf_text
from robodyn_ros.errors import ArgumentError
from robodyn_ros.robot import Robot
from robodyn_ros.ros.mujoco.engine import MujocoEngine
from robodyn_ros.ros.mujoco.hardware import names_listed, sensors_of, settings_of
from robodyn_ros.ros.mujoco.inputs import ControllerInputs
from robodyn_ros.ros.mujoco.outputs import MeasuredOutputs
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.parameter_tables import MUJOCO_PARAMETERS
from robodyn_ros.ros.simulator.beginning import random_configuration
from robodyn_ros.ros.simulator.simulator_node import SimulatorNode
from robodyn_ros.ros.simulator_parameters import RANDOM


class MujocoSimulatorNode(SimulatorNode):
    """Simulates the robot of a description or MJCF file in MuJoCo, with deliberate errors."""

    NAME: ClassVar[str] = "mujoco_simulator"
    TABLE: ClassVar[tuple[Spec, ...]] = MUJOCO_PARAMETERS

    def __init__(self) -> None:
        """Load the robot if a parameter says which, and begin.

        Raises:
            RobodynError: MuJoCo is not installed; the description or a parameter cannot be used.
        """
        mujoco_engine()
        self._own_plant: Plant | None = None
        self._sensors: Sensors | None = None
        super().__init__()

    def destroy_node(self) -> None:
        """End the threads, then the node."""
        self._commands.stop()
        super().destroy_node()

    def _begin(self) -> None:
        path = self._config.text("mjcf_file")
        settings_of(self._config)
        if not path:
            super()._begin()
            return
        if self._config.get("robot_description") or self._config.text("robot_description_file"):
            raise ArgumentError(
                "give mjcf_file or robot_description and robot_description_file, not both"
            )
        self._own_plant = plant = mjcf_plant(path)
        description = urdf_text(plant.model)
        for loss in description.lost:
            self.get_logger().info(one_line(f"robot_description is not all of {path}: {loss}"))
        self._source.give(description.text, Robot(plant.model))

    def _make_outputs(self, prefix: str) -> MeasuredOutputs:
        clock = bool(self._config["publish_clock"])
        return MeasuredOutputs(self, self._read_sensors, clock=clock, prefix=prefix)

    def _make_inputs(self) -> ControllerInputs:
        config = self._config
        self._commands = ControllerInputs(
            self,
            self._loop,
            partial(config.number, "wrench_timeout"),
            self._complain,
            topic=config.text("effort_commands_topic"),
            joints=names_listed(config.text("command_joints")),
        )
        return self._commands

    def _adopt(self, robot: Robot) -> None:
        # MuJoCo computes its motion, so that kernels would be compiled for nothing.
        super()._adopt(Robot(robot.model, compile="off"))

    def _engine(self, robot: Robot) -> MujocoEngine:
        config = self._config
        q = None
        if config.text("initial_state") == RANDOM:
            q = random_configuration(robot.model, int(config.number("seed")))
        plant = self._plant(robot)
        for note in plant.notes:
            self.get_logger().warning(one_line(note))
        simulator = MujocoSimulator(plant, robot, settings_of(config), q=q)
        joints = names_listed(config.text("command_joints"))
        simulator.release(joints)  # refuses those that cannot be commanded
        return MujocoEngine(simulator)

    def _plant(self, robot: Robot) -> Plant:
        """Return the robot in MuJoCo."""
        own = self._own_plant
        if own is not None and own.model is robot.model:
            return own
        if not self._config["contacts"]:
            return plant_of(robot.model)
        shapes = contacts_of(
            robot.model,
            self._source.offered_visuals().collisions,
            ground=bool(self._config["ground"]),
        )
        for note in shapes.notes:
            self.get_logger().warning(one_line(note))
        return plant_of(robot.model, shapes.contacts)

    def _parameters_changed(self, names: set[str]) -> None:
        self._sensors = None
        super()._parameters_changed(names)

    def _read_sensors(self) -> Sensors:
        """Return the sensors of the moment."""
        if self._sensors is None:
            self._sensors = sensors_of(self._config)
        return self._sensors
