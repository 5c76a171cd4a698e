"""tokenizer.json, the file of Hugging Face: byte-level BPE, and only what a kernel does alike.

With pattern=None the file's normalizer and pre_tokenizer must be ones that the patterns cover. Who
names a pattern takes over both, for instance normalising text to NFC before it is encoded. The
post_processor (tokens put around the text) is never applied.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from bindings.tokenizer.patterns import NAMES, Pattern, recognise
from bindings.tokenizer.rankfiles import byte_alphabet, spell
from bindings.tokenizer.vocabulary import Vocabulary, from_merges

_BPE_OPTIONS = {
    "dropout": (None, 0.0),
    "continuing_subword_prefix": (None, ""),
    "end_of_word_suffix": (None, ""),
    "byte_fallback": (None, False),
}


def read_tokenizer_json(data: bytes, find_pattern: bool) -> Vocabulary:
    """The vocabulary; its pattern is looked for only if `find_pattern`."""
    file = json.loads(data)
    try:
        model = file["model"]
        if model.get("type", "BPE") != "BPE":
            raise ValueError(f"the model is {model['type']}, not BPE")
        for option, allowed in _BPE_OPTIONS.items():
            if model.get(option) not in allowed:
                raise ValueError(f"the option {option}={model[option]!r} is not byte-level BPE")
        special_tokens = dict(map(_special_token, file.get("added_tokens") or ()))
        alphabet = byte_alphabet()
        tokens = {
            spell(text, alphabet): token_id
            for text, token_id in model["vocab"].items()
            if special_tokens.get(text) != token_id
        }
        merges = [_merge(entry, alphabet) for entry in model["merges"]]
        pattern = _pattern(file) if find_pattern else None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a tokenizer.json: {error!r}") from None
    vocabulary = from_merges(tokens, merges, bool(model.get("ignore_merges")))
    return replace(vocabulary, special_tokens=special_tokens, pattern=pattern)


def _special_token(entry: dict[str, Any]) -> tuple[str, int]:
    for option in ("single_word", "lstrip", "rstrip"):
        if entry.get(option):
            raise ValueError(f"the added token {entry['content']!r} has {option}")
    return entry["content"], entry["id"]


def _merge(entry: str | list[str], alphabet: dict[str, int]) -> tuple[bytes, bytes]:
    left, right = entry.split(" ") if isinstance(entry, str) else entry
    return spell(left, alphabet), spell(right, alphabet)


def _pattern(file: dict[str, Any]) -> Pattern:
    if (normalizer := file.get("normalizer")) is not None:
        raise ValueError(
            f"the normalizer {normalizer.get('type')} is not part of a pattern: "
            "name the pattern, and normalise text before it is encoded"
        )
    steps = file.get("pre_tokenizer") or {}
    match steps.get("pretokenizers", [steps]):
        case [{"type": "ByteLevel", "add_prefix_space": False} as only]:
            if only.get("use_regex", True):
                return NAMES["gpt2"]
        case [
            {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated"} as split,
            {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False},
        ]:
            if not split.get("invert"):
                return recognise(regex)
    raise ValueError(f"no pattern covers the pre_tokenizer {json.dumps(steps)}")
