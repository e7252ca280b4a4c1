"""`robot.jacobian` of the last frame against Pinocchio's computeFrameJacobian from Python."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from benchmarks.robots import Contest
from benchmarks.timing import Figure, in_turn

ROWS = 2000
TOLERANCE = 1e-10


def single(contest: Contest) -> Figure:
    """Return seconds per call over distinct rows, after both sides were found equal."""
    frame = contest.robot.model.body_names[-1]
    if not contest.robot.compile(f"jacobian:{frame}"):
        raise SystemExit(f"{contest.name}: no kernel for the Jacobian")
    model, data = contest.other, contest.other.createData()
    number = model.getFrameId(frame, pin.FrameType.BODY)
    aligned = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
    q, _, _ = contest.rows(ROWS, seed=4)
    ours, theirs = list(q), list(contest.theirs(q))
    call, other = contest.robot.jacobian, pin.computeFrameJacobian
    for mine, row in zip(ours[:50], theirs[:50], strict=True):
        expected = np.roll(other(model, data, row, number, aligned), 3, axis=0)
        difference = call(mine, frame)[:, contest.order] - expected
        if not float(np.max(np.abs(difference))) < TOLERANCE:
            raise SystemExit(f"{contest.name}: the Jacobian of {frame} differs from Pinocchio's")

    def run_ours() -> None:
        for row in ours:
            call(row, frame)

    def run_theirs() -> None:
        for row in theirs:
            other(model, data, row, number, aligned)

    figure = in_turn(run_ours, run_theirs)
    return Figure(figure.ours / ROWS, figure.theirs / ROWS, figure.ratio, figure.worst)
