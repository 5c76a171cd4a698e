"""The studies: a kernel beside its peers, and what experts ask of the tools."""

from importlib import import_module

from benchmarks.study import Study

NAMES = ("matmul", "records", "tokenizer", "experts")


def studies() -> list[Study]:
    """Return all studies."""
    return [import_module(f"{__name__}.{name}").STUDY for name in NAMES]
