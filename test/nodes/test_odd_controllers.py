"""Controllers of robots and with calls that cannot be: refused in words, and nothing is sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState
from rclpy.lifecycle import TransitionCallbackReturn

from inner_controller import InnerController
from publisher_setup import ARM
from robodyn_ros.errors import ArgumentError
from robodyn_ros.nodes.gravity_compensation import GravityCompensation
from robodyn_ros.nodes.impedance import Impedance

LINK = """<link name="{0}"><inertial><mass value="1"/>
<inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link>"""
JOINT = """<joint name="{0}" type="revolute"><parent link="{1}"/><child link="{2}"/>
<axis xyz="0 1 0"/><limit lower="-2" upper="2" effort="50" velocity="2"/></joint>"""
MASSLESS_TIP = (
    LINK.format("a"),
    LINK.format("b"),
    '<link name="c"/>',
    JOINT.format("j1", "a", "b"),
    JOINT.format("j2", "b", "c"),
)

Make = Callable[..., InnerController]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make one controller."""
    made: list[InnerController] = []

    def one(kind: Any, *parts: str, **parameters: Any) -> InnerController:
        path = ARM
        if parts:
            path = tmp_path / "odd.urdf"
            path.write_text(f'<robot name="odd">{"".join(parts)}</robot>')
        made.append(InnerController(tmp_path, kind, robot_description_file=path, **parameters))
        return made[-1]

    yield one
    for each in made:
        each.close()


@pytest.mark.parametrize("more", [{}, {"space": "cartesian", "frame": "c"}])
def test_an_impedance_of_a_link_without_inertia_is_not_activated(
    make: Make, more: dict[str, str]
) -> None:
    made = make(Impedance, *MASSLESS_TIP, **more)
    with pytest.raises(AssertionError, match=r"needs inertia at every joint.*'j2'"):
        made.activate(deadline=0.0)
    assert made.node.trigger_activate() is TransitionCallbackReturn.FAILURE
    made.state()
    assert made.sent == []


def test_a_robot_without_joints_is_refused(make: Make) -> None:
    with pytest.raises(ArgumentError, match="robot 'odd' has no joint that a number commands"):
        make(GravityCompensation, LINK.format("a"))


@pytest.mark.parametrize("name", ["a b", "//", "1?"])
def test_a_receiver_without_a_possible_name_is_refused(make: Make, name: str) -> None:
    with pytest.raises(ArgumentError, match=r"command_controller .* is no name of a node"):
        make(GravityCompensation, command_controller=name)


def test_transitions_that_there_are_not_are_answered(make: Make) -> None:
    made = make(GravityCompensation)

    def asked(number: int) -> bool:
        (service,) = (x for x in made.node.services if x.srv_name.endswith("/change_state"))
        request = ChangeState.Request(transition=Transition(id=number))
        return bool(service.callback(request, ChangeState.Response()).success)

    state = lambda: made.node._state_machine.current_state[0]  # noqa: E731
    for wrong in (
        Transition.TRANSITION_ACTIVATE,
        Transition.TRANSITION_DEACTIVATE,
        Transition.TRANSITION_CLEANUP,
        Transition.TRANSITION_ACTIVE_SHUTDOWN,
        99,
    ):
        assert not asked(wrong)
        assert state() == State.PRIMARY_STATE_UNCONFIGURED
    made.activate()
    assert not asked(Transition.TRANSITION_ACTIVATE)
    assert not asked(Transition.TRANSITION_CONFIGURE)
    assert not asked(Transition.TRANSITION_CLEANUP)
    made.state()
    assert len(made.sent) == 1
    assert asked(Transition.TRANSITION_ACTIVE_SHUTDOWN)
    made.state()
    assert made.sent == []
    assert not asked(Transition.TRANSITION_CONFIGURE)
    assert state() == State.PRIMARY_STATE_FINALIZED
