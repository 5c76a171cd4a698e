"""Costs of a binding other than the time of a call are measured correctly."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any

import pytest

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.ledger import rows as rows_module
from benchmarks.ledger.beyond import allocations, builds, imports, sizes, threads, together
from benchmarks.ledger.beyond import lines as lines_module
from benchmarks.report import beyond as report
from benchmarks.report import table
from support.backends import NATIVE, missing

CODE = {
    "page.c": (
        '#include "a.h" // one\n\n/* two\n   lines */\nint f(void) {\n  // no\n  return 1;\n}\n',
        4,
    ),
    "page.py": (
        '"""Doc."""\n\nX = "# no comment"  # one\n\n\ndef f():\n    """Doc."""\n    return X\n',
        3,
    ),
    "page.pyx": ('"""Doc\nof two."""\ncimport x  # one\n\ncdef int f():\n    return 1\n', 3),
    "page.rs": ("//! Doc.\nuse a::b;\n\n/// Doc.\n#[pyfunction]\nfn f() {} // no\n/* no */\n", 3),
    "CMakeLists.txt": ("# no\n\nproject(a) # no\n", 1),
    "page.md": ("text\n", 0),
}


@pytest.mark.parametrize("name", CODE)
def test_lines_of_code_are_those_without_comments(name: str, tmp_path: Path) -> None:
    text, lines = CODE[name]
    (tmp_path / name).write_text(text)
    assert lines_module.code_lines(tmp_path / name) == lines


@pytest.mark.parametrize("binding", ffi_cookbook.names())
def test_every_page_of_a_backend_has_lines(binding: str) -> None:
    lines = lines_module.count(binding)
    total = lines.pop("total")
    assert total == sum(lines.values())
    assert lines["matmul"] > 0
    if binding != "numpy":
        assert all(lines[page] > 0 for page in ("scalars", "objects", "mixed"))
    if binding in NATIVE:
        assert lines["build"] > 0


def test_a_library_is_stripped_in_a_copy() -> None:
    library = next(
        (Path(ffi_cookbook.__file__).parent / "bindings" / "capi").glob("matmul*.so"), None
    )
    if library is None:
        missing("the capi binding")
    before = library.read_bytes()
    stripped = sizes.stripped(library)
    if stripped is None:
        missing("strip")
    assert 0 < stripped <= len(before)
    assert library.read_bytes() == before


@pytest.mark.parametrize(
    ("path", "own"),
    [
        ("/home/ffi-cookbook/.venv/lib/site-packages/bindings/capi/matmul.so", True),
        ("/home/ffi-cookbook/.venv/lib/site-packages/ffi_cookbook_pyo3/it.so", True),
        ("/home/ffi-cookbook/.venv/lib/site-packages/numpy/core.so", False),
        ("/home/ffi-cookbook/.venv/lib/site-packages/cuda/bindings/driver.so", False),
    ],
)
def test_only_other_packages_are_dependencies(path: str, own: bool) -> None:
    assert sizes.is_own("capi", Path(path)) is own


def test_requirements_are_followed_but_not_into_extras() -> None:
    names = set(sizes.requirements("cffi"))
    assert names == {"cffi", "pycparser"}


def test_a_dropped_file_keeps_its_content(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"x" * 10_000)
    assert imports.dropped(str(path)) in (True, False)  # file systems in memory cannot drop it
    assert path.read_bytes() == b"x" * 10_000


def test_an_import_brings_files_and_takes_time() -> None:
    backends = ("python", "numpy")
    files = imports.brought(backends)
    for binding in backends:
        (own,) = files[binding]
        assert any(path.endswith(f"bindings/{binding}/matmul.py") for path in own)
        assert not any("ffi_cookbook/records/" in path for path in own)
    found = imports.measure(backends, files, imports.Samples(2, 1, 1), random.Random(1))
    for binding in backends:
        assert len(found[binding]["warm"]) == 2
        assert min(found[binding]["warm"]) > 0
        kept = [path for path in own_files(binding, files) if path.name in found[binding]["kept"]]
        assert len(found[binding]["cold"]) == (not kept)


def own_files(binding: str, files: Any) -> list[Path]:
    is_own = sizes.is_own
    return [path for path in map(Path, files[binding][-1]) if is_own(binding, path)]


COUNTED = """
import json, sys
from itertools import repeat
sys.path.append(sys.argv[2])
from benchmarks.ledger.beyond.counting import Counter

def arrays(times):
    for _ in repeat(None, times):
        bytearray(1000)

counter = Counter(json.loads(sys.argv[1]))
counts = [counter.count(run, 10, 10) for run in (lambda times: None, arrays)]
print(json.dumps([list(map(str, count)) for count in counts]))
"""


def preloaded(tmp_path: Path) -> tuple[str, dict[str, str]]:
    library = allocations.built(tmp_path)
    if library is None:
        missing("glibc and a C compiler")
    return str(library), allocations.counting(library)


def test_what_is_allocated_is_counted(tmp_path: Path) -> None:
    library, tell = preloaded(tmp_path)
    said = subprocess.run(
        [sys.executable, "-c", COUNTED, json.dumps(library), str(ROOT)],
        env={**os.environ, **tell},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    nothing, arrays = json.loads(said)
    assert nothing == ["0", "0"]
    assert arrays == ["2", str(sys.getsizeof(bytearray(1000)))]  # the object and its memory


def test_allocations_are_whole_and_the_same_again(tmp_path: Path) -> None:
    preloaded(tmp_path)
    backends = [name for name in ("python", "capi") if name in dict(open_names())]
    found = allocations.measure(backends, tmp_path)
    assert found == allocations.measure(backends, tmp_path)
    for binding in backends:
        assert set(found[binding]) == set(rows_module.ALL)
        for contenders in found[binding].values():
            assert all(
                type(contender[key]) is int
                for contender in contenders.values()
                for key in ("calls", "bytes")
            )
    if "capi" in backends:
        of = {row: found["capi"][row]["capi"] for row in found["capi"]}
        assert of["noop"]["calls"] == of["add_float"]["calls"] == 0
        assert (of["array_out"]["per_byte"], of["array_in"]["per_byte"]) == (1.0, 0.0)
        assert {of[row]["per_byte"] for row in ("array_map", "bytes_map", "stamp")} == {1.0}


def open_names() -> Any:
    found = ffi_cookbook.available().items()
    return [one for one in found if not isinstance(one[1], ffi_cookbook.BackendUnavailable)]


def test_threads_scale_unless_they_wait_for_each_other() -> None:

    def one_at_a_time(lock: Lock = Lock()) -> None:  # noqa: B008
        with lock:
            time.sleep(0.01)

    def speedup(work: Any) -> float:
        times = together.beside([work] * 4, 3, 0.02)
        of = {"threads": 4, **{name: [rounds] for name, rounds in times.items()}}
        return float(threads.speedup(of).value)

    assert speedup(partial(time.sleep, 0.01)) > 2
    assert speedup(one_at_a_time) < 1.5


def test_a_build_without_its_tool_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    found = builds.measure(["python", "capi"])
    assert set(found) == {"capi"}
    assert "cmake" in found["capi"]["reason"]


def test_a_command_is_timed() -> None:
    wall, cpu = builds.clocked([sys.executable, "-c", "sum(range(10**6))"])
    assert wall > 0
    assert cpu > 0
    with pytest.raises(subprocess.CalledProcessError):
        builds.clocked([sys.executable, "-c", "raise SystemExit(3)"])


def measured(binding: str) -> dict[str, Any]:
    times = {"threads": 2, "one": [[1.0, 1.0]], "all": [[1.25, 1.25]]}
    return {
        "lines": lines_module.count(binding),
        "sizes": {"own": {"a.so": [3000, 2000]}, "support": {}, "required": {"t": 7_000_000}},
        "imports": {"warm": [0.002, 0.003], "cold": [], "technology": [2.0], "files": 1},
        "scaling": {"decode": times, "noop_nogil": times},
        "builds": {"cold": [12.0, 20.0], "again": None},
        "allocations": {
            "noop": {binding: {"calls": 0, "bytes": 0, "per_byte": None}},
            "str_in": {binding: {"calls": 2, "bytes": 70, "per_byte": 1.0}},
        },
    }


def test_the_tables_show_what_was_measured(results: Any) -> None:
    assert report.tables(results) == []
    results.beyond = {"capi": measured("capi"), "torch": measured("torch")}
    del results.beyond["capi"]["scaling"], results.beyond["capi"]["builds"]
    json.dumps(results.beyond)
    whole, threads, allocations, copies = report.tables(results)
    rows = {
        binding: dict(zip(whole.headings, figures, strict=True)) for binding, figures in whole.rows
    }
    shown = {heading: figure.value for heading, figure in rows["torch"].items()}
    assert (shown["KB"], shown["loads MB"], shown["needs MB"]) == ("2", "–", "7")
    assert (shown["import ms"], shown["cold ms"]) == ("2.1", "–")
    assert (shown["build s"], shown["again s"]) == ("12", "–")
    assert rows["capi"]["build s"] == table.NONE
    assert [(binding, figures[0].value) for binding, figures in threads.rows] == [("torch", "1.6")]
    assert allocations.headings == ["capi", "torch"]
    assert [name for name, _ in allocations.rows] == ["noop", "str_in"]
    assert [name for name, _ in copies.rows] == ["str_in"]
