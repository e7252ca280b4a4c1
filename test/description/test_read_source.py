"""What counts as a path, what as a text, and every way of encoding the same robot."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from robodyn_ros.description import load_model
from robodyn_ros.description import source as source_module
from robodyn_ros.errors import DescriptionError, RobodynError

BODY = """<robot name="tür">
  <link name="säule"/>
  <link name="柱"/>
  <joint name="größe: #1" type="fixed"><parent link="säule"/><child link="柱"/></joint>
</robot>
"""
PLAIN = '<robot name="plain"><link name="a"/></robot>'
DECLARED = '<?xml version="1.0" encoding="{}"?>\n'


@pytest.mark.parametrize(
    "text",
    [
        BODY,
        "\ufeff" + BODY,
        "\n\n  " + BODY,
        DECLARED.format("utf-8") + BODY,
        DECLARED.format("UTF-8") + BODY,
        DECLARED.format("latin-1") + BODY,
        DECLARED.format("UTF-16") + BODY,
        "\n  \t" + DECLARED.format("utf-8") + BODY,
        "\ufeff" + DECLARED.format("ascii") + BODY,
        "<?xml version='1.0' standalone='yes'?>" + BODY,
        "<?xml-stylesheet href='a.xsl'?><!-- before -->" + BODY + "<!-- behind --><?pi x?>",
    ],
)
def test_text_loads_whatever_encoding_it_declares(text: str) -> None:
    model = load_model(text)
    assert model.name == "tür"
    assert model.body_names == ("säule", "柱")
    assert model.joint("größe: #1").parent == 0


@pytest.mark.parametrize(
    "data",
    [
        BODY.encode(),
        BODY.encode("utf-8-sig"),
        BODY.encode("utf-16"),
        (DECLARED.format("utf-8") + BODY).encode(),
        (DECLARED.format("utf8") + BODY).encode("utf-8-sig"),
        (" \r\n " + DECLARED.format("utf-8") + BODY).encode(),
        (DECLARED.format("utf-16") + BODY).encode("utf-16"),
    ],
)
def test_bytes_load_in_the_encoding_they_declare(data: bytes) -> None:
    assert load_model(data).body_names == ("säule", "柱")
    assert load_model(bytearray(data)).body_names == ("säule", "柱")
    assert load_model(memoryview(data)).body_names == ("säule", "柱")


@pytest.mark.parametrize("encoding", ["iso-8859-1", "windows-1252"])
def test_bytes_load_in_eight_bit_encodings(encoding: str) -> None:
    text = DECLARED.format(encoding) + '<robot name="a"><link name="säule"/></robot>'
    assert load_model(text.encode(encoding)).body_names == ("säule",)


@pytest.mark.parametrize("blank_lines", [0, 3])
@pytest.mark.parametrize("as_bytes", [False, True])
def test_lines_are_counted_from_the_first_byte(blank_lines: int, as_bytes: bool) -> None:
    text = "\n" * blank_lines + DECLARED.format("utf-8") + '<robot name="a">\n<link/></robot>'
    with pytest.raises(DescriptionError, match=rf"line {blank_lines + 3}: link without a name"):
        load_model(text.encode() if as_bytes else text)


def test_a_path_loads_as_str_and_as_path(tmp_path: Path) -> None:
    path = tmp_path / "säule.urdf"
    path.write_text(BODY, encoding="utf-8")
    assert load_model(path).name == load_model(str(path)).name == "tür"


def test_the_suffix_of_a_path_does_not_matter_for_urdf(tmp_path: Path) -> None:
    path = tmp_path / "robot.xml"
    path.write_text(PLAIN)
    assert load_model(path).name == "plain"


def test_a_robot_without_name_takes_its_files(tmp_path: Path) -> None:
    text = "<robot><link name='a'/></robot>"
    path = tmp_path / "arm.v2.urdf"
    path.write_text(text)
    model = load_model(path)
    assert model.name == "arm"
    assert [note.category for note in model.notes] == ["assumed"]
    assert load_model(text).name == "robot"


@pytest.mark.skipif(sys.platform == "win32", reason="named pipes are POSIX")
def test_a_pipe_is_read_to_its_end(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    try:
        os.write(write_end, PLAIN.encode())
        os.close(write_end)
        assert load_model(f"/dev/fd/{read_end}").name == "plain"
    finally:
        os.close(read_end)


@pytest.mark.parametrize("empty", ["", " \n\t", b"", b"  \n", "\ufeff"])
def test_an_empty_text_is_one_clear_error(empty: str | bytes) -> None:
    with pytest.raises(DescriptionError, match="the description is empty"):
        load_model(empty)


def test_an_empty_file_is_one_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "empty.urdf"
    path.write_bytes(b"")
    with pytest.raises(DescriptionError, match=r"empty\.urdf: the description is empty"):
        load_model(path)


@pytest.mark.parametrize("path", ["no/such.urdf", "panda", "a\0b.urdf", "x" * 5000, "/"])
def test_what_cannot_be_read_is_one_line_with_the_path_and_the_remedy(path: str) -> None:
    with pytest.raises(DescriptionError, match=r"cannot read .* give the path") as caught:
        load_model(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("wrong", [None, 3, [PLAIN], {"robot": 1}])
def test_other_types_are_refused_by_name(wrong: object) -> None:
    with pytest.raises(DescriptionError, match=f"not {type(wrong).__name__}"):
        load_model(wrong)  # type: ignore[arg-type]


def test_a_lone_surrogate_is_refused() -> None:
    with pytest.raises(DescriptionError, match="cannot be encoded"):
        load_model('<robot name="\ud800"><link name="a"/></robot>')


@pytest.mark.parametrize(
    "data", [b'<robot name="\xe4"/>', b'<?xml version="1.0" encoding="klingon"?><robot name="a"/>']
)
def test_wrong_encodings_are_errors_with_a_line(data: bytes) -> None:
    with pytest.raises(DescriptionError, match="line 1: not well-formed XML"):
        load_model(data)


@pytest.mark.parametrize("kind", ["text", "bytes", "file"])
def test_size_is_bounded(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(source_module, "MAX_BYTES", len(PLAIN))
    path = tmp_path / "large.urdf"

    def load(text: str) -> str:
        path.write_text(text)
        return load_model({"text": text, "bytes": text.encode(), "file": path}[kind]).name

    assert load(PLAIN) == "plain"
    with pytest.raises(DescriptionError, match="is larger than"):
        load(PLAIN + " ")


def test_an_endless_file_is_refused() -> None:
    if not Path("/dev/zero").exists():
        pytest.skip("this machine has no /dev/zero")
    with pytest.raises(DescriptionError, match="is larger than 32 MiB"):
        load_model("/dev/zero")


def test_errors_name_the_file_and_are_children_of_the_base(tmp_path: Path) -> None:
    path = tmp_path / "bad.urdf"
    path.write_text("<robot name='a'>\n</robot>")
    with pytest.raises(DescriptionError, match=r"bad\.urdf: line 1: the robot has no links") as e:
        load_model(path)
    assert isinstance(e.value, RobodynError)
    assert isinstance(e.value, ValueError)
