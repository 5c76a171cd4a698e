"""The studies: kernels compared with other libraries, and questions of experts about the tools."""

from importlib import import_module

from benchmarks.study import Study

NAMES = ("matmul", "records", "tokenizer", "experts")


def studies() -> list[Study]:
    """Return all studies."""
    return [import_module(f"{__name__}.{name}").STUDY for name in NAMES]
