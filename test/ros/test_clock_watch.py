"""What is found out about a node's clock while /clock does what simulators do."""

from __future__ import annotations

from rclpy.parameter import Parameter
from rosgraph_msgs.msg import Clock

from robodyn_ros.ros.clock_watch import ClockWatch
from ros_graph import Graph, time_message


def follow_simulated_time(graph: Graph) -> None:
    graph.node.set_parameters([Parameter("use_sim_time", value=True)])


def reach(graph: Graph, time: float) -> None:
    """Publish a time on /clock, again and again, until the node's clock has it."""
    publisher = graph.publisher(Clock, "/clock")
    wanted = time_message(time)
    clock = graph.node.get_clock()

    def reached() -> bool:
        publisher.publish(Clock(clock=wanted))
        return clock.now().to_msg() == wanted

    graph.wait(reached, f"time {time}")
    graph.node.destroy_publisher(publisher)


def test_time_of_the_system_is_not_simulated(graph: Graph) -> None:
    found = ClockWatch(graph.node).state(0.0)
    assert not found.simulated
    assert found.now > 10**18
    assert found.jumps == 0


def test_before_the_first_message_time_is_zero(graph: Graph) -> None:
    watch = ClockWatch(graph.node)
    follow_simulated_time(graph)
    found = watch.state(0.0)
    assert (found.simulated, found.topic, found.now) == (True, "/clock", 0)


def test_a_jump_back_is_told_with_its_place_and_length(graph: Graph) -> None:
    watch = ClockWatch(graph.node)
    follow_simulated_time(graph)
    for time in (50.0, 51.0, 1.5):
        reach(graph, time)
    found = watch.state(0.0)
    assert found.jumps == 1
    assert found.jumped_to == 1_500_000_000
    assert found.jumped_by == 49_500_000_000


def test_time_that_stands_is_timed_until_it_moves(graph: Graph) -> None:
    watch = ClockWatch(graph.node)
    follow_simulated_time(graph)
    reach(graph, 5.0)
    assert [watch.state(now).still for now in (100.0, 101.0, 103.5)] == [0.0, 1.0, 3.5]
    reach(graph, 5.25)
    found = watch.state(104.0)
    assert (found.now, found.still) == (5_250_000_000, 0.0)


def test_publishers_of_the_clock_are_counted(graph: Graph) -> None:
    publisher = graph.publisher(Clock, "/clock")
    watch = ClockWatch(graph.node)
    graph.wait(lambda: watch.state(0.0).publishers == 1, "a publisher of /clock")
    assert publisher.topic_name == watch.state(0.0).topic
