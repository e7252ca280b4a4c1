"""Moving a node without viser's comparison of old and new numbers, which costs ten times as much.

The setters of viser's handles look with `numpy.allclose` whether anything changed; whoever calls
this knows. What they do besides, for the handle and for the browsers, is done here as they do it.
Where a release of viser is made differently, its setters are used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

Setter = Callable[[NDArray[Any]], None]
"""Takes a position (3,) in m or an orientation (4,), wxyz."""


def pose_setters(node: Any) -> tuple[Setter, Setter]:
    """Return what sets the position of a node of viser's, and what its orientation."""
    try:
        from viser import _messages

        state, name = node._impl, node.name
        queue: Callable[[Any], None] = state.api._queue_scene_message
        to_position, to_orientation = _messages.SetPositionMessage, _messages.SetOrientationMessage
        # That they take what is given them is tried, and moves nothing.
        to_position(name, tuple(state.position.tolist()))
        to_orientation(name, tuple(state.wxyz.tolist()))
    except (ImportError, AttributeError, TypeError):
        return _public_setters(node)

    def set_position(position: NDArray[Any]) -> None:
        state.position[:] = position
        queue(to_position(name, tuple(position.tolist())))

    def set_orientation(orientation: NDArray[Any]) -> None:
        state.wxyz[:] = orientation
        queue(to_orientation(name, tuple(orientation.tolist())))

    return set_position, set_orientation


def _public_setters(node: Any) -> tuple[Setter, Setter]:
    def set_position(position: NDArray[Any]) -> None:
        node.position = position

    def set_orientation(orientation: NDArray[Any]) -> None:
        node.wxyz = orientation

    return set_position, set_orientation
