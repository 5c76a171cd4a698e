"""Print the lines of every part of the project beside its budget; exit with 1 if one is exceeded.

The budgets stand in pyproject.toml, by folders; a file counts for the longest folder that holds it.
They may only fall: one that leaves more than 3 % unused fails too, until it is lowered.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
NOT_COUNTED = re.compile(r"\.json$|\.lock$|/corpus_")
SLACK = 0.03


def main() -> int:
    """Run the check."""
    budgets = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["budgets"]
    folders = {folder: name for name in budgets for folder in name.split()}
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    found = Counter[str]()
    for name in listed.stdout.decode().split("\0"):
        path = ROOT / name
        if NOT_COUNTED.search(name) or not path.is_file() or b"\0" in (data := path.read_bytes()):
            continue
        parents = [str(folder) for folder in Path(name).parents]
        found[folders[next(parent for parent in parents if parent in folders)]] += data.count(b"\n")
    faults = 0
    for name, budget in budgets.items():
        wrong = found[name] > budget or found[name] < budget * (1 - SLACK)
        faults += wrong
        print(f"{name:32} {found[name]:8,} <= {budget:8,}{'  MISSED' if wrong else ''}")
    print(f"{'all':32} {found.total():8,}")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
