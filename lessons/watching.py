"""Checking an exercise whenever its file is saved, with keys for hints and other commands."""

from __future__ import annotations

import contextlib
import select
import sys
from collections.abc import Callable, Iterator

from rich.console import Console

from ffi_cookbook.terminal import printable

from . import showing
from .catalogue import Exercise, exercises
from .command import check, show_hint
from .workspace import Workspace

try:
    import termios
    import tty
except ImportError:  # a terminal that is not one of Unix: no keys
    termios = None  # type: ignore[assignment]

KEYS = "keys: r run · h hint · l list · n next · q quit"
MILLISECONDS = 200


def watch(exercise: Exercise, workspace: Workspace, console: Console) -> int:
    """Check the exercise now, and then each exercise whose file is saved.

    The key n continues with the next exercise that has not passed; q or Ctrl-C ends the watch.
    """
    try:
        from watchfiles import watch as changes
    except ImportError:
        raise LookupError(
            "watchfiles is not installed: pip install watchfiles, or use ffi-cookbook learn run"
        ) from None

    def look(current: Exercise) -> Exercise:
        console.rule()
        path = printable(workspace.path(current))
        console.print(f"{current.name}: {current.title}  {path}", soft_wrap=True)
        check(current, workspace, console)
        return current

    files = {str(workspace.path(each)): each for each in exercises()}
    with keyboard() as key:
        look(exercise)
        if sys.stdin.isatty():
            console.print(KEYS)
        for saved in changes(
            workspace.folder,
            watch_filter=lambda _, path: path in files,
            rust_timeout=MILLISECONDS,
            yield_on_timeout=True,
        ):
            pressed = key()
            if pressed == "q":
                return 0
            if pressed == "h":
                show_hint(exercise, workspace, console)
            elif pressed == "l":
                showing.show_list(console, workspace)
            elif pressed == "r":
                look(exercise)
            elif pressed == "n":
                following = workspace.following(exercise)
                if following is None:
                    return 0
                exercise = look(following)
            for path in {path for _, path in saved}:
                exercise = look(files[path])
    return 0


@contextlib.contextmanager
def keyboard() -> Iterator[Callable[[], str]]:
    """Yield a function that returns the key that was pressed, or nothing."""
    if termios is None or not sys.stdin.isatty():
        yield lambda: ""
        return

    def pressed() -> str:
        return sys.stdin.read(1) if select.select([sys.stdin], [], [], 0)[0] else ""

    old = termios.tcgetattr(sys.stdin)
    tty.setcbreak(sys.stdin)
    try:
        yield pressed
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSADRAIN, old)
