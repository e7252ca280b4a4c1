"""Whatever arrives: a model or one DescriptionError, in bounded time, without a sound."""

from __future__ import annotations

import contextlib
import io
import time
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lxml import etree

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError, RobodynError
from robodyn_ros.model import Model

HERE = Path(__file__).parent
SEEDS = [path.read_text() for path in sorted((HERE / "robots").glob("*.urdf"))]
SEEDS += [
    '<?xml version="1.0"?><robot name="r" xmlns:xacro="u"><!-- c --><gazebo/><link name="a">'
    '<inertial><origin rpy="1 2 3"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    '<visual><geometry><mesh filename="a.stl"/></geometry></visual></link></robot>'
]
# A bound that only a runaway can break.
PATIENCE_S = 5.0

BOMB = "<!DOCTYPE robot [<!ENTITY a0 'aaaaaaaaaa'>{}]>".format(
    "".join(f"<!ENTITY a{i + 1} '{f'&a{i};' * 10}'>" for i in range(12))
)
SECRET = "<!DOCTYPE robot [<!ENTITY secret SYSTEM 'file://{}'>]>"


def quietly(source: str | bytes) -> Model | None:
    """Load; return None for a DescriptionError, and let everything else pass as a failure."""
    printed, message = io.StringIO(), ""
    model = None
    with contextlib.redirect_stderr(printed), contextlib.redirect_stdout(printed):
        try:
            model = load_model(source)
        except DescriptionError as error:
            message = str(error)
    assert printed.getvalue() == ""
    assert (model is None) == bool(message)
    assert "\n" not in message
    assert len(message) < 1000
    return model


@pytest.mark.parametrize(
    "robot",
    [
        '<robot name="r"><link name="a"/>&a12;</robot>',
        '<robot name="&a12;"><link name="a"/></robot>',
        '<robot name="r"><link name="&a12;"/></robot>',
        '<robot name="r"><link name="a"><inertial><mass value="&a12;"/></inertial></link></robot>',
    ],
)
def test_an_entity_bomb_does_not_go_off(robot: str) -> None:
    start = time.monotonic()
    model = quietly(BOMB + robot)
    assert time.monotonic() - start < PATIENCE_S
    assert model is None or all(len(name) < 1000 for name in model.body_names)


def test_no_file_is_read_through_an_entity(tmp_path: Path) -> None:
    path = tmp_path / "secret.xml"
    path.write_text('<link name="secret"/>')
    model = quietly(SECRET.format(path) + '<robot name="r"><link name="a"/>&secret;</robot>')
    assert model is None or model.body_names == ("a",)
    in_attribute = SECRET.format(path) + '<robot name="r"><link name="&secret;"/></robot>'
    assert quietly(in_attribute) is None


def test_no_dtd_or_include_is_fetched(tmp_path: Path) -> None:
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


def test_a_harmless_doctype_is_harmless() -> None:
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
        "<robot name='r'><link name='" + "a" * 1_000_000 + "'/></robot>",
        "<robot name='r'><!-- " + "-" * 1_000_000 + " --><link name='a'/></robot>",
        "<robot name='r'>" + "<?p?>" * 100_000 + "<link name='a'/></robot>",
        " \n" * 1_000_000 + "<robot name='r'><link name='a'/></robot>",
    ],
    ids=["deep", "wide", "attributes", "long name", "long comment", "instructions", "blanks"],
)
@pytest.mark.parametrize("as_bytes", [False, True])
def test_large_but_harmless_input_loads_in_bounded_time(text: str, as_bytes: bool) -> None:
    start = time.monotonic()
    model = quietly(text.encode() if as_bytes else text)
    assert time.monotonic() - start < PATIENCE_S
    assert model is not None
    assert model.nb == 1


def test_a_number_of_a_million_digits_is_refused_in_bounded_time() -> None:
    start = time.monotonic()
    text = '<robot name="r"><link name="a"><inertial><mass value="{}"/></inertial></link></robot>'
    assert quietly(text.format("9" * 1_000_000)) is None
    assert quietly(text.format("9" * 1_000_000 + "x")) is None
    assert quietly(text.format("1 " * 1_000_000)) is None
    assert time.monotonic() - start < PATIENCE_S


FRAGMENTS = st.sampled_from(
    [
        "", " ", "\n", "<", ">", "/>", '"', "'", "&", "&amp;", "<!--", "-->", "]]>", "<![CDATA[",
        "nan", "inf", "-1", "1e400", "0", "1,5", "\x00", "\ufffd", "${x}", "xmlns=''", "x:y=''",
        "<link name='a'/>", "<inertial/>", "<mass/>", "<origin xyz='0 0'/>", "<axis xyz='0 0 0'/>",
        "<mimic joint='x'/>", "<limit/>", "</link>", "</robot>", "<robot>", "type='fixed'", "<?x?>",
        "<!DOCTYPE robot>", "fixed", "revolute", "floating", "planar", "&#10;", "<joint/>", "--",
    ]
)  # fmt: skip
loud = settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)


@loud
@given(st.data())
def test_a_mutated_description_is_a_model_or_one_error(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(SEEDS))
    for _ in range(data.draw(st.integers(1, 4))):
        start = data.draw(st.integers(0, len(text)))
        end = min(len(text), start + data.draw(st.sampled_from([0, 0, 1, 3, 20, 200])))
        text = text[:start] + data.draw(FRAGMENTS) + text[end:]
    quietly(text)
    if text.strip():
        quietly(text.encode())


@loud
@given(st.sampled_from(SEEDS), st.data())
def test_a_truncated_description_is_one_error(text: str, data: st.DataObject) -> None:
    text = text.rstrip()
    cut = data.draw(st.integers(0, len(text) - 1))
    assert quietly(text[:cut].encode()) is None


@loud
@given(st.binary(max_size=300))
def test_any_bytes_are_a_model_or_one_error(data: bytes) -> None:
    quietly(data)
    quietly(b"<robot name='r'><link name='a'/>" + data + b"</robot>")


@loud
@given(st.data())
def test_malformed_xml_never_passes(data: st.DataObject) -> None:
    """What a strict parser refuses is refused here, but for comments and namespaces."""
    text = data.draw(st.sampled_from(SEEDS)).partition("?>")[2]
    text = text[text.index("<robot") :]
    start = data.draw(st.integers(0, len(text)))
    mutated = text[:start] + data.draw(FRAGMENTS) + text[start:]
    assume("<!--" not in mutated and "x:y" not in mutated)
    try:
        etree.fromstring(mutated.encode())
    except etree.XMLSyntaxError:
        assert quietly(mutated.encode()) is None


names = st.text(
    st.characters(
        min_codepoint=33, exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="<&'\""
    ),
    min_size=1,
    max_size=8,
).filter(lambda name: "${" not in name and "$(" not in name)
numbers = st.floats(-100.0, 100.0).map(repr)
triples = st.tuples(numbers, numbers, numbers).map(" ".join)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_a_random_tree_in_random_order_loads_as_drawn(data: st.DataObject) -> None:
    links = data.draw(st.lists(names, min_size=1, max_size=10, unique=True))
    parents = [data.draw(st.integers(0, max(0, i - 1))) for i in range(len(links))]
    kinds = ["fixed", "revolute", "continuous", "prismatic", "planar", "floating"]
    elements = [f"<link name='{name}'/>" for name in links]
    drawn: dict[str, tuple[str, str, str]] = {}
    for i in range(1, len(links)):
        kind, origin = data.draw(st.sampled_from(kinds)), data.draw(triples)
        drawn[f"j{i}"] = (links[parents[i]], kind, origin)
        elements.append(
            f"<joint name='j{i}' type='{kind}'><parent link='{links[parents[i]]}'/>"
            f"<child link='{links[i]}'/><origin xyz='{origin}'/></joint>"
        )
    shuffled = data.draw(st.permutations(elements))
    model = load_model(f"<robot name='r'>{''.join(shuffled)}</robot>")
    assert model.body_names[0] == links[0]
    assert set(model.body_names) == set(links)
    for name, (parent, kind, origin) in drawn.items():
        joint = model.joint(name)
        assert model.body_names[joint.parent] == parent
        assert joint.joint.type_name == kind
        np.testing.assert_array_equal(joint.position, np.array(origin.split(), dtype=float))


def test_every_error_of_loading_is_of_the_package() -> None:
    assert issubclass(DescriptionError, RobodynError)
