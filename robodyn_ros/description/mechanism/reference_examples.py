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
        "Follows": """\
mechanism: 1
parameters: {crank: 0.05, rod: 0.2}
bodies: {frame: , shaft: {mass: 1}, piston: {mass: 0.3}}
controls: {stroke: {range: [0, 1]}}
joints:
  turn:
    type: revolute
    parent: frame
    child: shaft
    follows: {expression: "pi * stroke"}
  slide:
    type: prismatic
    parent: frame
    child: piston
    follows:
      expression: "crank * cos(pi * stroke) + sqrt(rod^2 - (crank * sin(pi * stroke))^2)"
""",
        "Controls": """\
mechanism: 1
bodies: {base: , platform: {mass: 5}}
controls:
  phase:
    range: [0, "2 * pi"]
    velocity_limit: 2
    drive: "0.5 * t"
joints:
  tilt:
    type: universal
    parent: base
    child: platform
    follows: {expressions: ["0.1 * sin(phase)", "0.1 * cos(phase)"]}
""",
        "Loops": """\
mechanism: 1
name: four_bar
bodies:
  ground:
  crank: {mass: 0.2, com: [0.05, 0, 0], inertia: {shape: rod, length: 0.1, axis: [1, 0, 0]}}
  coupler: {mass: 0.5, com: [0.15, 0, 0], inertia: {shape: rod, length: 0.3, axis: [1, 0, 0]}}
  rocker: {mass: 0.4, com: [0.1, 0, 0], inertia: {shape: rod, length: 0.2, axis: [1, 0, 0]}}
joints:
  motor: {type: revolute, parent: ground, child: crank, axis: [0, 0, 1], initial_position: 0.5}
  pin:
    type: revolute
    parent: crank
    child: coupler
    axis: [0, 0, 1]
    on_parent: {position: [0.1, 0, 0]}
  pivot:
    type: revolute
    parent: ground
    child: rocker
    axis: [0, 0, 1]
    on_parent: {position: [0.3, 0, 0]}
    initial_position: 1.5
loops:
  closing:
    type: revolute
    parent: coupler
    child: rocker
    axis: [0, 0, 1]
    on_parent: {position: [0.3, 0, 0]}
    on_child: {position: [0.2, 0, 0]}
    friction: 0.01
actuated: [motor, pivot]
motor_weights: {pivot: 4}
independent: [motor]
""",
        "Constraints": """\
mechanism: 1
parameters: {lowered: 0.35}
bodies:
  base:
  boom: {mass: 3, com: [0.5, 0, 0], inertia: {shape: rod, length: 1, axis: [1, 0, 0]}}
controls:
  ram: {range: [0, 0.2], initial_position: 0.05}
joints:
  hinge: {type: revolute, parent: base, child: boom, axis: [0, -1, 0], initial_position: 0.5}
constraints:
  cylinder:
    type: rod
    body_1: base
    point_1: [0.3, 0, -0.2]
    body_2: boom
    point_2: [0.4, 0, 0]
    length: "lowered + ram"
actuated: [ram]
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


def example(heading: str) -> str:
    """Return the example of a section as the page shows it, "" where there is none."""
    return f"\n```yaml\n{EXAMPLES[heading]}```\n" if heading in EXAMPLES else ""
