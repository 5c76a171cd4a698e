"""Special tokens: which are found, which are refused, and the fields of the error."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from ffi_cookbook.bindings.errors import Code, TokenizerError
from support.backends import binding
from support.vocabularies import EOT, facts, vocabulary

pytestmark = pytest.mark.part("Tokenizer")

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
POLICIES: list[tuple[Any, Any]] = [((), ()), ("all", ()), ("all", "all"), ({EOT}, ())]
POLICIES += [({EOT}, "all"), ({"<|fim|>"}, ()), ((), {"<|fim|>x"}), ((), "all")]


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
    for wrong in ({"allowed_special": {"nobody"}}, {"disallowed_special": ["nobody"]}):
        with pytest.raises(ValueError, match="nobody"):
            tokenizer.encode("x", **wrong)
    with pytest.raises(TypeError, match="collection"):
        tokenizer.encode("x", allowed_special=EOT)
