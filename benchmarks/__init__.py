"""Benchmarks: `python -m benchmarks`, or one at a time."""

import os

# Read when Pinocchio loads OpenMP. Its threads would otherwise spin on after a batch, on the
# processors of whatever is timed next; its own batches are as fast either way.
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
