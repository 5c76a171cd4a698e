"""The kinds of arguments and results, which have a price, from a signature written in Python."""

from __future__ import annotations

import re

ALIASES = {
    "NDArray": "ndarray[f64]",
    "NDArray[float64]": "ndarray[f64]",
    "ndarray": "ndarray[f64]",
    "ndarray[float64]": "ndarray[f64]",
    "Tensor": "dlpack",
    "bytearray": "Buffer",
    "bytes | bytearray": "Buffer",
    "list[float]": "list",
    "dict[str, float]": "dict",
    "tuple[int, int]": "tuple",
    "Callable[[float], float]": "Callable",
}
"""Other names of kinds."""


def parse(text: str) -> tuple[tuple[str, ...], str | None, int]:
    """Return the fields of a signature, with None for a result left out: see `Signature.parse`.

    A type that has no other name is returned as it is, without the names of modules.
    """
    line = re.sub(r"^\s*(async\s+)?def\s+|\s*:\s*(\.\.\.|pass)?\s*$", "", text)
    found = re.fullmatch(r"\s*(\w*)\s*\((.*)\)\s*(?:->\s*(.*\S))?\s*", line, re.DOTALL)
    if found is None:
        raise ValueError(f"not a signature: {text!r}; write f(int, str) -> float")
    pieces = _split(found[2])
    if "" in pieces[:-1] or (pieces[-1:] == [""] and not text.lstrip().startswith("def")):
        raise ValueError(f"an argument is missing in {text!r}")
    pieces = [piece for piece in pieces if piece not in ("", "/", "self", "cls")]
    named = len(pieces) - 1 - pieces.index("*") if "*" in pieces else 0
    arguments = tuple(_argument(piece) for piece in pieces if piece != "*")
    result = "Self" if found[1] == "__init__" else found[3] and _kind(found[3])
    return arguments, result, named


def _split(text: str) -> list[str]:
    """Split at the commas outside brackets."""
    if not text.strip():
        return []
    parts, depth = [""], 0
    for letter in text:
        depth += (letter in "[(") - (letter in "])")
        if letter == "," and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return [part.strip() for part in parts]


def _argument(text: str) -> str:
    """Return the kind of a type, or of a parameter with a type."""
    name, colon, annotation = text.partition("=")[0].partition(":")
    return _kind(annotation if colon else name)


def _kind(text: str) -> str:
    """Return the kind that a type belongs to, or the type; None beside it is ignored."""
    plain = re.sub(r"\w+\.", "", text.strip())
    plain = re.sub(r"^Optional\[(.*)\]$|\s*\|\s*None$", r"\1", plain)
    return ALIASES.get(plain, plain)
