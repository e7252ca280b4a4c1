"""The features of one node, served together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from robodyn_ros.conditioning.complaints import Complaint
from robodyn_ros.conditioning.state_path import StatePath, Step
from robodyn_ros.errors import RobodynError
from robodyn_ros.ros.feature import Feature


class Features:
    """Features in the order in which they are served.

    Attributes:
        all: The features.
        prepares: What those do that have to get ready for messages.
        publishes: What those do that publish at the messages' rate.
    """

    def __init__(self, features: Sequence[Feature]) -> None:
        """Note which of them have something to do at a message's rate."""
        self.all = tuple(features)
        self.prepares: list[Callable[[StatePath, float], None]] = [
            x.prepare for x in features if type(x).prepare is not Feature.prepare
        ]
        self.publishes: list[Callable[[StatePath, Step, float], Iterable[Complaint]]] = [
            x.publish for x in features if type(x).publish is not Feature.publish
        ]

    def foresee(self, path: StatePath) -> StatePath:
        """Have all features make what takes long for a path; return it.

        Raises:
            RobodynError: it does not go together with the parameters.
        """
        for feature in self.all:
            feature.foresee(path)
        return path

    def adopt(self, path: StatePath, before: StatePath | None) -> None:
        """Have all features take a path, or none: those that did go back to the one `before`.

        Raises:
            RobodynError: it does not go together with the parameters.
        """
        done: list[Feature] = []
        try:
            for feature in self.all:
                feature.adopt(path)
                done.append(feature)
        except RobodynError:
            if before is not None:
                for feature in done:
                    feature.adopt(before)
            raise
