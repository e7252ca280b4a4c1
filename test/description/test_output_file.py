"""Files that are to be written: what is refused before the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from robodyn_ros import ArgumentError
from robodyn_ros.description.output_file import require_output_file

ENDINGS = (".gif", ".mp4")


@pytest.mark.parametrize("name", ["new.gif", "NEW.MP4", "old.gif"])
def test_a_file_that_is_new_or_to_be_replaced_is_fine(name: str, tmp_path: Path) -> None:
    (tmp_path / "old.gif").write_text("old")
    require_output_file(tmp_path / name, ENDINGS)
    assert [file.name for file in tmp_path.iterdir()] == ["old.gif"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.avi", "must end in .gif or .mp4"),
        ("a", "must end in .gif or .mp4"),
        ("nowhere/a.gif", "there is no folder"),
        ("file/a.gif", "there is no folder"),
        ("taken.gif", "is a folder; give the name of a file"),
        ("a\0.gif", "cannot be the name of a file"),
        ("a" * 300 + ".gif", "cannot be written: File name too long"),
    ],
)
def test_what_cannot_be_written_is_named(name: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "taken.gif").mkdir()
    (tmp_path / "file").write_text("")
    with pytest.raises(ArgumentError) as caught:
        require_output_file(tmp_path / name, ENDINGS)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
