"""The same jobs, done by the libraries that users have without this project."""

from __future__ import annotations

import ctypes
import struct
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from benchmarks.core import native
from benchmarks.core.bootstrap import quiet
from benchmarks.ledger import inputs as made
from benchmarks.ledger.inputs import Inputs
from benchmarks.ledger.kernels import Contender, Jobs, count_records, matmul_jobs, tokenizer_jobs
from benchmarks.ledger.results import Results
from ffi_cookbook.bindings._glue.bpe.patterns import named
from ffi_cookbook.tokenizer import Model


def _numpy(inputs: Inputs, sample: bool) -> Jobs:
    return matmul_jobs(np.matmul, 1 << 20)


def _peak(inputs: Inputs, sample: bool) -> Jobs:
    peak = native.peak(inputs.folder)
    rounds, out = 10_000, ctypes.c_float()
    operations = peak(rounds, ctypes.addressof(out))
    names = {"f": peak, "n": rounds, "out": ctypes.addressof(out), "kept": out}
    return {"matmul peak": Contender("f(n, out)", names, 1, operations)}


def _copy(kernel: str) -> Callable[[Inputs, bool], Jobs]:
    memory = np.zeros(2 * COPIED + PAGE, np.uint8)
    start = -memory.ctypes.data % PAGE  # some processors copy slowly between odd addresses
    names = {
        "s": memoryview(memory[start : start + COPIED]),
        "t": memoryview(memory[start + COPIED : start + 2 * COPIED]),
    }
    jobs = {f"{kernel} copy": Contender("t[:] = s", names, COPIED, 1)}
    return lambda inputs, sample: {} if sample else jobs


def _struct(inputs: Inputs, sample: bool) -> Jobs:
    buffer = inputs.sample if sample else inputs.records
    length = struct.Struct("<Q").unpack_from

    def index() -> Any:
        spans, at = [], 0
        while at < len(buffer):
            (size,) = length(buffer, at)
            spans.append((at + 12, size))
            at += size + 16
        return np.array(spans)

    ticks = inputs.ticks[: made.SAMPLE * made.TICK.itemsize]

    def fixed() -> Any:
        rows = struct.iter_unpack(made.TICK_STRUCT, ticks)
        columns = [np.array(column) for column in zip(*rows, strict=True)]
        *names, last = made.tick_layout().names
        return {**dict(zip(names, columns, strict=False)), last: np.stack(columns[5:], axis=1)}

    return {
        "records index": _calls(index, buffer),
        "records fixed": _calls(fixed, ticks, made.SAMPLE),
    }


def _protobuf(inputs: Inputs, sample: bool) -> Jobs:
    parse = tfrecord_package().example_pb2.Example.FromString
    lists = {"bytes": "bytes_list", "float32": "float_list", "int64": "int64_list"}

    def decode() -> Any:
        values: dict[str, list[Any]] = {name: [] for name in inputs.schema.names}
        offsets: dict[str, list[int]] = {name: [0] for name in inputs.schema.names}
        at = 0
        while at < len(inputs.sample):
            size = int.from_bytes(inputs.sample[at : at + 8], "little")
            features = parse(inputs.sample[at + 12 : at + 12 + size]).features.feature
            for name, kind, _ in inputs.schema.fields:
                values[name].extend(getattr(features[name], lists[kind]).value)
                offsets[name].append(len(values[name]))
            at += size + 16
        return {
            name: np.array(values[name], kind).reshape(-1, length)
            if length is not None
            else (np.array(values[name], kind), np.array(offsets[name]))
            for name, kind, length in inputs.schema.fields
        }

    return {"records decode": _calls(decode, inputs.sample)}


def _tfrecord(inputs: Inputs, sample: bool) -> Jobs:
    reader = tfrecord_package().reader
    path = str(inputs.folder / "sample")
    kinds = {"bytes": "byte", "float32": "float", "int64": "int"}
    description = {field.name: kinds[field.kind] for field in inputs.schema.fields}

    def index() -> Any:
        spans, at = [], 0
        for view in reader.tfrecord_iterator(path):
            spans.append((at + 12, len(view)))
            at += len(view) + 16
        return np.array(spans)

    def decode() -> Any:
        return list(reader.tfrecord_loader(path, None, description))

    return {
        "records index": _calls(index, inputs.sample),
        "records decode": _calls(decode, inputs.sample),
    }


def _tiktoken(inputs: Inputs, sample: bool) -> Jobs:
    import tiktoken

    ranks = Model.load(inputs.ranks, pattern=made.PATTERN).ranks
    pattern = named(made.PATTERN).regex

    encoding = tiktoken.Encoding(
        "cookbook", pat_str=pattern, mergeable_ranks=ranks, special_tokens={}
    )
    return tokenizer_jobs(encoding.encode_ordinary, inputs, sample)


def _huggingface(inputs: Inputs, sample: bool) -> Jobs:
    import tokenizers

    path = inputs.folder / "tokenizer.json"
    if not path.exists():
        tokenizer_of(Model.load(inputs.ranks, pattern=made.PATTERN).ranks).save(str(path))
    return tokenizer_jobs(tokenizers.Tokenizer.from_file(str(path)).encode, inputs, sample)


def tokenizer_of(ranks: Mapping[bytes, int]) -> Any:
    """Return a tokenizers.Tokenizer that splits as GPT-2 does."""
    import tokenizers
    from tokenizers import models, pre_tokenizers

    letters = _letters()

    def spelt(token: bytes) -> str:
        return "".join(letters[byte] for byte in token)

    vocabulary = {spelt(token): rank for token, rank in ranks.items()}
    merges = [
        (spelt(left), spelt(right))
        for token, rank in sorted(ranks.items(), key=lambda item: item[1])
        if len(token) > 1
        for left, right in [_halves(token, rank, ranks)]
    ]
    tokenizer = tokenizers.Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


def _halves(token: bytes, rank: int, ranks: Mapping[bytes, int]) -> tuple[bytes, bytes]:
    """Return the two parts of a token that remain after all merges of lower ranks."""
    parts = [token[i : i + 1] for i in range(len(token))]
    while len(parts) > 2:
        joined = [ranks.get(parts[i] + parts[i + 1], rank) for i in range(len(parts) - 1)]
        i = joined.index(min(joined))
        parts[i : i + 2] = [parts[i] + parts[i + 1]]
    return parts[0], parts[1]


def _letters() -> dict[int, str]:
    """Return GPT-2's printable letter for each byte."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {byte: chr(byte) for byte in printable} | {
        byte: chr(256 + i) for i, byte in enumerate(others)
    }


def _calls(function: Callable[[], Any], data: bytes, count: int | None = None) -> Contender:
    units = count or count_records(data)
    return Contender("f()", {"f": function}, units, len(data) / units)


def tfrecord_package() -> Any:
    """Import the tfrecord package, without torch, which it does not need here."""
    absent = "torch" not in sys.modules
    if absent:
        sys.modules["torch"] = None  # type: ignore[assignment]
    try:
        import tfrecord
    finally:
        if absent:
            del sys.modules["torch"]
    return tfrecord


PEAK, COPY = "FMA peak", "memory copy"
PAGE = 4096
COPIED = 1 << 16  # bytes that stay in the processor's nearest caches
MOST = 1.05
MANY = 0.5  # the share of contenders from which on the limit is more likely wrong than they
LIMITS = {
    "matmul": ("matmul peak", PEAK),
    "records": ("records copy", COPY),
    "tokenizer": ("tokenizer copy", COPY),
}
"""The group and the contender that nothing of a kernel can be faster than."""
BASELINES: dict[str, dict[str, Callable[[Inputs, bool], Jobs]]] = {
    "matmul": {"np.matmul": _numpy, PEAK: _peak},
    "records": {
        "struct": _struct,
        "protobuf": _protobuf,
        "tfrecord": _tfrecord,
        COPY: _copy("records"),
    },
    "tokenizer": {"tiktoken": _tiktoken, "HF tokenizers": _huggingface, COPY: _copy("tokenizer")},
}
"""By kernel and name, the jobs of a library; ImportError where it is not installed."""


def impossible(results: Results) -> Iterator[str]:
    """Yield the figures that exceed the measured peak, or a copy of the same bytes."""
    for kernel, (group, limit) in LIMITS.items():
        if (best := results.cell(group, limit)) is None:
            continue
        fastest = best.work / min(quiet(best.seconds))
        shares = {
            (contender, name): cell.work / max(min(quiet(cell.seconds)), 1e-15) / fastest
            for name, cells in results.cells.items()
            for contender, cell in cells.items()
            if name.startswith(f"{kernel} ") and contender != limit and cell.known
        }
        above = {key: share for key, share in shares.items() if share > MOST}
        beyond, every = ({contender for contender, _ in keys} for keys in (above, shares))
        if len(beyond) > max(1, MANY * len(every)):
            yield (
                f"{len(beyond)} of {len(every)} contenders of {kernel} exceed the {limit}: "
                "its measurement is wrong, rather than theirs"
            )
        for (contender, name), share in above.items():
            yield f"{contender}: {name} reaches {share:.0%} of the {limit}"
