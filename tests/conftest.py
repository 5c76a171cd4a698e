"""Shared by all tests: the bindings, the data, and a summary of what was missing.

`COOKBOOK_DATA` names a folder of real rank files, texts and records; without it the tests use
generated data. `COOKBOOK_REQUIRE_ALL`, set under CI, turns a missing binding into a failure.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ffi_cookbook.tokenizer import sample_texts, save_tiktoken, train
from support.backends import KERNELS, NATIVE, PARTS, REFERENCES, absent, binding
from support.rank_files import DATA, RANK_FILES, Formats, RankFile
from support.vocabularies import ENCODINGS, Vocabulary, vocabulary

sys.path.append(str(Path(__file__).parents[1]))  # the benchmark, after the installed packages


def pytest_configure(config: pytest.Config) -> None:
    """Register the marks, and let processes be interrupted.

    A process that a shell starts in the background ignores Ctrl-C, and so would the tests'
    processes.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    part = "part(name, kernels=False, native=False): the part of a backend under test"
    config.addinivalue_line("markers", part)
    config.addinivalue_line("markers", "full: a long sweep that only `nox -s tests_full` runs")
    config.addinivalue_line("markers", "real_data: may read COOKBOOK_DATA; set by conftest")


def pytest_itemcollected(item: pytest.Function) -> None:
    """Mark each test that reads the real data, through a fixture or its module's imports."""
    names = {*item.fixturenames, *vars(item.module)}
    if names & {"data", "words", "rank_file", "vocabulary", "DATA"}:
        item.add_marker("real_data")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test marked `@pytest.mark.part("matmul")` once for each binding that has the part.

    The test receives the binding as `backend`. `kernels=True` runs a test of values, which no glue
    touches, once for each implementation of the kernels: in C, Rust and Python.
    `native=True` leaves out those in Python.
    """
    if "backend" not in metafunc.fixturenames:
        return
    mark = metafunc.definition.get_closest_marker("part")
    assert mark is not None, "a test of a backend says which part of it: pytest.mark.part(...)"
    left_out = set()
    if mark.kwargs.get("kernels"):
        left_out |= {*NATIVE} - {*KERNELS}
    if mark.kwargs.get("native"):
        left_out |= {*REFERENCES}
    names = [name for name in PARTS[mark.args[0]] if name not in left_out]
    metafunc.parametrize("backend", names, indirect=True)


@pytest.fixture
def backend(request: pytest.FixtureRequest) -> ModuleType:
    """Return each binding in turn."""
    return binding(request.param)


@pytest.fixture(scope="session")
def data() -> Path | None:
    """Return the folder of real data, or None."""
    folder = os.environ.get("COOKBOOK_DATA")
    if not folder:
        absent.add("real rank files, texts and records (set COOKBOOK_DATA)")
        return None
    return Path(folder)


@pytest.fixture(autouse=True, scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Redirect the cache of models away from the user's own."""
    os.environ.setdefault("COOKBOOK_CACHE", str(tmp_path_factory.mktemp("cache")))


@pytest.fixture(params=ENCODINGS)
def words(request: pytest.FixtureRequest) -> Vocabulary:
    """Return the vocabulary of each encoding in turn."""
    return vocabulary(request.param)


@pytest.fixture(scope="session")
def sample() -> dict[bytes, int]:
    """Return a small vocabulary, trained here."""
    return train(sample_texts(200_000), 1500, "gpt2")


@pytest.fixture(scope="module", params=RANK_FILES if DATA else ["sample"])
def rank_file(
    request: pytest.FixtureRequest,
    sample: dict[bytes, int],
    tmp_path_factory: pytest.TempPathFactory,
) -> RankFile:
    """Return each real rank file if COOKBOOK_DATA is set, else the trained one."""
    if DATA:
        return RankFile(Path(DATA) / request.param, *RANK_FILES[request.param])
    path = tmp_path_factory.mktemp("ranks") / "sample.tiktoken"
    save_tiktoken(sample, path)
    return RankFile(path, "o200k", len(sample) + 7)


@pytest.fixture
def every_format(sample: dict[bytes, int], tmp_path: Path) -> Formats:
    """Return the trained vocabulary in every format."""
    return Formats(sample, tmp_path)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Send what was missing in a worker of pytest-xdist to the process that prints the summary."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["absent"] = sorted(absent)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Receive what was missing in a worker that has ended."""
    absent.update(getattr(node, "workeroutput", {}).get("absent", ()))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Print what was missing."""
    for thing in sorted(absent):
        terminalreporter.write_line(f"absent: {thing}", yellow=True)
