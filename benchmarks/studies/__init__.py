"""The studies: each compares a kernel with other libraries, on realistic work."""

from importlib import import_module

from benchmarks.study import Study

NAMES = ("matmul", "records", "tokenizer")


def studies() -> list[Study]:
    """Return all studies."""
    return [import_module(f"{__name__}.{name}").STUDY for name in NAMES]
