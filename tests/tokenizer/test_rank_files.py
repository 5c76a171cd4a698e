"""Rank files and ranks: valid ones, refused ones, and the time they take."""

from __future__ import annotations

import json
import random
from decimal import Decimal
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
import tokenizers

from ffi_cookbook.bindings._glue.bpe import tables
from ffi_cookbook.bindings._glue.bpe.merge import merge
from ffi_cookbook.bindings._glue.bpe.patterns import CL100K, O200K
from ffi_cookbook.bindings.errors import TokenizerError
from ffi_cookbook.bindings.python.tokenizer import Tokenizer
from ffi_cookbook.tokenizer import Model, sample_texts, save_tiktoken
from ffi_cookbook.tokenizer.tokens import Tokens
from ffi_cookbook.tokenizer.vocabulary import from_ranks, made_by_merges
from support.rank_files import BYTES, DATA, EOT, TEXT, Formats, tiktoken_file

NOT_A_RANK = ["!!!! 256", "YWI=", "YWI= 256 1", "YWI=YWI= 256", "Y=WI 256", "YWJj\n256"]
NOT_A_RANK += ["YWI= +256", "YWJj\t256", "YWI= "]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        *((f"{tiktoken_file(BYTES)}{line}\n", "line 257: ") for line in NOT_A_RANK),
        (tiktoken_file([*BYTES, (b"ab", "x")]), "line 257: the rank"),
        (tiktoken_file([*BYTES, (b"ab", -1)]), "line 257: the rank"),
        (tiktoken_file([*BYTES, (b"ab", 97)]), "line 257: rank 97 was on line 98"),
        (tiktoken_file([*BYTES, (b"a", 256)]), "line 257: b'a' was on line 98"),
        (tiktoken_file([*BYTES, (b"ab", 1 << 21)]), "2097152"),
        (tiktoken_file([*BYTES, (b"ab", "9" * 5000)]), "not in 0..2097151"),
        (tiktoken_file(BYTES[:-1]), "no token for the byte 0xff"),
        ("", "not a vocabulary but an empty file"),
        ("\ufeff" + tiktoken_file(BYTES), "line 1: begins with a byte order mark"),
    ],
)
def test_bad_rank_files(tmp_path: Path, content: str, complaint: str) -> None:
    path = tmp_path / "bad.tiktoken"
    path.write_text(content)
    with pytest.raises(ValueError, match=r"bad\.tiktoken") as caught:
        Model.load(path, pattern="gpt2")
    assert complaint in str(caught.value)


@pytest.mark.parametrize(
    ("ranks", "options", "complaint"),
    [
        ({}, {"pattern": "gpt3"}, "unknown pattern 'gpt3'"),
        ({}, {"pattern": "gpt2", "special_tokens": {"<a>": 97}}, "taken"),
        ({}, {"pattern": "gpt2", "special_tokens": {"<a>": 300, "<b>": 300}}, "taken"),
        ({}, {"pattern": "gpt2", "special_tokens": {"": 300}}, "cannot have"),
        ({}, {"pattern": "gpt2", "special_tokens": {"<a>": -1}}, "cannot have"),
        ({}, {"pattern": "gpt2", "special_tokens": {"<a>": 1 << 21}}, "cannot have"),
        ({b"ab": 97}, {"pattern": "gpt2"}, "rank 97 was on line"),
    ],
)
def test_bad_arguments(ranks: dict[bytes, int], options: dict[str, Any], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Model.from_ranks(dict(BYTES) | ranks, **options)


@pytest.mark.parametrize(
    ("specials", "complaint"),
    [
        ({b"<a>": 300}, "not b'<a>'"),
        ({5: 300}, "not 5"),
        ({None: 300, "<a>": 301}, "not None"),
        ({"<a>": "300"}, "'<a>' must be an integer, not '300'"),
        ({"<a>": 300.0}, "'<a>' must be an integer, not 300.0"),
    ],
)
def test_special_tokens_of_other_types(
    every_format: Formats, specials: Any, complaint: str
) -> None:
    with pytest.raises(TypeError, match=complaint):
        Model.from_ranks(dict(BYTES), pattern="gpt2", special_tokens=specials)
    with pytest.raises(TypeError, match=complaint):
        Model.load(every_format.tiktoken(), pattern="gpt2", special_tokens=specials)


def test_searches_for_what_is_absent_end_in_tables_without_room() -> None:
    full = {"short_keys": np.ones((1024, 16), "u1"), "short_ids": np.zeros(1024, "<u4")}
    assert tables.find_short(full, np.full((2, 1), 7, "<u8")).tolist() == [-1]
    pairs, ids = np.full(1024, 1 << 42, "<u8"), np.array([0])
    assert tables.find_pairs(pairs, ids, ids).tolist() == [tables.NO_RANK]


@pytest.mark.parametrize("rank", [256.9, 256.0, Decimal(256), np.float32(256), "256", None])
def test_ranks_are_integers_and_nothing_is_cut_off(tmp_path: Path, rank: Any) -> None:
    ranks: Any = {**dict(BYTES), b"ab": rank}
    for function in (
        lambda: Model.from_ranks(ranks, pattern="gpt2"),
        lambda: save_tiktoken(ranks, tmp_path / "file"),
    ):
        with pytest.raises(TypeError, match="the rank of b'ab' must be an integer, not"):
            function()
    assert not list(tmp_path.iterdir())


def test_ids_of_special_tokens_may_be_of_numpy() -> None:
    model = Model.from_ranks(dict(BYTES), pattern="gpt2", special_tokens={EOT: np.int64(300)})
    plain = Model.from_ranks(dict(BYTES), pattern="gpt2", special_tokens={EOT: 300})
    assert (model.sha256, model.blob.tobytes()) == (plain.sha256, plain.blob.tobytes())


def test_a_rank_file_needs_a_pattern(every_format: Formats) -> None:
    with pytest.raises(ValueError, match="name it"):
        Model.load(every_format.tiktoken())
    with pytest.raises(ValueError, match="one file or two"):
        Model.load([every_format.tiktoken()] * 3, pattern="gpt2")
    with pytest.raises(FileNotFoundError):
        Model.load("no such file", pattern="gpt2")


def test_a_pair_that_disagrees(every_format: Formats) -> None:
    paths = every_format.pair()
    encoder = json.loads(paths[0].read_text(encoding="utf-8"))
    encoder["a"], encoder["b"] = encoder["b"], encoder["a"]
    paths[0].write_text(json.dumps(encoder), encoding="utf-8")
    with pytest.raises(ValueError, match=r"does not give 'a' the id"):
        Model.load(paths, pattern="gpt2")


def test_odd_vocabularies() -> None:
    """Whisper and p50k have permuted bytes, a gap in the ids and the empty token."""
    ranks = {bytes([byte]): 255 - byte for byte in range(256)} | {b"": 256, b"ab": 300}
    model = Model.from_ranks(ranks, pattern="gpt2", special_tokens={EOT: 280})
    tokenizer = Tokenizer(model)
    assert model.ranks == ranks
    assert model.n_vocab == 301
    assert tokenizer.encode("abc").tolist() == [300, 255 - ord("c")]
    assert tokenizer.decode(np.array([256, 300, 280], np.uint32)) == b"ab" + EOT.encode()
    with pytest.raises(TokenizerError, match="299"):
        tokenizer.decode(np.array([300, 299], np.uint32))


def test_the_merges_of_long_tokens() -> None:
    """The merges are the same as those found by trying every split."""
    ranks = {bytes([i]): i for i in range(256)}
    rng = random.Random(3)
    for size in (255, 257, 300, 301, 520):
        token = bytes(rng.choice(b"ab" if rng.random() < 0.1 else b"a") for _ in range(size))
        for cut in (size, *rng.sample(range(2, size - 1), 6)):
            for part in (token[:cut], token[cut:]):
                ranks.setdefault(part or b"aa", len(ranks))
    made = {tuple(row[:3]) for row in from_ranks(Tokens.of(ranks, ranks.values())).merges.tolist()}
    assert made == {
        (ranks[token[:cut]], ranks[token[cut:]], rank)
        for token, rank in ranks.items()
        for cut in range(1, len(token))
        if token[:cut] in ranks and token[cut:] in ranks
    }


@pytest.mark.parametrize("seed", range(20))
def test_the_tokens_that_merges_make(seed: int) -> None:
    """They are those that the merge loop makes of their bytes, one by one."""
    rng = random.Random(seed)
    tokens = {bytes([byte]): byte for byte in range(256) if byte != seed}
    merges = []
    for token_id in range(256, 400):
        left, right = rng.choices([b"a", b"b", *[*tokens][255:]], k=2)
        if len(left + right) < 600 and tokens.setdefault(left + right, token_id) == token_id:
            merges.append((tokens[left], tokens[right], token_id))
    tokens |= {bytes([seed, seed]): 400, b"": 401, b"unmade": 402}
    merges.sort(key=lambda row: row[2] + rng.uniform(0, 4))
    rows = [(left, right, rank, made) for rank, (left, right, made) in enumerate(merges)]
    pairs = {left << 32 | right: (rank, made) for left, right, rank, made in rows}
    expected = [
        merge([tokens.get(bytes([byte]), -1) for byte in token], pairs) == [token_id]
        for token, token_id in tokens.items()
    ]
    found = tables.pair_tables(np.array(rows, np.uint32), np.arange(256))
    made = Tokens.of(tokens, tokens.values())
    assert made_by_merges(made, found, made.byte_ids()).tolist() == expected
    assert 257 < sum(expected) < len(expected) - 3


def colliding(number: int) -> bytes:
    """Return a 15-byte token whose hash is 0: its low word is the solution of an equation."""
    high = number | 15 << 56
    low = -high * int(tables.K2) * pow(int(tables.K1), -1, 2**64) % 2**64
    return low.to_bytes(8, "little") + high.to_bytes(8, "little")[:7]


def test_tokens_whose_hashes_collide_are_refused() -> None:
    """Each look-up would search the whole table."""
    ranks = {bytes([i]): i for i in range(256)}
    few = {colliding(i): 256 + i for i in range(100)}
    assert Model.from_ranks({**ranks, **few}, pattern="gpt2").n_vocab == 356
    many = {colliding(i): 256 + i for i in range(1000)}
    with pytest.raises(ValueError, match="collide"):
        Model.from_ranks({**ranks, **many}, pattern="gpt2")


def test_a_rank_with_leading_zeros(tmp_path: Path) -> None:
    path = tmp_path / "ranks.tiktoken"
    path.write_text(tiktoken_file([*BYTES, (b"ab", "0" * 40 + "256")]))
    assert Model.load(path, pattern="gpt2").ranks[b"ab"] == 256


@pytest.mark.parametrize("nested", ['{"model":%s}', '{"version":"1.0","added_tokens":%s}'])
def test_json_that_is_nested_too_deeply(tmp_path: Path, nested: str) -> None:
    path = tmp_path / "tokenizer.json"
    path.write_text(nested % ("[" * 100_000 + "]" * 100_000))
    with pytest.raises(ValueError, match="nested"):
        Model.load(path)


# ---- Formats of models: each gives the same blob or ids, or the file is refused.


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
        ({"pre_tokenizer": {"type": "Metaspace"}}, "Metaspace"),
        ({"model": []}, "not a tokenizer.json"),
        ({"model": None}, "not a tokenizer.json"),
        ({"model": {"merges": {}}}, "merges must be a list, not dict"),
        ({"model": {"merges": [["t", "h", "e"]]}}, "merge 0 is ['t', 'h', 'e']"),
        ({"model": {"merges": ["t h e"]}}, "merge 0 is 't h e', not two tokens"),
        ({"model": {"merges": [5]}}, "merge 0 is 5"),
        ({"model": {"merges": [["Q", "QQQ"]]}}, "merge 0 names 'QQQ'"),
        ({"model": {"merges": ["t h", "t h"]}}, "merge 1 is a repetition"),
        ({"model": {"ignore_merges": "yes"}}, "ignore_merges='yes'"),
        ({"version": "2.0"}, "'2.0'"),
        ({"added_tokens": [{"id": 9999, "content": None}]}, "is None, not text"),
        ({"added_tokens": [{"id": 9999, "content": "<m>"}] * 2}, "'<m>' is listed twice"),
        ({"added_tokens": [{"id": 10**6, "content": "<m>"}]}, "'<m>' has the id 1000000"),
        ({"added_tokens": [{"id": "9", "content": "<m>"}]}, "'<m>' has the id '9'"),
    ],
)
def test_malformed_tokenizer_json(
    every_format: Formats, changes: dict[str, Any], named: str
) -> None:
    if isinstance(changes.get("model"), dict):
        changes = {"model": {"vocab": every_format.vocab, **changes["model"]}}
    with pytest.raises(ValueError, match=r"tokenizer\.json") as caught:
        Model.load(every_format.tokenizer_json(**changes))
    assert named in str(caught.value)


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
