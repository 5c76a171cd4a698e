"""SentencePiece's BPE in a tokenizer.json: the ids and the texts of Hugging Face, or a refusal."""

from __future__ import annotations

import json
import pickle
import random
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from tokenizers import AddedToken, Tokenizer, trainers

from ffi_cookbook.bindings import python
from ffi_cookbook.bindings._glue.surrogates import replace_surrogates
from ffi_cookbook.tokenizer import BatchEncoder, Decoder, Model, decode_batch, tokenizer_of
from support.budgets import check_budget

Json = dict[str, Any]
TEXT = "the theatre, 12  ▁▁ <0x0A>\n naïve 日本語 🙂 ﬁ x² > </a> \u3000e\u0301 привет मह" * 2
ALPHABET = "the  \n▁>é日中🙂\u0301ﬁ²x<0A\u00a0हि\ud800"
NAMES = ["<unk>", "<s>", "▁<x>", "a b", "the", "<a>", "<a><b>"]
REPLACE = {"type": "Replace", "pattern": {"String": " "}, "content": "▁"}
PREPEND = {"type": "Prepend", "prepend": "▁"}
NFKC = {"type": "NFKC"}
GEMMA = {"type": "Split", "pattern": {"String": " "}, "behavior": "MergedWithPrevious"}
SHOWN = [{**REPLACE, "pattern": {"String": "▁"}, "content": " "}]
SHOWN += [{"type": "ByteFallback"}, {"type": "Fuse"}]
STRIP = {"type": "Strip", "content": " ", "start": 1, "stop": 0}


def metaspace(scheme: str, split: bool) -> Json:
    return {"type": "Metaspace", "replacement": "▁", "prepend_scheme": scheme, "split": split}


def sequence(key: str, *steps: Json) -> Json:
    return {"type": "Sequence", key: list(steps)}


META = metaspace("always", split=True)
FORMS: dict[str, tuple[Json | None, Json | None, list[Json], bool]] = {
    "Llama 2": (sequence("normalizers", PREPEND, REPLACE), None, [*SHOWN, STRIP], True),
    "Gemma": (REPLACE, GEMMA | {"invert": False}, SHOWN, True),
    "Mistral 0.3": (None, metaspace("first", split=False), [*SHOWN, STRIP], True),
    "legacy": (NFKC, META, [META], False),
    "fused": (sequence("normalizers", NFKC, REPLACE), None, SHOWN, False),
    "never": (None, metaspace("never", split=True), [metaspace("never", split=True)], True),
}


PATTERNS = {"Llama 2": "words", "Gemma": "words", "legacy": "metaspace", "never": "metaspace"}


def write(path: Path, form: str) -> Tokenizer:
    """Write a file of this form, which may have tokens for bytes."""
    normalizer, pre, decoders, with_bytes = FORMS[form]
    model = {"type": "BPE", "vocab": {}, "merges": [], "unk_token": "<unk>", "byte_fallback": True}
    file = {"version": "1.0", "normalizer": normalizer, "pre_tokenizer": pre, "added_tokens": []}
    file |= {"model": model | {"fuse_unk": form == "fused"}}
    file["decoder"] = decoders[0] if len(decoders) == 1 else sequence("decoders", *decoders)
    in_words = {"pre_tokenizer": META} if form in ("Llama 2", "Gemma") else {}
    judge = Tokenizer.from_str(json.dumps(file | in_words))
    trainer = trainers.BpeTrainer(
        vocab_size=120, special_tokens=["<unk>", "<s>"], show_progress=False, limit_alphabet=30
    )
    judge.train_from_iterator([TEXT, "b> </a> <", "the theatre " * 9], trainer)
    file = json.loads(judge.to_str()) | {"pre_tokenizer": pre}
    tokens = sorted(file["model"]["vocab"], key=file["model"]["vocab"].__getitem__)
    if form == "Gemma":  # the only space of Gemma 3 that merges with a character before it
        tokens.append(">▁")
        file["model"]["merges"].insert(9, [">", "▁"])
    tokens[2:2] = [f"<0x{byte:02X}>" for byte in range(256 * with_bytes)]
    file["model"]["vocab"] = {token: number for number, token in enumerate(tokens)}
    judge = Tokenizer.from_str(json.dumps(file))
    names = NAMES[:2] + NAMES[5:] if form == "Llama 2" else NAMES  # so that a text can be cut
    judge.add_tokens([AddedToken(name, normalized=name == "<a>") for name in names])
    judge.add_special_tokens([AddedToken("<s>", normalized=False)])
    judge.save(str(path))
    return judge


def texts(number: int) -> list[str]:
    rng = random.Random(number)
    parts = [*ALPHABET, *NAMES, "the theatre", "  ", "<0x0A>"]
    made = ["".join(rng.choices(parts, k=rng.randrange(12))) for _ in range(number)]
    return [TEXT, "", " ", "▁", "日" * 300, "a > </a", *made]


@pytest.mark.part("Tokenizer", kernels=True)
@pytest.mark.parametrize("form", FORMS)
def test_ids_and_texts(backend: ModuleType, tmp_path: Path, form: str) -> None:
    judge = write(tmp_path / "tokenizer.json", form)
    model = Model.load(tmp_path / "tokenizer.json")
    tokenizer, some = tokenizer_of(backend, model), texts(300)
    assert model.pattern == PATTERNS.get(form, "whole")
    rows = [judge.encode(replace_surrogates(text)).ids for text in some]
    for text, ids in zip(some, rows, strict=True):
        assert tokenizer.encode(text, allowed_special="all").tolist() == ids, text
        data = tokenizer.decode(np.array(ids[::-1], np.uint32))
        assert data.decode() == judge.decode(ids[::-1], skip_special_tokens=False)
    plain = ["ش", "ش", "at 日", *(text for text in some if text.isascii())]
    plain = [text for text in plain if not any(name in text for name in NAMES)]
    for batch in (some, plain):  # special tokens, or a "▁", are not for a kernel alone
        ids, offsets = tokenizer.encode_batch(batch, 2, allowed_special="all")
        rows = [judge.encode(replace_surrogates(text)).ids for text in batch]
        assert [ids[a:b].tolist() for a, b in pairwise(offsets)] == rows
    check_budget(tokenizer, ["<s>", "<a>", "▁", "the"])
    for text, row in zip(plain, rows, strict=True):
        out = np.zeros(len(row), np.uint32)
        assert tokenizer.encode_into(text.encode(), out) == tokenizer.count(text) == len(row)
        assert out.tolist() == tokenizer.encode(text).tolist() == row


def test_what_decode_leaves_out(tmp_path: Path) -> None:
    write(tmp_path / "tokenizer.json", "Mistral 0.3")
    tokenizer = tokenizer_of(python, Model.load(tmp_path / "tokenizer.json"))
    tokenizer = pickle.loads(pickle.dumps(tokenizer))
    rows = [tokenizer.encode(text) for text in ("at 中", "", "ش at")]
    decoder = Decoder(tokenizer)
    for text, ids in zip(("at 中", "", "ش at"), rows, strict=True):
        assert "".join(map(decoder.push, ids)) + decoder.finish() == text
    assert decode_batch(tokenizer, rows) == ["at 中".encode(), b"", "ش at".encode()]
    half = np.append(rows[0], rows[2][1:2])
    assert tokenizer.decode(half).decode() == "at \ufffd\ufffd\ufffd\ufffd"  # a run of bytes
    with pytest.raises(ValueError, match="offsets"):
        BatchEncoder(tokenizer)("the", return_offsets_mapping=True)
    with pytest.raises(ValueError, match="not in the vocabulary"):
        tokenizer.decode(np.array([9999], np.uint32))
    with pytest.raises(ValueError, match=r"UTF-8.* 4"):
        tokenizer.encode_batch([b"at", b"at  \xff"])
    with pytest.raises(ValueError, match="'<s>'"):
        tokenizer.encode("at <s>")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"decoder": None}, "the decoder is empty"),
        ({"decoder": sequence("decoders", *SHOWN[::-1])}, "the decoder is"),
        ({"normalizer": sequence("normalizers", PREPEND, NFKC)}, "the normalizer is"),
        ({"pre_tokenizer": {"type": "Whitespace"}}, "the pre_tokenizer, which is .*Whitespace"),
        ({"model": {"ignore_merges": True}}, "ignore_merges"),
        ({"model": {"merges": [["▁", "<0x0A>"]]}}, "merge 0 names|of a byte"),
        ({"model": {"vocab": {"▁": 0, "<unk>": 1, "<s>": 2, "<0x00>": 3}}}, "the byte 0x01"),
        ({"model": {"vocab": {"a b": 0}}}, "the vocabulary has no tokens"),
        ({"model": {"vocab": {"ab": True}}}, "the id True of 'ab'"),
        ({"model": {"byte_fallback": False, "unk_token": None}}, "the unk_token is None"),
    ],
)
def test_refusals(tmp_path: Path, changes: Json, words: str) -> None:
    write(tmp_path / "tokenizer.json", "Llama 2")
    file = json.loads((tmp_path / "tokenizer.json").read_text())
    file["model"] |= changes.pop("model", {})
    if len(file["model"]["vocab"]) <= 4:
        file |= {"added_tokens": []}
        file["model"]["merges"] = []
    (tmp_path / "tokenizer.json").write_text(json.dumps(file | changes))
    with pytest.raises(ValueError, match=words):
        Model.load(tmp_path / "tokenizer.json")
