"""Controllers that follow references, on a simulated arm over DDS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from geometry_msgs.msg import PoseStamped
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import SetPayload, SetSimulatorState
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

from controller_rig import ControllerRig
from publisher_setup import ARM
from robodyn_ros import load
from robodyn_ros.control.cartesian_impedance import frame_pose
from ros_graph import Graph, time_message

ROBOT = load(ARM, compile="off")
NAMES = ROBOT.model.coordinate_names
BENT = {name: 0.4 + 0.05 * k for k, name in enumerate(NAMES[:-1])} | {NAMES[-1]: 0.01}
PATIENT = {
    "robot_description_file": ARM,
    "command_interface": "joint_state",
    "state_timeout": 2.0,
    "min_rate": 0.0,
    "ramp_time": 0.2,
    "clock_jump": 10.0,
    "diagnostics_period": 0.2,
}
HELD = "gripper_link"
NEAR = 0.02
"""rad: the demo arm has friction, which the laws do not know unless they are told."""


class Arm:
    """A simulated arm, and a controller that is active on it."""

    def __init__(self, graph: Graph, controller: str, **more) -> None:
        self.graph = graph
        self.states = graph.listen(JointState, "joint_states")
        options = {"robot_description_file": ARM, "rate": 250.0, "hold": True, "friction": False}
        graph.start("simulator", {**options, "publish_clock": False})
        graph.wait(lambda: self.states, "the first state")
        self.rig = ControllerRig(graph, controller, {**PATIENT, **more})
        state = SetSimulatorState.Request(names=list(BENT), position=list(BENT.values()))
        assert graph.call(SetSimulatorState, "simulator/set_state", state).success
        self.rig.start()

    def position(self) -> np.ndarray:
        """Return the newest position by coordinate."""
        newest = dict(zip(self.states[-1].name, self.states[-1].position, strict=True))
        return np.array([newest[name] for name in NAMES])

    def reaches(self, wanted: dict[str, float], near: float = NEAR) -> None:
        """Wait until joints are where they are to be."""

        def there() -> bool:
            at = dict(zip(self.states[-1].name, self.states[-1].position, strict=True))
            return all(abs(at[name] - value) < near for name, value in wanted.items())

        self.graph.wait(there, f"the arm at {wanted}, it is at {self.position()}")


def trajectory(points: dict[float, dict[str, float]]) -> JointTrajectory:
    """Return a trajectory from now on: positions by name, at times."""
    names = list(next(iter(points.values())))
    message = JointTrajectory(joint_names=names)
    for time, positions in points.items():
        point = JointTrajectoryPoint(positions=list(positions.values()))
        stamp = time_message(time)
        point.time_from_start.sec, point.time_from_start.nanosec = stamp.sec, stamp.nanosec
        message.points.append(point)
    return message


@pytest.fixture(scope="module")
def tracked() -> Iterator[Arm]:
    """An arm under computed torque."""
    with closing(Graph()) as graph:
        yield Arm(graph, "computed_torque")


def test_it_stays_and_then_follows_a_trajectory(tracked: Arm) -> None:
    graph = tracked.graph
    graph.spin(0.5)
    before = tracked.position()
    graph.spin(0.5)
    assert np.max(np.abs(tracked.position() - before)) < NEAR
    to = graph.publisher(JointTrajectory, "computed_torque/joint_trajectory")
    graph.connect(to)
    goal = {"joint1": -0.3, "joint2": 0.2}
    others = {name: tracked.position()[NAMES.index(name)] for name in NAMES if name not in goal}
    to.publish(trajectory({0.5: {"joint1": 0.0, "joint2": 0.3}, 1.0: goal}))
    tracked.reaches({**others, **goal})


@pytest.mark.parametrize(
    ("spoilt", "text"),
    [
        ({"joint_names": ["joint1", "jiont2"]}, "jiont2"),
        ({"joint_names": ["joint1", "joint1"]}, "named twice"),
        ({"joint_names": ["joint1"]}, "2 positions for 1 joints"),
        ({"points": []}, "it has no points"),
        ({"positions": [1e9, 0.0]}, "its range is"),
        ({"positions": [float("nan"), 0.0]}, "not finite"),
        ({"velocities": [1.0, 1.0]}, "last point must be at rest"),
        ({"stamp": 1.0}, "ago: stamp it with"),
    ],
)
def test_a_bad_trajectory_is_refused_in_one_line(tracked: Arm, spoilt, text: str) -> None:
    to = tracked.graph.publisher(JointTrajectory, "computed_torque/joint_trajectory")
    tracked.graph.connect(to)
    message = trajectory({1.0: {"joint1": 0.1, "joint2": 0.1}})
    for key, value in spoilt.items():
        if key == "stamp":
            message.header.stamp = time_message(value)
        else:
            setattr(message if hasattr(message, key) else message.points[0], key, value)
    tracked.graph.wait(
        lambda: to.publish(message) or tracked.rig.process.lines(text), f"the refusal {text!r}"
    )
    assert "Traceback" not in tracked.rig.process.output


def test_a_payload_at_the_server_reaches_the_controller(graph: Graph) -> None:
    graph.start("dynamics_server", {"robot_description_file": ARM})
    arm = Arm(
        graph,
        "gravity_compensation",
        environment_topic="dynamics_server/environment",
        ramp_time=0.0,
    )
    sent = graph.listen(JointState, "simulator/effort_command")
    frame = ROBOT.model.body_names[-1]
    request = SetPayload.Request()
    request.payload = Payload(name="box", frame_id=frame, mass=1.0)
    assert graph.call(SetPayload, "dynamics_server/set_payload", request).success
    loaded = load(ARM, compile="off")
    loaded.set_payload(frame, 1.0)
    q = loaded.configuration(BENT)
    extra = np.max(np.abs(loaded.gravity_force(q) - ROBOT.gravity_force(q)))
    assert extra > 1.0

    def heavier() -> bool:
        if not sent or not arm.states:
            return False
        # The arm sinks before the payload is known to the controller, and rises after.
        at = loaded.configuration(dict(zip(NAMES, arm.position(), strict=True)))
        return bool(np.max(np.abs(sent[-1].effort - loaded.gravity_force(at))) < 0.2 * extra)

    graph.wait(heavier, "the payload in the commands")


@pytest.fixture(scope="module")
def sprung() -> Iterator[Arm]:
    """An arm under cartesian impedance."""
    with closing(Graph()) as graph:
        yield Arm(graph, "impedance", space="cartesian", frame=HELD)


def pose(position, frame: str = "", norm: float = 1.0) -> PoseStamped:
    """Return a pose with the orientation of the frame as it is bent."""
    message = PoseStamped()
    message.header.frame_id = frame
    for axis, value in zip("xyz", position, strict=True):
        setattr(message.pose.position, axis, float(value))
    message.pose.orientation.w = norm
    return message


def test_a_frame_goes_where_it_is_sent(sprung: Arm) -> None:
    graph = sprung.graph
    to = graph.publisher(PoseStamped, "impedance/target_pose")
    graph.connect(to)

    def at() -> np.ndarray:
        return frame_pose(
            ROBOT, ROBOT.configuration(dict(zip(NAMES, sprung.position(), strict=True))), HELD
        )[0]

    graph.spin(0.5)
    before = at()
    # By 5 cm in its own axes, its orientation kept.
    to.publish(pose([0.0, 0.0, -0.05], HELD))
    graph.wait(lambda: np.linalg.norm(at() - before) > 0.04, "the frame to go")
    graph.spin(2.0)
    assert 0.04 < np.linalg.norm(at() - before) < 0.06


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (pose([0.0, 0.0, 0.0], norm=2.0), "the norm of its orientation is 2"),
        (pose([float("inf"), 0.0, 0.0]), "not finite"),
        (pose([0.0, 0.0, 0.0], "nowhere"), "nowhere"),
    ],
)
def test_a_bad_pose_is_refused_in_one_line(sprung: Arm, message, text: str) -> None:
    to = sprung.graph.publisher(PoseStamped, "impedance/target_pose")
    sprung.graph.connect(to)
    sprung.graph.wait(
        lambda: to.publish(message) or sprung.rig.process.lines(text), f"the refusal {text!r}"
    )
    assert "Traceback" not in sprung.rig.process.output


def test_impedance_needs_a_frame_in_cartesian_space(graph: Graph) -> None:
    process = graph.start("impedance", {**PATIENT, "space": "cartesian"})
    assert process.finish() == 1
    assert "frame is empty" in process.output


def test_efforts_as_feed_forward_of_a_trajectory(graph: Graph) -> None:
    sent = graph.listen(JointTrajectory, "joint_trajectory_controller/joint_trajectory")
    arm = Arm(graph, "gravity_compensation", command_interface="joint_trajectory", ramp_time=0.0)
    graph.wait(lambda: len(sent) > 5, "commands")
    message = sent[-1]
    assert message.joint_names == list(NAMES)
    (point,) = message.points
    at = ROBOT.configuration(dict(zip(NAMES, point.positions, strict=True)))
    assert np.max(np.abs(np.array(point.effort) - ROBOT.gravity_force(at))) < 0.5
    assert np.max(np.abs(np.array(point.positions) - arm.position())) < NEAR
