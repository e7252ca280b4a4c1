"""Nodes whose states are seen from a frame of a mechanism file: a workspace in the world."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robodyn_interfaces.msg import BodyStateArray, MarkerStateArray
from robodyn_interfaces.srv import BodyMotion, Jacobian
from sensor_msgs.msg import Imu, JointState
from visualization_msgs.msg import Marker, MarkerArray

from dynamics_setup import DynamicsSetup
from marker_rules import Viewer
from publisher_setup import matrix_of, received_pose, xyz
from quay_robot import quay_arm
from robodyn_ros import load
from robodyn_ros.algorithms import centers_of, markers_of, pose_in_world, seen_from
from robodyn_ros.robot import Robot
from ros_graph import LATCHED, RELIABLE, Graph, joint_state
from tf2_msgs.msg import TFMessage

CRANE = Path(__file__).parents[2] / "examples" / "crane_on_a_ship.yaml"
PREFIX, HARBOUR = "sea/", "sea/harbour"
STATE = {"slewing": (0.4, 0.3), "trolley": (1.5, -0.2), "mounts/x": (0.03, 0.1),
         "mounts/y": (-0.02, 0.2), "mounts/z": (0.01, -0.3)}  # fmt: skip
ROUNDING = 1e-12


def crane_state(robot: Robot) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return q, v and a as the node knows them: the hook was never seen, and hangs."""
    model = robot.model
    q, v = robot.neutral(), np.zeros(model.nv)
    for name, (position, rate) in STATE.items():
        q[model.position_names.index(name)] = position
        v[model.coordinate_names.index(name)] = rate
    return q, v, np.zeros(model.nv)


def near(found: Any, expected: Any) -> bool:
    """Return whether numbers agree, norm-wise."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected)
    return np.abs(found - expected).max() <= ROUNDING * max(1.0, np.abs(expected).max())


def require_bodies(robot: Robot, seen: Any, message: BodyStateArray) -> None:
    """Hold a message of states against the library's motion."""
    model, bodies = robot.model, message.bodies
    assert [body.name for body in bodies] == [*model.body_names]
    centers = centers_of(model, seen)
    assert near([xyz(x.pose.position) for x in bodies], seen.position)
    assert near([matrix_of(x.pose.orientation) for x in bodies], seen.rotation)
    assert near([xyz(x.twist.linear) for x in bodies], seen.linear_velocity)
    assert near([xyz(x.twist.angular) for x in bodies], seen.angular_velocity)
    assert near([xyz(x.acceleration.linear) for x in bodies], seen.linear_acceleration)
    assert near([xyz(x.acceleration.angular) for x in bodies], seen.angular_acceleration)
    assert near([xyz(x.center_of_mass) for x in bodies], centers.position)
    assert near([xyz(x.center_of_mass_velocity) for x in bodies], centers.velocity)
    assert near([xyz(x.center_of_mass_acceleration) for x in bodies], centers.acceleration)


@pytest.mark.parametrize("node", ["state_publisher", "robodyn_node"])
def test_a_ship_is_seen_from_the_harbour(graph: Graph, node: str) -> None:
    robot = load(CRANE, compile="off")
    seen = seen_from(robot.model, "harbour", robot.body_motion(*crane_state(robot)))
    viewer = Viewer()
    topic = f"/{node}/visualization"
    graph.node.create_subscription(MarkerArray, topic, viewer.take, RELIABLE, raw=True)
    bodies = graph.listen(BodyStateArray, f"/{node}/body_states")
    markers = graph.listen(MarkerStateArray, f"/{node}/marker_states")
    tf = graph.listen(TFMessage, "/tf")
    static = graph.listen(TFMessage, "/tf_static", LATCHED)
    graph.start(
        node,
        {
            "robot_description_file": CRANE,
            "frame_prefix": PREFIX,
            "world_frame": HARBOUR,
            "base_input": "description",
            "publish_base": True,
            "acceleration_source": "none",
        },
    )
    states = graph.publisher(JointState, "/joint_states")
    graph.connect(states)

    def come() -> bool:
        numbers = np.array([*STATE.values()]).T.tolist()
        states.publish(joint_state([*STATE], *numbers, stamp=graph.stamp()))
        return all((bodies, markers, tf, static, ("markers", 0) in viewer.screen))

    graph.wait(come, "all outputs")
    assert {x.header.frame_id for x in (*bodies, *markers)} == {HARBOUR}
    require_bodies(robot, seen, bodies[-1])
    valid = {body.name for body in bodies[-1].bodies if body.valid}
    assert valid == {*robot.model.body_names} - {"hook"}
    told = markers[-1].markers
    for field, expected in markers_of(robot.model, seen)._asdict().items():
        assert near([xyz(getattr(marker, field)) for marker in told], expected), field
    assert {shown.header.frame_id for shown in viewer.screen.values()} == {HARBOUR}
    tip = viewer.screen["markers", 0]
    assert tip.type == Marker.SPHERE
    assert near(xyz(tip.pose.position), markers_of(robot.model, seen).value[0])
    transforms = {t.child_frame_id: t for x in (tf, static) for t in x[-1].transforms}
    parents = {child: t.header.frame_id for child, t in transforms.items()}
    assert parents == {
        HARBOUR: "world",
        "sea/ship": "world",
        "sea/jib": "sea/ship",
        "sea/trolley": "sea/jib",
        "sea/load": "sea/ship",
    }
    X_WF, X_WS = (received_pose(transforms[name]) for name in (HARBOUR, "sea/ship"))
    ship = bodies[-1].bodies[1].pose
    assert near(xyz(ship.position), X_WF[:, :3].T @ (X_WS[:, 3] - X_WF[:, 3]))
    assert near(matrix_of(ship.orientation), X_WF[:, :3].T @ X_WS[:, :3])


def test_services_give_motion_in_it_and_all_else_in_the_world(graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "quay.yaml"
    path.write_text(quay_arm())
    setup = DynamicsSetup(
        graph, path, listen=False, world_frame="quay", gravity_source="imu", stale_after=0.0
    )
    robot, names = setup.robot, setup.joints
    q, v, a = np.array([[0.3, -0.2], [0.5, 0.4], [-1.0, 2.0]])
    state = {"names": names, "position": q.tolist()}
    rates = {"velocity": v.tolist(), "acceleration": a.tolist()}
    request = BodyMotion.Request(**state, **rates)
    reply = graph.call(BodyMotion, f"{setup.node}/body_motion", request)
    assert reply.success, reply.message
    assert reply.bodies.header.frame_id == "quay"
    require_bodies(robot, seen_from(robot.model, "quay", robot.body_motion(q, v, a)), reply.bodies)
    request = Jacobian.Request(**state, frame="grip")
    reply = graph.call(Jacobian, f"{setup.node}/jacobian", request)
    assert near(np.reshape(reply.matrix, (6, -1)), robot.jacobian(q, "grip"))
    environment = setup.environments[-1]
    assert environment.header.frame_id == "pedestal"
    # An IMU that knows how it is turned against the vertical knows gravity in the world's axes.
    sensor = graph.publisher(Imu, f"{setup.place}/imu")
    graph.connect(sensor)
    graph.connect(setup.input)
    setup.send(dict(zip(names, q.tolist(), strict=True)))
    level = Imu()
    level.header.frame_id = "hand"
    level.orientation.w = 1.0
    R_WB = robot.body_motion(q).rotation[robot.model.body_index("hand")]
    down = R_WB @ [0.0, 0.0, -9.81]

    def told() -> bool:
        setup.send(dict(zip(names, q.tolist(), strict=True)))
        sensor.publish(level)
        return near(xyz(setup.environments[-1].gravity), down)

    graph.wait(told, "gravity in world axes")
    assert not near(down, pose_in_world(robot.model, "quay")[0].T @ down)


BAD_NAMES = [("fixed", "grip"), ("fixed", "arm"), ("floating", "plate"), ("prescribed", "pedestal")]


@pytest.mark.parametrize("node", ["state_publisher", "dynamics_server"])
def test_a_frame_that_moves_ends_the_start_with_one_line(
    graph: Graph, tmp_path: Path, node: str
) -> None:
    started = []
    for base, frame in BAD_NAMES:
        path = tmp_path / f"{base}.yaml"
        path.write_text(quay_arm(base))
        parameters = {"robot_description_file": path, "world_frame": frame}
        started.append((frame, graph.start(node, parameters)))
    for frame, process in started:
        assert process.finish() == 1
        (line,) = process.output.strip().splitlines()
        assert f"world_frame '{frame}' is " in line
        assert "moves in the world; name a frame at rest (" in line
        assert "'quay'" in line
