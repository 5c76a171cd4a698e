"""The study of matmul's limits finds wrong products and compares contenders round by round."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest


@pytest.fixture(params=["float32", "float64"])
def matrices(request: pytest.FixtureRequest) -> tuple[Any, Any, Any]:
    a, b, out = import_module("rates").operands(96, request.param)
    return a, b, np.matmul(a, b, out=out)


def test_a_wrong_element_is_found(matrices: tuple[Any, Any, Any]) -> None:
    a, b, out = matrices
    right = import_module("limits.checked").checker(a, b)
    assert right(out)
    for i, j in ((0, 0), (95, 95), (17, 40)):
        for wrong in (out[i, j] + 1, np.nan):
            off = out.copy()
            off[i, j] = wrong
            assert not right(off)


def test_the_kernels_alone_are_right(
    matrices: tuple[Any, Any, Any], tmp_path_factory: pytest.TempPathFactory
) -> None:
    warm, (a, b, out) = import_module("limits.warm"), matrices
    right = import_module("limits.checked").checker(a, b)
    for build in (warm.c, warm.rust):
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
    placed = import_module("limits.warm").placed
    for array in (*matrices, matrices[0][:5, :7].copy()):
        copy = placed(array, offset)
        assert copy.ctypes.data % 64 == offset
        assert np.array_equal(copy, array)
        assert copy.flags.c_contiguous


def test_a_contender_multiplies_and_ends(tmp_path: Path) -> None:
    rates = import_module("rates")
    process = import_module("limits.core_types").OpenBlas("Haswell")
    try:
        assert process.rate(64, "float64") > 0
        a, b, out = rates.operands(64, "float64")
        found = process.save(64, "float64", tmp_path / "product.npy")
    finally:
        process.end()
    assert import_module("limits.checked").checker(a, b)(found)
    np.testing.assert_allclose(found, np.matmul(a, b, out=out), atol=1e-12)


def test_comparisons_are_round_by_round() -> None:
    pages = import_module("limits.pages")
    samples = {"C": [(3.0, 9.0), (8.0, 9.0)], "NumPy": [(1.0, 9.0), (4.0, 9.0)]}
    assert pages.against(samples, "NumPy") == [3.0, 2.0]
    assert pages.floor([0.9, 1.0, 1.0, 1.0, 1.02]) == 0.0
    assert pages.floor([0.9, 0.9, 1.0, 1.02, 1.02]) == pytest.approx(0.1)


def test_behind_is_what_noise_does_not_explain() -> None:
    """A library that is 5 % faster is ahead if C repeats to 1 %, but not if it repeats to 10 %."""
    pages = import_module("limits.pages")

    def said(off: float) -> str:
        samples = {
            "C": [(95.0, 100.0)] * 5,
            "C again": [(95.0 * (1 + off), 100.0)] * 5,
            "NumPy": [(100.0, 100.0)] * 5,
        }
        return "\n".join(pages._large({"float32": {"1000": samples}}))

    assert "C has in 1 of 1 rows" in said(0.01)
    assert "which is so in 0 of 1" in said(0.01)
    assert "which is so in 1 of 1" in said(0.1)


def test_the_goal_is_for_our_warm_aligned_kernels() -> None:
    pages = import_module("limits.pages")
    samples = {"C": [(96.0, 100.0)] * 3, "C, as NumPy aligns": [(99.0, 100.0)] * 3}
    said = "\n".join(pages._alone({"float32": {"8": samples, "32": samples}}))
    assert "so in 1 of 1 cells" in said
    assert "| 8 | 11 ns | 10 ns |" in said


def test_the_page_says_what_was_measured() -> None:
    page = import_module("ladder.pages").PAGE.read_text("utf-8")
    summary = import_module("limits.pages")
    figures = import_module("json").loads(summary.DATA.read_text("utf-8"))
    assert f"<!-- limits: begin -->\n{summary.summary(figures)}\n<!-- limits: end -->" in page
