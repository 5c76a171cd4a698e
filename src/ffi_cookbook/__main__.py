"""Which bindings work here, what a call costs, and what a file of records holds."""

from __future__ import annotations

import argparse
import difflib
import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from types import ModuleType
from typing import NoReturn, cast

from ffi_cookbook.terminal import printable

COMMANDS = {
    "doctor": (
        "ffi_cookbook.cli.doctor",
        "a table of the bindings, and how to get the absent ones",
    ),
    "cost": ("ffi_cookbook.cli.cost", "what a call costs through each binding"),
    "inspect": ("ffi_cookbook.cli.inspect", "what TFRecord files hold, and what is damaged"),
    "describe": ("ffi_cookbook.cli.describe", "what is recognised in the files of tokenizers"),
    "learn": ("", "lessons in writing bindings, and the checker that grades them"),
}
EPILOG = """exit codes: 0 all is well; 1 something is lost or unavailable, or an exercise did not
pass; 2 wrong usage, or a file that cannot be read or written; 130 interrupted; 141 the output was
closed"""


class Parser(argparse.ArgumentParser):
    """A parser that proposes the nearest word for a misspelt one."""

    def error(self, message: str) -> NoReturn:
        """Print the message and the usage, and exit with 2."""
        if found := re.search(r"invalid choice: '?([^'(]*?)'? \(choose from (.*)\)", message):
            near = difflib.get_close_matches(found[1], re.findall(r"[\w-]+", found[2]), n=1)
            message += f"; did you mean {near[0]!r}?" if near else ""
        super().error(message)


class Version(argparse.Action):
    """The action of --version, which looks up the version only when it is needed."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print the version and exit."""
        from ffi_cookbook import __version__

        print(f"ffi-cookbook {__version__}")
        parser.exit()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    if sys.stdout is None:  # closed by who started this
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")  # a terminal may be limited to ASCII
    try:
        try:
            code = _run(sys.argv[1:] if arguments is None else list(arguments))
        except SystemExit as done:  # argparse has answered, or rich has met a closed pipe
            code = 141 if isinstance(done.__context__, BrokenPipeError) else int(done.code or 0)
        except OSError as error:
            if error.filename is None:  # the output has no name
                raise
            print(f"{printable(error.filename)}: {error.strerror}", file=sys.stderr)
            code = 2
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _discard_output()
        return 141
    except OSError as error:
        _discard_output()
        print(f"cannot write the output: {error.strerror or error}", file=sys.stderr)
        return 2


def _run(arguments: list[str]) -> int:
    chosen = next((word for word in arguments if not word.startswith("-")), None)
    parser = Parser(prog="ffi-cookbook", description=__doc__, epilog=EPILOG)
    parser.add_argument("--version", action=Version, nargs=0, help="print the version and exit")
    subparsers = parser.add_subparsers(dest="command", required=True)
    module = None
    for name, (path, words) in COMMANDS.items():
        if name == chosen == "learn" and sys.platform == "win32":
            parser.error("learn needs Linux: run it in WSL, the Windows Subsystem for Linux")
        if name == chosen:
            module = import_module(path) if path else _other_distribution(parser, name)
        command = subparsers.add_parser(name, help=words)
        if module and name == chosen:
            module.add_arguments(command)
    options = parser.parse_args(arguments)
    return int(module.run(options)) if module else 2


def _other_distribution(parser: Parser, command: str) -> ModuleType:
    """Return the module of a command that another distribution adds by an entry point."""
    from importlib.metadata import entry_points

    for point in entry_points(group="ffi_cookbook.commands", name=command):
        return cast(ModuleType, point.load())
    how = f'pip install "ffi-cookbook[{command}]", or ./lessons in a clone'
    parser.exit(2, f"ffi-cookbook: {command} is not installed: {how}\n")


def _discard_output() -> None:
    """Send what is still buffered to os.devnull, so that the interpreter can close its output."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


if __name__ == "__main__":
    sys.exit(main())
