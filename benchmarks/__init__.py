"""Benchmarks: `python -m benchmarks`, or one at a time."""
