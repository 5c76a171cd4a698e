"""The rules that a solution can break, each with the sentence that a learner reads."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def sentences() -> dict[str, str]:
    """Return the sentence of each rule, the most telling rule first."""
    return tomllib.loads(Path(__file__).with_name("rules.toml").read_text("utf-8"))


ANSWERS = {"unexpected-exception", "no-exception", "wrong-exception", "wrong-answer"}
"""The rules about answers, of which the first case that fails says most."""


def rank(rule: str) -> int:
    """Return the place of a rule among the rules; raise ValueError if there is no such rule."""
    return list(sentences()).index("wrong-answer" if rule in ANSWERS else rule)
