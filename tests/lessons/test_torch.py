"""The chapter on torch: what its texts say of torch is so, and a missing package is named."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ffi_cookbook_lessons.building.bytecode import bytecode
from ffi_cookbook_lessons.building.cuda import launches_called, nvcc
from ffi_cookbook_lessons.catalogue import find
from ffi_cookbook_lessons.grading import grade

CHECK = """
import sys
import torch
sys.path.insert(0, sys.argv[1])
import exercise
arguments = {
    "track": (torch.zeros(3, 4), torch.ones(3, 4), 0.5),
    "gate": (torch.randn(3, 4, requires_grad=True),),
}
for name, values in arguments.items():
    try:
        torch.library.opcheck(getattr(exercise, name), values)
    except Exception:
        print(name)
"""


def seen_by_opcheck(folder: Path, text: str) -> list[str]:
    """Return the names of the operators in which opcheck sees an error."""
    (folder / "exercise.py").write_text(text, "utf-8")
    command = [sys.executable, "-P", "-c", CHECK, str(folder)]
    variables = bytecode("torch")
    done = subprocess.run(command, capture_output=True, text=True, env=variables, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_opcheck_sees_two_bugs_of_five(tmp_path: Path) -> None:
    exercise = find("torch/average")
    text = exercise.stub
    assert seen_by_opcheck(tmp_path, text) == ["track", "gate"]
    for old, new in (
        ('"lesson::track", mutates_args=()', '"lesson::track", mutates_args={"average"}'),
        ("grad.mul_(", "grad * ("),
    ):
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert seen_by_opcheck(tmp_path, text) == []
    path = tmp_path / exercise.file
    assert grade(exercise, path).status == "fail"


def test_a_missing_package_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ffi_cookbook_lessons.grading.installed", lambda name: name != "torch")
    for name in ("torch/views", "torch/norms"):
        exercise = find(name)
        path = tmp_path / exercise.file
        path.write_text(exercise.solution, "utf-8")
        verdict = grade(exercise, path)
        assert verdict.status == "error"
        assert verdict.finding is not None
        assert verdict.finding.rule == "missing-tool"
        assert "pip install torch" in verdict.finding.message


def test_a_missing_nvcc_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ffi_cookbook_lessons.building.cuda.nvcc", lambda: None)
    exercise = find("torch/cuda")
    path = tmp_path / exercise.file
    path.write_text(exercise.solution + "// not built before\n", "utf-8")
    verdict = grade(exercise, path)
    assert verdict.status == "error"
    assert verdict.finding is not None
    assert verdict.finding.rule == "missing-tool"
    assert "cuda-toolkit[nvcc]" in verdict.finding.message


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("k<<<1, n>>>(a, b);", "device::Launch(1, n)(k, a, b);"),
        ("k<<<1, n>>>();", "device::Launch(1, n)(k);"),
        ("k<<<1, n>>>( /* nothing */ );", "device::Launch(1, n)(k /* nothing */ );"),
        ("k<float, 4><<<1, n>>>(a);", "device::Launch(1, n)(k<float, 4>, a);"),
        ("ns::k<<<1, n>>>(a);", "device::Launch(1, n)(ns::k, a);"),
        ("if (n) ::a::k<int><<<1, n>>>(a);", "if (n) device::Launch(1, n)(::a::k<int>, a);"),
        ("k<<<m >> 2, /* ; >>> */ n>>>(a);", "device::Launch(m >> 2, /* ; >>> */ n)(k, a);"),
        ("k\n<<<1,\nn>>> // all\n(a);", "device::Launch(1,\nn)\n // all\n(k, a);"),
        ("k<<<1'000, 'x'>>>(a);", "device::Launch(1'000, 'x')(k, a);"),
    ],
)
def test_a_launch_is_a_call_of_the_emulation(text: str, expected: str) -> None:
    assert launches_called(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "// k<<<blocks, threads>>> runs one thread per item\n",
        "// k<<<blocks \\\n k<<<1, 2>>>(a)\n",
        "/* k<<<1, n>>>(a)\n k<<<1, n>>>(a) */ ",
        'say("k<<<1, n>>>(a) \\" // "); ',
        'say(R"x(k<<<1, n>>>(a) " )x"); ',
        "char quote = '\"', other = '\\''; ",
        "long most = 1'000'000; ",
        "k<<<1; n>>>(a); ",
        "name\n" + 60 * "/" + "\n",  # a line that a regular expression may split in many ways
    ],
)
def test_what_is_not_a_launch_stays(text: str) -> None:
    after = launches_called(text + "last<<<1, n>>>(a);")
    assert after == text + "device::Launch(1, n)(last, a);"


@pytest.mark.skipif(nvcc() is None, reason="nvcc is absent")
def test_the_kernels_are_not_run_without_a_gpu(tmp_path: Path) -> None:
    import torch

    if torch.cuda.is_available():
        pytest.skip("there is a GPU here")
    (script,) = (path for path in find("torch/cuda").given if path.suffix == ".py")
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "not run: torch finds no CUDA device here\n")
