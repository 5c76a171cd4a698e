"""Exercises in CUDA: nvcc compiles the file, and a C++ compiler builds it to run without a GPU.

nvcc decides whether the file is CUDA. The same text then runs, with each launch turned into a call
of the emulation in emulated_cuda.hpp.
"""

from __future__ import annotations

import re
import shutil
from importlib import metadata
from pathlib import Path

from .compiled import CXX, LIBRARY
from .job import BuildError, Job, run, tool
from .parts import part

EMULATION = Path(__file__).with_name("emulated_cuda.hpp")
NVCC = ("nvcc", "pip install 'cuda-toolkit[nvcc]'")
COMMENT = r"(?>//(?:\\\n|[^\n])*|/\*(?s:.*?)\*/)"
LITERAL = (
    r'R"(?P<raw>[^()\\\s]*)\((?s:.*?)\)(?P=raw)"'
    r'|"(?:\\(?s:.)|[^"\\\n])*"'
    r"|\b\d(?:'?[\w.])*"  # 1'000 is a number
    r"|'(?:\\.|[^'\\\n])+'"
)
SPACE = rf"(?>(?:\s|{COMMENT})*)"
NAME = r"\w+(?:<[^<>;]*>)?"
LAUNCH = re.compile(
    rf"{COMMENT}|{LITERAL}"
    rf"|(?P<kernel>(?:::{SPACE})?\b{NAME}(?:{SPACE}::{SPACE}{NAME})*)(?P<gap>{SPACE})"
    rf"<<<(?P<configuration>(?>(?:{COMMENT}|(?!<<<|>>>)[^;])*))>>>(?P<space>{SPACE})"
    rf"\((?P<empty>{SPACE}\))?"
)
"""A comment, a literal or a launch: what comes first in the text is none of the others."""


def nvcc() -> str | None:
    """Return the path of nvcc: on the path, or from the package nvidia-cuda-nvcc."""
    try:
        files = metadata.files("nvidia-cuda-nvcc") or []
    except metadata.PackageNotFoundError:
        files = []
    packaged = [str(file.locate()) for file in files if file.match("bin/nvcc")]
    return shutil.which("nvcc") or next(iter(packaged), None)


def cuda(job: Job) -> None:
    """Compile the file with nvcc, and build a shared library in which the kernels run here."""
    program = nvcc()
    if program is None:
        raise BuildError(f"{NVCC[0]} is not installed: {NVCC[1]}", rule="missing-tool")
    inputs = [(path.name, path.read_bytes()) for path in (job.source, *job.given)]
    part("cuda", (program, inputs), lambda _: _compile_for_gpu(job, program), most=100)
    emulated = job.folder / "exercise.cpp"
    text = launches_called(job.source.read_text("utf-8", "surrogateescape"))
    emulated.write_text(f'#line 1 "{job.source.name}"\n{text}', "utf-8", "surrogateescape")
    header = str(shutil.copy(EMULATION, job.folder))
    flags = [*job.flags(), "-std=c++20", f"-I{job.source.parent}", "-include", header]
    run(job, tool(*CXX), *flags, "-o", LIBRARY, str(emulated))
    emulated.unlink()


def launches_called(text: str) -> str:
    """Return the text with each launch as a call of the emulation, on the same line."""

    def called(found: re.Match[str]) -> str:
        if not found["kernel"]:
            return found[0]
        start = f"device::Launch({found['configuration']}){found['gap']}{found['space']}("
        return start + found["kernel"] + (found["empty"] or ", ")

    return LAUNCH.sub(called, text)


def _compile_for_gpu(job: Job, program: str) -> None:
    """Raise BuildError if nvcc refuses the file; its output is not used."""
    options = ["-std=c++20", f"-I{job.source.parent}", "-o", "exercise.o"]
    run(job, program, "-c", *options, str(job.source))
