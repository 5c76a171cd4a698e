"""Run the kernels of exercise.cu on a GPU.

The checker runs them on the CPU, one thread after another. This is the other half: nvcc builds a
library, and its functions get device tensors.
"""

import ctypes
import subprocess
import sys
from pathlib import Path

import torch

HERE = Path(__file__).resolve().parent


class Matrix(ctypes.Structure):
    """The struct of matrix.cuh."""

    _fields_ = [("data", ctypes.c_void_p)] + [
        (name, ctypes.c_int64) for name in ("rows", "columns", "row_stride", "column_stride")
    ]


def main() -> int:
    """Return 0 if both functions are right for all matrices, 1 if not, 2 without a GPU."""
    if not torch.cuda.is_available():
        print("not run: torch finds no CUDA device here")
        return 2
    major, minor = torch.cuda.get_device_capability()
    options = ["-std=c++20", f"-arch=sm_{major}{minor}", "-shared", "-Xcompiler", "-fPIC"]
    subprocess.run(["nvcc", *options, "-o", "exercise.so", "exercise.cu"], cwd=HERE, check=True)
    library = ctypes.CDLL(str(HERE / "exercise.so"))
    stream = ctypes.c_void_p(torch.cuda.current_stream().cuda_stream)
    wrong = 0
    for rows, columns in ((1000, 300), (3, 100_000), (100_000, 3), (0, 5)):
        x = torch.randint(-99, 99, (columns, rows), device="cuda").float().t()
        factors = torch.randint(-9, 9, (rows,), device="cuda").float()
        matrix = Matrix(x.data_ptr(), rows, columns, *x.stride())
        for name, expected, more in (
            ("scale_rows", x * factors[:, None], [ctypes.c_void_p(factors.data_ptr())]),
            ("column_sums", x.sum(0), []),
        ):
            out = torch.empty(expected.shape, device="cuda")
            code = getattr(library, name)(ctypes.c_void_p(out.data_ptr()), matrix, *more, stream)
            right = code == 0 and torch.equal(out, expected)
            wrong += not right
            print("right" if right else f"WRONG (code {code})", f"{name} of {rows} x {columns}")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
