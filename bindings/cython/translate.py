"""Translate the pages to C: `python translate.py INCLUDES DESTINATION`.

A page is translated again if it, or a file that pages share, is newer than its C file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from Cython.Compiler.Main import CompilationOptions, compile

HERE = Path(__file__).resolve().parent


def main(includes: Path, destination: Path) -> int:
    """Translate the pages that are out of date, and return the number of errors."""
    shared = [Path(__file__), *HERE.rglob("*.pxd"), *includes.iterdir()]
    newest = max(path.stat().st_mtime for path in shared)
    packages = destination / "packages"  # the path below which cimport finds them by their names
    packages.joinpath("ffi_cookbook").mkdir(parents=True, exist_ok=True)
    packages.joinpath("ffi_cookbook", "__init__.py").touch()
    bindings = packages / "ffi_cookbook" / "bindings"
    if not bindings.exists():
        bindings.symlink_to(HERE.parent)
    errors = 0
    for page in sorted(HERE.rglob("*.pyx")):
        name = page.relative_to(HERE).with_suffix("")
        output = destination / name.with_suffix(".c")
        if output.exists() and output.stat().st_mtime > max(newest, page.stat().st_mtime):
            continue
        output.parent.mkdir(parents=True, exist_ok=True)
        options = CompilationOptions(
            language_level=3, include_path=[str(includes), str(packages)], output_file=str(output)
        )
        module = ".".join(("ffi_cookbook", "bindings", "cython", *name.parts))
        errors += compile(str(page), options, full_module_name=module).num_errors
    return errors


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2])))
