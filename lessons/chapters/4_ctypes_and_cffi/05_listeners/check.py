"""Values sent to several listeners, exceptions, and lifetimes."""

from ffi_cookbook_lessons.cases import Raises, drive


def cases(draw):
    """Yield listeners that hear, that are forgotten, that raise, and that are too many."""
    alive = "listen(function), and nobody but C refers to the function: is it alive?"
    yield drive("alive", gives=True, rule="callback-collected", says=alive, repeat=0)
    gone = "remove(listen(function)): is the function gone?"
    yield drive("forgotten", gives=True, rule="reference-kept", says=gone, repeat=0)
    for n in (1, 2, draw.randint(3, 16)):
        values = draw.floats(draw.randint(1, 5))
        says = f"{n} listeners, and send of {values}"
        yield drive("heard", n, values, gives=[values] * n, says=says)
    for messages in (["no"], ["", "first", "second", ""]):
        error = draw.choice([ValueError, KeyError])
        kind = error.__name__
        caught = f"{kind}: {next(filter(None, messages))}"
        says = f"send(1.5) to {len(messages)} listeners, some of which raise"
        gives = ([1.5] * len(messages), caught)
        yield drive(
            "raised",
            messages,
            kind,
            gives=gives,
            rule="exception-lost",
            says=says,
            mistakes=((Raises(error), "exception-lost"),),
        )
    yield drive("crowded", gives=Raises(RuntimeError), says="listen, with 16 listeners already,")
