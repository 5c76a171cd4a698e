"""The search for leaks: what every call leaves behind is one, what the first calls leave is not."""

from __future__ import annotations

import sys
import threading
import types
from typing import Any

import pytest

from lessons.process import BOX

REPEAT = 20


def blocks_left(keep: int, calls: int, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return the leak that is found where the first `calls` keep `keep` objects in ten calls."""
    monkeypatch.syspath_prepend(str(BOX))
    for module, name in ((sys, "unraisablehook"), (threading, "excepthook")):
        monkeypatch.setattr(module, name, getattr(module, name))  # which the server replaces
    import child

    called = blocks = 0

    def call() -> None:
        nonlocal called, blocks
        called += 1
        blocks += called <= calls and called % 10 < keep

    server: Any = child.Server(None, types.ModuleType("drive"), lambda function, arguments: 0)
    server.blocks, server.heap, server.collect = (lambda: blocks), (lambda: 0), (lambda: None)
    return int(server.leak(call, REPEAT)[0])


@pytest.mark.parametrize("keep", [1, 9, 10])
def test_a_cache_that_fills_in_the_first_calls(keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From nine objects in ten calls on, growth counts as a leak."""
    assert blocks_left(keep, 100, monkeypatch) < 0.9 * REPEAT


@pytest.mark.parametrize("keep", [9, 10])
def test_what_every_call_keeps(keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert blocks_left(keep, 10**6, monkeypatch) == keep * REPEAT / 10
