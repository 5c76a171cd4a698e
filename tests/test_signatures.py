"""`help` and `inspect.signature` tell the protocol's names, kinds and defaults in every binding."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from backends import binding

from bindings.protocol import Backend, Patterns, Tokenizer

pytestmark = pytest.mark.part("matmul")  # every binding has it

UNSIGNED = {
    "bindings.cffi": {"noop", "noop_nogil", "int_out", "add_float"},  # the library's own functions
    "bindings.pybind11": {"matmul"},  # two overloads, which `help` shows
}


def functions(backend: ModuleType) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name of each function, what the protocol says of it, and what the binding has."""
    for protocol, place in ((Backend, ""), (Patterns, "patterns"), (Tokenizer, "Tokenizer")):
        try:
            home = getattr(backend, place) if place else backend
        except Exception:  # numpy says why it has none
            continue
        for name, wanted in inspect.getmembers(protocol, inspect.isfunction):
            if not name.startswith("_") and callable(given := getattr(home, name, None)):
                yield f"{place}.{name}".lstrip("."), wanted, given


def parameters(signature: inspect.Signature) -> list[tuple[str, Any, Any]]:
    found = signature.parameters.values()
    return [(p.name, p.kind, p.default) for p in found if p.name != "self"]


def signature_of(function: Any) -> inspect.Signature:
    """Return the signature of a function or class, of its first overload if it has several.

    nanobind's functions are objects that `inspect` cannot read. They have the line that `help`
    shows, and a class has it in `__init__`.
    """
    made = getattr(function, "__init__", None) if isinstance(function, type) else function
    if not hasattr(made, "__nb_signature__"):
        return inspect.signature(function)
    line, _, *defaults = made.__nb_signature__[0]
    line = re.sub(r"\[[^]]*=[^]]*\]", "", re.sub(r"^def \w+", "def made", line))
    line = re.sub(r"\\(\d+)", lambda found: repr(defaults[0][int(found[1])]), line)
    space: dict[str, Any] = {}
    exec(f"from __future__ import annotations\n{line}: ...", space)
    return inspect.signature(space["made"])


def test_signatures(backend: ModuleType) -> None:
    unsigned = UNSIGNED.get(backend.__name__, set())
    wrong = {}
    for name, wanted, function in functions(backend):
        if name.rpartition(".")[2] not in unsigned:
            given = signature_of(function)
            if parameters(given) != parameters(inspect.signature(wanted)):
                wrong[name] = str(given)
    assert wrong == {}


@pytest.mark.parametrize("name", ["pybind11", "nanobind"])
def test_help_lists_an_overload_for_each_dtype(name: str) -> None:
    for dtype in ("float32", "float64"):
        parts = ("a: .*", "b: .*", r"\*", "out: .*", "threads: int = 1")
        arguments = ", ".join(part.replace(".*", f".*{dtype}.*") for part in parts)
        pattern = rf"^.*matmul\({arguments}\) -> .*{dtype}.*\]$"
        assert re.search(pattern, binding(name).matmul.__doc__, re.MULTILINE), pattern


def test_help_begins_with_a_sentence(backend: ModuleType) -> None:
    """Some tools write the signatures in front of it, a line each."""
    unsigned = UNSIGNED.get(backend.__name__, set()) - {"matmul"}
    for name, _, function in functions(backend):
        last = name.rpartition(".")[2]
        if last in unsigned:
            continue
        lines = (inspect.getdoc(function) or "").split("\n")
        first = next(
            (
                line
                for line in lines
                if line.strip("-") and not re.search(rf"{last}\(|Overloaded", line)
            ),
            "",
        )
        assert re.match(r"[A-Z].*\.$", first), (name, first)
