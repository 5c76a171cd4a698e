"""The figures of the chapter on patterns."""

from ffi_cookbook_lessons.drawing import Drawing


def release() -> Drawing:
    """Return the times at which a thread waits that releases the GIL often, or once."""
    figure = Drawing(720, 250, "Releasing the GIL for each item, and once for all of them")
    figure.label(20, 30, "for each item")
    for i in range(3):
        left = 130 + 170 * i
        figure.box(left, 40, 40, 34, "C", "native").box(left + 40, 40, 130, 34, "waits", "wrong")
        figure.box(left, 84, 170, 34, "Python", "python")
    figure.label(20, 62, "your thread").label(20, 106, "another one")
    figure.label(20, 150, "once")
    figure.box(130, 160, 120, 34, "C, all items", "native").box(250, 160, 130, 34, "waits", "wrong")
    figure.box(130, 204, 250, 34, "Python", "python").box(380, 160, 120, 34, "goes on", "python")
    figure.label(20, 182, "your thread").label(20, 226, "another one")
    figure.arrow(520, 221, 690, 221).label(600, 212, "time", kind="small")
    return figure


def locks() -> Drawing:
    """Return two threads, each of which has one lock and waits for the other."""
    figure = Drawing(720, 200, "A deadlock between the GIL and a mutex")
    figure.box(30, 40, 150, 44, "thread 1\nin the callback", "native")
    figure.box(540, 40, 150, 44, "thread 2\ncalls the library", "python")
    figure.box(290, 24, 140, 34, "mutex").box(290, 140, 140, 34, "GIL")
    figure.arrow(180, 54, 288, 44, "has").arrow(540, 54, 432, 44, "wants", dashed=True)
    figure.arrow(120, 86, 288, 150, "wants", dashed=True).arrow(600, 86, 432, 150, "has")
    return figure


def fork() -> Drawing:
    """Return a process with two threads and a pool, and what its child has of them."""
    figure = Drawing(720, 220, "What a child process has of its parent")
    for left, name in ((30, "parent"), (400, "child")):
        figure.label(left, 28, name)
        figure.box(left, 40, 290, 160)
        figure.box(left + 20, 60, 110, 40, "main thread", "python")
        figure.box(left + 20, 140, 250, 40, "memory: pool, lock (held)", "native")
    figure.box(160, 60, 140, 40, "pool's thread", "native")
    figure.box(530, 60, 140, 40, "no thread", "wrong")
    figure.arrow(322, 120, 398, 120, "fork")
    figure.arrow(230, 100, 230, 138).arrow(600, 138, 600, 102, dashed=True)
    return figure


def benchmark() -> Drawing:
    """Return what can lie between two readings of a clock."""
    figure = Drawing(720, 150, "What lies between two readings of the clock")
    parts = (
        (130, "prepares", "wrong"),
        (110, "first call", "wrong"),
        (110, "the call", "native"),
        (150, "another process", "wrong"),
    )
    left = 110.0
    for width, text, kind in parts:
        figure.box(left, 50, width, 40, text, kind)
        left += width
    figure.box(left + 20, 50, 80, 40, "lazy work", "wrong")
    figure.label(110, 30, "start", anchor="middle", kind="code").arrow(110, 36, 110, 108)
    figure.label(left, 30, "stop", anchor="middle", kind="code").arrow(left, 36, left, 108)
    figure.arrow(60, 122, 700, 122).label(690, 140, "time", anchor="end", kind="small")
    return figure
