"""Closed mechanisms: equations of constraint elements, assembly, structure, and dynamics.

Plain functions of a model and arrays, as in `robodyn_ros.algorithms`. What is called a partition is
a choice of independent equations and of the coordinates that they are solved for; see
`robodyn_ros.model.Partition`.
"""
