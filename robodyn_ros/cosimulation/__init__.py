"""Robots of ours in another engine's simulation, as the hardware that controllers are tested on.

The engine is MuJoCo, which is optional: it is imported when a robot is built in it, never before.
"""
