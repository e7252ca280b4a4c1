"""What is done by hand with a controller and a simulated arm, where there is no command `ros2`.

    python examples/operate_controller.py activate gravity_compensation
    python examples/operate_controller.py bend simulator joint2=0.5 joint4=-1.2
    python examples/operate_controller.py push simulator forearm_link 30
    python examples/operate_controller.py follow computed_torque joint2=0.2 joint4=-1.6
    python examples/operate_controller.py carry simulator gripper_link 1.5
    python examples/operate_controller.py check robodyn_node
    python examples/operate_controller.py clear computed_torque
    python examples/operate_controller.py deactivate computed_torque

Each prints where the joints are afterwards. docs/controllers.md has the nodes that this needs.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable
from typing import Any

import rclpy
from lifecycle_msgs.msg import State, Transition
from lifecycle_msgs.srv import ChangeState, GetState
from rclpy.node import Node
from robodyn_interfaces.msg import ModelCheck
from robodyn_interfaces.srv import Push, SetPayload
from sensor_msgs.msg import JointState
from std_srvs.srv import Trigger
from trajectory_msgs.msg import JointTrajectory, JointTrajectoryPoint

PATIENCE = 60.0  # s: at its first start with a robot a controller compiles
LASTS = 3  # s of a trajectory
PUSHED = 0.3  # s
NEAR = 0.1  # rad or m: friction may hold a joint off by less


class Operator(Node):
    """Asks services, publishes commands, and listens to the joints."""

    def __init__(self) -> None:
        super().__init__("operator")
        self.state: JointState | None = None
        self.create_subscription(JointState, "joint_states", self._received, 10)

    def _received(self, message: JointState) -> None:
        self.state = message

    def wait(self, done: Callable[[], bool], what: str, seconds: float = PATIENCE) -> None:
        """Take messages until something is so."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                raise SystemExit(f"waited {seconds:g} s in vain for {what}")
            rclpy.spin_once(self, timeout_sec=0.05)

    def ask(self, kind: Any, name: str, request: Any) -> Any:
        """Return a service's answer."""
        client = self.create_client(kind, name)
        self.wait(client.service_is_ready, f"the service {name}")
        reply = client.call_async(request)
        self.wait(reply.done, f"an answer of {name}")
        return reply.result()

    def publish(self, message: Any, name: str) -> None:
        """Publish one message, as soon as somebody listens."""
        publisher = self.create_publisher(type(message), name, 10)
        self.wait(lambda: publisher.get_subscription_count() > 0, f"who listens to {name}")
        publisher.publish(message)
        publisher.wait_for_all_acked()

    def time(self) -> float:
        """Return the stamp of the newest joint state, s; it is the simulator's time."""
        stamp = self.state.header.stamp if self.state else None
        return stamp.sec + 1e-9 * stamp.nanosec if stamp else -math.inf

    def let_pass(self, seconds: float) -> None:
        """Wait until the arm's own time has gone on."""
        self.wait(lambda: self.state is not None, "joint states: is the simulator running?")
        end = self.time() + seconds
        self.wait(lambda: self.time() >= end, "the arm's time to go on")

    def positions(self) -> dict[str, float]:
        """Return where the joints are, by name."""
        state = self.state or JointState()
        return dict(zip(state.name, state.position, strict=True))

    def tell(self) -> None:
        """Print where the joints are, and how fast the fastest is."""
        self.let_pass(0.01)
        rows = self.positions().items()
        print(", ".join(f"{name} {position:.3f}" for name, position in rows), end="; ")
        print(f"the fastest moves with {max(map(abs, self.state.velocity)):.3f} rad/s or m/s")


def change(operator: Operator, controller: str, number: int) -> bool:
    """Ask for a transition of a lifecycle node; return whether it was made."""
    request = ChangeState.Request(transition=Transition(id=number))
    return bool(operator.ask(ChangeState, f"{controller}/change_state", request).success)


def state_of(operator: Operator, controller: str) -> int:
    """Return the state of a lifecycle node."""
    answer = operator.ask(GetState, f"{controller}/get_state", GetState.Request())
    return int(answer.current_state.id)


def activate(operator: Operator, controller: str) -> None:
    """Configure a controller and activate it, again and again until it can be."""
    if state_of(operator, controller) == State.PRIMARY_STATE_UNCONFIGURED:
        change(operator, controller, Transition.TRANSITION_CONFIGURE)
    end = time.monotonic() + PATIENCE
    while state_of(operator, controller) != State.PRIMARY_STATE_ACTIVE:
        if change(operator, controller, Transition.TRANSITION_ACTIVATE):
            break
        if time.monotonic() > end:
            raise SystemExit(f"{controller} refuses to be active: its terminal says why")
        time.sleep(1.0)
    operator.let_pass(1.5)  # its efforts come in over ramp_time


def deactivate(operator: Operator, controller: str) -> None:
    """Let a controller command nothing any more: the last efforts stay."""
    if state_of(operator, controller) == State.PRIMARY_STATE_ACTIVE:
        change(operator, controller, Transition.TRANSITION_DEACTIVATE)


def clear(operator: Operator, controller: str) -> None:
    """Let a controller go on after a fault."""
    answer = operator.ask(Trigger, f"{controller}/clear_faults", Trigger.Request())
    print(answer.message)


def bend(operator: Operator, simulator: str, *joints: str) -> None:
    """Have the simulator's servos take joints somewhere."""
    to = wanted(joints)
    message = JointState(name=[*to], position=[*to.values()])
    operator.publish(message, f"{simulator}/position_command")
    operator.let_pass(1.5)


def push(operator: Operator, simulator: str, link: str, force: str) -> None:
    """Push a link along its y axis, N."""
    request = Push.Request(duration=PUSHED)
    request.wrench.header.frame_id = link
    request.wrench.wrench.force.y = float(force)
    answer = operator.ask(Push, f"{simulator}/push", request)
    if not answer.success:
        raise SystemExit(answer.message)
    operator.let_pass(PUSHED + 3.0)


def follow(operator: Operator, controller: str, *joints: str) -> None:
    """Have a controller go along a trajectory, from where its reference is."""
    to = wanted(joints)
    point = JointTrajectoryPoint(positions=[*to.values()])
    point.time_from_start.sec = LASTS
    message = JointTrajectory(joint_names=[*to], points=[point])
    operator.publish(message, f"{controller}/joint_trajectory")
    operator.let_pass(LASTS + 1.0)
    reached = operator.positions()
    if off := [name for name in to if not abs(reached.get(name, math.inf) - to[name]) < NEAR]:
        print(f"not there: {', '.join(off)}; the terminal of {controller} says why")


def carry(operator: Operator, simulator: str, link: str, mass: str) -> None:
    """Have the simulated arm carry something, kg, that its controllers are not told of."""
    request = SetPayload.Request()
    request.payload.frame_id, request.payload.mass = link, float(mass)
    answer = operator.ask(SetPayload, f"{simulator}/set_payload", request)
    if not answer.success:
        raise SystemExit(answer.message)
    operator.let_pass(1.0)


def check(operator: Operator, dynamics: str) -> None:
    """Print what the node that compares model and arm finds."""
    heard: list[ModelCheck] = []
    operator.create_subscription(ModelCheck, f"{dynamics}/model_check", heard.append, 10)
    operator.wait(lambda: bool(heard), f"{dynamics}/model_check")
    print("\n".join(heard[-1].findings) or "model and arm agree")


def wanted(given: tuple[str, ...]) -> dict[str, float]:
    """Return positions by name, of arguments such as joint2=0.5."""
    try:
        return {name: float(number) for name, number in (text.split("=") for text in given)}
    except ValueError:
        wrong = " ".join(given)
        raise SystemExit(f"positions are given as joint2=0.5 joint4=-1.2, not {wrong!r}") from None


TASKS = {
    task.__name__: task for task in (activate, deactivate, clear, bend, push, follow, carry, check)
}
LEAST = {"push": 3, "carry": 3, "bend": 2, "follow": 2}
"""How many arguments each needs; the others one."""


def main() -> int:
    """Do what the arguments say."""
    task, *arguments = sys.argv[1:] or [""]
    if task not in TASKS or len(arguments) < LEAST.get(task, 1):
        print(__doc__)
        return 2
    rclpy.init()
    operator = Operator()
    try:
        TASKS[task](operator, *arguments)
        operator.tell()
    except KeyboardInterrupt:
        pass
    finally:
        operator.destroy_node()
        rclpy.try_shutdown()
    return 0


if __name__ == "__main__":
    sys.exit(main())
