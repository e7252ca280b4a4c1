"""Random and mutated descriptions: a model or one DescriptionError, without a sound."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from lxml import etree

from robodyn_ros.description import load_model
from robodyn_ros.model import Model

Quietly = Callable[[str | bytes], Model | None]
HERE = Path(__file__).parent
SEEDS = [path.read_text() for path in sorted((HERE / "robots").glob("*.urdf"))]
SEEDS += [
    '<?xml version="1.0"?><robot name="r" xmlns:xacro="u"><!-- c --><gazebo/><link name="a">'
    '<inertial><origin rpy="1 2 3"/><mass value="1"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
    '<visual><geometry><mesh filename="a.stl"/></geometry></visual></link></robot>'
]

FRAGMENTS = st.sampled_from(
    [
        "", " ", "\n", "<", ">", "/>", '"', "'", "&", "&amp;", "<!--", "-->", "]]>", "<![CDATA[",
        "nan", "inf", "-1", "1e400", "0", "1,5", "\x00", "\ufffd", "${x}", "xmlns=''", "x:y=''",
        "<link name='a'/>", "<inertial/>", "<mass/>", "<origin xyz='0 0'/>", "<axis xyz='0 0 0'/>",
        "<mimic joint='x'/>", "<limit/>", "</link>", "</robot>", "<robot>", "type='fixed'", "<?x?>",
        "<!DOCTYPE robot>", "fixed", "revolute", "floating", "planar", "&#10;", "<joint/>", "--",
    ]
)  # fmt: skip
# The same examples every time, so that a failure belongs to the change that shows it.
loud = settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)


@loud
@given(st.data())
def test_a_mutated_description_is_a_model_or_one_error(
    quietly: Quietly, data: st.DataObject
) -> None:
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
def test_a_truncated_description_is_one_error(
    quietly: Quietly, text: str, data: st.DataObject
) -> None:
    text = text.rstrip()
    cut = data.draw(st.integers(0, len(text) - 1))
    assert quietly(text[:cut].encode()) is None


@loud
@given(st.binary(max_size=300))
def test_any_bytes_are_a_model_or_one_error(quietly: Quietly, data: bytes) -> None:
    quietly(data)
    quietly(b"<robot name='r'><link name='a'/>" + data + b"</robot>")


@loud
@given(st.data())
def test_malformed_xml_never_passes(quietly: Quietly, data: st.DataObject) -> None:
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


VALUES = st.sampled_from(
    [
        "", " ", "nan", "inf", "-1", "0", "0 0 0", "1 2 3", "1e30", "1e31", "-1e30", "a b",
        "1e29 1e29 1e29", "1e-300 0 0", "-0.0", "9" * 400, "1,2", "x" * 300, "base", "root", "1.1",
        "fixed", "revolute", "continuous", "prismatic", "planar", "floating", "0 0 0 1", "${x}",
    ]
)  # fmt: skip
KEYS = st.sampled_from(["name", "type", "xyz", "rpy", "quat_xyzw", "value", "joint", "version"])


@loud
@given(st.data())
def test_a_tree_of_shuffled_parts_is_a_model_or_one_error(
    quietly: Quietly, data: st.DataObject
) -> None:
    """Well-formed nonsense: values, names, elements exchanged, dropped, doubled, moved."""
    root = etree.fromstring(data.draw(st.sampled_from(SEEDS)).partition("?>")[2])
    for _ in range(data.draw(st.integers(1, 3))):
        element = data.draw(st.sampled_from(list(root.iter(etree.Element))))
        other = data.draw(st.sampled_from(list(root.iter(etree.Element))))
        change = data.draw(st.sampled_from(["set", "rename", "drop", "double", "move"]))
        key = data.draw(st.sampled_from(sorted(element.attrib) or ["name"]))
        if change == "set":
            element.set(key, data.draw(VALUES))
        elif change == "rename":
            element.set(data.draw(KEYS), element.attrib.pop(key, "1"))
        elif change == "drop" and element is not root:
            element.getparent().remove(element)
        elif change == "double" and element is not root:
            element.getparent().append(deepcopy(element))
        elif change == "move":
            element.append(deepcopy(other))
    model = quietly(etree.tostring(root))
    if model is not None:
        assert all(np.isfinite(body.inertia).all() for body in model.bodies)
        assert all(abs(np.linalg.det(joint.rotation) - 1) < 1e-9 for _, joint in model.moving)
        assert model.report().text()


names = st.text(
    st.characters(
        min_codepoint=33, exclude_categories=["Cs", "Cc", "Cn"], exclude_characters="<&'\""
    ),
    min_size=1,
    max_size=8,
).filter(lambda name: "${" not in name and "$(" not in name)
numbers = st.floats(-100.0, 100.0).map(repr)
triples = st.tuples(numbers, numbers, numbers).map(" ".join)


@loud
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
