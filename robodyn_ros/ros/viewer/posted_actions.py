"""What people ask for on the page, handed over to the executor's thread."""

from __future__ import annotations

import math
import threading

from robodyn_ros.ros.viewer.handover import Handover
from robodyn_ros.ros.viewer.robot_commands import RobotCommands
from robodyn_ros.viewer.panel_actions import Vector, WantedPayload, WantedPush


class PostedActions:
    """The `Actions` of a panel: each returns at once, and is done by and by."""

    def __init__(self, commands: RobotCommands, handover: Handover) -> None:
        """Begin.

        Args:
            commands: Does it, in the executor's thread.
            handover: Leads there.
        """
        self._commands = commands
        self._post = handover.post
        self._moves: dict[str, float] = {}
        self._lock = threading.Lock()

    def move(self, name: str, position: float) -> None:
        """Send a coordinate to a position, rad or m; of many calls the last counts."""
        if not math.isfinite(position):
            return
        with self._lock:
            is_first = not self._moves
            self._moves[name] = position
        if is_first:
            self._post(self._send_moves)

    def release(self) -> None:
        """End all commands."""
        self._post(self._commands.release)

    def reset(self) -> None:
        """Put the simulation back to its beginning."""
        self._post(self._commands.reset)

    def pause(self, paused: bool) -> None:
        """Stop simulated time, or let it go on."""
        self._post(lambda: self._commands.pause(paused))

    def step(self, steps: int) -> None:
        """Take some steps of a simulation that is paused."""
        self._post(lambda: self._commands.step(steps))

    def set_speed(self, factor: float) -> None:
        """Let simulated time pass at so many times the speed of real time; 0 for any."""
        self._post(lambda: self._commands.set_speed(factor))

    def set_gravity(self, gravity: Vector) -> None:
        """Set gravity, world axes, m/s^2."""
        self._post(lambda: self._commands.set_gravity(gravity))

    def attach(self, payload: WantedPayload, simulated: bool) -> None:
        """Attach a payload; where `simulated`, the simulation carries it too."""
        self._post(lambda: self._commands.attach(payload, simulated))

    def remove(self, frame: str, simulated: bool) -> None:
        """Remove the payload of a frame."""
        self._post(lambda: self._commands.remove(frame, simulated))

    def push(self, push: WantedPush) -> None:
        """Push a simulated robot."""
        self._post(lambda: self._commands.push(push))

    def _send_moves(self) -> None:
        with self._lock:
            moves, self._moves = self._moves, {}
        self._commands.move(moves)
