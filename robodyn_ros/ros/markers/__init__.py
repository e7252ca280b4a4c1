"""The motion of a robot's bodies as markers for RViz.

`settings`, `geometry` and `trail_memory` need no ROS: they hold the numbers. `shapes`, `arrows` and
`trails` say which markers there are and write their numbers; `message` makes bytes of them, and
`writer` is what a node uses.
"""
