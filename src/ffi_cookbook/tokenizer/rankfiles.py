"""Files of ranks: `.tiktoken`, GPT-2's pair of vocab.bpe and encoder.json, and tekken.json."""

from __future__ import annotations

import base64
import binascii
import codecs
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from typing import Any, SupportsIndex

from ffi_cookbook.bindings._glue.bpe.patterns import recognise
from ffi_cookbook.tokenizer.vocabulary import MAX_IDS, Vocabulary, from_ranks

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


def read_tiktoken(data: bytes) -> Vocabulary:
    """Return the vocabulary of a `.tiktoken` file.

    A line is a token in base64, a space, and the token's rank, which is also its id.
    """
    return from_ranks(_plain_ranks(data) or _ranks(data))


def _plain_ranks(data: bytes) -> dict[bytes, int]:
    """Return the ranks of a file in which every line is as usual, or else nothing.

    This is the fast half of `_ranks`: it looks at many lines at once.
    """
    ranks: dict[bytes, int] = {}
    n_lines, file = 0, io.BytesIO(data)
    while block := file.read(1 << 16) + file.readline():
        fields = block.split()
        encoded, digits = fields[::2], fields[1::2]
        lines = block.translate(None, _BASE64) == b" \n" * len(encoded)
        padded = block.count(b"=") == block.count(b"= ") + block.count(b"== ")
        whole = not any(size % 4 for size in {*map(len, encoded)})
        if not (lines and padded and whole and b"".join(digits).isdigit()):
            return {}
        try:
            ranks.update(zip(map(binascii.a2b_base64, encoded), map(int, digits), strict=True))
        except ValueError:
            return {}
        n_lines += len(encoded)
    ids = {*ranks.values()}
    return ranks if n_lines == len(ranks) == len(ids) and max(ids, default=0) < MAX_IDS else {}


def _ranks(data: bytes) -> dict[bytes, int]:
    """Return the ranks of a file, or raise ValueError with the line that is wrong."""
    if data.startswith((codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise ValueError("line 1: begins with a byte order mark; the file must be plain ASCII")
    ranks: dict[bytes, int] = {}
    lines: dict[int, int] = {}
    for number, line in enumerate(data.splitlines(), 1):
        if not line:
            continue
        try:
            encoded, digits = line.split(b" ")
            # Whisper's file spells the empty token "=".
            token = base64.b64decode(encoded, validate=True) if encoded != b"=" else b""
        except (ValueError, binascii.Error) as error:
            raise ValueError(f"line {number}: not a token in base64 and a rank: {error}") from None
        if not digits.isdigit():
            raise ValueError(f"line {number}: the rank {digits!r} is not a number")
        digits = digits.lstrip(b"0") or b"0"
        if len(digits) > len(str(MAX_IDS)) or (rank := int(digits)) >= MAX_IDS:
            raise ValueError(f"line {number}: the rank {digits[:20]!r} is not in 0..{MAX_IDS - 1}")
        if token in ranks:
            raise ValueError(f"line {number}: {token!r} was on line {lines[ranks[token]]} already")
        if rank in lines:
            raise ValueError(f"line {number}: rank {rank} was on line {lines[rank]} already")
        ranks[token] = rank
        lines[rank] = number
    return ranks


def read_tekken(file: dict[str, Any]) -> Vocabulary:
    """Return the vocabulary of Mistral's tekken.json: ranks, whose ids follow the special ones."""
    try:
        config, n_special = file["config"], file["config"]["default_num_special_tokens"]
        size = config["default_vocab_size"] - n_special
        if size > (n_listed := len(file["vocab"])):
            raise ValueError(f"it should have {size} tokens, but the file has {n_listed}")
        if (pattern := recognise(config["pattern"])) is None:
            raise ValueError(f"no pattern is the regex {config['pattern']!r}")
        ranks: dict[bytes, int] = {}
        for rank, entry in enumerate(file["vocab"][:size]):
            if entry["rank"] != rank:
                raise ValueError(f"token {rank} has the rank {entry['rank']!r}")
            ranks[base64.b64decode(entry["token_bytes"], validate=True)] = n_special + rank
        named = {entry["token_str"]: entry["rank"] for entry in file.get("special_tokens") or ()}
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a tekken.json: {error!r}") from None
    if len(ranks) < size or any(not 0 <= rank < n_special for rank in named.values()):
        raise ValueError("two tokens are equal, or a special token has the id of another token")
    return replace(from_ranks(ranks), special_tokens=named, pattern=pattern)


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


@cache
def byte_alphabet() -> dict[str, int]:
    """Return the byte of each character of the alphabet in which tokens are written as text.

    A visible byte is the character with its code, any other the next unused one from U+0100 on.
    """
    seen = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    hidden = [byte for byte in range(256) if byte not in seen]
    return {chr(byte): byte for byte in seen} | {chr(256 + i): b for i, b in enumerate(hidden)}


_BYTES = {ord(character): byte for character, byte in byte_alphabet().items()}
_CHARACTERS = {byte: chr(character) for character, byte in _BYTES.items()}


def spell(text: str) -> bytes:
    """Return the bytes of a token written in the byte alphabet."""
    try:
        return codecs.charmap_encode(text, "strict", _BYTES)[0]
    except UnicodeEncodeError:
        raise ValueError(f"the token {text!r} is not spelled in the byte alphabet") from None


def in_alphabet(token: bytes) -> str:
    """Return a token written in the byte alphabet."""
    return token.decode("latin-1").translate(_CHARACTERS)


def read_gpt2(vocab_bpe: bytes, encoder_json: bytes) -> Vocabulary:
    """Return the vocabulary of vocab.bpe and encoder.json, as tiktoken reads them.

    The ranks are the bytes in alphabet order, then the merges in order. The ids in encoder.json
    must agree; its other entries are special tokens.
    """
    encoder = json.loads(encoder_json)
    if not isinstance(encoder, dict):
        raise ValueError("encoder.json is not an object")
    ranks = {bytes([byte]): rank for rank, byte in enumerate(byte_alphabet().values())}
    merges = vocab_bpe.decode().splitlines()[1:]  # the first line is the version
    for number, line in enumerate(merges, 2):
        left, space, right = line.partition(" ")
        token = spell(left) + spell(right)
        if not space or token in ranks:
            raise ValueError(f"line {number}: {line!r} is not two tokens that make a new one")
        ranks[token] = len(ranks)
    for token, rank in ranks.items():
        if encoder.pop(text := in_alphabet(token), None) != rank:
            raise ValueError(f"encoder.json does not give {text!r} the id {rank}, its merge rank")
    return replace(from_ranks(ranks), special_tokens=encoder)
