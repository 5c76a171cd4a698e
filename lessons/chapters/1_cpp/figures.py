"""The figures of the chapter on C++."""

from ffi_cookbook_lessons.drawing import Drawing


def memory():
    """Draw n doubles, the pointer to the first and the one past the last."""
    figure = Drawing(
        620, 150, "Five doubles in memory, with pointers to the first and past the last"
    )
    figure.label(20, 85, "memory", kind="small")
    figure.cells(100, 65, [3.0, -1.0, 2.0, 0.5, 8.0], width=70, kind="native")
    figure.cells(450, 65, ["?"], width=70, kind="wrong")
    figure.label(135, 20, "values", anchor="middle", kind="code").arrow(135, 28, 135, 62)
    figure.label(485, 20, "values + n", anchor="middle", kind="code").arrow(485, 28, 485, 62)
    figure.label(100, 120, "values[0] to values[n - 1] may be read: n = 5, 40 bytes", kind="small")
    figure.label(450, 120, "belongs to something else", kind="small")
    return figure


def strides():
    """Draw three views of the same six doubles."""
    figure = Drawing(
        640, 270, "Six doubles in memory, seen as a matrix, its transpose and reversed"
    )
    figure.label(20, 40, "memory", kind="small").cells(110, 20, range(1, 7), kind="native")
    figure.label(110, 70, "byte 0", kind="small").label(330, 70, "byte 40", kind="small")
    views = [
        (20, "a", "data = 0", "strides (24, 8)", [[1, 2, 3], [4, 5, 6]]),
        (240, "a.T", "data = 0", "strides (8, 24)", [[1, 4], [2, 5], [3, 6]]),
        (440, "a[::-1, ::-1]", "data = 40", "strides (-24, -8)", [[6, 5, 4], [3, 2, 1]]),
    ]
    for x, name, data, steps, rows in views:
        figure.label(x, 115, name, kind="code")
        for i, row in enumerate(rows):
            figure.cells(x, 125 + 30 * i, row, kind="python")
        figure.label(x, 240, data, kind="small").label(x, 258, steps, kind="small")
    return figure


def owners():
    """Draw a handle, the objects with their owners, and a view that owns nothing."""
    figure = Drawing(
        660, 230, "A handle in Python, the object behind it, and the array that it owns"
    )
    figure.box(20, 30, 130, 60, "Python\nhandle = 0x5f20", kind="python")
    figure.box(
        240, 30, 150, 90, "struct series\nstd::vector:\nbegin, size, capacity", kind="native"
    )
    figure.cells(470, 60, [0.5, 0.25, "", ""], kind="native")
    figure.arrow(150, 60, 237, 60, "address").arrow(390, 75, 467, 75, "owns")
    figure.box(240, 160, 150, 50, "std::span\nbegin, size")
    figure.arrow(390, 180, 490, 93, dashed=True)
    figure.label(440, 170, "shows, and owns nothing", kind="small")
    figure.label(20, 120, "series_new makes it,", kind="small")
    figure.label(20, 138, "series_free destroys it", kind="small")
    return figure


def blocks():
    """Draw one block of b, which is copied and used for all rows of a."""
    figure = Drawing(
        680, 230, "A block of b is packed and multiplied by the columns of a that fit it"
    )
    figure.label(100, 25, "a", anchor="middle", kind="code").box(20, 35, 160, 160)
    figure.box(100, 35, 40, 160, kind="python")
    figure.label(290, 25, "b", anchor="middle", kind="code").box(210, 35, 160, 160)
    figure.box(250, 115, 40, 40, kind="native")
    figure.label(580, 25, "c", anchor="middle", kind="code").box(500, 35, 160, 160)
    figure.box(540, 35, 40, 160, kind="python")
    figure.box(400, 115, 70, 40, "packed", kind="native").arrow(290, 135, 397, 135)
    figure.label(20, 218, "every row of these columns of a × the packed block", kind="small")
    figure.label(500, 218, "is added to these of c", kind="small")
    return figure
