"""Write four functions that return views: tensors over the memory of their argument.

    windows(x, size)   all windows of `size` successive items of a 1-D tensor: (n - size + 1, size)
    heads(x, n)        (..., time, n * d) -> (..., n, time, d), as attention splits its heads
    merged(x)          (..., n, time, d) -> (..., time, n * d), the inverse of heads
    flat(x)            all items of x in one dimension

    >>> exercise.windows(torch.tensor([1, 2, 3, 4]), 3)
    tensor([[1, 2, 3],
            [2, 3, 4]])

The arguments may have any strides. windows and heads never copy. merged copies only where no
strides can describe the result; for a result of heads it never does. flat never copies: it raises
RuntimeError where no single stride can describe all items.
"""


def windows(x, size):
    """Return all windows of successive items."""
    #: # TODO
    # BEGIN SOLUTION
    return x.unfold(0, size, 1)
    # END SOLUTION


def heads(x, n):
    """Return the n heads that lie side by side in the last dimension."""
    #: # TODO
    # BEGIN SOLUTION
    return x.unflatten(-1, (n, -1)).transpose(-3, -2)
    # END SOLUTION


def merged(x):
    """Return the heads side by side again."""
    #: # TODO
    # BEGIN SOLUTION
    return x.transpose(-3, -2).flatten(-2)
    # END SOLUTION


def flat(x):
    """Return all items in one dimension."""
    #: # TODO
    # BEGIN SOLUTION
    return x.view(-1)
    # END SOLUTION
