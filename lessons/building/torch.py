"""Exercises in PyTorch: operators in C++ on torch's stable ABI.

The learner's file becomes a shared library without Python, which torch opens; a module beside it
has the library's operators as its functions.
"""

from __future__ import annotations

from importlib import util
from pathlib import Path

from .compiled import compile_cpp
from .job import FEWER_CHECKS, BuildError, Job
from .templates import precompiled

LIBRARY = "operators.so"
NAMESPACE = "lesson"
TARGET = "-DTORCH_TARGET_VERSION=0x020a000000000000"
"""The oldest torch in which the library runs: 2.10, in hexadecimal."""
OPENING = f'''"""The operators of the namespace `{NAMESPACE}`, which the library registers."""

from pathlib import Path

import torch

torch.ops.load_library(str(Path(__file__).with_name("{LIBRARY}")))


def __getattr__(name):
    return getattr(torch.ops.{NAMESPACE}, name)
'''


def torch(job: Job) -> None:
    """Build the library, and write the module that opens it."""
    flags = [*torch_flags(), *(FEWER_CHECKS if job.sanitized else ())]
    header = precompiled(job, "torch", flags)
    library = [f"-L{_root()}/lib", "-Wl,--no-as-needed", "-ltorch_cpu"]
    compile_cpp(job, *flags, *header, *library, output=LIBRARY)
    (job.folder / "exercise.py").write_text(OPENING, "utf-8")


def torch_flags() -> list[str]:
    """Return the options with which a compiler finds torch's headers."""
    return [TARGET, "-isystem", f"{_root()}/include"]


def _root() -> Path:
    """Return the folder of torch; raise BuildError if it is absent."""
    found = util.find_spec("torch")
    if found is None or found.origin is None:
        raise BuildError("torch is not installed: pip install torch", rule="missing-tool")
    return Path(found.origin).parent
