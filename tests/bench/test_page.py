"""The page: whole, small, on its own, and alive in a browser."""

from __future__ import annotations

import base64
import gzip
import json
import random
import re
import shutil
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from doors import NATIVE, missing, needs

import bindings

PROCESSES, ROUNDS = 6, 7
LIMIT = 300 * 1024
ARMS = [*(name for name in bindings.names() if name != "numpy"), "capi again"] + [
    f"{door} naive" for door in ("capi", "ctypes", "cffi", "pybind11")
]
CHROMIUM = ("chromium", "chromium-browser", "google-chrome")

needs("jinja2")
needs("matplotlib")


def samples(center: float, order: random.Random) -> list[list[float]]:
    """Rounds as they are: close to each other, now and then disturbed."""
    return [
        [
            float(f"{center * order.uniform(1, 1.05) * order.choice((1,) * 9 + (1.3,)):.4g}")
            for _ in range(ROUNDS)
        ]
        for _ in range(PROCESSES)
    ]


@pytest.fixture
def document(results: Any) -> dict[str, Any]:
    """A usual run's: every door open, 14 arms a row, everything measured beside the calls."""
    order = random.Random(1)
    results.doors["pyo3"] = results.doors["capi"]
    groups = {group: list(cells) for group, cells in results.cells.items()}
    results.cells.clear()
    for group, names in groups.items():
        probe = group.startswith("probe ")
        beside = samples(5e-9, order)
        for number, name in enumerate(ARMS if probe else [*names, "pyo3"]):
            taken = samples(1.5e-8 * 1.6 ** (number % 9) * order.uniform(1, 1.4), order)
            for one, other in zip(taken, beside, strict=True):
                sample = {"seconds": one, "beside": other} if probe else {"seconds": one}
                results.add(group, {name: {**sample, "work": 2e3}})
    rows = list(import_module("rows").ALL)
    results.instructions = {
        row: {arm: {"instructions": order.randint(90, 9000), "gross": 1.0} for arm in ARMS}
        for row in rows
    }
    results.beyond = {door: _beyond(rows) for door in results.open_doors}
    results.model = {
        "break_even": {
            kernel: dict.fromkeys(NATIVE, _crossing()) for kernel in ("matmul", "decode", "encode")
        }
    }
    saved: dict[str, Any] = json.loads(json.dumps(import_module("storage").as_json(results)))
    return saved


def _crossing() -> dict[str, Any]:
    sizes = [2**power for power in range(12)]
    return {
        "sizes": sizes,
        "door_s": [1e-7 + size * 1e-8 for size in sizes],
        "alone_s": [size * 1e-8 for size in sizes],
        "overhead_s": 1e-7,
        "measured": {"5%": [190.0, 180.0, 200.0], "1%": [990.0, 950.0, None]},
        "predicted": {"5%": 190.0, "1%": None},
    }


def _beyond(rows: list[str]) -> dict[str, Any]:
    return {
        "lines": {"matmul": 40, "tuned": 3, "naive": 9, "total": 400},
        "sizes": {"own": {"probes.so": [90_000, 80_000]}, "support": {}, "required": {}},
        "imports": {"warm": [0.01] * 3, "cold": [0.02] * 2, "technology": [], "files": 4},
        "builds": {"cold": [3.5, 3.0], "again": [1.0, 0.9]},
        "scaling": {"decode": {"threads": 2, "one": [[1.0]] * 2, "all": [[1.1]] * 2}},
        "allocations": {
            row: {arm: {"calls": 1.0, "bytes": 64.0, "per_byte": None} for arm in ARMS}
            for row in rows
        },
    }


@pytest.fixture
def html() -> Callable[[dict[str, Any]], str]:
    made: Callable[[dict[str, Any]], str] = import_module("report.page").html
    return made


MADE: list[str] = []


@pytest.fixture
def whole(request: pytest.FixtureRequest) -> str:
    """The page of everything, made once."""
    if not MADE:
        html, document = map(request.getfixturevalue, ("html", "document"))
        MADE.append(html(document))
    return MADE[0]


def block(page: str) -> dict[str, Any]:
    found = re.search(r'type="application/gzip">([^<]+)<', page)
    assert found
    data: dict[str, Any] = json.loads(gzip.decompress(base64.b64decode(found[1])))
    return data


def test_a_page_of_everything_is_small_and_needs_nothing_else(whole: str) -> None:
    assert len(whole.encode()) < LIMIT
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"|url\((?!#)|@import', whole)


def test_it_says_what_was_measured(whole: str) -> None:
    text = " ".join(re.sub(r"<[^>]+>", "", whole).split())
    said = re.search(r"A call costs (\d+) ns through (\w+) and (\d+) ns through (\w+)", text)
    assert said
    assert 5 < int(said[1]) < 100 < 400 < int(said[3]) < 1100
    assert {said[2], said[4]} < set(NATIVE)
    for name in import_module("rows").ALL:
        assert f'<tr id="{name}">' in whole, name
    for name in bindings.names():
        assert re.search(rf'<th scope="row">(<[^>]+>)?{name}<', whole), name
    assert "noisy: other processes had 50%" in whole
    assert "tfrecord: No module named" in whole
    assert "nox -s bench<" in whole


def test_a_run_of_one_part_has_a_page_that_says_how_it_was_made(results: Any, html: Any) -> None:
    results.cells.clear()
    results.instructions.clear()
    results.effort = "full"
    text = html(json.loads(json.dumps(import_module("storage").as_json(results))))
    assert "nox -s bench -- --full<" in text
    assert "8 processes × 6 rounds" in text


def test_every_sample_is_in_it(whole: str, document: Any) -> None:
    data = block(whole)
    for one in document["benchmarks"]:
        group, name = one["group"], one["param"]
        if group.startswith("probe "):
            kept = data["rows"][group.removeprefix("probe ")]["arms"][name]
        else:
            kept = data["kernels"][group][name]
        for there, here in zip(kept["rounds"], one["extra_info"]["rounds"], strict=True):
            values = [(kept["least"] + value) * kept["unit"] for value in there]
            assert values == pytest.approx(here, rel=0.01)


def test_every_cell_has_its_source(whole: str) -> None:
    data = block(whole)
    for name, row in data["rows"].items():
        for door in data["columns"]:
            assert data["sources"][door][row["function"]], (door, name)


def test_what_was_left_out_is_not_missed(html: Any, document: Any) -> None:
    probes = [one for one in document["benchmarks"] if one["group"].startswith("probe noop")]
    kernels = [one for one in document["benchmarks"] if one["group"].startswith("matmul")]
    for part in (probes, kernels):
        page = html({**document, "benchmarks": part, "instructions": {}, "beyond": {}, "model": {}})
        assert ('id="map"' in page) == (part is probes)
        assert ('id="kernels"' in page) == (part is kernels)


def test_what_others_wrote_is_not_taken_for_markup(html: Any, document: Any) -> None:
    page = html({**document, "absent": {"</script><b>": "<i>&"}})
    assert "&lt;/script&gt;&lt;b&gt;" in page
    assert page.count("</script>") == 2


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


Opened = Callable[..., Any]


@pytest.fixture
def opened(chromium: Any, whole: str, tmp_path: Path) -> Iterator[Opened]:
    """Opens the page; fails afterwards if it complained or asked for anything."""
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


def column(page: Any, number: int) -> list[float]:
    cells = page.locator(f"#map tbody tr[id] :nth-child({number})")
    return [float(re.sub("[^0-9.-]", "", text)) for text in cells.all_inner_texts()]


def test_a_heading_sorts(opened: Opened) -> None:
    page = opened()
    heading = page.locator("#map thead th").nth(4)
    assert heading.get_attribute("aria-sort") == "none"
    shipped = page.locator("#map tbody tr[id]").evaluate_all("rows => rows.map(row => row.id)")
    heading.locator("button").focus()
    for order, reverse in (("ascending", False), ("descending", True)):
        page.keyboard.press("Enter")
        assert heading.get_attribute("aria-sort") == order
        values = column(page, 5)
        assert values == sorted(values, reverse=reverse)
        assert len(set(values)) > 5
    page.keyboard.press("Enter")
    rows = page.locator("#map tbody tr[id]").evaluate_all("rows => rows.map(row => row.id)")
    assert rows == shipped


def test_views_change_the_figures_and_their_order(opened: Opened) -> None:
    page = opened()
    page.locator("#map thead button").nth(2).click()
    page.get_by_label("instructions").check()
    values = column(page, 3)
    assert values == sorted(values)
    assert min(values) >= 90
    tilde = "getComputedStyle(document.querySelector('.alike'), '::before').content"
    assert page.evaluate(tilde) == "none"  # counts can always be told apart
    page.get_by_label("× C API").check()
    assert page.evaluate(tilde) == '"~ "'
    assert set(column(page, 3)) == {1.0}


@pytest.mark.parametrize("by", ["click", "Enter", "address"])
def test_a_cell_opens(opened: Opened, by: str) -> None:
    page = opened("#add_int/ctypes" if by == "address" else "")
    cell = page.locator("#add_int td").nth(2)
    if by == "click":
        cell.click()
    elif by == "Enter":
        page.locator("#noop td").first.focus()
        for key in ("ArrowRight", "ArrowRight", *["ArrowDown"] * 5, "Enter"):
            page.keyboard.press(key)
    dialog = page.locator("dialog[open]")
    assert dialog.locator("h2").inner_text() == "add_int through ctypes"
    assert dialog.locator("circle").count() == 3 * PROCESSES * ROUNDS  # here, naive, the C API
    assert "def add_int(a: int, b: int" in dialog.inner_text()
    assert "bindings/ctypes/probes/naive.py" in dialog.inner_text()
    page.keyboard.press("Escape")
    page.wait_for_function("!location.hash")
    assert page.locator("dialog[open]").count() == 0
    cell.click()
    page.locator("dialog[open]").wait_for()


def test_the_theme_is_the_systems_until_chosen_and_then_kept(opened: Opened) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = opened(color_scheme="light").evaluate(background)
    page = opened(color_scheme="dark")
    dark = page.evaluate(background)
    assert light != dark
    page.locator("#theme").click()
    assert page.evaluate(background) == light
    page.reload()
    assert page.evaluate(background) == light


@pytest.mark.parametrize("where", ["", "#add_int/ctypes"])
def test_a_telephone_need_not_be_turned(opened: Opened, where: str) -> None:
    page = opened(where, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 360


def test_without_scripts_the_tables_are_there(opened: Opened) -> None:
    page = opened(java_script_enabled=False)
    assert page.locator("#map td").first.is_visible()
    assert not page.locator("#views").is_visible()


def test_the_data_can_be_taken_away(opened: Opened, whole: str) -> None:
    page = opened()
    with page.expect_download() as taken:
        page.locator("#download").click()
    data = json.loads(Path(taken.value.path()).read_text("utf-8"))
    assert data == block(whole)


def test_text_can_be_read_in_both_themes(opened: Opened) -> None:
    """WCAG's AA: 4.5 for text, 3 for the marks of a chart."""
    for scheme in ("light", "dark"):
        page = opened(color_scheme=scheme)
        names = ["ink", "faint", "accent", "code-value", "code-macro", *bindings.names()]
        colours = page.evaluate(COLOURS, ["paper", "raised", "hottest", *names])
        for name in names:
            least = 3 if name in bindings.names() else 4.5
            for ground in ("paper", "raised"):
                assert _contrast(colours[name], colours[ground]) >= least, (scheme, name, ground)
        assert _contrast(colours["ink"], colours["hottest"]) >= 4.5


COLOURS = """names => {
  const canvas = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const mark = document.body.appendChild(document.createElement("i"));
  return Object.fromEntries(names.map((name) => {
    mark.style.color = name === "hottest"
      ? "color-mix(in oklab, var(--hot) 90%, var(--raised))" : `var(--${name})`;
    canvas.fillStyle = getComputedStyle(mark).color;
    canvas.fillRect(0, 0, 1, 1);
    return [name, [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3)];
  }));
}"""


def _contrast(one: list[int], other: list[int]) -> float:
    light, dark = sorted(map(_luminance, (one, other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: list[int]) -> float:
    parts = (part / 255 for part in colour)
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
