"""Whatever arrives: a model or one DescriptionError, in bounded time, without a sound."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError
from robodyn_ros.model import Model

Quietly = Callable[[str | bytes], Model | None]

# A bound that only a runaway can break.
PATIENCE_S = 30.0

BOMB = "<!DOCTYPE robot [<!ENTITY a0 'aaaaaaaaaa'>{}]>".format(
    "".join(f"<!ENTITY a{i + 1} '{f'&a{i};' * 10}'>" for i in range(12))
)
SECRET = "<!DOCTYPE robot [<!ENTITY secret SYSTEM 'file://{}'>]>"


@pytest.mark.parametrize(
    "robot",
    [
        '<robot name="r"><link name="a"/>&a12;</robot>',
        '<robot name="&a12;"><link name="a"/></robot>',
        '<robot name="r"><link name="&a12;"/></robot>',
        '<robot name="r"><link name="a"><inertial><mass value="&a12;"/></inertial></link></robot>',
    ],
)
def test_an_entity_bomb_does_not_go_off(robot: str, quietly: Quietly) -> None:
    start = time.monotonic()
    model = quietly(BOMB + robot)
    assert time.monotonic() - start < PATIENCE_S
    assert model is None or all(len(name) < 1000 for name in model.body_names)


def test_no_file_is_read_through_an_entity(tmp_path: Path, quietly: Quietly) -> None:
    path = tmp_path / "secret.xml"
    path.write_text(
        '<link name="secret"/><joint name="j" type="fixed"><parent link="a"/>'
        '<child link="secret"/></joint>'
    )
    model = quietly(SECRET.format(path) + '<robot name="r"><link name="a"/>&secret;</robot>')
    assert model is not None
    assert model.body_names == ("a",)
    in_attribute = SECRET.format(path) + '<robot name="r"><link name="&secret;"/></robot>'
    assert quietly(in_attribute) is None


def test_no_dtd_or_include_is_fetched(tmp_path: Path, quietly: Quietly) -> None:
    dtd = tmp_path / "robot.dtd"
    dtd.write_text("<!ATTLIST link name CDATA 'from_dtd'>")
    robot = '<robot name="r"><link/></robot>'
    for doctype in (
        f"<!DOCTYPE robot SYSTEM '{dtd}'>",
        f"<!DOCTYPE robot SYSTEM 'file://{dtd}'>",
        "<!DOCTYPE robot PUBLIC '-//X//Y' 'http://127.0.0.1:9/robot.dtd'>",
    ):
        with pytest.raises(DescriptionError, match="link without a name"):
            load_model(doctype + robot)
    include = f'<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="{dtd}"/>'
    model = quietly(f'<robot name="r">{include}<link name="a"/></robot>')
    assert model is not None
    assert model.body_names == ("a",)


def test_a_harmless_doctype_is_harmless(quietly: Quietly) -> None:
    model = quietly("<!DOCTYPE robot [<!ENTITY e 'x'>]><robot name='r'><link name='a&e;'/></robot>")
    assert model is not None
    assert model.body_names == ("ax",)


@pytest.mark.parametrize(
    "text",
    [
        "<robot name='r'>" + "<a>" * 200 + "</a>" * 200 + "<link name='a'/></robot>",
        "<robot name='r'>" + "<x/>" * 200_000 + "<link name='a'/></robot>",
        "<robot name='r'><link name='a' "
        + " ".join(f"a{i}='1'" for i in range(5000))
        + "/></robot>",
        "<robot name='r'><!-- " + "-" * 1_000_000 + " --><link name='a'/></robot>",
        "<robot name='r'>" + "<?p?>" * 100_000 + "<link name='a'/></robot>",
        " \n" * 1_000_000 + "<robot name='r'><link name='a'/></robot>",
    ],
    ids=["deep", "wide", "attributes", "long comment", "instructions", "blanks"],
)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_large_but_harmless_input_loads_in_bounded_time(
    text: str, as_bytes: bool, quietly: Quietly
) -> None:
    start = time.monotonic()
    model = quietly(text.encode() if as_bytes else text)
    assert time.monotonic() - start < PATIENCE_S
    assert model is not None
    assert model.nb == 1


def test_a_number_of_a_million_digits_is_refused_in_bounded_time(quietly: Quietly) -> None:
    start = time.monotonic()
    text = '<robot name="r"><link name="a"><inertial><mass value="{}"/></inertial></link></robot>'
    assert quietly(text.format("9" * 1_000_000)) is None
    assert quietly(text.format("9" * 1_000_000 + "x")) is None
    assert quietly(text.format("1 " * 1_000_000)) is None
    assert time.monotonic() - start < PATIENCE_S
