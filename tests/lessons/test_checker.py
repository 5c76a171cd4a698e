"""The checker itself: what it trusts, what it forbids, and what it says of a crash."""

from __future__ import annotations

import contextlib
import gc
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ffi_cookbook_lessons.box import values
from ffi_cookbook_lessons.building.job import CONFINED, Job, cache
from ffi_cookbook_lessons.building.scripts import parsed
from ffi_cookbook_lessons.cases import Case, Near, Raises, difference, equal
from ffi_cookbook_lessons.catalogue import Exercise, find
from ffi_cookbook_lessons.grading import grade
from ffi_cookbook_lessons.judging import Judge
from ffi_cookbook_lessons.process import delay
from ffi_cookbook_lessons.rules import sentences

ADD = find("c_api/add")
SOLUTION = ADD.solution


def written(folder: Path, text: str) -> Path:
    """Return a learner's file with that text."""
    path = folder / ADD.file
    path.write_text(text, "utf-8")
    return path


def test_a_poisoned_solution_changes_no_verdict(tmp_path: Path) -> None:
    shutil.copytree(ADD.folder, tmp_path / "3_c_api" / "01_add")
    poisoned = Exercise(tmp_path / "3_c_api" / "01_add")
    poisoned.source.write_text("this is not C", "utf-8")
    assert grade(poisoned, written(tmp_path, SOLUTION)).status == "pass"
    for _, rules, text in ADD.planted():
        finding = grade(poisoned, written(tmp_path, text)).finding
        assert finding is not None
        assert finding.rule in rules


def test_a_crash_hides_no_other_case(tmp_path: Path) -> None:
    crash = "if (a == INT64_MAX) *(volatile int *)4 = 0;\n  if (!__builtin_add"
    text = SOLUTION.replace("if (!__builtin_add", crash)
    line = text[: text.index("if (a ==")].count("\n") + 1
    verdict = grade(ADD, written(tmp_path, text))
    for test in verdict.tests:
        assert test.status == ("fail" if test.name.startswith(f"add({2**63 - 1},") else "pass")
    assert verdict.finding is not None
    assert (verdict.finding.rule, verdict.finding.line) == ("null-dereference", line)


def test_a_crash_in_release_alone_has_its_line(tmp_path: Path) -> None:
    crash = "if (a == INT64_MAX) abort();\n  if (!__builtin_add"
    text = SOLUTION.replace("if (!__builtin_add", crash)
    verdict = grade(ADD, written(tmp_path, text))
    assert verdict.finding is not None
    assert verdict.finding.line == text[: text.index("if (a ==")].count("\n") + 1


def test_the_last_answer_is_no_answer(tmp_path: Path) -> None:
    cached = SOLUTION.replace("add(PyObject", "sum_of(PyObject", 1)
    again = """static PyObject *add(PyObject *module, PyObject *args) {
  static PyObject *last;
  if (last == NULL)
    last = sum_of(module, args);
  return Py_XNewRef(last);
}

static PyMethodDef"""
    verdict = grade(ADD, written(tmp_path, cached.replace("static PyMethodDef", again, 1)))
    assert verdict.finding is not None
    assert verdict.finding.rule == "wrong-answer"


def test_memory_that_is_allocated_once_is_not_a_leak(tmp_path: Path) -> None:
    cache = """  static void *volatile cache;
  static int calls;
  if (++calls == 50)
    cache = malloc(100000);
  long long a, b, sum;
"""
    text = SOLUTION.replace("  long long a, b, sum;\n", cache)
    assert cache in text
    verdict = grade(ADD, written(tmp_path, f"#include <stdlib.h>\n{text}"))
    assert verdict.status == "pass", verdict.finding


def test_a_compiler_fills_no_disk(tmp_path: Path) -> None:
    verdict = grade(ADD, written(tmp_path, f"{SOLUTION}\nchar big[1ull << 30] = {{1}};\n"))
    assert verdict.finding is not None
    assert verdict.finding.rule == "does-not-compile"


def test_an_exception_does_not_stand_for_the_rule_of_a_case() -> None:
    case = Case("f", (), gives=3, rule="gil-held", mistakes=((Raises(OSError), "deadlock"),))
    judge = Judge(ADD.source, counts=False, imports=())
    for kind, rule in (
        ("AttributeError", "unexpected-exception"),
        ("OSError", "deadlock"),
        ("ValueError", "gil-held"),
    ):
        answer = {"raised": [[kind], "", None], "arguments": [], "exported": []}
        assert [finding.rule for finding in judge.faults(case, answer, 0)] == [rule]
    answer = {"value": values.encode(4), "arguments": [], "exported": []}
    assert [finding.rule for finding in judge.faults(case, answer, 0)] == ["gil-held"]


def test_the_rule_of_what_must_be_refused_is_not_that_of_a_stub(tmp_path: Path) -> None:
    exercise = find("ctypes_and_cffi/index")
    path = tmp_path / exercise.file
    path.write_text(exercise.stub, "utf-8")
    finding = grade(exercise, path).finding
    assert finding is not None
    assert finding.rule == "wrong-answer"


@pytest.mark.skipif(sys.platform != "linux", reason="the delay is read from /proc")
def test_the_time_in_which_others_ran_is_known() -> None:
    """Two processes that share a processor each wait about half of the time."""
    spin = "import os\nos.sched_setaffinity(0, {min(os.sched_getaffinity(0))})\nprint(flush=True)"
    command = [sys.executable, "-c", f"{spin}\nwhile True: pass"]
    with contextlib.ExitStack() as stack:
        spinners = []
        for _ in range(2):
            spinners.append(stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE)))
            stack.callback(spinners[-1].kill)
        for spinner in spinners:
            assert spinner.stdout is not None
            spinner.stdout.readline()
        before = [delay(spinner.pid) for spinner in spinners]
        time.sleep(1)
        assert all(
            delay(spinner.pid) - then > 0.2 for spinner, then in zip(spinners, before, strict=True)
        )


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")
def test_the_sandbox_is_complete(tmp_path: Path) -> None:
    assert grade(ADD, written(tmp_path, SOLUTION)).sandbox == ["files", "processes"]


@pytest.mark.skipif(sys.platform != "linux", reason="seccomp is Linux's")
def test_what_may_fork_may_do_nothing_else(tmp_path: Path) -> None:
    exercise = find("patterns/fork")
    path = tmp_path / exercise.file
    for call in ("os.setsid()", "os.setpgid(0, 0)", "os.execv('/bin/true', ['true'])"):
        code = f"if (child := os.fork()) == 0:\n    {call}\n    os._exit(0)\n"
        code += f"assert os.waitpid(child, 0)[1] == {int(signal.SIGSYS)}\n"
        path.write_text(f"{exercise.solution}\n{code}", "utf-8")
        assert grade(exercise, path).status == "pass", call


@pytest.mark.skipif(sys.platform != "linux", reason="Landlock is Linux's")
def test_nothing_outside_can_be_read_or_written(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("", "utf-8")
    for mode, place in (("r", secret), ("w", secret), ("w", tmp_path / "new"), ("w", "here")):
        code = f'#include <stdlib.h>\n__attribute__((constructor)) static void try_it(void) {{ \
if (!fopen("{place}", "{mode}")) abort(); }}\n'
        verdict = grade(ADD, written(tmp_path, f"{SOLUTION}\n#include <stdio.h>\n{code}"))
        assert verdict.status == "fail", (mode, place)


def test_no_link_leads_to_what_is_denied(tmp_path: Path) -> None:
    folder = tmp_path / "lib" / "lessons"
    folder.mkdir(parents=True)
    (folder / "solution.c").write_text("ours")
    (tmp_path / "lib" / "other").write_text("another's")
    (tmp_path / "lib64").symlink_to("lib")
    limits = {"allowed": ["/usr", "/lib", "/lib64", str(tmp_path)], "denied": str(folder)}
    command = [sys.executable, "-I", "-S", CONFINED, json.dumps({**limits, "writable": []})]

    def printed(path: str, program: str = "cat") -> bytes:
        words = [*command, f"/usr/bin/{program}", f"{tmp_path}/{path}"]
        return subprocess.run(words, capture_output=True).stdout

    assert printed("lib64/other") == b"another's"
    assert printed("lib/other") == b"another's"
    assert printed("lib/lessons/solution.c") == b""
    assert printed("lib64/lessons/solution.c") == b""
    assert b"other" in printed("lib", "ls"), "Python lists a folder to find a module"


@pytest.mark.parametrize(
    "line",
    [
        '__attribute__((no_sanitize("address"))) static void f(void) {}',
        "__attribute__((no_sanitize_address)) static void f(void) {}",
        "#ifdef __SANITIZE_ADDRESS__\n#endif",
        "#if __has_feature(address_sanitizer)\n#endif",
        '__attribute__((no_sani\\\ntize("address"))) static void f(void) {}',
        "void __asan_poison_memory_region(void const volatile *, unsigned long);",
    ],
)
def test_a_sanitizer_cannot_be_steered(line: str, tmp_path: Path) -> None:
    finding = grade(ADD, written(tmp_path, f"{SOLUTION}\n{line}\n")).finding
    assert finding is not None
    assert finding.rule == "steers-sanitizer"
    assert finding.line in (0, SOLUTION.count("\n") + 2)


def test_every_rule_is_a_sentence() -> None:
    for rule, sentence in sentences().items():
        assert rule == rule.lower()
        assert sentence[0].isupper(), rule
        assert sentence.endswith("."), rule


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


@given(plain)
def test_values_travel(value: object) -> None:
    assert equal(value, values.decode(values.encode(value)))


@pytest.mark.parametrize("dtype", ["<f8", ">f4", "<i2", "?", "<c16"])
def test_arrays_travel(dtype: str) -> None:
    array = np.arange(12).reshape(3, 4).astype(dtype)[:, ::2]
    assert equal(np.ascontiguousarray(array), values.decode(values.encode(array)))


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
KINDS = [
    "int",
    "float",
    "complex",
    "bytes",
    "list",
    "tuple",
    "dict",
    "ndarray",
    "scalar",
    "made",
    "other",
    "str",
]


@given(st.tuples(st.sampled_from(KINDS), anything).map(list) | anything)
def test_a_forged_answer_is_a_value_or_an_error(data: object) -> None:
    with contextlib.suppress(ValueError):
        values.decode(data)


def test_what_is_not_a_plain_value_equals_nothing() -> None:
    class Liar(int):
        def __eq__(self, other: object) -> bool:
            return True

        __hash__ = int.__hash__

    answer = {"value": values.encode(Liar(3))}
    assert difference(3, answer, values.decode(answer["value"]))


def test_differences() -> None:
    assert not difference(math.nan, {}, math.nan)
    assert difference(1, {}, True)
    assert difference(1.0, {}, 1)
    assert difference((1,), {}, [1])
    assert difference(Near([1.0]), {}, [1.0 + 1e-9])
    assert not difference(Near([1.0]), {}, [1.0 + 1e-15])
    assert difference(Near([1.0]), {}, [math.nan])
    assert difference(np.zeros(2), {}, np.zeros(2, np.float32))
    raised = {"raised": [["TypeError", "Exception"], "x must be", None]}
    assert difference(1, raised, None)
    assert not difference(Raises(TypeError, "X must"), raised, None)
    assert difference(Raises(ValueError), raised, None)
    assert difference(Raises(TypeError, "y"), raised, None)
    assert difference(Raises(TypeError), {}, 3)


def test_the_cache_may_be_emptied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    for _ in range(2):
        assert grade(ADD, written(tmp_path, SOLUTION)).status == "pass"
        shutil.rmtree(tmp_path / "cache")


def test_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    """A path below a file cannot be made, even by root."""
    monkeypatch.setenv("XDG_CACHE_HOME", f"{__file__}/nowhere")
    assert cache() == cache()
    assert os.access(cache(), os.W_OK)


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"CARGO": "no-such-cargo"}, "cargo is not installed"),
        ({"CARGO_NET_OFFLINE": "true"}, "cargo cannot compile PyO3"),
    ],
)
@pytest.mark.skipif(not shutil.which("cargo"), reason="cargo is absent")
def test_crates_that_cannot_be_compiled(
    variables: dict[str, str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setenv("CARGO_HOME", str(tmp_path / "cargo"))
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    pair = find("rust/pair")
    finding = grade(pair, pair.source).finding
    assert finding is not None
    assert finding.rule == "missing-tool"
    assert message in finding.message


def test_files_are_parsed_in_several_threads(tmp_path: Path) -> None:
    """Python runs the finalizers of garbage while it makes a tree, and switches threads there."""

    class Garbage:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            sum(range(200))

    def parse(_: int) -> None:
        for _ in range(50):
            Garbage()
        parsed(Job(Path(contextlib.__file__), (), tmp_path, False))

    interval, threshold = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(50)
    try:
        with ThreadPoolExecutor(3) as pool:
            list(pool.map(parse, range(100)))
    finally:
        sys.setswitchinterval(interval)
        gc.set_threshold(*threshold)
