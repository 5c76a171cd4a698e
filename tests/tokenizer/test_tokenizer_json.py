"""tokenizer.json in all its forms: it gives the ids of Hugging Face, or it is refused by name."""

from __future__ import annotations

import lzma
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tokenizers

from ffi_cookbook.__main__ import main
from ffi_cookbook.bindings import python
from ffi_cookbook.bindings._glue.bpe.patterns import CL100K, GPT2, NAMES, O200K
from ffi_cookbook.bindings.python.tokenizer import Tokenizer
from ffi_cookbook.tokenizer import Decoder, Encoding, Model, decode_batch, save_model, tokenizer_of
from ffi_cookbook.tokenizer.huggingface import _NOT_IN_UTF8
from support.rank_files import EOT, TEXT, Formats

Json = dict[str, Any]

TEXTS = (
    TEXT,
    "",
    " ",
    "Hear'st thou, Mars? IT'S  12345 ١٢٣٤ e\u0301 \u212b ﬁ",
    "હું ગુજરાતી theatre the  THE\tthe\u00a0the",
    "<a><b> <a><b  x<b>y <b><c\n<a>",
    "\u3000 <a>\x85<b>e\u0301\x1c<a> \n <a><b\t漢 x",
    "é漢 \U0010fffd\ufffd\x00\x7f\u0080\u00ad ",
)
QWEN2 = CL100K.replace("{1,3}", "")
BEHAVIORS = ("Isolated", "Removed", "MergedWithPrevious", "MergedWithNext", "Contiguous")


def byte_level(**options: Any) -> Json:
    return {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, **options}


def split(regex: str, behavior: str = "Isolated", invert: bool = False) -> Json:
    pattern = {"Regex": regex}
    return {"type": "Split", "pattern": pattern, "behavior": behavior, "invert": invert}


def steps(*parts: Json) -> Json:
    return {"type": "Sequence", "pretokenizers": list(parts)}


def split_then_bytes(*arguments: Any) -> Json:
    return steps(split(*arguments), byte_level(use_regex=False))


def normalizers(*parts: Json) -> Json:
    return {"type": "Sequence", "normalizers": list(parts)}


def template(*texts: str, end: bool = False) -> Json:
    special = {"id": "<s>", "ids": [1, 7], "tokens": ["<s>", "</s>"]}
    sequences = [{"Sequence": {"id": text, "type_id": 0}} for text in texts]
    single = [{"SpecialToken": {"id": "<s>", "type_id": 0}}, *sequences]
    single += single[: int(end)]
    pair = [{"Sequence": {"id": text, "type_id": 0}} for text in "AB"]
    return {
        "type": "TemplateProcessing",
        "single": single,
        "pair": pair,
        "special_tokens": {"<s>": special},
    }


def added(number: int, name: str, **flags: bool) -> Json:
    plain = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "content": name, "special": True, **plain, **flags}


def model_of(formats: Formats, **options: Any) -> Json:
    return {"type": "BPE", "vocab": formats.vocab, "merges": formats.merges, **options}


def without(formats: Formats, *numbers: int) -> Json:
    names = {formats.spell(bytes([number])) for number in numbers}
    vocab = {text: i for text, i in formats.vocab.items() if text not in names}
    return {"model": model_of(formats, vocab=vocab), "added_tokens": []}


def check_ids(path: Path, **options: Any) -> Model:
    """Load a file, and compare its ids with those of Hugging Face, in every call.

    The model is also saved, and the saved file is loaded here and by Hugging Face.
    """
    model, judge = Model.load(path, **options), tokenizers.Tokenizer.from_file(str(path))
    save_model(model, again := path.with_name("again.json"))
    tokenizer, reader = tokenizer_of(python, model), tokenizers.Tokenizer.from_file(str(again))
    assert Model.describe(again) == Model.describe(path, **options) | {"format": "tokenizer.json"}
    for text in TEXTS:
        expected = judge.encode(text, add_special_tokens=False).ids
        ids = tokenizer.encode(text, allowed_special="all")
        assert ids.tolist() == expected, text
        assert model.add_special_tokens(ids).tolist() == judge.encode(text).ids
        assert reader.encode(text).ids == judge.encode(text).ids
        assert reader.decode(expected, skip_special_tokens=False) == tokenizer.decode(ids).decode()
        if not any(name in text for name in {*model.special_names} - model.ordinary_names):
            assert tokenizer.encode(text).tolist() == expected
            out = np.zeros(len(ids), np.uint32)
            assert tokenizer.encode_into(text.encode(), out) == tokenizer.count(text) == len(ids)
            assert out.tolist() == expected
    return model


# ---- what is the same in another form -------------------------------------------------------

PADDING = {"strategy": "BatchLongest", "direction": "Left", "pad_to_multiple_of": None}
PADDING |= {"pad_id": 0, "pad_type_id": 0, "pad_token": "a"}
EMPTY_PROCESSORS = {"type": "Sequence", "processors": []}
SAME: dict[str, Callable[[Formats], Json]] = {
    "empty normalizer": lambda f: {"normalizer": normalizers()},
    "nested empty normalizer": lambda f: {"normalizer": normalizers(normalizers(), normalizers())},
    "Sequence of one": lambda f: {"pre_tokenizer": steps(byte_level())},
    "nested Sequences": lambda f: {
        "pre_tokenizer": steps(steps(), steps(split(O200K)), steps(byte_level(use_regex=False)))
    },
    "Removed, inverted": lambda f: {"pre_tokenizer": split_then_bytes(O200K, "Removed", True)},
    "Isolated, inverted": lambda f: {"pre_tokenizer": split_then_bytes(QWEN2, "Isolated", True)},
    "gpt2 spelled out": lambda f: {"pre_tokenizer": split_then_bytes(GPT2)},
    "no impossible bytes": lambda f: without(f, *_NOT_IN_UTF8),
    "an impossible byte missing": lambda f: without(f, 0xF5),
    "unk_token": lambda f: {"model": model_of(f, unk_token="a", fuse_unk=True)},
    "empty affixes": lambda f: {
        "model": model_of(f, continuing_subword_prefix="", end_of_word_suffix="", dropout=0.0)
    },
    "BOS": lambda f: {
        "post_processor": {"type": "Sequence", "processors": [byte_level(), template("A")]}
    },
    "BOS and EOS": lambda f: {"post_processor": template("A", end=True)},
    "BERT's": lambda f: {
        "post_processor": {"type": "BertProcessing", "sep": ["x", 4], "cls": ["y", 5]}
    },
    "empty post_processor": lambda f: {"post_processor": EMPTY_PROCESSORS},
    "added token that merges make": lambda f: {
        "added_tokens": [added(f.vocab["the"], "the"), added(f.vocab["x"], "x")]
    },
    "that too, whole": lambda f: {
        "added_tokens": [added(f.vocab["the"], "the", special=False)],
        "model": model_of(f, ignore_merges=True),
    },
    "NFC": lambda f: {"normalizer": {"type": "NFC"}},
    "NFKC": lambda f: {"normalizer": normalizers({"type": "NFKC"})},
    "padding to the longest": lambda f: {"padding": PADDING},
    "normalized added tokens": lambda f: {
        "added_tokens": [added(f.eot, "<a>", normalized=True), added(f.eot + 1, "<a><b>")]
    },
}


@pytest.mark.parametrize("form", SAME)
def test_equivalent_forms(every_format: Formats, form: str) -> None:
    model = check_ids(every_format.tokenizer_json(version="1.0", **SAME[form](every_format)))
    check_ids(every_format.folder / "tokenizer.json", pattern=model.pattern)


def test_an_added_token_may_be_plain_text_too(every_format: Formats) -> None:
    the = every_format.vocab["the"]
    model = Model.load(every_format.tokenizer_json(added_tokens=[added(the, "the")]))
    ids = Tokenizer(model).encode("the theatre", disallowed_special=()).tolist()
    plain = Tokenizer(Model.load(every_format.tokenizer_json(added_tokens=[])))
    assert ids == plain.encode("the theatre").tolist()
    assert Tokenizer(model).decode(np.array([the], np.uint32)) == b"the"


@pytest.mark.part("Tokenizer", kernels=True)
def test_bytes_that_utf8_never_has(backend: Any, every_format: Formats) -> None:
    path = every_format.tokenizer_json(**without(every_format, *_NOT_IN_UTF8), version="1.0")
    judge = tokenizers.Tokenizer.from_file(str(path))
    tokenizer = backend.Tokenizer(Model.load(path))
    for text in TEXTS:
        assert tokenizer.encode(text, allowed_special="all").tolist() == judge.encode(text).ids
    assert tokenizer.encode("a\ud800").tolist() == judge.encode("a\ufffd").ids
    for byte in _NOT_IN_UTF8:
        with pytest.raises(ValueError, match="UTF-8"):
            tokenizer.encode(bytes([97, byte]))


ADDED = {"\n\n": False, "<think>": False, "<s>": True, "[a": False, "<a>": True}


@pytest.mark.part("Tokenizer", kernels=True)
@pytest.mark.parametrize("single_word", [False, True])
def test_added_tokens_that_are_not_special(
    backend: Any, every_format: Formats, single_word: bool
) -> None:
    """They are found in every text, by every call of every binding."""
    tokens = [
        added(every_format.eot + i, name, special=special, single_word=single_word)
        for i, (name, special) in enumerate(ADDED.items())
    ]
    path = every_format.tokenizer_json(added_tokens=tokens, version="1.0")
    judge, model = tokenizers.Tokenizer.from_file(str(path)), Model.load(path)
    assert Model.describe(path)["of these, found in every text"] == ["\n\n", "<think>", "[a"]
    tokenizer = tokenizer_of(backend, model) if single_word else backend.Tokenizer(model)
    tokenizer = pickle.loads(pickle.dumps(tokenizer))
    texts = ("", "the\n\n\n x", "<think>the <think>", "e\u0301[a[a", "\n\n")
    rows = [judge.encode(text).ids for text in texts]
    for options in ({}, {"disallowed_special": ()}, {"allowed_special": "all"}):
        ids, offsets = tokenizer.encode_batch(texts, 2, **options)
        assert [row.tolist() for row in np.split(ids, offsets[1:-1])] == rows
    assert tokenizer.count("<s>") == len(tokenizer.encode("<s>", disallowed_special=()))
    encoding = Encoding(tokenizer, "")
    assert encoding.special_tokens_set == {"<s>", "<a>"}
    for text, row in zip(texts, rows, strict=True):
        out = np.zeros(len(row), np.uint32)
        assert tokenizer.encode_into(text.encode(), out) == tokenizer.count(text) == len(row)
        assert out.tolist() == encoding.encode_ordinary(text) == row
    with pytest.raises(ValueError, match="'<s>'"):
        tokenizer.encode("<think><s>")
    for refuse in (tokenizer.encode, encoding.encode):
        with pytest.raises(ValueError, match="'<think>'"):
            refuse("a <think> <s>", disallowed_special={"<think>"})
    ids = tokenizer.encode("<think><s>.<a>", allowed_special="all")
    decoder = Decoder(tokenizer, skip_special_tokens=True)
    assert decode_batch(tokenizer, [ids, []], skip_special_tokens=True) == [b"<think>.", b""]
    assert "".join(map(decoder.push, ids.tolist())) == decoder.push(ids) == "<think>."


# ---- what is different -----------------------------------------------------------------------

IGNORABLE: dict[str, tuple[Json, str]] = {
    **{
        f"normalizer {part['type']}": ({"normalizer": part}, f"normalizer is .*{part['type']}")
        for part in (
            {"type": "NFD"},
            {"type": "Lowercase"},
            {"type": "Strip", "strip_left": True, "strip_right": False},
            {"type": "Prepend", "prepend": "x"},
            {"type": "Replace", "pattern": {"String": "a"}, "content": "b"},
            {"type": "ByteLevel"},
        )
    },
    "deep normalizer": ({"normalizer": normalizers(normalizers({"type": "NFKD"}))}, "NFKD"),
    **{
        f"Split {behavior}, {'inverted' if invert else 'not inverted'}": (
            {"pre_tokenizer": split_then_bytes(O200K, behavior, invert)},
            f"pre_tokenizer.*{behavior}",
        )
        for behavior in BEHAVIORS[1:]
        for invert in (False, True)
        if (behavior, invert) != ("Removed", True)
    },
    "add_prefix_space": ({"pre_tokenizer": byte_level(add_prefix_space=True)}, "prefix_space"),
    "no regex": ({"pre_tokenizer": byte_level(use_regex=False)}, "use_regex"),
    "split twice": ({"pre_tokenizer": steps(split(O200K), byte_level())}, "pre_tokenizer"),
    "two Splits": (
        {"pre_tokenizer": steps(split(r"\p{N}"), split(O200K), byte_level(use_regex=False))},
        "pre_tokenizer",
    ),
    "Digits": (
        {"pre_tokenizer": steps({"type": "Digits", "individual_digits": False}, byte_level())},
        "Digits",
    ),
    "other flags": ({"pre_tokenizer": split_then_bytes(f"(?i){O200K}")}, "pre_tokenizer"),
    "String": (
        {
            "pre_tokenizer": steps(
                {**split(""), "pattern": {"String": GPT2}}, byte_level(use_regex=False)
            )
        },
        "String",
    ),
    "empty pre_tokenizer": ({"pre_tokenizer": steps()}, "pre_tokenizer, which is empty"),
    "no pre_tokenizer": ({"pre_tokenizer": None}, "pre_tokenizer, which is empty"),
    "text twice": ({"post_processor": template("A", "A")}, "post_processor"),
    "no text": ({"post_processor": template()}, "post_processor"),
    "padding to a multiple": (
        {"padding": {"strategy": "BatchLongest", "pad_to_multiple_of": 8}},
        "padding",
    ),
    "truncation": ({"truncation": {"max_length": 3}}, "truncation"),
    "padding": ({"padding": {"strategy": {"Fixed": 8}}}, "padding"),
}


@pytest.mark.parametrize("part", IGNORABLE)
def test_other_parts_are_refused_whatever_the_pattern(every_format: Formats, part: str) -> None:
    changes, words = IGNORABLE[part]
    path = every_format.tokenizer_json(**changes)
    for pattern in (None, *NAMES):
        with pytest.raises(ValueError, match=words):
            Model.load(path, pattern=pattern)
    assert Model.load(path, pattern="gpt2", override=True).pattern == "gpt2"
    with pytest.raises(ValueError, match=words):  # the overridden model is cached
        Model.load(path, pattern="gpt2")


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["lstrip"], "'<a>' has lstrip"),
        (["rstrip"], "'<a>' has rstrip"),
        (["normalized"], "'<a>' is normalized, '<' is not"),
    ],
)
def test_flags_of_added_tokens(every_format: Formats, flags: list[str], words: str) -> None:
    """White space that a token takes may not be a token itself."""
    flagged = added(every_format.eot, "<a>", **dict.fromkeys(flags, True))
    tokens = [flagged, added(every_format.vocab["<"], "<"), added(every_format.eot + 1, " \t")]
    path = every_format.tokenizer_json(added_tokens=tokens)
    for pattern in (None, "gpt2"):
        with pytest.raises(ValueError, match=words):
            Model.load(path, pattern=pattern)
    assert Model.load(path, override=True).special_names == (" \t", "<", "<a>")


@pytest.mark.parametrize(
    ("late", "early", "refused"),
    [
        ("<a><b", "<b>", True),
        ("<a><b", "<a>", True),
        ("x<b>y", "<b>", True),
        ("<b>", "x<b>y", False),
        ("<b><c", "<a><b>", False),
        ("<a>", "<b>", False),
    ],
)
def test_normalized_tokens_that_overlap(
    every_format: Formats, late: str, early: str, refused: bool
) -> None:
    """Hugging Face searches for the tokens that are not normalized first."""
    tokens = [added(every_format.eot, late, normalized=True), added(every_format.eot + 1, early)]
    path = every_format.tokenizer_json(added_tokens=tokens, version="1.0")
    if refused:
        with pytest.raises(ValueError, match="they can overlap"):
            Model.load(path)
    else:
        check_ids(path)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dropout": 0.1}, "dropout=0.1"),
        ({"byte_fallback": True}, "byte_fallback=True"),
        ({"continuing_subword_prefix": "##"}, "continuing_subword_prefix='##'"),
        ({"end_of_word_suffix": "</w>"}, "end_of_word_suffix='</w>'"),
    ],
)
def test_options_of_the_model_are_refused(every_format: Formats, options: Json, words: str) -> None:
    path = every_format.tokenizer_json(model=model_of(every_format, **options))
    for override in (False, True):
        with pytest.raises(ValueError, match=words):
            Model.load(path, pattern="gpt2", override=override)


def test_a_byte_that_text_has_needs_a_token(every_format: Formats) -> None:
    path = every_format.tokenizer_json(**without(every_format, 0xF4, 0xC0))
    with pytest.raises(ValueError, match="no token for the byte 0xf4"):
        Model.load(path)


def test_an_added_token_of_other_bytes(every_format: Formats) -> None:
    """The ordinary token "Ġthe" is b" the", and the added token "Ġthe" is its name."""
    tokens = [added(every_format.vocab["Ġthe"], "Ġthe")]
    with pytest.raises(ValueError, match="also the ordinary token b' the'"):
        Model.load(every_format.tokenizer_json(added_tokens=tokens))


def test_every_reason_and_the_pattern_are_named(every_format: Formats) -> None:
    path = every_format.tokenizer_json(
        normalizer={"type": "NFD"},
        pre_tokenizer=split_then_bytes(QWEN2),
        truncation={"max_length": 3},
    )
    with pytest.raises(ValueError, match="tokenizer") as caught:
        Model.load(path, pattern="o200k")
    for words in (
        "NFD",
        "truncation",
        "not that of the pattern o200k",
        "pattern qwen2",
    ):
        assert words in str(caught.value)
    assert Model.load(path, override=True).pattern == "qwen2"


def test_special_tokens_that_contradict_the_file(every_format: Formats) -> None:
    path = every_format.tokenizer_json()
    with pytest.raises(ValueError, match=rf"the id 9000, the file {every_format.eot}"):
        Model.load(path, special_tokens={EOT: 9000})
    assert Model.load(path, special_tokens={EOT: every_format.eot, "<a>": 9000}).n_vocab == 9001


@pytest.mark.parametrize("override", [1, "no", None])
def test_override_is_a_bool(every_format: Formats, override: Any) -> None:
    with pytest.raises(TypeError, match="override must be True or False"):
        Model.load(every_format.tokenizer_json(), override=override)


def test_any_combination_gives_the_same_ids_or_is_refused(every_format: Formats) -> None:
    f, rng, loaded = every_format, random.Random(5), 0
    names = ["<a>", "<b>", "<a><b", "<b><c", "x<b>y", "the", "Ġthe", "x", "é", "漢", " a", "\n\n"]
    for _ in range(90):
        changes: Json = {"version": "1.0"}
        for part in rng.sample(list(SAME), 3):
            changes |= SAME[part](f)
        if rng.random() < 0.3:
            changes |= IGNORABLE[rng.choice(list(IGNORABLE))][0]
        vocab, number, tokens = changes.get("model", model_of(f))["vocab"], 0, []
        for name in rng.sample(names, rng.randrange(5)):
            flags = {"normalized": rng.random() < 0.3, "special": rng.random() < 0.7}
            some = ("lstrip", "rstrip", "single_word")
            flags |= {flag: rng.random() < 0.3 for flag in some}
            tokens.append(added(vocab.get(name, len(vocab) + number), name, **flags))
            number += name not in vocab
        path = f.tokenizer_json(**changes | {"added_tokens": tokens})
        try:
            Model.load(path)
        except ValueError:
            continue
        check_ids(path)
        loaded += 1
    assert loaded > 20


# ---- refusals come at once -------------------------------------------------------------------


SENTENCEPIECE = b"\n\x0e\n\x05<unk>\x15\0\0\0\0\x18\x02\n\x0c\n\x03<s>\x15\0\0\0\0\x18\x03"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "an empty file"),
        (b" \n\n", "an empty file"),
        (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n", "Git LFS pointer"),
        (b"<!DOCTYPE html><html>404</html>", "HTML or XML"),
        (b"\n  <HTML lang=en>", "HTML or XML"),
        (b"<?xml version='1.0'?><Error/>", "HTML or XML"),
        (SENTENCEPIECE, "a SentencePiece model"),
        (b"#version: 0.2\nt h\n", "merges .* without their ids"),
        (lzma.compress(b"{}"), "a compressed file"),
        (b"\x1f\x8b\x08\0", "a compressed file"),
        (b"\x80\x02\0\0", "a binary file"),
        (b'["a", "b"]', "a JSON array"),
        (b'{"a": 0, "b": 1}', "ids of tokens .* without their merges"),
        (b'{"tokenizer_class": "X", "add_bos_token": true}', "keys 'tokenizer_class', 'add_bos"),
        (b"{}", "a JSON object with the keys"),
        (b'{"model": {"type": "Unigram", "vocab": [["a", 0.5]]}}', "the model is Unigram, not BPE"),
        (b'{"model": {"type": "WordLevel", "vocab": {}}}', "the model is WordLevel, not BPE"),
        (b'{"model": {"type": "BPE", "vocab"', "not valid JSON, or cut off"),
        (b'{"model": {}}', "vocab must be a dict"),
        (b"[PAD]\n[unused0]\n", "array|line 1"),
    ],
)
def test_other_files_are_named(tmp_path: Path, capfd: Any, content: bytes, words: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_bytes(content)
    for pattern in (None, "o200k"):
        with pytest.raises(ValueError, match=rf"tokenizer\.json: .*{words}"):
            Model.load(path, pattern=pattern)
    assert main(["describe", str(path)]) == 1
    assert capfd.readouterr().out.startswith("refused: ")
