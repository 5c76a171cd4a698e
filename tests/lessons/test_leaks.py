"""The search for leaks: what every call leaves behind is one, what the first calls leave is not."""

from __future__ import annotations

import pytest

from ffi_cookbook_lessons.box.leaks import searcher

REPEAT = 20


def blocks_left(keep: int, calls: int) -> int:
    """Return the leak that is found where the first `calls` keep `keep` objects in ten calls."""
    called = blocks = 0

    def call() -> None:
        nonlocal called, blocks
        called += 1
        blocks += called <= calls and called % 10 < keep

    search = searcher(heap=lambda: 0, blocks=lambda: blocks, collect=lambda: None)
    return int(search(call, REPEAT, [])[0])


@pytest.mark.parametrize("keep", [1, 9, 10])
def test_a_cache_that_fills_in_the_first_calls(keep: int) -> None:
    """From nine objects in ten calls on, growth counts as a leak."""
    assert blocks_left(keep, 100) < 0.9 * REPEAT


@pytest.mark.parametrize("keep", [9, 10])
def test_what_every_call_keeps(keep: int) -> None:
    assert blocks_left(keep, 10**6) == keep * REPEAT / 10
