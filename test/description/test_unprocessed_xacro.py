"""Text that xacro should have expanded first is told apart from text that only looks like it."""

from __future__ import annotations

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.errors import DescriptionError

NAMESPACE = 'xmlns:xacro="http://www.ros.org/wiki/xacro"'


@pytest.mark.parametrize(
    "text",
    [
        f'<robot name="r" {NAMESPACE}><xacro:property name="m" value="1"/><link name="a"/></robot>',
        '<robot name="r"><xacro:include filename="b.xacro"/><link name="a"/></robot>',
        f'<robot name="r" {NAMESPACE}><xacro:macro name="m" params="p"/></robot>',
        '<robot name="r" xmlns:x="http://ros.org/wiki/xacro"><x:if value="1"/></robot>',
        '<robot name="${n}"><link name="a"/></robot>',
        '<robot name="r"><link name="${prefix}base"/></robot>',
        '<robot name="r"><link name="$(arg prefix)base"/></robot>',
        '<robot name="r"><link name="a"><inertial><mass value="${m}"/></inertial></link></robot>',
        '<robot name="r"><link name="a"><visual><geometry>'
        '<mesh filename="$(find pkg)/a.stl"/></geometry></visual></link></robot>',
        f'<robot name="r" {NAMESPACE}><gazebo><xacro:arm/></gazebo><link name="a"/></robot>',
    ],
)
def test_unprocessed_xacro_is_named_with_its_remedy(text: str) -> None:
    with pytest.raises(DescriptionError, match=r"line 1: .*looks like unprocessed xacro; load"):
        load_model(text)
    with pytest.raises(DescriptionError, match="looks like unprocessed xacro"):
        load_model(text.encode())


@pytest.mark.parametrize(
    "inside",
    [
        "<!-- ${m} <xacro:macro name='m'/> $(find pkg) -->",
        "<gazebo><plugin value='${GAZEBO_PATH}'/></gazebo>",
        "<ros2_control><param name='${x}'>$(arg y)</param></ros2_control>",
        "<transmission name='${t}'/>",
        "<material name='a'>${text}</material>",
        "<?xacro ${m}?>",
        "<link name='b$'/><joint name='$j{}' type='fixed'><parent link='a'/>"
        "<child link='b$'/></joint>",
    ],
)
def test_what_is_not_urdfs_own_is_no_sign_of_xacro(inside: str) -> None:
    model = load_model(f'<robot name="r" {NAMESPACE}>{inside}<link name="a"/></robot>')
    assert model.body_names[0] == "a"


def test_colons_and_hashes_are_text_like_any_other() -> None:
    text = '<robot name="a: #b"><!-- key: value # comment --><link name="- x: {y}"/></robot>'
    model = load_model(text)
    assert (model.name, model.body_names) == ("a: #b", ("- x: {y}",))
