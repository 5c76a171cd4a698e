"""The speed of the tokenizer, beside gigatoken, tiktoken and HF tokenizers.

A contender whose ids differ from tiktoken's is named and not measured.
"""

from __future__ import annotations

from types import ModuleType

from studies.study import Part, Study
from studies.tokenizer import cold, warm
from studies.tokenizer.bench import opened
from studies.tokenizer.contenders import MODULES, versions


def _part(module: ModuleType, rounds: int) -> Part:
    return Part((module.__doc__ or "").partition("\n")[0], module.measure, module.show, rounds)


STUDY = Study(
    name="tokenizer",
    question="How fast is the tokenizer?",
    page="tokenizer-speed",
    parts={"warm": _part(warm, 9), "cold": _part(cold, 9)},
    backends=("capi", "pyo3"),  # one for each kernel: C, Rust
    libraries=tuple(MODULES),
    versions=versions,
    open=opened,
)
