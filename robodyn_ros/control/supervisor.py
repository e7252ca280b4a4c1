"""Decides what is sent: the law's efforts, those of a safe form, or nothing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from robodyn_ros.control.commanded import Commanded
from robodyn_ros.control.effort_limits import EffortShaper
from robodyn_ros.control.faults import SEVERITY, Fault, FaultKind, SafeForm
from robodyn_ros.control.law import Law
from robodyn_ros.control.safe_law import SafeLaw
from robodyn_ros.control.state import RobotState
from robodyn_ros.errors import RobodynError
from robodyn_ros.robot import Robot

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


class Command(NamedTuple):
    """What is to be sent.

    Attributes:
        effort: (n,) of commanded joints, N m or N; always finite and within their limits.
        saturated: (n,) which were above their limits.
    """

    effort: Floats
    saturated: Flags


class Supervisor:
    """Keeps one controller of one robot: inactive, active, or in a safe form.

    All times are monotonic, s. One thread at a time.

    Attributes:
        is_active: Whether it commands at all.
        faults: Those since it was activated or cleared, by kind, in their order.
        form: What it does in the place of its law; None while the law is in force.
        untold: New faults, for whoever tells of them and takes them out.
    """

    def __init__(
        self,
        robot: Robot,
        law: Law,
        commanded: Commanded,
        shaper: EffortShaper,
        safe: SafeLaw,
        forms: Mapping[FaultKind, SafeForm],
        *,
        driver_compensates_gravity: bool,
    ) -> None:
        """Take its parts.

        Args:
            robot: The robot.
            law: The law in force while nothing is wrong.
            commanded: What is commanded.
            shaper: Bounds of what is sent.
            safe: The law of safe forms.
            forms: Which form each kind of fault asks for.
            driver_compensates_gravity: Whether the hardware adds the weight by itself: it is left
                out of all commands then.
        """
        self._robot, self.law, self.commanded = robot, law, commanded
        self.shaper, self._safe, self._forms = shaper, safe, forms
        self.compensated = driver_compensates_gravity
        self.untold: deque[Fault] = deque()
        self.is_active = False
        self.faults: dict[FaultKind, Fault] = {}
        self.form: SafeForm | None = None
        self._state: RobotState | None = None
        self._residual: Floats | None = None

    @property
    def lost(self) -> float:
        """Share of the payloads that is lost, as far as is known: see `SafeLaw`."""
        return self._safe.lost if self.is_active and self.form is not None else 0.0

    def activate(self, now: float, state: RobotState, start: Floats | None) -> None:
        """Begin to command, from efforts (n,) on, or from none.

        Args:
            now: s.
            state: Where the robot is.
            start: (n,) N m or N.
        """
        self.faults, self.form = {}, None
        self._state = state
        self.law.begin(state)
        zero = np.zeros(len(self.commanded.names))
        self.shaper.begin(now, zero if start is None else start)
        self.is_active = True

    def deactivate(self) -> None:
        """Command nothing any more."""
        self.is_active = False
        self.faults, self.form = {}, None

    def take_over(self, now: float, last: Floats, fault: Fault) -> None:
        """Go on from another supervisor whose robot was replaced, in a safe form.

        Args:
            now: s.
            last: (n,) what the other one sent last.
            fault: Why.
        """
        self.shaper.begin(now, last)
        self.shaper.finish_ramp()
        self.is_active, self._state = True, None
        self.fail(fault)

    def see(self, state: RobotState) -> None:
        """Take where the robot is: faults that are found by this state hold it there."""
        if self._state is None:
            self._safe.begin(state)
        self._state = state

    def fail(self, fault: Fault) -> bool:
        """Take a fault; return whether it is a new one. It stands until it is cleared."""
        if not self.is_active or fault.kind in self.faults:
            return False
        self.faults[fault.kind] = fault
        self.untold.append(fault)
        form = self._forms[fault.kind]
        if self.form is None or SEVERITY[form] > SEVERITY[self.form]:
            if self.form is None and self._state is not None:
                self._safe.begin(self._state)
            self.form = form
        return True

    def clear(self, now: float, state: RobotState) -> None:
        """Return to the law, from what is sent now on; its reference stands where the robot is."""
        if self.is_active:
            self.activate(now, state, self.shaper.last)

    def command(
        self, now: float, state: RobotState | None, residual: Floats | None = None
    ) -> Command | None:
        """Return what is to be sent; None for nothing.

        Args:
            now: s.
            state: The state that came; None where none came, and something is to be sent though.
            residual: (n,) efforts that the model does not explain at that state, N m or N.
        """
        if not self.is_active:
            return None
        if state is not None:
            self.see(state)
        if self.form is None and state is None:
            return None
        self._residual = residual
        wanted = self._wanted(state)
        if wanted is None or self.form is SafeForm.STOP:
            return None
        shaped = self.shaper.shape(now, wanted)
        return Command(shaped.effort, shaped.saturated)

    def _wanted(self, state: RobotState | None) -> Floats | None:
        """Return finite efforts (n,); None where there is nothing to be sent."""
        if self.form is None and state is not None:
            wanted, why = self._by_law(state)
            if wanted is not None:
                return wanted
            text = f"the control law gave no finite efforts{why}: see the model and the gains"
            self.fail(Fault(FaultKind.NOT_FINITE, text))
        last = self._state
        form = self.form or SafeForm.HOLD_GRAVITY
        if last is not None:
            wanted, why = self._by_safe_law(last, form, fresh=state is not None)
            if wanted is not None:
                return wanted
            text = f"the safe form gave no finite efforts{why}: what was sent last is repeated"
            self.fail(Fault(FaultKind.NOT_FINITE, text))
        # Nothing better is known than what was sent last, which was finite.
        return self.shaper.last

    def _by_law(self, state: RobotState) -> tuple[Floats | None, str]:
        """Return finite efforts (n,), or None and why there are none, if that is known."""
        return self._guarded(lambda: self.law.effort(state), state)

    def _by_safe_law(
        self, state: RobotState, form: SafeForm, *, fresh: bool
    ) -> tuple[Floats | None, str]:
        residual = self._residual if FaultKind.RESIDUAL in self.faults else None
        effort = partial(self._safe.effort, state, form, fresh=fresh, residual=residual)
        return self._guarded(effort, state)

    def _guarded(
        self, effort: Callable[[], Floats], state: RobotState
    ) -> tuple[Floats | None, str]:
        try:
            return self._of(effort(), state), ""
        except (ArithmeticError, ValueError, RobodynError) as error:  # LinAlgError is a ValueError
            return None, f" ({error})"

    def _of(self, effort: Floats, state: RobotState) -> Floats | None:
        """Return the entries of efforts (nv,) that are sent; None if any is not finite."""
        if self.compensated:
            effort = effort - self._robot.gravity_force(state.q)
        chosen: Floats = effort[self.commanded.column]
        return chosen if np.isfinite(chosen).all() else None
