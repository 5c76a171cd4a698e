"""`help`, `inspect.signature` and type checkers show every binding as the protocol has it."""

from __future__ import annotations

import inspect
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType, UnionType
from typing import Any, get_args, get_origin, get_type_hints

import numpy as np
import pytest

from ffi_cookbook.bindings.protocol import Backend, Patterns, Tokenizer
from ffi_cookbook.bindings.protocol.patterns import CounterObject
from support.backends import PARTS, binding, needs
from support.calls import CALLS, Call

pytestmark = pytest.mark.part("matmul")  # every binding has it

UNSIGNED = {
    "ffi_cookbook.bindings.cffi": {"noop", "noop_nogil", "int_out", "add_float"},  # C functions
    "ffi_cookbook.bindings.pybind11": {"matmul"},  # two overloads, which `help` shows
}

A_USER = """\
import numpy as np
import ffi_cookbook
from ffi_cookbook.bindings.pyo3 import matmul
backend, a = ffi_cookbook.load("capi"), np.ones((2, 2))
backend.matmul(a, a, threads=2).sum()
backend.matmul(a, "b")
backend.matmul(a, a, thread=2)
backend.patterns.add_int("1", 2)
matmul(a, [a])
ffi_cookbook.load(1)
"""
Kind = inspect._ParameterKind
PLACES = {"": Backend, "patterns": Patterns, "Tokenizer": Tokenizer}


def functions(backend: ModuleType) -> Iterator[tuple[str, Any, Any]]:
    """Yield the name of each function, its protocol method, and the binding's function.

    Raises: AttributeError: the binding lacks one; only numpy and torch may.
    """
    binding = backend.__name__.rpartition(".")[2]
    some = binding in ("numpy", "torch")
    for place, protocol in PLACES.items():
        if place and binding not in PARTS[place]:
            continue
        home = getattr(backend, place) if place else backend
        for name, wanted in inspect.getmembers(protocol, inspect.isfunction):
            if not name.startswith("_") and (not some or hasattr(home, name)):
                yield f"{place}.{name}".lstrip("."), wanted, getattr(home, name)


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


def calls(backend: ModuleType) -> Iterator[tuple[Call, Any]]:
    """Yield calls that succeed, and the protocol's function for each."""
    protocols = dict(
        item
        for protocol in (*PLACES.values(), CounterObject)
        for item in inspect.getmembers(protocol, inspect.isfunction)
    )
    for part, makers in CALLS.items():
        if backend.__name__.rpartition(".")[2] in PARTS[part]:
            for call in (call for maker in makers.values() for call in maker(backend)):
                if not call.fails and (wanted := protocols.get(call.function.__name__)):
                    yield call, wanted


def check_names(call: Call, signature: inspect.Signature) -> None:
    """Check which arguments a function takes by position, and which by name."""
    function, arguments, keywords, _, again = call
    bound = signature.bind(*arguments, **keywords)
    bound.apply_defaults()
    kinds = {name: parameter.kind for name, parameter in signature.parameters.items()}
    given = bound.arguments.items()
    by_position = [value for name, value in given if kinds[name] is Kind.POSITIONAL_ONLY]
    by_name = {name: value for name, value in given if kinds[name] is not Kind.POSITIONAL_ONLY}
    by_name_only = {name: value for name, value in given if kinds[name] is Kind.KEYWORD_ONLY}
    again()
    expected = function(*arguments, **keywords)
    again()
    result = function(*by_position, **by_name)
    if by_name and not inspect.isclass(function):
        np.testing.assert_equal(result, expected)
    again()
    with pytest.raises(TypeError):
        function(*bound.args, *by_name_only.values(), None)
    if by_position:
        last = list(kinds)[len(by_position) - 1]
        with pytest.raises(TypeError):
            function(*by_position[:-1], **by_name, **{last: by_position[-1]})


def test_a_call_follows_its_signature(backend: ModuleType) -> None:
    """A default may be passed; by name, only a parameter that the signature lets a caller name."""
    seen = set()
    for call, wanted in calls(backend):
        seen.add(wanted.__name__)
        signature = inspect.signature(wanted)
        check_names(call, signature.replace(parameters=[*signature.parameters.values()][1:]))
    name, functions = backend.__name__.rpartition(".")[2], ("index_records", "decode_examples")
    assert seen >= {"matmul", *(part for part in functions if name in PARTS[part])}


def is_of(value: Any, hint: Any) -> bool:
    """Return True if a value is of the type that a return annotation promises."""
    if isinstance(hint, UnionType):
        return any(is_of(value, one) for one in get_args(hint))
    if alias := getattr(get_origin(hint), "__value__", None):  # NDArray since NumPy 2.5
        hint = alias[get_args(hint)]
    kind = get_origin(hint) or hint
    if kind is np.ndarray:
        return isinstance(value, kind) and value.dtype == get_args(get_args(hint)[1])[0]
    if kind is tuple:
        return len(value) == len(get_args(hint)) and all(map(is_of, value, get_args(hint)))
    return kind is Any or getattr(kind, "_is_protocol", False) or isinstance(value, kind)


def test_a_result_has_the_type_of_the_annotation(backend: ModuleType) -> None:
    for call, wanted in calls(backend):
        call.again()
        result = call.function(*call.arguments, **call.keywords)
        hint = get_type_hints(wanted, localns={"Model": Any})["return"]
        assert is_of(result, hint), (wanted.__qualname__, type(result))


@pytest.mark.parametrize("name", ["pybind11", "nanobind"])
def test_help_lists_an_overload_for_each_dtype(name: str) -> None:
    for dtype in ("float32", "float64"):
        parts = ("a: .*", "b: .*", r"\*", "out: .*", "threads: int = 1")
        arguments = ", ".join(part.replace(".*", f".*{dtype}.*") for part in parts)
        pattern = rf"^.*matmul\({arguments}\) -> .*{dtype}.*\]$"
        assert re.search(pattern, binding(name).matmul.__doc__, re.MULTILINE), pattern


def test_help_begins_with_a_sentence(backend: ModuleType) -> None:
    """Some tools write the signatures before it, one in each line."""
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


@pytest.mark.parametrize("name", ["capi", "cython", "pybind11", "nanobind", "pyo3"])
def test_a_stub_is_installed_with_a_compiled_binding(name: str) -> None:
    package = Path(binding(name).__file__ or "").parent
    assert (package / "__init__.pyi").exists()


def test_mypy_finds_the_mistakes_of_a_user(tmp_path: Path) -> None:
    needs("mypy")
    (tmp_path / "user.py").write_text(A_USER)
    command = [sys.executable, "-P", "-m", "mypy", "--strict", "user.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    found = [line.split(":")[1] for line in done.stdout.splitlines() if "error:" in line]
    assert found == ["6", "7", "8", "9", "10"], done.stdout + done.stderr
