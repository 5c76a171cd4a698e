"""The operators with tensors, real and fake, and the function with arrays."""

import contextlib
import ctypes
from pathlib import Path

import meeting
import numpy as np
import torch
from torch._subclasses.fake_tensor import FakeTensorMode


def prepare(subject):
    """Declare the functions of meeting.h, which let threads meet."""
    library = ctypes.CDLL(str(Path(subject.__file__).with_name("libmatrices.so")))
    meeting.prepare(subject, library)


def spread(values):
    """Return a read-only view of an array that holds other items between those values."""
    around = np.full([2 * size for size in values.shape], 99.0)
    view = around[tuple(slice(None, None, 2) for _ in values.shape)]
    view[:] = values
    view.flags.writeable = False
    return view


def operator(name):
    """Return the registered operator."""
    return getattr(torch.ops.lesson, name).default


def written(subject, name):
    """Return the names of the arguments that the schema says the operator writes to."""
    arguments = operator(name)._schema.arguments
    return [each.name for each in arguments if each.alias_info and each.alias_info.is_write]


def into(subject, a, b, out):
    """Return whether the result is `out`, and what is in it."""
    result = subject.matmul(a, b, out=out)
    return [result is out, out]


def read_only_out(subject, n):
    """Return what a read-only `out` holds after the call."""
    out = np.zeros((n, n))
    out.flags.writeable = False
    with contextlib.suppress(ValueError, TypeError):
        subject.matmul(np.ones((n, n)), np.ones((n, n)), out=out)
    return out


def named(subject, a, b, threads):
    """Multiply with every argument given by name."""
    return subject.matmul(a=a, b=b, out=None, threads=threads)


def of_tensors(subject, a, b):
    """Return the product of two tensors, and that written to a tensor."""
    x, y = torch.from_numpy(a), torch.from_numpy(b)
    result = subject.matmul(x, y)
    out = torch.full_like(result, torch.nan)
    same = subject.matmul(x, y, out=out) is out
    return [result.numpy(), same, out.numpy()]


def gradients(subject, a, b, grad):
    """Return the gradients of both arguments."""
    x, y = torch.from_numpy(a).requires_grad_(), torch.from_numpy(b).requires_grad_()
    subject.matmul(x, y).backward(torch.from_numpy(grad))
    return [x.grad.numpy(), y.grad.numpy()]


def fake(subject, a, b, dtype, device):
    """Return what the operator promises for tensors of these shapes."""
    with FakeTensorMode():
        kind = getattr(torch, dtype)
        x, y = (torch.empty(shape, dtype=kind, device=device) for shape in (a, b))
        result = operator("matmul")(x, y)
        operator("matmul_out")(x, y, result)
    return [list(result.shape), list(result.stride()), str(result.dtype), str(result.device)]


def compiled(subject, a, b):
    """Return the result of a program that was compiled as one graph."""
    function = torch.compile(lambda x, y: subject.matmul(x, y) + 1, backend="eager", fullgraph=True)
    return function(torch.from_numpy(a), torch.from_numpy(b)).numpy()


def threads_meet(subject):
    """Return True if another thread can run while one is in the kernel."""
    return meeting.another_can_run(subject, subject.matmul, np.ones((2, 2)), np.ones((2, 2)))
