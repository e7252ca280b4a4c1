"""Messages to arrays and back, names to indices, parameters, QoS, and the life of a node.

Modules that need no ROS import none, so that their logic is tested without processes:
`parameter_specs`, `parameter_tables`, `process`, `rates`, `reports`.
"""
