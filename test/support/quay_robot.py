"""An arm beside a workspace, as a text: frames at rest and moving, a plate bolted to its root."""

from __future__ import annotations

import numpy as np

QUAY = """mechanism: 1
name: quay_arm
base: BASE
bodies:
  pedestal: {mass: 4, com: [0, 0, 0.2], inertia: [0.1, 0, 0, 0.1, 0, 0.2]}
  plate: {mass: 1, com: [0.02, 0, 0], inertia: [0.01, 0, 0, 0.01, 0, 0.02]}
  arm: {mass: 2, com: [0, 0.1, 0.2], inertia: [0.02, 0, 0, 0.02, 0, 0.001]}
  hand: {mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0, 0, 0.01, 0, 0.001]}
joints:
  bolts:
    type: fixed
    parent: pedestal
    child: plate
    on_parent: {position: [0, 0, 0.5], rpy: [0.1, 0, 0]}
    on_child: {position: [0.1, -0.2, 0], rpy: [0, 0.2, 1]}
  turn: {type: revolute, parent: plate, child: arm, axis: [0, 0.6, 0.8]}
  lift:
    type: prismatic
    parent: arm
    child: hand
    axis: [0.6, 0, 0.8]
    on_parent: {position: [0, 0, 0.4], rpy: [0.3, 0.2, 0.1]}
frames:
  socket: {body: plate, position: [0.3, 0, 0.1], rpy: [0, -0.4, 0.2]}
  grip: {body: hand, position: [0, 0, 0.2]}
markers:
  tool: {body: hand, position: [0.1, -0.2, 0.3]}
  beam: {body: hand, direction: [0, 0.6, 0.8]}
  foot: {body: pedestal, position: [0, 0.1, 0]}
workspace: {name: quay, position: [1, -2, 3], rpy: [0.1, 0.2, -2.3]}
"""


def quay_arm(base: str = "fixed") -> str:
    """Return the text with a base."""
    return QUAY.replace("BASE", base)


def turned(R_WF: np.ndarray, vectors: np.ndarray) -> np.ndarray:
    """Return vectors (n, 3) in world axes in those of a frame, one by one."""
    return np.array([R_WF.T @ vector for vector in vectors]).reshape(-1, 3)
