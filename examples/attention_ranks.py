"""Share attention among ranks by DTensor: parts of the batch, of the heads, or of the sequence.

    torchrun --nproc-per-node 2 examples/attention_ranks.py

Each rank computes its part of the batch or of the heads, with its sinks, where it is. DTensor
gathers a part of the sequence first. Gradients are compared with those of one process.
"""

import torch
from torch.distributed.tensor import Replicate, Shard, distribute_tensor, init_device_mesh

from ffi_cookbook.bindings.torch.attention import register_with_dtensor, sliding_attention


def loss(*tensors: torch.Tensor) -> torch.Tensor:
    """Return a number that depends on all elements of both results."""
    out, lse = sliding_attention(*tensors, window=3)
    return out.pow(2).sum() + lse.pow(2).sum()


def main() -> None:
    """Compare the gradients for each kind of part."""
    torch.manual_seed(0)
    register_with_dtensor()
    mesh = init_device_mesh("cpu", (torch.distributed.get_world_size(),))
    shapes = [(2, 4, 9, 5), (2, 2, 9, 5), (2, 2, 9, 5), (4,)]
    whole = [torch.randn(shape, requires_grad=True) for shape in shapes]
    right = torch.autograd.grad(loss(*whole), whole)
    for name, part, of_sink in (
        ("batch", Shard(0), Replicate()),
        ("heads", Shard(1), Shard(0)),
        ("sequence", Shard(2), Replicate()),
    ):
        places = zip(whole, [part, part, part, of_sink], strict=True)
        parts = [distribute_tensor(x.detach(), mesh, [place]) for x, place in places]
        leaves = [x.requires_grad_() for x in parts]
        out, _ = sliding_attention(*leaves, window=3)
        gradients = torch.autograd.grad(loss(*leaves), leaves)
        torch.testing.assert_close(tuple(x.full_tensor() for x in gradients), right)
        print(f"{name}: the result is {out.placements}, the gradients are right")


if __name__ == "__main__":
    torch.distributed.init_process_group("gloo")
    try:
        main()
        torch.distributed.barrier()  # a rank that is left alone ends with an error of gloo
    finally:
        torch.distributed.destroy_process_group()
