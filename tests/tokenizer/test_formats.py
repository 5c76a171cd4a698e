"""Formats of models: each gives the same blob or ids, or the file is refused."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tokenizers

from ffi_cookbook.bindings._glue.bpe.patterns import CL100K, O200K
from ffi_cookbook.bindings.python.tokenizer import Tokenizer
from ffi_cookbook.tokenizer import Model, sample_texts
from support.rank_files import DATA, EOT, TEXT, Formats


@pytest.mark.parametrize("files", ["made", "real"] if DATA else ["made"])
def test_the_pair_gives_the_blob_of_the_ranks(every_format: Formats, files: str) -> None:
    path, pair, eot = every_format.tiktoken(), every_format.pair(), every_format.eot
    if files == "real":
        path, eot = Path(DATA or "", "gpt2.tiktoken"), 50256
        pair = [path.with_name("encoder.json"), path.with_name("vocab.bpe")]
    ranks = Model.load(path, pattern="gpt2", special_tokens={EOT: eot})
    for order in (pair, pair[::-1]):
        assert Model.load(order, pattern="gpt2").blob.tobytes() == ranks.blob.tobytes()
    with pytest.raises(ValueError, match="a pair of merges and ids does not say its pattern"):
        Model.load(pair)


def test_tokenizer_json_gives_the_ids_of_the_ranks(every_format: Formats) -> None:
    specials = {EOT: every_format.eot}
    ranks = Tokenizer(Model.from_ranks(every_format.ranks, pattern="gpt2", special_tokens=specials))
    expected = ranks.encode(TEXT, allowed_special="all").tolist()
    new = Model.load(every_format.tokenizer_json())
    old_merges = [" ".join(merge) for merge in every_format.merges]
    model = {"vocab": every_format.vocab | {EOT: every_format.eot}, "merges": old_merges}
    old = Model.load(every_format.tokenizer_json(model=model))
    for loaded in (new, old):
        assert loaded.special_names == (EOT,)
        assert loaded.pattern == "gpt2"
        assert Tokenizer(loaded).encode(TEXT, allowed_special="all").tolist() == expected
    assert new.blob.tobytes() == old.blob.tobytes()


@pytest.mark.part("Tokenizer", kernels=True)
def test_ids_that_are_not_ranks(backend: ModuleType, every_format: Formats) -> None:
    """A tokenizer.json may number its tokens in any way."""
    new = random.Random(1).sample(range(2 * len(every_format.vocab)), len(every_format.vocab))
    vocab = {token: new[rank] for token, rank in every_format.vocab.items()}
    model = {"vocab": vocab, "merges": every_format.merges, "ignore_merges": False}
    path = every_format.tokenizer_json(model=model, added_tokens=[])
    tokenizer = backend.Tokenizer(Model.load(path))
    ranks = Tokenizer(Model.from_ranks(every_format.ranks, pattern="gpt2"))
    unbroken = "".join(sample_texts(4000)).replace(" ", "").replace("\n", "")
    for text in (TEXT, "".join(sample_texts(4000)), unbroken):
        assert tokenizer.encode(text).tolist() == [new[rank] for rank in ranks.encode(text)]


@pytest.mark.parametrize("ignore_merges", [False, True])
def test_a_token_that_no_merge_makes(every_format: Formats, ignore_merges: bool) -> None:
    """Encoding finds such a token whole only with ignore_merges; decoding always knows it."""
    vocab = every_format.vocab | {"qqzzqq": every_format.eot + 1, EOT: every_format.eot}
    model = {"vocab": vocab, "merges": every_format.merges, "ignore_merges": ignore_merges}
    tokenizer = Tokenizer(Model.load(every_format.tokenizer_json(model=model)))
    ids = tokenizer.encode("qqzzqq")
    assert (len(ids) == 1) is ignore_merges
    assert tokenizer.decode(np.array([every_format.eot + 1], np.uint32)) == b"qqzzqq"


def split_then_bytes(regex: str) -> dict[str, Any]:
    split = {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "use_regex": False}
    return {"type": "Sequence", "pretokenizers": [split, byte_level]}


@pytest.mark.parametrize(
    ("regex", "name"),
    [(CL100K, "cl100k"), (CL100K.replace("{1,3}", ""), "qwen2"), (O200K, "o200k")],
)
def test_tokenizer_json_says_its_pattern(every_format: Formats, regex: str, name: str) -> None:
    path = every_format.tokenizer_json(pre_tokenizer=split_then_bytes(regex))
    assert Model.load(path).pattern == name
    assert Model.load(path, pattern=name).pattern == name
    assert Model.load(path, pattern="gpt2", override=True).pattern == "gpt2"


@pytest.mark.parametrize(
    ("changes", "named"),
    [
        ({"normalizer": {"type": "NFC"}}, "NFC"),
        ({"pre_tokenizer": split_then_bytes(r"\w+|\W+")}, r"\w+|\W+"),
        ({"pre_tokenizer": {"type": "Metaspace"}}, "Metaspace"),
        ({"pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": True}}, "add_prefix_space"),
        ({"pre_tokenizer": None}, "pre_tokenizer"),
        ({"model": {"type": "WordPiece"}}, "WordPiece"),
        ({"model": {"byte_fallback": True}}, "byte_fallback"),
        ({"model": {"vocab": {}, "merges": []}}, "0x00"),
        ({"model": []}, "not a tokenizer.json"),
        ({"model": None}, "not a tokenizer.json"),
        ({"model": {"vocab": {}, "merges": {}}}, "merges must be a list, not dict"),
        ({"model": {"merges": [["t", "h", "e"]]}}, "merge 0 is ['t', 'h', 'e']"),
        ({"model": {"merges": ["t h e"]}}, "merge 0 is 't h e', not two tokens"),
        ({"model": {"merges": [5]}}, "merge 0 is 5"),
        ({"model": {"ignore_merges": "yes"}}, "ignore_merges='yes'"),
        ({"version": "2.0"}, "'2.0'"),
        ({"truncation": {"max_length": 1}}, "truncation"),
        ({"padding": {"pad_id": 0}}, "padding"),
        ({"added_tokens": [{"id": 9999, "content": "<m>", "lstrip": True}]}, "lstrip"),
        ({"added_tokens": [{"id": 9999, "content": None}]}, "is None, not text"),
        ({"added_tokens": [{"id": 9999, "content": "<m>"}] * 2}, "'<m>' is listed twice"),
        ({"added_tokens": [{"id": 10**6, "content": "<m>"}]}, "'<m>' has the id 1000000"),
        ({"added_tokens": [{"id": "9", "content": "<m>"}]}, "'<m>' has the id '9'"),
        ({"added_tokens": [{"id": 9999, "content": "Ġt"}]}, "'Ġt' has the id 9999"),
    ],
)
def test_unsupported_tokenizer_json(
    every_format: Formats, changes: dict[str, Any], named: str
) -> None:
    if isinstance(changes.get("model"), dict):
        changes = {"model": {"vocab": every_format.vocab, **changes["model"]}}
    with pytest.raises(ValueError, match=r"tokenizer\.json") as caught:
        Model.load(every_format.tokenizer_json(**changes))
    assert named in str(caught.value).replace("\\\\", "\\")


def test_added_tokens_have_the_ids_of_hugging_face(every_format: Formats) -> None:
    """A file is loaded if its ids are the same, and refused otherwise."""
    vocab = every_format.vocab | {"<v>": 9000}
    plain = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized", "special"), False)
    first = len(vocab)
    for numbers in ({"<v>": 9000, "<a>": first}, {"<a>": first, "<v>": 9000, "<b>": first + 1}):
        for wrong in (None, *numbers):
            added = [
                {"content": name, "id": number + (name == wrong), **plain}
                for name, number in numbers.items()
            ]
            model = {"type": "BPE", "vocab": vocab, "merges": every_format.merges}
            path = every_format.tokenizer_json(model=model, added_tokens=added, version="1.0")
            judge = tokenizers.Tokenizer.from_file(str(path))
            assert {name: judge.token_to_id(name) for name in numbers} == numbers
            if wrong:
                with pytest.raises(ValueError, match=f"'{wrong}' has the id"):
                    Model.load(path)
            else:
                assert Tokenizer(Model.load(path)).encode(
                    "".join(numbers), allowed_special="all"
                ).tolist() == list(numbers.values())


def test_merges_that_contradict_the_vocabulary(every_format: Formats) -> None:
    for merges in ([("Q", "QQQ")], [every_format.merges[0]] * 2):
        model = {"vocab": every_format.vocab, "merges": merges}
        with pytest.raises(ValueError, match=r"merge [01] "):
            Model.load(every_format.tokenizer_json(model=model))
