"""Parts of a data set, and mixtures."""

from __future__ import annotations

import json
import pickle
import random
import shutil
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import RecordError
from ffi_cookbook.data import Mixture, RecordDataset, RecordStream, TokenStream
from ffi_cookbook.data.order import job
from ffi_cookbook.data.tokens.token_files import TokenWriter
from support.record_numbers import damage, flat, numbers

# ---- parts --------------------------------------------------------------------------------------


def test_parts_of_a_dataset(dataset: RecordDataset) -> None:
    part = dataset.skip(10).take(25)
    assert len(part) == 25
    for one in (part, pickle.loads(pickle.dumps(part))):
        assert one.__getitems__([0, 24, 7])["number"].tolist() == [10, 34, 17]
        seen = flat(numbers(RecordStream(one, batch_size=4, shuffle=True)))
        assert sorted(seen) == list(range(10, 35))
    assert [len(dataset.take(99)), len(dataset.skip(99)), len(dataset.take(0))] == [51, 0, 0]
    for method in (dataset.take, dataset.skip):
        with pytest.raises(ValueError, match="n must be at least 0, not -1"):
            method(-1)


def test_a_bad_record_of_a_part_has_its_number_in_the_file(files: Any, tmp_path: Path) -> None:
    paths = [Path(shutil.copy(path, tmp_path)) for path in files.paths]
    whole = RecordDataset(paths, files.schema)
    damage(paths[2], 13)
    part = whole.skip(20).take(20)
    for one, row in ((whole, 30), (part, 10), (part.skip(5), 5), (part.joined([part]), 30)):
        with pytest.raises(RecordError) as caught:
            one[row]
        assert (caught.value.path, caught.value.record) == (str(paths[2]), 13)


# ---- mixtures -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def parts(dataset: RecordDataset) -> list[RecordDataset]:
    return [dataset.take(30), dataset.skip(30)]  # 30 and 21 records


def by_part(batches: Any) -> tuple[Counter[int], Counter[int]]:
    """Return how often each record of the first and of the second data set came."""
    seen = flat(numbers(batches))
    return Counter(n for n in seen if n < 30), Counter(n for n in seen if n >= 30)


@pytest.mark.parametrize(
    ("weights", "repeat", "counts"),
    [
        ([1, 1], False, [21, 21]),
        ([1, 1], True, [30, 30]),
        ([3, 1], False, [30, 10]),
        ([3, 1], True, [63, 21]),
        ([0.7, 0.1], False, [30, 4]),
        ([1, 100], True, [30, 3000]),
        ([1, 0.7], False, [30, 21]),
        ([1, 0.7], True, [30, 21]),
        ([1 / 1.7, 0.7 / 1.7], False, [30, 21]),
    ],
)
def test_a_mixture_has_exact_proportions(
    parts: list[RecordDataset], weights: list[float], repeat: bool, counts: list[int]
) -> None:
    mixture = Mixture(parts, weights, repeat=repeat)
    assert (mixture.counts, len(mixture)) == (counts, sum(counts))
    found = by_part(RecordStream(mixture, batch_size=16, shuffle=True, seed=3))
    for times, count, part in zip(found, counts, parts, strict=True):
        assert times.total() == count
        assert set(times.values()) <= {count // len(part), -(-count // len(part))}


def test_every_epoch_of_a_mixture_is_another_choice(parts: list[RecordDataset]) -> None:
    mixture = Mixture(parts, [1, 10])
    chosen = set[int]()
    one = RecordStream(mixture, batch_size=8, shuffle=True)
    for epoch in range(20):
        one.set_epoch(epoch)
        found = by_part(one)
        assert [times.total() for times in found] == [2, 21]
        chosen |= set(found[0])
    assert len(chosen) > 15
    assert flat(numbers(RecordStream(mixture, batch_size=8))) == [0, 1, *range(30, 51)]
    mixed = flat(numbers(RecordStream(Mixture(parts, [1, 1]), batch_size=42, shuffle=True)))
    assert sum((a < 30) != (b < 30) for a, b in pairwise(mixed)) > 10


def test_weights_of_any_kind(parts: list[RecordDataset]) -> None:
    for weights in ([np.float32(3), np.int64(1)], [Fraction(3, 7), Fraction(1, 7)]):
        assert Mixture(parts, weights).counts == [30, 10]
    for kind in (np.float16, np.float32, np.float64):
        assert Mixture(parts, np.array([1, 0.7], kind)).counts == [30, 21]
    with pytest.raises(ValueError, match="weights: an epoch would have"):
        Mixture(parts, [1e300, 1e-300], repeat=True)
    with pytest.raises(TypeError, match="datasets must be RecordDatasets, not str"):
        Mixture(["file"], [1])


def test_what_cannot_be_mixed(parts: list[RecordDataset], files: Any) -> None:
    other = RecordDataset(files.paths, records.Schema({"number": ("int64", ())}))
    for datasets, weights, match in (
        ([], [], "weights must be one for each data set"),
        (parts, [1], "weights must be one for each data set, not 1"),
        (parts, [1, 0], r"weights must be positive, not 0\.0"),
        (parts, [1, float("nan")], "weights must be finite, not nan"),
        (parts, [float("inf"), 1], "weights must be finite, not inf"),
        (parts, [31, 1], r"weights\[1\] is too small: an epoch would have nothing of this source"),
        (parts, [1, 22], r"weights\[0\] is too small"),
        ([parts[0], other], [1, 1], "the same schema"),
        ([parts[0], parts[0].take(0)], [1, 1], "must not be empty"),
    ):
        with pytest.raises(ValueError, match=match):
            Mixture(datasets, weights)
    with pytest.raises(TypeError, match="source is a Mixture, which has a schema"):
        RecordStream(Mixture(parts, [1, 1]), files.schema)


# ---- all of them, resumed -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> RecordDataset:
    path = tmp_path_factory.mktemp("many") / "a.tfrecord"
    records.write(path, ({"number": i} for i in range(103)))
    return RecordDataset(path, records.Schema({"number": ("int64", ())}))


def kinds(many: RecordDataset, folder: Path) -> dict[str, Callable[..., Any]]:
    """Return what makes a stream of each kind."""
    paths = [folder / "0.bin", folder / "1.bin"]
    for path, size in zip(paths, (151, 71), strict=True):
        with TokenWriter(path, 2**16) as file:
            file.write(np.arange(size) + size * 100, np.array([size]))
    mixture = Mixture([many.take(40), many.skip(40)], [2, 1], repeat=True)
    return {
        "records": partial(RecordStream, many),
        "mixture": partial(RecordStream, mixture),
        "tokens": partial(TokenStream, paths, 3),
        "mixed tokens": partial(TokenStream, paths, 3, weights=[1, 2], repeat=True),
    }


def items(batch: Any) -> list[Any]:
    return [*map(tuple, batch.tokens.tolist())] if "tokens" in dir(batch) else numbers([batch])[0]


@pytest.mark.parametrize("shuffle", [False, True])
@pytest.mark.parametrize(
    "kind",
    ["records", "mixture", "tokens", "mixed tokens"],
)
def test_resuming_is_exact(
    many: RecordDataset,
    kind: str,
    shuffle: bool,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Interrupted twice, each time with other ranks and workers; and in order where it may be."""
    made = partial(kinds(many, tmp_path)[kind], batch_size=4, shuffle=shuffle)
    order = list(made())
    for case in range(3):
        rng, seen, states = random.Random(case), Counter[Any](), list[Any]()
        for stage in range(3):
            world, workers, after = rng.choice([1, 2, 3, 8]), rng.randrange(1, 3), []
            for share in range(world * workers):
                place = share // world, workers
                monkeypatch.setattr(job, "worker_and_workers", lambda place=place: place)
                one = made(rank=share % world, world=world, threads=share % 2)
                if states:
                    one.load_state_dict(states)
                most = 0 if one.epoch else rng.randrange(9) if stage < 2 else 999
                for _, batch in zip(range(most), one, strict=False):
                    seen.update(items(batch))
                after.append(one.state_dict())
                assert len(json.dumps(after[-1])) < 10_000
            states = json.loads(json.dumps(after))
        assert seen == Counter(item for batch in order for item in items(batch))
    monkeypatch.undo()
    one = made()
    one.load_state_dict(json.loads(json.dumps(order[5].state)))
    assert [*map(items, one)] == [*map(items, order[6:])]


def test_a_state_of_another_mixture_is_refused(parts: list[RecordDataset]) -> None:
    """Also one with as many records, of which the parts differ."""
    state = RecordStream(Mixture(parts, [1, 1])).state_dict()
    same_size = Mixture(parts, [30, 12])
    assert len(same_size) == state["n"]
    for source in (same_size, Mixture(parts, [1, 2]), Mixture(parts, [1, 1], repeat=True)):
        with pytest.raises(ValueError, match=r"states: weights or repeat \(.*\): was .* here$"):
            RecordStream(source).load_state_dict(state)
    files = r"3\.tfrecord \(0\), .*, 3\.tfrecord \(9\), and are .* 3\.tfrecord \(0\) here$"
    with pytest.raises(
        ValueError, match=rf"states: the files \(with their records\) were .*{files}"
    ):
        RecordStream(parts[0]).load_state_dict(state)
