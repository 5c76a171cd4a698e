"""A replacement for tiktoken: `import ffi_cookbook.tokenizer.tiktoken as tiktoken`.

Nothing is downloaded, and no plugin is used. A pattern or a vocabulary that no kernel has is a
ValueError. Where one special token begins another, the longest is found. `<|reserved_200018|>`,
with which tiktoken has two names for an id of o200k_harmony, is left out. Completions are sorted.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import tempfile
from bisect import bisect_left
from functools import cache, cached_property
from itertools import accumulate
from pathlib import Path
from typing import Any

from ffi_cookbook.backends import open_backend
from ffi_cookbook.bindings._glue.bpe.merge import Pairs, merge
from ffi_cookbook.bindings._glue.bpe.patterns import NAMES, recognise
from ffi_cookbook.bindings._glue.bpe.regex import compiled_regex
from ffi_cookbook.bindings._glue.bpe.tables import listed_pairs
from ffi_cookbook.tokenizer import encoding
from ffi_cookbook.tokenizer.encoding import NONE, Allowed, Refused
from ffi_cookbook.tokenizer.model import Model

# OpenAI's files, the patterns as several releases of tiktoken spell them, encodings and models.
_OPENAI = json.loads(Path(__file__).with_name("openai.json").read_text("utf-8"))
_ENCODINGS: dict[str, dict[str, Any]] = _OPENAI["encodings"]
_WHITE_END = r"$|\s*[\r\n]"  # with this, what is white at the end is one pretoken
_AFTER_BREAK = re.compile(rb"[\r\n][^\r\n]+\Z").search


class Encoding(encoding.Encoding):
    """An encoding with the constructor of tiktoken's, and what is made from merge ranks."""

    def __init__(
        self,
        name: str,
        *,
        pat_str: str,
        mergeable_ranks: dict[bytes, int],
        special_tokens: dict[str, int],
        explicit_n_vocab: int | None = None,
    ) -> None:
        highest = max(max(mergeable_ranks.values()), max(special_tokens.values(), default=0))
        if explicit_n_vocab:
            assert len(mergeable_ranks) + len(special_tokens) == explicit_n_vocab
            assert highest == explicit_n_vocab - 1
        spelled = _OPENAI["spellings"].get(pat_str)
        if (pattern := NAMES[spelled] if spelled else recognise(pat_str)) is None:
            raise ValueError(f"no kernel has the pattern {pat_str!r}")
        if spelled and _WHITE_END in pat_str:
            for token in filter(_AFTER_BREAK, mergeable_ranks):
                raise ValueError(f"{token!r} goes on after a line break, which no kernel does")
        model = Model.from_ranks(
            mergeable_ranks, pattern=pattern.name, special_tokens=special_tokens
        )
        self._open(name, pat_str, model)

    def _open(self, name: str, pat_str: str, model: Model) -> Encoding:
        super().__init__(open_backend(None).Tokenizer(model), name)
        self._pat_str = pat_str
        return self

    @property
    def _mergeable_ranks(self) -> dict[bytes, int]:
        return self.tokenizer.model.ranks

    @cached_property
    def _sorted_tokens(self) -> list[bytes]:
        return self.token_byte_values()

    @cached_property
    def _pairs(self) -> Pairs:
        return listed_pairs(self.tokenizer.model.sections)

    def encode_with_unstable(
        self, text: str, *, allowed_special: Allowed = NONE, disallowed_special: Refused = "all"
    ) -> tuple[list[int], list[list[int]]]:
        """Return the ids that stay as the text goes on, and the ids that the rest may become."""
        ids = self.encode(
            text, allowed_special=allowed_special, disallowed_special=disallowed_special
        )
        text.encode()  # here tiktoken refuses lone surrogates
        n = self._n_stable(ids)
        return ids[:n], self._completions(self.decode_bytes(ids[n:]))

    def _n_stable(self, ids: list[int]) -> int:
        """Return the number of ids at the front of a text's ids that no continuation changes.

        A continuation may change the ids of the last pretoken. If the first of these is white
        space, it may also change the ids of white space that stand directly before it. A special
        token ends the search: it never changes, and neither do the ids before it.
        """
        special = {*self._special_tokens.values()}
        first = max((at for at, token in enumerate(ids, 1) if token in special), default=0)
        tail = self.decode_tokens_bytes(ids[first:])
        starts = [0, *accumulate(map(len, tail))]
        data = b"".join(tail)
        ends = [0, 0, *self.tokenizer.split(data).tolist()]
        start = ends[-2]
        if _WHITE_END in self._pat_str:
            before = compiled_regex(r"(?<!\s)\s+\Z").sub("", data.decode())
            start = min(start, ends[bisect_left(ends, len(before.encode()))])
        n = bisect_left(starts, start)
        while 0 < n < len(tail) and not (tail[n - 1] + tail[n]).strip(b" \n\t"):
            n -= 1
        return first + n

    def _completions(self, rest: bytes) -> list[list[int]]:
        """Return the ids that a text may become, sorted: a token is tried over every end of it."""
        tokens, found = self._sorted_tokens, set[tuple[int, ...]]()
        for cut in range(len(rest)):
            for at in range(bisect_left(tokens, rest[cut:]), len(tokens)):
                if not tokens[at].startswith(rest[cut:]):
                    break
                ids = [self._mergeable_ranks[tokens[at]]]
                if cut:
                    data = rest[:cut] + tokens[at]
                    try:
                        ids = self.encode_ordinary(data.decode())
                    except UnicodeDecodeError:
                        ids = self._merge(data)
                sizes = accumulate(map(len, self.decode_tokens_bytes(ids)))
                found.add((*ids[: 1 + sum(size < len(rest) for size in sizes)],))
        last = rest.decode()[-1:].encode()
        if len(rest) > len(last) and compiled_regex(r"\s").match(last.decode()):
            found.add((*self._merge(rest[: -len(last)]), *self._merge(last)))
        return sorted(map(list, found))

    def _encode_bytes(self, text: bytes) -> list[int]:
        """Return the ids of bytes; what is not valid UTF-8 is one pretoken with the last word."""
        try:
            return self.encode_ordinary(str(text, "utf-8"))
        except UnicodeDecodeError as error:
            ids = self.encode_ordinary(text[: error.start].decode())
        stable = ids[: self._n_stable(ids)]
        return stable + self._encode_single_piece(text[len(self.decode_bytes(stable)) :])

    def _encode_single_piece(self, text_or_bytes: str | bytes) -> list[int]:
        """Return the ids of a text, or of bytes, as one pretoken."""
        data = text_or_bytes.encode() if isinstance(text_or_bytes, str) else text_or_bytes
        rank = self._mergeable_ranks.get(data)
        return self._merge(data) if rank is None else [rank]

    def _merge(self, data: bytes) -> list[int]:
        bytes_of = (self._mergeable_ranks[bytes([byte])] for byte in memoryview(data))
        return merge([*bytes_of], self._pairs)


def list_encoding_names() -> list[str]:
    """Return the names that `get_encoding` knows."""
    return [*_ENCODINGS]


def get_encoding(encoding_name: str) -> Encoding:
    """Return the encoding of this name, from files that are here.

    They are looked for in the folder TIKTOKEN_CACHE_DIR or, if that is not set, in
    DATA_GYM_CACHE_DIR or else `data-gym-cache` in the folder of temporary files, under the names
    that tiktoken gives them there, and under their own, such as `cl100k_base.tiktoken`.

    Raises:
        ValueError: no encoding has this name, or a file is not the one that OpenAI published.
        FileNotFoundError: a file is not there; the message has its URL.
    """
    if not isinstance(encoding_name, str):
        raise ValueError(f"Expected a string in get_encoding, got {type(encoding_name)}")
    if encoding_name not in _ENCODINGS:
        raise ValueError(f"Unknown encoding {encoding_name}.\nKnown: {', '.join(_ENCODINGS)}")
    return _opened(encoding_name)


@cache
def _opened(name: str) -> Encoding:
    known = _ENCODINGS[name]
    files = [_found(url) for url in known["files"]]
    named = known["special_tokens"]
    ids = [i for i in range(*known.get("reserved", (0,))) if i not in named.values()]
    special = named | {f"<|reserved_{i}|>": i for i in ids}
    model = Model.load(files, pattern=known["pattern"], special_tokens=special)
    return Encoding.__new__(Encoding)._open(name, known["pat_str"], model)


def _found(url: str) -> Path:
    """Return the path of one of OpenAI's files."""
    usual = os.path.join(tempfile.gettempdir(), "data-gym-cache")
    folder = os.environ.get("TIKTOKEN_CACHE_DIR", os.environ.get("DATA_GYM_CACHE_DIR", usual))
    name = Path(url).name
    for path in (Path(folder, hashlib.sha1(url.encode()).hexdigest()), Path(folder, name)):
        if path.exists():
            if hashlib.sha256(path.read_bytes()).hexdigest() != _OPENAI["sha256"][url]:
                raise ValueError(f"{path} is not the file {url}: its SHA-256 is another")
            return path
    raise FileNotFoundError(f"{name} is not in the folder {folder}: put {url} there")


def encoding_name_for_model(model_name: str) -> str:
    """Return the name of the encoding that a model of OpenAI uses, or raise KeyError."""
    if found := _OPENAI["models"].get(model_name):
        return str(found)
    for prefix, name in _OPENAI["prefixes"].items():
        if model_name.startswith(prefix):
            return str(name)
    raise KeyError(
        f"Could not automatically map {model_name} to a tokeniser. "
        "Please use `tiktoken.get_encoding` to explicitly get the tokeniser you expect."
    )


def encoding_for_model(model_name: str) -> Encoding:
    """Return the encoding that a model of OpenAI uses, or raise KeyError."""
    return get_encoding(encoding_name_for_model(model_name))
