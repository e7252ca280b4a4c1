"""The XML below URDF: namespaces, comments, entities, what is well-formed and what is tolerated."""

from __future__ import annotations

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description.comments import without_comments
from robodyn_ros.errors import DescriptionError

LINKS = '<link name="a"/><link name="b"/>'
JOINT = '<joint name="j" type="fixed"><parent link="a"/><child link="b"/></joint>'


@pytest.mark.parametrize(
    "text",
    [
        f'<robot name="r">{LINKS}{JOINT}</robot>',
        f'<robot name="r" xmlns="http://www.ros.org">{LINKS}{JOINT}</robot>',
        f'<robot name="r" xmlns="not a uri">{LINKS}{JOINT}</robot>',
        f'<robot name="r" xmlns:xacro="http://www.ros.org/wiki/xacro">{LINKS}{JOINT}</robot>',
        f'<robot name="r"><link name="a" xmlns="http://x"/><link name="b"/>{JOINT}</robot>',
        f'<x:robot name="r">{LINKS}{JOINT}</x:robot>',
        '<u:robot name="r" xmlns:u="http://u"><u:link name="a"/><u:link name="b"/><u:joint '
        'name="j" type="fixed"><u:parent link="a"/><u:child link="b"/></u:joint></u:robot>',
    ],
)
def test_a_namespace_on_the_root_changes_nothing(text: str) -> None:
    model = load_model(text)
    assert model.body_names == ("a", "b")
    assert model.joint("j").parent == 0
    assert not model.notes


@pytest.mark.parametrize("declared", ['xmlns:g="http://gazebosim.org"', ""])
def test_elements_of_other_namespaces_are_not_urdf(declared: str) -> None:
    model = load_model(f'<robot name="r" {declared}><g:link name="c"/>{LINKS}{JOINT}</robot>')
    assert model.body_names == ("a", "b")
    assert model.notes[0].category == "ignored"


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- <link name='c'/> -->",
        "<!-- ${not} $(a) <xacro:property/> -->",
        "<!--- a -- b --->",
        "<!----->",
        "<!-- <![CDATA[ -->",
        "<![CDATA[ <!-- ]]>",
        "<?pi <!-- ?>",
        "<!-- ?> ]]> --> <![CDATA[ <link/> ]]>",
    ],
)
def test_comments_are_never_read_and_never_an_error(comment: str) -> None:
    text = f'<robot name="r">{comment}{LINKS}{comment}{JOINT}{comment}</robot>{comment[:0]}'
    assert load_model(text).body_names == ("a", "b")


def test_removing_comments_keeps_the_lines_and_everything_else() -> None:
    data = b"<a><!-- 1\n2\n3 --><b/>\n<!---->\n<c t='-->'/></a>"
    assert without_comments(data) == b"<a>\n\n<b/>\n\n<c t='-->'/></a>"


@pytest.mark.parametrize("data", [b"", b"<!--", b"<!-- -->x<!-- ", b"<![CDATA[ <!-- -->"])
def test_an_unclosed_comment_is_left_for_the_parser(data: bytes) -> None:
    assert without_comments(data).count(b"<!") == data.count(b"<!") - data.count(b"-->x")


def test_removing_comments_takes_linear_time() -> None:
    # Searched from every opening, this would take hours.
    assert without_comments(b"<!--" * 2_000_000).startswith(b"<!--")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("<robot name='r'>\n<link name='a'>\n</robot>", 3),
        ("<robot name='r'>\n<link name='a' name='b'/></robot>", 2),
        ("<robot name='r'>\n\n<link name=a/></robot>", 3),
        ("<robot name='r'>\n<link name='a & b'/></robot>", 2),
        ("<robot name='r'>&nbsp;</robot>", 1),
        ("<robot name='r'/>\n<robot name='s'/>", 2),
        ("<robot name='r'/>\ntext", 2),
        ("<robot name='r'>\n<!-- no end </robot>", 2),
        ("<robot name='r'", 1),
        ("</robot>", 1),
        ("<robot name='\x01'/>", 1),
        ("<", 1),
    ],
)
def test_malformed_xml_is_one_line_with_its_number(text: str, line: int) -> None:
    with pytest.raises(DescriptionError, match=rf"line {line}: not well-formed XML: ") as caught:
        load_model(text)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("<sdf version='1.9'><model name='m'/></sdf>", "<sdf>"),
        ("<mujoco/>", "<mujoco>"),
        ("<html><robot name='r'><link name='a'/></robot></html>", "<html>"),
        ("<Robot name='r'><link name='a'/></Robot>", "<Robot>"),
    ],
)
def test_another_root_is_named(text: str, names: str) -> None:
    with pytest.raises(DescriptionError, match=f"root element is {names}, not <robot>"):
        load_model(text)


@pytest.mark.parametrize("text", ["not xml at all <", b"links: [a, b]", b"{}", b"%PDF-1.4"])
def test_what_is_no_xml_says_so(text: str | bytes) -> None:
    with pytest.raises(DescriptionError, match="not well-formed XML"):
        load_model(text)


def test_depth_is_bounded() -> None:
    with pytest.raises(DescriptionError, match=r"[Dd]epth"):
        load_model("<robot name='r'>" + "<a>" * 100_000)
