"""Random matrices of several strides and sizes, scaled and summed by emulated grids."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, drive

NOTED = (
    (Raises(RuntimeError, "two threads"), "race"),
    (Raises(RuntimeError, "waited"), "waited"),
    (Raises(RuntimeError, "launch failed"), "bad-launch"),
    (Raises(RuntimeError, "stream"), "wrong-stream"),
)
KINDS = {"contiguous": (1, 1), "transposed": (1, 1), "spread": (3, 2)}


def made(draw, kind, rows, columns):
    """Return memory that ends with the last item of the matrix, and the sizes and strides."""
    if kind == "transposed":
        strides = (1, rows)
    else:
        down, right = KINDS[kind]
        strides = (columns * right * down, right)
    n = max(1, (rows - 1) * strides[0] + (columns - 1) * strides[1] + 1)
    return np.array(draw.floats(n), "float32"), (rows, columns, *strides)


def cases(draw):
    """Yield products and sums of matrices, empty ones and long ones."""
    sizes = [(draw.randint(3, 9), draw.randint(30, 40)), (draw.randint(30, 40), draw.randint(3, 9))]
    empty = [(0, 5), (5, 0)]
    long = [(100_000, 1), (1, 100_000)]
    for rows, columns in (*sizes, *empty, *long):
        for kind in KINDS if (rows, columns) in sizes else ("contiguous",):
            data, steps = made(draw, kind, rows, columns)
            items = np.lib.stride_tricks.as_strided(
                data, (rows, columns), [4 * step for step in steps[2:]]
            )
            factors = np.array(draw.floats(max(rows, 1)), "float32")
            scaled = (items * factors[:rows, None]).ravel()
            sums = items.sum(0, dtype="float32")
            for name, expected, more in (
                ("scale_rows", scaled, (factors,)),
                ("column_sums", sums, ()),
            ):
                yield drive(
                    "run",
                    name,
                    data,
                    steps,
                    expected.size,
                    *more,
                    gives=expected,
                    rule="wrong-answer" if kind == "contiguous" else "wrong-strides",
                    mistakes=NOTED,
                    repeat=20 if (rows, columns, kind) == (*sizes[0], "contiguous") else 0,
                    says=f"{name} of a {kind} matrix of {rows} x {columns}",
                )
