"""The reader of Hugging Face's tokenizer.json, for byte-level BPE as the kernels do it.

A file is refused unless the ids are the ones that Hugging Face gives with
`add_special_tokens=False`: the tokens that a post_processor puts around a text are never added.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, repeat
from typing import Any
from unicodedata import is_normalized

import numpy as np

from ffi_cookbook.bindings._glue.bpe.layout import Form, Steps
from ffi_cookbook.bindings._glue.bpe.patterns import BLOOM_SPLIT, GPT2, Pattern, recognise
from ffi_cookbook.bindings._glue.bpe.specials import Flag, overlapping
from ffi_cookbook.tokenizer import sentencepiece
from ffi_cookbook.tokenizer.tokens import PADDING, Tokens, byte_alphabet, tokens_of, words_of
from ffi_cookbook.tokenizer.vocabulary import Merges, Vocabulary, from_merges

_BPE_OPTIONS = {
    "dropout": (None, 0.0),
    "continuing_subword_prefix": (None, ""),
    "end_of_word_suffix": (None, ""),
    "byte_fallback": (None, False),
    "ignore_merges": (None, False, True),
}
BLOCK = 1 << 14  # merges that are looked up at once
FLAGS = ("lstrip", "rstrip", "normalized", "single_word")
_NOT_IN_UTF8 = {0xC0, 0xC1, *range(0xF5, 0x100)}


def read_tokenizer_json(
    file: dict[str, Any],
    pattern: Pattern | None,
    specials: Mapping[str, int],
    override: bool,
) -> Vocabulary:
    """Return the vocabulary, or raise ValueError with every reason why the ids would differ.

    Args:
        file: the decoded JSON.
        pattern: the caller's, or None for that of the file.
        specials: the caller's special tokens, which are added to those of the file.
        override: ignore what is not in the model: the normalizer, a pre_tokenizer that is not that
            of `pattern`, the post_processor, truncation, padding and the flags of added tokens.
    """
    try:
        normalizers = _steps(file.get("normalizer"), "normalizers")
        pre = _steps(file.get("pre_tokenizer"), "pretokenizers")
        own, steps = _pattern(pre), sentencepiece.steps_of(normalizers, pre)
        special_tokens = _special_tokens(file.get("added_tokens") or ())
        wrong = list(_unsupported(file, special_tokens, bool(steps)))
        model = file["model"]
        if steps and not wrong:
            spaceless = {text: i for text, i in model["vocab"].items() if " " not in text}
            tokens = tokens_of(spaceless, spelled=False)
            rows = _rows(model["merges"], model["vocab"], tokens, spelled=False)
            wrong = list(sentencepiece.wrong(model, special_tokens, rows))
            wrong += ["the pattern of such a file cannot be chosen"] if pattern else []
            own = sentencepiece.pattern_of(pre, model, rows)
        words = f". Its pre_tokenizer is the pattern {own.name}" if own else ""
        if not wrong and not override:
            words += ". With override=True these parts would be ignored, and the ids be others"
        if not override:
            wrong += _ignorable(file, own, pattern, bool(steps))
            for name in specials.keys() & special_tokens.keys():
                if (given := specials[name]) != (known := special_tokens[name]):
                    wrong.append(f"special_tokens gives {name!r} the id {given}, the file {known}")
        if wrong:
            raise ValueError(f"its ids cannot be reproduced: {'; '.join(wrong)}{words}")
        if (chosen := pattern or own) is None:
            raise ValueError("no pattern covers the pre_tokenizer, so override needs a pattern")
        around = ((), ()) if override else _around(_steps(file.get("post_processor"), "processors"))
        special_tokens |= specials
        if steps:
            decoder = _steps(file.get("decoder"), "decoders")
            vocabulary = sentencepiece.read(model, special_tokens, rows, steps, decoder)
        else:
            vocabulary = _byte_level(model, special_tokens)
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"not a tokenizer.json: {error!r}") from None
    kept = Flag.ORDINARY if override else ~0
    flags = {entry["content"]: _flags(entry) & kept for entry in file.get("added_tokens") or ()}
    if not override:
        steps = vocabulary.steps | sentencepiece.form_of(normalizers)
        vocabulary = replace(vocabulary, steps=steps, around=around)
    return replace(vocabulary, special_tokens=special_tokens, pattern=chosen, flags=flags)


def _unsupported(
    file: dict[str, Any], special_tokens: Mapping[str, int], spaced: bool
) -> Iterator[str]:
    """Yield the parts without which the vocabulary has no meaning."""
    if (version := file.get("version", "1.0")) != "1.0":
        yield f"the version is {version!r}, not '1.0'"
    model = file["model"]
    if (kind := model.get("type", "BPE")) != "BPE":
        yield f"the model is {kind}, not BPE"
        return
    for option, allowed in _BPE_OPTIONS.items():
        if (value := model.get(option)) not in allowed and not (
            spaced and option == "byte_fallback"
        ):
            yield f"the option {option}={value!r} is not byte-level BPE"
    vocab, merges = model.get("vocab"), model.get("merges")
    for name, value, type_ in (("vocab", vocab, dict), ("merges", merges, list)):
        if not isinstance(value, type_):
            yield f"{name} must be a {type_.__name__}, not {type(value).__name__}"
            return
    yield from _wrong_ids(special_tokens, vocab)
    bytes_of = () if spaced else byte_alphabet().items()
    if missing := [b for text, b in bytes_of if text not in vocab and b not in _NOT_IN_UTF8]:
        yield f"no token for the byte 0x{min(missing):02x} (of {len(missing)} that UTF-8 needs)"


def _ignorable(
    file: dict[str, Any], own: Pattern | None, pattern: Pattern | None, spaced: bool
) -> Iterator[str]:
    """Yield the parts around the model that no kernel has."""
    normalizers = _steps(file.get("normalizer"), "normalizers")
    added = file.get("added_tokens") or ()
    late = {entry["content"] for entry in added if entry.get("normalized")}
    known = sentencepiece.form_of(normalizers)
    form: Form = "NFKC" if Steps.NFKC in known else "NFC"
    stable = known and all(is_normalized(form, name) for name in late)
    if not spaced and normalizers and not stable:
        yield f"the normalizer is {_described(normalizers)}"
    decoder = _steps(file.get("decoder"), "decoders")
    if spaced and sentencepiece.decoder_of(decoder) is None:
        yield f"the decoder is {_described(decoder)}"
    if own is None:
        steps = _steps(file.get("pre_tokenizer"), "pretokenizers")
        yield f"no pattern covers the pre_tokenizer, which is {_described(steps)}"
    elif pattern not in (None, own):
        yield f"the pre_tokenizer is not that of the pattern {pattern.name}"
    processors = _steps(file.get("post_processor"), "processors")
    if others := [step for step in processors if not _only_adds_tokens(step)]:
        yield f"the post_processor is {_described(others)}"
    if file.get("truncation") is not None:
        yield f"truncation is {_described([file['truncation']])}"
    padding = file.get("padding") or {"strategy": "BatchLongest"}  # which pads no text on its own
    if padding.get("strategy") != "BatchLongest" or padding.get("pad_to_multiple_of"):
        yield f"padding is {_described([padding])}"
    outer = [entry for entry in added if entry["content"] != entry["content"].strip()]
    blank = {bool(entry.get("normalized")) for entry in outer}
    for option in ("lstrip", "rstrip"):  # the white space may be in another token of the search
        flagged = [one for one in added if one.get(option) and bool(one.get("normalized")) in blank]
        if flagged:
            name, more = flagged[0]["content"], len(flagged) - 1
            yield f"the added token {name!r} has {option} (as have {more} others)"
    early = set() if spaced else {entry["content"] for entry in added} - late
    if pair := overlapping(late, early):
        yield f"the added token {pair[0]!r} is normalized, {pair[1]!r} is not, and they can overlap"


def _steps(part: dict[str, Any] | None, key: str) -> list[dict[str, Any]]:
    """Return the steps of a part of the file. A Sequence, at any depth, is its steps."""
    if part is None:
        return []
    if part["type"] != "Sequence":
        return [part]
    return [step for inner in part[key] for step in _steps(inner, key)]


def _described(steps: list[dict[str, Any]]) -> str:
    text = ", ".join(json.dumps(step, ensure_ascii=False) for step in steps) or "empty"
    return text if len(text) <= 600 else f"{text[:600]}..."


def _pattern(steps: list[dict[str, Any]]) -> Pattern | None:
    """Return the pattern that the steps of a pre_tokenizer are, if a kernel has it."""
    if not steps or steps[-1].get("type") != "ByteLevel" or steps[-1].get("add_prefix_space"):
        return None
    *splits, last = steps
    alone = len(splits) == 1 and last.get("use_regex") is False
    regexes = [_regex(step, alone) for step in splits]
    if last.get("use_regex", True) is not False:
        regexes.append(GPT2)
    return recognise(*regexes)


def _regex(step: dict[str, Any], alone: bool) -> str | None:
    """Return the regex of a step that keeps its matches and what is between them."""
    match step:
        case {"type": "Split", "pattern": {"Regex": str(regex)}, "behavior": "Isolated"}:
            return regex
        case {"pattern": {"Regex": str(regex)}, "behavior": "Removed", "invert": True} if alone:
            # Every character is in a match of a pattern, but not of BLOOM's: nothing is between.
            return regex if regex != BLOOM_SPLIT else None
        case {"type": "Digits", "individual_digits": True}:
            return r"\p{N}"
    return None


def _flags(entry: dict[str, Any]) -> int:
    bits: int = sum(getattr(Flag, option.upper()) for option in FLAGS if entry.get(option))
    return bits if entry.get("special", True) else bits | Flag.ORDINARY


def _only_adds_tokens(processor: dict[str, Any]) -> bool:
    """Return True if a step of the post_processor leaves the ids of the text alone."""
    if processor["type"] == "TemplateProcessing":
        texts = [piece["Sequence"]["id"] for piece in processor["single"] if "Sequence" in piece]
        return texts == ["A"]
    return processor["type"] in ("ByteLevel", "BertProcessing", "RobertaProcessing")


def _around(processors: Iterable[dict[str, Any]]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the ids that the steps of the post_processor put before a text, and after it."""
    before, after = list[int](), list[int]()
    for step in processors:
        if step["type"] == "TemplateProcessing":
            ids = {name: token["ids"] for name, token in step["special_tokens"].items()}
            names = [piece.get("SpecialToken", {}).get("id") for piece in step["single"]]
            at = names.index(None)
            before[:0] = [number for name in names[:at] for number in ids[name]]
            after += [number for name in names[at + 1 :] for number in ids[name]]
        elif step["type"] != "ByteLevel":
            before.insert(0, step["cls"][1])
            after.append(step["sep"][1])
    return tuple(before), tuple(after)


def _special_tokens(entries: Iterable[dict[str, Any]]) -> dict[str, int]:
    found: dict[str, int] = {}
    for entry in entries:
        name = entry["content"]
        if not isinstance(name, str):
            raise ValueError(f"the content of an added token is {name!r}, not text")
        if name in found:
            raise ValueError(f"the added token {name!r} is listed twice")
        found[name] = entry["id"]
    return found


def _wrong_ids(special_tokens: Mapping[str, int], vocab: Mapping[str, int]) -> Iterator[str]:
    """Yield the first id that is not the one that Hugging Face assigns.

    This is the id in the vocabulary and, for tokens that it lacks, the next number from its size.
    """
    following = len(vocab)
    for name, token_id in special_tokens.items():
        given = vocab.get(name, following)
        following += name not in vocab
        if type(token_id) is not int or token_id != given:
            yield f"the added token {name!r} has the id {token_id!r}, but would be given {given}"
            return


def _rows(merges: list[Any], vocab: Mapping[str, int], tokens: Tokens, spelled: bool) -> Merges:
    """Return the merges as ids: many at once or, if one is not as usual, one by one."""
    rows = np.empty((len(merges), 4), np.uint32)
    rows[:, 2] = np.arange(len(merges))
    for start in range(0, len(merges), BLOCK):
        some = merges[start : start + BLOCK]
        found = _found(some, tokens, spelled)
        if found is None:
            found = [_row(rank, entry, vocab) for rank, entry in enumerate(some, start)]
        rows[start : start + BLOCK, (0, 1, 3)] = found
    return rows


def _found(merges: list[Any], tokens: Tokens, spelled: bool) -> Any:
    """Return the left, right and made id of each merge, or None if one is not as usual."""
    kinds, texts = {*map(type, merges)}, iter(merges)
    if kinds == {list} and {*map(len, merges)} == {2}:
        texts = chain.from_iterable(merges)
    elif kinds != {str} or {*map(str.count, merges, repeat(" "))} != {1}:
        return None
    words = words_of(texts, spelled)
    if words is None or (n := len(words[1])) != 2 * len(merges):
        return None
    data, sizes = words
    starts = np.cumsum(sizes) - sizes
    starts, sizes = np.append(starts, starts[::2]), np.append(sizes, sizes[::2] + sizes[1::2])
    ids = tokens.find(data + PADDING, starts, sizes)
    return None if ids.min() < 0 else np.stack([ids[:n:2], ids[1:n:2], ids[n:]], 1)


def _row(rank: int, entry: Any, vocab: Mapping[str, int]) -> tuple[int, int, int]:
    match entry.split(" ") if isinstance(entry, str) else entry:
        case [str(left), str(right)]:
            try:
                return vocab[left], vocab[right], vocab[left + right]
            except KeyError as error:
                missing = error.args[0]
                raise ValueError(f"merge {rank} names {missing!r}, not a token") from None
    raise ValueError(f"merge {rank} is {entry!r}, not two tokens")


def _byte_level(model: dict[str, Any], special_tokens: Mapping[str, int]) -> Vocabulary:
    """Return the vocabulary of the tokens that pretokens can become.

    An added token may be one of them too. Its name is plain text, and a token is written in the
    byte alphabet, in which only visible ASCII stands for itself.
    """
    vocab, alphabet = model["vocab"], byte_alphabet().keys()
    spelled = [text for text in special_tokens if text in vocab and alphabet >= set(text)]
    plain = {**vocab}
    for text in special_tokens:
        if text not in spelled or not text.isascii():
            plain.pop(text, None)
    tokens, ignore_merges = tokens_of(plain, spelled=True), bool(model.get("ignore_merges"))
    rows = _rows(model["merges"], vocab, tokens, spelled=True)
    for text in spelled:
        made = len(text) == 1 or vocab[text] in rows[:, 3] or ignore_merges
        if made and text not in plain:
            other = bytes(byte_alphabet()[character] for character in text)
            raise ValueError(f"the added token {text!r} is also the ordinary token {other!r}")
    return from_merges(tokens, rows, ignore_merges)
