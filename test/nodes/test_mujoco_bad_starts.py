"""mujoco_simulator told what cannot be: one line, exit code 1; later, the model in use stays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from mujoco_rig import MujocoRig
from node_process import NodeProcess, node_command
from publisher_setup import ARM
from robots import example
from ros_graph import Graph

UR5 = example("ur5_robot.urdf")
CLOSED = Path(__file__).parents[2] / "examples" / "four_bar.yaml"
BROKEN = "<mujoco><worldbody><body><joint/></body></worldbody></mujoco>"

BAD: dict[str, tuple[dict[str, Any], str]] = {
    "a file that is not there": ({"mjcf_file": "/absent.xml"}, "there is no file '/absent.xml'"),
    "two descriptions": (
        {"mjcf_file": "BROKEN", "robot_description_file": UR5},
        "give mjcf_file or robot_description and robot_description_file, not both",
    ),
    "an unknown joint": (
        {"robot_description_file": UR5, "command_joints": "elbow"},
        "no coordinate is called 'elbow'",
    ),
    "a topic that is none": (
        {"robot_description_file": UR5, "effort_commands_topic": "a b"},
        "effort_commands_topic 'a b' is no name of a topic",
    ),
    "a closed mechanism": (
        {"robot_description_file": CLOSED},
        "is a closed mechanism, which MuJoCo would hold with soft constraints only",
    ),
}


def require_one_line(process: NodeProcess, said: str) -> None:
    assert process.finish() == 1, process.output
    (line,) = [line for line in process.output.splitlines() if line.strip()]
    assert said in line


@pytest.mark.parametrize("name", BAD)
def test_a_bad_start_is_one_line(graph: Graph, tmp_path: Path, name: str) -> None:
    options, said = BAD[name]
    broken = tmp_path / "broken.xml"
    broken.write_text(BROKEN)
    given = {key: broken if value == "BROKEN" else value for key, value in options.items()}
    require_one_line(graph.start("mujoco_simulator", given), said)


def test_without_mujoco_it_says_what_to_install(graph: Graph, tmp_path: Path) -> None:
    (tmp_path / "mujoco.py").write_text("raise ImportError('No module named mujoco')")
    command = node_command("mujoco_simulator", {"robot_description_file": ARM})
    process = graph.run(command, PYTHONPATH=str(tmp_path))
    require_one_line(process, "pip install 'robodyn_ros[mujoco]'")


def test_a_bad_description_later_leaves_the_one_in_use(graph: Graph) -> None:
    hardware = MujocoRig(graph, UR5)
    names = hardware.names
    text = CLOSED.read_text()
    ((done, _),) = graph.set_parameters(hardware.node, robot_description=text)
    assert done
    hardware.process.wait_for("the model in use stays.*closed mechanism")
    assert hardware.names == names
    hardware.step(10)
    ((done, _),) = graph.set_parameters(hardware.node, robot_description=ARM.read_text())
    assert done
    graph.wait(lambda: hardware.names != names, "the other robot")
    hardware.step(10)
