"""A mechanism with two freedoms, in which a test says what has a motor."""

from __future__ import annotations

CART = """
mechanism: 1
bodies:
  ground:
  cart: {mass: 2}
  boom: {mass: 3, com: [0.5, 0, 0], inertia: {shape: rod, length: 1, axis: [1, 0, 0]}}
controls: {ram: {range: [0.3, 1.5], initial_position: 0.6}}
joints:
  slide: {type: prismatic, parent: ground, child: cart, axis: [1, 0, 0], range: [-2, 2]}
  hinge: {type: revolute, parent: cart, child: boom, axis: [0, -1, 0]}
constraints:
  jack:
    type: rod
    body_1: cart
    point_1: [0, 0, -0.6]
    body_2: boom
    point_2: [0.4, 0, 0]
    length: ram
"""
