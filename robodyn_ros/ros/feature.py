"""What a node that follows a robot's state is composed of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.ros.graph_watch import Endpoint
from robodyn_ros.ros.reports import Report


class Ends(NamedTuple):
    """What is subscribed to, and what is published, for a look at the other ends."""

    inward: Sequence[Endpoint] = ()
    outward: Sequence[Endpoint] = ()


class Feature:
    """A part of a `StateNode`; each does what it has to at these moments, by default nothing."""

    @property
    def ends(self) -> Ends:
        """Its topics."""
        return Ends()

    def foresee(self, path: StatePath) -> None:
        """Make what takes long for another description, before `adopt`; without the lock.

        Raises:
            RobodynError: it does not go together with the parameters; nothing is changed then.
        """

    def adopt(self, path: StatePath) -> None:
        """Begin with another description; called with the lock held.

        Raises:
            RobodynError: it does not go together with the parameters; nothing is changed then.
        """

    def adopted(self, path: StatePath) -> None:
        """Do the rest of that, once the whole node has taken it; without the lock."""

    @property
    def is_compiling(self) -> bool:
        """Whether kernels are being compiled for it; called with the lock held."""
        return False

    def prepare(self, path: StatePath, now: float) -> None:
        """Get ready for messages that are about to be merged; called with the lock held.

        Args:
            path: The state path.
            now: Monotonic time, s.
        """

    def publish(self, path: StatePath, step: Step, now: float) -> Iterable[Complaint]:
        """Publish what a step asks for; called with the lock held.

        Args:
            path: The state path that took the step.
            step: What is to be published.
            now: Monotonic time, s.

        Returns:
            What could not be.
        """
        return ()

    def reports(self, now: float) -> Iterable[Report]:
        """Return what there is to report of it; `now` is monotonic, s."""
        return ()

    def parameters_changed(self, names: set[str]) -> None:
        """Take new values of parameters, by name; all of the node's."""
