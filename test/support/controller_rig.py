"""A controller node of its own process, with hardware that it commands over DDS."""

from __future__ import annotations

from typing import Any

from diagnostic_msgs.msg import DiagnosticArray
from lifecycle_msgs.msg import Transition
from lifecycle_msgs.srv import ChangeState, GetState
from std_srvs.srv import Trigger

from node_process import NodeProcess
from ros_graph import Graph


class ControllerRig:
    """Starts a controller, takes it through its lifecycle and reads what it reports."""

    def __init__(
        self, graph: Graph, name: str, parameters: dict[str, Any], *more: str, node: str = ""
    ) -> None:
        """Start the executable `name` with ROS arguments; `node` is its full name, if another."""
        self.graph, self.name = graph, node or name
        self.reports = graph.listen(DiagnosticArray, "/diagnostics")
        self.process: NodeProcess = graph.start(name, parameters, *more)

    def transition(self, number: int) -> bool:
        """Ask for a transition; return whether it was made."""
        request = ChangeState.Request(transition=Transition(id=number))
        return bool(self.graph.call(ChangeState, f"{self.name}/change_state", request).success)

    def configure(self) -> bool:
        """Configure."""
        return self.transition(Transition.TRANSITION_CONFIGURE)

    def activate(self) -> bool:
        """Activate, once."""
        return self.transition(Transition.TRANSITION_ACTIVATE)

    def deactivate(self) -> bool:
        """Deactivate."""
        return self.transition(Transition.TRANSITION_DEACTIVATE)

    def start(self) -> None:
        """Configure and activate, as soon as nothing refuses it."""
        assert self.configure()
        self.graph.wait(self.activate, f"{self.name} to be activated")

    def clear(self) -> tuple[bool, str]:
        """Clear its faults."""
        reply = self.graph.call(Trigger, f"{self.name}/clear_faults", Trigger.Request())
        return reply.success, reply.message

    @property
    def state(self) -> str:
        """The label of its lifecycle's state."""
        reply = self.graph.call(GetState, f"{self.name}/get_state", GetState.Request())
        return str(reply.current_state.label)

    def report(self) -> Any:
        """Return its own next report."""
        name = f"{self.name}: controller"
        self.reports.clear()

        def found() -> list[Any]:
            return [x for array in self.reports for x in array.status if x.name == name]

        self.graph.wait(found, f"the report {name!r}")
        return found()[-1]

    def said(self, text: str) -> None:
        """Wait until it logs a text."""
        self.process.wait_for(text)
