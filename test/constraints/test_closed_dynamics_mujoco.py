"""Closed mechanisms against MuJoCo's equality constraints: balls, welds, hinges and rods.

MuJoCo's constraints give way; what is left of that where they do so less and less is compared.
They leave out G' v, so that mechanisms begin at rest, and they pull back, slowly here, what the
digits of a file leave open.
"""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from differentiation import error
from random_closures import Mechanism, mechanism
from robodyn_ros.algorithms.surroundings import Surroundings
from robodyn_ros.constraints.assembly import assembled_model
from robodyn_ros.constraints.dynamics import closed_accelerations
from robodyn_ros.model import Environment, Rod
from robodyn_ros.spatial import compose, quaternion_from_matrix

mujoco = pytest.importorskip("mujoco", reason="install the extra `oracles`: MuJoCo is missing")

from mixed_trees_mujoco import NOT_IN_MUJOCO, Built, built  # noqa: E402

#: What is left of the softness, times condition numbers up to 1e3.
TOLERANCE = 1e-3
GRAVITY = np.array([1.0, -2.0, -9.0])
#: Of trees; with seed 0 MuJoCo warns of a nearly singular inertia, which multiplies what gives way.
SEEDS = (1, 2, 3)
#: 1 less the impedances: how much constraints give way; MuJoCo allows no less.
GIVING = (1e-4, 2e-4, 4e-4)
#: Of the parabola through the three answers, at 0.
WEIGHTS = np.array([8.0, -6.0, 1.0]) / 3.0
SLOWLY = {"solref": "1 1"}
BALL, HINGE = "spherical-plain", "revolute-x"
#: Where a hinge along x is held by balls besides its middle.
BESIDE = np.array([0.5, 0.0, 0.0])


def _site(robot: ElementTree.Element, other: Built, body: int, name: str, at: tuple) -> None:
    """Add a site to the body of that number of ours."""
    R, p = compose(other.seats[body], at)
    element = next(x for x in robot.iter("body") if x.get("name") == f"body{body}")
    quaternion = np.roll(quaternion_from_matrix(np.asarray(R)), 1)
    texts = {"pos": p, "quat": quaternion}
    found = {key: " ".join(repr(float(x)) for x in value) for key, value in texts.items()}
    ElementTree.SubElement(element, "site", name=name, **found)


def closed_there(case: Mechanism, kinds: tuple[str, ...], path: Path) -> tuple[Built, object]:
    """Return the tree of a mechanism in MuJoCo, and MuJoCo's model with loops and rods."""
    other = built(case.tree)
    mujoco.mj_saveLastXML(str(path), other.model)
    root = ElementTree.parse(path).getroot()
    tendons = ElementTree.SubElement(root, "tendon")
    equalities = ElementTree.SubElement(root, "equality")
    loops = iter(case.loops.items())
    for kind in kinds:
        if kind == "rod":
            continue
        name, loop = next(loops)
        offsets = (np.zeros(3), BESIDE) if kind == HINGE else (np.zeros(3),)
        for k, offset in enumerate(offsets):
            ends = {}
            for n, (link, (R, p)) in enumerate(
                ((loop.parent, loop.mount), (loop.child, loop.seat)), start=1
            ):
                ends[f"site{n}"] = f"{name}_{k}_{n}"
                number = case.tree.body_index(link)
                _site(root, other, number, ends[f"site{n}"], (R, p + R @ offset))
            what = "weld" if kind == "fixed" else "connect"
            ElementTree.SubElement(equalities, what, **ends, **SLOWLY)
    rods = [element for element in case.model.closure.elements if isinstance(element, Rod)]
    for rod in rods:
        tendon = ElementTree.SubElement(tendons, "spatial", name=rod.name)
        for n, (body, point) in enumerate(
            ((rod.body_1, rod.point_1), (rod.body_2, rod.point_2)), start=1
        ):
            number = case.tree.body_index(case.model.body_names[body])
            _site(root, other, number, f"{rod.name}_{n}", (np.eye(3), point))
            ElementTree.SubElement(tendon, "site", site=f"{rod.name}_{n}")
        ElementTree.SubElement(equalities, "tendon", name=rod.name, tendon1=rod.name, **SLOWLY)
    model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    for rod in rods:
        at = model.tendon(rod.name).id
        model.eq_data[model.equality(rod.name).id, 0] = (
            rod.length.constant - model.tendon_length0[at]
        )
    return other, model


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(
    "kinds", [(BALL,), ("fixed",), (HINGE,), ("rod", "rod"), (BALL, "rod")], ids="+".join
)
def test_accelerations_from_rest(
    kinds: tuple[str, ...], seed: int, base: str, tmp_path: Path
) -> None:
    case = mechanism(seed, kinds, base=base, bodies=9, coupled=False, excluded=NOT_IN_MUJOCO)
    model = assembled_model(case.model, case.q)
    nq, nv = case.tree.nq, case.tree.nv
    tau = np.zeros(model.nv)
    tau[:nv] = np.random.default_rng([61, seed]).uniform(-1.0, 1.0, nv)
    here = Environment(GRAVITY, joint_parameters=np.zeros((model.lumped.rates, 3)))
    a, forces, verdict = closed_accelerations(
        model, case.q, np.zeros(model.nv), tau, Surroundings.of(model, here)
    )
    assert verdict == 0.0
    assert np.max(np.abs(forces)) > 1e-3

    other, there = closed_there(case, kinds, tmp_path / "tree.xml")
    there.opt.disableflags = 0
    there.opt.gravity[:] = GRAVITY
    there.opt.tolerance, there.opt.iterations = 1e-14, 200
    state = other.state((case.q[:nq], np.zeros(nv), np.zeros(nv)))
    data = mujoco.MjData(there)
    answers = []
    for giving in GIVING:
        there.eq_solimp[:, :2] = 1.0 - giving
        data.qpos[:] = state.q
        data.qfrc_applied[:] = np.linalg.solve(state.G.T, tau[:nv])
        mujoco.mj_forward(there, data)
        answers.append(np.linalg.solve(state.G, data.qacc))
    # Quaternions and places were written with few digits.
    assert np.max(np.abs(data.efc_pos)) < 1e-4
    assert error(a[:nv], WEIGHTS @ np.array(answers)) < TOLERANCE
