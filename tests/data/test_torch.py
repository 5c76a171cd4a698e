"""With torch: tensors for a model, and a DataLoader with processes of its own."""

from __future__ import annotations

import pickle
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ffi_cookbook import records
from ffi_cookbook.data import RecordDataset, RecordStream, StreamBatch, padded, to_torch
from support.backends import needs
from support.processes import run_python


def test_without_torch_nothing_imports_it() -> None:
    program = "import sys, ffi_cookbook.data; sys.exit('torch' in sys.modules)"
    run_python("-c", program)


def test_a_stream_that_is_unpickled_is_an_iterable_dataset(files: Any) -> None:
    """As in a rank that is spawned, where torch knows no such class yet."""
    needs("torch")
    stream = pickle.dumps(RecordStream(files.paths, files.schema, batch_size=20))
    child = f"""
import pickle, torch.utils.data
loader = torch.utils.data.DataLoader(pickle.loads({stream!r}), batch_size=None)
assert [len(batch["number"]) for batch in loader] == [20, 20, 11]
"""
    run_python("-c", child)


def test_torch_that_is_imported_later_is_named(files: Any) -> None:
    needs("torch")
    stream = f"RecordStream({list(map(str, files.paths))!r}, Schema({{'number': 'int64'}}))"
    child = f"""
from ffi_cookbook.data import RecordStream
from ffi_cookbook.records import Schema
stream = {stream}
import torch.utils.data
try:
    list(torch.utils.data.DataLoader(stream, batch_size=None))
except TypeError as error:
    assert "import torch first" in str(error), error
else:
    raise AssertionError("no error")
"""
    run_python("-c", child)


def test_flags_of_padded_batches_are_columns(dataset: RecordDataset) -> None:
    """No way to make tensors of a batch loses them."""
    torch = needs("torch")
    options: Any = {"batch_size": 50, "pad_last": True}
    first, second = (batch["valid"] for batch in RecordStream(dataset, **options))
    assert (first.all(), second.sum()) == (True, 1)
    ways = {"collate": to_torch}, {"collate": StreamBatch.to_torch}, {}
    for way in ways:
        stream = RecordStream(dataset, **options, **way)
        batches = list(torch.utils.data.DataLoader(stream, batch_size=None))
        batch: Any = batches[1]
        assert [one["valid"].dtype for one in batches] == [torch.bool] * 2
        assert batch["valid"].tolist() == second.tolist()
    _, batch = RecordStream(dataset, **options)
    with pytest.raises(TypeError, match="give the stream collate=to_torch"):
        type(batch)(dict(batch))  # as the Trainer of Hugging Face does
    assert batch.to_arrow()["valid"].to_pylist() == batch.to_pandas()["valid"].tolist()
    with pytest.raises(ValueError, match="pad_last adds a column 'valid', which the schema has"):
        RecordStream([], records.Schema({"valid": "int64"}), pad_last=True)


def test_a_ragged_column_as_a_matrix() -> None:
    column = records.Ragged(np.array([9, 1, 2, 3, 8], np.uint16), np.array([1, 3, 3, 4]))
    matrix, mask = padded(column, fill=7)
    assert (matrix.tolist(), matrix.dtype) == ([[1, 2], [7, 7], [3, 7]], np.uint16)
    assert mask.tolist() == [[True, True], [False, False], [True, False]]
    matrix, mask = padded(column[1:1])
    assert matrix.shape == mask.shape == (0, 0)
    with pytest.raises(TypeError, match="column must be a Ragged or a RaggedBytes, not ndarray"):
        padded(column.values)


SEQUENCES = records.Schema(
    {"name": ("bytes", ()), "words": "bytes", "x": "float32"},
    sequence={
        "one": ("int64", ()),
        "pair": ("float32", 2),
        "box": ("uint16", (2, 2)),
        "any": "int64",
        "word": ("bytes", ()),
        "text": "bytes",
    },
)
STEPS = [[], [[1], [], [2, 3]], [[4, 5, 6]], [[]]]
WORDS = [[], [b"a", b"", b"bcd"], [b"ef"], [b""]]


def sequence_batch(folder: Path, rows: slice = slice(None)) -> Any:
    """Return the records of STEPS, where every kind of column holds their numbers."""
    records_ = []
    for steps, words in zip(STEPS[rows], WORDS[rows], strict=True):
        lists = {
            "one": [[len(step)] for step in steps],
            "pair": [[len(step), 0.5] for step in steps],
            "box": [[len(step), 1, 2, 3] for step in steps],
            "any": steps,
            "word": [[word] for word in words],
            "text": [[word] * len(step) for word, step in zip(words, steps, strict=True)],
        }
        context = {"name": b"n" * len(steps), "words": words, "x": [0.5] * len(steps)}
        records_.append(records.encode_sequence_example(context, lists))
    records.write(folder / "sequences", records_)
    return RecordDataset(folder / "sequences", SEQUENCES, missing="allow").__getitems__(
        np.arange(len(records_))
    )


def filled(rows: list[Any], shape: tuple[int, ...], fill: int) -> tuple[Any, Any]:
    """Return nested lists of numbers as an array of this shape, and where they have a number."""
    array, mask = np.full(shape, fill, np.float64), np.zeros(shape, bool)

    def put(place: tuple[int, ...], value: Any) -> None:
        if isinstance(value, list | bytes):
            for i, item in enumerate(value):
                put((*place, i), item)
        else:
            array[place], mask[place] = value, True

    put((), rows)
    return array.tolist(), mask


def test_every_ragged_axis_is_padded(tmp_path: Path) -> None:
    """As tf.io.parse_sequence_example and to_tensor give a SequenceExample."""
    batch = sequence_batch(tmp_path)
    pair = [[[float(len(step)), 0.5] for step in steps] for steps in STEPS]
    box = [[[[len(step), 1], [2, 3]] for step in steps] for steps in STEPS]
    text = [
        [[word] * len(step) for word, step in zip(words, steps, strict=True)]
        for words, steps in zip(WORDS, STEPS, strict=True)
    ]
    for name, rows, shape, axes in (
        ("one", [[len(step) for step in steps] for steps in STEPS], (4, 3), 2),
        ("pair", pair, (4, 3, 2), 2),
        ("box", box, (4, 3, 2, 2), 2),
        ("any", STEPS, (4, 3, 3), 3),
        ("word", WORDS, (4, 3, 3), 3),
        ("text", text, (4, 3, 3, 3), 4),
        ("words", WORDS, (4, 3, 3), 3),
        ("name", [b"n" * len(steps) for steps in STEPS], (4, 3), 2),
        ("x", [[0.5] * len(steps) for steps in STEPS], (4, 3), 2),
    ):
        for fill in (0, 7):
            array, mask = batch.padded(name, fill)
            expected, where = filled(rows, shape, fill)
            assert (array.tolist(), mask.ndim) == (expected, axes), name
            if axes < len(shape):
                where = where.reshape(*mask.shape, -1)[..., 0]
            assert mask.tolist() == where.tolist()
            assert array.dtype == (
                batch[name].values.dtype if name in ("pair", "x") else array.dtype
            )
    assert batch.padded("text")[0].dtype == np.uint8
    part = padded(batch["any"][1:3], 9)[0]  # a slice begins within the values
    assert part.tolist() == filled(STEPS[1:3], (2, 3, 3), 9)[0]
    with pytest.raises(TypeError, match="column 'pixels' is dense numbers, which need no padding"):
        records.Batch(SEQUENCES, {"pixels": np.zeros((2, 3))}, 2).padded("pixels")


def test_sequences_as_padded_tensors(tmp_path: Path) -> None:
    torch = needs("torch")
    batch = sequence_batch(tmp_path)
    names = set(batch)
    tensors = to_torch(batch, pad=names)
    for name in names:
        for found, expected in zip(tensors[name], batch.padded(name), strict=True):
            assert (found.numpy() == expected).all()
    casts = dict.fromkeys(names, "bfloat16")
    tensors = to_torch(batch, pad=dict.fromkeys(names, -5), dtypes=casts)
    for name in names:
        found, mask = tensors[name]
        assert found.dtype == torch.bfloat16
        where = mask.reshape(mask.shape + (1,) * (found.ndim - mask.ndim)).expand_as(found)
        assert (found[~where] == -5).all()
        assert (found[where].float().numpy() == batch.padded(name)[0][where.numpy()]).all()


@pytest.mark.parametrize(
    ("dtype", "fill"),
    [
        ("uint16", -1), ("uint16", 65_536), ("uint16", 0.5), ("int64", float("nan")),
        ("int64", 2**63), ("uint8", np.int64(256)), ("float32", 1e39), ("float32", 2j),
        ("bool", 2), ("int64", float("inf")), ("float32", 10**400),
    ],
)  # fmt: skip
def test_what_a_column_cannot_be_padded_with(dtype: str, fill: Any) -> None:
    column = records.Ragged(np.ones(2, dtype), np.array([0, 1, 2]))
    for one in (column, column[:0], records.Ragged(column, np.array([0, 2]))):
        with pytest.raises(ValueError, match=f"fill must be a number that {dtype} can hold, not "):
            padded(one, fill)


def test_tensors_for_a_model(files: Any) -> None:
    torch = needs("torch")
    batch = RecordDataset(files.paths, files.schema).__getitems__(range(2, 8))
    dense = to_torch(batch)
    assert (dense["number"].tolist(), dense["pixels"].shape) == ([2, 3, 4, 5, 6, 7], (6, 2, 3))
    values, offsets = dense["ids"]
    assert (values.dtype, offsets.tolist()) == (torch.uint16, [0, 2, 5, 5, 6, 8, 11])
    tensors = to_torch(batch, pad={"ids": 9}, dtypes={"ids": "int64", "pixels": torch.float64})
    ids, mask = tensors["ids"]
    assert ids[:3].tolist() == [[0, 1, 9], [0, 1, 2], [9, 9, 9]]
    assert mask.sum(1).tolist() == [2, 3, 0, 1, 2, 3]
    assert tensors["pixels"].dtype == torch.float64
    assert torch.nn.Embedding(10, 4)(ids).shape == (6, 3, 4)
    masked, mask = to_torch(batch, pad={"ids": -100}, dtypes={"ids": "int64"})["ids"]
    assert masked[:2].tolist() == [[0, 1, -100], [0, 1, 2]]  # no uint16 holds -100
    with pytest.raises(KeyError, match="no column 'none'"):
        to_torch(batch, pad=["none"])
    with pytest.raises(TypeError, match="pad: column 'pixels' is dense numbers"):
        to_torch(batch, pad=["pixels"])
    with pytest.raises(TypeError, match=r"a Batch, not list: .* remove_unused_columns=False"):
        to_torch(list(batch))


def test_what_a_dtype_cannot_be_padded_with(files: Any) -> None:
    needs("torch")
    batch = RecordDataset(files.paths, files.schema).__getitems__(range(8))
    for fill, dtype in ((1.5, None), (65_536, None), (float("nan"), "int64"), (128, "int8")):
        words = rf"pad: column 'ids' is of torch\.{dtype or 'uint16'}, which cannot hold "
        with pytest.raises(ValueError, match=words):
            to_torch(batch, pad={"ids": fill}, dtypes={"ids": dtype} if dtype else {})
    ids, mask = to_torch(batch, pad={"ids": -128}, dtypes={"ids": "int8"})["ids"]
    assert ids[:2, 0].tolist() == [-128, 0]
    assert mask[:2, 0].tolist() == [False, True]


def test_integers_that_another_dtype_cannot_hold(tmp_path: Path) -> None:
    torch = needs("torch")
    rows = [{"u": [65_535], "i": [5, -1], "x": [1.5]}]
    records.write(tmp_path / "a", rows)
    schema = records.Schema({"u": "uint16", "i": "int64", "x": "float32"})
    batch = RecordDataset(tmp_path / "a", schema).__getitems__([0])
    for column, dtype, value in (("u", "int8", 65_535), ("u", "int16", 65_535), ("i", "uint8", -1)):
        words = rf"dtypes: torch\.{dtype} of column '{column}' cannot hold {value}"
        with pytest.raises(ValueError, match=words):
            to_torch(batch, dtypes={column: dtype})
    tensors = to_torch(batch, dtypes={"u": "int32", "i": "int8", "x": "int64"})
    assert [tensors[name][0].tolist() for name in "uix"] == [[65_535], [5, -1], [1]]
    assert tensors["i"][0].dtype == torch.int8
    tensors = to_torch(batch, pad={"i": 2j}, dtypes={"u": "bool", "i": "complex64"})
    assert (tensors["u"][0].tolist(), tensors["i"][0].tolist()) == ([True], [[5, -1]])


WORKERS = """
import gc, multiprocessing, os, sys, time
from support import dying_worker
import torch
from ffi_cookbook.data import RecordStream, to_torch
from ffi_cookbook.bindings.errors import Code, RecordError
from ffi_cookbook.records import Schema

def segments():
    return set(os.listdir("/dev/shm")) if os.path.isdir("/dev/shm") else set()

method, *paths = sys.argv[1:]
before = segments()
schema = Schema({"number": ("int64", ())})
stream = RecordStream(paths, schema, batch_size=5, shuffle=True, threads=1, collate=to_torch)
loader = torch.utils.data.DataLoader(
    stream,
    batch_size=None,
    num_workers=2,
    multiprocessing_context=method,
    persistent_workers=True,
    timeout=600,
)
assert sorted(n for batch in loader for n in batch["number"].tolist()) == list(range(51))
with open(paths[2], "r+b") as file:
    file.seek(200)
    byte = file.read(1)[0]
    file.seek(200)
    file.write(bytes([byte ^ 1]))
try:
    list(loader)
except RecordError as error:
    assert (error.code, error.path) == (Code.DATA_CRC, paths[2]), error
    assert "in gather" in str(error), error  # the worker's traceback
else:
    raise AssertionError("the damage was not found")
del loader
stream = RecordStream(paths[:2], schema, batch_size=5, collate=dying_worker.collate)
loader = torch.utils.data.DataLoader(
    stream, batch_size=None, num_workers=2, multiprocessing_context=method
)
try:
    list(loader)
except RuntimeError as error:
    assert "DataLoader worker" in str(error), error
else:
    raise AssertionError("no worker was killed")
del loader
gc.collect()  # of loaders that an exception's traceback held in a cycle
for _ in range(600):  # torch terminates a worker that is still starting, and does not wait for it
    if not multiprocessing.active_children():
        break
    time.sleep(0.1)
else:
    raise AssertionError(multiprocessing.active_children())
leaked, end = segments() - before, time.monotonic() + 60
while leaked and time.monotonic() < end:  # what is another process's goes away
    time.sleep(0.1)
    leaked &= segments()
assert not leaked, leaked
"""


@pytest.mark.parametrize("method", ["fork", pytest.param("spawn", marks=pytest.mark.full)])
def test_two_workers_give_every_record_once(files: Any, tmp_path: Path, method: str) -> None:
    """Then one finds a bad record, and one is killed."""
    needs("torch")
    paths = [shutil.copy(path, tmp_path) for path in files.paths]
    run_python("-c", WORKERS, method, *paths, seconds=900)
