"""Controllers that follow references, on a simulated arm over DDS."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from geometry_msgs.msg import PoseStamped
from robodyn_interfaces.msg import Payload
from robodyn_interfaces.srv import SetPayload
from sensor_msgs.msg import JointState
from trajectory_msgs.msg import JointTrajectory

from controlled_arm import ControlledArm, trajectory
from publisher_setup import ARM
from robodyn_ros import load
from robodyn_ros.control.cartesian_impedance import frame_pose
from ros_graph import Graph, time_message
from simulator_rig import SimulatorRig

ROBOT = load(ARM, compile="off")
NAMES = ROBOT.model.coordinate_names
BENT = {name: 0.4 + 0.05 * k for k, name in enumerate(NAMES[:-1])} | {NAMES[-1]: 0.01}
AT_ONCE = {"command_interface": "joint_state", "ramp_time": 0.0, "slew_time": 0.0}
HELD = "gripper_link"
NEAR = 0.01
"""rad"""
RATE = 250.0


def arm(graph: Graph, controller: str, commands: type = JointState, **more) -> ControlledArm:
    """Return the demo arm under a controller."""
    hardware = SimulatorRig(graph, ARM, rate=RATE, hold=True, friction=False)
    given = {**AT_ONCE, **more}
    return ControlledArm(hardware, controller, BENT, rate=RATE, commands=commands, **given)


@pytest.fixture(scope="module")
def tracked() -> Iterator[ControlledArm]:
    """An arm under computed torque."""
    with closing(Graph()) as graph:
        yield arm(graph, "computed_torque")


def test_it_stays_and_then_follows_a_trajectory(tracked: ControlledArm) -> None:
    graph = tracked.graph
    tracked.advance(0.8)
    before = tracked.position(NAMES)
    tracked.advance(0.2)
    assert np.max(np.abs(tracked.position(NAMES) - before)) < NEAR
    to = graph.publisher(JointTrajectory, tracked.topic("joint_trajectory"))
    graph.connect(to)
    goal = {"joint1": -0.3, "joint2": 0.2}
    message = trajectory({0.5: {"joint1": 0.0, "joint2": 0.3}, 1.0: goal})
    for _ in range(3):  # what is published right after matching may be lost
        to.publish(message)
        graph.spin(0.1)
    tracked.advance(1.3)
    wanted = np.array(list((dict(zip(NAMES, before, strict=True)) | goal).values()))
    assert np.max(np.abs(tracked.position(NAMES) - wanted)) < NEAR


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
        ({"stamp": 0.001}, "ago: stamp it with"),
    ],
)
def test_a_bad_trajectory_is_refused_in_one_line(tracked: ControlledArm, spoilt, text: str) -> None:
    to = tracked.graph.publisher(JointTrajectory, tracked.topic("joint_trajectory"))
    tracked.graph.connect(to)
    message = trajectory({1.0: {"joint1": 0.1, "joint2": 0.1}})
    for key, value in spoilt.items():
        if key == "stamp":
            message.header.stamp = time_message(value)
            tracked.advance(0.6)  # until it is over
        else:
            setattr(message if hasattr(message, key) else message.points[0], key, value)
    tracked.graph.wait(
        lambda: to.publish(message) or tracked.rig.process.lines(text), f"the refusal {text!r}"
    )
    assert "Traceback" not in tracked.rig.process.output


def test_a_payload_at_the_server_reaches_the_controller(graph: Graph) -> None:
    topic = "/server/dynamics_server"
    graph.start("dynamics_server", {"robot_description_file": ARM}, "-r", "__ns:=/server")
    held = arm(graph, "gravity_compensation", environment_topic=f"{topic}/environment")
    held.advance(0.1)
    frame = ROBOT.model.body_names[-1]
    request = SetPayload.Request(payload=Payload(name="box", frame_id=frame, mass=1.0))
    assert graph.call(SetPayload, f"{topic}/set_payload", request).success
    loaded = load(ARM, compile="off")
    loaded.set_payload(frame, 1.0)

    def heavier() -> bool:
        held.advance(1.0 / RATE)
        q, rates = held.position(NAMES), held.velocity(NAMES)
        wanted = loaded.gravity_force(q) - loaded.mass_matrix(q) @ rates / 0.5
        # The arm has not far to go: what is sent is of this state or the one before.
        return bool(np.max(np.abs(np.array(held.sent[-1].effort) - wanted)) < 0.3)

    q = ROBOT.configuration(BENT)
    assert np.max(np.abs(loaded.gravity_force(q) - ROBOT.gravity_force(q))) > 1.0
    graph.wait(heavier, "the payload in the commands")


@pytest.fixture(scope="module")
def sprung() -> Iterator[ControlledArm]:
    """An arm under cartesian impedance."""
    with closing(Graph()) as graph:
        yield arm(graph, "impedance", space="cartesian", frame=HELD)


def pose(position, frame: str = "", norm: float = 1.0) -> PoseStamped:
    """Return a pose with the orientation of the frame as it is bent."""
    message = PoseStamped()
    message.header.frame_id = frame
    for axis, value in zip("xyz", position, strict=True):
        setattr(message.pose.position, axis, float(value))
    message.pose.orientation.w = norm
    return message


def test_a_frame_goes_where_it_is_sent(sprung: ControlledArm) -> None:
    graph = sprung.graph
    to = graph.publisher(PoseStamped, sprung.topic("target_pose"))
    graph.connect(to)

    def at() -> np.ndarray:
        return frame_pose(
            ROBOT, ROBOT.configuration(dict(zip(NAMES, sprung.position(NAMES), strict=True))), HELD
        )[0]

    sprung.advance(1.0)
    before = at()
    # By 5 cm in its own axes, its orientation kept.
    graph.spin(0.3)
    to.publish(pose([0.0, 0.0, -0.05], HELD))
    sprung.advance(1.5)
    assert 0.048 < np.linalg.norm(at() - before) < 0.052


@pytest.mark.parametrize(
    ("message", "text"),
    [
        (pose([0.0, 0.0, 0.0], norm=2.0), "the norm of its orientation is 2"),
        (pose([float("inf"), 0.0, 0.0]), "not finite"),
        (pose([0.0, 0.0, 0.0], "nowhere"), "nowhere"),
    ],
)
def test_a_bad_pose_is_refused_in_one_line(sprung: ControlledArm, message, text: str) -> None:
    to = sprung.graph.publisher(PoseStamped, sprung.topic("target_pose"))
    sprung.graph.connect(to)
    sprung.graph.wait(
        lambda: to.publish(message) or sprung.rig.process.lines(text), f"the refusal {text!r}"
    )
    assert "Traceback" not in sprung.rig.process.output


def test_impedance_needs_a_frame_in_cartesian_space(graph: Graph) -> None:
    process = graph.start("impedance", {"robot_description_file": ARM, "space": "cartesian"})
    assert process.finish() == 1
    assert "frame is empty" in process.output


def test_efforts_as_feed_forward_of_a_trajectory(graph: Graph) -> None:
    held = arm(
        graph,
        "gravity_compensation",
        JointTrajectory,
        command_interface="joint_trajectory",
        damping_time=0.0,
    )
    held.advance(5.0 / RATE)
    message = held.sent[-1]
    assert message.joint_names == list(NAMES)
    (point,) = message.points
    at = ROBOT.configuration(dict(zip(NAMES, point.positions, strict=True)))
    assert np.max(np.abs(np.array(point.effort) - ROBOT.gravity_force(at))) < 0.01
    assert np.max(np.abs(np.array(point.positions) - held.position(NAMES))) < NEAR
