"""A type caster of nanobind must not throw: containers of the type would end the process."""

from __future__ import annotations

import re
from pathlib import Path

CASTER = re.compile(r"\bfrom_(?:python|cpp)\((?P<arguments>[^()]*)\)(?P<promise>[^{;]*)\{")
SOURCES = Path(__file__).parents[2] / "bindings" / "nanobind"


def test_each_caster_has_the_signature_of_nanobind() -> None:
    found = [
        (path.name, caster)
        for path in sorted(SOURCES.rglob("*.?pp"))
        for caster in CASTER.finditer(path.read_text("utf-8"))
    ]
    assert {name for name, _ in found} >= {"plain.hpp", "fast.cpp"}
    for name, caster in found:
        assert "noexcept" in caster["promise"], name
        assert "uint8_t" not in caster["arguments"], name
