"""Training: the ranks of a byte-level BPE vocabulary, from any text.

Pairs are counted once; a merge then recounts only the pieces that hold the merged pair.
"""

from __future__ import annotations

import os
import sysconfig
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from heapq import heapify, heappop, heappush
from itertools import pairwise
from pathlib import Path

from bindings.tokenizer.patterns import named
from bindings.tokenizer.rankfiles import write_tiktoken
from bindings.tokenizer.regex import compiled
from bindings.tokenizer.surrogates import replace_surrogates

Pair = tuple[int, int]


def train(texts: Iterable[str], vocab_size: int, pattern: str) -> dict[bytes, int]:
    """The ranks of the 256 bytes and of the most frequent merges, up to `vocab_size` tokens, or as
    many as the texts give. Of pairs that are equally frequent the one with the lower ids is merged,
    so that equal texts give equal ranks."""
    if vocab_size < 256:
        raise ValueError(f"vocab_size is {vocab_size}, but every byte is a token")
    weights = _count_pieces(texts, pattern)
    pieces = {number: list(piece) for number, piece in enumerate(weights)}
    weight = list(weights.values())
    counts: Counter[Pair] = Counter()
    places: defaultdict[Pair, set[int]] = defaultdict(set)
    for number, piece in pieces.items():
        for pair in pairwise(piece):
            counts[pair] += weight[number]
            places[pair].add(number)

    tokens = [bytes([byte]) for byte in range(256)]
    ranks = {token: rank for rank, token in enumerate(tokens)}
    heap = [(-count, pair) for pair, count in counts.items()]
    heapify(heap)
    while heap and len(ranks) < vocab_size:
        negative, pair = heappop(heap)
        if counts[pair] != -negative:
            continue  # counted before some merge, and listed again since
        token = tokens[pair[0]] + tokens[pair[1]]
        merged = ranks.setdefault(token, len(tokens))
        if merged == len(tokens):
            tokens.append(token)
        changed = set()
        for number in places.pop(pair):
            piece = pieces[number]
            for old in pairwise(piece):
                counts[old] -= weight[number]
                changed.add(old)
            pieces[number] = piece = _merged(piece, pair, merged)
            for new in pairwise(piece):
                counts[new] += weight[number]
                places[new].add(number)
                changed.add(new)
        for other in changed:
            if counts[other]:
                heappush(heap, (-counts[other], other))
    return ranks


def _count_pieces(texts: Iterable[str], pattern: str) -> Counter[bytes]:
    split = compiled(named(pattern))
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(match[0] for match in split.finditer(replace_surrogates(text)))
    return Counter({piece.encode(): count for piece, count in counts.items()})


def _merged(piece: list[int], pair: Pair, token: int) -> list[int]:
    result = []
    i = 0
    while i < len(piece):
        if piece[i] == pair[0] and i + 1 < len(piece) and piece[i + 1] == pair[1]:
            result.append(token)
            i += 2
        else:
            result.append(piece[i])
            i += 1
    return result


def save_tiktoken(ranks: Mapping[bytes, int], path: str | os.PathLike[str]) -> None:
    """Writes ranks as a `.tiktoken` file."""
    Path(path).write_bytes(write_tiktoken(ranks))


def sample_texts(limit: int = 2_000_000) -> Iterator[str]:
    """At most `limit` bytes of text that ships with every Python: the help topics, then the sources
    of the standard library in the order of their names."""
    library = Path(sysconfig.get_path("stdlib"))
    for path in (library / "pydoc_data" / "topics.py", *sorted(library.glob("*.py"))):
        if limit > 0 and path.exists():
            data = path.read_bytes()[:limit]
            limit -= len(data)
            yield data.decode("utf-8", "ignore")
