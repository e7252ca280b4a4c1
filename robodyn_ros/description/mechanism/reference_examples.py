"""Examples of the reference page, each a whole file that loads."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

EXAMPLES: Mapping[str, str] = MappingProxyType(
    {
        "The file": """\
mechanism: 1
name: pendulum
bodies:
  base:
  rod: {mass: 1, com: [0, 0, -0.5], inertia: {shape: rod, length: 1}}
joints:
  pivot: {type: revolute, parent: base, child: rod, axis: [0, 1, 0]}
""",
        "Bodies": """\
mechanism: 1
bodies:
  plate:
    mass: 2
    com: [0, 0, 0.01]
    inertia: {shape: box, size: [0.3, 0.2, 0.02]}
    point_masses:
      - {mass: 0.1, position: [0.15, 0.1, 0]}
""",
        "Joints": """\
mechanism: 1
bodies: {base: , ring: {mass: 0.2}, tray: {mass: 1}, nut: {mass: 0.1}}
joints:
  hinge:
    type: revolute
    parent: base
    child: ring
    axis: [0, 0, 1]
    on_parent: {position: [0, 0, 0.4], rpy: [0, "pi / 2", 0]}
    range: [-1.5, 1.5]
    velocity_limit: 3
    effort_limit: 40
    damping: 0.1
    friction: 0.5
    armature: 0.02
    initial_position: 0.2
  gimbal:
    type: gimbal
    sequence: 12
    parent: ring
    child: tray
    range: [[-0.5, 0.5], null]
    damping: [0.1, 0.2]
  screw:
    type: helical
    pitch: 0.001
    parent: base
    child: nut
    on_parent: {m: [1, 0, 0], n: [0, 0, 1]}
    follows: {joint: hinge, multiplier: 10}
""",
        "Rows of DH tables": """\
mechanism: 1
bodies: {base: }
dh:
  arm:
    convention: modified
    parent: base
    rows:
      - {d: 0.3, mass: 2, com: [0, 0, -0.1]}
      - {a: 0.1, alpha: "-pi / 2", joint: shoulder, body: upper_arm, range: [-2, 2]}
      - {a: 0.4, type: prismatic, range: [0, 0.3]}
""",
        "Markers": """\
mechanism: 1
bodies: {hand: {mass: 1}}
frames:
  grip: {body: hand, position: [0, 0, 0.1], rpy: [0, 0, 0.5]}
markers:
  fingertip: {body: hand, position: [0, 0.02, 0.12]}
  pointing: {body: hand, direction: [0, 0, 1]}
""",
        "Initial state": """\
mechanism: 1
bodies: {base: , ball: {mass: 1}}
joints:
  socket: {type: spherical, parent: base, child: ball}
initial:
  positions: {socket: [0, 0, 0, 1]}
  velocities: {socket: [0, 0, 2]}
""",
        "Simulation": """\
mechanism: 1
base: prescribed
root: ship
gravity: [0, 0, -9.81]
bodies: {ship: {mass: 1000}, crane: {mass: 100}}
joints:
  slewing: {type: continuous, parent: ship, child: crane, axis: [0, 0, 1]}
base_motion: {position: [0, 0, 1], rpy: [0.1, 0, 0], linear_velocity: [2, 0, 0]}
workspace: {name: harbour, position: [-20, 0, 0]}
simulation: {time: 10, step: 0.001}
""",
        "Drawing": """\
mechanism: 1
bodies: {rod: {mass: 1}}
drawing:
  rod:
    - {shape: bar, from: [0, 0, 0], to: [0, 0, -1], radius: 0.02}
    - {shape: sphere, radius: 0.05, position: [0, 0, -1], color: [0.8, 0.1, 0.1, 1]}
""",
        "Expressions": """\
mechanism: 1
parameters:
  radius: 0.02
  length: "10 * radius"
  density: 7850
  volume: "pi * radius^2 * length"
bodies:
  pin: {mass: "density * volume", com: [0, 0, "length / 2"]}
""",
    }
)
