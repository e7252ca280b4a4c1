"""What the launch files share: rows of arguments, their values, what is refused, common nodes.

Only launch files import this room, besides `rows`, which needs no launch: the others need `launch`
and `launch_ros`, which are there wherever a launch file runs.
"""
