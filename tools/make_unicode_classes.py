"""Write bindings/_glue/bpe/unicode16.bin: the class of every code point (docs/tokenizer.md).

Python's own `unicodedata` has the Unicode version of that Python, but the patterns are defined on
Unicode 16. So run this in an environment of its own:

    pip install unicodedata2==16.0.0
    python tools/make_unicode_classes.py

The file has a 32-bit word for each run, which ends where the next one starts: the first code point
in the upper 29 bits, the class in the lower 3.
"""

from __future__ import annotations

from pathlib import Path

import unicodedata2  # type: ignore[import-not-found]

TARGET = Path(__file__).parents[1] / "bindings" / "_glue" / "bpe" / "unicode16.bin"
CLASSES = {"Lu": 1, "Lt": 1, "Ll": 2, "L": 3, "M": 4, "N": 5, "P": 7, "S": 7}
WHITE_SPACE = {0x20, 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000}
WHITE_SPACE |= {*range(0x09, 0x0E), *range(0x2000, 0x200B)}


def class_of(code_point: int) -> int:
    """Return 1 for Lu and Lt, 2 Ll, 3 Lm and Lo, 4 M, 5 N, 6 white space, 7 P and S, 0 others."""
    if code_point in WHITE_SPACE:
        return 6
    category = unicodedata2.category(chr(code_point))
    return CLASSES.get(category) or CLASSES.get(category[0], 0)


def main() -> None:
    """Write the file."""
    if unicodedata2.unidata_version != "16.0.0":
        raise SystemExit(f"this is Unicode {unicodedata2.unidata_version}, not 16.0.0")
    data, previous = b"", None
    for code_point in range(0x110000):
        current = class_of(code_point)
        if current != previous:
            data += (code_point << 3 | current).to_bytes(4, "little")
            previous = current
    TARGET.write_bytes(data)


if __name__ == "__main__":
    main()
