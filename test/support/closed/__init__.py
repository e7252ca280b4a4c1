"""Closed mechanisms by formulas of their own: what the constraint room is held to.

Nothing here imports robodyn_ros, but for the last step of writing a mechanism down as its file.
"""
