"""From what drivers send to joint values that can be trusted, and to the bodies that move.

Nothing here knows ROS: messages arrive as names, numbers and integer stamps in nanoseconds, and
what is wrong with them leaves as values (`complaints`).
"""
