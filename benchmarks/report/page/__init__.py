"""The report as one self-contained page of HTML: bench/report.html.

`page.html` is the template, into which the style and the scripts are put. matplotlib makes the
charts. The samples and the source of every cell are one compressed block of JSON, which the page
also offers for download.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from benchmarks.report import beyond, even, guide
from benchmarks.report.facts import headline
from benchmarks.report.ledger import variants
from benchmarks.report.page import bars, block, charts, choice, history, ledger, saved, words
from benchmarks.report.table import LEGEND

HERE = Path(__file__).parent


def _code(text: str) -> Markup:
    """Mark the text between backticks as code."""
    return Markup(re.sub(r"`([^`]+)`", r"<code>\1</code>", str(escape(text))))


def html(document: dict[str, Any], before: Sequence[dict[str, Any]] = ()) -> str:
    """Return the whole page of a saved document, with the runs before it."""
    results = saved.read(document)
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters["code"] = _code
    environment.globals["file"] = lambda name: (HERE / name).read_text("utf-8")
    return environment.get_template("page.html").render(
        guide=guide,
        warnings=words.warnings(results),
        valid=words.valid(results),
        headline=headline(results),
        card=words.card(results, document),
        command=words.command(results),
        missing=words.missing(results),
        backends=words.backends(results),
        cards=choice.cards(results),
        ledger=ledger.ledger(results),
        legend=LEGEND,
        variants=variants(results),
        charts=charts.charts(results),
        kernels=bars.kernels(results),
        growth=[*even.even(results), *even.predictions(results)],
        tables=[beyond.whole(results), *beyond.scaling(results)] if results.beyond else [],
        history=history.history(document, list(before)),
        block=block.compressed(block.block(results, document)),
    )
