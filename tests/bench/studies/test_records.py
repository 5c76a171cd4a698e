"""The study of readers checks what is decoded, ours and others', and shows what was measured."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import ffi_cookbook
from benchmarks import ROOT
from benchmarks.core.native import compiler
from benchmarks.studies.records import STUDY, gil, jobs, libraries, loaders, scale
from benchmarks.study import Setting, reached
from support.saved_figures import part, rows


@pytest.fixture
def setting(tmp_path: Path) -> Setting:
    return Setting({"capi": ffi_cookbook.load("capi")}, tmp_path, rounds=2)


@pytest.fixture
def parts() -> dict[str, Any]:
    speeds = {"loop in C": [1e7, 1e7], "capi": [1e7, 9e6], "cython": [3e6, 3e6]}
    package = {"tfrecord": [5e4, 5e4], "capi": [1e7, 9e6], "cython": [3e6, 3e6]}
    pairs = {"capi, one": [1.0, 2.0], "capi, two": [2.0, 3.0], "cython, one": [1.0, 1.0]}
    scan = {"memory read": [1e10, 1e10], "capi": [8e9, 9e9]}
    found = dict.fromkeys(("examples", "tokens", "sequences", "gathers"), speeds)
    loading = {"stream, 1 thread": [1e6, 1e6], "tfrecord": [5e4, 4e4], "WebDataset": [6e3, 5e3]}
    found |= {"package": package, "scan": scan, "threads": pairs}
    found["prefetching"] = pairs
    found["ray"] = {"ffi_cookbook.data.ray": [1e6, 2e6], "ray.data.read_tfrecords": [1e3, 2e3]}
    backends = ("capi", "cython")
    made = {name: part({"speeds": one}, {}, backends) for name, one in found.items()}
    loaded = {"cases": {"260 B, in order": loading}, "held": {"WebDataset": [50.0, 52.0]}}
    made["loading"] = part(loaded, {}, backends)
    return made | {"scale": part({name: [1.5] for name in scale.WANTED}, {}, backends)}


def shown(parts: dict[str, Any], name: str) -> dict[str, list[str]]:
    return rows(STUDY.shown(parts, name))


def test_ratios_are_round_by_round(parts: dict[str, Any]) -> None:
    assert shown(parts, "examples")["capi"] == ["9.50 (9.25–9.75)", "0.95 × (0.93–0.97)"]
    assert shown(parts, "threads") == {
        "two threads": ["of one"], "---": ["--:"], "capi": ["1.75 × (1.62–1.88)"], "cython": ["–"]
    }  # fmt: skip


def test_loaders_have_the_share_of_the_time_in_which_they_hold_the_gil(
    parts: dict[str, Any],
) -> None:
    table = shown(parts, "loading")
    assert table["stream, 1 thread, thousand samples/s"] == ["1,000 (1,000–1,000)", "–"]
    assert table["WebDataset"] == ["0.005 (0.005–0.006)", "51.0 % (50.5–51.5)"]
    assert table["tfrecord"] == ["0.045 (0.042–0.048)", "–"]


def test_who_holds_the_gil_is_found(tmp_path: Path) -> None:
    compiler()  # raises ImportError where there is none
    held = gil.share_held(lambda: sum(range(1000)), 0.05, tmp_path)
    waited = gil.share_held(lambda: time.sleep(0.05), 0.05, tmp_path)
    assert held > 50 > waited


def test_a_missing_contender_has_a_dash(parts: dict[str, Any]) -> None:
    assert shown(parts, "package")["cython"] == ["3.00 (3.00–3.00)", "60.0 × (60.0–60.0)", "–"]
    del parts["examples"]["found"]["speeds"]["loop in C"]
    assert shown(parts, "examples")["capi"] == ["9.50 (9.25–9.75)", "–"]


def test_goals_that_are_reached_are_marked(parts: dict[str, Any]) -> None:
    table = rows(reached(STUDY.goals, parts))
    assert table["Examples, of the loop in C"] == ["≥ 0.97 ×", "0.95", "0.30"]
    assert table["Examples, beside `tfrecord`"] == ["≥ 150 ×", "190 ✓", "60.0"]
    assert table["scan, of the memory read"] == ["≥ 0.80 ×", "0.85 ✓", "–"]
    assert table["gathered, million records/s"] == ["≥ 8.00", "9.50 ✓", "3.00"]


def test_every_part_can_be_missing(parts: dict[str, Any]) -> None:
    assert parts.keys() == STUDY.parts.keys()
    for name in list(parts):
        assert STUDY.shown(parts, name) != "Not measured."
        del parts[name]
        assert STUDY.shown(parts, name) == "Not measured."
        reached(STUDY.goals, parts)


def test_libraries_decode_what_we_do(setting: Setting) -> None:
    assert libraries.libraries(setting).keys() == {"tfrecord", "protobuf"}
    assert setting.absent == setting.wrong == {}


def test_a_library_that_is_wrong_is_found(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = libraries.BASELINES["records"]["protobuf"]

    def wrong(inputs: Any, sample: bool) -> Any:
        job = right(inputs, sample)["records decode"]
        found = job.result()
        found["dense"][7, 3] = np.nextafter(found["dense"][7, 3], np.float32(2))
        return {"records decode": SimpleNamespace(result=lambda: found, names=job.names)}

    monkeypatch.setitem(libraries.BASELINES["records"], "protobuf", wrong)
    assert libraries.libraries(setting).keys() == {"tfrecord"}
    assert setting.wrong.keys() == {"protobuf"}


def test_a_library_that_is_absent_is_named(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    def absent(inputs: Any, sample: bool) -> Any:
        raise ImportError("No module named 'tfrecord'")

    monkeypatch.setitem(libraries.BASELINES["records"], "tfrecord", absent)
    assert libraries.libraries(setting).keys() == {"protobuf"}
    assert setting.absent == {"tfrecord": "No module named 'tfrecord'"}


def test_a_binding_that_is_wrong_is_found(setting: Setting) -> None:
    capi = setting.backends["capi"]

    def gather(data: Any, spans: Any, names: Any, memory: Any, *rest: Any) -> Any:
        done = capi.gather_examples(data, spans, names, memory, *rest)
        memory[0] ^= 1
        return done

    def decode(data: Any, names: Any, memory: Any, *rest: Any) -> Any:
        done = capi.decode_examples(data, names, memory, *rest)
        memory[-1] ^= 1
        memory[0] ^= 1
        return done

    liar = SimpleNamespace(**vars(capi) | {"gather_examples": gather, "decode_examples": decode})
    setting.backends["liar"] = liar
    for part_, complaint in ((jobs.gathers, "gathers"), (jobs.sequences, "decodes")):
        setting.wrong.clear()
        calls = part_(setting)
        assert "capi" in calls
        assert "liar" not in calls
        assert complaint in setting.wrong["liar"]


LOADERS = """
import sys
import time
from pathlib import Path
sys.path.append(sys.argv[1])
from benchmarks.studies.records import loaders
from benchmarks.study import Setting

loaders.SAMPLES = loaders.FEW = 600
loaders.SIZES = {"256 bytes": 64}
setting = Setting({}, Path(sys.argv[2]))
calls = loaders.loaders(setting, 64, False)
shuffled = loaders.loaders(setting, 64, True)
assert not setting.wrong, setting.wrong
assert setting.absent.keys() <= {"mosaicml", "tf_data", "grain"}, setting.absent
wanted = {"stream, 1 thread", "tensors in memory", "HF datasets, Arrow"}
assert shuffled.keys() >= wanted, shuffled
assert calls.keys() >= wanted | {"tfrecord", "WebDataset"}, calls
threads = loaders.threads(setting)
names = "samples of 256 bytes", "counting"
assert threads.keys() == {f"{name}, {number}" for name in names for number in ("one", "two")}
for name, (call, amount) in (calls | shuffled | threads).items():
    assert amount == 600 or "counting" in name
    call()
"""


def test_loaders_hand_out_what_was_written(tmp_path: Path) -> None:
    """In a process of its own: some of the libraries leave files open."""
    command = [sys.executable, "-P", "-W", "ignore", "-c", LOADERS, str(ROOT), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr


def test_a_loader_that_is_wrong_or_absent_is_found(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loaders, "SAMPLES", 4)

    def _twice(folder: Path, x: Any, shuffled: bool) -> Any:
        return {"twice": lambda: iter([(np.arange(3), x[:3]), (np.array([2]), x[3:])])}

    def _sorted(folder: Path, x: Any, shuffled: bool) -> Any:
        return {"sorted": lambda: iter([(np.arange(4), x)])}

    def _streams(folder: Path, x: Any, shuffled: bool) -> Any:
        raise ImportError("No module named 'torch'")

    monkeypatch.setattr(loaders, "_streams", _streams)
    monkeypatch.setattr(loaders, "SOURCES", {_twice: False, _sorted: False})
    assert loaders.loaders(setting, 64, False).keys() == {"sorted"}
    assert loaders.loaders(setting, 64, True) == {}
    assert setting.wrong.keys() == {"twice", "sorted"}
    assert setting.absent == {"streams": "No module named 'torch'"}


def test_the_study_of_scale_reads_every_record(
    setting: Setting, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = {
        "STEPS": 2,
        "WAITED": 2,
        "STEP": 0,
        "SHARDS": 3,
        "SHARD_RECORDS": 70,
        "DRAWS": 1,
        "DRAWN": 100,
    }
    for name, value in small.items():
        monkeypatch.setattr(scale, name, value)
    found = scale.measure(setting)
    assert {name: len(figures) for name, figures in found.items()} == {
        "waited": 2,
        "resident": 1,
        "drawn": 1,
        "plan": 1,
    }
    assert all(figure >= 0 for figures in found.values() for figure in figures)
    assert max(found["waited"]) <= 100
    table = rows(scale.show({name: [1.5] for name in found}, []))
    for one in scale.WANTED.values():
        assert table[one.what] == [f"< {one.below:,}{one.unit}", f"1.50{one.unit}"]
