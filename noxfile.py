"""All tasks of the project: `nox -s bench` compares the bindings, `nox -s tests` tests them.

Each session makes its own environment and installs what it needs. A binding whose toolchain is
missing is left out with a warning, so that the rest can be used; under CI this is a failure.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import nox

ROOT = Path(__file__).parent
sys.path.insert(0, str(ROOT / "tools"))
from install_bindings import CI, TORCH_BUILD, attempt, built, group, install_bindings  # noqa: E402
from long_sessions import ISAS, install_sanitized  # noqa: E402  (and its sessions)

nox.needs_version = ">=2026.2"
nox.options.default_venv_backend = "uv|virtualenv"
nox.options.download_python = "never"
nox.options.error_on_missing_interpreters = False
nox.options.sessions = ["lint", "tests"]

# Tests and benchmark start many processes that import torch: its 2000 modules are compiled once.
ENVIRONMENT = {"PYTHONDONTWRITEBYTECODE": "", **({"COOKBOOK_REQUIRE_ALL": "1"} if CI else {})}
PARALLEL = ("-n", "auto", "--maxprocesses", "8", "--dist", "worksteal", "--benchmark-disable")
BENCH_TESTS = [["tests/bench", "tests/studies"], ["tests/bench/seeded_faults.py"]]
SOURCES_IN_C = ("*.c", "*.h", "*.cpp", "*.hpp")
SUPPORTED = ["3.11", "3.12", "3.13", "3.14", "3.15"]
MADE_HERE = ["3.14", "3.14t", "3.15", "3.15t"]  # by tools/pythons.sh, if it is not found
CONFORMANCE = [
    *(f"tests/matmul/test_{name}.py" for name in ("batch", "products", "threads")),
    *(f"tests/records/test_{name}.py" for name in ("decode", "fixed", "index", "reference")),
    *(f"tests/tokenizer/test_{name}.py" for name in ("ids", "offsets", "special")),
]
SANITIZED = [*CONFORMANCE, "tests/safety/test_guard_pages.py", "tests/tokenizer/test_errors.py"]
SANITIZED += [f"tests/records/test_{name}.py" for name in ("gather", "sequence", "tables")]
PART_WITHOUT_GIL = [
    *CONFORMANCE[:3],  # matmul; the races below call the other kernels
    "tests/patterns",
    "tests/races",
    "tests/safety/test_fork.py",
    *(f"tests/interface/test_{name}.py" for name in ("signatures", "availability")),
    "tests/records/test_writing.py",
    "tests/tokenizer/test_batches.py",
]


def found(version: str) -> bool:
    """Return True if that Python starts here, which a version manager's shim alone does not."""
    python = shutil.which(f"python{version}")
    return bool(python) and not subprocess.run([python, "-c", ""], capture_output=True).returncode


PYTHONS = [version for version in SUPPORTED if found(version)] or [
    f"{sys.version_info.major}.{sys.version_info.minor}"
]

os.environ["PATH"] += f"{os.pathsep}{ROOT / '.nox' / 'pythons' / 'bin'}"
for version in MADE_HERE:
    if version not in PYTHONS and any(word.endswith(f"s-{version}") for word in sys.argv):
        if not found(version):
            subprocess.run([ROOT / "tools/pythons.sh", version, ROOT / ".nox/pythons"], check=True)
        PYTHONS.append(version)


def run_tests(session: nox.Session, *options: str) -> None:
    """Run the bindings' suite in parallel against installed packages; `-- ARGS` go to pytest."""
    install_bindings(session)
    session.install(*group("test"))
    others = [f"--ignore=tests/{folder}" for folder in ("bench", "copied", "lessons", "studies")]
    command = ("python", "-P", "-X", "dev", "-m", "pytest", *others)
    # PYTHON_GIL keeps it off when torch imports triton, which does not declare that it needs none.
    gil = {"PYTHON_GIL": "0"} if str(session.python).endswith("t") else {}
    session.run(*command, *PARALLEL, *options, *session.posargs, env={**ENVIRONMENT, **gil})


@nox.session(python=PYTHONS)
def tests(session: nox.Session) -> None:
    """Run the bindings' suite without the longest sweeps; `-- ARGS` go to pytest.

    `-s tests-3.14t` and `-s tests-3.15t` run conformance and safety tests without the GIL.
    """
    run_tests(session, *(PART_WITHOUT_GIL if str(session.python).endswith("t") else ()))


@nox.session(python=PYTHONS)
def races(session: nox.Session) -> None:
    """Attack what threads share: `-s races-3.14t -- --seconds 60`, that long with each attack."""
    run_tests(session, "tests/races")


@nox.session
def tests_full(session: nox.Session) -> None:
    """Run the bindings' whole suite, with the longest sweeps; `-- ARGS` go to pytest."""
    run_tests(session, "-m", "")


@nox.session
def copied(session: nox.Session) -> None:
    """Build the templates and the projects of pages from their sdists, and attack them."""
    session.install(*TORCH_BUILD, *group("test"), "cffi>=2.1", "numpy>=2")
    command = ("python", "-P", "-m", "pytest", "tests/copied", "-n", "2", "--dist", "loadgroup")
    path = os.pathsep.join(map(str, (link_package(), ROOT)))
    session.run(*command, *session.posargs, env={**ENVIRONMENT, "PYTHONPATH": path})


@nox.session
def lessons(session: nox.Session) -> None:
    """Test the exercises: right solutions pass, wrong ones fail for the reason that is stated.

    `-- --part 0/3` takes a third of them, with those that the last commits have changed;
    with `--part commit`, the number of commits says which, and which of their faults and attacks.
    """
    install_bindings(session)
    shutil.rmtree(ROOT / "lessons" / "build", ignore_errors=True)  # setuptools would take old files
    session.install(*built(session, "./lessons", False), *group("test", "cuda"))
    command = ("python", "-P", "-m", "pytest", "tests/lessons", *PARALLEL[:-1])
    session.run(*command, *session.posargs, env=ENVIRONMENT)


@nox.session
def bench_tests(session: nox.Session) -> None:
    """Run the tests of the benchmark and of the studies, and the seeded faults."""
    install_bindings(session, clean=True)
    session.install(*group("test", "bench", "loading"))
    for path in [session.posargs] if session.posargs else BENCH_TESTS:
        session.run("python", "-P", "-m", "pytest", *path, env=ENVIRONMENT)


def run_with(session: nox.Session, packages: tuple[str, ...], *tests: str) -> None:
    """Run tests, or those of `-- ARGS`, with packages that the suite does without."""
    install_bindings(session)
    session.install(*group("test"), *packages)
    session.run("python", "-P", "-m", "pytest", *(session.posargs or tests), env=ENVIRONMENT)


@nox.session
def ray_tests(session: nox.Session) -> None:
    """Run the tests that need Ray, in one of which a worker is killed."""
    run_with(session, group("ray"), "tests/cluster")


@nox.session
def frameworks(session: nox.Session) -> None:
    """Run the tests that need Lightning, Accelerate or the Trainer, some of them on two ranks."""
    run_with(session, group("frameworks"), "tests/frameworks", "tests/data/test_epochs.py")


@nox.session
@nox.parametrize("torch", ["2.10.0", "2.13.0", "2.15.0"])
def torch_versions(session: nox.Session, torch: str) -> None:
    """Test the operators on each torch, of 5 GB, with one wheel, which the newest torch built."""
    run_with(session, (f"torch=={torch}",), "tests/operators")


@nox.session
def gate(session: nox.Session) -> None:
    """Check the instruction counts against the committed ones, where the versions match."""
    install_bindings(session, clean=True)
    session.install(*group("bench"))
    command = ("python", "-m", "benchmarks", "gate")
    session.run(*command, *(session.posargs or ["check"]), env=ENVIRONMENT)


@nox.session
@nox.parametrize("sanitizers", ["address,undefined", "thread"], ids=["memory", "threads"])
def c_tests(session: nox.Session, sanitizers: str) -> None:
    """Run the C kernels' own tests under sanitizers, and the tests of capi, which is built alike.

    AddressSanitizer and UBSan check both on every ISA, ThreadSanitizer the first on the best ISA.
    """
    bindings = "" if sanitizers == "thread" else "capi"
    asan = install_sanitized(session, sanitizers, f"BINDINGS={bindings}", "C_TESTS=ON")
    build = f"{session.create_tmp()}/wheel"
    chosen = "capi and not (every_isa or every_instruction_set or on_less or every_code_point)"
    for isa in ISAS[-1:] if sanitizers == "thread" else ISAS:
        command = ("ctest", "--test-dir", build, "--output-on-failure", "--parallel", "2")
        session.run(*command, env={"COOKBOOK_ISA": isa})
        if bindings:
            command = ("python", "-P", "-m", "pytest", *PARALLEL, "--capture=sys", "-k", chosen)
            session.run(*command, *SANITIZED, env=asan | {"COOKBOOK_ISA": isa, "COOKBOOK_DATA": ""})


@nox.session(venv_backend="none")
def rust_tests(session: nox.Session) -> None:
    """Run the Rust kernels' own tests on every ISA of this machine."""
    for isa in ISAS:
        command = ["cargo", "test", "--release", "--manifest-path", "rust_src/Cargo.toml"]
        session.run(*command, env={"COOKBOOK_ISA": isa}, external=True)


@nox.session
def bench(session: nox.Session) -> None:
    """Compare all bindings.

    `-- --only pyo3 --kernel records` for parts, see `-- --help`. `-- --binding PATH` checks
    a binding of your own and times it beside those here.
    """
    install_bindings(session, clean=True)
    session.install(*group("bench"))
    session.run("python", "-m", "benchmarks", "run", *session.posargs, env=ENVIRONMENT)


@nox.session
def study(session: nox.Session) -> None:
    """Compare a kernel with its peers: `-- matmul`, `-- records` or `-- tokenizer`, some minutes.

    `-- experts` measures what the options of the tools cost, in modules that it builds, and
    `-- threads` what threads gain. `-- experts --only torch map` for parts, `--publish` takes the
    figures into docs. The tokenizer's texts are Python's, unless COOKBOOK_DATA names a folder.
    """
    install_bindings(session, clean=True)
    more = {"records": "loading", "experts": "experts"}
    groups = ["bench", *(name for study, name in more.items() if study in session.posargs)]
    session.install(*(requirement for name in groups for requirement in group(name)))
    if "threads" in session.posargs:  # it runs in the tests' environments, one for each Python
        names = [f"tests-{version}" for version in dict.fromkeys([*PYTHONS, *MADE_HERE])]
        session.run(sys.executable, "-m", "nox", "--install-only", "-s", *names, external=True)
    if "tokenizer" in session.posargs:
        attempt(session, "gigatoken", lambda: session.install("gigatoken>=0.10"))
    session.run("python", "-m", "studies", *session.posargs, env=ENVIRONMENT)


def link_package() -> Path:
    """Return a folder that has the package as it is installed, made of links to its sources."""
    package = ROOT / "build" / "typed" / "ffi_cookbook"
    shutil.rmtree(package, ignore_errors=True)
    package.mkdir(parents=True)
    for source in [*(ROOT / "src" / "ffi_cookbook").iterdir(), ROOT / "bindings"]:
        (package / source.name).symlink_to(source)
    return package.parent


@nox.session
def lint(session: nox.Session) -> None:
    """Check formatting, style and types of every language here."""
    session.install(*group("lint"))
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    for tool in ("house", "layers", "budgets"):
        session.run("python", f"tools/{tool}.py")
    link_package()
    session.run("mypy")
    session.run("basedpyright")
    listed = session.run("git", "ls-files", *SOURCES_IN_C, external=True, silent=True, log=False)
    session.run("clang-format", "--dry-run", "--Werror", *str(listed).split(), log=False)
    if not shutil.which("cargo"):
        if CI:
            session.error("cargo not found")
        session.warn("cargo not found: Rust is not linted")
        return
    for folder in ("rust_src", "bindings/pyo3", "templates/pyo3"):
        manifest = ("--manifest-path", f"{folder}/Cargo.toml")
        session.run("cargo", "fmt", "--check", *manifest, external=True)
        if folder != "templates/pyo3":
            clippy = ("cargo", "clippy", "--all-targets", *manifest, "--", "-D", "warnings")
            session.run(*clippy, external=True)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site into build/site: the pages, the patterns, the figures and the API.

    Nothing is compiled, measured or downloaded. A link that leads nowhere ends the session.
    """
    session.install(*group("docs"))
    pages, site = ROOT / "build" / "docs", ROOT / "build" / "site"
    for folder in (pages, site):
        shutil.rmtree(folder, ignore_errors=True)
    package = {"PYTHONPATH": str(link_package())}
    session.run("python", "-m", "benchmarks", "site", str(pages), env=package)
    options = ("--quiet", "--fresh-env", "--fail-on-warning", "--jobs", "auto")
    folders = ("-c", str(ROOT / "docs"), "-d", session.create_tmp(), str(pages), str(site))
    command = ("python", "-P", "-m", "sphinx", *options, *folders)
    session.run(*command, env=package)


@nox.session
def compilers(session: nox.Session) -> None:
    """Build with clang and test a part; compile the kernels with the newest clang, for ARM too.

    `-- ARGS` go to pytest.
    """
    with patch.dict(os.environ, CC="clang", CXX="clang++"):  # the wheel's digest reads them there
        session.install("ziglang", *built(session, ".", False), *group("test"))
    tests = [*CONFORMANCE, *session.posargs]
    native = "capi or ctypes or cffi or cython or pybind11 or nanobind"
    session.run("python", "-P", "-m", "pytest", *PARALLEL, "-k", native, *tests)
    options = ("-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-ffp-contract=off", "-Ic_src")
    for target in ("x86_64-linux-gnu", "aarch64-linux-gnu", "aarch64-macos"):
        for source in sorted((ROOT / "c_src").rglob("*.c")):
            output = Path(session.create_tmp()) / "object.o"
            command = ("python", "-m", "ziglang", "cc", "-target", target, *options)
            session.run(*command, '-DCK_FLAGS=""', "-c", str(source), "-o", str(output), log=False)


@nox.session
def build(session: nox.Session) -> None:
    """Build wheels and sdists into dist/, and install the wheels into a clean environment."""
    session.install("build", *TORCH_BUILD)
    shutil.rmtree(ROOT / "dist", ignore_errors=True)
    command = ["python", "-m", "build", "--outdir", "dist"]
    for source in (".", "bindings/pyo3", "lessons"):
        session.run(*command, "--installer", "uv", source)
    session.run(*command, "--wheel", "--no-isolation", "bindings/torch")
    clean = Path(session.create_tmp()) / "clean"
    session.run("uv", "venv", "--clear", "--python", sys.executable, str(clean), external=True)
    wheels = [str(path) for path in sorted((ROOT / "dist").glob("*.whl"))]
    python = str(clean / "bin" / "python")
    session.run("uv", "pip", "install", "--python", python, *wheels, "torch", external=True)
    session.run(python, "-P", "-m", "ffi_cookbook", "doctor", "--strict", external=True)
