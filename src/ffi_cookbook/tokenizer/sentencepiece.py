"""The reader of SentencePiece's BPE in a tokenizer.json, as Llama 2, Mistral and Gemma have it.

Its merges are of characters, those of a kernel of bytes. So a character of several bytes is made by
merges of these, which come before all others. In a text, bytes of different characters never merge.
An unknown character is left as one or several ids: tokens of bytes, or hidden ids, which are not
below `n_vocab`. `Spaced` replaces these.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ffi_cookbook.bindings._glue.bpe.layout import Steps
from ffi_cookbook.bindings._glue.bpe.patterns import METASPACE, WHOLE, WORDS, Pattern
from ffi_cookbook.tokenizer.tokens import Tokens
from ffi_cookbook.tokenizer.vocabulary import Merges, Vocabulary, from_merges

SPACE = "▁"
_REPLACE = {"type": "Replace", "pattern": {"String": " "}, "content": SPACE}
_PREPEND = {"type": "Prepend", "prepend": SPACE}
_SHOWN = [
    {"type": "Replace", "pattern": {"String": SPACE}, "content": " "},
    {"type": "ByteFallback"},
    {"type": "Fuse"},
]
_STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}
_FORMS = {"NFC": Steps.NFC, "NFKC": Steps.NFKC}
ONE_FORM = [[{"type": form}] for form in _FORMS]
_SCHEMES = {"always": Steps.ALWAYS, "first": Steps.FIRST, "never": Steps(0)}
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2}|\+[0-9A-Fa-f])>")


def steps_of(normalizers: Sequence[dict[str, Any]], pre: Sequence[Any]) -> Steps:
    """Return the steps of a file that writes spaces as "▁", or none if it is another file."""
    found = form_of(normalizers[:1])
    rest = [*normalizers[bool(found) :]]
    for step, meaning in ((_REPLACE, Steps.REPLACE), (_PREPEND, Steps.PREPEND)):
        if step in rest:
            rest.remove(step)
            found |= meaning
    match pre:
        case [{"type": "Metaspace", "replacement": "▁"} as step]:
            scheme = step.get("prepend_scheme", "always")
            known_keys = {"type", "replacement", "prepend_scheme", "split", "add_prefix_space"}
            if step.get("add_prefix_space") is False and scheme != "never":
                scheme = "" if "prepend_scheme" in step else "never"
            if rest or scheme not in _SCHEMES or step.keys() - known_keys:
                return Steps(0)
            return found | _SCHEMES[scheme] | Steps.SPACES
        # After the normalizer there is no space at which Gemma's pre_tokenizer could cut.
        case [] | [{"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious"}]:
            if Steps.REPLACE in found and not rest:
                return found | Steps.SPACES
    return Steps(0)


def form_of(normalizers: Sequence[dict[str, Any]]) -> Steps:
    """Return the one normalization form that a text is brought to, or none."""
    return _FORMS[normalizers[0]["type"]] if [*normalizers] in ONE_FORM else Steps(0)


def pattern_of(pre: Sequence[dict[str, Any]], model: dict[str, Any], rows: Merges) -> Pattern:
    """Return the pattern that cuts a text only where no merge reaches across."""
    if pre and pre[0]["type"] == "Metaspace" and pre[0].get("split", True):
        return Pattern(METASPACE, 0)
    texts = {token_id: text for text, token_id in model["vocab"].items()}
    spaced = [token_id for token_id, text in texts.items() if text[:1] == SPACE]
    lefts = np.unique(rows[np.isin(rows[:, 1], spaced), 0]).tolist()
    apart = {texts[number][-1:] for number in lefts} <= {SPACE, ">"}
    return Pattern(WORDS if apart else WHOLE, 0)


def decoder_of(steps: Sequence[dict[str, Any]]) -> tuple[Steps, bool] | None:
    """Return what `decode` leaves out, and whether tokens stand for bytes; None if not known."""
    if steps[:3] == _SHOWN and steps[3:] in ([], [_STRIP]):
        return Steps.STRIP if steps[3:] else Steps(0), True
    match steps:
        case [{"type": "Metaspace", "replacement": "▁"} as step]:
            return Steps(0) if step.get("prepend_scheme") == "never" else Steps.DROP, False
    return None


def wrong(model: dict[str, Any], special_tokens: Mapping[str, int], rows: Merges) -> Iterator[str]:
    """Yield the parts of the model that `read` cannot reproduce."""
    vocab, unknown = model["vocab"], model.get("unk_token")
    if model.get("ignore_merges"):
        yield f"ignore_merges with a text in which spaces are {SPACE!r}"
    if SPACE not in vocab:
        yield f"no token for {SPACE!r}"
    missing = [byte for byte in _needed(vocab) if f"<0x{byte:02X}>" not in vocab]
    fallback = _falls_back(model)
    if fallback and missing:
        yield f"no token for the byte 0x{missing[0]:02x} (of {len(missing)} that UTF-8 needs)"
    if not fallback and unknown not in vocab:
        yield f"no token for unknown characters: the unk_token is {unknown!r}"
    spaced = [text for text in vocab if " " in text and text not in special_tokens]
    if spaced:
        yield f"the token {spaced[0]!r} has a space, not {SPACE!r}"
    others = [i for text, i in vocab.items() if _BYTE.fullmatch(text) or text == unknown]
    if (found := np.isin(rows[:, (0, 1, 3)], others).any(1)).any():
        entry = model["merges"][found.argmax()]
        yield f"the merge {entry!r} is of a byte or of unknown characters"


def _needed(vocab: Mapping[str, int]) -> list[int]:
    unknown = [byte for byte in range(0x80) if chr(byte) not in vocab and byte != ord(" ")]
    return [*unknown, *range(0x80, 0xC0), *range(0xC2, 0xF5)]


def _falls_back(model: dict[str, Any]) -> bool:
    """Return True if the bytes of unknown characters are tokens."""
    vocab = model["vocab"]
    return bool(model.get("byte_fallback")) and any(f"<0x{b:02X}>" in vocab for b in range(256))


def read(
    model: dict[str, Any],
    special_tokens: Mapping[str, int],
    rows: Merges,
    steps: Steps,
    decoder: Sequence[dict[str, Any]],
) -> Vocabulary:
    """Return the vocabulary of a model in which nothing is `wrong`."""
    left_out, shows_bytes = decoder_of(decoder) or (Steps(0), True)
    steps |= left_out
    vocab, fallback = model["vocab"], _falls_back(model)
    following = max([*vocab.values(), *special_tokens.values()]) + 1
    byte_ids = [*range(following, following + 256)]
    if fallback:
        byte_ids = [vocab.get(f"<0x{byte:02X}>", 0) for byte in range(256)]
    following += 256
    tokens: dict[bytes, int] = {}
    known: dict[bytes, int] = {}
    first: list[tuple[int, int, int, int]] = []
    for text, token_id in vocab.items():
        data = text.replace(SPACE, " ").encode()
        if text not in special_tokens or data == text.encode():
            tokens[data] = token_id
        if len(text) == 1:
            known[data] = token_id
            if len(data) == 1:
                byte_ids[data[0]] = token_id
    for data in [*known]:
        left = byte_ids[data[0]]
        for end in range(2, len(data) + 1):
            if (part := data[:end]) not in known or end == len(data):
                made = known.setdefault(part, following)
                following += made == following
                first.append((left, byte_ids[part[-1]], len(first), made))
            left = known[part]
    rows = rows + np.array([0, 0, len(first), 0], np.uint32)
    rows = np.concatenate([np.array(first, np.uint32).reshape(-1, 4), rows])
    found = ((token_id, _BYTE.fullmatch(text)) for text, token_id in vocab.items())
    byte_tokens = {i: bytes([int(it[1], 16)]) for i, it in found if it and shows_bytes}
    if not fallback and model.get("fuse_unk"):
        steps |= Steps.FUSE
    return replace(
        from_merges(Tokens.of(tokens, tokens.values()), rows, ignore_merges=False),
        steps=steps,
        unknown=None if fallback else vocab[model["unk_token"]],
        byte_ids=byte_ids,
        byte_tokens=byte_tokens,
    )
