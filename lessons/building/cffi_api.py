"""Exercises in cffi's API mode: the learner's file is a build script, and uses its module."""

from __future__ import annotations

import ast
import re
import shutil
import sysconfig
from pathlib import Path

from ..box import values
from ..explaining import explain, last_line
from ..process import BOX, LONGEST_TEXT, Child, Died, Place
from .compiled import CC, python_flags
from .job import BuildError, Job, run, tool
from .scripts import parsed


def cffi_api(job: Job) -> None:
    """Build the extension module that the learner's script describes, and put it beside the script.

    The script runs in a process like that of a check, and returns the C code.
    """
    tree = parsed(job)
    code = _emitted(job)
    found = re.search(r"^PyInit_([A-Za-z0-9_]{1,100})\(void\)", code, re.MULTILINE)
    if not found:
        raise BuildError("set_source must name a module and give C code")
    source = job.folder / f"{found[1]}.c"
    source.write_text(_with_lines(code, tree, job.source), "utf-8", "replace")
    shutil.copy(job.source, job.folder / "exercise.py")
    module = f"{found[1]}{sysconfig.get_config_var('EXT_SUFFIX')}"
    flags = [*job.flags(), "-std=gnu17", "-Wno-unused", *python_flags()]
    run(job, tool(*CC), *flags, "-o", module, str(source), *map(str, job.sources), "-lm")
    source.unlink()


def _emitted(job: Job) -> str:
    folder = job.folder / "script"
    folder.mkdir()
    shutil.copy(job.source, folder / "exercise.py")
    shutil.copy(BOX / "emit.py", folder / "drive.py")
    for path in job.given:
        if path.suffix in (".py", ".h"):
            shutil.copy(path, folder)
    request = {"call": "emitted", "driver": True, "arguments": ["list", []]}
    with Child(Place(folder, imports=("cffi",))) as child:
        try:
            child.start()
            answer = child.ask(
                {**request, "after": False, "repeat": 0, "spare": False, "count": False}
            )
        except ImportError as error:
            line = last_line("exercise.py", str(error) + child.text())
            raise BuildError(str(error), line, "does-not-load") from None
        except Died as died:
            finding = explain(died, "exercise.py", folder, -1)
            raise BuildError(finding.message, finding.line, finding.rule) from None
    shutil.rmtree(folder)
    if "absent" in answer:
        raise BuildError(str(answer["absent"]), rule="missing-function")
    try:
        if "raised" in answer:
            raise BuildError(f"{answer['raised'][0][0]}: {answer['raised'][1]}"[:LONGEST_TEXT])
        code = values.decode(answer["value"])
    except (LookupError, TypeError, ValueError):
        code = None
    if not isinstance(code, str):
        raise BuildError("the build script returned no code", rule="forged-answer")
    return code


def _with_lines(code: str, tree: ast.Module, source: Path) -> str:
    """Return the C code, with a #line before each part that is a string of the script."""
    text = source.read_text("utf-8", "replace")
    for node in ast.walk(tree):
        if not isinstance(node, ast.Constant) or not isinstance(node.value, str):
            continue
        if "\n" not in node.value or code.count(node.value) != 1:
            continue
        line = node.lineno + bool(re.match(r'\w*"""\\\n', ast.get_source_segment(text, node) or ""))
        before, after = code.split(node.value)
        rest = before.count("\n") + node.value.count("\n") + 4
        place = f'\n#line {line} "{source.name}"\n'
        code = f'{before}{place}{node.value}\n#line {rest} "module.c"\n{after}'
    return code
