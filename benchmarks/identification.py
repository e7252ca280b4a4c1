"""`python -m benchmarks.identification --write`: what identification finds of known robots.

A minute of motion of each robot is made by inverse dynamics of a robot with other bodies, friction
and a payload, recorded into a bag with noise, and identified from the bag and the description.
Writes the tables between marks of docs/identification.md.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rosbags.rosbag2 import StoragePlugin, Writer
from rosbags.typesys import Stores, get_typestore

from robodyn_ros.analysis.base_parameters import base_parameters
from robodyn_ros.analysis.identification import Identification
from robodyn_ros.analysis.payload_estimate import PayloadEstimate
from robodyn_ros.analysis.pseudo_inertia import (
    is_consistent,
    parameters_from,
    pseudo_inertia,
    triangle,
)
from robodyn_ros.bags import Choices, Conditioning, replay
from robodyn_ros.bags.bag_file import JOINT_STATE
from robodyn_ros.bags.identification import Request, identify_bag
from robodyn_ros.robot import Robot, find_robot, load

PAGE = Path(__file__).parents[1] / "docs" / "identification.md"
MARK = "<!-- figures of benchmarks.identification -->\n"
STEP, DURATION, QUICK_DURATION = 0.002, 60.0, 6.0
MASS, COM = 1.5, np.array([0.02, -0.01, 0.08])
INERTIA = np.diag([4e-3, 5e-3, 3e-3])
RATE_NOISE = 2e-3
_SECOND, _START = 1_000_000_000, 1_700_000_000_000_000_000


@dataclass(frozen=True)
class Case:
    """A robot, the frame that carries a payload, and the noise of its efforts, N m rms."""

    name: str
    file: str
    frame: str
    noise: float


CASES = (
    Case("UR5", "ur5", "tool0", 0.0),
    Case("UR5", "ur5", "tool0", 0.5),
    Case("Panda", "panda", "panda_hand", 0.0),
    Case("Panda", "panda", "panda_hand", 0.5),
)


@dataclass(frozen=True)
class Truth:
    """Motion (n, nv each), the efforts of what is there, and its friction (nv,)."""

    t: np.ndarray
    q: np.ndarray
    v: np.ndarray
    efforts: np.ndarray
    coulomb: np.ndarray
    viscous: np.ndarray


def figures(duration: float = DURATION) -> Iterator[str]:
    """Yield the tables."""
    yield (
        f"{duration:g} s of joint states at {1.0 / STEP:g} Hz; noise of velocities {RATE_NOISE:g}"
        " rad/s rms. Residuals are root mean squares over windows of 0.1 s of the fifth that was"
        " held out, the largest of all joints; noise alone leaves a seventh of itself. Errors of"
        " friction are those of joints that turn: Panda's fingers move by 1 cm.\n"
    )
    yield (
        "| friction and base | base parameters | noise, N m | condition number | residual"
        " described, N m | identified | largest error of Coulomb | of viscous friction | bodies"
        " possible | s |"
    )
    yield "|---|---|---|---|---|---|---|---|---|---|"
    for case in CASES:
        yield _whole(case, duration)
    yield (
        "\n| payload and friction | noise, N m | mass, kg | true | centre off by, mm | residual,"
        " N m | s |"
    )
    yield "|---|---|---|---|---|---|---|"
    for case in CASES:
        yield _payload(case, duration)


def _whole(case: Case, duration: float) -> str:
    robot = load(find_robot(case.file), compile="wait")
    truth = _truth(robot, duration, other=True)
    found, seconds = _identified(robot, truth, case, Request(("friction", "base")))
    if not isinstance(found, Identification) or found.bodies is None:
        raise SystemExit(f"{case.name}: bodies must be identified")
    turning = {joint.name for joint in robot.model.own_joints if joint.joint.turning()[0]}
    curves = [(one.name, one.curve) for one in found.friction if one.name in turning]
    own = [robot.model.coordinate_names.index(name) for name, _ in curves]
    cells = [
        case.name,
        str(len(base_parameters(robot))),
        f"{case.noise:g}",
        f"{found.excitation.condition:.0f}",
        f"{max(one.before_held for one in found.residuals):.2f}",
        f"{max(one.after_held for one in found.residuals):.3f}",
        _error([curve.coulomb for _, curve in curves], truth.coulomb[own]),
        _error([curve.viscous for _, curve in curves], truth.viscous[own]),
        "all" if is_consistent(found.bodies) else "NOT ALL",
        f"{seconds:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _payload(case: Case, duration: float) -> str:
    robot = load(find_robot(case.file), compile="wait")
    truth = _truth(robot, duration, frame=case.frame)
    request = Request(("payload", "friction"), frame=case.frame)
    found, seconds = _identified(robot, truth, case, request)
    if not isinstance(found, PayloadEstimate):
        raise SystemExit(f"{case.name}: a payload must be identified")
    cells = [
        f"{case.name}, {case.frame}",
        f"{case.noise:g}",
        f"{found.mass:.4f} ± {found.mass_deviation:.4f}",
        f"{MASS:g}",
        f"{1e3 * np.abs(found.com - COM).max():.2f}",
        f"{max(one.after_held for one in found.residuals):.3f}",
        f"{seconds:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


def _error(found: list[float], true: np.ndarray) -> str:
    return f"{100.0 * np.max(np.abs(np.array(found) / true - 1.0)):.2g} %"


def _truth(robot: Robot, duration: float, *, other: bool = False, frame: str = "") -> Truth:
    """Return a motion, and the efforts of a robot that is not as it is described."""
    rng = np.random.default_rng(0)
    model = robot.model
    t = STEP * np.arange(round(duration / STEP))
    q = np.tile(robot.neutral(), (len(t), 1))
    v, a = np.zeros((2, len(t), model.nv))
    size = np.array([0.5 if joint.joint.turning()[0] else 0.01 for joint in model.own_joints])
    for harmonic in range(1, 6):
        w = 0.2 * np.pi * harmonic
        sine, cosine = size * rng.uniform(-1.0, 1.0, (2, model.nv))
        s, c = np.sin(w * t)[:, None], np.cos(w * t)[:, None]
        q = q + sine * s + cosine * c
        v += w * (sine * c - cosine * s)
        a -= w * w * (sine * s + cosine * c)
    coulomb, viscous = rng.uniform(1.0, 5.0, model.nv), rng.uniform(0.5, 3.0, model.nv)
    there = Robot(model, compile="off")
    for j, name in enumerate(model.coordinate_names):
        there.set_joint_parameters(name, friction=coulomb[j], damping=viscous[j])
    if frame:
        there.set_payload(frame, MASS, COM, INERTIA)
    efforts = there.inverse_dynamics(q, v, a, friction=True)
    if other:
        base = base_parameters(robot)
        described = base.parameters.nominal.reshape(-1, 10)
        whole = np.linalg.cholesky(pseudo_inertia(described))
        whole = whole @ triangle(0.15 * rng.normal(size=described.shape))
        change = parameters_from(whole @ np.swapaxes(whole, 1, 2)) - described
        efforts = efforts + base.columns(robot, q, v, a) @ (base.grouping @ change.ravel())
    return Truth(t, q, v, np.asarray(efforts), coulomb, viscous)


def _identified(
    robot: Robot, truth: Truth, case: Case, request: Request
) -> tuple[Identification | PayloadEstimate, float]:
    """Return what a bag says of a robot, and how long it took from the bag on, s."""
    rng = np.random.default_rng(1)
    noisy = RATE_NOISE if case.noise else 0.0
    rates = truth.v + noisy * rng.normal(size=truth.v.shape)
    efforts = truth.efforts + case.noise * rng.normal(size=truth.v.shape)
    with tempfile.TemporaryDirectory() as folder:
        bag = Path(folder) / "bag"
        _write(bag, robot, truth, rates, efforts)
        choices = Choices(conditioning=Conditioning(filter_time_constant=0.005))
        begin = time.perf_counter()
        found = identify_bag(replay(bag, robot, choices), request).found
        return found, time.perf_counter() - begin


def _write(path: Path, robot: Robot, truth: Truth, rates: np.ndarray, efforts: np.ndarray) -> None:
    """Write joint states into a bag."""
    types = get_typestore(Stores.LATEST)
    kinds = types.types
    names = list(robot.model.coordinate_names)
    with Writer(path, version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        connection = writer.add_connection("/joint_states", JOINT_STATE, typestore=types)
        for t, *row in zip(truth.t, truth.q, rates, efforts, strict=True):
            stamp = _START + round(t * _SECOND)
            at = kinds["builtin_interfaces/msg/Time"](*divmod(stamp, _SECOND))
            header = kinds["std_msgs/msg/Header"](stamp=at, frame_id="")
            message = kinds[JOINT_STATE](header, names, *row)
            data = bytes(types.serialize_cdr(message, JOINT_STATE))
            writer.write(connection, stamp, data)


def main() -> None:
    """Print the tables; with --write, put them into docs/identification.md too."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help=f"update {PAGE.name}")
    parser.add_argument("--quick", action="store_true", help="see that it runs, on short bags")
    options = parser.parse_args()
    if options.quick and options.write:
        parser.error("--quick gives no figures to write")
    lines = []
    for line in figures(QUICK_DURATION if options.quick else DURATION):
        print(line, flush=True)
        lines.append(line)
    if options.write:
        before, begin, rest = PAGE.read_text(encoding="utf-8").partition(MARK)
        _, end, after = rest.partition(MARK)
        if not end:
            raise SystemExit(f"{PAGE.name} has not twice: {MARK}")
        text = "\n".join(lines)
        PAGE.write_text(f"{before}{begin}{text}\n{end}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
