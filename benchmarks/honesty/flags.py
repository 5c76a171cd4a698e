"""The compilers' flags: each file's must be for speed, and all bindings' for the same machine.

The flags that decide the generated code are compared, with two exceptions: the C kernels have
`-ffp-contract=off` in every binding, to give the same sums on every machine; and nanobind passes
`-mtls-dialect=gnu2` to all its users, which is part of the tool.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

HARM = re.compile(
    r"-Ofast|-ffast-math|-funsafe-math-optimizations|-f(?:sanitize|instrument)\S*"
    r"|-fprofile-(?:arcs|generate)\S*|--?coverage|-pg"
)
RUST_HARM = re.compile(
    r"opt-level=(?!3\b)\S*|profile=(?!release\b)\S*|(?:debug-assertions|overflow-checks)\S*"
    r"|target-(?:cpu|feature)=\S*|sanitizer=\S*"
)
DECIDES = re.compile(
    r"-m\S+|-f(?:no-)?(?:lto|fp-|\w*-?math|signed-zeros|tree-|inline|unroll|profile|plt)\S*"
)
EXPECTED = {"-ffp-contract=off", "-mtls-dialect=gnu2"}


class Unit(NamedTuple):
    """What decided the code of some source: the compiler, and its flags in order."""

    compiler: str
    flags: tuple[str, ...]

    def __str__(self) -> str:
        return " ".join((self.compiler, *self.flags)).strip()


def level(command: str) -> str:
    """Return the optimisation level; the last -O wins."""
    return ([word for word in command.split() if word.startswith("-O")] or ["-O0"])[-1]


def unit(command: str) -> Unit:
    """Split a unit; gcc begins with language and version, `GNU C17 12.2.0`, clang with its path."""
    words = command.split()
    compiler = f"{words[0]} {words[2]}" if words[0] == "GNU" else ""
    decisive = {word for word in words if DECIDES.fullmatch(word)} - EXPECTED
    return Unit(compiler, (level(command), *sorted(decisive)))


def harm(file: Mapping[str, Any], about: Mapping[str, str]) -> Iterator[str]:
    """Return what is wrong with a single file."""
    if "commands" not in file:  # not ELF: other formats do not record the command
        return
    if any("rustc" in compiler for compiler in file["compilers"]):
        flags = about.get("flags", "")
        if found := RUST_HARM.findall(flags):
            yield f"was compiled with {' '.join(found)}"
        elif "opt-level=3" not in flags:
            yield "does not say with which flags it was compiled"
    elif not file["commands"]:
        yield "does not say with which flags it was compiled"
    for command in file["commands"]:
        if level(command) not in ("-O2", "-O3"):
            yield f"was compiled with {level(command)}"
        yield from (f"was compiled with {flag}" for flag in HARM.findall(command))


def apart(backends: Mapping[str, list[Mapping[str, Any]]]) -> Iterator[tuple[str, str]]:
    """By binding, the files that were not compiled as most are."""
    units = [
        (name, file["path"], unit(command))
        for name, files in backends.items()
        for file in files
        for command in file.get("commands", [])
    ]
    counted = Counter(one for _, one in dict.fromkeys((path, one) for _, path, one in units))
    usual = max(counted, key=counted.__getitem__, default=None)
    for name, path, one in units:
        if one != usual:
            yield name, f"{path} was compiled with {one}, others with {usual}"
