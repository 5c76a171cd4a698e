"""The excerpts of `cython -a` in the chapter on Cython are what Cython writes."""

from __future__ import annotations

import re
import subprocess
import sys
from html import unescape
from pathlib import Path

from ffi_cookbook_lessons.catalogue import CHAPTERS

TEXT = next(CHAPTERS.glob("*_cython/README.md"))
LEVELS = ("white", "pale", "yellow")
LINE = re.compile(
    r'<pre class="cython line score-(\d+)"[^>]*>.*?</span>: (.*?)</pre>'
    r"(?:\s*<pre class='cython code[^>]*>(.*?)</pre>)?",
    re.DOTALL,
)


def annotated(code: str, folder: Path) -> tuple[str, str]:
    """Return the lines with the level of their colour, and the C code below them."""
    (folder / "page.pyx").write_text(code, "utf-8")
    command = [sys.executable, "-m", "cython", "-3", "-a", "page.pyx"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)
    shown, c_codes = [], ""
    for score, source, c_code in LINE.findall((folder / "page.html").read_text("utf-8")):
        level = LEVELS[(int(score) > 0) + (int(score) > 4)]
        plain = unescape(re.sub("<[^>]*>", "", source)).rstrip()
        shown.append(f"{level:8}{plain}")
        c_codes += re.sub("<[^>]*>", "", c_code)
    return "\n".join(shown) + "\n", c_codes


def test_the_annotated_lines_are_as_cython_writes_them(tmp_path: Path) -> None:
    text = TEXT.read_text("utf-8")
    code = re.findall(r"^```cython\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)[:2]
    excerpts = re.findall(r"^```text\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    called = ""
    for block, excerpt in zip(code, excerpts, strict=True):
        shown, c_code = annotated(block, tmp_path)
        assert excerpt == shown
        called += c_code
    functions = re.findall(r"`((?:__Pyx_|Py[A-Z][a-z]+_)\w+)`", text)
    assert len(functions) == 4
    for name in functions:
        assert re.search(rf"\b\w*{name}", called), name
