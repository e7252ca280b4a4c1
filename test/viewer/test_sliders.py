"""Sliders of coordinates: which there are, how far they go, and that they do not echo."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import numpy as np
import pytest

from page_client import PageClient
from robodyn_ros import Robot
from robodyn_ros.errors import UnknownNameError
from robodyn_ros.joints import JointLimits
from robodyn_ros.viewer.page import Page
from robodyn_ros.viewer.sliders import Sliders, interval
from robots import example, loaded
from viewed import EXAMPLES, read


@pytest.fixture
def client(page: Page) -> Iterator[PageClient]:
    """A page that is open."""
    with PageClient(page.address) as made:
        made.wait(lambda: page.clients == 1, "to be counted")
        yield made


class Moves:
    """What sliders tell."""

    def __init__(self) -> None:
        self.told: dict[str, float] = {}
        self.event = threading.Event()

    def __call__(self, names: tuple[str, ...], values: np.ndarray) -> None:
        """Remember what was moved."""
        self.told.update(zip(names, values.tolist(), strict=True))
        self.event.set()


def test_they_go_as_far_as_the_limits(page: Page, client: PageClient) -> None:
    model = loaded(example("panda.urdf"))
    sliders = Sliders(page, model)
    assert sliders.names == model.coordinate_names
    for joint in model.own_joints:
        unit = "rad" if joint.joint.turning()[0] else "m"
        props = client.get(f"{joint.name} [{unit}]").props
        low = min(joint.limits.lower, 0.0)  # where it begins is always within
        assert (props["min"], props["max"]) == pytest.approx((low, max(joint.limits.upper, 0.0)))
        assert props["value"] == pytest.approx(0.0)


@pytest.mark.parametrize(
    ("lower", "upper", "expected"),
    [
        (None, None, (-2.0, 2.0)),
        (-1.0, 3.0, (-1.0, 3.0)),
        (-1.0, None, (-1.0, 3.0)),
        (None, 1.0, (-3.0, 1.0)),
        (5.0, None, (5.0, 9.0)),
    ],
)
def test_without_limits_a_range_is_made(
    lower: float | None, upper: float | None, expected: tuple[float, float]
) -> None:
    assert interval(JointLimits(lower, upper), 2.0) == pytest.approx(expected)


def test_a_moved_slider_is_told_and_a_shown_one_is_not(page: Page, client: PageClient) -> None:
    model = loaded(example("panda.urdf"))
    sliders, moves = Sliders(page, model), Moves()
    sliders.on_move(moves)
    sliders.show(np.full(model.nq, 0.02))
    client.wait(
        lambda: client.get("panda_joint2 [rad]").value == pytest.approx(0.02, abs=2e-3), "to follow"
    )
    assert moves.told == {}
    client.set("panda_joint3 [rad]", 0.5)
    assert moves.event.wait(20.0)
    assert moves.told == {"panda_joint3": pytest.approx(0.5)}


def test_disabled_sliders_are_grey(page: Page, client: PageClient) -> None:
    sliders = Sliders(page, loaded(example("panda.urdf")))
    labels = [x.label for x in client.controls.values() if x.kind == "GuiSliderMessage"]
    for enabled in (False, True):
        sliders.enabled = enabled
        assert sliders.enabled is enabled
        for label in labels:
            client.wait(
                lambda label=label, grey=not enabled: client.get(label).props["disabled"] is grey,
                f"{label} to change",
            )


def test_of_a_closed_mechanism_there_are_the_independent_ones(
    page: Page, client: PageClient
) -> None:
    description, _ = read(EXAMPLES / "four_bar.yaml")
    robot = Robot(description.model, compile="off")
    assert Sliders(page, robot.model).names == robot.independent_names == ("motor",)
    props = client.get("motor [rad]").props
    assert (props["min"], props["max"]) == pytest.approx((-math.pi, math.pi))


@pytest.mark.parametrize("base", ["fixed", "floating"])
def test_configurations_have_what_was_moved(page: Page, base: str) -> None:
    model = loaded(example("ur5_robot.urdf"), base)
    robot = Robot(model, compile="off")
    sliders = Sliders(page, model)
    q = robot.random_configuration(2)
    rng = np.random.default_rng(0)
    for name in sliders.names:
        value = float(rng.uniform(-0.4, 0.4))
        before = q
        q = sliders.configuration(q, [name], [value])
        assert sliders._values_at(q)[name] == pytest.approx(value, abs=1e-12)
        others = [x for x in sliders.names if x != name and sliders.has_number(x)]
        kept = sliders._values_at(before)
        assert {x: sliders._values_at(q)[x] for x in others} == {x: kept[x] for x in others}
        # Which refuses quaternions whose norm is not 1.
        np.testing.assert_allclose(robot.difference(q, q), 0.0, atol=1e-12)


@pytest.mark.parametrize("name", ["six_dof_joint.yaml", "lower_pairs.yaml", "gimbal_platform.yaml"])
def test_every_coordinate_of_every_joint_has_one(page: Page, client: PageClient, name: str) -> None:
    description, _ = read(EXAMPLES / name)
    model = description.model
    sliders = Sliders(page, model, reach=3.0)
    assert sliders.names == (model.coordinate_names if not model.is_closed else sliders.names)
    for each in sliders.names:
        units = [x for x in ("rad", "m") if client.find(f"{each} [{x}]")]
        client.wait(lambda each=each: any(client.find(f"{each} [{x}]") for x in ("rad", "m")), each)
        assert len(units) <= 1


def test_an_unknown_coordinate_is_refused(page: Page) -> None:
    with pytest.raises(UnknownNameError, match="panda_joint1"):
        Sliders(page, loaded(example("panda.urdf")), names=["panda_joint"])


def test_what_somebody_moved_is_not_put_back_before_it_is_told(page: Page) -> None:
    sliders, moves = Sliders(page, loaded(example("panda.urdf"))), Moves()
    sliders.on_move(moves)
    slider = sliders._sliders.sliders["panda_joint3"]
    # As the page's thread leaves it until another tells of it.
    slider._impl.value = 0.5
    sliders.show(sliders._begin)
    assert slider.value == 0.5
    assert moves.told == {}
