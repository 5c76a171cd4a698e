"""The figures of the chapter on Rust."""

from ffi_cookbook_lessons.drawing import Drawing


def borrows() -> Drawing:
    """Return the two ways of borrowing a vector."""
    figure = Drawing(720, 230, "Either many shared references or one exclusive reference")
    for left, heading in ((20, "&tokens: many may read"), (380, "&mut tokens: one may write")):
        figure.label(left, 30, heading)
        figure.box(left, 150, 130, 44, "tokens\nthe owner", "python")
        figure.cells(left + 190, 157, ["ab", "c", "de"], width=40)
        figure.arrow(left + 130, 172, left + 188, 172)
    for i in range(3):
        figure.box(20 + 105 * i, 60, 90, 34, "&tokens").arrow(65 + 105 * i, 94, 235 + 35 * i, 155)
    figure.box(500, 60, 110, 34, "&mut tokens", "native").arrow(555, 94, 600, 155)
    figure.label(380, 120, "no other borrow,", kind="small")
    figure.label(380, 138, "not even of the owner", kind="small")
    return figure


def utf8() -> Drawing:
    """Return the bytes of a word with a letter of two bytes."""
    figure = Drawing(720, 170, "The word größer in bytes: place 3 is inside the ö")
    letters = [("g", 1), ("r", 1), ("ö", 2), ("ß", 2), ("e", 1), ("r", 1)]
    at = 0
    for letter, n in letters:
        figure.box(60 + 70 * at, 20, 70 * n, 34, letter, "native" if n == 2 else "python")
        at += n
    figure.cells(60, 60, ["67", "72", "c3", "b6", "c3", "9f", "65", "72"], width=70)
    for place in range(9):
        inside = place in (3, 5)
        figure.label(60 + 70 * place, 112, str(place), anchor="middle", kind="code")
        if inside:
            figure.label(60 + 70 * place, 130, "panics", anchor="middle", kind="small")
    figure.label(60, 155, "&text[..place] cuts here", kind="small")
    return figure


def memo() -> Drawing:
    """Return a class that owns Python objects, in a cycle."""
    figure = Drawing(720, 220, "A Memo owns a function and its results; the collector visits both")
    figure.box(30, 90, 120, 44, "collector")
    figure.box(270, 80, 170, 64, "Memo\nfunction, results", "native")
    figure.box(560, 30, 130, 44, "a function", "python")
    figure.box(560, 150, 130, 44, "a result", "python")
    figure.arrow(150, 112, 268, 112, "__traverse__")
    figure.arrow(440, 98, 558, 60).arrow(440, 126, 558, 165)
    figure.label(440, 58, "Py<PyAny>", kind="code")
    figure.arrow(558, 180, 380, 146, dashed=True)
    figure.label(330, 195, "may refer back", kind="small")
    return figure


def merge() -> Drawing:
    """Return a list of ids before and after a merge."""
    figure = Drawing(720, 230, "A merge takes one item out of a list and offers two new candidates")
    for top, values in ((50, ["a", "b", "c", "d"]), (150, ["a", "bc", "", "d"])):
        for i, value in enumerate(values):
            if value:
                figure.box(40 + 100 * i, top, 60, 34, value, "native" if value == "bc" else "plain")
    for left in (100, 200, 300):
        figure.arrow(left, 67, left + 38, 67)
    figure.arrow(100, 167, 138, 167).arrow(200, 167, 338, 167)
    figure.label(40, 35, "the pair (b, c) has the lowest rank").label(
        40, 215, "the list after the merge", kind="small"
    )
    figure.label(500, 35, "the heap")
    candidates = (
        ("(b, c)  rank 2", "native"),
        ("(a, b)  rank 5, stale", "wrong"),
        ("(c, d)  rank 7, stale", "wrong"),
        ("(a, bc)  rank 4, new", "python"),
        ("(bc, d)  rank 9, new", "python"),
    )
    for i, (text, kind) in enumerate(candidates):
        figure.box(500, 50 + 34 * i, 190, 30, text, kind)
    return figure
