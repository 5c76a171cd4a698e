"""Write the tokens of a corpus and train on them with Ray, on any number of machines.

    python examples/cluster.py corpus/*.jsonl --out /shared/run --workers 8

Every machine must see the corpus and `out`. Tokens are written by tasks, one for each file. If a
training worker fails, all of them continue after the latest checkpoint.
"""

import argparse
import tempfile
from pathlib import Path

import ray.train.torch
import torch
import torch.distributed as dist
from ray.train import Checkpoint, FailureConfig, RunConfig, ScalingConfig
from torch import nn

from ffi_cookbook.data import TokenStream, tokenize
from ffi_cookbook.tokenizer import Model, sample_texts, train

VOCABULARY, LENGTH, WIDTH, END = 501, 64, 64, "<|endoftext|>"


class Network(nn.Module):
    """A recurrent language model of one layer."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, WIDTH)
        self.layer = nn.GRU(WIDTH, WIDTH, batch_first=True)
        self.head = nn.Linear(WIDTH, VOCABULARY)

    def forward(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Return the mean cross entropy of the targets."""
        hidden, _ = self.layer(self.tokens(inputs))
        return nn.functional.cross_entropy(self.head(hidden).flatten(0, 1), targets.flatten())


@ray.remote(max_retries=3)
def write_tokens(path: str, out: Path, model: Model) -> int:
    """Write the tokens of a file to a folder, and return their number."""
    return tokenize(path, out, model, end=END).tokens


def train_worker(out: Path, folders: list[Path], save_every: int) -> None:
    """Train as one of the workers, from the beginning or from the latest checkpoint."""
    torch.manual_seed(0)
    network = ray.train.torch.prepare_model(Network())
    optimizer = torch.optim.AdamW(network.parameters(), lr=0.01)
    files = [file for folder in folders for file in sorted(folder.glob("*.bin"))]
    stream = TokenStream(files, LENGTH, batch_size=8, shuffle=True, drop_last=True)
    parts, step = {"network": network, "optimizer": optimizer, "stream": stream}, 0
    if checkpoint := ray.train.get_checkpoint():
        with checkpoint.as_directory() as folder:
            saved = torch.load(Path(folder, "state.pt"))
        step = saved.pop("step")
        for name, state in saved.items():
            parts[name].load_state_dict(state)
    for batch in stream:
        tensors = batch.to_torch()
        loss = network(tensors["inputs"], tensors["targets"])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        step += 1
        with open(out / f"losses-{dist.get_rank()}.txt", "a") as file:
            print(step, loss.item(), file=file)
        if step % save_every == 0:
            saved = {name: part.state_dict() for name, part in parts.items()}
            states = [None] * dist.get_world_size()  # the states of the streams of all workers
            dist.all_gather_object(states, saved["stream"])
            with tempfile.TemporaryDirectory() as folder:
                torch.save({**saved, "stream": states, "step": step}, Path(folder, "state.pt"))
                first = Checkpoint.from_directory(folder) if dist.get_rank() == 0 else None
                ray.train.report({"step": step, "loss": loss.item()}, checkpoint=first)


def run(corpus: list[str], out: Path, workers: int, save_every: int) -> None:
    """Write the tokens, and train."""
    out = out.absolute()  # the workers have folders of their own
    ranks = train(sample_texts(100_000), VOCABULARY - 1, "gpt2")
    model = Model.from_ranks(ranks, pattern="gpt2", special_tokens={END: VOCABULARY - 1})
    folders = [out / f"tokens/{number:05}" for number in range(len(corpus))]
    ray.get([write_tokens.remote(*one, model) for one in zip(corpus, folders, strict=True)])
    ray.train.torch.TorchTrainer(
        lambda: train_worker(out, folders, save_every),
        scaling_config=ScalingConfig(num_workers=workers),
        run_config=RunConfig("run", str(out), failure_config=FailureConfig(max_failures=3)),
    ).fit()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("corpus", nargs="+")
    parser.add_argument("--out", type=Path, default=Path("cluster"))
    for name, default in (("--workers", 2), ("--save-every", 20)):
        parser.add_argument(name, type=int, default=default)
    run(**vars(parser.parse_args()))
