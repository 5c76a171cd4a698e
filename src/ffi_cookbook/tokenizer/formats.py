"""The blob of vocabulary files, and the key under which it is cached."""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from ffi_cookbook.bindings._glue.bpe.layout import Blob
from ffi_cookbook.bindings._glue.bpe.patterns import NAMES, Pattern, named
from ffi_cookbook.tokenizer import cache

if TYPE_CHECKING:
    from ffi_cookbook.tokenizer.vocabulary import Vocabulary

VERSION = 9  # increased when the same files must give another blob or be refused

NO_PATTERN = (
    "{} does not say its pattern; name it, if one of "
    f"{', '.join(NAMES)} is the one that it was made for"
)


def load(
    paths: Sequence[str], pattern: str | None, specials: Mapping[str, int], override: bool
) -> tuple[Blob, str]:
    """Return the blob of these files and its key; read them only if the cache lacks the blob."""
    states = [cache.state(path) for path in paths]
    now = key([state for state, _ in states], pattern, specials, override)
    known = cache.known_key(now)
    if known and (found := cache.load(known)) is not None:
        return found, known
    files = [Path(path).read_bytes() for path in paths]
    name = key(files, pattern, specials, override)
    if (found := cache.load(name)) is None:
        try:
            found = build(files, pattern, specials, override)
        except ValueError as error:
            raise ValueError(f"{', '.join(paths)}: {error}") from error
        cache.store(name, found)
    if all(settled for _, settled in states):
        cache.know_key(now, name)
    return found, name


def key(
    files: Sequence[bytes],
    pattern: str | None,
    specials: Mapping[str, int],
    override: bool = False,
) -> str:
    """Return the SHA-256 of everything that determines the blob."""
    from hashlib import sha256  # OpenSSL, which takes milliseconds to load

    chosen = pattern and named(pattern)
    parameters = [VERSION, chosen, sorted(specials.items()), override, len(files)]
    digest = sha256(json.dumps(parameters).encode())
    for file in files:
        digest.update(sha256(file).digest())
    return digest.hexdigest()


def build(
    files: Sequence[bytes],
    pattern: str | None,
    specials: Mapping[str, int],
    override: bool = False,
) -> Blob:
    """Return the blob of one file, or of vocab.bpe and encoder.json in that order."""
    from ffi_cookbook.tokenizer import blob

    try:
        vocabulary = _read(files, named(pattern) if pattern else None, specials, override)
    except RecursionError:
        raise ValueError("not a vocabulary: JSON that is nested too deeply") from None
    chosen = named(pattern) if pattern else vocabulary.pattern
    assert chosen is not None
    return blob.build(vocabulary, chosen, {**vocabulary.special_tokens, **specials})


def _read(
    files: Sequence[bytes],
    pattern: Pattern | None,
    specials: Mapping[str, int],
    override: bool,
) -> Vocabulary:
    from ffi_cookbook.tokenizer.huggingface import read_tokenizer_json
    from ffi_cookbook.tokenizer.rankfiles import read_gpt2, read_tekken, read_tiktoken

    if len(files) not in (1, 2):
        raise ValueError(f"a vocabulary is one file or two, not {len(files)}")
    for file in files:
        if other := other_file(file):
            raise ValueError(f"not a vocabulary but {other}")
    if len(files) == 2:
        if pattern is None:
            raise ValueError(NO_PATTERN.format("a pair of merges and ids"))
        return read_gpt2(*files)
    file = files[0]
    if file.startswith(b"#version"):
        raise ValueError("not a vocabulary but merges (vocab.bpe or merges.txt) without their ids")
    if file.lstrip()[:1] == b"{":
        try:
            decoded = json.loads(file)
        except ValueError as error:
            raise ValueError(f"not valid JSON, or cut off: {error}") from None
        if isinstance(decoded.get("config"), dict) and isinstance(decoded.get("vocab"), list):
            vocabulary = read_tekken(decoded)
            if pattern not in (None, vocabulary.pattern) and not override:
                raise ValueError(f"its regex is not that of the pattern {pattern.name}")
            return vocabulary
        if not isinstance(decoded.get("model"), dict):
            raise ValueError(f"not a tokenizer.json but {other_json(decoded)}")
        return read_tokenizer_json(decoded, pattern, specials, override)
    if pattern is None and re.match(rb"\s*[A-Za-z0-9+/=]+ \d+\s", file):
        raise ValueError(NO_PATTERN.format("a file of ranks"))
    return read_tiktoken(file)


def write_tiktoken(ranks: Mapping[bytes, int]) -> bytes:
    """Return the content of a `.tiktoken` file of these ranks, in their order.

    Raises:
        TypeError: a rank is not an integer.
    """
    for token, rank in ranks.items():
        if not isinstance(rank, SupportsIndex):
            raise TypeError(f"the rank of {token!r} must be an integer, not {rank!r}")
    rows = sorted((rank, token) for token, rank in ranks.items())
    return b"".join(b"%s %d\n" % (base64.b64encode(token) or b"=", rank) for rank, token in rows)


def format_of(file: bytes) -> str:
    """Return the name of the format of a file that can be loaded."""
    if file.lstrip()[:1] != b"{":
        return "ranks"
    return "tokenizer.json" if "model" in json.loads(file) else "tekken.json"


_BEGINNINGS = {
    rb"\s*\Z": "an empty file",
    rb"version https://git-lfs": "a Git LFS pointer, which `git lfs pull` replaces with the file",
    rb"(?i)\s*<(!|html|head|body|\?xml|error)": "HTML or XML, such as the error page of a server",
    rb"\n[\x03-\x7f]\n(?s:.){,200}?\0": "a SentencePiece model",
    rb"\x1f\x8b|BZh|\xfd7zXZ|\x28\xb5\x2f\xfd|PK\x03\x04": "a compressed file",
    rb"\s*\[": "a JSON array",
    rb"(?!\xff\xfe|\xfe\xff)(?s:.){,4096}?\0": "a binary file",
}


def other_file(data: bytes) -> str | None:
    """Return what a file is, judged by its beginning, or None if it may be a vocabulary."""
    return next((kind for start, kind in _BEGINNINGS.items() if re.match(start, data)), None)


def other_json(content: dict[str, Any]) -> str:
    """Return what a JSON object is that has no model."""
    if content and all(type(value) is int for value in content.values()):
        return "ids of tokens (vocab.json or encoder.json) without their merges"
    keys = ", ".join(repr(key[:30]) for key in [*content][:6])
    return f"a JSON object with the keys {keys or '(none)'}"
