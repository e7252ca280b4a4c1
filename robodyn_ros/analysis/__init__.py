"""What measurements say of a model: identification, checks and observers; arrays in, results out.

Nothing here knows ROS, bags or files of measurements.
"""
