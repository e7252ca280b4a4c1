"""A stored kernel is found again only where nothing that matters has changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from robodyn_ros.kernels import key as key_module
from robodyn_ros.kernels.key import kernel_key, source_digest
from robodyn_ros.kernels.target import Target


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Make a package of two files and return its folder."""
    folder = tmp_path / "traced_package"
    (folder / "inner").mkdir(parents=True)
    for name in ("__init__.py", "inner/__init__.py"):
        (folder / name).write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    return folder


def fresh_digest():
    source_digest.cache_clear()
    return source_digest("traced_package")


def test_same_content_same_key():
    target = Target.host()
    assert kernel_key("x", ["robodyn_ros.spatial"], target) == kernel_key(
        "x", ["robodyn_ros.spatial"], target
    )


@pytest.mark.parametrize(
    "change",
    [
        lambda c, r, t: ("y", r, t),
        lambda c, r, t: (c, [*r, "robodyn_ros.spatial"], t),
        lambda c, r, t: (c, r, replace(t, cpu="another")),
        lambda c, r, t: (c, r, replace(t, features=t.features + ",+new")),
        lambda c, r, t: (c, r, replace(t, triple="aarch64-unknown-linux-gnu")),
        lambda c, r, t: (c, r, replace(t, width=2 * t.width)),
        lambda c, r, t: (c, r, replace(t, layout=replace(t.layout, kind=24))),
    ],
)
def test_any_change_changes_the_key(change):
    given = ("x", ["robodyn_ros.joints"], Target.host())
    assert kernel_key(*given) != kernel_key(*change(*given))


@pytest.mark.parametrize("distribution", ["casadi", "llvmlite"])
def test_other_versions_change_the_key(monkeypatch, distribution):
    before = kernel_key("x", [], Target.host())
    real = key_module._version
    monkeypatch.setattr(
        key_module, "_version", lambda name: "0.0" if name == distribution else real(name)
    )
    key_module._versions.cache_clear()
    try:
        assert kernel_key("x", [], Target.host()) != before
    finally:
        key_module._versions.cache_clear()


def test_digest_follows_contents_and_names_of_all_sources(package):
    digests = [fresh_digest()]
    (package / "inner" / "a.py").write_text("x = 1\n")
    digests.append(fresh_digest())
    (package / "inner" / "a.py").write_text("x = 2\n")
    digests.append(fresh_digest())
    (package / "inner" / "a.py").rename(package / "inner" / "b.py")
    digests.append(fresh_digest())
    assert len(set(digests)) == 4
    (package / "notes.txt").write_text("no source")
    assert fresh_digest() == digests[-1]
