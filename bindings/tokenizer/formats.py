"""The blob of vocabulary files, and the key under which it is cached."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from bindings.tokenizer import blob, cache
from bindings.tokenizer.huggingface import read_tokenizer_json
from bindings.tokenizer.patterns import named
from bindings.tokenizer.rankfiles import read_gpt2, read_tiktoken
from bindings.tokenizer.vocabulary import Vocabulary

VERSION = 4  # increased when the same files must give another blob or be refused


def load(
    paths: Sequence[str], pattern: str | None, specials: Mapping[str, int]
) -> tuple[blob.Blob, str]:
    """Return the blob of these files and its key; read them only if the cache lacks the blob."""
    states = [cache.state(path) for path in paths]
    now = key([state for state, _ in states], pattern, specials)
    known = cache.known_key(now)
    if known and (found := cache.load(known)) is not None:
        return found, known
    files = [Path(path).read_bytes() for path in paths]
    name = key(files, pattern, specials)
    if (found := cache.load(name)) is None:
        try:
            found = build(files, pattern, specials)
        except ValueError as error:
            raise ValueError(f"{', '.join(paths)}: {error}") from error
        cache.store(name, found)
    if all(settled for _, settled in states):
        cache.know_key(now, name)
    return found, name


def key(files: Sequence[bytes], pattern: str | None, specials: Mapping[str, int]) -> str:
    """Return the SHA-256 of everything that determines the blob."""
    parameters = [VERSION, pattern and named(pattern), sorted(specials.items()), len(files)]
    digest = hashlib.sha256(json.dumps(parameters).encode())
    for file in files:
        digest.update(hashlib.sha256(file).digest())
    return digest.hexdigest()


def build(files: Sequence[bytes], pattern: str | None, specials: Mapping[str, int]) -> blob.Blob:
    """Return the blob of one file, or of vocab.bpe and encoder.json in that order."""
    vocabulary = _read(files, pattern is None)
    chosen = named(pattern) if pattern else vocabulary.pattern
    if chosen is None:
        raise ValueError("a file of ranks does not say its pattern; name it")
    return blob.build(vocabulary, chosen, {**vocabulary.special_tokens, **specials})


def _read(files: Sequence[bytes], find_pattern: bool) -> Vocabulary:
    try:
        return _read_by_format(files, find_pattern)
    except RecursionError:
        raise ValueError("not a vocabulary: JSON that is nested too deeply") from None


def _read_by_format(files: Sequence[bytes], find_pattern: bool) -> Vocabulary:
    if len(files) == 2:
        return read_gpt2(*files)
    if len(files) != 1:
        raise ValueError(f"a vocabulary is one file or two, not {len(files)}")
    file = files[0]
    if file.lstrip()[:1] == b"{":
        return read_tokenizer_json(file, find_pattern)
    return read_tiktoken(file)
