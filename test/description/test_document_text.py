"""A description as text: what a node publishes of a file, and reads of a message."""

from __future__ import annotations

import pytest

import robodyn_ros as rd
from robodyn_ros.description.source import read_source, text_document
from robodyn_ros.description.xml_tree import document_text

ROBOT = '<robot name="r"><link name="säule"/></robot>'
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-le", "iso-8859-1", "windows-1252")


def declared(encoding: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding.removesuffix("-sig")}"?>\n{ROBOT}'


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_a_file_of_any_encoding_becomes_text_that_loads(tmp_path, encoding):
    file = tmp_path / "r.urdf"
    file.write_bytes(declared(encoding).encode(encoding))
    text = document_text(read_source(str(file)))
    assert text.strip() == ROBOT
    assert rd.load(text, compile="off").model.body_names == ("säule",)
    assert rd.load(file, compile="off").model.body_names == ("säule",)


@pytest.mark.parametrize("encoding", ["UTF-8", "ISO-8859-1", "UTF-16", "no-such-encoding"])
def test_a_declared_encoding_means_nothing_in_a_text(encoding):
    document = text_document(declared(encoding))
    assert rd.load(document.data, compile="off").model.body_names == ("säule",)


@pytest.mark.parametrize("before", ["\ufeff", "\n", "\ufeff\n", "\n\ufeff", " \ufeff \n"])
@pytest.mark.parametrize("kind", [str, bytes])
def test_blanks_and_marks_before_the_declaration(before, kind):
    text = before + declared("utf-8")
    source = text if kind is str else text.encode()
    assert rd.load(source, compile="off").model.body_names == ("säule",)


def test_a_text_is_never_a_path(tmp_path):
    with pytest.raises(rd.DescriptionError):
        rd.load(text_document("no/such/file.urdf").data)
