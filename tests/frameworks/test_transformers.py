"""The registered attention in models of transformers: what eager attention gives, or a refusal."""

from __future__ import annotations

from typing import Any

import pytest
import torch
import transformers

from ffi_cookbook.bindings.torch.attention import register_with_transformers

register_with_transformers()
SIZES = {"vocab_size": 90, "hidden_size": 32, "intermediate_size": 16, "num_hidden_layers": 2}
SIZES |= {"num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8, "sliding_window": 5}
SIZES |= {"num_local_experts": 2, "num_experts_per_tok": 1}  # of gpt-oss
TOKENS = torch.arange(1, 61).reshape(2, 30)
PADDED = torch.arange(30) < torch.tensor([[30], [20]])


@pytest.fixture(params=["GptOss", "Gemma2"])
def model(request: Any) -> Any:
    config = getattr(transformers, f"{request.param}Config")(**SIZES)
    return getattr(transformers, f"{request.param}ForCausalLM")(config)


@pytest.mark.parametrize("mask", [None, PADDED.long()], ids=["whole", "padded"])
def test_training_and_generating_are_those_of_eager_attention(model: Any, mask: Any) -> None:
    labels, found = TOKENS.masked_fill(~PADDED, -100), []
    for name in ("eager", "ffi_cookbook"):
        model.set_attn_implementation(name)
        model.zero_grad()
        loss = model.train()(TOKENS, attention_mask=mask, labels=labels).loss
        loss.backward()
        tokens = model.eval().generate(TOKENS, max_new_tokens=9, do_sample=False)
        found.append([loss, tokens, *(x.grad.clone() for x in model.parameters())])
    torch.testing.assert_close(*found, rtol=1e-4, atol=1e-6)


def test_refused(model: Any) -> None:
    model.set_attn_implementation("ffi_cookbook")
    refused: dict[str, Any] = {
        "padding on the right alone": {"attention_mask": PADDED.flip(1).long()},
        "the dynamic cache": {"cache": transformers.StaticCache(model.config, max_cache_len=40)},
        "without dropout": {},
    }
    if model.config.model_type == "gemma2":  # gpt-oss never separates packed sequences
        refused["packed"] = {"position_ids": torch.arange(30)[None] % 9, "use_cache": False}
    model.train().model.layers[1].self_attn.attention_dropout = 0.1
    for message, given in refused.items():
        with pytest.raises(ValueError, match=message):
            model(TOKENS, **given)
