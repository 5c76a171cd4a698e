"""Special tokens: which are found, which are refused, and the fields of the error."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
import tiktoken

from ffi_cookbook.bindings._glue.bpe.patterns import NAMES
from ffi_cookbook.bindings.errors import Code, TokenizerError
from ffi_cookbook.bindings.python.tokenizer import Tokenizer
from ffi_cookbook.tokenizer import Model
from support.backends import binding
from support.vocabularies import EOT, facts, vocabulary

pytestmark = pytest.mark.part("Tokenizer")
PAD = "<|pad|>"

SPECIAL_TEXTS = [
    EOT,
    f"a {EOT} b",
    f"{EOT}{EOT}",
    f" {EOT}x<|fim|>x<|fim|><|fim|>xx  ",
    "<|endoftext",
    "plain",
    "",
    f"<|fim|<|fim|>{EOT[:-1]}{EOT}  ",
]
POLICIES: list[tuple[Any, Any]] = [
    ((), ()),
    ("all", ()),
    ("all", "all"),
    ({EOT}, ()),
    ({EOT}, "all"),
    ({"<|fim|>"}, ()),
    ((), {"<|fim|>x"}),
    ((), "all"),
]


@pytest.mark.part("Tokenizer", kernels=True)
@pytest.mark.parametrize("text", SPECIAL_TEXTS)
def test_special_tokens(backend: ModuleType, text: str) -> None:
    words = vocabulary("gpt2")
    tokenizer = words.tokenizer(backend)
    # tiktoken searches in no fixed order: compare only if no token is a prefix of another
    clear = "<|fim|>x" not in text
    for allowed, disallowed in POLICIES:
        options = {"allowed_special": allowed, "disallowed_special": disallowed}
        expected = outcome(words.tokenizer(binding("python")), text, options)
        if isinstance(expected, tuple):
            assert outcome(tokenizer, text, options) == expected
            continue
        if clear:
            assert expected == words.oracle.encode(text, **as_tiktoken(options))
        assert tokenizer.encode(text, **options).tolist() == expected
        ids, offsets = tokenizer.encode_batch([text, "", text], **options)
        assert ids.tolist() == expected * 2
        assert offsets.tolist() == [0, len(expected), len(expected), 2 * len(expected)]


def as_tiktoken(options: dict[str, Any]) -> dict[str, Any]:
    """Call tiktoken, which takes sets where bindings take any collection."""
    return {name: value if value == "all" else set(value) for name, value in options.items()}


def outcome(tokenizer: Any, text: str, options: dict[str, Any]) -> Any:
    """Return the ids, or the fields of the error."""
    try:
        return tokenizer.encode(text, **options).tolist()
    except TokenizerError as error:
        return facts(error)


def test_a_special_token_is_refused(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(TokenizerError, match="allowed_special") as caught:
        tokenizer.encode("é <|fim|> " + EOT)
    assert facts(caught.value)[:4] == (Code.SPECIAL, 3, 0, "<|fim|>")
    with pytest.raises(TokenizerError) as caught:
        tokenizer.encode_batch(["fine", "x" + EOT])
    assert facts(caught.value)[:4] == (Code.SPECIAL, 1, 1, EOT)
    assert tokenizer.count(EOT) > 1
    with pytest.raises(ValueError, match="nobody"):
        tokenizer.encode("x", allowed_special={"nobody"})


@pytest.mark.parametrize("allowed", [set(), {EOT}, {PAD}, {EOT, PAD}, "all"])
@pytest.mark.parametrize("refused", [(), [EOT], {PAD}, {EOT, PAD}, "all"])
def test_special_tokens_as_in_tiktoken(
    sample: dict[bytes, int], allowed: Any, refused: Any
) -> None:
    specials = {EOT: 9000, PAD: 9001}
    model = Model.from_ranks(sample, pattern="gpt2", special_tokens=specials)
    assert model.special_names == (EOT, PAD)
    assert model.default_policy == model.special_policy((), "all") == b"\2\2"
    regex = NAMES["gpt2"].regex
    judge = tiktoken.Encoding("it", pat_str=regex, mergeable_ranks=sample, special_tokens=specials)
    options = {"allowed_special": allowed, "disallowed_special": refused}
    for text in ("plain", f"a{EOT}b", EOT * 2, f"é  {PAD}  b{EOT}", f"{PAD}\n \n{PAD}", "<|pad|"):
        try:
            expected = judge.encode(text, **options)
        except ValueError:
            with pytest.raises(TokenizerError, match="SPECIAL"):
                Tokenizer(model).encode(text, **options)
        else:
            assert Tokenizer(model).encode(text, **options).tolist() == expected


def test_an_iterator_of_special_tokens(backend: ModuleType) -> None:
    tokenizer = vocabulary("gpt2").tokenizer(backend)
    with pytest.raises(TokenizerError, match="SPECIAL"):
        tokenizer.encode(EOT, disallowed_special=iter([EOT]))
    ids = tokenizer.encode(EOT, allowed_special=iter([EOT]), disallowed_special=())
    assert ids.tolist() == tokenizer.encode(EOT, allowed_special={EOT}).tolist()


def test_unknown_special_tokens_are_refused(sample: dict[bytes, int]) -> None:
    model = Model.from_ranks(sample, pattern="gpt2", special_tokens={EOT: 9000})
    for arguments in (({"<nope>"}, ()), ((), ["<nope>"])):
        with pytest.raises(ValueError, match="<nope>"):
            model.special_policy(*arguments)
    with pytest.raises(TypeError, match="collection"):
        model.special_policy(EOT, ())


def test_special_tokens_that_begin_alike(sample: dict[bytes, int]) -> None:
    """The leftmost wins, then the longest; tiktoken's own choice depends on a hash seed."""
    specials = {"<a>": 9000, "<a>b": 9001, "a>b<": 9002}
    model = Model.from_ranks(sample, pattern="gpt2", special_tokens=specials)
    tokenizer = Tokenizer(model)
    assert model.special_names == ("<a>", "<a>b", "a>b<")
    assert tokenizer.encode("<a>b<a>", allowed_special="all").tolist() == [9001, 9000]
    assert tokenizer.encode(">a>b<a>b", allowed_special="all").tolist()[1] == 9002
    with pytest.raises(TokenizerError) as caught:
        tokenizer.encode_batch(["", "é<a>b<a>"])
    assert caught.value.token == "<a>b"
    assert (caught.value.byte_offset, caught.value.index) == (2, 1)
