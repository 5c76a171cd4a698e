"""Files of ranks: `.tiktoken`, GPT-2's pair of vocab.bpe and encoder.json, and tekken.json."""

from __future__ import annotations

import base64
import binascii
import codecs
import json
from dataclasses import replace
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.bpe.patterns import recognise
from ffi_cookbook.tokenizer.tokens import MAX_IDS, Tokens, byte_alphabet, check_ids, tokens_of
from ffi_cookbook.tokenizer.vocabulary import Vocabulary, from_ranks

_BASE64 = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/="


def read_tiktoken(data: bytes) -> Vocabulary:
    """Return the vocabulary of a `.tiktoken` file.

    A line is a token in base64, a space, and the token's rank, which is also its id.
    """
    return from_ranks(_plain_ranks(data) or _ranks(data))


def _plain_ranks(data: bytes) -> Tokens | None:
    """Return the tokens of a file, read all at once; None if `_ranks` must read line by line."""
    fields = data.split()
    encoded, digits = fields[::2], fields[1::2]
    sizes = np.fromiter(map(len, encoded), np.int64, len(encoded))
    lines = data.translate(None, _BASE64) == b" \n" * len(digits) and data.endswith(b"\n")
    padded = data.count(b"=") == data.count(b"= ") + data.count(b"== ")
    if not (lines and padded and b"".join(digits).isdigit()) or (sizes % 4).any():
        return None
    text = b"".join(encoded)
    padding = np.frombuffer(text, np.uint8) == ord("=")
    places = np.flatnonzero(padding)  # the last bytes of groups of four, which are three bytes
    decoded = np.frombuffer(binascii.a2b_base64(text.replace(b"=", b"A")), np.uint8)
    found = np.delete(decoded, places // 4 * 3 + places % 4 - 1).tobytes()
    sizes = sizes // 4 * 3 - np.add.reduceat(padding, np.cumsum(sizes) - sizes, dtype=np.int64)
    try:
        ids = np.fromiter(map(int, digits), np.int64, len(digits))
        tokens = Tokens(found, sizes, ids)
        same = tokens.find(tokens.data, tokens.starts, sizes) == ids
    except (ValueError, OverflowError):
        return None
    return tokens if same.all() and ids.max() < MAX_IDS and np.bincount(ids).max() == 1 else None


def _ranks(data: bytes) -> Tokens:
    """Return the tokens of a file, or raise ValueError with the line that is wrong."""
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
    return Tokens.of(ranks, lines)


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
    check_ids(ranks)
    vocabulary = from_ranks(Tokens.of(ranks, ranks.values()))
    return replace(vocabulary, special_tokens=named, pattern=pattern)


def read_gpt2(vocab_bpe: bytes, encoder_json: bytes) -> Vocabulary:
    """Return the vocabulary of vocab.bpe and encoder.json, as tiktoken reads them.

    The ranks are the bytes in alphabet order, then the merges in order. The ids in encoder.json
    must agree; its other entries are special tokens.
    """
    encoder = json.loads(encoder_json)
    if not isinstance(encoder, dict):
        raise ValueError("encoder.json is not an object")
    ranks = {text: rank for rank, text in enumerate(byte_alphabet())}
    for number, line in enumerate(vocab_bpe.decode().splitlines()[1:], 2):  # after the version
        left, space, right = line.partition(" ")
        if not space or left + right in ranks:
            raise ValueError(f"line {number}: {line!r} is not two tokens that make a new one")
        ranks[left + right] = len(ranks)
    for text, rank in ranks.items():
        if encoder.pop(text, None) != rank:
            raise ValueError(f"encoder.json does not give {text!r} the id {rank}, its merge rank")
    return replace(from_ranks(tokens_of(ranks, spelled=True)), special_tokens=encoder)
