"""The report as one page of HTML that needs nothing but itself: bench/report.html.

`page.html` is the template, the style and the scripts are put into it. Charts are made here, by
matplotlib; what the script needs to show the samples and the source behind a cell is one compressed
block of JSON, which is also what the page gives to download.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from benchmarks.report import beyond, even
from benchmarks.report.page import bars, block, charts, ledger, saved, words
from benchmarks.report.table import LEGEND

HERE = Path(__file__).parent


def html(document: dict[str, Any]) -> str:
    """Return the whole page of a saved document."""
    results = saved.read(document)
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.globals["file"] = lambda name: (HERE / name).read_text("utf-8")
    return environment.get_template("page.html").render(
        headline=words.headline(results),
        warnings=words.warnings(results),
        card=words.card(results, document),
        command=words.command(results),
        missing=words.missing(results),
        backends=words.backends(results),
        ledger=ledger.ledger(results),
        legend=LEGEND,
        variants=ledger.variants(results),
        charts=charts.charts(results),
        kernels=bars.kernels(results),
        beyond=bars.beyond(results),
        growth=[*even.even(results), *even.predictions(results)],
        tables=[beyond.whole(results), *beyond.scaling(results)] if results.beyond else [],
        block=block.compressed(block.block(results, document)),
    )
