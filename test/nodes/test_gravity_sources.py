"""Gravity from a parameter, a frame of TF and an IMU, over DDS: the same arm, the same efforts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from geometry_msgs.msg import Quaternion, TransformStamped, Vector3
from robodyn_interfaces.srv import InverseDynamics
from sensor_msgs.msg import Imu

from dynamics_setup import DynamicsSetup, column
from robodyn_ros.spatial import quaternion_from_matrix, rotation_from_rpy
from ros_graph import LATCHED, Graph, time_message
from tf2_msgs.msg import TFMessage

TILT = rotation_from_rpy([0.4, -0.7, 0.3])  # R_mount_root: the arm in its mount
DOWN = np.array([0.0, 0.0, -9.81])
EXACT = 1e-9


def quaternion(rotation: np.ndarray) -> Quaternion:
    values = quaternion_from_matrix(rotation).tolist()
    return Quaternion(**dict(zip("xyzw", values, strict=True)))


def transform(parent: str, child: str, rotation: np.ndarray, stamp: float = 0.0) -> TFMessage:
    item = TransformStamped(child_frame_id=child)
    item.header.frame_id, item.header.stamp = parent, time_message(stamp)
    item.transform.rotation = quaternion(rotation)
    return TFMessage(transforms=[item])


def expected(setup: DynamicsSetup, q: np.ndarray, gravity: np.ndarray) -> np.ndarray:
    setup.robot.gravity = gravity
    return setup.robot.gravity_force(q)


def gravity_of(environment: Any) -> np.ndarray:
    return np.array([environment.gravity.x, environment.gravity.y, environment.gravity.z])


def near(gravity: np.ndarray) -> Any:
    return lambda x: np.abs(gravity_of(x) - gravity).max() < 0.02


def ask(setup: DynamicsSetup, q: np.ndarray) -> Any:
    request = InverseDynamics.Request(names=setup.joints, position=q.tolist())
    return setup.graph.call(InverseDynamics, f"{setup.node}/inverse_dynamics", request)


def test_gravity_is_a_parameter_that_may_change(graph: Graph) -> None:
    setup = DynamicsSetup(graph, gravity=[0.0, 9.81, 0.0])
    q = 0.3 * np.ones(len(setup.joints))
    wall = np.array([0.0, 9.81, 0.0])
    assert gravity_of(setup.environments[-1]).tolist() == wall.tolist()
    message = setup.hold(q)
    assert column(message, "gravity") == pytest.approx(expected(setup, q, wall), abs=EXACT)
    ((done, why),) = graph.set_parameters(setup.node, gravity=[0.0, float("nan"), 0.0])
    assert not done
    assert "finite" in why
    assert graph.set_parameters(setup.node, gravity=[0.0, 1.0])[0][0] is False
    assert graph.set_parameters(setup.node, gravity=[0.0, 0.0, 9.81])[0][0]
    setup.environment_where(near(-DOWN))
    ceiling = expected(setup, q, -DOWN)
    assert column(setup.hold(q), "gravity") == pytest.approx(ceiling, abs=EXACT)
    assert np.array(ask(setup, q).gravity) == pytest.approx(ceiling, abs=EXACT)


def test_a_tilted_mount_is_found_in_tf_and_refused_while_it_is_not_known(graph: Graph) -> None:
    setup = DynamicsSetup(
        graph, gravity_source="frame", gravity_frame="map", stale_after=1.5, frame_prefix="arm/"
    )
    root = f"arm/{setup.robot.model.body_names[0]}"
    q = 0.3 * np.ones(len(setup.joints))
    message = setup.hold(q)
    assert not any(message.valid)
    reply = ask(setup, q)
    assert not reply.success
    assert "map" in reply.message
    graph.wait(lambda: "map" in setup.status("dynamics").message, "the report")
    static = graph.publisher(TFMessage, f"{setup.place}/tf_static", LATCHED)
    static.publish(transform("cart", root, TILT))
    moving = graph.publisher(TFMessage, f"{setup.place}/tf")
    graph.connect(moving)
    for turn, stamp in ((0.0, 1.0), (0.5, 2.0)):
        cart = rotation_from_rpy([0.0, turn, 0.2])
        moving.publish(transform("map", "cart", cart, stamp))
        gravity = (cart @ TILT).T @ DOWN
        setup.environment_where(near(gravity))
        moving.publish(transform("map", "cart", cart, stamp + 0.5))
        message = setup.hold(q)
        assert column(message, "gravity") == pytest.approx(expected(setup, q, gravity), abs=EXACT)
    reply = ask(setup, q)
    assert reply.success or "silent" in reply.message
    graph.wait(lambda: not any(setup.hold(q).valid), "the source to be stale")
    assert "silent" in ask(setup, q).message


def test_an_imu_on_a_link_tells_gravity_by_orientation_or_at_rest(graph: Graph) -> None:
    setup = DynamicsSetup(graph, gravity_source="imu", stale_after=0.0)
    model = setup.robot.model
    link = model.body_names[-1]
    sensor = graph.publisher(Imu, f"{setup.place}/imu")
    graph.connect(sensor)
    q = 0.3 * np.ones(len(setup.joints))
    setup.hold(q)
    R_BL = setup.robot.body_motion(q).rotation[-1]

    def imu(frame: str, orientation: np.ndarray | None, force: np.ndarray, rate: float = 0.0):
        message = Imu()
        message.header.frame_id = frame
        if orientation is None:
            message.orientation_covariance[0] = -1.0
        else:
            message.orientation = quaternion(orientation)
        message.linear_acceleration = Vector3(**dict(zip("xyz", force.tolist(), strict=True)))
        message.angular_velocity.x = rate
        return message

    zero = np.zeros(3)
    gravity = TILT.T @ DOWN  # in the root's axes: the arm is tilted by TILT
    sensor.publish(imu(link, TILT @ R_BL, zero))
    setup.environment_where(near(gravity))
    message = setup.hold(q)
    assert all(message.valid)
    assert column(message, "gravity") == pytest.approx(expected(setup, q, gravity), abs=1e-7)
    other = rotation_from_rpy([0.0, 0.6, 0.0]).T @ DOWN
    sensor.publish(imu(link, None, -(R_BL.T @ other)))
    setup.environment_where(near(other))
    for wrong, said in (
        (imu(link, None, -(R_BL.T @ other), rate=1.0), "turns"),
        (imu(link, None, -2.0 * (R_BL.T @ other)), "rest"),
        (imu("nowhere", TILT, zero), "nowhere"),
    ):
        sensor.publish(wrong)
        graph.wait(lambda: said in ask(setup, q).message, said)  # noqa: B023 - used at once
        assert not any(setup.hold(q).valid)
    sensor.publish(imu(link, TILT @ R_BL, zero))
    graph.wait(lambda: ask(setup, q).success, "gravity to be known again")


def test_a_frame_that_is_not_named_is_refused_at_the_start(graph: Graph) -> None:
    process = graph.start("dynamics_server", {"gravity_source": "frame"})
    assert process.finish() == 1
    (line,) = process.lines("FATAL")
    assert "gravity_frame" in line
    assert "Traceback" not in process.output


def test_a_loop_of_frames_and_odd_quaternions_are_told(graph: Graph) -> None:
    setup = DynamicsSetup(graph, listen=False, gravity_source="frame", gravity_frame="/map")
    root = setup.robot.model.body_names[0]
    q = 0.3 * np.ones(len(setup.joints))
    moving = graph.publisher(TFMessage, f"{setup.place}/tf")
    graph.connect(moving)

    def told(said: str) -> None:
        graph.wait(lambda: said in ask(setup, q).message, said)

    spoilt = transform("map", "odom", TILT)
    spoilt.transforms[0].transform.rotation.w += 1.0
    moving.publish(spoilt)
    told("'odom' have no unit quaternion; publish one chain of transforms between")
    moving.publish(transform("/map", "odom", np.eye(3)))
    moving.publish(transform("odom", root, TILT))
    setup.environment_where(near(TILT.T @ DOWN))
    assert ask(setup, q).success
    moving.publish(transform(root, "map", np.eye(3)))
    told("form a loop")
    moving.publish(transform("earth", "map", np.eye(3)))
    graph.wait(lambda: ask(setup, q).success, "an answer")
    moving.publish(transform("map", "map", TILT))
    moving.publish(transform("", root, TILT))
    moving.publish(transform("odom", root, np.eye(3)))
    setup.environment_where(near(DOWN))


def test_an_imu_that_repeats_itself_grows_old(graph: Graph) -> None:
    setup = DynamicsSetup(graph, listen=False, gravity_source="imu", stale_after=0.5)
    q = 0.3 * np.ones(len(setup.joints))
    sensor = graph.publisher(Imu, f"{setup.place}/imu")
    graph.connect(sensor)
    message = Imu(orientation=quaternion(np.eye(3)))
    message.header.frame_id = setup.robot.model.body_names[0]

    def answered(stamp: float) -> bool:
        message.header.stamp = time_message(stamp)
        sensor.publish(message)
        graph.spin(0.05)
        return bool(ask(setup, q).success)

    graph.wait(lambda: answered(5.0), "an answer")
    graph.wait(lambda: not answered(5.0), "the sample to be old")
    assert "or repeats what it said" in ask(setup, q).message
    graph.wait(lambda: answered(6.0), "an answer to another sample")
    for _ in range(20):  # without a stamp it is as new as its arrival
        assert answered(0.0)


def test_without_gravity_an_imu_has_nothing_to_tell(graph: Graph) -> None:
    setup = DynamicsSetup(graph, listen=False, gravity_source="imu", gravity=[0.0, 0.0, 0.0])
    q = 0.3 * np.ones(len(setup.joints))
    sensor = graph.publisher(Imu, f"{setup.place}/imu")
    graph.connect(sensor)
    sensor.publish(Imu(orientation_covariance=[-1.0] + 8 * [0.0]))
    graph.wait(lambda: ask(setup, q).success, "an answer")
    assert not np.any(ask(setup, q).effort)
