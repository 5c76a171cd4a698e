"""The source shown for a pattern is complete, and what it needs is named."""

from __future__ import annotations

import ast
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.docs import definitions, source
from benchmarks.ledger import rows

BACKENDS = [name for name in ffi_cookbook.names() if name != "numpy"]
CLOSED = {".py": "", ".pyx": "", ".c": (";", "}"), ".cpp": ("", ";", "}"), ".rs": (";", "}")}


def names(suffix: str, text: str) -> list[list[str]]:
    """Return what each definition of a text defines."""
    found = definitions.definitions(text, suffix)
    return [sorted(one.names) for one in found]


def cut(suffix: str, text: str, name: str) -> str:
    """Return a definition of a text with what it uses."""
    module: Any = definitions
    found = module.definitions(text, suffix)
    return "\n".join(
        one.text for one in module.needed([one for one in found if name in one.names], found)
    )


@pytest.mark.parametrize("binding", BACKENDS)
def test_every_row_has_a_source(binding: str) -> None:
    for name, row in rows.ALL.items():
        pieces = source.sources(binding, row.page, {row.function})
        assert pieces, name
        assert any(row.function in one.text + one.registration for one in pieces), name
        for one in pieces:
            for text in (one.text, one.registration):
                for opening, closing in ("()", "[]", "{}"):
                    assert text.count(opening) == text.count(closing), (name, text)
            assert one.text.endswith(CLOSED[one.path.suffix]), one.text
            if one.path.suffix == ".py":
                ast.parse(one.text)


@pytest.mark.parametrize("binding", BACKENDS)
def test_every_variant_has_a_source(binding: str) -> None:
    for variant in rows.VARIANTS:
        space = getattr(ffi_cookbook.load(binding).patterns, variant, None)
        for row in rows.ALL.values():
            if source.pages(binding, variant) and hasattr(space, row.function):
                assert source.snippets(binding, variant, {row.function}), (variant, row.function)


def test_python_keeps_decorators_and_what_is_used() -> None:
    text = (
        "_f, _g = held(1), held(2)\n\nX = 1\n\n@deco\ndef f(a):\n    return _f(a)\n\ndef g(): ...\n"
    )
    assert cut(".py", text, "f") == "_f = held(1)\n@deco\ndef f(a):\n    return _f(a)"


def test_a_variable_of_python_is_not_a_function_of_its_name() -> None:
    text = (
        "def error(): ...\n\ndef f():\n    try: ...\n    except E as error:\n        str(error)\n"
    )
    assert "def error" not in cut(".py", text, "f")


def test_what_python_registers_goes_with_its_variable() -> None:
    text = (
        "_now = Var()\n\n@torch.library.impl('a::b')\ndef _called(): return _now\n\n"
        "def f(): _now.set(1)\n\n_f.restype = int\n\ndef g(): return _f()\n"
    )
    assert "def _called" in cut(".py", text, "f")
    assert "_f.restype" in cut(".py", text, "g")


def test_a_definition_ends_where_its_brackets_are_closed() -> None:
    text = (
        "struct A {\n  int a;\n\nprivate:\n  int b;\n};\n\nstatic A f(int a) {\n  return {};\n}\n"
    )
    assert names(".cpp", text) == [["A"], ["f"]]


def test_definitions_of_c_and_cpp() -> None:
    text = (
        "#define ONE 1\n\ntypedef struct {\n  int x;\n} Point;\n\nenum { LOW, HIGH };\n\n"
        "using Name = int;\n\ntemplate <class T> struct Box : T {};\n\n"
        "template <class T> struct nb::detail::type_caster<Box<T>> {};\n\n"
        "static inline const char *f(int a) {\n  return g(a);\n}\n"
    )
    found = [["ONE"], ["Point"], ["HIGH", "LOW"], ["Name"], ["Box"], ["Box"], ["f"]]
    assert names(".hpp", text) == found


def test_rust_has_the_type_and_its_methods() -> None:
    text = (
        "/// One.\n#[pyclass]\npub struct K(i64);\n\nfn other() {}\n\n#[pymethods]\nimpl K {\n"
        "    fn f(&self) -> i64 {\n        self.0\n    }\n}\n"
    )
    assert "fn f(&self)" in cut(".rs", text, "K")
    assert "other" not in cut(".rs", text, "K")


def test_cython_ends_with_its_indentation() -> None:
    text = "@wraps\ndef f(int64_t a):\n    return a\n\n\ndef ff(a):\n    pass\n"
    assert cut(".pyx", text, "f") == "@wraps\ndef f(int64_t a):\n    return a"


def test_a_missing_function_has_no_source() -> None:
    for suffix in CLOSED:
        assert cut(suffix, "", "f") == ""
