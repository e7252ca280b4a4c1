"""Every example, run as its page says."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from sensor_msgs.msg import JointState

from robodyn_ros import load
from ros_graph import Graph

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
ARM = ROOT / "urdf" / "demo_arm.urdf"
STIFFNESS, DAMPING = 100.0, 20.0


@pytest.fixture
def graph() -> Iterator[Graph]:
    """A ROS graph of the test's own."""
    with closing(Graph()) as made:
        yield made


def run(name: str, *arguments: str) -> str:
    """Return what an example prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name, *arguments],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def rows(text: str) -> dict[str, list[float]]:
    """Return the numbers of lines that begin with a joint's name."""
    found = re.findall(r"^ *(\w+) +([-+0-9. ]+?)(?: N m)?$", text, re.MULTILINE)
    return {name: [float(x) for x in numbers.split()] for name, numbers in found}


def test_every_example_is_tested_and_tells_how_to_run_it() -> None:
    names = {path.name for path in EXAMPLES.glob("*.py")}
    assert names == {
        "ur5_torque.py",
        "panda_gravity_payload.py",
        "inverse_dynamics_node.py",
        "operate_controller.py",
    }
    for name in names:
        assert f"    python examples/{name}" in (EXAMPLES / name).read_text()


def test_torques_of_a_ur5() -> None:
    table = rows(run("ur5_torque.py"))
    rest, moving, pushed = table["shoulder_lift_joint"]
    terms = {term: table[term][0] for term in ("inertial", "coriolis", "gravity", "external")}
    assert terms["gravity"] == pytest.approx(rest, abs=0.01)
    assert terms["external"] == pytest.approx(pushed - moving, abs=0.02)
    assert moving == pytest.approx(sum(terms.values()) - terms["external"], abs=0.02)
    assert table["shoulder_pan_joint"][0] == pytest.approx(0.0, abs=0.01)  # its axis is upright


def test_gravity_of_a_panda_with_a_payload() -> None:
    text = run("panda_gravity_payload.py")
    table = rows(text)
    for empty, carrying, more in table.values():
        assert carrying - empty == pytest.approx(more, abs=2e-3)
    reach = 0.307  # m from the second joint's axis to the hand's, in this pose
    assert table["panda_joint2"][2] == pytest.approx(-1.5 * 9.81 * reach, abs=0.01)
    assert "every bit as before: True" in text


def test_a_node_asks_for_inverse_dynamics_in_its_control_loop(graph: Graph) -> None:
    graph.start("dynamics_server", {"robot_description_file": ARM})
    graph.start("joint_trajectory_demo")
    commands = graph.listen(JointState, "effort_command")
    states = graph.listen(JointState, "joint_states")
    example = graph.run([sys.executable, str(EXAMPLES / "inverse_dynamics_node.py")])
    graph.wait(lambda: len(commands) >= 200, "two hundred commands")
    assert states
    robot = load(ARM, compile="off")
    # The goal is the position that the node saw first, which is that of a state near the first.
    goals = [dict(zip(s.name, s.position, strict=True)) for s in states]
    command = commands[-1]
    q = robot.configuration(dict(zip(command.name, command.position, strict=True)))
    order = [robot.model.coordinate_names.index(name) for name in command.name]
    v = np.zeros(robot.model.nv)
    v[order] = command.velocity

    def expected(goal: dict[str, float]) -> np.ndarray:
        a = np.zeros(robot.model.nv)
        for k, name in zip(order, command.name, strict=True):
            a[k] = STIFFNESS * (goal[name] - q[robot.model.own_joint(name).q_index])
        return robot.inverse_dynamics(q, v, a - DAMPING * v)[order]

    errors = [np.abs(expected(goal) - command.effort).max() for goal in goals]
    assert min(errors) < 1e-9
    assert example.stop(signal.SIGINT) == 0
    assert "Traceback" not in example.output


def operate(*arguments: str) -> dict[str, float]:
    """Return where the example says that the joints are."""
    printed = run("operate_controller.py", *arguments).split(";")[0]
    return {name: float(position) for name, position in map(str.split, printed.split(","))}


def test_a_controller_is_operated_without_the_command_ros2(graph: Graph) -> None:
    patient = {"command_interface": "joint_state", "state_timeout": 10.0, "min_rate": 0.0}
    graph.start("simulator", {"robot_description_file": ARM, "hold": True, "rate": 250.0})
    controller = graph.start("computed_torque", {"use_sim_time": True, **patient})
    bent = operate("bend", "simulator", "joint2=0.5", "joint4=-1.2")
    assert bent["joint4"] == pytest.approx(-1.2, abs=0.01)
    active = operate("activate", "computed_torque")
    assert active["joint4"] == pytest.approx(-1.2, abs=0.05)
    pushed = operate("push", "simulator", "forearm_link", "30")
    assert pushed["joint2"] == pytest.approx(0.5, abs=0.05)
    moved = operate("follow", "computed_torque", "joint2=0.2", "joint4=-1.6")
    assert moved["joint2"] == pytest.approx(0.2, abs=0.05)  # friction is not compensated
    assert moved["joint4"] == pytest.approx(-1.6, abs=0.05)
    operate("deactivate", "computed_torque")
    controller.wait_for("nothing is commanded; the last effort may still hold")


@pytest.mark.parametrize("wrong", [[], ["push", "simulator"]])
def test_the_operator_shows_how_it_is_used(wrong: list[str]) -> None:
    command = [sys.executable, EXAMPLES / "operate_controller.py", *wrong]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, "")
    assert "operate_controller.py activate gravity_compensation" in done.stdout
