"""`python benchmarks/limits`: see command.py."""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    from workers import SINGLE

    os.environ |= SINGLE  # before NumPy is imported: its threads would meet ours
    from limits.command import main

    sys.exit(main())
