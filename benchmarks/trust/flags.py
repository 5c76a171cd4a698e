"""The flags of every unit: each must be for speed, and all bindings must have the same.

The permitted differences are listed here. All other flags, macros included, must be those of most
units.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

HARM = re.compile(
    r"-Ofast|-ffast-math|-funsafe-math-optimizations|-f(?:sanitize|instrument)\S*"
    r"|-fprofile-(?:arcs|generate)\S*|--?coverage|-pg|-f(?:lto|whole-program)\S*"
)
PRAGMA = re.compile(
    r"(?:GCC|clang) +(?:optimize|target|attribute)\b|(?:gnu|clang)::_*(?:optimize|optnone|target)"
    r"|__attribute__ *\(\( *_*(?:optimize|optnone|target)|target_feature|\[optimize"
    r"|# *cython *:.*\b(?:profile|linetrace) *="
)
"""What a page would change its own flags with, unseen by all who read the command line."""
NEUTRAL = re.compile(
    r"-[oc]|-(?:I|isystem|W|M|std=|O)\S*|-D\w+_EXPORTS(?:=\S*)?|-D(?:CK_FLAGS\S*|NDEBUG)"
    r"|-f(?:PIC|visibility\S*|asynchronous-unwind-tables|file-prefix-map\S*"
    r"|(?:no-)?record-(?:gcc-switches|command-line))|-ffp-contract=off|--driver-mode=\S+"
)
"""Paths, warnings, languages, where a symbol is seen, and how kernels round (always alike)."""
OF_A_DISTRIBUTION = re.compile(r"-fstack-protector-strong|-fstack-clash-protection|-fcf-protection")
"""What a distribution's compiler does by default, unless a tool switches it off."""
OF_A_TOOL = {
    "nanobind": re.compile(
        r"-mtls-dialect=gnu2|-f(?:function|data)-sections|-fno-(?:stack-protector|strict-aliasing)"
        r"|-DNB_\S+|-Os"
    ),
    "cython": re.compile(r"-DNPY_\S+|-DCYTHON_\S+"),
    "torch": re.compile(r"-DTORCH_TARGET_VERSION\S*"),
}
"""What a technology's own build gives to all of its users."""
RUST = {"embed-bitcode=no", "strip=debuginfo"}
"""What Cargo gives by default, besides the level."""
PER_CRATE = re.compile(r"(?:metadata|extra-filename|incremental|linker|link-arg\S*)=.*")


def described(unit: Mapping[str, Any], backend: str) -> list[str]:
    """Return the compiler and the flags that decided a unit's code, or the fault.

    gcc records its language and version first: `GNU C17 12.2.0 -O3`.
    """
    command, record = str(unit["command"]).split(), str(unit["record"]).split()
    if "rustc" in command[0]:
        return ["rustc", *sorted(_codegen(command))]
    if not record and not unit["lto"]:
        return ["no record of its flags"]
    compiler = f"GNU {record[2]}" if record[:1] == ["GNU"] else record[0] if record else ""
    levels = [word for word in record or command if word.startswith("-O")]
    flags = {word for word in (*record, *command) if word.startswith("-")}
    flags = {flag for flag in flags if not NEUTRAL.fullmatch(flag)}
    flags -= {flag for flag in {*record} - {*command} if OF_A_DISTRIBUTION.fullmatch(flag)}
    if own := OF_A_TOOL.get(backend):
        flags = {flag for flag in flags if not own.fullmatch(flag)}
    if unit["lto"]:
        flags.add("-flto")
    return [compiler, (levels or ["-O0"])[-1], *sorted(flags)]


def _codegen(command: Sequence[str]) -> Iterator[str]:
    """Yield the code generation options of a command of rustc, without those that name its crate.

    `-C debug-assertions=off` does not count: it is the default.
    """
    words = " ".join(command).replace("-C ", "-C").split()
    for word in words:
        if word.startswith("-Z") or (word.startswith("-C") and not PER_CRATE.fullmatch(word[2:])):
            yield word.removeprefix("-C")


def harm(flags: Sequence[str]) -> Iterator[str]:
    """Yield the faults of one unit's flags."""
    compiler, *given = flags
    if compiler == "rustc":
        if "opt-level=3" not in given:
            yield "was compiled without opt-level=3"
        yield from (f"was compiled with {one}" for one in {*given} - RUST - {"opt-level=3"})
    elif not given:
        yield f"has {compiler}"
    else:
        if given[0] not in ("-O2", "-O3"):
            yield f"was compiled with {given[0]}"
        yield from (f"was compiled with {flag}" for flag in given if HARM.fullmatch(flag))


def apart(backends: Mapping[str, Mapping[str, Sequence[str]]]) -> Iterator[tuple[str, str]]:
    """Yield, by binding, the units whose flags differ from those of most units."""
    units = [
        (name, file, tuple(flags))
        for name, by_file in backends.items()
        for file, flags in by_file.items()
        if flags[0] != "rustc" and len(flags) > 1
    ]
    usual = Counter(flags for _, _, flags in units).most_common(1)
    for name, file, flags in units:
        if flags != usual[0][0]:
            found, others = (" ".join(one) for one in (flags, usual[0][0]))
            yield name, f"{file} was compiled with {found}, others with {others}"
