"""The nox sessions that search for faults for longer than a test run, or on another machine."""

from __future__ import annotations

import shutil
from pathlib import Path

import nox
from install_bindings import ROOT, group, install_bindings

ISAS = ("portable", "avx2", "avx512")
TESTS = {"PYTHONPATH": str(ROOT / "tests")}


def build_c_tests(session: nox.Session, flags: str, *options: str) -> str:
    """Build the C kernels' own tests with these compiler flags, and return the folder."""
    session.install("cmake", "ninja", "numpy")
    build = session.create_tmp()
    python = shutil.which("python", path=session.bin)
    command = ("cmake", "-S", str(ROOT), "-B", build, "-G", "Ninja", f"-DCMAKE_C_FLAGS={flags}")
    tests = ("-DCOOKBOOK_BINDINGS=", "-DCOOKBOOK_C_TESTS=ON", f"-DPython_EXECUTABLE={python}")
    session.run(*command, *tests, *options)
    session.run("cmake", "--build", build)
    return build


@nox.session
def fuzz_tokenizer(session: nox.Session) -> None:
    """Compare ten million random texts per encoding, through every native binding, with tiktoken.

    It takes an hour; `-- --texts 100000` takes less. COOKBOOK_DATA must name the folder with the
    rank files.
    """
    install_bindings(session)
    session.install(*group("test"))
    session.run("python", "-P", "tests/fuzz/against_tiktoken.py", *session.posargs, env=TESTS)


@nox.session
def fuzz_calls(session: nox.Session) -> None:
    """Call every public function of every binding 100,000 times, with hostile arguments.

    The arguments lie and run code; all bindings must give the same verdicts. With
    `--writer` a thread changes the arguments meanwhile. Options:
    `-- --calls N --only capi,pyo3 --seed S`.
    """
    install_bindings(session)
    session.install(*group("test"))
    session.run("python", "-P", "-m", "fuzz.calls", *session.posargs, env=TESTS)


def install_sanitized(session: nox.Session, sanitizer: str, *settings: str) -> dict[str, str]:
    """Install the package built with a sanitizer, with pytest, and return the environment."""
    level = 2 if sanitizer == "thread" else 1
    flags = f"-fsanitize={sanitizer} -fno-sanitize-recover=all -g -O{level}"
    options = [f"cmake.define.CMAKE_{name}_FLAGS={flags}" for name in ("C", "CXX")]
    options += [f"cmake.define.COOKBOOK_{setting}" for setting in settings]
    options += ["cmake.build-type=None", f"build-dir={session.create_tmp()}/wheel"]
    session.install(".", *(f"--config-settings={option}" for option in options))
    session.install(*group("test"))
    names = ("libtsan.so" if sanitizer == "thread" else "libasan.so", "libstdc++.so")
    paths = [session.run("cc", f"-print-file-name={n}", external=True, silent=True) for n in names]
    return {
        "LD_PRELOAD": " ".join(f"{path}".strip() for path in paths),
        "PYTHONMALLOC": "malloc",
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:max_allocation_size_mb=1000",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "TSAN_OPTIONS": "halt_on_error=1:exitcode=66",
    }


@nox.session
@nox.parametrize("sanitizer", ["address,undefined", "thread"], ids=["memory", "threads"])
def fuzz_calls_sanitized(session: nox.Session, sanitizer: str) -> None:
    """Run fuzz_calls with the C-based bindings built with a sanitizer, in an ordinary interpreter.

    AddressSanitizer with UBSan runs it twice, the second time with a thread that changes the
    arguments; ThreadSanitizer runs it without that thread, whose races are the caller's.
    """
    environment = install_sanitized(session, sanitizer)
    command = ["python", "-P", "-m", "fuzz.calls", "--calls", "20000", "--limit", "0", "--only"]
    command += ["capi,ctypes,cffi,cython,pybind11,nanobind", *session.posargs]
    for options in [[]] if sanitizer == "thread" else [[], ["--writer"]]:
        session.run(*command, *options, env={**TESTS, **environment})


@nox.session(venv_backend="none")
def fuzz_c(session: nox.Session) -> None:
    """Run the C records kernels on any bytes, with AddressSanitizer and UBSan, on every ISA.

    `-- -max_total_time=60` and other options of libFuzzer apply to each target and ISA.
    """
    names = ("clang", *(f"clang-{version}" for version in range(30, 13, -1)))
    clang = next(filter(None, map(shutil.which, names)), None)
    if clang is None:
        session.warn("clang not found: without libFuzzer only the corpus is run")
    folder, tools = ROOT / "tests" / "fuzz", Path(session.create_tmp())
    kernels = [*sorted((ROOT / "c_src/records").glob("*.c")), ROOT / "c_src/common/cpu.c"]
    for target in ("records", "fixed", "policies"):
        sources = [folder / f"{target}.c", *kernels, *([] if clang else [folder / "main.c"])]
        sanitizers = f"-fsanitize={'fuzzer,' if clang else ''}address,undefined"
        flags = ("-g", "-O1", sanitizers, "-fno-sanitize-recover=all", f"-I{ROOT / 'c_src'}")
        program, corpus = tools / target, folder / f"corpus_{target}"
        command = (clang or "cc", *flags, "-o", str(program), *map(str, sources))
        session.run(*command, external=True)
        (grown := tools / f"{target}_grown").mkdir(exist_ok=True)
        options = (str(grown), str(corpus), *(session.posargs or ["-max_total_time=100"]))
        for isa in ISAS:
            files = options if clang else tuple(map(str, sorted(corpus.iterdir())))
            session.run(str(program), *files, env={"COOKBOOK_ISA": isa}, external=True)


@nox.session(venv_backend="none")
def fuzz_rust(session: nox.Session) -> None:
    """Run the Rust records kernels on any bytes, with AddressSanitizer, and compare all ISAs.

    `-- -max_total_time=60` and other options of libFuzzer are passed on.
    """
    tools, project = Path(session.create_tmp()), ROOT / "rust_src" / "fuzz"
    session.run("cargo", "install", "--locked", "--root", str(tools), "cargo-fuzz", external=True)
    (tools / "corpus").mkdir(exist_ok=True)
    corpora = (str(tools / "corpus"), str(ROOT / "tests/fuzz/corpus_records"))
    command = (str(tools / "bin" / "cargo-fuzz"), "run", "--debug-assertions", "--fuzz-dir")
    command += (str(project), "records", *corpora, "--")
    options = session.posargs or ["-max_total_time=300"]
    unstable = {"RUSTC_BOOTSTRAP": "1"}  # the sanitizer is an unstable option of the compiler
    session.run(*command, *options, env=unstable, external=True)


@nox.session(venv_backend="none")
def miri(session: nox.Session) -> None:
    """Run the Rust records kernels' tests under Miri, a component of a nightly toolchain."""
    tests = ("--manifest-path", "rust_src/Cargo.toml", "--test", "example")
    session.run("cargo", "+nightly", "miri", "test", *tests, external=True)


@nox.session
def arm(session: nox.Session) -> None:
    """Build the kernels in C and Rust for aarch64, and run the C tests in qemu-user.

    Warnings are errors. It needs aarch64-linux-gnu-gcc, qemu-aarch64 and that target of rustup's.
    """
    options = ("SYSTEM_NAME=Linux", "SYSTEM_PROCESSOR=aarch64", "EXE_LINKER_FLAGS=-static")
    options += ("C_COMPILER=aarch64-linux-gnu-gcc", "CROSSCOMPILING_EMULATOR=qemu-aarch64")
    build = build_c_tests(session, "-Werror", *(f"-DCMAKE_{option}" for option in options))
    forks = ("--exclude-regex", "test_pool")  # qemu-user fails in a child that makes threads
    session.run("ctest", "--test-dir", build, "--output-on-failure", *forks)
    command = "cargo check --manifest-path rust_src/Cargo.toml --target aarch64-unknown-linux-gnu"
    session.run(*command.split(), env={"RUSTFLAGS": "-D warnings"}, external=True)
