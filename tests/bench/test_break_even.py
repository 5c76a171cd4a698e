"""The break-even size is the one that was put into the samples; the kernels alone do the work."""

from __future__ import annotations

import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ffi_cookbook
from benchmarks.ledger import calls, rows
from benchmarks.ledger import inputs as made
from benchmarks.ledger.model import crossing, even
from benchmarks.report import even as tables
from support.backends import missing

OVERHEAD = {"capi": 1e-7, "cython": 2e-7, "torch": 1e-3}


@pytest.fixture
def swept(results: Any) -> Any:
    """Return times of kernels with 10 ns a unit of work and bindings with a constant overhead."""
    draw = np.random.default_rng(1)
    beside = even.ALONE + calls.BRIDGE
    for n in even.KERNELS["decode"][0]:
        for _ in range(5):
            samples = {
                name: {"seconds": ((more + n * 1e-8) * draw.normal(1, 1e-4, 7)).tolist()}
                for name, more in {**OVERHEAD, even.ALONE: 0.0, beside: 0.0}.items()
            }
            results.add(f"even decode {n}", samples)
    return results


def test_the_size_of_each_level_is_found(swept: Any) -> None:
    found = crossing.break_even(swept)
    assert set(found) == {"decode"}
    for binding, more in OVERHEAD.items():
        cell = found["decode"][binding]
        assert cell["overhead_s"] == pytest.approx(more, rel=0.01)
        for level, share in (("5%", 0.05), ("1%", 0.01)):
            size, low, high = cell["measured"][level]
            if binding == "torch":  # torch breaks even above the largest size
                assert (size, cell["predicted"][level]) == (None, None)
                continue
            assert size == pytest.approx(more / 1e-8 * (1 / share - 1), rel=0.05)
            assert low <= size <= high
    assert found["decode"]["capi"]["predicted"]["1%"] == pytest.approx(990, rel=0.05)
    assert found["decode"]["cython"]["predicted"]["1%"] == pytest.approx(1980, rel=0.05)


def test_a_run_without_the_sweep_has_no_break_even(results: Any) -> None:
    assert crossing.break_even(results) == {}
    assert tables.even(results) == tables.predictions(results) == []


def test_the_tables_mark_sizes_beyond_the_sweep(swept: Any) -> None:
    swept.model["break_even"] = crossing.break_even(swept)
    (table,) = tables.even(swept)
    cells = {binding: [figure.value for figure in figures] for binding, figures in table.rows}
    assert list(cells) == list(OVERHEAD)
    assert cells["torch"] == [">8192", ">8192"]
    assert cells["capi"][1].endswith(")")
    (kernel, *_) = found = swept.model["break_even"]
    assert not tables.words(found)[0].partition("capi ")[2].startswith("?")
    found[kernel]["capi"]["measured"]["5%"][2] = None
    assert tables.words(found)[0].partition("capi ")[2].startswith("?")
    assert cells["cython"][1].endswith(")")
    swept.model["held_out"] = [
        {"row": row, "backend": "capi", "measured": 50.0, "predicted": 54.0, "near": row != "stamp"}
        for row in rows.HELD_OUT
    ]
    (table,) = tables.predictions(swept)
    assert [figure.value.endswith("!") for figure in table.rows[0][1]] == [
        row == "stamp" for row in table.headings
    ]


@pytest.fixture
def inputs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Make small inputs, and a compiler for the kernels alone."""
    if not shutil.which("cc"):
        missing("a C compiler")
    monkeypatch.delenv("COOKBOOK_DATA", raising=False)
    made.prepare(tmp_path, quick=True)
    return made.load(tmp_path)


def test_the_kernels_alone_do_the_work(inputs: Any) -> None:
    binding = ffi_cookbook.load("ctypes")

    def run(kernel: str, n: int) -> tuple[Any, Any]:
        """Run the kernel alone, and return what it left in memory."""
        contest = even.KERNELS[kernel][1]({"ctypes": binding}, inputs)(n)
        timed = contest.alone.timed
        eval(timed.statement, dict(timed.names))
        return timed.names["kept"], contest

    (a, b, out, *_), _ = run("matmul", 24)
    np.testing.assert_array_equal(out, binding.matmul(a, b))
    (*_, arena, _, table, _, _), contest = run("decode", 16)
    decoded, columns = arena.copy(), table.copy()
    arena[:], table[:, 3] = 0, 0
    exec(contest.statement, contest.names(binding))
    np.testing.assert_array_equal(columns[:, 3], table[:, 3])
    for column in table[table[:, 0] == -1]:  # dense: at least 16 values of 4 bytes
        part = slice(column[1], column[1] + 64)
        np.testing.assert_array_equal(decoded[part], arena[part])
    (_, text, offsets, count, _, ids, *_), contest = run("encode", 4096)
    assert count == contest.calls == 16
    last = contest.names(binding)["f"](text[offsets[-2] :].decode())
    np.testing.assert_array_equal(ids[: len(last)], last)


def test_the_kernels_alone_are_timed_beside_the_backends(
    inputs: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for kernel, (_, jobs) in even.KERNELS.items():
        monkeypatch.setitem(even.KERNELS, kernel, ((0, 1, 16), jobs))
    backends = {name: ffi_cookbook.load(name) for name in ("ctypes", "python")}
    found = dict(even.measure(backends, inputs, 3, 1e-4, random.Random(1)))
    assert len(found) == 9
    for group, samples in found.items():
        assert set(samples) == {"ctypes", even.ALONE}, group
        net = {
            name: min(sample["seconds"]) - min(sample["beside"]) for name, sample in samples.items()
        }
        assert net["ctypes"] > net[even.ALONE] > 0, group
