"""`python benchmarks/encoders`: see command.py."""

import os
import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    from workers import SINGLE

    os.environ |= SINGLE  # before a library is imported that would start threads
    from encoders.command import main

    sys.exit(main())
