def windows(x, size):
    return x[None].unfold(1, size, 1)[0]


def heads(x, n):
    split = x.view(*x.shape[:-1], n, x.shape[-1] // n)
    return split.permute(*range(x.dim() - 2), -2, -3, -1)


def merged(x):
    moved = x.permute(*range(x.dim() - 3), -2, -3, -1)
    try:
        return moved.view(*moved.shape[:-2], -1)
    except RuntimeError:
        return moved.contiguous().view(*moved.shape[:-2], -1)


def flat(x):
    same = x.view(-1)
    if same.untyped_storage().data_ptr() != x.untyped_storage().data_ptr():
        raise RuntimeError("a copy would be needed")
    return same
