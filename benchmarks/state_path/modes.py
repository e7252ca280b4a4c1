"""What is measured: which node, what is subscribed, what else goes on."""

from __future__ import annotations

from dataclasses import dataclass

SHORT = 20.0
"""Seconds of the modes that are not the main ones, at most."""


@dataclass(frozen=True, kw_only=True)
class Mode:
    """One row of the table.

    Attributes:
        name: What it is called there.
        node: Class of the node in `nodes`.
        everything: Whether body states and visualization are subscribed besides TF.
        efforts: Whether ~/joint_dynamics is subscribed besides TF; the node must have it.
        compiling: Whether another process compiles kernels meanwhile.
        cold: Whether the node starts with an empty cache; the window then ends when the kernel is
            there.
        longest: Seconds of the window, at most.
    """

    name: str
    node: str = "StatePublisher"
    everything: bool = False
    efforts: bool = False
    compiling: bool = False
    cold: bool = False
    longest: float = float("inf")


MODES = (
    Mode(name="floor", node="Floor"),
    Mode(name="TF alone"),
    Mode(name="TF, body states, visualization", everything=True),
    Mode(name="TF alone, robodyn_node", node="RobodynNode"),
    Mode(name="TF, body states, visualization, robodyn_node", node="RobodynNode", everything=True),
    Mode(name="TF, joint dynamics, robodyn_node", node="RobodynNode", efforts=True),
    Mode(name="TF alone, second busy Python thread", node="BusyStatePublisher", longest=SHORT),
    Mode(name="TF alone, kernels compile", compiling=True, longest=SHORT),
    Mode(name="TF alone, cold start", cold=True, longest=SHORT),
)
