"""Files of today's model families: their splits, NFC and tekken.json, as their own readers have it.

The patterns themselves are compared with Hugging Face's pre_tokenizers, Kimi's with tiktoken.
"""

from __future__ import annotations

import base64
import json
import pickle
import random
import unicodedata
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any, Literal

import numpy as np
import pytest
import tiktoken
from tokenizers import Tokenizer, normalizers

from ffi_cookbook.bindings import python
from ffi_cookbook.bindings._glue.bpe.layout import HEADER
from ffi_cookbook.bindings._glue.bpe.patterns import (
    _DEEPSEEK_SPLITS,
    CODER_SPLITS,
    DEEPSEEK2_SPLITS,
    NAMES,
)
from ffi_cookbook.bindings._glue.surrogates import replace_surrogates
from ffi_cookbook.tokenizer import BatchEncoder, Model, Normalized, tokenizer_of, train
from ffi_cookbook.tokenizer.normalized import _LATER, normal_form
from support.budgets import check_budget
from support.hard_texts import ALPHABETS, nasty
from support.rank_files import EOT, TEXT, Formats

BYTES = {bytes([byte]): byte for byte in range(256)}
MORE = "一龥々〇あアーん゛゜・゠\u3040\u3097\u3099ヿ⺀〡〸\U00016ff0\U00016fe2\U00020000\u093fकष्"
MORE += "ᲐℂếАéＡ２१‘。、！(،\u3000\u2003\u1680"
TEXTS = ["  12", "  漢", " \n 1", "\t\t\u3099", "x\u200b\u0301", "\u200b\u200ba"]
TEXTS += ["#a1", "・\u3040あ"]
COMPOSED = ["e\u0301 \u212b \u1100\u1161", f"a\u0301{EOT}\u0338e\u0301{EOT}", "<e\u037e\u212a"]
COMPOSED += ["a\u0897\u0301 \U000105d2\u0307", "a\u0315\u0327", "\ud834\udd5e \ud800e\u0301"]
QWEN35, TEKKEN = (NAMES[name].regex.replace("{1,1}", "") for name in ("qwen35", "tekken"))
DIGIT = r"\p{N}"
REGEXES = {"qwen35": (QWEN35,), "deepseek": _DEEPSEEK_SPLITS, "tekken": (TEKKEN,)}
REGEXES |= {"starcoder": (DIGIT,), "bloom": (" ?[^(\\s|[.,!?…。，、।۔،])]+",)}
REGEXES |= {"deepseek2": DEEPSEEK2_SPLITS, "deepseek_coder": CODER_SPLITS}


def part(name: str) -> dict[str, Any]:
    """Return the pre_tokenizer of a tokenizer.json."""
    split = {"type": "Split", "behavior": "Isolated", "invert": False}
    digits = {"type": "Digits", "individual_digits": True}
    steps = [
        digits if regex == DIGIT else split | {"pattern": {"Regex": regex}}
        for regex in REGEXES[name]
    ]
    last = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True}
    last["use_regex"] = name == "starcoder"
    return {"type": "Sequence", "pretokenizers": [*steps, last]}


def hard_texts(number: int) -> list[str]:
    rng = random.Random(number)
    texts = [nasty(rng) for _ in range(number)]
    mixed = ["".join(rng.choices(MORE + "".join(ALPHABETS), k=9)) for _ in texts]
    return [TEXT, *TEXTS, *texts, *mixed, "".join(mixed)]


@cache
def pretokens(name: str) -> list[tuple[str, list[int]]]:
    """Return texts, and the ends of their pretokens in bytes."""
    model = {"type": "BPE", "vocab": {}, "merges": []}
    file = {"added_tokens": [], "pre_tokenizer": part(name), "model": model, "version": "1.0"}
    judge, found = Tokenizer.from_str(json.dumps(file)).pre_tokenizer, []
    for text in hard_texts(600):
        ends = {end for _, (_, end) in judge.pre_tokenize_str(text)}
        found.append((text, [len(text[:end].encode()) for end in sorted(ends)]))
    return found


@pytest.mark.part("Tokenizer", kernels=True)
@pytest.mark.parametrize("name", REGEXES)
def test_splits(backend: ModuleType, name: str) -> None:
    tokenizer = tokenizer_of(backend, Model.from_ranks(BYTES, pattern=name))
    for text, ends in pretokens(name):
        assert tokenizer.split(text).tolist() == ends, text


@pytest.mark.part("Tokenizer", kernels=True)
def test_kimi(backend: ModuleType) -> None:
    """The judge shows no pretokens, but any two characters are a token if they are in one."""
    texts, ranks = hard_texts(600), dict(BYTES)
    for text in texts:
        for pair in pairwise(text):
            for token in (pair[0].encode(), "".join(pair).encode()):
                for end in range(2, len(token) + 1):
                    ranks.setdefault(token[:end], len(ranks))
    regex = NAMES["kimi"].regex
    judge = tiktoken.Encoding("it", pat_str=regex, mergeable_ranks=ranks, special_tokens={})
    tokenizer = backend.Tokenizer(Model.from_ranks(ranks, pattern="kimi"))
    for text in texts:
        assert tokenizer.encode(text, disallowed_special=()).tolist() == judge.encode(text), text


@pytest.mark.part("Tokenizer", kernels=True, native=True)
def test_an_automaton_that_leaves_its_states_is_refused(backend: ModuleType) -> None:
    good = Model.from_ranks(BYTES, pattern="deepseek")
    n_states, automaton = HEADER.unpack_from(good.blob.data)[26:28]
    for at, value in ((automaton + 64, 2 * n_states), (172, 0), (172, n_states - 1), (176, 8)):
        blob = good.blob.copy()
        blob[at : at + 2].view("<u2")[0] = value
        with pytest.raises(ValueError, match="not a tokenizer model"):
            backend.Tokenizer(SimpleNamespace(blob=blob, special_names=(), default_policy=b""))


@pytest.mark.parametrize("name", ["qwen35", "deepseek", "starcoder", "bloom", "deepseek2"])
def test_files_with_nfc(every_format: Formats, name: str) -> None:
    path = every_format.tokenizer_json(
        pre_tokenizer=part(name), normalizer={"type": "NFC"}, version="1.0"
    )
    model, judge = Model.load(path), Tokenizer.from_file(str(path))
    assert (model.pattern, model.normalizer) == (name, "NFC")
    tokenizer = pickle.loads(pickle.dumps(tokenizer_of(python, model)))
    assert isinstance(tokenizer, Normalized)
    texts = COMPOSED + hard_texts(100)
    rows = [judge.encode(replace_surrogates(text)).ids for text in texts]
    for text, ids in zip(texts, rows, strict=True):
        assert tokenizer.encode(text, allowed_special="all").tolist() == ids, text
        if EOT not in text:
            data = replace_surrogates(text).encode()
            out = np.zeros(2 * len(data) + 1, np.uint32)
            assert tokenizer.count(text) == tokenizer.encode_into(data, out) == len(ids)
            assert out[: len(ids)].tolist() == ids
    ids, offsets = tokenizer.encode_batch(texts, allowed_special="all")
    assert np.array_equal(offsets, np.cumsum([0, *map(len, rows)]))
    assert ids.tolist() == np.concatenate(rows).tolist()


@pytest.mark.part("Tokenizer")
def test_what_a_normalizer_rules_out(backend: ModuleType, every_format: Formats) -> None:
    model = Model.load(every_format.tokenizer_json(normalizer={"type": "NFC"}))
    with pytest.raises(ValueError, match="no kernel does NFC"):
        backend.Tokenizer(model)
    tokenizer = tokenizer_of(backend, model)
    assert tokenizer.split("\xe9 a").tolist() == [2, 4]
    with pytest.raises(ValueError, match="not in NFC"):
        tokenizer.split("e\u0301 a")
    with pytest.raises(ValueError, match="NFC or lstrip changes a text"):
        BatchEncoder(tokenizer)(["a", "e\u0301"], return_offsets_mapping=True)
    with pytest.raises(ValueError, match="holds the special token"):
        tokenizer.encode(f"e\u0301{EOT}")
    with pytest.raises(ValueError, match="UTF-8"):
        tokenizer.count(b"e\xcc\x81\xff")
    flagged = {"id": every_format.eot, "content": "e\u0301", "special": True, "normalized": True}
    with pytest.raises(ValueError, match=r"normalizer is .*NFC"):
        Model.load(every_format.tokenizer_json(normalizer={"type": "NFC"}, added_tokens=[flagged]))


@pytest.mark.part("Tokenizer", kernels=True)
def test_white_space_that_no_kernel_splits(backend: ModuleType, every_format: Formats) -> None:
    """Every kernel gives the ids of DeepSeek V2 where its white space is mixed."""
    path = every_format.tokenizer_json(pre_tokenizer=part("deepseek2"), version="1.0")
    model, judge = Model.load(path), Tokenizer.from_file(str(path))
    with pytest.raises(ValueError, match="no kernel does mixed white space"):
        backend.Tokenizer(model)
    tokenizer = tokenizer_of(backend, model)
    rng = random.Random(3)
    for _ in range(300):
        text = "".join(rng.choices("\u2003\u2028\u3000 \t\naé漢١ا!。", k=8))
        assert tokenizer.encode(text).tolist() == judge.encode(text).ids, ascii(text)
    long = "ا" + "\u2003 " * 100_000  # quadratic work would take minutes
    assert tokenizer.split(f"{long}漢").tolist()[:3] == [2, 5, 6]
    assert len(tokenizer.split(long)) == 200_001


@pytest.mark.parametrize("pattern", NAMES)
def test_budgets(sample: dict[bytes, int], pattern: str) -> None:
    """A text can be cut at the same places in every pattern."""
    names = {"<a b>": 9000, "\n\nx": 9001, "中。": 9002, "the": 9003}
    ranks = sample | {b"\n\n": 8000, b" \n": 8001, b"'t": 8002}
    model = Model.from_ranks(ranks, pattern=pattern, special_tokens=names)
    check_budget(tokenizer_of(python, model), [*names, "'s", "12", "x\n"])


@pytest.mark.parametrize("form", ["NFC", "NFKC"])
def test_the_form_of_every_character(form: Literal["NFC", "NFKC"]) -> None:
    judge = getattr(normalizers, form)()
    for c in map(chr, range(0x110000)):
        parts = unicodedata.decomposition(c)
        if _LATER.match(c) or unicodedata.combining(c) or (parts and form[:-1] + parts[0] != "NF<"):
            whole = unicodedata.normalize("NFD", c)
            for text in (c, whole, f"{c}\u0301 a\u0301{c}\u0316{c}\u0301", f"a\u0315{whole}\u0301"):
                assert normal_form(form, text) == judge.normalize_str(text), ascii(text)


def test_tekken(tmp_path: Path) -> None:
    path, ranks = tmp_path / "tekken.json", train(hard_texts(300), 1000, "o200k")
    config = {"pattern": TEKKEN, "default_vocab_size": 910, "default_num_special_tokens": 10}
    tokens = [base64.b64encode(token).decode() for token in ranks]
    vocab = [{"rank": rank, "token_bytes": token} for rank, token in enumerate(tokens)]
    file = {"config": config, "vocab": vocab, "special_tokens": [{"rank": 2, "token_str": "</s>"}]}
    path.write_text(json.dumps(file))
    known = dict(list(ranks.items())[:900])
    judge = tiktoken.Encoding("it", pat_str=TEKKEN, mergeable_ranks=known, special_tokens={})
    tokenizer = python.Tokenizer(Model.load(path))
    for text in hard_texts(100):
        assert tokenizer.encode(text).tolist() == [number + 10 for number in judge.encode(text)]
    assert tokenizer.encode("</s>", allowed_special="all").tolist() == [2]
    with pytest.raises(ValueError, match="not that of the pattern gpt2"):
        Model.load(path, pattern="gpt2")
    for changes, words in (
        ({"config": config | {"pattern": "x"}}, "no pattern is the regex 'x'"),
        ({"vocab": vocab[:800]}, "900 tokens, but the file has 800"),
        ({"vocab": vocab[::-1]}, "token 0 has the rank 999"),
        ({"vocab": [vocab[0], vocab[0] | {"rank": 1}, *vocab[2:]]}, "two tokens are equal"),
        ({"config": {}}, "not a tekken.json"),
    ):
        path.write_text(json.dumps(file | changes))
        with pytest.raises(ValueError, match=words):
            Model.load(path)
