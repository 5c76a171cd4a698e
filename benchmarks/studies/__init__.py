"""The studies: a kernel beside its peers, on work of its own."""

from importlib import import_module

from benchmarks.study import Study

NAMES = ("matmul", "records", "tokenizer")


def studies() -> list[Study]:
    """Return all studies."""
    return [import_module(f"{__name__}.{name}").STUDY for name in NAMES]
