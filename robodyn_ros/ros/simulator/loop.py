"""The thread that lets simulated time go on at its pace."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from robodyn_ros.conditioning.complaints import Complaint, Severity
from robodyn_ros.errors import ArgumentError, SimulationError
from robodyn_ros.ros.simulator.pace import Pace
from robodyn_ros.ros.simulator.turnstile import Turnstile
from robodyn_ros.ros.simulator.world import World
from robodyn_ros.ros.speaker import Speaker

PAUSED_PERIOD = 0.5
"""Seconds between two publications of a state that stands still, for those who come late."""
HOLD = 0.02
"""Seconds for which steps may keep callbacks waiting, unless a single one takes longer."""
REST = 1.0
"""Of the time so many times as long as a slow step took is left to callbacks."""
_SLOW = 0.05
_FAILURE_PAUSE = 0.05
_SMOOTHING = 0.1


class Loop(threading.Thread):
    """Advances the world, and has its state published; on a steady clock.

    Attributes:
        turn: The lock of the world, shared with the callbacks.
        world: What is simulated; None before there is a description.
        pace: How far time ought to be.
        paused: Whether it is asked to stand still.
    """

    def __init__(
        self, pace: Pace, publish: Callable[[World], None], speaker: Speaker, *, paused: bool
    ) -> None:
        """Prepare; `publish` is called with the lock held."""
        super().__init__(name="simulation", daemon=True)
        self.turn = Turnstile()
        self.world: World | None = None
        self.pace = pace
        self.paused = paused
        self._publish = publish
        self._speaker = speaker
        self._woken = threading.Event()
        self._stopping = False
        self._cost = 0.0
        self._shown = -1.0

    @property
    def stands(self) -> bool:
        """Whether time stands still: paused, or the motion cannot go on."""
        return self.paused or self.world is None or bool(self.world.failure)

    def stop(self) -> None:
        """End the thread."""
        self._stopping = True
        self._woken.set()
        if self.is_alive():
            self.join()

    def begin(self) -> None:
        """Let time run from now on, or show what changed; called with the lock held."""
        self.pace.begin(time.monotonic())
        self._shown = -1.0
        self._woken.set()

    def run(self) -> None:
        """Take steps as they are due, until `stop`."""
        while not self._stopping:
            try:
                wait = self._turn()
            except SimulationError as error:
                text = f"the simulation stands still: {error}; call ~/reset or ~/set_state"
                self._speaker.say([Complaint(Severity.ERROR, "failures", text, once=False)])
                wait = 0.0
            except Exception as error:  # noqa: BLE001 - whoever's fault it is, the thread lives on
                kind = type(error).__name__
                text = f"a turn of the simulation failed: {kind}: {error}"
                self._speaker.say([Complaint(Severity.ERROR, "failures", text, kind, once=False)])
                wait = _FAILURE_PAUSE
            if wait > 0.0:
                self._woken.wait(wait)
                self._woken.clear()

    def step(self, steps: int, limit: float) -> int:
        """Take steps of a world that stands still; return how many were taken within `limit` s.

        Raises:
            ArgumentError: time goes on, or there is nothing to simulate.
            SimulationError: the motion cannot go on.
        """
        taken, end = 0, time.monotonic() + limit
        while taken < steps and not self._stopping:
            with self.turn:
                world = self._standing()
                taken += self._advance(world, steps - taken)
            if time.monotonic() > end:
                break
        with self.turn:
            if self.world is not None and not self.world.clock.is_publication:
                self._publish(self.world)
        return taken

    def _standing(self) -> World:
        if self.world is None:
            raise ArgumentError("there is no robot yet")
        if self.world.failure:
            raise ArgumentError(f"{self.world.failure}; call ~/reset or ~/set_state first")
        if not self.paused:
            raise ArgumentError("simulated time goes on by itself; call ~/pause first")
        return self.world

    def _turn(self) -> float:
        """Do what is due; return the time until the next turn, s."""
        with self.turn:
            world, now = self.world, time.monotonic()
            if world is None:
                return PAUSED_PERIOD
            if self.stands:
                if now >= self._shown + PAUSED_PERIOD:
                    self._shown = now
                    world.prepare()
                    self._publish(world)
                return self._shown + PAUSED_PERIOD - now
            most = self._most(world)
            due = self.pace.due(now, most)
            if not due:
                return self.pace.until(most, now)
            self.pace.took(self._advance(world, due), time.monotonic())
            worked = time.monotonic() - now
            wait = self.pace.until(self._most(world), time.monotonic())
        # Plain functions hold the lock and the interpreter: services would wait for seconds.
        return max(wait, REST * worked) if worked > _SLOW else wait

    def _advance(self, world: World, steps: int) -> int:
        """Take at most so many steps, up to the next publication; return how many."""
        begun = time.monotonic()
        taken = world.advance(min(steps, self._most(world)))
        self._cost += _SMOOTHING * ((time.monotonic() - begun) / taken - self._cost)
        if world.clock.is_publication:
            self._publish(world)
        return taken

    def _most(self, world: World) -> int:
        """Return how many steps may be taken at once."""
        affordable = int(HOLD / self._cost) if self._cost > 0.0 else 1
        until = [world.clock.until_publication, max(1, affordable)]
        if world.until_change is not None:
            until.append(world.until_change)
        return min(until)
