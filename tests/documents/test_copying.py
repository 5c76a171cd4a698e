"""Each pattern of the site includes what it uses; tests/copied builds whole projects."""

from __future__ import annotations

import shutil
import sysconfig
from pathlib import Path

import numpy as np
import pytest

from support import copying, projects
from support.backends import missing


@pytest.mark.full
@pytest.mark.parametrize("variant", ["", "idiomatic"])
def test_a_pattern_includes_the_helpers_that_it_uses(variant: str, tmp_path: Path) -> None:
    """This runs in C, which compiles fast; elsewhere the project of all patterns must do."""
    if shutil.which("cc") is None:
        missing("the command cc, for the patterns through the C API")
    include = [f"-I{folder}" for folder in (sysconfig.get_path("include"), np.get_include())]
    flags = ["-fsyntax-only", "-Werror=implicit", *include, "-Inative", "-Isrc", "src/native.c"]
    for pattern, own in copying.blocks("capi", variant).items():
        projects.write(copying.project("capi", {pattern: own}, variant), tmp_path)
        done = projects.run(["cc", *flags], tmp_path)
        assert done.returncode == 0, f"{pattern}: {done.stderr}"
