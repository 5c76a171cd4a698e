"""Exercises in Rust with PyO3 and the crate numpy.

Cargo compiles the crates once, from the versions in crates/Cargo.lock. A learner's file is compiled
by rustc alone against the crates that Cargo has compiled, which takes a second. Only Cargo needs
the network and may write into its own folder, and it never sees the learner's file.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

from .compiled import MODULE, RUSTC, compile_rust
from .job import BuildError, Job, tool
from .parts import part

CARGO = ("cargo", "CARGO", "https://rustup.rs")
CRATES = Path(__file__).parent / "crates"
USED = ("pyo3", "numpy")
SECONDS = 1200
DYNAMIC_LOOKUP = ("-Clink-arg=-undefined", "-Clink-arg=dynamic_lookup")


def pyo3(job: Job) -> None:
    """Build an extension module of the learner's file and the compiled crates."""
    compile_rust(job, *crate_options(), output=MODULE)


def crate_options() -> list[str]:
    """Return the options with which rustc finds the compiled crates."""
    compiler = subprocess.run([tool(*RUSTC), "-vV"], capture_output=True, text=True).stdout
    given = [path.read_bytes() for path in (CRATES / "Cargo.toml", CRATES / "Cargo.lock")]
    crates = part("pyo3", (compiler, given), _compile_crates)
    options = [f"-Ldependency={crates}"]
    for name in USED:
        options += ["--extern", f"{name}={next(crates.glob(f'lib{name}-*.rlib'))}"]
    return options + [*DYNAMIC_LOOKUP] * (platform.system() == "Darwin")


def _compile_crates(folder: Path) -> None:
    """Fill the folder with the compiled crates, or raise BuildError."""
    cargo = tool(*CARGO)
    print("PyO3 is compiled once, which takes a minute or two ...", file=sys.stderr)
    for name in ("Cargo.toml", "Cargo.lock"):
        shutil.copy(CRATES / name, folder)
    (folder / "empty.rs").touch()
    variables = {"PYO3_PYTHON": sys.executable, "PYO3_BUILD_EXTENSION_MODULE": "1"}
    done = subprocess.run(
        [cargo, "build", "--release", "--locked", "--quiet", "--target-dir", "target"],
        cwd=folder,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SECONDS,
    )
    if done.returncode:
        lines = [line for line in done.stderr.splitlines() if line.strip()] or ["no message"]
        message = f"cargo cannot compile PyO3: {' '.join(lines)}"
        raise BuildError(f"{message:.600}", rule="missing-tool")
    for path in (folder / "target" / "release" / "deps").glob("lib*"):
        shutil.move(path, folder)
    shutil.rmtree(folder / "target")
