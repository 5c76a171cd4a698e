"""The policy for special tokens, in the form that a kernel takes: one byte for each token."""

from __future__ import annotations

from typing import Any, cast

from ffi_cookbook.bindings._glue.text import utf8


def policy_bytes(policy: Any, n_special: int) -> bytes:
    """Return a model's policy, which has a byte for each of its special tokens."""
    if not issubclass(type(policy), bytes):
        raise TypeError(f"a model's policy must be bytes, not {type(policy).__name__}")
    data = utf8(policy)
    if len(data) != n_special:
        raise ValueError("a model's policy must have one byte for each of its special tokens")
    return data


def special_policy(tokenizer: Any, allowed: Any, disallowed: Any) -> bytes:
    """Return the policy for the special tokens of a tokenizer's model."""
    usual = type(allowed) is tuple and type(disallowed) is str
    if usual and not allowed and disallowed == "all":
        return cast("bytes", tokenizer._default_policy)
    policy = tokenizer._model.special_policy(allowed, disallowed)
    return policy_bytes(policy, tokenizer._n_special)
