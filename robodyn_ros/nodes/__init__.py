"""The executables of the package: one node each, wiring only."""
