"""A vocabulary in the form that a model is built from, for every kind of file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.bindings._glue.bpe.merge import merge
from ffi_cookbook.bindings._glue.bpe.patterns import Pattern
from ffi_cookbook.bindings._glue.bpe.specials import LONGEST
from ffi_cookbook.bindings._glue.bpe.tables import NO_RANK, find_pairs, listed_pairs
from ffi_cookbook.tokenizer.tokens import MAX_IDS, Tokens, is_id

NO_STEPS = Steps(0)
BLOCK = 1 << 15  # bytes of tokens whose cuts are tried at once
MANY = 256  # the most bytes of a token that is merged together with others

Merges = npt.NDArray[np.uint32]
"""Shape (n, 4): left, right, rank, id."""


@dataclass(frozen=True)
class Vocabulary:
    """Tokens, and how bytes become them."""

    tokens: Tokens
    merges: Merges
    every_token: bool
    """A pretoken that equals a token becomes it at once, even if the merges would not make it."""
    special_tokens: Mapping[str, int] = field(default_factory=dict)
    pattern: Pattern | None = None
    """None if the file does not say."""
    steps: Steps = NO_STEPS
    unknown: int | None = None
    """The id of unknown characters, if bytes have no tokens."""
    byte_ids: Sequence[int] = ()
    """The id of each byte, if it is not that of the token of this byte."""
    byte_tokens: Mapping[int, bytes] = field(default_factory=dict)
    """Tokens that stand for a byte of an unknown character."""
    flags: Mapping[str, int] = field(default_factory=dict)
    """The flags of special tokens."""
    around: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    """The ids that the file puts before a text, and after it."""


def from_ranks(tokens: Tokens) -> Vocabulary:
    """Return the vocabulary of ranks as tiktoken sees it.

    A token's id is its rank, and any two tokens that spell a third one merge.
    """
    if (byte_ids := tokens.byte_ids()).min() < 0:
        raise ValueError(f"no token for the byte 0x{byte_ids.argmin():02x}")
    return Vocabulary(tokens, np.concatenate([*_rows(tokens)]), True)


def _rows(tokens: Tokens) -> Iterator[Merges]:
    """Yield the merges that make each token: every cut into two tokens, some tokens at a time."""
    data, sizes = tokens.data, tokens.sizes
    is_size = np.bincount(sizes) > 0
    edges = np.searchsorted(tokens.starts, range(0, len(data) + BLOCK, BLOCK)).tolist()
    for first, end in pairwise(edges):
        cuts = np.maximum(sizes[first:end] - 1, 0)
        number = np.repeat(np.arange(first, end), cuts)
        left = np.arange(1, len(number) + 1) - np.repeat(np.cumsum(cuts) - cuts, cuts)
        usual = is_size[left] & is_size[sizes[number] - left]
        number, left = number.compress(usual), left.compress(usual)
        left_ids = tokens.find(data, tokens.starts[number], left)
        known = left_ids >= 0
        number, left, left_ids = (it.compress(known) for it in (number, left, left_ids))
        right_ids = tokens.find(data, tokens.starts[number] + left, sizes[number] - left)
        made = tokens.ids[number]
        rows = np.stack([left_ids, right_ids, made, made], 1).compress(right_ids >= 0, 0)
        yield rows.astype(np.uint32)


def from_merges(tokens: Tokens, rows: Merges, ignore_merges: bool) -> Vocabulary:
    """Return the vocabulary of merges as Hugging Face sees it.

    Only listed pairs merge, in the order of the list. A pretoken that is a token becomes that token
    if the merges produce it too; with `ignore_merges` it always does. A byte that UTF-8 never has
    may lack a token.
    """
    pairs = rows[:, 0].astype(np.int64) << 32 | rows[:, 1]
    ordered = np.sort(pairs)
    if (ordered[1:] == ordered[:-1]).any():
        repeated = np.delete(np.arange(len(pairs)), np.unique(pairs, return_index=True)[1])
        raise ValueError(f"merge {repeated[0]} is a repetition")
    if len(rows) > MAX_IDS:
        raise ValueError(f"{len(rows)} merges, more than {MAX_IDS}")
    return Vocabulary(tokens, rows, ignore_merges)


def made_by_merges(
    tokens: Tokens, tables: Mapping[str, npt.NDArray[Any]], byte_ids: npt.NDArray[Any]
) -> npt.NDArray[np.bool_]:
    """Return, for each token, whether the merges turn its bytes into it.

    All tokens lie end to end, and a round of the loop is one merge in each of them. A token with a
    byte whose id is -1 is not made.
    """
    pairs, merged = tables["pairs"], tables["merged"]
    byte_pairs = find_pairs(pairs, np.repeat(byte_ids, 256), np.tile(byte_ids, 256))
    made = np.zeros(len(tokens.ids), np.bool_)
    long = tokens.sizes > MANY  # a round takes time for the whole token
    if long.any():
        listed = listed_pairs(tables)
        made[long] = [
            merge(byte_ids[[*token]].tolist(), listed) == [token_id]
            for token, token_id in tokens.choose(long).items()
        ]

    going = np.flatnonzero((tokens.sizes >= 1) & ~long)
    sizes = tokens.sizes[going]
    data = np.frombuffer(tokens.data, "u1", tokens.sizes.sum())
    data = data.compress(np.repeat(~long, tokens.sizes))
    symbols = byte_ids[data]
    ranks = byte_pairs[data * np.int64(256) + np.append(data[1:], 0)]  # of a symbol and the next
    while going.size:
        ends = np.cumsum(sizes)
        starts = ends - sizes
        ranks[ends - 1] = NO_RANK
        lowest = np.minimum.reduceat(ranks << 31 | np.arange(len(ranks)), starts)
        rank, at = lowest >> 31, lowest & 0x7FFFFFFF
        merges = rank != NO_RANK
        made[going] = ~merges & (sizes == 1) & (symbols[starts] == tokens.ids[going])
        stays = np.repeat(merges, sizes)
        rank, at, within = rank[merges], at[merges], (at - starts)[merges]
        symbols[at] = merged[rank] if len(merged) else rank
        stays[at + 1] = False
        symbols, ranks = symbols[stays], ranks[stays]
        going, sizes = going[merges], sizes[merges] - 1
        at = np.cumsum(sizes) - sizes + within
        changed = np.concatenate([at[within < sizes - 1], at[within > 0] - 1])
        ranks[changed] = find_pairs(pairs, symbols[changed], symbols[changed + 1])
    return made


def check_specials(special_tokens: Mapping[str, int], tokens: Tokens) -> None:
    """Raise ValueError unless these tokens can be found and have ids of their own.

    One may be an ordinary token too, with the same bytes and id.
    """
    taken = tokens.choose(np.isin(tokens.ids, [*filter(is_id, special_tokens.values())]))
    used = {token_id: token for token, token_id in taken.items()}
    for name, token_id in special_tokens.items():
        if not isinstance(name, str) or not name or not is_id(token_id):
            raise ValueError(f"the special token {name!r} cannot have the id {token_id!r}")
        if len(data := name.encode()) > LONGEST:
            start = f"{name[:20]!r}..."
            raise ValueError(f"the special token {start} has more than {LONGEST} bytes")
        if used.setdefault(token_id, data) != data:
            raise ValueError(f"the id {token_id} of the special token {name!r} is taken")
