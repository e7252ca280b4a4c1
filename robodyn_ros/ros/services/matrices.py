"""`~/mass_matrix` and `~/jacobian`: the named rows and columns."""

from __future__ import annotations

from typing import Any

import numpy as np

from robodyn_ros.ros.services.inverse_dynamics import doubles
from robodyn_ros.ros.services.states import require_finite, state_of
from robodyn_ros.ros.services.subject import Subject


def fill_mass_matrix(subject: Subject, request: Any, reply: Any) -> None:
    """Fill the reply's names and matrix (n, n), row major.

    Raises:
        RobodynError: the request has no answer; the text says why.
    """
    plan, q, *_ = state_of(subject, request, moving=False)
    matrix = subject.robot.mass_matrix(q)
    if not plan.in_order:
        matrix = matrix[np.ix_(plan.v_index, plan.v_index)]
    require_finite("mass matrix's column", matrix, plan)
    reply.names = list(plan.names)
    reply.matrix = doubles(matrix)


def fill_jacobian(subject: Subject, request: Any, reply: Any) -> None:
    """Fill the reply's names and matrix (6, n), row major, world axes, angular rows first.

    Raises:
        RobodynError: the request has no answer; the text says why.
    """
    frame = subject.known.frame(request.frame, "frame")
    plan, q, *_ = state_of(subject, request, moving=False)
    matrix = plan.of(subject.robot.jacobian(q, frame))
    require_finite("Jacobian's column", matrix, plan)
    reply.names = list(plan.names)
    reply.matrix = doubles(matrix)
