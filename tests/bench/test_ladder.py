"""Every step of the ladder compiles as its head says and is right on odd sizes."""

from __future__ import annotations

import json
import os
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

LADDER = Path(__file__).parents[2] / "benchmarks" / "ladder"
SOURCES = sorted(path.name for path in LADDER.glob("[0-9]_*.c"))


@pytest.fixture
def steps() -> Any:
    return import_module("ladder.steps")


def test_the_ladder_has_all_its_steps(steps: Any) -> None:
    assert [name[:1] for name in SOURCES] == list("1234567")
    assert {step.source.name for step in steps.steps()} == set(SOURCES)
    assert (LADDER / "8_cuda.cu").exists()
    for path in LADDER.glob("[0-9]_*"):
        assert len(path.read_text("utf-8").splitlines()) <= 80, path


@pytest.mark.parametrize("source", SOURCES)
def test_every_step_is_right(
    source: str, steps: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for step in (one for one in steps.steps() if one.source.name == source):
        matmul = steps.compiled(step, tmp_path)
        for threads in ("1", "3") if "threads" in source else ("1",):
            monkeypatch.setenv("LADDER_THREADS", threads)
            assert steps.complaints(matmul) == [], step.name


def test_wrong_steps_are_found(steps: Any) -> None:
    def off(a: Any, b: Any, out: Any) -> None:
        np.matmul(a, b, out=out)
        out *= np.float32(1.001)

    def beyond(a: Any, b: Any, out: Any) -> None:
        np.matmul(a, b, out=out)
        out.base[-1] = 0

    def adds_zero(a: Any, b: Any, out: Any) -> None:
        np.matmul(a, b, out=out)
        out.base[0] += np.float32(0)

    def lazy(a: Any, b: Any, out: Any) -> None:
        np.matmul(a[:-1], b, out=out[:-1])

    found = steps.complaints(off)
    assert "3x5 @ 5x7: beyond the error bound" in found
    assert "3x5 @ 5x7: written outside the result" in steps.complaints(beyond)
    with np.errstate(invalid="ignore"):
        assert "3x5 @ 5x7: written outside the result" in steps.complaints(adds_zero)
    assert "17x33 @ 33x65: beyond the error bound" in steps.complaints(lazy)


def test_the_cuda_step_compiles(
    steps: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = steps.cuda()
    if said.startswith("neither compiled nor run") and "COOKBOOK_REQUIRE_ALL" not in os.environ:
        pytest.skip(said)
    assert re.match(r"compiles with nvcc \d+\.\d+\.\d+ and `-O3 .+`; it was not run$", said)
    source = steps.CUDA.read_text("utf-8")
    monkeypatch.setattr(steps, "CUDA", tmp_path / "wrong.cu")
    for right, wrong in (("x + col * SIDE", "x + col * NOWHERE"), ("dim3(SIDE, SIDE)", "c")):
        steps.CUDA.write_text(source.replace(right, wrong), "utf-8")
        assert re.match(r"does not compile with nvcc [\d.]+: .*error", steps.cuda(), re.DOTALL)


def test_the_page_says_what_was_measured() -> None:
    pages = import_module("ladder.pages")
    for path, text in pages.written().items():
        assert path.read_text("utf-8") == text, "run: python benchmarks/splice.py"
    figures = json.loads(pages.DATA.read_text("utf-8"))
    page = pages.PAGE.read_text("utf-8")
    steps = import_module("ladder.steps").steps()
    assert [name for name in figures["threads"] if name[0].isdigit()] == [one.name for one in steps]
    for name in (one.name for one in steps if ", -" not in one.name):
        assert f"<!-- ladder {name}: begin -->\nN = " in page, name


def test_a_share_is_of_the_peak_before_it() -> None:
    pages = import_module("ladder.pages")
    samples = {"1 x": [(1.0, 2.0), (4.0, 8.0), (6.0, 20.0)], "2 y": [(6.0, 4.0), (2.0, 4.0)]}
    found = pages.shares({"threads": {"1 x": 1, "2 y": 2}, "samples": {"8": samples}})
    assert found["1 x"]["8"] == pages.Share(rate=4.0, share=0.5, low=0.4, high=0.5)
    assert found["2 y"]["8"] == pages.Share(rate=4.0, share=0.5, low=0.375, high=0.625)
