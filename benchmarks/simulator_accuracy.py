"""`python -m benchmarks.simulator_accuracy --write`: drift and convergence of the simulator.

Writes the table between marks of docs/validation.md, and docs/simulation_convergence.svg.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np

import robodyn_ros as rd
from benchmarks.robots import ROBOTS
from robodyn_ros.errors import SimulationError
from robodyn_ros.plots.figures import pyplot_figure
from robodyn_ros.simulation import Simulator
from robodyn_ros.simulation.integrators import Integrator

DOCS = Path(__file__).parents[1] / "docs"
EXAMPLES = Path(__file__).parents[1] / "examples"
MARK = "<!-- figures of benchmarks.simulator_accuracy -->\n"

DURATION, QUICK_DURATION = 100.0, 0.2
STEPS: dict[Integrator, tuple[float, ...]] = {
    "rk4": (1e-3, 4e-3),
    "semi_implicit_euler": (1e-3,),
}
LOOK = 20
"""Steps between two looks at the energy."""
SHORT = 0.2
"""s of the motion whose error is drawn."""
PIECES = (10, 20, 40, 80, 160)
REFERENCE = 1280
_FASTER = 20.0
"""Of what is slow for the energy's sake, in the picture."""


@dataclass(frozen=True)
class Case:
    """A mechanism without friction and limits, and the state that it begins in."""

    name: str
    robot: rd.Robot
    q: np.ndarray
    v: np.ndarray

    def simulator(self, step: float, integrator: Integrator) -> Simulator:
        """Return its simulator."""
        return Simulator(
            self.robot,
            step=step,
            integrator=integrator,
            q=self.q,
            v=self.v,
            friction=False,
            limits=False,
        )


def cases() -> Iterator[Case]:
    """Yield the mechanisms."""
    for links, name in ((1, "pendulum"), (2, "double pendulum")):
        robot = _pendulum(links)
        yield Case(name, robot, np.full(links, 2.0), np.zeros(links))
    text = next(ROBOTS.rglob("panda.urdf")).read_text()
    text = re.sub(r"<mimic[^>]*/>", "", text).replace('type="prismatic"', 'type="fixed"')
    panda = rd.load(text, compile="wait")
    yield Case("Panda, falling", panda, np.full(7, 0.3), np.zeros(7))
    four_bar = rd.load(EXAMPLES / "four_bar.yaml", compile="wait")
    yield Case("four-bar, crank turning over", four_bar, *_moving(four_bar, 3.0))
    platform = rd.load(EXAMPLES / "stewart_platform.yaml", compile="wait")
    platform.gravity = (0.0, 0.0, 0.0)
    yield Case("Stewart platform, no gravity", platform, *_moving(platform, 0.05))


def _pendulum(links: int) -> rd.Robot:
    builder = rd.ModelBuilder("pendulum")
    builder.add_body("base")
    parent, position = "base", (0.0, 0.0, 0.0)
    for k in range(links):
        builder.add_body(f"link{k}", mass=1.0, com=(0, 0, -0.5), inertia=0.02 * np.eye(3))
        axis = rd.joints.Revolute((0.0, 1.0, 0.0))
        builder.add_joint(f"joint{k}", axis, parent, f"link{k}", position=position)
        parent, position = f"link{k}", (0.0, 0.0, -1.0)
    return rd.Robot(builder.build(), compile="wait")


def _moving(robot: rd.Robot, rate: float) -> tuple[np.ndarray, np.ndarray]:
    """Return the initial configuration, and rates that constraints allow there."""
    q, _ = robot.initial_state
    wanted = np.zeros(robot.model.nv)
    independent = [robot.model.coordinate_names.index(name) for name in robot.independent_names]
    wanted[independent] = rate * np.linspace(1.0, -0.5, len(independent))
    return q, robot.complete(q, wanted).v


def drift(case: Case, integrator: Integrator, step: float, duration: float) -> tuple[float, ...]:
    """Return the largest change of energy, and what kinetic energy ranges over, J; and the gap."""
    simulator = case.simulator(step, integrator)
    states = [(simulator.q, simulator.v)]
    for _ in range(round(duration / step / LOOK)):
        simulator.advance(LOOK)
        states.append((simulator.q, simulator.v))
    q, v = (np.stack(x) for x in zip(*states, strict=True))
    energy = case.robot.energy(q, v)
    total = energy.kinetic + energy.potential
    gap = 0.0
    if case.robot.model.is_closed:
        gap = float(np.abs(case.robot.constraint_residual(q)).max())
    return float(np.abs(total - total[0]).max()), float(energy.kinetic.max()), gap


def drift_figures(duration: float) -> Iterator[str]:
    """Yield the table of energies."""
    yield f"| mechanism, {duration:g} s | integrator | step | drift | of kinetic energy | open |"
    yield "|---|---|---|---|---|---|"
    for case in cases():
        for integrator in get_args(Integrator):
            for step in STEPS[integrator]:
                head = f"| {case.name} | `{integrator}` | {step * 1e3:g} ms |"
                try:
                    lost, most, gap = drift(case, integrator, step, duration)
                except SimulationError:
                    yield f"{head} leaves all bounds | | |"
                    continue
                closed = f"{gap:.0e} m" if case.robot.model.is_closed else ""
                yield f"{head} {lost:.1e} J | {lost / most:.1e} | {closed} |"


def errors(case: Case, integrator: Integrator) -> list[float]:
    """Return the error at the end of a short motion, for each number of steps."""
    end = _end(case, "rk4", REFERENCE)
    return [float(np.abs(_end(case, integrator, n) - end).max()) for n in PIECES]


def _end(case: Case, integrator: Integrator, pieces: int) -> np.ndarray:
    simulator = case.simulator(SHORT / pieces, integrator)
    simulator.advance(pieces)
    return np.concatenate([case.robot.difference(case.q, simulator.q), simulator.v])


def draw(path: Path) -> None:
    """Draw errors over steps."""
    figure = pyplot_figure(7.0, 5.0)
    axes = figure.subplots()
    steps = SHORT / np.array(PIECES)
    styles: dict[Integrator, str] = {"rk4": "o-", "semi_implicit_euler": "s--"}
    for number, one in enumerate(cases()):
        slow = one.robot.gravity[2] == 0.0
        case = replace(one, v=_FASTER * one.v) if slow else one
        for integrator, style in styles.items():
            label = case.name if integrator == "rk4" else None
            values = errors(case, integrator)
            axes.loglog(steps, values, style, color=f"C{number}", label=label, markersize=4)
    _slope(axes.loglog, steps, 1e-1, 1)
    _slope(axes.loglog, steps, 1e-8, 4)
    axes.set_xlabel("step, s")
    axes.set_ylabel(f"largest error of coordinates and rates after {SHORT:g} s")
    axes.set_title("Runge and Kutta (solid) and semi-implicit Euler (dashed); grey: orders 4 and 1")
    axes.title.set_fontsize("small")
    axes.legend(fontsize="small")
    axes.grid(visible=True, alpha=0.3)
    figure.set_layout_engine("constrained")
    figure.savefig(path, metadata={"Date": None})


def _slope(plot: Callable[..., object], steps: np.ndarray, largest: float, order: int) -> None:
    plot(steps, largest * (steps / steps[0]) ** order, color="0.6", linewidth=1.0)


def main() -> None:
    """Print the table; with --write, put it and the picture into the documents."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.simulator_accuracy", description=__doc__
    )
    parser.add_argument("--write", action="store_true", help="update docs/")
    parser.add_argument("--quick", action="store_true", help="see that it runs")
    options = parser.parse_args()
    lines = []
    for line in drift_figures(QUICK_DURATION if options.quick else DURATION):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        page = DOCS / "validation.md"
        before, begin, rest = page.read_text().partition(MARK)
        _, end, after = rest.partition(MARK)
        body = "\n".join(lines)
        page.write_text(f"{before}{begin}{body}\n{end}{after}")
        draw(DOCS / "simulation_convergence.svg")


if __name__ == "__main__":
    main()
