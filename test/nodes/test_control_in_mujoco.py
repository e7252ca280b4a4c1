"""Controllers on robots in MuJoCo, over DDS: an engine that shares nothing with their model.

Simulated time goes on in turns, so that what is seen does not depend on how busy the machine is;
`python -m benchmarks.control` does the same in real time.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import closing

import numpy as np
import pytest
from robodyn_interfaces.msg import ExternalWrenchEstimate, Payload
from robodyn_interfaces.srv import SetPayload
from trajectory_msgs.msg import JointTrajectory

from controlled_arm import ControlledArm, trajectory
from mujoco_rig import MujocoRig
from robots import example
from ros_graph import Graph
from simulator_rig import positions

PANDA, UR5 = example("panda.urdf"), example("ur5_robot.urdf")
ARMS = {
    "panda": (
        PANDA,
        [f"panda_joint{k}" for k in range(1, 8)],
        [0.2, -0.6, 0.1, -2.0, 0.3, 1.6, 0.5],
    ),
    "ur5": (
        UR5,
        ["shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint"]
        + [f"wrist_{k}_joint" for k in (1, 2, 3)],
        [0.3, -1.0, 1.2, -0.7, 0.4, 0.2],
    ),
}
HALF_DEGREE = np.radians(0.5)


def arm(
    graph: Graph,
    name: str,
    controller: str,
    rate: float,
    given=None,
    beside: Callable[[MujocoRig], object] | None = None,
    **more,
) -> ControlledArm:
    """Return a bent arm in MuJoCo under a controller, with what else is started beside it."""
    path, names, bent = ARMS[name]
    options = {"rate": rate, "hold": True, "integrator": "rk4"}
    options["command_joints"] = commanded = f"'{', '.join(names)}'"
    hardware = MujocoRig(graph, path, **options, **(given or {}))
    start = dict(zip(names, bent, strict=True))
    if beside is not None:
        beside(hardware)
    more = {"command_joints": commanded, "check_order": "never", "ramp_time": 0.05, **more}
    return ControlledArm(hardware, controller, start, rate=rate, **more)


@pytest.mark.parametrize(("name", "rate"), [("panda", 200.0), ("ur5", 500.0)])
def test_a_displaced_arm_floats_where_it_is(graph: Graph, name: str, rate: float) -> None:
    held = arm(graph, name, "gravity_compensation", rate)
    _, names, _ = ARMS[name]
    held.advance(0.2)
    before = held.position(names)
    held.advance(1.0)
    assert np.max(np.abs(held.position(names) - before)) < HALF_DEGREE


WAVES = np.array([0.25, 0.2, 0.25, 0.3, 0.3, 0.3, 0.4])
"""rad, about where the arm begins."""
QUICK, LASTS = 7.0, 1.0
"""rad/s of the waves, and s."""


def waving(begin: np.ndarray, count: int) -> tuple[dict[float, np.ndarray], list]:
    """Return times with positions, velocities and accelerations of a fast motion from rest."""
    times = np.arange(1, 71) * (LASTS / 70)
    fade = np.clip(times / LASTS, 0.0, 1.0)
    # s⁴ (1 - s)⁴ fades it in and out with three derivatives at rest.
    window = np.polynomial.Polynomial.fromroots([0.0] * 4 + [1.0] * 4) * 256.0
    share, rate, growth = (window.deriv(k)(fade) / LASTS**k for k in range(3))
    wave = np.sin(QUICK * times), QUICK * np.cos(QUICK * times), -(QUICK**2) * np.sin(QUICK * times)
    q = share * wave[0]
    v = rate * wave[0] + share * wave[1]
    a = growth * wave[0] + 2.0 * rate * wave[1] + share * wave[2]
    size = WAVES[:count]
    return times, [begin + np.outer(q, size), np.outer(v, size), np.outer(a, size)]


def tracking_error(graph: Graph, law: str) -> tuple[float, ControlledArm]:
    """Return the RMS error in rad of a Panda along a fast trajectory."""
    _, names, _ = ARMS["panda"]
    held = arm(graph, "panda", "computed_torque", 250.0, law=law, frequency=12.0)
    held.advance(0.1)
    begin = held.position(names)
    times, (q, v, a) = waving(begin, len(names))
    message = trajectory(
        {t: dict(zip(names, row, strict=True)) for t, row in zip(times, q, strict=True)}
    )
    for point, rates, growths in zip(message.points, v, a, strict=True):
        point.velocities, point.accelerations = rates.tolist(), growths.tolist()
    message.points[-1].velocities = [0.0] * len(names)
    now = held.hardware.states[-1].header.stamp
    message.header.stamp = now
    to = graph.publisher(JointTrajectory, held.topic("joint_trajectory"))
    graph.connect(to)
    for _ in range(3):  # what is published right after matching may be lost
        to.publish(message)
        graph.spin(0.1)
    states = held.advance(LASTS)
    begun = now.sec + now.nanosec * 1e-9
    errors = []
    for state in states:
        at = state.header.stamp.sec + state.header.stamp.nanosec * 1e-9 - begun
        wanted = [np.interp(at, [0.0, *times], [begin[k], *q[:, k]]) for k in range(len(names))]
        errors.append(np.array([positions(state)[name] for name in names]) - wanted)
    return float(np.sqrt(np.mean(np.square(errors)))), held


def test_computed_torque_tracks_ten_times_better_than_pd() -> None:
    found = {}
    for law in ("joint_pd", "computed_torque"):
        with closing(Graph()) as graph:
            found[law], held = tracking_error(graph, law)
            assert not held.rig.process.lines("fault")
    assert found["computed_torque"] < 0.1 * found["joint_pd"]


def test_a_wrong_model_and_a_delay_are_survived_and_reported(graph: Graph) -> None:
    _, names, _ = ARMS["panda"]
    wrong = {"mass_factor": 1.2, "command_delay": 0.005, "extra_friction": 0.5}
    held = arm(graph, "panda", "computed_torque", 250.0, wrong, frequency=12.0, residual_limit=0.01)
    held.advance(0.2)
    before = held.position(names)
    held.advance(0.8)
    held.rig.process.wait_for("fault residual: efforts of", 5.0)
    # It sinks by what its weight is too high, over the gains, and then holds.
    assert np.max(np.abs(held.position(names) - before)) < 0.3
    assert np.max(np.abs(held.velocity(names))) < 0.5


def test_a_lost_payload_is_noticed_within_a_second(graph: Graph) -> None:
    topic = "dynamics_server/environment"
    held = arm(
        graph,
        "panda",
        "gravity_compensation",
        200.0,
        beside=lambda hardware: loaded(hardware, 2.0),
        environment_topic=topic,
        residual_limit=0.03,
    )
    held.advance(0.8)
    assert not held.rig.process.lines("fault")
    assert held.hardware.carry("panda_hand", 0.0).success
    held.advance(1.0)
    held.rig.process.wait_for("fault residual: efforts of", 5.0)


def test_a_controller_that_is_killed_and_started_again_drops_nothing(graph: Graph) -> None:
    drives = {"effort_timeout": 0.05, "hold_after_timeout": True}
    held = arm(graph, "ur5", "gravity_compensation", 200.0, drives, ramp_time=0.5)
    _, names, _ = ARMS["ur5"]
    held.advance(0.2)
    before, last = held.position(names), np.array(held.sent[-1].data)
    assert held.rig.process.stop(signal.SIGKILL) == -signal.SIGKILL
    held.hardware.step(500)
    held.start_controller("second")
    held.sent.clear()
    held.activate()
    held.advance(0.1)
    np.testing.assert_allclose(np.array(held.sent[0].data), last, atol=0.02 * np.max(np.abs(last)))
    held.advance(0.6)
    assert np.max(np.abs(held.position(names) - before)) < HALF_DEGREE


def loaded(hardware: MujocoRig, mass: float) -> None:
    """Have a robot carry a weight, and a dynamics server know of it."""
    hardware.start("dynamics_server", robot_description_file=hardware.path)
    request = SetPayload.Request(payload=Payload(name="load", frame_id="panda_hand", mass=mass))
    server = f"{hardware.place}/dynamics_server"
    assert hardware.graph.call(SetPayload, f"{server}/set_payload", request).success
    assert hardware.carry("panda_hand", mass).success


def test_a_push_is_felt_and_its_wrench_estimated(graph: Graph) -> None:
    options = {"wrench_estimate_frames": "panda_hand", "wrench_estimate_axes": "frame"}
    options["contact_threshold"] = 2.0
    held = arm(
        graph,
        "panda",
        "gravity_compensation",
        250.0,
        beside=lambda x: x.start("dynamics_server", robot_description_file=PANDA, **options),
        damping_time=0.05,
    )
    topic = f"{held.hardware.place}/dynamics_server/external_wrench_estimate"
    estimates = graph.listen(ExternalWrenchEstimate, topic)
    graph.wait(lambda: held.advance(0.02) and estimates, "an estimate", 300.0)
    held.advance(0.6)
    assert not estimates[-1].contact
    pushed = np.array([0.0, 0.0, 0.0, 15.0, -10.0, 8.0])
    assert held.hardware.push("panda_hand", pushed, 10.0).success
    held.advance(0.4)
    graph.spin(0.2)
    found = estimates[-1]
    assert found.valid
    force = found.wrench.wrench.force
    error = np.linalg.norm(np.array([force.x, force.y, force.z]) - pushed[3:])
    assert error < 0.1 * np.linalg.norm(pushed[3:])
    assert found.contact
