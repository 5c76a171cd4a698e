"""The answer for one case: the page's prices are those of the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ffi_cookbook import costs

Opened = Callable[..., Any]
SIGNATURES = """\
f()
f(int)
f(np.ndarray, int)
f(numpy.ndarray) -> float
f(npt.NDArray[np.float64], ndarray[f64], np.ndarray[Any, np.dtype[np.float64]])
f(list[float], list[str]) -> List[float]
f(dict[str, float], bool) -> tuple[int, int]
f(x: int, y: float = 2.5)
f(torch.Tensor)
f(x: int, /, *, z=3, flag=True, name='a, b')
def ema(x: np.ndarray, *, alpha: float = 0.5) -> np.ndarray: ...
def f(x: int,) -> int:
async def f(self, data: bytes | bytearray) -> Optional[str]:
f(Union[int, None], Annotated[str, 'a'], int | float)
f(x: 'list[float] | None' = None)
f(Literal['a', 'b'], b=b'')
f(x: Literal["a=b"] = "a=b", y=-1, z=1e3, w=[])
f(bytes, bytes) -> bytes
f(x: Mapping[str, float], y: Sequence[str] = ()) -> None
(float) -> float
f(typing.Optional[int], uint8_t)
f(Point) -> Point""".splitlines()
REFUSED = [
    "f(*args)",
    "f(x=None)",
    "f(complex)",
    "f(npt.NDArray[np.float32])",
    "f(x: np.float32)",
    "f(list[np.ndarray])",
    "f(dict[str, int])",
    "f() -> tuple[np.ndarray, np.ndarray]",
    "f(memoryview)",
    "f(int[)",
    "f(]",
    "f() -> )",
    "f",
    "f(int, , str)",
    "f(int,)",
    "f(int) -> complex",
    "f(int) -> torch.Tensor",
    "f(arguments)",
    "f(int | str)",
    "",
]
PRICES = """text => {
  try { return Object.fromEntries(estimates(guide, text).map(({ name, paid }) => [name, paid])); }
  catch (error) { return error.message; }
}"""


@pytest.fixture
def prices(opened: Opened) -> Callable[[str], Any]:
    """Return a function that asks the page for the parts of a price."""
    page = opened()
    page.evaluate("async () => { window.guide = JSON.parse(await unpacked()).guide; }")
    return lambda text: page.evaluate(PRICES, text)


def test_prices_are_those_of_the_command_line(prices: Callable[[str], Any]) -> None:
    for text in SIGNATURES:
        signature = costs.Signature.parse(text)
        wanted = {name: costs.predict(name, signature).parts for name in costs.backends()}
        found = prices(text)
        assert found.keys() == wanted.keys(), text
        for name in wanted:
            assert found[name] == pytest.approx(wanted[name]), (text, name)


def test_what_has_no_price_is_refused_alike(prices: Callable[[str], Any]) -> None:
    for text in REFUSED:
        with pytest.raises(ValueError, match=r".") as refused:
            costs.predict("capi", costs.Signature.parse(text))
        assert str(prices(text)).split(":")[0] == str(refused.value).split(":")[0], text


def test_the_answer_is_for_the_case(opened: Opened) -> None:
    page = opened()
    answer, because = page.locator("#answer"), page.locator("#because")
    page.locator("[name=code]").select_option("Rust")
    assert answer.inner_text().startswith("Take pyo3: ")
    page.locator("[name=code]").select_option("C")
    page.locator("[name=rate]").select_option("1000000")
    page.locator("[name=signature]").fill("f(list, dict) -> list")
    assert answer.inner_text().startswith("Take capi: ")
    page.get_by_label("nothing to compile").check()
    assert answer.inner_text().startswith("Take ctypes: ")
    page.get_by_label("the GIL held in short calls").check()
    page.locator("[name=code]").select_option("tensor")
    assert answer.inner_text() == "None of these"
    assert "nothing to compile and the GIL held" in because.inner_text()
    page.locator("[name=signature]").fill("f(complex)")
    assert answer.inner_text() == "Take torch: no price for this call"
    page.locator("[name=code]").select_option("C++")
    assert answer.inner_text() == "No price for this call"
    assert "no costs of an argument 'complex'" in because.inner_text()


def test_what_nobody_would_notice_does_not_decide(opened: Opened) -> None:
    page = opened()
    page.locator("[name=rate]").select_option("10")
    page.locator("[name=code]").select_option("C++")
    assert page.locator("#answer").inner_text().startswith("Take nanobind: ")
    assert "speed does not decide" in page.locator("#because").inner_text()
    page.locator("[name=code]").select_option("C")
    assert page.locator("#answer").inner_text().startswith("Take cffi: ")


def test_two_bindings_are_picked_out_on_a_phone(opened: Opened) -> None:
    page = opened(viewport={"width": 390, "height": 844})
    page.locator("#pair select").first.select_option("capi")
    page.locator("#pair select").last.select_option("cffi")
    shown = page.locator("#map thead th:visible").all_inner_texts()
    assert [name.strip().rstrip("*") for name in shown] == ["pattern", "capi", "cffi"]
    assert page.locator("#noop td:visible").count() == 2
    page.set_viewport_size({"width": 1440, "height": 900})
    assert page.locator("#noop td:visible").count() == 9
