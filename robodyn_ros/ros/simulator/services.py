"""The services of the simulator: time, state, pushes, payloads."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rclpy.node import Node
from robodyn_interfaces.srv import Push, SetPayload, SetSimulatorState, StepSimulation
from std_srvs.srv import SetBool, Trigger

from robodyn_ros.conditioning.complaints import counted
from robodyn_ros.conditioning.tracking import LIMIT
from robodyn_ros.errors import ArgumentError
from robodyn_ros.ros.conversions import set_time
from robodyn_ros.ros.services import payload
from robodyn_ros.ros.services.answering import Answering
from robodyn_ros.ros.services.closed_states import rates_completed
from robodyn_ros.ros.services.states import REST_LIVE, rates_of, state_of
from robodyn_ros.ros.services.subject import Subjects
from robodyn_ros.ros.services.wrenches import wrench_of
from robodyn_ros.ros.simulator.host import SimulatedHost
from robodyn_ros.ros.simulator.loop import Loop

Floats = NDArray[np.float64]

MOST_STEPS = 1_000_000
STEPPING = 10.0
"""Seconds of wall time that one request for steps may take: other callbacks wait for it."""
LONGEST_PUSH = 86400.0


class SimulatorServices:
    """Does what requests ask of the world, one at a time, in the node's executor."""

    def __init__(
        self,
        node: Node,
        loop: Loop,
        host: SimulatedHost,
        *,
        prefix: str,
        resets_clock: Callable[[], bool],
        changed: Callable[[], None],
    ) -> None:
        """Make the services.

        Args:
            node: The node.
            loop: What keeps the world and lets time go on.
            host: The world as the host of services.
            prefix: What frame names may begin with.
            resets_clock: Returns whether a reset sets time back too.
            changed: Called after what the status tells of has changed.
        """
        self._loop, self._host = loop, host
        self._resets_clock, self._changed = resets_clock, changed
        self._subjects = Subjects(host, prefix=prefix)
        self._answering = Answering(
            node,
            [
                ("reset", Trigger, self._reset),
                ("pause", SetBool, self._pause),
                ("step", StepSimulation, self._step),
                ("set_state", SetSimulatorState, self._set_state),
                ("push", Push, self._push),
                ("set_payload", SetPayload, self._set_payload),
                ("release", Trigger, self._release),
            ],
        )
        self.report = self._answering.report

    def _reset(self, request: Any, reply: Any) -> None:
        world = self._host.world
        with self._loop.turn:
            world.reset(clock=self._resets_clock())
            self._loop.pace.behind = 0.0
            self._loop.begin()
        self._changed()

    def _pause(self, request: Any, reply: Any) -> None:
        world = self._host.world
        with self._loop.turn:
            if world.failure and not request.data:
                raise ArgumentError(f"{world.failure}; call ~/reset or ~/set_state first")
            self._loop.paused = bool(request.data)
            self._loop.begin()
        self._changed()

    def _step(self, request: Any, reply: Any) -> None:
        steps = int(request.steps)
        if not 1 <= steps <= MOST_STEPS:
            raise ArgumentError(f"steps is {steps}; give 1 to {MOST_STEPS}")
        world = self._host.world
        taken = self._loop.step(steps, STEPPING)
        self._changed()
        if taken < steps:
            raise ArgumentError(
                f"{counted(taken, 'step')} of {steps} took {STEPPING:g} s, no more were taken; ask"
                " for fewer at once"
            )
        set_time(reply.time, world.clock.stamp)

    def _set_state(self, request: Any, reply: Any) -> None:
        q, v = self._state(request)
        world = self._host.world
        with self._loop.turn:
            world.set_state(q, v)
            self._loop.begin()
        self._changed()

    def _state(self, request: Any) -> tuple[Floats, Floats]:
        """Return the state that a request asks for: what is not named stays as it is."""
        subject = self._subjects.now()
        if len(request.position) or not len(subject.known.coordinates.plan(request.names).names):
            names, position, velocity = request.names, request.position, request.velocity
            asked = SimpleNamespace(
                names=names, position=position, velocity=velocity, rest=REST_LIVE
            )
            state = state_of(subject, asked)
            return state.q, state.v
        plan = subject.known.coordinates.plan(request.names)
        velocity = rates_of("velocity", request.velocity, plan, LIMIT)
        live = self._host.live()
        v = plan.rates(np.zeros(len(plan.names)) if velocity is None else velocity, live.v)
        model = subject.known.model
        if model.is_closed:
            v, _ = rates_completed(model, live.q, v, subject.known.no_rates)
        return live.q, v

    def _push(self, request: Any, reply: Any) -> None:
        duration = float(request.duration)
        if not 0.0 < duration <= LONGEST_PUSH:
            raise ArgumentError(
                f"duration is {duration:g}; give seconds above 0, at most {LONGEST_PUSH:g}"
            )
        known = self._subjects.now().known
        frame, wrench = wrench_of(known, request.wrench, "wrench")
        world = self._host.world
        with self._loop.turn:
            world.push(frame, wrench, duration)

    def _set_payload(self, request: Any, reply: Any) -> None:
        payload.fill(self._subjects.now(), request, reply)

    def _release(self, request: Any, reply: Any) -> None:
        world = self._host.world
        with self._loop.turn:
            world.release()
        self._changed()
