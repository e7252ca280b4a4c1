"""Kernels: an algorithm's trace, compiled for this machine; knows no mechanics.

The way of a program: :mod:`scalar` (numbers that may be symbols) -> :mod:`trace` -> :mod:`program`
-> :mod:`emit` (LLVM IR text) -> :mod:`compile` (object code) -> :mod:`cache` -> :mod:`kernel` (one
sample a call, or a batch). :mod:`service` does the slow part in a process of its own.
"""
