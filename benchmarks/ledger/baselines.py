"""The same jobs, done by the libraries that users have without this project."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from benchmarks.ledger import inputs as made
from benchmarks.ledger.inputs import Inputs, frames
from benchmarks.ledger.kernels import Jobs, calls, matmul_jobs, tokenizer_jobs
from ffi_cookbook.bindings._glue.bpe.patterns import named
from ffi_cookbook.tokenizer import Model
from ffi_cookbook.tokenizer.tokens import byte_alphabet


def _numpy(inputs: Inputs, sample: bool) -> Jobs:
    return matmul_jobs(np.matmul, 1 << 20)


def _protobuf(inputs: Inputs, sample: bool) -> Jobs:
    parse = tfrecord_package().example_pb2.Example.FromString
    lists = {"bytes": "bytes_list", "float32": "float_list", "int64": "int64_list"}

    def decode(data: bytes) -> Any:
        values: dict[str, list[Any]] = {name: [] for name in inputs.schema.names}
        for record in frames(data):
            features = parse(record[12:-4]).features.feature
            for name, kind, _ in inputs.schema.fields:
                values[name].extend(getattr(features[name], lists[kind]).value)
        return {name: np.array(values[name], kind) for name, kind, _ in inputs.schema.fields}

    return {"records decode": calls(decode, inputs.sample)}


def _tfrecord(inputs: Inputs, sample: bool) -> Jobs:
    reader = tfrecord_package().reader
    path = str(inputs.folder / "sample")
    kinds = {"bytes": "byte", "float32": "float", "int64": "int"}
    description = {field.name: kinds[field.kind] for field in inputs.schema.fields}

    def decode(_: bytes) -> Any:
        return list(reader.tfrecord_loader(path, None, description))

    return {"records decode": calls(decode, inputs.sample)}


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

    letters = {byte: letter for letter, byte in byte_alphabet().items()}

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


BASELINES: dict[str, dict[str, Callable[[Inputs, bool], Jobs]]] = {
    "matmul": {"np.matmul": _numpy},
    "records": {"protobuf": _protobuf, "tfrecord": _tfrecord},
    "tokenizer": {"tiktoken": _tiktoken, "HF tokenizers": _huggingface},
}
"""By kernel and name, the jobs of a library; ImportError where it is not installed."""
