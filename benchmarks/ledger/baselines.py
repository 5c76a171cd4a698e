"""The same jobs, done by the libraries that users have without this project."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from runpy import run_path
from typing import Any

import numpy as np

from benchmarks.ledger import inputs as made
from benchmarks.ledger.inputs import Inputs, frames
from benchmarks.ledger.kernels import Jobs, attention_jobs, calls, matmul_jobs, tokenizer_jobs
from ffi_cookbook.bindings._glue.bpe.patterns import named
from ffi_cookbook.tokenizer import Model
from ffi_cookbook.tokenizer.tokens import Tokens, byte_alphabet
from ffi_cookbook.tokenizer.vocabulary import from_ranks

TORCH = ("blocks", "blocks by SDPA")


def _numpy(inputs: Inputs, sample: bool) -> Jobs:
    return matmul_jobs(np.matmul, 1 << 20)


def _protobuf(inputs: Inputs, sample: bool) -> Jobs:
    package = find_spec("tfrecord")  # for its messages: to import all of it takes torch
    if package is None or package.origin is None:
        raise ImportError("No module named 'tfrecord'")
    messages = run_path(str(Path(package.origin).with_name("example_pb2.py")))
    parse = messages["Example"].FromString
    lists = {"bytes": "bytes_list", "float32": "float_list", "int64": "int64_list"}

    def decode(data: bytes) -> Any:
        values: dict[str, list[Any]] = {name: [] for name in inputs.schema.names}
        for record in frames(data):
            features = parse(record[12:-4]).features.feature
            for name, kind, _ in inputs.schema.fields:
                values[name].extend(getattr(features[name], lists[kind]).value)
        return {name: np.array(values[name], kind) for name, kind, _ in inputs.schema.fields}

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
    vocabulary = {"".join(letters[byte] for byte in token): rank for token, rank in ranks.items()}
    of = {rank: token for token, rank in vocabulary.items()}
    rows = from_ranks(Tokens.of(ranks, ranks.values())).merges.tolist()
    merges = [(of[left], of[right]) for left, right, *_ in rows]
    tokenizer = tokenizers.Tokenizer(models.BPE(vocabulary, merges))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    return tokenizer


BASELINES: dict[str, dict[str, Callable[[Inputs, bool], Jobs]]] = {
    "matmul": {"np.matmul": _numpy},
    "records": {"protobuf": _protobuf},
    "tokenizer": {"tiktoken": _tiktoken, "HF tokenizers": _huggingface},
    "attention": {f"torch: {form}": lambda *_, form=form: attention_jobs(form) for form in TORCH},
}
"""By kernel and name, the jobs of a library; ImportError where it is not installed."""
