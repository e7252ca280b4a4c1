"""`robot.body_motion` against Pinocchio's forwardKinematics + updateFramePlacements from Python."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from benchmarks.robots import Contest
from benchmarks.timing import Figure, in_turn, seconds

TOLERANCE = 1e-10
SINGLE_ROWS = 2000
BATCH_ROWS = 10_000


def require_equality(contest: Contest, count: int = 200) -> float:
    """Return the largest norm-wise difference over `count` rows; exit where it is too large."""
    q, v, a = contest.rows(count, seed=1)
    motion = contest.robot.body_motion(q, v, a)
    data = contest.other.createData()
    worst = 0.0
    aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    frames = [
        contest.other.getFrameId(name, pin.FrameType.BODY)
        for name in contest.robot.model.body_names
    ]
    rows = (contest.theirs(x) for x in (q, v, a))
    for row, state in enumerate(zip(*rows, strict=True)):
        pin.forwardKinematics(contest.other, data, *state)
        pin.updateFramePlacements(contest.other, data)
        for body, frame in enumerate(frames):
            velocity = pin.getFrameVelocity(contest.other, data, frame, aligned)
            acceleration = pin.getFrameClassicalAcceleration(contest.other, data, frame, aligned)
            for ours, theirs in (
                (motion.position, data.oMf[frame].translation),
                (motion.rotation, data.oMf[frame].rotation),
                (motion.angular_velocity, velocity.angular),
                (motion.linear_velocity, velocity.linear),
                (motion.angular_acceleration, acceleration.angular),
                (motion.linear_acceleration, acceleration.linear),
            ):
                scale = max(1.0, float(np.max(np.abs(theirs))))
                worst = max(worst, float(np.max(np.abs(ours[row, body] - theirs))) / scale)
    if not worst < TOLERANCE:
        raise SystemExit(f"{contest.name}: body_motion differs from Pinocchio by {worst:.2e}")
    return worst


def single(contest: Contest) -> Figure:
    """Return seconds per call over distinct rows, each side called once a row from Python."""
    q, v, a = contest.rows(SINGLE_ROWS, seed=2)
    ours = list(zip(q, v, a, strict=True))
    theirs = list(zip(*(contest.theirs(x) for x in (q, v, a)), strict=True))
    call, model, data = contest.robot.body_motion, contest.other, contest.other.createData()
    forward, place = pin.forwardKinematics, pin.updateFramePlacements

    def run_ours() -> None:
        for row in ours:
            call(*row)

    def run_theirs() -> None:
        for row in theirs:
            forward(model, data, *row)
            place(model, data)

    return _per_row(in_turn(run_ours, run_theirs), SINGLE_ROWS)


def batch(contest: Contest) -> tuple[Figure, float]:
    """Return seconds per row of one batched call with `out=`, and the memory-write floor."""
    q, v, a = contest.rows(BATCH_ROWS, seed=3)
    theirs = list(zip(*(contest.theirs(x) for x in (q, v, a)), strict=True))
    out = contest.robot.body_motion(q, v, a)
    model, data = contest.other, contest.other.createData()
    forward, place = pin.forwardKinematics, pin.updateFramePlacements

    def run_ours() -> None:
        contest.robot.body_motion(q, v, a, out=out)

    def run_theirs() -> None:
        for row in theirs:
            forward(model, data, *row)
            place(model, data)

    def run_floor() -> None:
        for array in out:
            array.fill(0.0)

    figure = _per_row(in_turn(run_ours, run_theirs, rounds=9), BATCH_ROWS)
    return figure, seconds(run_floor) / BATCH_ROWS


def _per_row(figure: Figure, rows: int) -> Figure:
    return Figure(figure.ours / rows, figure.theirs / rows, figure.ratio, figure.worst)
