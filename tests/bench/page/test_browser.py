"""The report page in a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ffi_cookbook

Opened = Callable[..., Any]


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
    assert page.evaluate(tilde) == "none"  # counts always differ significantly
    page.get_by_label("× C API").check()
    assert "~" in page.evaluate(tilde)
    assert set(column(page, 3)) == {1.0}


@pytest.mark.parametrize("by", ["click", "Enter", "address"])
def test_a_cell_opens(opened: Opened, data: Any, by: str) -> None:
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
    shown = (
        data["rows"]["add_int"]["contenders"][contender]
        for contender in ("ctypes", "ctypes idiomatic", "capi")
    )
    samples = sum(len(rounds) for contender in shown for rounds in contender["rounds"])
    assert dialog.locator("circle").count() == samples
    assert "def add_int(a: int, b: int" in dialog.inner_text()
    assert "bindings/ctypes/patterns/idiomatic.py" in dialog.inner_text()
    page.keyboard.press("Escape")
    page.wait_for_function("!location.hash")
    assert page.locator("dialog[open]").count() == 0
    cell.click()
    page.locator("dialog[open]").wait_for()


def test_the_theme_follows_the_system_until_chosen(opened: Opened) -> None:
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
def test_the_page_fits_a_phone(opened: Opened, where: str) -> None:
    page = opened(where, viewport={"width": 360, "height": 740})
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 360


def test_without_scripts_the_tables_are_there(opened: Opened) -> None:
    page = opened(java_script_enabled=False)
    assert page.locator("#map td").first.is_visible()
    assert not page.locator("#views").is_visible()


def test_the_data_can_be_downloaded(opened: Opened, data: Any) -> None:
    page = opened()
    with page.expect_download() as taken:
        page.locator("#download").click()
    assert json.loads(Path(taken.value.path()).read_text("utf-8")) == data


def test_contrast_in_both_themes(opened: Opened) -> None:
    """WCAG level AA asks for a contrast of 4.5 for text and 3 for the marks of a chart."""
    for scheme in ("light", "dark"):
        page = opened(color_scheme=scheme)
        names = ["ink", "faint", "accent", "code-value", "code-macro", *ffi_cookbook.names()]
        colours = page.evaluate(COLOURS, ["paper", "raised", "hottest", *names])
        for name in names:
            least = 3 if name in ffi_cookbook.names() else 4.5
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
