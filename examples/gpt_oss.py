"""Train a small gpt-oss for a step, in eager attention and in this project's, and compare them.

    python examples/gpt_oss.py                  # needs the packages torch and transformers
    python examples/gpt_oss.py --tokens 4096

The weights are random, made here. In transformers 5.24 this model has no other attention for a
processor: it refuses SDPA, and its flex_attention has neither sinks nor gradients there. Eager
attention needs memory that grows with the square of the tokens.
"""

import argparse
import statistics
import time
from typing import Any

import torch
from transformers import GptOssConfig, GptOssForCausalLM

from ffi_cookbook.bindings.torch.attention import register_with_transformers

NAMES = ("eager", "ffi_cookbook")
SIZES = {"vocab_size": 500, "hidden_size": 256, "intermediate_size": 128, "head_dim": 64}
SIZES |= {"num_attention_heads": 8, "num_key_value_heads": 2, "num_hidden_layers": 2}
EXPERTS = {"num_local_experts": 2, "num_experts_per_tok": 1}
CONFIG = GptOssConfig(**SIZES, **EXPERTS, sliding_window=64)


def step(model: Any, tokens: torch.Tensor, name: str) -> tuple[float, float, list[torch.Tensor]]:
    """Return the processor time of forward and backward, the loss and the gradients of sinks."""
    model.set_attn_implementation(name)
    model.zero_grad()
    start = time.process_time()
    loss = model(tokens, labels=tokens, use_cache=False).loss
    loss.backward()
    seconds = time.process_time() - start
    return seconds, loss.item(), [layer.self_attn.sinks.grad for layer in model.model.layers]


def main() -> None:
    """Print the times of both, their losses, and how far they are apart."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    torch.manual_seed(0)
    register_with_transformers(threads=torch.get_num_threads())
    model = GptOssForCausalLM(CONFIG)
    tokens = torch.randint(CONFIG.vocab_size, (1, options.tokens))
    rounds = [[step(model, tokens, name) for name in NAMES] for _ in range(options.rounds + 1)]
    for i, name in enumerate(NAMES):
        times = sorted(found[i][0] for found in rounds[1:])  # the first one warms up
        median, loss = statistics.median(times), rounds[-1][i][1]
        print(f"{name:13} {median:.2f} s [{times[0]:.2f}, {times[-1]:.2f}], loss {loss:.6f}")
    (_, loss, sinks), (_, other_loss, other_sinks) = rounds[-1]
    pairs = zip(sinks, other_sinks, strict=True)
    apart = max(((x - y).abs().max() / x.abs().max()).item() for x, y in pairs)
    print(f"apart: loss {abs(loss - other_loss) / loss:.0e}, gradients of the sinks {apart:.0e}")
    if max(abs(loss - other_loss) / loss, apart) > 1e-6:
        raise SystemExit("the attentions differ")


if __name__ == "__main__":
    main()
