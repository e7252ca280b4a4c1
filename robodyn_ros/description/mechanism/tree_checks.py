"""Whether the joints of a mechanism file make a tree, and what holds each branch."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from robodyn_ros.description.mechanism.nodes import Place
from robodyn_ros.errors import quoted


@dataclass(frozen=True)
class Edge:
    """A joint of the tree; `place` is where the mechanism file describes it, if it does."""

    name: str
    parent: str
    child: str
    place: Place | None = None

    @property
    def label(self) -> str:
        """How a message names it."""
        where = f" ({self.place.where})" if self.place is not None and self.place.where else ""
        return f"{quoted(self.name)}{where}"


class Tree:
    """The joints of a file and of the URDF below it, by the body that they carry."""

    def __init__(self, edges: Sequence[Edge]) -> None:
        """Keep the joints.

        Raises:
            DescriptionError: a joint of the file closes a loop; its remedy is the section loops.
        """
        self._inboard: dict[str, Edge] = {}
        for edge in edges:
            other = self._inboard.setdefault(edge.child, edge)
            if other is not edge and edge.place is not None:
                raise edge.place.failure(
                    f"body {quoted(edge.child)} would have two parents: joint {other.label} carries"
                    " it already; a joint that closes a loop stands below loops:"
                )
        self._require_no_cycle()

    def _require_no_cycle(self) -> None:
        safe: set[str] = set()
        for start in self._inboard:
            path: dict[str, Edge] = {}
            body = start
            while body in self._inboard and body not in safe:
                if body in path:
                    self._refuse(list(path.values())[list(path).index(body) :])
                    break
                path[body] = self._inboard[body]
                body = path[body].parent
            safe.update(path)

    @staticmethod
    def _refuse(cycle: list[Edge]) -> None:
        """Raise for joints in a ring, unless all are the URDF's, whose builder tells."""
        last = next((edge for edge in reversed(cycle) if edge.place is not None), None)
        if last is None or last.place is None:
            return
        others = [edge.label for edge in cycle if edge is not last] or [last.label]
        raise last.place.failure(
            f"closes a loop with joint{'s' * (len(others) > 1)} {', '.join(others[:6])}; put the"
            " joint that closes it below loops:"
        )

    def outermost(self, body: str) -> str:
        """Return the body that a body's branch begins with."""
        passed = {body}
        while body in self._inboard and self._inboard[body].parent not in passed:
            body = self._inboard[body].parent
            passed.add(body)
        return body

    def require_held(
        self,
        bodies: Mapping[str, Place],
        root: str | None,
        held: Collection[str],
    ) -> None:
        """Raise for a branch that neither a joint nor a constraint holds, but the root's.

        Args:
            bodies: all bodies and where they are described.
            root: the body that shall be the root; the first that nothing carries by default.
            held: the bodies that loops and constraints hold on to.
        """
        loose = [name for name in bodies if name not in self._inboard]
        first = loose[0] if root not in bodies or root is None else self.outermost(root)
        bound = {self.outermost(name) for name in held}
        for name in loose:
            if name == first or name in bound:
                continue
            rest = (
                f"add a joint with child {quoted(name)}"
                if not bound
                else "add a joint that carries it, or a constraint that holds it"
            )
            raise bodies[name].failure(
                f"no joint carries it, nor {quoted(first)}, and a robot has one root; {rest}"
            )
