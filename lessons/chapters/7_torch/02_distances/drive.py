"""The operator with real tensors, with fake ones, and under autocast."""

import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv


def operator():
    """Return the registered operator."""
    try:
        return torch.ops.lesson.distances.default
    except AttributeError as error:
        raise LookupError(str(error)) from None


def schema(subject):
    """Return the operator's schema as text."""
    return str(operator()._schema)


def described(tensor):
    """Return what a fake kernel must promise of a tensor."""
    return {
        "shape": list(tensor.shape),
        "dtype": str(tensor.dtype),
        "strides": list(tensor.stride()),
        "device": str(tensor.device),
    }


def computed(subject, a, b):
    """Return the distances between the rows of arrays."""
    result = subject.distances(torch.from_numpy(a), torch.from_numpy(b))
    return [described(result), result.numpy()]


def fake(subject, a, b, dtype, device):
    """Return what the operator promises for tensors of these shapes."""
    with FakeTensorMode():
        kind = getattr(torch, dtype)
        x, y = (torch.empty(shape, dtype=kind, device=device) for shape in (a, b))
        return described(operator()(x, y))


def symbolic(subject, m, n, d):
    """Return whether the symbols for the numbers of rows stay symbols."""
    environment = ShapeEnv()
    sizes = [
        environment.create_symintnode(
            environment.create_symbol(size, ConstantSource(name), DimDynamic.DYNAMIC), hint=size
        )
        for name, size in (("m", m), ("n", n))
    ]
    with FakeTensorMode(shape_env=environment):
        result = operator()(*(torch.empty(size, d) for size in sizes))
    return [isinstance(size, torch.SymInt) and size.node.expr.is_symbol for size in result.shape]


def autocast(subject, a, b):
    """Return the distances of bfloat16 tensors, computed under autocast."""
    x, y = (torch.from_numpy(array).bfloat16() for array in (a, b))
    with torch.autocast("cpu", torch.bfloat16):
        return operator()(x, y).numpy()
