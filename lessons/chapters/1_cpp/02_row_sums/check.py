"""The row sums of views that NumPy makes without a copy."""

import numpy as np

from ffi_cookbook_lessons.cases import drive

VIEWS = {
    "a": lambda a: a,
    "a.T": lambda a: a.T,
    "a[::-1]": lambda a: a[::-1],
    "a[:, ::-1]": lambda a: a[:, ::-1],
    "a[::-2, 1::3]": lambda a: a[::-2, 1::3],
    "a.T[::2, ::-1]": lambda a: a.T[::2, ::-1],
    "np.broadcast_to(a[:, :1], a.shape)": lambda a: np.broadcast_to(a[:, :1], a.shape),
    "a[:, :0]": lambda a: a[:, :0],
    "a[:0]": lambda a: a[:0],
}


def cases(draw):
    """Yield each view of a random matrix, with sums that are exact in any order."""
    for how, view in VIEWS.items():
        rows = draw.randint(3, 9)
        columns = rows + draw.randint(2, 5)
        a = np.array(draw.floats(rows * columns)).reshape(rows, columns)
        yield drive(
            "row_sums",
            a,
            how,
            gives=view(a).sum(axis=1) + 0.0,
            rule="wrong-answer" if how == "a" else "wrong-strides",
            says=f"row_sums of {how}, a of shape {a.shape}",
        )
