"""What state_publisher refuses to start with: one line each, and exit code 1."""

from __future__ import annotations

from publisher_setup import ARM
from ros_graph import Graph

TWO_ROOTS = '<robot name="x"><link name="a"/><link name="b"/></robot>'


BAD_STARTS = [
    ({"robot_description": "''"}, "empty"),
    ({"robot_description": "<robot/>"}, "link"),
    ({"robot_description": repr(TWO_ROOTS)}, "root"),
    ({"robot_description": "/etc/hostname"}, "robot description"),
    ({"robot_description_file": "/no/such.urdf"}, "/no/such.urdf"),
    ({"robot_description_file": ARM, "robot_description": "<robot/>"}, "not both"),
    ({"robot_description_file": ARM, "publish_base": True}, "world_frame"),
    ({"publish_frequency": -1}, "publish_frequency"),
    ({"publish_frequency": 1e9}, "publish_frequency"),
    ({"joint_states_reliability": "sometimes"}, "best_effort, reliable"),
    ({"frame_prefix": 5}, "frame_prefix"),
]


def test_a_bad_start_is_one_line_and_exit_code_1(graph: Graph) -> None:
    """All at once: each is a process of its own."""
    processes = [graph.start("state_publisher", parameters) for parameters, _ in BAD_STARTS]
    for process, (parameters, said) in zip(processes, BAD_STARTS, strict=True):
        assert process.finish() == 1, parameters
        lines = process.output.strip().splitlines()
        assert len(lines) == 1, process.output
        assert "FATAL" in lines[0]
        assert said in lines[0]


def test_frequency_zero_is_a_good_start(graph: Graph) -> None:
    processes = [
        graph.start("state_publisher", {"robot_description_file": ARM, "publish_frequency": value})
        for value in (0, 0.0)
    ]
    for process in processes:
        process.wait_for("robot 'demo_arm'")
        assert process.stop() == 0
