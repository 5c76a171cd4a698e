"""`python benchmarks [COMMAND]`: the ledger (the default), a study, the gate, or the pages.

The benchmark starts its own processes as `python benchmarks MODULE JSON`.
"""

import os
import sys
from importlib import import_module
from pathlib import Path

COMMANDS = {
    "ledger": "ledger.command",
    "matmul": "studies.matmul",
    "records": "studies.records",
    "tokenizer": "studies.tokenizer",
    "experts": "studies.experts",
    "gate": "ledger.instructions.command",
    "pages": "docs.splice",
}


def main() -> int:
    """Run a command; the measured libraries get one thread each, unless the command sets more."""
    from benchmarks.core.process import SINGLE

    os.environ |= SINGLE  # before NumPy is imported, which reads it
    name, arguments = "ledger", sys.argv[1:]
    if arguments and (arguments[0] in COMMANDS or "." in arguments[0]):
        name, *arguments = arguments
    module = import_module(f"benchmarks.{COMMANDS.get(name, name)}")
    return int(module.main(arguments) or 0)


if __name__ == "__main__":
    sys.path.remove(str(Path(__file__).parent))
    sys.path.append(str(Path(__file__).resolve().parents[1]))  # after the installed packages
    sys.exit(main())
