"""`python benchmarks [COMMAND]`: the ledger (the default), a study, the gate, pages, the site.

The benchmark starts its own processes as `python benchmarks MODULE JSON`.
"""

import os
import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

HERE = Path(__file__).resolve().parent
COMMANDS = {
    "ledger": "ledger.command",
    "matmul": "studies.matmul",
    "records": "studies.records",
    "tokenizer": "studies.tokenizer",
    "experts": "studies.experts",
    "gate": "ledger.instructions.command",
    "pages": "docs.splice",
    "site": "docs.site",
}


def load_package() -> None:
    """Import this folder as `benchmarks`, even if another package of that name is installed."""
    spec = spec_from_file_location("benchmarks", HERE / "__init__.py")
    assert spec is not None
    assert spec.loader is not None
    package = sys.modules["benchmarks"] = module_from_spec(spec)
    spec.loader.exec_module(package)


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
    sys.path.append(str(HERE.parent))  # after the installed packages, `bindings` among them
    load_package()
    sys.exit(main())
