"""Translate .pyx files to C: `python translate.py FOLDER PACKAGE DESTINATION`.

A file is translated again if it, or a .pxd file of the folder, is newer than its C file.
"""

from __future__ import annotations

import sys
from pathlib import Path

from Cython.Compiler.Main import CompilationOptions, compile


def main(folder: Path, package: str, destination: Path) -> int:
    """Translate the files that are out of date, and return the number of errors."""
    newest = max(path.stat().st_mtime for path in [Path(__file__), *folder.rglob("*.pxd")])
    packages = destination / "packages"  # the path below which cimport finds them by their names
    packages.joinpath("ffi_cookbook").mkdir(parents=True, exist_ok=True)
    packages.joinpath("ffi_cookbook", "__init__.py").touch()
    bindings = packages / "ffi_cookbook" / "bindings"
    if not bindings.exists():
        bindings.symlink_to(Path(__file__).resolve().parents[1])
    errors = 0
    for page in sorted(folder.rglob("*.pyx")):
        name = page.relative_to(folder).with_suffix("")
        output = destination / name.with_suffix(".c")
        if output.exists() and output.stat().st_mtime > max(newest, page.stat().st_mtime):
            continue
        output.parent.mkdir(parents=True, exist_ok=True)
        options = CompilationOptions(
            language_level=3, include_path=[str(packages)], output_file=str(output)
        )
        module = ".".join((package, *name.parts))
        errors += compile(str(page), options, full_module_name=module).num_errors
    return errors


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])))
