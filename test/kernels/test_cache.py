"""The cache returns what was stored or nothing, and trusts only a private directory."""

from __future__ import annotations

import logging
import os
import stat

import pytest

from robodyn_ros.errors import CompilationError
from robodyn_ros.kernels import cache as cache_module
from robodyn_ros.kernels import notice
from robodyn_ros.kernels.cache import Cache
from robodyn_ros.kernels.compiled import CompiledKernel
from robodyn_ros.kernels.signature import Signature

KERNEL = CompiledKernel(
    Signature("name", (("q", (7,)), ("s", ())), (("y", (2, 3)),)), bytes(range(256)) * 9, 4, 17
)


@pytest.fixture(autouse=True)
def _nothing_said(monkeypatch):
    monkeypatch.setattr(notice, "_said", set())


@pytest.fixture
def cache(tmp_path):
    return Cache(tmp_path / "deep" / "kernels")


def stored(cache):
    return sorted(path.name for path in cache.directory.iterdir())


def test_what_was_stored_comes_back(cache):
    assert cache.get("key") is None
    cache.put("key", KERNEL)
    assert cache.get("key") == KERNEL
    assert cache.get("other") is None
    assert stored(cache) == ["key.kernel"]


def test_directory_and_files_are_private(cache):
    old = os.umask(0)
    try:
        cache.put("key", KERNEL)
    finally:
        os.umask(old)
    assert stat.S_IMODE(cache.directory.stat().st_mode) == 0o700
    assert stat.S_IMODE((cache.directory / "key.kernel").stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "damage",
    [
        lambda content: content[:-1],
        lambda content: content[:40],
        lambda content: b"",
        lambda content: content + b"\0",
        lambda content: content[:-5] + b"XXXXX",
        lambda content: b"another kernel format" + content,
        lambda content: content.replace(b'"width": 4', b'"width": 8'),
    ],
)
def test_damaged_files_count_as_absent_and_are_replaced(cache, damage):
    cache.put("key", KERNEL)
    path = cache.directory / "key.kernel"
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(CompilationError, match="damaged"):
        CompiledKernel.from_bytes(path.read_bytes())
    assert cache.get("key") is None
    cache.put("key", KERNEL)
    assert cache.get("key") == KERNEL


@pytest.mark.parametrize("mode", [0o770, 0o707, 0o777])
def test_directory_that_others_can_write_is_refused_with_one_warning(cache, caplog, mode):
    cache.put("key", KERNEL)
    cache.directory.chmod(mode)
    with caplog.at_level(logging.WARNING):
        assert cache.get("key") is None
        cache.put("other", KERNEL)
        assert cache.get("key") is None
    warnings = [r.getMessage() for r in caplog.records if "chmod 700" in r.getMessage()]
    assert len(warnings) == 1
    assert str(cache.directory) in warnings[0]
    assert stored(cache) == ["key.kernel"]


def test_directory_of_another_user_is_refused(cache, caplog, monkeypatch):
    cache.put("key", KERNEL)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    assert cache.get("key") is None
    assert "must belong to this user" in caplog.text


def test_links_are_not_followed(cache, tmp_path):
    cache.put("key", KERNEL)
    link = tmp_path / "link"
    link.symlink_to(cache.directory)
    assert Cache(link).get("key") is None
    (cache.directory / "linked.kernel").symlink_to(cache.directory / "key.kernel")
    assert cache.get("linked") is None


def test_unusable_directory_costs_one_warning(tmp_path, caplog):
    blocker = tmp_path / "file"
    blocker.write_text("in the way")
    cache = Cache(blocker / "kernels")
    for _ in range(2):
        cache.put("key", KERNEL)
        assert cache.get("key") is None
    assert caplog.text.count("cannot be kept") == 1


def test_failed_write_leaves_nothing_behind(cache, monkeypatch, caplog):
    cache.put("key", KERNEL)

    def fail(*args, **kwargs):
        raise OSError("no space left")

    monkeypatch.setattr(os, "rename", fail)
    cache.put("other", KERNEL)
    assert stored(cache) == ["key.kernel"]
    assert "no space left" in caplog.text


def test_longest_unused_go_first(cache, monkeypatch):
    monkeypatch.setattr(cache_module, "KEPT", 3)
    for number in range(3):
        cache.put(f"k{number}", KERNEL)
        os.utime(cache.directory / f"k{number}.kernel", (number, number))
    assert cache.get("k0") == KERNEL
    cache.put("k3", KERNEL)
    assert stored(cache) == ["k0.kernel", "k2.kernel", "k3.kernel"]


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({"XDG_CACHE_HOME": "/x/cache", "HOME": "/home/u"}, "/x/cache/robodyn_ros"),
        ({"XDG_CACHE_HOME": "relative", "HOME": "/home/u"}, "/home/u/.cache/robodyn_ros"),
        ({"XDG_CACHE_HOME": "", "HOME": "/home/u"}, "/home/u/.cache/robodyn_ros"),
        ({"HOME": "/home/u"}, "/home/u/.cache/robodyn_ros"),
        ({"HOME": ""}, None),
        ({}, None),
    ],
)
def test_default_place(monkeypatch, environment, expected):
    for name in ("XDG_CACHE_HOME", "HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    cache = Cache.default()
    assert (None if cache is None else str(cache.directory)) == expected
