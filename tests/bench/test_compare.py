"""A comparison of two runs names what changed and nothing else."""

from __future__ import annotations

import argparse
import copy
from io import StringIO
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from rich.console import Console

import ffi_cookbook
from benchmarks.core import machine
from benchmarks.ledger import command, compare, storage
from benchmarks.ledger.options import parse


@pytest.fixture
def document(results: Any) -> Any:
    return storage.as_json(results)


def test_a_run_equals_itself(document: Any) -> None:
    assert compare.changes(document, document) == []
    assert compare.only_once(document, document) == []


@pytest.mark.parametrize("contender", ["capi", "cython", "ctypes idiomatic"])
def test_a_slower_cell_is_named(document: Any, contender: str) -> None:
    then = copy.deepcopy(document)
    for row in document["benchmarks"]:
        if (row["group"], row["param"]) == ("pattern str_in", contender):
            row["extra_info"]["rounds"] = [[2e-8] * 3] * 3
    (change,) = compare.changes(document, then)
    assert (change.instrument, change.group, change.contender) == (
        "ns",
        "pattern str_in",
        contender,
    )
    assert str(change).startswith(f"pattern str_in [{contender}]: ")
    assert compare.Gate.parse("ns:10%").stopped([change]) == [change]
    assert compare.Gate.parse("instr:1%").stopped([change]) == []
    (back,) = compare.changes(then, document)
    assert compare.Gate.parse("ns:10%").stopped([back]) == []


def test_one_instruction_more_is_a_change_and_two_percent_stop_the_gate(document: Any) -> None:
    then = copy.deepcopy(document)
    cell = document["instructions"]["add_int"]["nanobind"]
    gate = compare.Gate.parse("instr:1%")
    cell["gross"] += 1
    (change,) = compare.changes(document, then)
    assert (change.group, change.contender, change.after - change.before) == (
        "add_int",
        "nanobind",
        1,
    )
    assert gate.stopped([change]) == []
    cell["gross"] += 2
    (change,) = compare.changes(document, then)
    assert gate.stopped([change]) == [change]


def test_what_cannot_be_compared_is_refused(document: Any) -> None:
    now = machine.facts()
    compare.refuse(None, now)
    compare.refuse(document, now, document["backends"], uncounted="")
    for name, other in (("python_version", "3.14.0"), ("processor", "Z80"), ("numpy", "1.26.0")):
        with pytest.raises(compare.NotComparable, match=rf"{name}: .* then, {other} now"):
            compare.refuse(document, {**now, name: other})
    newer = copy.deepcopy(document["backends"])
    newer["capi"]["about"]["compiler"] = "gcc 99"
    with pytest.raises(compare.NotComparable, match="capi: gcc then, gcc 99 now"):
        compare.refuse(document, now, newer)


def test_other_work_is_refused(document: Any) -> None:
    now = machine.facts()
    assert document["effort"] == "usual"
    for effort in ("usual", "full"):
        compare.refuse(document, now, work={"effort": effort, "inputs": document["inputs"]})
    with pytest.raises(compare.NotComparable, match="effort: usual then, quick now"):
        compare.refuse(document, now, work={"effort": "quick"})
    with pytest.raises(compare.NotComparable, match=r"inputs: .* then, .*a novel"):
        compare.refuse(document, now, work={"inputs": {"tokenizer": "a novel"}})
    assert compare.works(parse([]))
    assert not compare.works(parse(["--kernel", "patterns,matmul"]))


def test_a_gate_without_its_instrument_is_refused(document: Any) -> None:
    now = machine.facts()
    with pytest.raises(compare.NotComparable, match="cannot be counted here: valgrind not found"):
        compare.refuse(document, now, uncounted="valgrind not found")
    with pytest.raises(compare.NotComparable, match="the saved run has no counts"):
        compare.refuse({**document, "instructions": {}}, now, uncounted="")


def test_noise_is_not_a_change(document: Any) -> None:
    draw = np.random.default_rng(3)

    def again() -> Any:
        rows = [
            {
                "group": f"pattern {i}",
                "param": "capi",
                "extra_info": {"rounds": sample(draw)},
            }
            for i in range(50)
        ]
        return {"benchmarks": rows, "instructions": {}, "floor": (1e-9, 0.01)}

    alarms = sum(len(compare.changes(again(), again())) for _ in range(10))
    assert alarms <= 2  # of 500


def sample(draw: Any) -> list[list[float]]:
    means = draw.normal(1e-7, 1e-9, (6, 1))
    return (means + draw.normal(0, 1e-9, (6, 7))).tolist()  # type: ignore[no-any-return]


def test_a_gate_misses_cells_that_were_asked_for(document: Any) -> None:
    options = parse([])
    assert compare.gone(document, document, options) == []
    less = {**document, "benchmarks": document["benchmarks"][1:]}
    (first, *_) = document["benchmarks"]
    assert compare.gone(less, document, options) == [f"{first['group']} [{first['param']}]"]
    binding = first["param"].split()[0]
    others = ",".join(name for name in ffi_cookbook.names() if name != binding)
    assert compare.gone(less, document, parse(["--only", others])) == []


def test_a_quick_run_does_not_miss_the_variants(document: Any) -> None:
    group, rows = "pattern add_int", document["benchmarks"]
    variant = {**rows[0], "group": group, "param": "capi idiomatic"}
    then = {**document, "benchmarks": [*rows, variant]}
    assert compare.gone(document, then, parse([])) == [f"{group} [capi idiomatic]"]
    assert compare.gone(document, then, parse(["--quick"])) == []


def test_a_gate_of_counts_misses_the_counts_that_were_asked_for(document: Any) -> None:
    less = copy.deepcopy(document)
    del less["instructions"]["add_int"]["capi"]
    document["instructions"]["add_int"]["cffi fast"] = {"instructions": 9.0, "gross": 9.0}
    asked = ["--compare", "main", "--gate", "instr:1%"]
    missed = ["the count of add_int [capi]"]
    assert compare.gone(less, document, parse(asked)) == missed
    assert len(compare.gone(less, document, parse([*asked, "--full"]))) == 2
    assert compare.gone(document, less, parse(asked)) == []
    assert compare.gone(less, document, parse([*asked[:3], "ns:1%"])) == []
    for part in (["--only", "cffi"], ["--row", "noop"]):
        assert compare.gone(less, document, parse([*asked, *part])) == []


def test_a_row_that_was_removed_since_is_missed(document: Any) -> None:
    (timed,) = [
        one
        for one in document["benchmarks"]
        if (one["group"], one["param"]) == ("pattern noop", "capi")
    ]
    removed = {**timed, "group": "pattern nothing_else"}
    counts = {**document["instructions"], "nothing_else": {"capi": {"gross": 9.0}}}
    then = {**document, "benchmarks": [*document["benchmarks"], removed], "instructions": counts}
    asked = ["--compare", "main", "--gate", "instr:1%"]
    missed = ["pattern nothing_else [capi]", "the count of nothing_else [capi]"]
    assert compare.gone(document, then, parse(asked)) == missed
    assert compare.gone(document, then, parse([*asked, "--row", "noop"])) == []


@pytest.mark.parametrize("gate", ["instr:1%", "ns:10%"])
def test_a_gate_that_compares_nothing_does_not_pass(document: Any, gate: str) -> None:
    def of(row: str) -> dict[str, Any]:
        timed = [one for one in document["benchmarks"] if one["group"] == f"pattern {row}"]
        counts = {row: document["instructions"][row]}
        return {**document, "benchmarks": timed, "instructions": counts}

    options = parse(["--compare", "main", "--gate", gate, "--row", "int_in"])
    screen = Console(file=StringIO(), width=100)
    assert command.compared(of("int_in"), of("int_in"), options, screen) == 0
    assert command.compared(of("int_in"), of("noop"), options, screen) == 2
    assert "has no cell in common with main" in screen.file.getvalue()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--gate", "instr:1%", "--kernel", "matmul"), "--gate instr needs --kernel patterns"),
        (("--gate", "ns:1%", "--check"), "--check times nothing"),
    ],
    ids=str,
)
def test_a_gate_of_what_is_not_measured_is_refused(
    arguments: Any, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        parse(["--compare", "main", *arguments])
    assert complaint in capsys.readouterr().err


def test_a_binding_that_was_timed_and_not_counted_is_refused(document: Any) -> None:
    then = copy.deepcopy(document)
    for counts in then["instructions"].values():
        del counts["torch"]
    asked = ["--compare", "main", "--gate", "instr:1%"]
    with pytest.raises(compare.NotComparable, match="no counts of torch: save it again by a name"):
        compare.refuse_uncounted(then, parse(asked))
    compare.refuse_uncounted(None, parse([]))
    compare.refuse_uncounted(then, parse(asked[:2]))
    compare.refuse_uncounted(then, parse([*asked, "--only", "capi"]))
    then["benchmarks"] = [row for row in then["benchmarks"] if row["param"] != "torch"]
    compare.refuse_uncounted(then, parse(asked))


@pytest.mark.parametrize(
    "text", ["instr", "instr:1", "time:1%", "", "ns:x%", "ns:nan%", "ns:-1%", "ns:inf%"]
)
def test_a_malformed_gate_is_refused(text: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match="write instr:1%"):
        compare.Gate.parse(text)


def test_the_last_run_of_a_name_is_loaded(results: Any, tmp_path: Any, document: Any) -> None:
    for number, name in enumerate(("main", "main", "not_main")):
        options = SimpleNamespace(kernel=["patterns"], folder=tmp_path, save=name)
        storage.save(results, {**document, "number": number}, options)
    assert compare.load("main", tmp_path)["number"] == 1
    assert compare.load(str(tmp_path / "bench" / "latest.json"), tmp_path)["number"] == 2
    with pytest.raises(FileNotFoundError, match="no run was saved as none"):
        compare.load("none", tmp_path)
