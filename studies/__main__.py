"""`python -m studies NAME`: run a study; `pages [--check]` writes the pages from the stored runs.

Run it in the folder of the project. `NAME --help` lists the options of a study.
"""

import os
import sys
from importlib import import_module

from benchmarks.core.process import SINGLE
from studies import NAMES


def pages(check: bool) -> int:
    """Write the page of every study; or return 1 if one differs from its stored run."""
    from benchmarks.core.pages import replace

    stale = 0
    for name in NAMES:
        for path, text in import_module(f"studies.{name}").STUDY.written().items():
            if path.read_text("utf-8") != text:
                stale += 1
                print(f"{path} differs from the stored run")
                if not check:
                    replace(path, text)
    return int(check and stale > 0)


def main(arguments: list[str]) -> int:
    """Run a command; the measured libraries get one thread each, unless the study sets more."""
    os.environ |= SINGLE  # before NumPy is imported, which reads it
    if arguments[:1] == ["pages"]:
        return pages("--check" in arguments)
    if not arguments or arguments[0] not in NAMES:
        print(f"{__doc__}\nThe studies: {', '.join(NAMES)}.")
        return 2
    name, *rest = arguments
    return int(import_module(f"studies.{name}").STUDY.main(rest) or 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
