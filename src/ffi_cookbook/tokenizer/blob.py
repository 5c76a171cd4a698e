"""The binary model of docs/tokenizer.md, built from a vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import accumulate

import numpy as np

from ffi_cookbook.bindings._glue.bpe import unicode16
from ffi_cookbook.bindings._glue.bpe.layout import (
    ALIGNMENT,
    HEADER,
    MAGIC,
    SECTIONS,
    Blob,
    Sections,
)
from ffi_cookbook.bindings._glue.bpe.patterns import AUTOMATON, Pattern
from ffi_cookbook.bindings._glue.bpe.specials import prefixes
from ffi_cookbook.bindings._glue.bpe.tables import SHORT, long_table, pair_tables, short_table
from ffi_cookbook.tokenizer.automaton import COLUMNS, compile_pattern
from ffi_cookbook.tokenizer.vocabulary import Vocabulary, check_specials


def build(vocabulary: Vocabulary, pattern: Pattern, special_tokens: Mapping[str, int]) -> Blob:
    """Return the binary model of a vocabulary."""
    tokens = {token_id: token for token, token_id in vocabulary.tokens.items()}
    check_specials(special_tokens, tokens)
    specials = {token_id: name.encode() for name, token_id in special_tokens.items()}
    spelled = tokens | specials
    n_ids = max(spelled) + 1
    defined = np.zeros(n_ids, np.uint8)
    defined[list(tokens)] = 1
    defined[list(specials)] = 2
    sizes = [len(spelled.get(token_id, b"")) for token_id in range(n_ids)]
    by_bytes = sorted(specials, key=specials.__getitem__)
    any_byte = vocabulary.tokens[b"\0"]  # for the bytes that UTF-8 never has
    byte_ids = np.array([vocabulary.tokens.get(bytes([b]), any_byte) for b in range(256)])
    classes, automaton = unicode16.classes(), np.zeros((0, COLUMNS), np.uint16)
    if pattern.number >= AUTOMATON:
        classes, automaton = compile_pattern(pattern.regex)
    else:
        marks = 3 if pattern.name == "qwen35" else 4
        classes = np.array([0, 1, 2, 3, marks, 5, 6, 0], np.uint8)[classes]
    sections: Sections = {
        **unicode16.two_stage(classes),
        "byte_ids": byte_ids,
        **short_table([it for it in vocabulary.whole if 1 <= len(it[0]) <= SHORT]),
        **long_table([it for it in vocabulary.whole if len(it[0]) > SHORT]),
        **pair_tables(vocabulary.merges, byte_ids),
        "defined": defined,
        "token_offsets": np.cumsum([0, *sizes]),
        "token_bytes": np.frombuffer(b"".join(spelled[i] for i in sorted(spelled)), np.uint8),
        "special_ids": np.array(by_bytes, np.uint32),
        "special_prefixes": np.array(prefixes([specials[i] for i in by_bytes]), np.int32).view(
            "u4"
        ),
        "automaton": automaton,
    }
    for name, flags in vocabulary.flags.items():
        defined[special_tokens[name]] |= flags
    return _write((*pattern, n_ids, len(specials)), sections, vocabulary.nfc)


def _write(numbers: tuple[int, ...], sections: Sections, nfc: bool) -> Blob:
    raw = [sections[name].astype(dtype, copy=False).tobytes() for name, dtype in SECTIONS.items()]
    padded = [data.ljust(-(-len(data) // ALIGNMENT) * ALIGNMENT, b"\0") for data in raw]
    *offsets, automaton, size = accumulate(map(len, padded), initial=HEADER.size)
    tables = (sections[name] for name in ("short_ids", "long_ids", "pairs"))
    bits = [len(table).bit_length() - 1 for table in tables]
    counts = (*numbers, *bits, len(sections["unicode_blocks"]))
    lengths = len(sections["merged"]), len(sections["automaton"])
    header = HEADER.pack(MAGIC, size, *counts, *offsets, *lengths, automaton, nfc)
    return np.frombuffer(b"".join([header, *padded]), np.uint8)
