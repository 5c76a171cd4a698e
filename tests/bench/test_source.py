"""The source shown for a pattern is complete, and nothing else is shown with it."""

from __future__ import annotations

import ast
from importlib import import_module

import pytest

import bindings

BACKENDS = [name for name in bindings.names() if name != "numpy"]
CLOSED = {".py": "", ".pyx": "", ".c": ";}", ".cpp": ";}", ".rs": "}"}


def cut(suffix: str, text: str, name: str) -> str:
    piece: str = import_module("source")._CUTTERS[suffix](text, name)
    return piece


@pytest.mark.parametrize("binding", BACKENDS)
def test_every_row_has_a_source(binding: str) -> None:
    source, rows = import_module("source"), import_module("rows").ALL
    for name, row in rows.items():
        pieces = source.snippets(binding, row.page, row.function)
        assert pieces, name
        for path, text in pieces:
            assert row.function in text or f"---- {row.function} ----" in path.read_text(), name
            for one, other in ("()", "[]", "{}"):
                assert text.count(one) == text.count(other), (name, text)
            assert text.endswith(tuple(CLOSED[path.suffix])) or not CLOSED[path.suffix], text
            if path.suffix == ".py":
                ast.parse(text)


@pytest.mark.parametrize("binding", BACKENDS)
def test_every_variant_has_a_source(binding: str) -> None:
    source, rows = import_module("source"), import_module("rows")
    pages = {
        (variant, row.function)
        for variant in rows.VARIANTS
        for row in rows.ALL.values()
        if source.pages(binding, variant) and f'"{row.function}"' in _names(binding, variant)
    }
    for page, function in pages:
        assert source.snippets(binding, page, function), (page, function)


def _names(binding: str, variant: str) -> str:
    space = getattr(bindings.load(binding).patterns, variant, None)
    return " ".join(f'"{name}"' for name in dir(space))


def test_python_keeps_decorators_and_prepared_names() -> None:
    text = "_f = held('f')\n\nX = 1\n\n@deco\ndef f(a):\n    return _f(a)\n\ndef g(): ...\n"
    assert cut(".py", text, "f") == "_f = held('f')\n\n@deco\ndef f(a):\n    return _f(a)"


def test_cython_ends_with_its_indentation() -> None:
    text = "@wraps\ndef f(int64_t a):\n    return a\n\n\ndef ff(a):\n    pass\n"
    assert cut(".pyx", text, "f") == "@wraps\ndef f(int64_t a):\n    return a"


def test_cpp_has_the_definition_and_what_registers_it() -> None:
    text = (
        "static int f(int a) {\n  if (a) {\n    a--;\n  }\n  return a;\n}\n\n"
        "static int ff(int a) { return a; }\n\nvoid page(module_ &m) {\n"
        '  m.def("f", &f, "adds; {");\n  m.def("ff", &ff);\n'
        '  class_<K> k(m, "K");\n  k.def("go", &go)\n      .def("stay", &stay);\n}\n'
    )
    assert cut(".cpp", text, "f") == (
        "static int f(int a) {\n  if (a) {\n    a--;\n  }\n  return a;\n}\n\n"
        'm.def("f", &f, "adds; {");'
    )
    assert cut(".cpp", text, "K") == (
        'class_<K> k(m, "K");\n\nk.def("go", &go)\n    .def("stay", &stay);'
    )


def test_c_has_what_stands_under_a_banner() -> None:
    text = "/* ---- K ---- */\n\nint make;\nint drop;\n\n/* ---- module ---- */\n\nint K;\n"
    assert cut(".c", text, "K") == "int make;\nint drop;"


def test_rust_has_the_type_and_its_methods() -> None:
    text = (
        "/// One.\n#[pyclass]\npub struct K(i64);\n\nfn other() {}\n\n#[pymethods]\nimpl K {\n"
        "    fn f(&self) -> i64 {\n        self.0\n    }\n}\n"
    )
    assert cut(".rs", text, "K") == (
        "/// One.\n#[pyclass]\npub struct K(i64);\n\n#[pymethods]\nimpl K {\n"
        "    fn f(&self) -> i64 {\n        self.0\n    }\n}"
    )


def test_a_missing_function_has_no_source() -> None:
    for suffix in CLOSED:
        assert cut(suffix, "", "f") == ""
