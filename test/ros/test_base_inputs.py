"""Messages that move whole poses: what is read from them, and what is subscribed for whom."""

from __future__ import annotations

import numpy as np
import pytest
from geometry_msgs.msg import Quaternion, Transform, Twist, Vector3, Wrench
from nav_msgs.msg import Odometry
from rclpy.qos import HistoryPolicy, QoSProfile, ReliabilityPolicy
from sensor_msgs.msg import Imu, MultiDOFJointState

from moving_frame import flight
from robodyn_ros.conditioning.base_sources import ImuSample, OdometrySample
from robodyn_ros.conditioning.base_state import INPUTS, BaseState
from robodyn_ros.conditioning.frames import FramePlan
from robodyn_ros.conditioning.multi_dof import MultiDofStates
from robodyn_ros.conditioning.multi_dof_input import MultiDofInput, MultiDofSample
from robodyn_ros.conditioning.path_knowledge import Settings
from robodyn_ros.conditioning.root_frames import RootFrames
from robodyn_ros.description import load_model
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.base_inputs import (
    IMU,
    MULTI_DOF,
    ODOMETRY,
    BaseInputs,
    imu_sample,
    multi_dof_sample,
    odometry_sample,
    topics_needed,
)
from robodyn_ros.ros.base_parameters import BASE_PARAMETERS, base_of
from robodyn_ros.spatial import quaternion_from_matrix
from robots import OWN_ROBOTS
from ros_graph import Graph, time_message

STAMP = 12_345_678_901


def xyz(vector) -> Vector3:
    x, y, z = (float(v) for v in vector)
    return Vector3(x=x, y=y, z=z)


def xyzw(quaternion) -> Quaternion:
    x, y, z, w = (float(v) for v in quaternion)
    return Quaternion(x=x, y=y, z=z, w=w)


def multi_dof_message(stamp: float = STAMP * 1e-9) -> MultiDOFJointState:
    motion = flight(1.0)
    message = MultiDOFJointState(joint_names=["string", "other"], wrench=[Wrench()])
    message.header.stamp = time_message(stamp)
    message.transforms = [
        Transform(translation=xyz(motion.position), rotation=xyzw(motion.quaternion)),
        Transform(translation=xyz((1, 2, 3))),
    ]
    message.twist = [
        Twist(linear=xyz(motion.linear_velocity), angular=xyz(motion.angular_velocity)),
        Twist(linear=xyz((4, 5, 6)), angular=xyz((7, 8, 9))),
    ]
    return message


def odometry_message(stamp: float = STAMP * 1e-9) -> Odometry:
    message = Odometry(child_frame_id="torso")
    message.header.frame_id = "world"
    message.header.stamp = time_message(stamp)
    position = message.pose.pose.position
    position.x, position.y, position.z = 1.0, 2.0, 3.0
    message.pose.pose.orientation = xyzw((0.0, 0.6, 0.0, 0.8))
    message.twist.twist = Twist(linear=xyz((4, 5, 6)), angular=xyz((7, 8, 9)))
    message.pose.covariance[0] = -1.0
    return message


def imu_message(stamp: float = STAMP * 1e-9) -> Imu:
    message = Imu(orientation=xyzw((0.6, 0.0, 0.0, 0.8)), angular_velocity=xyz((1, 2, 3)))
    message.linear_acceleration = xyz((4, 5, 6))
    message.header.frame_id = "sensor"
    message.header.stamp = time_message(stamp)
    return message


def test_a_multi_dof_joint_state_is_read_with_angular_rates_first() -> None:
    sample = multi_dof_sample(multi_dof_message())
    motion = flight(1.0)
    assert (sample.stamp, sample.names, sample.wrench_count) == (STAMP, ("string", "other"), 1)
    assert sample.transforms[0] == (*motion.position, *motion.quaternion)
    assert sample.transforms[1] == (1.0, 2.0, 3.0, 0.0, 0.0, 0.0, 1.0)
    assert sample.twists[0] == (*motion.angular_velocity, *motion.linear_velocity)
    assert sample.twists[1] == (7.0, 8.0, 9.0, 4.0, 5.0, 6.0)


def test_a_message_read_from_ros_moves_the_joint_that_it_names() -> None:
    model = load_model(OWN_ROBOTS / "every_joint.urdf")
    plan = FramePlan(model)
    states = MultiDofStates(model, plan)
    sample = multi_dof_sample(multi_dof_message())
    step = MultiDofInput(plan, states).take(sample, sample.stamp, Settings())
    entry = next(entry for entry in plan.multi if entry.name == "string")
    assert states.q[entry.q] == pytest.approx([*flight(1.0).position, *flight(1.0).quaternion])
    assert plan.children(step.moved).tolist() == [entry.body]


def test_an_odometry_is_read_with_angular_rates_first() -> None:
    sample = odometry_sample(odometry_message())
    assert (sample.stamp, sample.frame_id, sample.child_frame_id) == (STAMP, "world", "torso")
    assert sample.position.tolist() == [1.0, 2.0, 3.0]
    assert sample.quaternion.tolist() == [0.0, 0.6, 0.0, 0.8]
    assert sample.twist.tolist() == [7.0, 8.0, 9.0, 4.0, 5.0, 6.0]


@pytest.mark.parametrize(
    "absent", [(), ("orientation",), ("angular_velocity", "linear_acceleration")]
)
def test_what_an_imu_marks_as_not_given_is_left_out(absent) -> None:
    message = imu_message()
    values = {
        "orientation": [0.6, 0.0, 0.0, 0.8],
        "angular_velocity": [1.0, 2.0, 3.0],
        "linear_acceleration": [4.0, 5.0, 6.0],
    }
    for name in absent:
        getattr(message, f"{name}_covariance")[0] = -1.0
    sample = imu_sample(message)
    assert (sample.stamp, sample.frame_id) == (STAMP, "sensor")
    read = (sample.quaternion, sample.angular_velocity, sample.linear_acceleration)
    for (name, expected), value in zip(values.items(), read, strict=True):
        assert (value is None) == (name in absent)
        assert value is None or value.tolist() == expected


def test_messages_read_from_ros_move_a_base() -> None:
    model = load_model(OWN_ROBOTS / "every_joint.urdf", base="prescribed")
    plan = FramePlan(model)
    states = MultiDofStates(model, plan)
    base = BaseState(plan, RootFrames(model), states, "odometry_and_imu")
    for step in (
        base.take_odometry(odometry_sample(odometry_message()), 1, Settings()),
        base.take_imu(imu_sample(imu_message()), 1, Settings()),
    ):
        assert step.complaints == ()
    assert states.base_motion[:3].tolist() == [1.0, 2.0, 3.0]
    turned = quaternion_from_matrix(states.base_motion[3:12].reshape(3, 3))
    assert turned == pytest.approx([0.0, 0.6, 0.0, 0.8])
    assert states.base_motion[18:21] == pytest.approx([0.0, 0.0, 0.0])


@pytest.mark.parametrize(
    ("name", "base", "base_input", "expected"),
    [
        ("fixed_chains.urdf", "fixed", "none", set()),
        ("every_joint.urdf", "fixed", "none", {MULTI_DOF}),
        ("every_joint.urdf", "fixed", "odometry", {MULTI_DOF}),
        ("fixed_chains.urdf", "floating", "none", {MULTI_DOF}),
        ("fixed_chains.urdf", "floating", "odometry", {ODOMETRY}),
        ("fixed_chains.urdf", "prescribed", "imu", {IMU}),
        ("fixed_chains.urdf", "prescribed", "odometry_and_imu", {ODOMETRY, IMU}),
        ("every_joint.urdf", "floating", "odometry_and_imu", {MULTI_DOF, ODOMETRY, IMU}),
    ],
)
def test_only_what_a_model_needs_is_subscribed(name, base, base_input, expected) -> None:
    plan = FramePlan(load_model(OWN_ROBOTS / name, base=base))
    assert set(topics_needed(plan, base_input)) == expected


def test_parameters_default_to_a_fixed_base_and_refuse_an_input_for_it() -> None:
    base, source, *_ = BASE_PARAMETERS
    assert (base.name, base.default, source.name, source.default) == (
        "base",
        "described",
        "base_input",
        "none",
    )
    for spec in (base, source):
        assert spec.read_only
        assert spec.problem(spec.default) == ""
        assert "must be one of" in spec.problem("anything")
    for kind in base.choices:
        for name in INPUTS:
            if kind == "fixed" and name != "none":
                with pytest.raises(ArgumentError, match="set base to floating or prescribed"):
                    base_of(kind, name)
            else:
                assert base_of(kind, name) == (None if kind == "described" else kind)


RELIABILITIES = [ReliabilityPolicy.BEST_EFFORT, ReliabilityPolicy.RELIABLE]


@pytest.mark.parametrize("reliability", RELIABILITIES, ids=["best_effort", "reliable"])
def test_samples_arrive_over_dds_and_stop_with_the_need(graph: Graph, reliability) -> None:
    received: list[object] = []
    take = received.append
    inputs = BaseInputs(graph.node, multi_dof=take, odometry=take, imu=take)
    assert inputs.subscriptions == ()
    plan = FramePlan(load_model(OWN_ROBOTS / "every_joint.urdf", base="floating"))
    inputs.listen(plan, "odometry_and_imu")
    kept = inputs.subscriptions
    assert {x.topic_name for x in kept} == {inputs.full_name(x) for x in (MULTI_DOF, ODOMETRY, IMU)}
    profile = QoSProfile(history=HistoryPolicy.KEEP_LAST, depth=5, reliability=reliability)
    for make, topic, kind in (
        (multi_dof_message, MULTI_DOF, MultiDofSample),
        (odometry_message, ODOMETRY, OdometrySample),
        (imu_message, IMU, ImuSample),
    ):
        publisher = graph.publisher(type(make()), inputs.full_name(topic), profile)
        graph.connect(publisher)
        received.clear()

        def arrived(publisher=publisher, make=make, kind=kind) -> bool:
            publisher.publish(make(STAMP * 1e-9))
            return any(isinstance(sample, kind) for sample in received)

        graph.wait(arrived, f"a sample from {topic}")
        assert {sample.stamp for sample in received} == {STAMP}
    inputs.listen(plan, "odometry_and_imu")
    assert inputs.subscriptions == kept
    inputs.listen(FramePlan(load_model(OWN_ROBOTS / "fixed_chains.urdf")), "none")
    assert inputs.subscriptions == ()
    inputs.close()


def test_numbers_are_plain_floats_and_arrays() -> None:
    sample = odometry_sample(odometry_message())
    arrays = (sample.position, sample.quaternion, sample.twist)
    assert {x.dtype for x in arrays} == {np.dtype(np.float64)}
    twists = multi_dof_sample(multi_dof_message()).twists
    assert {type(x) for row in twists for x in row} == {float}
