"""The figures of the chapter on Python's C API."""

from ffi_cookbook_lessons.drawing import Drawing


def objects() -> Drawing:
    """Return a list and its items in memory."""
    figure = Drawing(720, 310, "A list owns a reference to each of its items")
    figure.label(20, 30, "names in Python").label(250, 100, "a list object")
    figure.label(540, 30, "float objects")
    figure.box(20, 50, 110, 34, "first", "python").box(20, 110, 110, 34, "values", "python")
    for i, text in enumerate(("count 1", "type list", "size 2", "items")):
        figure.box(250, 110 + 30 * i, 130, 30, text)
    figure.cells(250, 260, ["0", "1"], width=65)
    figure.arrow(315, 230, 315, 258)
    for i, (count, value) in enumerate((("count 2", "2.5"), ("count 1", "7.0"))):
        figure.box(540, 50 + 170 * i, 130, 30, count).box(540, 80 + 170 * i, 130, 30, value)
    figure.arrow(130, 127, 248, 127)
    figure.arrow(380, 268, 538, 95).arrow(380, 282, 538, 252)
    figure.arrow(130, 67, 538, 67, dashed=True)
    return figure


def gil() -> Drawing:
    """Return the times at which two threads hold the GIL."""
    figure = Drawing(720, 190, "Two threads: one runs C without the GIL while the other has it")
    figure.label(20, 62, "thread 1").label(20, 122, "thread 2")
    figure.box(110, 40, 120, 34, "Python", "python").box(
        230, 40, 280, 34, "long loop in C", "native"
    )
    figure.box(510, 40, 130, 34, "Python", "python")
    figure.box(110, 100, 120, 34, "waits").box(230, 100, 280, 34, "Python", "python")
    figure.box(510, 100, 130, 34, "waits")
    figure.label(230, 28, "Py_BEGIN_ALLOW_THREADS", anchor="middle", kind="code")
    figure.label(510, 28, "Py_END_ALLOW_THREADS", anchor="middle", kind="code")
    figure.arrow(110, 160, 640, 160).label(650, 165, "time", kind="small")
    return figure


def cycle() -> Drawing:
    """Return a cycle, and the functions by which the collector finds and breaks it."""
    figure = Drawing(720, 210, "A cycle of a cell and a list, seen by the garbage collector")
    figure.box(30, 80, 130, 44, "collector").box(290, 40, 120, 44, "Cell\ncount 1", "native")
    figure.box(290, 140, 120, 44, "list\ncount 1", "python")
    figure.arrow(330, 86, 330, 138).arrow(370, 138, 370, 86)
    figure.arrow(160, 92, 286, 62).arrow(160, 112, 286, 162)
    figure.label(150, 62, "tp_traverse", kind="code").label(150, 160, "tp_traverse", kind="code")
    figure.box(520, 30, 180, 30, "visits: the list, the type").arrow(412, 52, 518, 46)
    figure.box(520, 80, 180, 30, "tp_clear: releases it").arrow(412, 72, 518, 94)
    return figure
