"""Arrays with several memory layouts, and the lifetime of results."""

import numpy as np


def array(values, order):
    """Return an array of the values whose memory lies as `order` says."""
    if order == "spread":
        return np.stack([values, values + 1e9], axis=1)[:, 0]
    if order == "reversed":
        around = np.full(3 * len(values), 1e9)
        around[len(values) : 2 * len(values)] = values[::-1]
        return around[len(values) : 2 * len(values)][::-1]
    values = values.copy()
    values.flags.writeable = order != "read-only"
    return values


def kept(subject, n):
    """Return whether both results are unchanged when nothing else holds the values."""
    results = [subject.means(np.ones(n), 2), subject.windows(np.ones(n), 2)]
    others = [np.full(n - 1, 7.0), np.full(n, 7.0), np.full(n - 1, 7.0)]
    return [bool((result == 1).all()) and len(others) == 3 for result in results]


def viewed(subject, n):
    """Return whether windows follows its values, and whether it can be written to."""
    values = np.ones(n)
    view = subject.windows(values, 3)
    values[4] = 5
    return [bool(view[2, 2] == 5 and view[4, 0] == 5), view.flags.writeable]


def fresh(subject, n):
    """Return whether means shares memory with the values, and whether it can be written to."""
    values = np.ones(n)
    result = subject.means(values, 1)
    return [np.may_share_memory(values, result), result.flags.writeable]
