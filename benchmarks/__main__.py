"""`python -m benchmarks COMMAND`, in the folder of the project.

run        check every binding, and measure what a call of each costs (`run --help`); the default
compare    say what changed between two saved runs
gate       count the instructions of calls, and compare them with the committed counts
count      print the instructions of calls: `count --only capi --row add_int --times 3`
pages      write the figures of the stored run into README.md and docs; `--check` only compares
site       write the pages of the site into a new folder, for Sphinx

The benchmark starts its own processes as `python benchmarks MODULE JSON`.
"""

import os
import sys
from importlib import import_module
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMANDS = {
    "run": "ledger.command",
    "compare": "ledger.compare",
    "gate": "ledger.instructions.gate",
    "count": "ledger.instructions.gate",
    "pages": "docs.splice",
    "site": "docs.site",
}


def main() -> int:
    """Run a command; the measured libraries get one thread each, unless the command sets more."""
    from benchmarks.core.process import SINGLE

    os.environ |= SINGLE  # before NumPy is imported, which reads it
    name, *arguments = sys.argv[1:] or ["run"]
    if name not in COMMANDS and "." not in name:
        print(__doc__)
        return 2
    if name == "count":
        arguments = [name, *arguments]
    module = import_module(f"benchmarks.{COMMANDS.get(name, name)}")
    return int(module.main(arguments) or 0)


if __name__ == "__main__":
    if sys.path[0] == str(HERE):  # started by its path
        del sys.path[0]
    sys.path.insert(0, str(HERE.parent))
    sys.exit(main())
