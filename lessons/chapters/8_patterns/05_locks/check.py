"""Entries that are heard, exceptions, and two threads with two locks."""

from collections.abc import Iterator

from ffi_cookbook_lessons.cases import Case, Draw, Raises, call, drive


def cases(draw: Draw) -> Iterator[Case]:
    """Yield one thread first, then two."""
    for n in draw.sizes(9):
        entries = [draw.choice(["one", "zwei", "três", "四"]) for _ in range(n)]
        yield drive(
            "heard", entries, gives=(entries, n + 1), timed=n > 2, says=f"listen, and {n} entries"
        )
    text = draw.choice(["no ", "never "])
    yield drive(
        "raising",
        text,
        gives=(text + "entry", ["next"]),
        rule="exception-lost",
        says="write, when the function raises",
    )
    yield call("write", 5, gives=Raises(TypeError))
    yield call("write", "\ud800", gives=Raises(UnicodeError))
    heard = ["first", "second"]
    for function, arguments, gives in (
        ("write", ("second",), heard),
        ("size", (), heard[:1]),
        ("listen", (None,), heard[:1]),
    ):
        yield drive(
            "meanwhile",
            function,
            *arguments,
            gives=gives,
            rule="deadlock",
            repeat=0,
            says=f"{function}, while another thread is in write",
        )
    yield drive(
        "removed",
        gives=heard[:1],
        rule="deadlock",
        repeat=0,
        says="listen(None), while the journal is about to call the function",
    )
    yield drive(
        "replaced",
        gives=heard[:1],
        rule="deadlock",
        repeat=0,
        says="listen(None), while another thread calls the function",
    )
