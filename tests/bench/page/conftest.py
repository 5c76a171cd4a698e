"""One report page with all of its parts, made once for all tests."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook
from benchmarks.ledger import rows as rows_module
from benchmarks.ledger import storage
from benchmarks.report import page
from support.backends import NATIVE, missing, needs

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
PROCESSES, ROUNDS = 6, 7
CONTENDERS = [name for name in ffi_cookbook.names() if name != "numpy"] + [
    "capi again",
    "capi beside torch",
    "capi idiomatic",
    "ctypes idiomatic",
    "cffi idiomatic",
    "pybind11 idiomatic",
]

needs("jinja2")
needs("matplotlib")


def samples(center: float, order: random.Random) -> list[list[float]]:
    """Return samples as they are measured: close to each other, and sometimes disturbed."""
    return [
        [
            float(f"{center * order.uniform(1, 1.05) * order.choice((1,) * 9 + (1.3,)):.4g}")
            for _ in range(ROUNDS)
        ]
        for _ in range(PROCESSES)
    ]


@pytest.fixture
def document(results: Any) -> dict[str, Any]:
    """Return a usual run: all bindings, 15 contenders a row, and the other measurements."""
    order = random.Random(1)
    results.backends["pyo3"] = results.backends["capi"]
    groups = {group: list(cells) for group, cells in results.cells.items()}
    results.cells.clear()
    for group, names in groups.items():
        pattern = group.startswith("pattern ")
        beside = samples(5e-9, order)
        for number, name in enumerate(CONTENDERS if pattern else [*names, "pyo3"]):
            taken = samples(1.5e-8 * 1.6 ** (number % 9) * order.uniform(1, 1.4), order)
            for one, other in zip(taken, beside, strict=True):
                sample = {"seconds": one, "beside": other} if pattern else {"seconds": one}
                results.add(group, {name: {**sample, "work": 2e3}})
    rows = list(rows_module.ALL)
    results.instructions = {
        row: {
            contender: {"instructions": order.randint(90, 9000), "gross": 1.0}
            for contender in CONTENDERS
        }
        for row in rows
    }
    results.beyond = {binding: _beyond(rows) for binding in results.open_backends}
    results.model = {
        "break_even": {
            kernel: dict.fromkeys(NATIVE, _crossing()) for kernel in ("matmul", "decode", "encode")
        }
    }
    saved: dict[str, Any] = json.loads(json.dumps(storage.as_json(results)))
    return saved


def _crossing() -> dict[str, Any]:
    sizes = [2**power for power in range(12)]
    return {
        "sizes": sizes,
        "backend_s": [1e-7 + size * 1e-8 for size in sizes],
        "alone_s": [size * 1e-8 for size in sizes],
        "overhead_s": 1e-7,
        "measured": {"5%": [190.0, 180.0, 200.0], "1%": [990.0, 950.0, None]},
        "predicted": {"5%": 190.0, "1%": None},
    }


def _beyond(rows: list[str]) -> dict[str, Any]:
    return {
        "lines": {"matmul": 40, "idiomatic": 9, "fast": 3, "total": 400},
        "sizes": {"own": {"patterns.so": [90_000, 80_000]}, "support": {}, "required": {}},
        "imports": {"warm": [0.01] * 3, "cold": [0.02] * 2, "technology": [], "files": 4},
        "builds": {"cold": [3.5, 3.0], "again": [1.0, 0.9]},
        "scaling": {"decode": {"threads": 2, "one": [[1.0]] * 2, "all": [[1.1]] * 2}},
        "allocations": {
            row: {
                contender: {"calls": 1.0, "bytes": 64.0, "per_byte": None}
                for contender in CONTENDERS
            }
            for row in rows
        },
    }


@pytest.fixture
def html() -> Callable[[dict[str, Any]], str]:
    made: Callable[[dict[str, Any]], str] = page.html
    return made


MADE: list[str] = []


@pytest.fixture
def whole(request: pytest.FixtureRequest) -> str:
    """Return the page with all of its parts."""
    if not MADE:
        html, document = map(request.getfixturevalue, ("html", "document"))
        MADE.append(html(document))
    return MADE[0]


@pytest.fixture
def data(whole: str) -> dict[str, Any]:
    """Return the data that the page carries."""
    found = re.search(r'type="application/gzip">([^<]+)<', whole)
    assert found
    carried: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return carried


@pytest.fixture
def chromium() -> Iterator[Any]:
    playwright = needs("playwright.sync_api")
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        missing("chromium")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture
def opened(chromium: Any, whole: str, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Open the page, and fail afterwards if it logged an error or requested anything."""
    path, found = tmp_path / "report.html", []
    path.write_text(whole, "utf-8")

    def opened(where: str = "", **options: Any) -> Any:
        page = chromium.new_context(**options).new_page()
        page.on("console", lambda message: found.append(message.text))
        page.on("pageerror", lambda error: found.append(str(error)))
        page.on(
            "request",
            lambda request: (
                request.url.startswith(("file:", "data:", "blob:")) or found.append(request.url)
            ),
        )
        page.goto(path.as_uri() + where)
        if options.get("java_script_enabled", True):
            page.wait_for_selector("html.live")
        return page

    yield opened
    assert not found
