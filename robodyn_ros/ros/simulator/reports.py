"""What the simulator tells of itself: in its status, in the log's words, and in diagnostics."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from robodyn_interfaces.msg import SimulatorStatus

from robodyn_ros.conditioning.complaints import counted, one_line
from robodyn_ros.ros.conversions import set_time
from robodyn_ros.ros.rates import Traffic
from robodyn_ros.ros.reports import Level, Report, listed
from robodyn_ros.ros.simulator.pace import Pace
from robodyn_ros.ros.simulator.world import World

SHORT_OF = 0.95
"""Share of the real-time factor asked for that is no trouble."""
_RECENT = 10
"""Looks over which time that is given up is trouble."""
_LONGEST = 200


@dataclass(frozen=True, slots=True)
class Condition:
    """How the simulation does at one moment.

    Attributes:
        paused: Whether it is asked to stand still.
        factor: Real-time factor asked for, 0 for as fast as possible.
        measured: Real-time factor of the last second.
        behind: Simulated time given up so far, s.
        lost: Simulated time given up since the last look, s.
        step: Length of a step, s.
        kernels: "compiled", "compiling" or "plain"; or the name of another engine than ours.
        failure: Why the motion cannot go on; "" where it can.
    """

    paused: bool
    factor: float
    measured: float
    behind: float
    lost: float
    step: float
    kernels: str
    failure: str

    @property
    def _or_quicker(self) -> str:
        ours = self.kernels in ("compiled", "plain")
        return " or integrator semi_implicit_euler" if ours else ""

    @property
    def trouble(self) -> tuple[Level, str]:
        """How bad it is, and what keeps it from moving as asked, with the remedy or ""."""
        if self.failure:
            return Level.ERROR, f"it stands still: {self.failure}; call ~/reset or ~/set_state"
        if self.kernels == "compiling":
            text = "kernels are still being compiled; until they are ready it is slow"
            return Level.WARN, text
        if self.paused or self.factor == 0.0:
            return Level.OK, ""
        if self.lost > 0.0 and self.measured < SHORT_OF * self.factor:
            lower = _two_digits(self.measured) if self.measured > 0.01 else 0.01
            text = (
                f"it runs at {self.measured:.3g} of real time in place of {self.factor:g}, now"
                f" {self.behind:.3g} s behind: leave it more of the processor, set"
                f" real_time_factor to {lower:g} or less, publish at a lower rate, or take a longer"
                f" step than {self.step:g} s{self._or_quicker}"
            )
            if self.kernels == "plain":
                text += "; it has no kernels, which need CasADi and llvmlite"
            return Level.WARN, text
        return Level.OK, ""


@dataclass
class StatusLook:
    """Looks at a world, and remembers how far it was behind."""

    _behind: float = 0.0
    _readings: list[float] = field(default_factory=list)

    def condition(self, world: World, pace: Pace, now: float, *, paused: bool) -> Condition:
        """Return how it does; called with the lock held, `now` is monotonic, s."""
        lost, self._behind = max(0.0, pace.behind - self._behind), pace.behind
        self._readings = [*self._readings, lost][-_RECENT:]
        return Condition(
            paused=paused,
            factor=pace.factor,
            measured=0.0 if paused or world.failure else pace.measured(now),
            behind=pace.behind,
            lost=sum(self._readings),
            step=world.clock.step,
            kernels=world.engines.state,
            failure=world.failure,
        )


def status_message(world: World, condition: Condition) -> SimulatorStatus:
    """Return the status; called with the lock held."""
    simulator = world.engines.active
    lower, upper = simulator.command_limits
    energy = simulator.energy
    message = SimulatorStatus(
        paused=condition.paused or bool(condition.failure),
        step=condition.step,
        target_real_time_factor=condition.factor,
        real_time_factor=condition.measured,
        behind=condition.behind,
        names=list(world.names),
        lower=lower.tolist(),
        upper=upper.tolist(),
        mode=simulator.modes[world.columns].tolist(),
        command=simulator.commands[world.columns].tolist(),
        kinetic_energy=_finite(float(energy.kinetic)),
        potential_energy=_finite(float(energy.potential)),
        trouble=one_line(condition.trouble[1]),
    )
    set_time(message.header.stamp, world.clock.stamp)
    return message


def simulation_report(world: World, condition: Condition) -> Report:
    """Report on time and state; called with the lock held."""
    level, trouble = condition.trouble
    state = "paused" if condition.paused else f"{condition.measured:.3g} of real time"
    modes = [*map(int, world.engines.active.modes[world.columns])]
    values = {
        "simulated time": f"{world.clock.stamp * 1e-9:.3f} s",
        "step": f"{condition.step:g} s",
        "real-time factor": f"{condition.measured:.3f}",
        "real-time factor asked for": f"{condition.factor:g}" if condition.factor else "any",
        "behind": f"{condition.behind:.3f} s",
        "kernels": condition.kernels,
        **{
            f"coordinates with {what}": str(modes.count(mode))
            for mode, what in enumerate(("no command", "effort", "velocity", "position"))
        },
        "wrenches": str(len(world.wrenches)),
    }
    return Report("simulation", level, trouble or state, values=values)


def commands_report(traffic: Traffic, received: int, now: float) -> Report:
    """Report on commands and wrenches; `received` counts their messages, `now` is monotonic, s."""
    traffic.total["messages"] = received
    rates = traffic.rates(now)
    values = {name: str(count) for name, count in traffic.total.items()}
    values["rate"] = f"{rates.get('messages', 0.0):.1f} Hz"
    for kind, mentioned in traffic.mentioned.items():
        names = [one_line(f"{name}: {x.what}", _LONGEST) for name, x in mentioned.items()]
        values[kind] = f"{values.get(kind, '')}: {listed(names, len(names))}"
    troubles = traffic.take_troubles()
    text = counted(traffic.recent.get("messages", 0), "message") + " in this period"
    if troubles:
        return Report("commands", Level.WARN, f"{text}; lately: {', '.join(troubles)}", "", values)
    return Report("commands", Level.OK, text, "", values)


def _two_digits(number: float) -> float:
    """Return a number cut to two digits, never larger."""
    size = 10.0 ** (math.floor(math.log10(number)) - 1)
    return math.floor(number / size) * size


def _finite(number: float) -> float:
    return number if math.isfinite(number) else 0.0
