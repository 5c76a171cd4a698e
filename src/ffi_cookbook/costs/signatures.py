"""The kinds of arguments and results, which have a price, from a signature written in Python."""

from __future__ import annotations

import ast
import re

KINDS = {
    "ndarray[f64]": "ndarray NDArray",
    "dlpack": "Tensor",
    "Buffer": "bytearray",
    "int": "SupportsIndex int8_t int16_t int32_t int64_t uint8_t uint16_t uint32_t uint64_t size_t"
    " ssize_t",
    "float": "SupportsFloat double",
    "bool": "",
    "str": "LiteralString",
    "list": "List Sequence MutableSequence",
    "dict": "Dict Mapping MutableMapping",
    "tuple": "Tuple",
}
"""By kind, other names that are priced as it."""
ELEMENTS = {
    "ndarray[f64]": {
        "f64": "ndarray[f64]",
        "float64": "ndarray[f64]",
        "double": "ndarray[f64]",
        "Any, dtype[float64]": "ndarray[f64]",
    },
    "list": {"float": "list", "str": "list[str]"},
    "dict": {"str, float": "dict"},
    "tuple": {"int, int": "tuple"},
}
"""By kind and by what stands between its brackets, the kind that was measured."""
_KIND_OF = {alias: kind for kind, names in KINDS.items() for alias in (kind, *names.split())}
_INSIDE = ("Optional", "Annotated", "Final", "Required", "NotRequired", "ClassVar")


def parse(text: str) -> tuple[tuple[str, ...], str | None]:
    """Return the kinds of the arguments, and that of the result or None: see `Signature.parse`.

    A type that this module does not know is returned as it is written.
    """
    line = re.sub(r"^\s*(async\s+)?def\s+|\s*:\s*(\.\.\.|pass)?\s*$", "", text)
    found = re.fullmatch(r"\s*\w*\s*\((.*)\)\s*(?:->\s*(.*\S))?\s*", line, re.DOTALL)
    if found is None:
        raise ValueError(f"not a signature: {text!r}; write f(int, str) -> float")
    pieces = _split(found[1])
    if "" in pieces[:-1] or (pieces[-1:] == [""] and not text.lstrip().startswith("def")):
        raise ValueError(f"an argument is missing in {text!r}")
    arguments = [_argument(piece) for piece in pieces if piece not in ("", "/", "*", "self", "cls")]
    result = _kind(_expression(found[2])) if found[2] else None
    return tuple(arguments), found[2] if result == "dlpack" else result


def _split(text: str) -> list[str]:
    """Split at the commas outside brackets and quotes."""
    if not text.strip():
        return []
    parts, depth, quote = [""], 0, ""
    for letter in text:
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        else:
            depth += (letter in "[({") - (letter in "])}")
        if letter == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _argument(text: str) -> str:
    """Return the kind of a type, of an annotated parameter, or of its default value."""
    try:
        arguments = ast.parse(f"def f({text}): ...").body[0].args  # type: ignore[attr-defined]
    except SyntaxError:
        return _kind(_expression(text))
    if arguments.vararg or arguments.kwarg:
        raise ValueError(f"no costs of {text!r}: name each argument")
    parameter = arguments.args[0]
    if parameter.annotation:
        return _kind(parameter.annotation)
    if not arguments.defaults:
        return _kind(ast.Name(parameter.arg))
    kind = _value(arguments.defaults[0])
    if kind == "None":
        raise ValueError(f"parameter {parameter.arg!r} needs a type: its default value is None")
    return kind


def _expression(text: str) -> ast.expr:
    try:
        return ast.parse(text, mode="eval").body
    except SyntaxError:
        raise ValueError(f"not a type: {text!r}") from None


def _value(node: ast.expr) -> str:
    """Return the kind of a literal value."""
    try:
        return type(ast.literal_eval(node)).__name__.replace("NoneType", "None")
    except ValueError:
        return ast.unparse(node)


def _kind(node: ast.expr) -> str:
    """Return the kind that a type belongs to, or the type as it is written."""
    if isinstance(node, ast.Constant):
        return _kind(_expression(node.value)) if isinstance(node.value, str) else str(node.value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        return _either([_kind(node.left), _kind(node.right)], ast.unparse(node))
    name = node.value if isinstance(node, ast.Subscript) else node
    word = name.attr if isinstance(name, ast.Attribute) else getattr(name, "id", "")
    if isinstance(node, ast.Subscript):
        inner = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if word == "Union":
            return _either([_kind(one) for one in inner], ast.unparse(node))
        if word == "Literal":
            return _either([_value(one) for one in inner], ast.unparse(node))
        if word in _INSIDE:
            return _kind(inner[0])
        elements = re.sub(r"[\w.]*\.", "", ast.unparse(node.slice).strip("()"))
        return ELEMENTS.get(_KIND_OF.get(word, ""), {}).get(elements) or ast.unparse(node)
    return _KIND_OF.get(word) or ast.unparse(node)


def _either(kinds: list[str], text: str) -> str:
    """Return the one kind of a union, ignoring None, where int and float together are float."""
    left = set(kinds) - {"None"}
    if left == {"int", "float"}:
        return "float"
    if left and left <= {"bytes", "Buffer"} and "Buffer" in left:
        return "Buffer"
    return left.pop() if len(left) == 1 else text
