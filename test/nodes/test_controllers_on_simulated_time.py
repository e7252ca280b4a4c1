"""A controller on simulated time: a slow simulation is no slow driver, a silent one is missed."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from rclpy.clock import ClockType
from rclpy.time import Time

from inner_controller import InnerController
from publisher_setup import ARM
from robodyn_ros.nodes.gravity_compensation import GravityCompensation

_DEADLINE = 30.0


class Simulated(InnerController):
    """A controller whose clock is set by hand, to the stamp of each state."""

    def state(self, *args: Any, **more: Any) -> None:
        """Set the clock to the next stamp, then have a state come."""
        self.reach(self.stamp + 4_000_000)
        super().state(*args, **more)

    def reach(self, nanoseconds: int) -> None:
        """Set the clock, as what comes on /clock does."""
        clock = self.node.get_clock()
        clock.set_ros_time_override(Time(nanoseconds=nanoseconds, clock_type=ClockType.ROS_TIME))

    def wait_for_form(self, form: str) -> None:
        """Wait until the watchdog has it go to a safe form."""
        end = time.monotonic() + _DEADLINE
        while self.form != form:
            assert time.monotonic() < end, self.said
            time.sleep(0.01)


@pytest.fixture
def simulated(tmp_path: Path) -> Iterator[Simulated]:
    made = Simulated(
        tmp_path,
        GravityCompensation,
        robot_description_file=ARM,
        use_sim_time=True,
        state_timeout=0.05,
        min_rate=100.0,
        rate_window=0.05,
    )
    made.activate()
    yield made
    made.close()


def test_a_slow_simulation_is_no_slow_driver(simulated: Simulated) -> None:
    for _ in range(20):
        simulated.state()
    for _ in range(5):  # 250 ms each, by the clock on the wall
        time.sleep(0.25)
        simulated.state()
    assert simulated.form == ""
    assert simulated.said == []


def test_states_that_end_while_simulated_time_goes_on_are_missed(simulated: Simulated) -> None:
    simulated.state()
    simulated.reach(simulated.stamp + 60_000_000)
    simulated.wait_for_form("hold_gravity")
    assert "no joint state for 60 ms" in simulated.said[0]


def test_a_clock_that_stands_still_does_not_hide_a_driver_that_ended(simulated: Simulated) -> None:
    simulated.state()
    simulated.wait_for_form("hold_gravity")
    assert "simulated time may stand still" in simulated.said[0]
