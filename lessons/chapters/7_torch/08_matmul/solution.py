"""Make a C kernel an operator of torch, and a binding with the names of this project.

matrices.py beside this file calls the kernel for tensors: read it first. Write two operators,

    lesson::matmul(Tensor a, Tensor b, int threads=1) -> Tensor
    lesson::matmul_out(Tensor a, Tensor b, Tensor(a!) out, int threads=1) -> ()

each with a fake kernel, and lesson::matmul with gradients of both arguments, which are computed by
lesson::matmul too; a gradient that is not needed is not computed. a and b have two dimensions,
or three for a batch of matrices; one may be a batch and the other not. Then write the function

    matmul(a, b, *, out=None, threads=1)

For tensors it calls the operators. For NumPy arrays it makes tensors of them by tensor_of, without
a copy, and returns an array: `out` itself if it is given. A read-only `out` raises
ValueError, and `threads` raises TypeError if it is not an integer; the kernel tests the rest.

    >>> exercise.matmul(np.ones((2, 3)), np.ones((3, 1)))
    array([[3.],
           [3.]])
"""

# BEGIN SOLUTION
import operator

# END SOLUTION
import torch
from matrices import multiply, shape_of_product, tensor_of
from torch import Tensor


@torch.library.custom_op("lesson::matmul", mutates_args=())
def product(a: Tensor, b: Tensor, threads: int = 1) -> Tensor:
    """Return a @ b."""
    out = a.new_empty(shape_of_product(a, b))
    multiply(a, b, out, threads)
    return out


#: # TODO: the other operator, the fake kernels and the gradient
# BEGIN SOLUTION
@torch.library.custom_op("lesson::matmul_out", mutates_args={"out"})
def product_into(a: Tensor, b: Tensor, out: Tensor, threads: int = 1) -> None:
    """Write a @ b to out."""
    multiply(a, b, out, threads)


@product.register_fake
def _(a, b, threads=1):
    batch = torch.broadcast_shapes(a.shape[:-2], b.shape[:-2])
    return a.new_empty(*batch, a.shape[-2], b.shape[-1])


@product_into.register_fake
def _(a, b, out, threads=1):
    return None


def _save(ctx, inputs, output):
    a, b, ctx.threads = inputs
    ctx.save_for_backward(a, b)


def _gradient(ctx, grad):
    a, b = ctx.saved_tensors
    of_a = of_b = None
    if ctx.needs_input_grad[0]:
        of_a = product(grad, b.mT, ctx.threads).sum_to_size(a.shape)
    if ctx.needs_input_grad[1]:
        of_b = product(a.mT, grad, ctx.threads).sum_to_size(b.shape)
    return of_a, of_b, None


product.register_autograd(_gradient, setup_context=_save)
# END SOLUTION


def matmul(a, b, *, out=None, threads=1):
    """Return the product of two matrices or batches of matrices, in `out` if it is given."""
    #: # TODO
    #: return product(tensor_of(a), tensor_of(b), threads)
    # BEGIN SOLUTION
    threads = operator.index(threads)
    if isinstance(a, Tensor):
        if out is None:
            return product(a, b, threads)
        product_into(a, b, out, threads)
        return out
    x, y = tensor_of(a), tensor_of(b)
    if out is None:
        return product(x, y, threads).numpy()
    target = tensor_of(out)
    if not out.flags.writeable:
        raise ValueError("out must be writable")
    product_into(x, y, target, threads)
    return out
    # END SOLUTION
