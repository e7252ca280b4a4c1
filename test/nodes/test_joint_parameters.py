"""Parameters of joints: there as long as the description is, whatever is refused meanwhile."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from robodyn_interfaces.srv import InverseDynamics
from std_msgs.msg import String

from dynamics_setup import DynamicsSetup
from mini_robot import robot
from publisher_setup import ARM
from robots import OWN_ROBOTS, loaded
from ros_graph import LATCHED, Graph

NODE = "/dynamics_server"


def friction(graph: Graph, node: str = NODE, count: int = 8) -> list[float]:
    """Return the friction of every joint at unit speed."""
    request = InverseDynamics.Request(position=[0.0] * count, velocity=[1.0] * count)
    reply: Any = graph.call(InverseDynamics, f"{node}/inverse_dynamics", request)
    assert reply.success, reply.message
    return list(reply.friction)


def test_a_refused_description_takes_nothing_from_the_one_in_use(graph: Graph) -> None:
    options = {"joints.turn.armature": -5.0, "joints.joint1.damping": 2.0}
    process = graph.start("dynamics_server", options)
    description = graph.publisher(String, "/robot_description", LATCHED)
    description.publish(String(data=ARM.read_text()))
    process.wait_for("robot 'demo_arm'")
    before = friction(graph)
    assert graph.set_parameters(NODE, **{"joints.joint1.damping": 3.0})[0][0]
    graph.wait(lambda: friction(graph)[0] == pytest.approx(before[0] + 1.0), "what was set")
    description.publish(String(data=robot()))
    process.wait_for("the model in use stays: joints.turn.armature must be between 0")
    assert friction(graph)[0] == pytest.approx(before[0] + 1.0)
    for change in (
        {"joints.joint1.damping": 4.0},
        {"joints.joint1.effort_gain": 2.0},
        {"driver_compensates_gravity": True},
    ):
        assert graph.set_parameters(NODE, **change)[0] == (True, "")
    assert friction(graph)[0] == pytest.approx(before[0] + 2.0)
    assert process.stop() == 0
    assert not process.lines("a callback failed|Traceback")


def test_what_a_description_says_may_stay_beside_what_is_set(graph: Graph, tmp_path: Path) -> None:
    file = tmp_path / "odd.urdf"
    file.write_text(re.sub(r'damping="[^"]*"', 'damping="-0.5"', ARM.read_text()))
    setup = DynamicsSetup(graph, file, "-p", "joints.joint2.armature:=0.1", listen=False)
    own = friction(graph, setup.node)
    damping = "joints.joint1.damping"
    for value, taken in ((-0.25, False), (0.0, True), (-0.5, True)):
        ((done, why),) = graph.set_parameters(setup.node, **{damping: value})
        assert done is taken
        assert taken or "must be at least 0, or -0.5 as in the description" in why
        found = np.array(friction(graph, setup.node)) - own
        assert found == pytest.approx([0.5 * (value == 0.0), *[0.0] * 7])
    assert not setup.process.lines("a callback failed|Traceback")


def test_every_coordinate_of_a_joint_has_parameters_of_its_own(graph: Graph) -> None:
    """What a description says of the others stays, whatever is changed beside it."""
    file = OWN_ROBOTS / "every_type.yaml"
    model = loaded(file)
    options = {"robot_description_file": file, "joints.gimbal/x.friction": 6.0}
    arguments = ("-p", "joints.planar.damping:=1.0", "-p", "joints.planar/w.damping:=1.0")
    process = graph.start("dynamics_server", options, *arguments)
    names = "planar/x.damping, planar/y.damping, planar/rz.damping"
    for key in ("planar", "planar/w"):
        told = f"parameter joints.{key}.damping is not used: joint 'planar' has several coordinates"
        assert f"; give {names}" in process.wait_for(told)
    numbers = model.lumped.joint_parameters.copy()
    place = model.coordinate_names.index
    numbers[place("gimbal/x"), 2] = 6.0

    def wanted() -> Any:
        return pytest.approx(numbers[:, 1] + numbers[:, 2])

    assert friction(graph, count=model.nv) == wanted()
    for name, value in (("revolute", 3.0), ("ball/z", 7.0), ("planar/y", 0.0)):
        assert graph.set_parameters(NODE, **{f"joints.{name}.damping": value}) == [(True, "")]
        numbers[place(name), 1] = value
        assert friction(graph, count=model.nv) == wanted()
    ((done, why),) = graph.set_parameters(NODE, **{"joints.ball/rx.damping": -1.0})
    assert not done
    assert "joints.ball/rx.damping" in why
    assert process.stop() == 0


def test_units_of_coordinates_that_are_none_are_told_with_those_that_are(graph: Graph) -> None:
    names = (
        "planar/rx.effort_unit",
        "planar.effort_unt",
        "ball.effort_gain",
        "planr/x.effort_gain",
    )
    arguments = [x for name in names for x in ("-p", f"joints.{name}:='A'")]
    options = {"robot_description_file": OWN_ROBOTS / "every_type.yaml"}
    process = graph.start("dynamics_server", options, *arguments)
    process.wait_for("robot 'every_type'")
    units = ", ".join(f"planar{end}.effort_unit" for end in ("", "/x", "/y", "/rz"))
    fields = "armature, damping, friction"
    for said in (
        f"joint 'planar' has several coordinates; give {units}$",
        f"joint 'planar' has no parameter 'effort_unt'; it has {fields}, effort_unit, effort_gain;"
        " did you mean 'effort_unit'.$",
        f"joint 'ball' has no parameter 'effort_gain'; it has {fields}$",
        "no joint that moves is called 'planr/x'; available: planar, .*did you mean 'planar'",
    ):
        assert "[WARN]" in process.wait_for(said)


def test_what_is_given_and_not_used_is_told(graph: Graph) -> None:
    given = ("joint1", "joint1.armture", "joint11.armature", "right_finger_joint.effort_gain")
    arguments = [x for name in given for x in ("-p", f"joints.{name}:=1.0")]
    options = {"robot_description_file": ARM, "gravity_frame": "map"}
    process = graph.start("dynamics_server", options, *arguments)
    process.wait_for("robot 'demo_arm'")
    fields = "armature, damping, friction"
    more = "effort_unit, effort_gain"
    for said in (
        f"joint 'joint1' is no parameter itself; it has {fields}, {more}",
        f"joint 'joint1' has no parameter 'armture'; it has {fields}, {more}",
        "no joint that moves is called 'joint11'; available: joint1, ",
        f"joint 'right_finger_joint' has no parameter 'effort_gain'; it has {fields}$",
        "gravity_frame 'map' is not used: gravity_source is parameter; set that to frame",
    ):
        assert "[WARN]" in process.wait_for(said)
    assert process.stop() == 0
