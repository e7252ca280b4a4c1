"""Compiles the kernel of a robot's state path over and over, as the starts of other robots do.

At normal priority, which robodyn_ros's own compiling processes do not take.

    python -m benchmarks.state_path.compiling panda.urdf
"""

from __future__ import annotations

import sys

from robodyn_ros import load
from robodyn_ros.conditioning import state_step
from robodyn_ros.kernels.recipe import Recipe, Reference
from robodyn_ros.kernels.target import Target


def main(path: str) -> None:
    """Compile until the process is ended; no cache is read or written."""
    model = load(path, compile="off").model
    operation = state_step.state_step(model)
    evaluate = Reference(f"{state_step.__name__}:evaluate_of", (model, operation.name))
    recipe = Recipe(operation.signature, evaluate)
    while True:
        recipe.compile(Target.host())


if __name__ == "__main__":
    main(sys.argv[1])
