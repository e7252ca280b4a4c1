"""A mechanism with markers on several bodies, and the same without, as texts."""

from __future__ import annotations

MARKERS = """
markers:
  tool: {body: hand, position: [0.1, -0.2, 0.3]}
  beam: {body: hand, direction: [0, 0.6, 0.8]}
  foot: {body: base, position: [0, 0.1, 0]}
  knee: {body: upper, position: [0, 0, 0.4]}
"""

UNMARKED = """mechanism: 1
name: marked
bodies:
  base:
  upper: {mass: 2, com: [0, 0, 0.2], inertia: [0.02, 0, 0, 0.02, 0, 0.001]}
  hand: {mass: 1, com: [0, 0, 0.1], inertia: [0.01, 0, 0, 0.01, 0, 0.001]}
joints:
  hip: {type: revolute, parent: base, child: upper, axis: [0, 1, 0], range: [-2, 2]}
  slide:
    type: prismatic
    parent: upper
    child: hand
    axis: [0.6, 0, 0.8]
    range: [-0.5, 0.5]
    on_parent: {position: [0, 0, 0.4], rpy: [0.3, 0.2, 0.1]}
"""

MARKED = UNMARKED + MARKERS
