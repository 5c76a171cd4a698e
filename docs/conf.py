"""Sphinx's configuration of the site, which `nox -s docs` builds."""

import re
from typing import Any

project = "ffi-cookbook"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "ffi-cookbook"
html_copy_source = False
html_extra_path = ["../build/docs/report.html", "../build/docs/latest.json"]
myst_heading_anchors = 4
suppress_warnings = [
    "myst.header",  # the files of a project are headings of the third level
    "ref.python",  # attributes of several classes have one name
]
default_role = "code"
autodoc_member_order = "groupwise"
autodoc_typehints = "signature"
napoleon_use_ivar = True


def to_rst(_app: Any, _what: str, _name: str, _it: object, _options: Any, lines: list[str]) -> None:
    """Turn the Markdown of a docstring into reStructuredText: blocks of code, and stars."""
    before, text = "", lines.copy()
    lines.clear()
    for line in text:
        if line.startswith("    ") and not before:
            lines += ["::", ""]
        lines.append(re.sub(r"(`[^`]*`)|([*|])", lambda found: found[1] or rf"\{found[2]}", line))
        before = line


def setup(app: Any) -> None:
    """Register the above before napoleon."""
    app.connect("autodoc-process-docstring", to_rst, priority=400)
