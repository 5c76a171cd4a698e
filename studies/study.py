"""A study: contenders that do the same work are checked, timed in turn, stored, and shown.

A study consists of parts. The results of a part are stored in the study's file, together with the
machine, the noise and the versions of its run: the parts of a file may come from several runs. The
page is made from that file alone.
"""

from __future__ import annotations

import argparse
import json
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import distributions, version
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np

import ffi_cookbook
from benchmarks import DOCS
from benchmarks.core import machine
from benchmarks.core.clock import Timed, spread
from benchmarks.core.pages import replace, spliced
from benchmarks.core.process import answer
from benchmarks.trust.refusals import refusals

UNKNOWN = "Not measured."
SLICE = 0.02  # seconds
Result = Any
"""What a part found: anything that JSON can hold, or None where this machine cannot measure it."""
Stored = dict[str, Any]
"""A part in the file: what was `found`, and where."""
Contender = tuple[Callable[[], object], float]
"""A call, and how much it does."""


@dataclass
class Setting:
    """The inputs of a part, and its notes about absent or wrong contenders."""

    backends: dict[str, ModuleType]
    folder: Path
    rounds: int = 1
    absent: dict[str, str] = field(default_factory=dict)
    """By contender, why it takes no part."""
    wrong: dict[str, str] = field(default_factory=dict)
    """By contender, what was wrong with its answer: it takes no part from then on."""

    def right(self, name: str, is_right: bool, complaint: str) -> bool:
        """Note a contender whose answer is wrong; return True if none of its answers was wrong."""
        if not is_right:
            self.wrong.setdefault(name, complaint)
        return name not in self.wrong

    def load(self, name: str, make: Callable[[], Any]) -> dict[str, Any]:
        """Return a contender that may be absent, as {name: contender} or {}."""
        try:
            return {name: make()}
        except ImportError as error:
            self.absent[name] = str(error)
            return {}

    def speeds(
        self,
        contenders: Mapping[str, Contender],
        slice_s: float = SLICE,
    ) -> dict[str, list[float]]:
        """Return the work that each contender does per second, round by round."""
        timed = {name: Timed("f()", {"f": call}) for name, (call, _) in contenders.items()}
        times = spread({"": timed}, self.rounds, slice_s, random.Random(1))[""]
        return {
            name: (amount / np.array(times[name])).tolist()
            for name, (_, amount) in contenders.items()
        }


class Part(NamedTuple):
    """One question of a study."""

    title: str
    measure: Callable[[Any], Result]
    """It is called with the study's setting."""
    show: Callable[[Result, list[str]], str]
    """It returns tables in Markdown of the results for these bindings."""
    rounds: int = 15


@dataclass(frozen=True)
class Study:
    """A study, with the page docs/<page>.md and the file docs/<name>.json."""

    name: str
    question: str
    page: str
    parts: dict[str, Part]
    backends: tuple[str, ...]
    libraries: tuple[str, ...] = ()
    """Contenders that may be wrong: they are named and left out."""
    packages: tuple[str, ...] = ()
    """Distributions whose versions are noted, if they are installed."""
    versions: Callable[[], dict[str, str]] = dict
    open: Callable[[Setting], Setting] = lambda setting: setting
    """Prepare what all parts need; raise ImportError if the study needs what is missing here."""

    @property
    def data(self) -> Path:
        """Return the file of the results."""
        return DOCS / f"{self.name}.json"

    def read(self) -> dict[str, Stored]:
        """Return the content of the file."""
        found: dict[str, Stored] = json.loads(self.data.read_text("utf-8"))
        return found

    def store(self, found: Mapping[str, Stored]) -> None:
        """Store parts, replacing older ones of the same names, and write the page."""
        merged = (self.read() if self.data.exists() else {}) | found
        lines = [f"{json.dumps(name)}: {json.dumps(merged[name])}" for name in sorted(merged)]
        replace(self.data, "{\n" + ",\n".join(lines) + "\n}\n")
        for path, text in self.written().items():
            replace(path, text)

    def written(self) -> dict[Path, str]:
        """Return the page with its marked parts replaced."""
        stored, page = self.read(), DOCS / f"{self.page}.md"
        texts = {name: self.shown(stored, name) for name in self.parts}
        texts |= {"about": "  \n".join(about(stored))}
        return {page: spliced(page.read_text("utf-8"), texts)}

    def shown(self, stored: Mapping[str, Stored], name: str) -> str:
        """Return a part's tables, or a line that says that it was not measured."""
        if name not in stored or stored[name]["found"] is None:
            return UNKNOWN
        return self.parts[name].show(stored[name]["found"], stored[name]["backends"])

    def main(self, arguments: Sequence[str]) -> int:
        """Run the command line: measure, print, and store."""
        parser = argparse.ArgumentParser(prog=f"studies {self.name}", description=self.question)
        parser.add_argument("--only", nargs="+", choices=self.parts, default=[*self.parts])
        parser.add_argument("--backends", nargs="+", default=self.backends, metavar="NAME")
        parser.add_argument("--rounds", type=int, help="instead of each part's own")
        parser.add_argument("--publish", action="store_true", help="write the figures into docs/")
        options = parser.parse_args(arguments)
        backends, absent = opened(options.backends)
        if not backends:
            parser.error(f"no binding is open: {absent}")
        if options.publish and (refused := untrusted(backends)):
            print(*(f"refused: {one}" for one in refused), "Nothing is stored.", sep="\n")
            return 2
        found: dict[str, Stored] = {}
        with TemporaryDirectory(prefix=f"{self.name}-") as temporary:
            folder = Path(temporary)
            try:
                setting = self.open(Setting(backends, folder, absent=absent))
            except ImportError as error:
                parser.error(str(error))
            for name in options.only:
                part = self.parts[name]
                print(f"{name}: {part.title}")
                setting.rounds = options.rounds or part.rounds
                found[name] = self._measured(part, setting)
                print(f"{self.shown(found, name)}\n", flush=True)
        print(*about(found), sep="\n")
        if ours := setting.wrong.keys() - {*self.libraries}:
            print(*(f"wrong: {name}: {setting.wrong[name]}" for name in sorted(ours)), sep="\n")
            print("Wrong results are not stored.")
            return 2
        if options.publish:
            self.store(found)
        return 0

    def _measured(self, part: Part, setting: Setting) -> Stored:
        """Measure a part, and round every number that is not whole to four digits."""
        quiet, before = machine.Quiet(), dict(setting.absent)
        known = {name: version(name) for name in self.packages if [*distributions(name=name)]}
        made = {
            "found": part.measure(setting),
            "backends": [*setting.backends],
            "versions": {"NumPy": np.__version__, **known, **self.versions()},
            "absent": setting.absent | setting.wrong,
            "machine": machine.facts(),
            "noise": quiet.report(),
        }
        setting.absent = before
        text = json.dumps(made)
        rounded: Stored = json.loads(text, parse_float=lambda digits: float(f"{float(digits):.4g}"))
        return rounded


def opened(names: Iterable[str]) -> tuple[dict[str, ModuleType], dict[str, str]]:
    """Return the bindings, and the reasons why others are unavailable."""
    found, unavailable = {}, {}
    for name in names:
        try:
            found[name] = ffi_cookbook.load(name)
        except ffi_cookbook.BackendUnavailable as error:
            unavailable[name] = f"{error.reason}; to fix it: {error.remedy}"
    return found, unavailable


def untrusted(names: Iterable[str]) -> list[str]:
    """Return the reasons not to store figures of these bindings."""
    with TemporaryDirectory() as folder:
        job: dict[str, Any] = {"kernels": [], "rows": [], "folder": folder}
        found = {name: answer("check_backend", name=name, **job) for name in names}
    return refusals(found, machine.facts())


def about(stored: Mapping[str, Stored]) -> list[str]:
    """Say where parts were measured, what was absent there, and the load on the machine.

    A fact that does not hold for all parts names the parts that it holds for.
    """
    said: dict[str, list[str]] = {}
    for name, one in stored.items():
        for line in _lines(one):
            said.setdefault(line, []).append(name)
    return [
        line if len(names) == len(stored) else f"{line} ({', '.join(names)})"
        for line, names in said.items()
    ]


def _lines(one: Stored) -> list[str]:
    where, others = one["machine"], one["noise"]["others"] or 0
    versions = ", ".join(f"{name} {number}" for name, number in one["versions"].items())
    cores = "1 core" if where["cores"] == 1 else f"{where['cores']} cores"
    lines = [f"{where['processor']}, {cores}; Python {where['python_version']}, {versions}."]
    lines += [f"{name} is absent: {reason}." for name, reason in one["absent"].items()]
    if others > machine.NOISY:
        lines.append("Noisy: other processes used more than a tenth of the processor time.")
    return lines
