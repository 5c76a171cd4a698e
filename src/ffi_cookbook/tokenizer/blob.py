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
from ffi_cookbook.bindings._glue.bpe.specials import Flag, prefixes
from ffi_cookbook.bindings._glue.bpe.tables import long_table, pair_tables
from ffi_cookbook.tokenizer.automaton import COLUMNS, compile_pattern
from ffi_cookbook.tokenizer.tokens import Tokens
from ffi_cookbook.tokenizer.vocabulary import Vocabulary, check_specials, made_by_merges


def build(vocabulary: Vocabulary, pattern: Pattern, special_tokens: Mapping[str, int]) -> Blob:
    """Return the binary model of a vocabulary."""
    tokens = vocabulary.tokens
    check_specials(special_tokens, tokens)
    specials = {token_id: name.encode() for name, token_id in special_tokens.items()}
    n_ids = max(int(tokens.ids.max()), *specials, 0) + 1
    defined = np.zeros(n_ids, np.uint8)
    defined[tokens.ids] = 1
    defined[list(specials)] = 2
    defined[list(vocabulary.byte_tokens)] |= Flag.OF_A_BYTE
    offsets, token_bytes = tokens.in_order(n_ids, {**vocabulary.byte_tokens, **specials})
    by_bytes = sorted(specials, key=specials.__getitem__)
    byte_ids = np.array(vocabulary.byte_ids or tokens.byte_ids())
    for_all = np.where(byte_ids < 0, max(byte_ids[0], 0), byte_ids)  # UTF-8 never has the others
    sections: Sections = pair_tables(vocabulary.merges, for_all)
    if not (vocabulary.every_token or (made := made_by_merges(tokens, sections, byte_ids)).all()):
        known = tokens.choose(made)
        tokens = Tokens.of(known, known.values())
    classes, automaton = unicode16.classes(), np.zeros((0, COLUMNS), np.uint16)
    if pattern.number >= AUTOMATON:
        classes, automaton = compile_pattern(pattern.regex)
    else:
        marks = 3 if pattern.name == "qwen35" else 4
        classes = np.array([0, 1, 2, 3, marks, 5, 6, 0], np.uint8)[classes]
    sections |= {
        **unicode16.two_stage(classes),
        "byte_ids": for_all,
        **tokens.table,
        **long_table(tokens.long),
        "defined": defined,
        "token_offsets": offsets,
        "token_bytes": token_bytes,
        "special_ids": np.array(by_bytes, np.uint32),
        "special_prefixes": np.array(prefixes([specials[i] for i in by_bytes]), np.int32).view(
            "u4"
        ),
        "automaton": automaton,
    }
    for name, flags in vocabulary.flags.items():
        defined[special_tokens[name]] |= flags
    unknown = 0 if vocabulary.unknown is None else vocabulary.unknown + 1
    before, after = vocabulary.around
    for token_id in (*before, *after):
        if not isinstance(token_id, int) or not 0 <= token_id < n_ids:
            raise ValueError(f"the post_processor adds the id {token_id!r}, which is no token")
    around = [len(before), *before, *after] if before or after else []
    steps = vocabulary.steps, unknown
    return _write((*pattern, n_ids, len(specials)), sections, steps, np.array(around, "<u4"))


def _write(
    numbers: tuple[int, ...], sections: Sections, steps: tuple[int, int], around: Blob
) -> Blob:
    sizes = [sections[name].size * np.dtype(dtype).itemsize for name, dtype in SECTIONS.items()]
    padded = [-(-size // ALIGNMENT) * ALIGNMENT for size in sizes]
    *offsets, automaton, size = accumulate(padded, initial=HEADER.size)
    tables = (sections[name] for name in ("short_ids", "long_ids", "pairs"))
    bits = [len(table).bit_length() - 1 for table in tables]
    counts = (*numbers, *bits, len(sections["unicode_blocks"]))
    lengths = len(sections["merged"]), len(sections["automaton"])
    size += around.nbytes
    blob = np.zeros(size, np.uint8)
    blob[size - around.nbytes :] = around.view(np.uint8)
    HEADER.pack_into(blob.data, 0, MAGIC, size, *counts, *offsets, *lengths, automaton, *steps)
    for (name, dtype), at in zip(SECTIONS.items(), (*offsets, automaton), strict=True):
        section = sections.pop(name)
        np.ndarray(section.shape, dtype, blob, at)[...] = section
    blob.flags.writeable = False
    return blob
