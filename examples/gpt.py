"""Train a small GPT on text, in several processes; after a kill, the same command goes on exactly.

    torchrun --nproc-per-node 2 examples/gpt.py                     # on text that ships with Python
    torchrun --nproc-per-node 2 examples/gpt.py "corpus/*.jsonl" --out run

The folder `out` receives the vocabulary, the tokens, a checkpoint and the losses of each rank.
After a checkpoint the losses equal those of an uninterrupted run, bit for bit.
"""

import argparse
import json
from pathlib import Path

import torch
import torch.distributed as dist
from torch import nn

from ffi_cookbook.data import TokenStream, tokenize
from ffi_cookbook.tokenizer import Model, sample_texts, save_tiktoken, train

VOCABULARY, END = 500, "<|endoftext|>"  # whose id is 500
LENGTH, WIDTH = 64, 64


class GPT(nn.Module):
    """A decoder of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.places, self.head = nn.Embedding(LENGTH, WIDTH), nn.Linear(WIDTH, VOCABULARY + 1)
        self.tokens = nn.Embedding(VOCABULARY + 1, WIDTH)
        layer = nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, dropout=0, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, 2)

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean cross entropy of the targets."""
        mask = nn.Transformer.generate_square_subsequent_mask(LENGTH)
        hidden = self.layers(self.tokens(inputs) + self.places.weight, mask, is_causal=True)
        return nn.functional.cross_entropy(self.head(hidden).flatten(0, 1), targets.flatten())


def prepare(corpus: list[str], out: Path) -> None:
    """Write a vocabulary and the tokens of the corpus, unless they are there."""
    out.mkdir(parents=True, exist_ok=True)
    ranks = out / "vocabulary.tiktoken"
    if not ranks.exists():
        save_tiktoken(train(sample_texts(100_000), VOCABULARY, "gpt2"), ranks)
    if not corpus:
        lines = [json.dumps({"text": text}) + "\n" for text in sample_texts(150_000)]
        (out / "corpus.jsonl").write_text("".join(lines))
    model = Model.load(ranks, pattern="gpt2", special_tokens={END: VOCABULARY})
    tokenize(corpus or out / "corpus.jsonl", out / "tokens", model, end=END)


def run(corpus: list[str], out: Path, epochs: int, save_every: int) -> None:
    """Train as one of the ranks, from the beginning or from the checkpoint."""
    if dist.get_rank() == 0:
        prepare(corpus, out)
    dist.barrier()
    torch.manual_seed(0)
    gpt = nn.parallel.DistributedDataParallel(GPT())
    optimizer = torch.optim.AdamW(gpt.parameters(), lr=0.002)
    files = sorted((out / "tokens").glob("*.bin"))
    stream = TokenStream(files, LENGTH, batch_size=8, shuffle=True, drop_last=True)
    parts, step = {"gpt": gpt.module, "optimizer": optimizer, "stream": stream}, 0
    if (out / "checkpoint.pt").exists():
        saved = torch.load(out / "checkpoint.pt")
        step = saved.pop("step")
        for name, state in saved.items():
            parts[name].load_state_dict(state)
    for epoch in range(stream.epoch, epochs):
        stream.set_epoch(epoch)
        for batch in stream:
            tensors = batch.to_torch()
            loss = gpt(tensors["inputs"], tensors["targets"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
            with open(out / f"losses-{dist.get_rank()}.txt", "a") as file:
                print(step, loss.item(), file=file)
            if step % save_every == 0:
                saved = {name: part.state_dict() for name, part in parts.items()}
                states = [None] * dist.get_world_size()  # the states of the streams of all ranks
                dist.all_gather_object(states, saved["stream"])
                if dist.get_rank() == 0:
                    torch.save({**saved, "stream": states, "step": step}, out / "checkpoint.new")
                    (out / "checkpoint.new").replace(out / "checkpoint.pt")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", nargs="*", help="files as `tokenize` reads them")
    parser.add_argument("--out", type=Path, default=Path("gpt"))
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--save-every", type=int, default=20, metavar="STEPS")
    dist.init_process_group("gloo")
    run(**vars(parser.parse_args()))
    dist.destroy_process_group()
