"""Sequences of several sources of tokens in fixed proportions."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook.data import TokenStream
from ffi_cookbook.data.tokens.token_files import TokenWriter

SIZES = 100, 61, 9  # the second source is in two files


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """Return three sources, of the tokens from 0, from 1000 and from 2000 on."""
    folder = tmp_path_factory.mktemp("tokens")
    tokens = [np.arange(size) + 1000 * i for i, size in enumerate(SIZES)]
    parts = [tokens[0], tokens[1][:17], tokens[1][17:], tokens[2]]
    for path, ids in zip(("a.bin", "b0.bin", "b1.bin", "c.bin"), parts, strict=True):
        with TokenWriter(folder / path, np.uint16) as file:
            file.write(ids, [5, len(ids) - 5])
    return [folder / "a.bin", str(folder / "b*.bin"), [folder / "c.bin"]]


def rows(batches: Any) -> list[tuple[int, ...]]:
    return [tuple(row) for batch in batches for row in batch.tokens.tolist()]


def of_source(number: int) -> list[tuple[int, ...]]:
    """Return the sequences of 4 tokens, with the target behind them, of a source by itself."""
    tokens = [1000 * number + i for i in range(SIZES[number])]
    return [tuple(tokens[i : i + 5]) for i in range(0, len(tokens) - 4, 4)]


@pytest.mark.parametrize(
    ("weights", "repeat", "counts"),
    [
        ([1, 1, 1], False, [2, 2, 2]),
        ([4, 3, 0.5], False, [16, 12, 2]),
        ([0.8, 0.5, 0.1], False, [16, 10, 2]),
        ([1, 1, 1], True, [24, 24, 24]),
    ],
)
def test_an_epoch_has_exact_proportions(
    sources: list[Any], weights: list[float], repeat: bool, counts: list[int]
) -> None:
    """No sequence crosses from one source into the next, and each comes as often as another."""
    options: Any = {"weights": weights, "repeat": repeat, "batch_size": 5, "threads": 2}
    stream = TokenStream(sources, 4, shuffle=True, **options)
    assert (stream.counts, stream.n_sequences, stream.n_tokens) == (counts, sum(counts), 170)
    found = rows(stream)
    for number, count in enumerate(counts):
        whole = of_source(number)
        times = Counter(row for row in found if row[0] // 1000 == number)
        assert times.total() == count
        assert times.keys() <= set(whole)
        assert set(times.values()) <= {count // len(whole), -(-count // len(whole))}
    in_order = rows(TokenStream(sources, 4, **options))
    origins, blocks = ([row[0] // 1000 for row in some] for some in (found, in_order))
    assert blocks == sorted(blocks)
    assert origins != sorted(origins)


def test_every_epoch_is_another_choice_and_the_same_one_again(sources: list[Any]) -> None:
    stream = TokenStream(sources, 4, weights=[1, 1, 1], shuffle=True)
    first, chosen = rows(stream), set[Any]()
    for epoch in range(12):
        stream.set_epoch(epoch)
        chosen |= set(rows(stream))
    stream.set_epoch(0)
    assert rows(stream) == first
    assert len(chosen) > 20


def test_documents_begin_where_they_do_in_their_source(sources: list[Any]) -> None:
    """The second source's documents begin at its tokens 0, 5, 17 and 22."""
    stream = TokenStream(sources[1:2], 10, weights=[1], batch_size=6, threads=0)
    (batch,) = stream
    assert batch.cu_seqlens.tolist() == [0, 5, 10, 17, 20, 22, 30, 40, 50, 60]


def test_a_state_of_other_weights_is_refused(sources: list[Any]) -> None:
    streams = [
        TokenStream([*sources[:2], *sources[2]], 4),
        TokenStream(sources, 4, weights=[1, 1, 1]),
        TokenStream(sources, 4, weights=[4, 3, 0.5]),
    ]
    for one in streams:
        state = json.loads(json.dumps(one.state_dict()))
        one.load_state_dict(state)
        for other in streams:
            if one is not other:
                with pytest.raises(ValueError, match=r"states: .* here$"):
                    other.load_state_dict(state)


def test_what_cannot_be_mixed(sources: list[Any], tmp_path: Path) -> None:
    for paths, weights, error, match in (
        (sources, [1], ValueError, "one for each item of paths, not 1 for 3"),
        ([], [], ValueError, "one for each item of paths, not 0 for 0"),
        (sources, [1, 1, 0], ValueError, "weights must be positive"),
        (sources, [1, 1, 1e-6], ValueError, r"weights\[2\] is too small"),
        (sources[1], [1], TypeError, "paths must be a list, for the weights, not str"),
        (sources, None, TypeError, r"source\[2\] must be a path"),
    ):
        with pytest.raises(error, match=match):
            TokenStream(paths, 4, weights=weights)
    with pytest.raises(ValueError, match=r"paths\[2\] must have at least 10 tokens, not 9"):
        TokenStream(sources, 9, weights=[1, 1, 1])
    with pytest.raises(TypeError, match="repeat must be given with weights"):
        TokenStream(sources[0], 4, repeat=True)
