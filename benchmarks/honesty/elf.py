"""What a compiled file says of how it was made."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from elftools.elf.elffile import ELFFile

MAGIC = b"\x7fELF"


class Made(NamedTuple):
    """The compilers of a file, and the command line of each of its units where they wrote it."""

    compilers: list[str]
    commands: list[str]


def made(path: Path) -> Made | None:
    """Of an ELF file; None of any other, which says nothing."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            return None
        elf = ELFFile(file)
        return Made(_strings(elf, ".comment"), _strings(elf, ".GCC.command.line"))


def _strings(elf: ELFFile, name: str) -> list[str]:
    section = elf.get_section_by_name(name)
    data = section.data() if section else b""
    return sorted({text.decode(errors="replace") for text in data.split(b"\0") if text})
