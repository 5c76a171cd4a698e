"""Time attention in a window beside the forms that PyTorch has for it on a processor.

    python examples/attention_speed.py [TOKENS]       # needs the package torch, and a C++ compiler

One thread, float32, processor time. All results are near those of blocks in float64. The forms take
turns: a figure is the median of the ratios of nine rounds, with the least and the greatest.
"""

import sys
import time
from operator import truediv
from statistics import median

import torch
from attention_forms import Calls, calls


def compare(title: str, forms: Calls) -> None:
    """Print the time of each form, and its ratio to ours."""
    times: dict[str, list[float]] = {name: [] for name in forms}
    for _ in range(10):  # the first one warms up
        for name, work in forms.items():
            start = time.process_time()
            work()
            times[name].append(time.process_time() - start)
    for name, (_, *found) in times.items():
        ratios = sorted(map(truediv, found, times["ours"][1:]))
        print(f"{title:15} {name:17} {1e3 * median(found):6.1f} ms {median(ratios):.2f} x", end="")
        print(f" [{ratios[0]:.2f}, {ratios[-1]:.2f}]")


def main() -> None:
    """Compare with cap and sink, and without both."""
    torch.set_num_threads(1)
    for title, forms in calls(*map(int, sys.argv[1:])).items():
        compare(title, forms)


if __name__ == "__main__":
    main()
