"""The study of matmul: every step is right, wrong products are found, rounds are compared."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import DOCS
from benchmarks.core.native import beside_kernels
from benchmarks.studies.matmul import STUDY, ladder, large, rates, steps, warm
from benchmarks.studies.matmul.checked import checker
from benchmarks.studies.matmul.core_types import OpenBlas

SOURCES = sorted(path.name for path in steps.HERE.glob("[0-9]_*.c"))


def test_the_ladder_has_all_its_steps() -> None:
    assert [name[:1] for name in SOURCES] == list("1234567")
    assert {step.source.name for step in steps.steps()} == set(SOURCES)
    assert steps.CUDA.exists()
    for path in steps.HERE.glob("[0-9]_*"):
        assert len(path.read_text("utf-8").splitlines()) <= 80, path


@pytest.mark.parametrize("source", SOURCES)
def test_every_step_is_right(source: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for step in (one for one in steps.steps() if one.source.name == source):
        matmul = steps.compiled(step, tmp_path)
        for threads in ("1", "3") if "threads" in source else ("1",):
            monkeypatch.setenv("LADDER_THREADS", threads)
            assert steps.complaints(matmul) == [], step.name


def test_wrong_steps_are_found() -> None:
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


def test_the_cuda_step_compiles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = steps.cuda()
    if said.startswith("neither compiled nor run") and "COOKBOOK_REQUIRE_ALL" not in os.environ:
        pytest.skip(said)
    assert re.match(r"compiles with nvcc \d+\.\d+\.\d+ and `-O3 .+`; it was not run$", said)
    source = steps.CUDA.read_text("utf-8")
    monkeypatch.setattr(steps, "CUDA", tmp_path / "wrong.cu")
    for right, wrong in (("x + col * SIDE", "x + col * NOWHERE"), ("dim3(SIDE, SIDE)", "c")):
        steps.CUDA.write_text(source.replace(right, wrong), "utf-8")
        assert re.match(r"does not compile with nvcc [\d.]+: .*error", steps.cuda(), re.DOTALL)


def test_the_page_has_a_sentence_for_each_step() -> None:
    found = STUDY.read()["steps"]["found"]
    assert [name for name in found["threads"] if name[0].isdigit()] == [
        step.name for step in steps.steps()
    ]
    page = (DOCS / "ladder.md").read_text("utf-8")
    for name in ladder.names(found):
        assert f"<!-- {name}: begin -->\nN = " in page, name


def test_a_share_is_of_the_peak_before_it() -> None:
    samples = {"1 x": [(1.0, 2.0), (4.0, 8.0), (6.0, 20.0)], "2 y": [(6.0, 4.0), (2.0, 4.0)]}
    found = ladder.by_contender({"threads": {"1 x": 1, "2 y": 2}, "samples": {"8": samples}})
    assert found["1 x"]["8"] == ladder.Share(rate=4.0, share=50, low=40, high=50)
    assert found["2 y"]["8"] == ladder.Share(rate=4.0, share=50, low=37.5, high=62.5)


@pytest.fixture(params=["float32", "float64"])
def matrices(request: pytest.FixtureRequest) -> tuple[Any, Any, Any]:
    a, b, out = rates.operands(96, request.param)
    return a, b, np.matmul(a, b, out=out)


def test_a_wrong_element_is_found(matrices: tuple[Any, Any, Any]) -> None:
    a, b, out = matrices
    right = checker(a, b)
    assert right(out)
    for i, j in ((0, 0), (95, 95), (17, 40)):
        for wrong in (out[i, j] + 1, np.nan):
            off = out.copy()
            off[i, j] = wrong
            assert not right(off)


def test_the_kernels_alone_are_right(
    matrices: tuple[Any, Any, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    a, b, out = matrices
    right = checker(a, b)
    source = warm.HERE / "warm.c"
    for build in (lambda folder: beside_kernels(source, folder), warm.rust):
        try:
            library = build(tmp_path_factory.mktemp("warm"))
        except ImportError:
            assert build is warm.rust
            continue
        out[:] = 0
        assert warm.timed(library, a, b, out)() > 0
        assert right(out)


@pytest.mark.parametrize("offset", [0, 16])
def test_operands_have_the_offset_asked_for(matrices: tuple[Any, Any, Any], offset: int) -> None:
    placed = warm.placed
    for array in (*matrices, matrices[0][:5, :7].copy()):
        copy = placed(array, offset)
        assert copy.ctypes.data % 64 == offset
        assert np.array_equal(copy, array)
        assert copy.flags.c_contiguous


def test_a_contender_multiplies_and_ends(tmp_path: Path) -> None:
    process = OpenBlas("Haswell")
    try:
        assert process.rate(64, "float64") > 0
        a, b, out = rates.operands(64, "float64")
        found = process.save(64, "float64", tmp_path / "product.npy")
    finally:
        process.end()
    assert checker(a, b)(found)
    np.testing.assert_allclose(found, np.matmul(a, b, out=out), atol=1e-12)


def test_a_contender_whose_process_ends_does_not_run() -> None:
    process = OpenBlas("Haswell")  # another core type would end by an illegal instruction
    process._process.kill()
    assert not process.runs()
    process.end()


def test_comparisons_are_round_by_round() -> None:
    samples = {"C": [(3.0, 9.0), (8.0, 9.0)], "NumPy": [(1.0, 9.0), (4.0, 9.0)]}
    assert rates.ratios(samples, "NumPy") == [3.0, 2.0]
    assert large.floor([0.9, 1.0, 1.0, 1.0, 1.02]) == 0.0
    assert large.floor([0.9, 0.9, 1.0, 1.02, 1.02]) == pytest.approx(0.1)


def test_behind_is_what_noise_does_not_explain() -> None:
    """A library that is 5 % faster is ahead if C repeats to 1 %, but not if it repeats to 10 %."""

    def said(off: float) -> str:
        samples = {
            "C": [(95.0, 100.0)] * 5,
            "C again": [(95.0 * (1 + off), 100.0)] * 5,
            "NumPy": [(100.0, 100.0)] * 5,
        }
        return large.show({"rates": {"float32": {"1000": samples}}, "best": {}}, [])

    assert "C meets it in 1 of 1 rows" in said(0.01)
    assert "(met in 0 of 1)" in said(0.01)
    assert "(met in 1 of 1)" in said(0.1)


def test_the_goal_is_for_our_warm_aligned_kernels() -> None:
    samples = {"C": [(96.0, 100.0)] * 3, "C, as NumPy aligns": [(99.0, 100.0)] * 3}
    said = warm.show({"float32": {"8": samples, "32": samples}}, [])
    assert "met in 1 of 1 cells" in said
    assert "| 8 | 11 ns | 10 ns |" in said
