def windows(x, size):
    """Return all windows of successive items."""
    return x.unfold(0, size, 1)


def heads(x, n):
    """Return the n heads that lie side by side in the last dimension."""
    return x.unflatten(-1, (n, -1)).transpose(-3, -2)


def merged(x):
    """Return the heads side by side again."""
    return x.transpose(-3, -2).flatten(-2)


def flat(x):
    """Return all items in one dimension."""
    return x.view(-1)
