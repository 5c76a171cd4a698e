"""The reader of Hugging Face's tokenizer.json, for byte-level BPE as the kernels do it.

With pattern=None the file's normalizer and pre_tokenizer must be ones that the patterns cover. A
caller who names a pattern is responsible for both, for instance for normalising text to NFC before
it is encoded, and for truncation and padding too, if the file has them. The post_processor (tokens
put around the text) is never applied.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
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
    """Return the vocabulary, with its pattern only if `find_pattern`."""
    file = json.loads(data)
    try:
        if (version := file.get("version", "1.0")) != "1.0":
            raise ValueError(f"the version is {version!r}, not '1.0'")
        model = file["model"]
        if model.get("type", "BPE") != "BPE":
            raise ValueError(f"the model is {model['type']}, not BPE")
        for option, allowed in _BPE_OPTIONS.items():
            if model.get(option) not in allowed:
                raise ValueError(f"the option {option}={model[option]!r} is not byte-level BPE")
        if not isinstance(ignore_merges := model.get("ignore_merges") or False, bool):
            raise ValueError(f"the option ignore_merges={ignore_merges!r} is not a boolean")
        special_tokens = _special_tokens(file.get("added_tokens") or ())
        alphabet = byte_alphabet()
        tokens = {
            spell(text, alphabet): token_id
            for text, token_id in model["vocab"].items()
            if special_tokens.get(text) != token_id
        }
        if not isinstance(model["merges"], list):
            raise ValueError(f"merges must be a list, not {type(model['merges']).__name__}")
        merges = [_merge(rank, entry, alphabet) for rank, entry in enumerate(model["merges"])]
        pattern = _pattern(file) if find_pattern else None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a tokenizer.json: {error!r}") from None
    vocabulary = from_merges(tokens, merges, ignore_merges)
    _check_ids(special_tokens, model["vocab"])
    return replace(vocabulary, special_tokens=special_tokens, pattern=pattern)


def _special_tokens(entries: Iterable[dict[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for entry in entries:
        name = entry["content"]
        if not isinstance(name, str):
            raise ValueError(f"the content of an added token is {name!r}, not text")
        if name in found:
            raise ValueError(f"the added token {name!r} is listed twice")
        for option in ("single_word", "lstrip", "rstrip"):
            if entry.get(option):
                raise ValueError(f"the added token {name!r} has {option}")
        found[name] = entry["id"]
    return found


def _check_ids(special_tokens: dict[str, int], vocab: dict[str, int]) -> None:
    """Raise ValueError unless the ids are the ones that Hugging Face assigns.

    These are the id in the vocabulary and, for tokens that it lacks, numbers from its size on.
    """
    following = len(vocab)
    for name, token_id in special_tokens.items():
        given = vocab.get(name, following)
        following += name not in vocab
        if token_id != given:
            raise ValueError(
                f"the added token {name!r} has the id {token_id!r}, but would be given {given}"
            )


def _merge(rank: int, entry: Any, alphabet: dict[str, int]) -> tuple[bytes, bytes]:
    match entry.split(" ") if isinstance(entry, str) else entry:
        case [str(left), str(right)]:
            return spell(left, alphabet), spell(right, alphabet)
    raise ValueError(f"merge {rank} is {entry!r}, not two tokens")


def _pattern(file: dict[str, Any]) -> Pattern:
    for section in ("truncation", "padding"):
        if file.get(section) is not None:
            raise ValueError(
                f"{section} is not part of a pattern: name the pattern, and cut and fill up rows "
                "after encoding, as BatchEncoder does"
            )
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
