"""`python benchmarks/readers`: see command.py."""

import sys
from pathlib import Path

if __name__ == "__main__":
    sys.path[0] = str(Path(__file__).parents[1])
    from readers.command import main

    sys.exit(main())
