"""The benchmark knows how each unit was compiled: real compilers, with one flag changed."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from benchmarks.trust import clean_build, flags
from support.backends import missing

BASE = "-O3 -frecord-gcc-switches"
SOURCE = "double f(double x) { return x * 2; }\n"


def described(folder: Path, *given: str, source: str = SOURCE) -> list[list[str]]:
    """Compile the source with each of some flags, and return what is known of the units."""
    if shutil.which("gcc") is None:
        missing("gcc")
    commands = []
    for i, more in enumerate(given):
        path = folder / f"{i}.c"
        path.write_text(source)
        command = f"gcc {BASE} {more} -o {i}.o -c {path}"
        subprocess.run(command.split(), cwd=folder, check=True)
        commands.append({"directory": str(folder), "command": command})
    (folder / "compile_commands.json").write_text(json.dumps(commands))
    return [flags.described(unit, "capi") for unit in clean_build.native_units(folder)]


SLOW = ["-O0", "-O1", "-Og", "-Os", "-pg", "--coverage", "-fprofile-arcs"]
BENT = ["-Ofast", "-ffast-math", "-fsanitize=undefined", "-flto", "-O0 -flto"]


@pytest.mark.parametrize("given", SLOW + BENT)
def test_a_flag_that_slows_or_changes_results_is_named(tmp_path: Path, given: str) -> None:
    usual, changed = described(tmp_path, "", given)
    assert list(flags.harm(usual)) == []
    assert f"was compiled with {given.split()[0]}" in list(flags.harm(changed))


def test_a_unit_that_hides_its_flags_is_named(tmp_path: Path) -> None:
    usual, hidden = described(tmp_path, "", "-O0 -fno-record-gcc-switches")
    assert list(flags.harm(usual)) == []
    assert list(flags.harm(hidden)) == ["has no record of its flags"]


def test_a_wrapper_that_adds_flags_is_seen_in_the_object(tmp_path: Path) -> None:
    """The command line is innocent; the object file says what the compiler was given."""
    described(tmp_path, "-O0")
    commands = json.loads((tmp_path / "compile_commands.json").read_text())
    commands[0]["command"] = commands[0]["command"].replace("-O0", "")
    (tmp_path / "compile_commands.json").write_text(json.dumps(commands))
    (unit,) = clean_build.native_units(tmp_path)
    assert "was compiled with -O0" in list(flags.harm(flags.described(unit, "capi")))


ALONE = ["-march=haswell", "-fno-builtin", "-ftrapv", "-D_FORTIFY_SOURCE=2", "-include stdio.h"]


@pytest.mark.parametrize("given", ALONE)
def test_a_flag_that_one_binding_has_alone_is_named(tmp_path: Path, given: str) -> None:
    first, second, alone = described(tmp_path, "", "-I/x -Wall -DNDEBUG", given)
    assert first == second
    units = {"capi": {"a": first}, "cffi": {"b": second}, "pybind11": {"c": alone}}
    ((name, said),) = flags.apart(units)
    assert name == "pybind11"
    assert given.split()[0] in said
    assert list(flags.apart({"capi": {"a": alone}, "cffi": {"b": alone}})) == []


UBUNTU = "GNU C++17 13.3.0 -march=x86-64 -O3 -fstack-clash-protection -fcf-protection"


def test_a_default_of_a_distribution_counts_only_where_a_binding_asks_for_it() -> None:
    def units(*given: str, binding: str = "capi", default: str = "-fstack-protector-strong") -> Any:
        record = f"{UBUNTU} {' '.join(given) or default}"
        unit = {"command": f"g++ -O3 {' '.join(given)}", "record": record, "lto": False}
        return {binding: {"a": flags.described(unit, binding)}}

    usual = {**units(), **units(binding="cffi"), **units(binding="ctypes")}
    tool = units("-fno-stack-protector", binding="nanobind")
    assert list(flags.apart({**usual, **tool})) == []
    for given in ("-fstack-protector-all", "-fno-stack-protector", "-fstack-protector-strong"):
        ((name, said),) = flags.apart({**usual, **tool, **units(given, binding="pybind11")})
        assert name == "pybind11"
        assert given in said


def test_what_clang_records_of_its_own_does_not_count() -> None:
    record = "/usr/lib/llvm-14/bin/clang{} -O3 -march=x86-64 -c a.c -o a.o"
    one, *others = (
        flags.described({"command": "c++ -O3", "record": record.format(mode), "lto": 0}, "capi")
        for mode in ("", " --driver-mode=g++", " -frecord-command-line")
    )
    assert others == [one, one]


@pytest.mark.parametrize(
    "code",
    [
        '#pragma GCC optimize("O0")',
        "# cython: language_level=3, profile=True",
        '__attribute__((optimize("O0"))) void f(void);',
        '__attribute__ ((__target__("avx2"))) void f(void);',
        '[[gnu::optimize("O0")]] void f();',
        "[[clang::optnone]] void f();",
        '_Pragma("GCC optimize 0")',
        '#[target_feature(enable = "avx2")]',
    ],
)
def test_code_that_changes_its_own_flags_is_found(code: str) -> None:
    assert flags.PRAGMA.search(code)


RUSTC = "/bin/rustc --crate-name {0} --edition=2024 -C opt-level={1} {2} src/lib.rs"


def test_the_crates_that_are_linked_are_judged(tmp_path: Path) -> None:
    ends = "--extern a=/d/liba-a.rlib --extern macros=/d/libmacros.so"
    lines = [
        "/bin/rustc -vV",
        RUSTC.format("build_script", 0, "-C extra-filename=-s"),
        RUSTC.format("b", 1, "-C extra-filename=-b -C panic=abort"),
        RUSTC.format("a", 3, "-C extra-filename=-a --extern b=/d/libb-b.rmeta"),
        RUSTC.format("ffi", 3, ends),
    ]
    units = {unit["file"]: unit for unit in clean_build.rust_units("\n".join(lines))}
    said = {name: [*flags.harm(flags.described(one, "pyo3"))] for name, one in units.items()}
    assert said["ffi"] == said["a-a"] == []
    assert "was compiled with panic=abort" in said["b-b"]
    assert "was compiled without opt-level=3" in said["b-b"]
    assert len(said) == 3
