def windows(x, size):
    (step,) = x.stride()
    return x.as_strided((len(x) - size + 1, size), (step, step))


def heads(x, n):
    *batch, time, width = x.shape
    *steps, row, column = x.stride()
    d = width // n
    return x.as_strided((*batch, n, time, d), (*steps, d * column, row, column))


def merged(x):
    moved = x.transpose(-3, -2)
    return moved.reshape(*moved.shape[:-2], moved.shape[-2] * moved.shape[-1])


def flat(x):
    return x.view(x.numel())
