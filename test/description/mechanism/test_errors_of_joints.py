"""What a wrong joint, placement, table or other section is told: line, path, fault and remedy."""

from __future__ import annotations

import pytest

from faulty_mechanisms import HEAD, WHOLE, check_error, joint, section

CASES = {
    # joints
    "no type": (joint("axis: [0,0,1]"), ["line 5: joints/shoulder", "lacks type", "revolute"]),
    "unknown type": (joint("type: revolut"), ["joints/shoulder/type", "did you mean 'revolute'?"]),
    "type is a list": (joint("type: [a]"), ["joints/shoulder/type", "a list of 1"]),
    "no child": (HEAD + "  j: {type: fixed, parent: base}", ["line 5: joints/j", "lacks child"]),
    "no mapping": (HEAD + "  j: revolute", ["line 5: joints/j", "a mapping", "'revolute'"]),
    "unknown parent": (
        WHOLE.replace("parent: arm", "parent: amr"),
        ["line 6: joints/wrist/parent", "'amr'", "did you mean 'arm'?"],
    ),
    "unknown child": (
        WHOLE.replace("child: hand", "child: foot"),
        ["line 6: joints/wrist/child", "'foot'", "bodies: base, arm, hand"],
    ),
    "itself": (WHOLE.replace("parent: arm", "parent: hand"), ["line 6: joints/wrist", "itself"]),
    "two parents": (
        section("  other: {type: fixed, parent: base, child: hand}"),
        ["line 7: joints/other", "'hand'", "two parents", "line 6", "below loops:"],
    ),
    "cycle": (
        "mechanism: 1\nbodies: {a: , b: , c: }\njoints:\n"
        "  j: {type: fixed, parent: a, child: b}\n  k: {type: fixed, parent: b, child: a}",
        ["line 5: joints/k", "closes a loop", "line 4", "below loops:"],
    ),
    "two roots": (
        "mechanism: 1\nbodies:\n  a:\n  b:\n",
        ["line 4: bodies/b", "'a'", "no joint"],
    ),
    "axis of length 2": (
        joint("type: revolute, axis: [0, 0, 2]"),
        ["line 5: joints/shoulder/axis", "length 2", "write [0, 0, 1]"],
    ),
    "oblique axis": (
        joint("type: revolute, axis: [1, 1, 0]"),
        ["length 1.41421", "write [0.707107, 0.707107, 0]"],
    ),
    "zero axis": (joint("type: revolute, axis: [0, 0, 0]"), ["shoulder/axis", "zero"]),
    "axes": (joint("type: revolute, axes: [0, 0, 1]"), ["shoulder/axes", "did you mean 'axis'?"]),
    "pitch of a revolute": (
        joint("type: revolute, pitch: 1"),
        ["shoulder/pitch", "a revolute joint has no pitch", "helical"],
    ),
    "pitch missing": (joint("type: helical"), ["joints/shoulder", "lacks pitch", "m/rad"]),
    "pitch zero": (joint("type: helical, pitch: 0"), ["shoulder/pitch", "must not be 0"]),
    "sequence": (joint("type: gimbal, sequence: 112"), ["shoulder/sequence", "twice in a row"]),
    "sequence of letters": (joint("type: gimbal, sequence: xyz"), ["shoulder/sequence", "'xyz'"]),
    "sliders": (
        joint("type: gimbal, sequence: 1, inner: [[0,0,1],[0,0,1]]"),
        ["line 5: joints/shoulder/inner", "depend"],
    ),
    "slider's axis": (
        joint("type: translational, inner: [[0, 0, 3]]"),
        ["joints/shoulder/inner/1", "length 3"],
    ),
    "damping of a fixed joint": (
        joint("type: fixed, damping: 1"),
        ["shoulder/damping", "a fixed joint", "does not move"],
    ),
    "range of a continuous": (
        joint("type: continuous, range: [0, 1]"),
        ["shoulder/range", "make it revolute"],
    ),
    "range reversed": (joint("type: revolute, range: [1, -1]"), ["shoulder/range", "1 is above"]),
    "range of one": (joint("type: revolute, range: [1]"), ["shoulder/range", "1 numbers"]),
    "range of a number": (joint("type: revolute, range: 1"), ["shoulder/range", "[lower, upper]"]),
    "range nan": (joint("type: revolute, range: [.nan, 1]"), ["shoulder/range/1", "null"]),
    "ranges": (
        joint("type: universal, range: [[0,1],[0,1],[0,1]]"),
        ["shoulder/range", "3 entries", "2 rates (rx, ry)"],
    ),
    "dampings": (
        joint("type: gimbal, sequence: 121, damping: [1, 2]"),
        ["shoulder/damping", "2 entries", "3 rates (rx, ry, rx2)"],
    ),
    "negative damping": (joint("type: revolute, damping: -1"), ["shoulder/damping", ">= 0"]),
    "velocity limit": (joint("type: revolute, velocity_limit: 0"), ["velocity_limit", "> 0"]),
    "efforts": (
        joint("type: revolute, effort_limit: [1, 2]"),
        ["shoulder/effort_limit", "1 rate,"],
    ),
    "initial": (
        joint("type: spherical, initial_position: [0, 0, 0]"),
        ["shoulder/initial_position", "4 coordinates"],
    ),
    "quaternion": (
        joint("type: spherical, initial_position: [0, 0, 0, 2]"),
        ["shoulder/initial_position", "norm 2"],
    ),
    "velocities": (
        joint("type: spherical, initial_velocity: [0, 0]"),
        ["shoulder/initial_velocity", "3 rates"],
    ),
    # placements
    "two rotations": (
        joint("type: fixed, on_parent: {rpy: [0,0,0], quaternion: [0,0,0,1]}"),
        ["on_parent/quaternion", "beside rpy"],
    ),
    "no angle": (joint("type: fixed, on_parent: {axis: [0,0,1]}"), ["on_parent/axis", "angle"]),
    "no axis": (joint("type: fixed, on_parent: {angle: 1}"), ["on_parent/angle", "needs axis"]),
    "no n": (joint("type: fixed, on_child: {m: [0,0,1]}"), ["on_child/m", "needs n"]),
    "m along n": (
        joint("type: fixed, on_child: {m: [0,0,1], n: [0,0.6,0.8]}"),
        ["on_child/n", "right angles", "36.87"],
    ),
    "norm": (
        joint("type: fixed, on_parent: {quaternion: [0, 0, 0, 2]}"),
        ["on_parent/quaternion", "norm 2", "write [0, 0, 0, 1]"],
    ),
    "zero quaternion": (
        joint("type: fixed, on_parent: {quaternion: [0, 0, 0, 0]}"),
        ["on_parent/quaternion", "zero"],
    ),
    "reflection": (
        joint("type: fixed, on_parent: {matrix: [[1,0,0],[0,1,0],[0,0,-1]]}"),
        ["on_parent/matrix", "no rotation"],
    ),
    "xyz": (
        joint("type: fixed, on_parent: {xyz: [0,0,0]}"),
        ["on_parent/xyz", "is called position"],
    ),
    "rotation": (
        joint("type: fixed, on_parent: {rotation: {rpy: [0, 0, 0]}}"),
        ["on_parent/rotation", "give one of rpy, quaternion"],
    ),
    "rotaton": (joint("type: fixed, on_parent: {rpi: [0]}"), ["did you mean 'rpy'?"]),
    # followers
    "unknown driver": (
        joint("type: revolute, follows: {joint: wirst}"),
        ["shoulder/follows/joint", "'wirst'", "did you mean 'wrist'?"],
    ),
    "follows itself": (joint("type: revolute, follows: {joint: shoulder}"), ["cycle", "shoulder"]),
    "initial of a follower": (
        joint("type: revolute, follows: {joint: wrist}, initial_position: 1"),
        ["shoulder/initial_position", "follows 'wrist'"],
    ),
    "follower of three": (
        joint("type: spherical, follows: {joint: wrist}"),
        ["'shoulder' (line 5)", "not one"],
    ),
    # frames and the rest
    "frame without body": (section("frames: {f: {}}"), ["line 7: frames/f", "lacks body"]),
    "frame on nothing": (section("frames: {f: {body: hnad}}"), ["frames/f/body", "'hand'"]),
    "frame like a body": (section("frames: {arm: {body: hand}}"), ["'arm' (line 7)", "rename"]),
    "marker": (section("markers: {m: {body: arm}}"), ["markers/m", "position or direction"]),
    "marker of both": (
        section("markers: {m: {body: arm, position: [0,0,0], direction: [0,0,1]}}"),
        ["markers/m/direction", "beside position"],
    ),
    "direction": (
        section("markers: {m: {body: arm, direction: [0,0,2]}}"),
        ["markers/m/direction", "length 2"],
    ),
    "table": (section("dh: {t: {parent: hand, rows: []}}"), ["dh/t", "lacks convention"]),
    "convention": (section("dh: {t: {convention: craig}}"), ["dh/t/convention", "modified"]),
    "rows": (
        section("dh: {t: {convention: classic, parent: hand, rows: 3}}"),
        ["line 7: dh/t/rows", "a list"],
    ),
    "table on nothing": (
        section("dh: {t: {convention: classic, parent: x, rows: [{}]}}"),
        ["dh/t/parent", "'x'"],
    ),
    "row": (
        section("dh:\n  t:\n    convention: classic\n    parent: hand\n    rows:\n    - {q: 1}"),
        ["line 12: dh/t/rows/1/q", "unknown key of a row"],
    ),
    "row of two offsets": (
        section("dh: {t: {convention: thesis, parent: hand, rows: [{d: 1, s: 1}]}}"),
        ["rows/1/s", "beside d"],
    ),
    "row's joint": (
        section("dh: {t: {convention: thesis, parent: hand, rows: [{joint: wrist}]}}"),
        ["rows/1/joint", "'wrist'"],
    ),
    "row's pitch": (
        section("dh: {t: {convention: thesis, parent: hand, rows: [{pitch: 1}]}}"),
        ["rows/1/pitch", "only helical"],
    ),
    "row without pitch": (
        section("dh: {t: {convention: thesis, parent: hand, rows: [{type: helical}]}}"),
        ["rows/1", "lacks pitch"],
    ),
    "row's body": (
        section("dh: {t: {convention: thesis, parent: base, rows: [{body: hand, mass: 1}]}}"),
        ["rows/1/mass", "described elsewhere"],
    ),
    "initial of nothing": (
        section("initial: {positions: {wirst: 1}}"),
        ["initial/positions/wirst", "'wrist'"],
    ),
    "initial twice": (
        joint("type: revolute, initial_position: 1") + "initial: {positions: {shoulder: 1}}",
        ["line 7: initial/positions/shoulder", "of its own"],
    ),
    "base motion": (section("base_motion: {position: [0,0,0]}"), ["base_motion", "prescribed"]),
    "simulation": (section("simulation: {step: 0}"), ["simulation/step", "> 0 in s"]),
    "drawn body": (section("drawing: {x: []}"), ["drawing", "'x'"]),
    "drawn shape": (section("drawing: {arm: [{radius: 1}]}"), ["drawing/arm/1", "lacks shape"]),
    "color": (
        section("drawing: {arm: [{shape: sphere, radius: 1, color: [0,0,0,2]}]}"),
        ["drawing/arm/1/color", "0 to 1"],
    ),
    "bar": (
        section("drawing: {arm: [{shape: bar, radius: 1, from: [0,0,1], to: [0,0,1]}]}"),
        ["drawing/arm/1/to", "two points"],
    ),
    "workspace": (section("workspace: {name: hand}"), ["'hand' (line 7)", "rename"]),
}


@pytest.mark.parametrize(("text", "parts"), CASES.values(), ids=CASES.keys())
def test_an_error_says_where_what_and_what_to_do(text: str, parts: list[str]) -> None:
    check_error(text, parts)
