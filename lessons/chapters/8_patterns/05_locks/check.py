"""Entries that are heard, exceptions, and two threads with two locks."""

from ffi_cookbook_lessons.cases import Raises, call, drive


def cases(draw):
    """Yield one thread first, then two."""
    for n in draw.sizes(9):
        entries = [draw.choice(["one", "zwei", "três", "四"]) for _ in range(n)]
        says = f"listen, and {n} entries"
        yield drive("heard", entries, gives=(entries, n + 1), timed=n > 2, says=says)
    text = draw.choice(["no ", "never "])
    says = "write, when the function raises"
    yield drive("raising", text, gives=(text + "entry", ["next"]), rule="exception-lost", says=says)
    yield call("write", 5, gives=Raises(TypeError))
    yield call("write", "\ud800", gives=Raises(UnicodeError))
    heard = ["first", "second"]
    for function, arguments, gives in (
        ("write", ("second",), heard),
        ("size", (), heard[:1]),
        ("listen", (None,), heard[:1]),
    ):
        says = f"{function}, while another thread is in write"
        yield drive(
            "meanwhile", function, *arguments, gives=gives, rule="deadlock", repeat=0, says=says
        )
    says = "listen(None), while the journal is about to call the function"
    yield drive("removed", gives=heard[:1], rule="deadlock", repeat=0, says=says)
    says = "listen(None), while another thread calls the function"
    yield drive("replaced", gives=heard[:1], rule="deadlock", repeat=0, says=says)
