"""A controller node: a lifecycle node that is never active by itself."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from rclpy.lifecycle import LifecycleNodeMixin, LifecycleState, TransitionCallbackReturn
from rclpy.timer import Timer
from std_srvs.srv import Trigger

from robodyn_ros.errors import quoted
from robodyn_ros.ros import qos
from robodyn_ros.ros.controllers.control_reports import control_report
from robodyn_ros.ros.controllers.controller import Controller
from robodyn_ros.ros.controllers.laws import MakeLaw
from robodyn_ros.ros.controllers.order_check import OrderCheck
from robodyn_ros.ros.controllers.parameters import FORWARD
from robodyn_ros.ros.controllers.references import References
from robodyn_ros.ros.controllers.thread_priority import leave, prefer
from robodyn_ros.ros.feature import Feature
from robodyn_ros.ros.followed_environment import FollowedEnvironment
from robodyn_ros.ros.parameter_specs import Spec
from robodyn_ros.ros.reports import Report
from robodyn_ros.ros.state_node import StateNode

_ASK_PERIOD = 1.0
_DONE, _REFUSED = TransitionCallbackReturn.SUCCESS, TransitionCallbackReturn.FAILURE


class ControllerNode(LifecycleNodeMixin, StateNode):  # type: ignore[misc]
    """Sends efforts for every joint state while it is active; see docs/controllers.md.

    Unconfigured and inactive it sends nothing at all.
    """

    def __init__(
        self, name: str, parameters: Sequence[Spec], make: MakeLaw, *, referenced: bool = True
    ) -> None:
        """Make it.

        Args:
            name: Of the node.
            parameters: Its parameters.
            make: Makes its law.
            referenced: Whether its law follows a reference: poses where the parameter `space` says
                cartesian, else trajectories.

        Raises:
            RobodynError: a parameter or description that cannot be used.
        """
        StateNode.__init__(self, name, parameters)
        LifecycleNodeMixin.__init__(self)
        environment = FollowedEnvironment(self)
        self.controller = Controller(self, environment, make)
        features: list[Feature] = [environment, self.controller, _Reporting(self)]
        if referenced:
            poses = "space" in self.config and self.config.text("space") == "cartesian"
            features.append(References(self, self.controller, poses=poses))
        self._order = self._order_check()
        self._asking: Timer | None = None
        self.create_service(Trigger, "~/clear_faults", self._clear_faults, qos_profile=qos.SERVICES)
        self.follow(*features)
        if self._order is not None:
            self._asking = self.create_timer(_ASK_PERIOD, self._order.ask)
        self.controller.start()

    def _order_check(self) -> OrderCheck | None:
        config = self.config
        if config.text("check_order") == "never" or config.text("command_interface") != FORWARD:
            return None
        receiver = (
            config.text("command_controller") or self.controller.output.topic.rpartition("/")[0]
        )
        return OrderCheck(self, receiver) if receiver else None

    def destroy_node(self) -> None:
        """Stop commanding, then end the node."""
        self.controller.stop()
        super().destroy_node()

    def on_configure(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Be ready to be activated: parameters and description were checked at the start."""
        self.get_logger().info("configured: nothing is commanded until it is activated")
        return _DONE

    def on_activate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Begin to command, or say why not."""
        with self.lock:
            wrong = next(self._refusals(), "")
            if not wrong:
                self.controller.activate()
        if wrong:
            self.get_logger().error(f"not activated: {wrong}")
            return _REFUSED
        self.get_logger().info("active: efforts are commanded")
        self._hurry()
        return _DONE

    def _hurry(self) -> None:
        """Take the priority that was asked for; all threads are there by now."""
        priority = int(self.config.number("thread_priority"))
        if priority and (problem := prefer(priority)):
            self.get_logger().warning(problem)

    def _refusals(self) -> Iterator[str]:
        yield from self.controller.refusals(time.monotonic())
        made, order = self.controller.assembly, self._order
        if order is None or made is None:
            return
        if problem := order.problem(made.commanded.names):
            yield problem
        if self.config.text("check_order") == "required" and not order.is_known:
            yield (
                f"{quoted(order.controller)} has not said which joints it takes: start it, set"
                " command_controller, or set check_order to if_known"
            )

    def on_deactivate(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Command nothing any more."""
        self._end_commands()
        self.get_logger().info("inactive: nothing is commanded; the last effort may still hold")
        return _DONE

    def on_cleanup(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Go back to being unconfigured."""
        return _DONE

    def on_shutdown(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Command nothing any more."""
        self._end_commands()
        return _DONE

    def on_error(self, state: LifecycleState) -> TransitionCallbackReturn:
        """Command nothing any more, and be unconfigured."""
        self._end_commands()
        self.get_logger().error("a transition failed: nothing is commanded, it is unconfigured")
        return _DONE

    def _LifecycleNodeMixin__change_state(self, number: int) -> TransitionCallbackReturn:
        """Make a transition, or say that there is none: rclpy raises then, and answers nobody."""
        machine = self._state_machine
        possible = {known: label for known, label, *_ in machine.available_transitions}
        if number in possible:
            return super()._LifecycleNodeMixin__change_state(number)  # type: ignore[misc]
        listed = ", ".join(f"{label} ({known})" for known, label in possible.items())
        self.get_logger().error(
            f"there is no transition {number} from {quoted(machine.current_state[1])}: possible"
            f" are {listed or 'none'}"
        )
        return _REFUSED

    def _end_commands(self) -> None:
        with self.lock:
            self.controller.deactivate()
        if self.config.number("thread_priority"):
            leave()

    def _clear_faults(
        self, request: Trigger.Request, response: Trigger.Response
    ) -> Trigger.Response:
        with self.lock:
            wrong = self.controller.clear(time.monotonic())
        response.success = not wrong
        response.message = wrong or "the law is in force again, from where the robot is"
        return response

    def control_reports(self) -> Iterator[Report]:
        """Report on the controller."""
        _, label = self._state_machine.current_state
        with self.lock:
            wrong = tuple(self._refusals()) if label == "inactive" else ()
            yield control_report(label, self.controller, wrong)


class _Reporting(Feature):
    """The node's own reports."""

    def __init__(self, node: ControllerNode) -> None:
        self._node = node

    def reports(self, now: float) -> Iterator[Report]:
        """Report on the controller."""
        return self._node.control_reports()
