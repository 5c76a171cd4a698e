"""The figures of the chapter on Cython."""

from ffi_cookbook_lessons.drawing import Drawing


def objects():
    """Draw one statement with objects and with C types."""
    title = "total += x * x makes two objects for each item, or none"
    figure = Drawing(720, 250, title)
    figure.label(20, 28, "total += x * x, without types")
    figure.box(20, 50, 80, 56, "float\nx", "python")
    figure.box(240, 50, 130, 56, "float\nx * x", "python")
    figure.box(520, 50, 170, 56, "float\ntotal + x * x", "python")
    figure.arrow(100, 78, 240, 78, "PyNumber_Multiply")
    figure.arrow(370, 78, 520, 78, "PyNumber_InPlaceAdd")
    figure.label(240, 128, "a new object, and the test", kind="small")
    figure.label(240, 144, "whether the call has failed", kind="small")
    figure.label(520, 128, "a new object;", kind="small")
    figure.label(520, 144, "the old total is released", kind="small")
    figure.label(20, 182, "cdef double total, x")
    figure.cells(20, 200, ["x"], 60, "native").cells(240, 200, ["x * x"], 90, "native")
    figure.cells(520, 200, ["total"], 90, "native")
    figure.arrow(80, 215, 240, 215, "one instruction")
    figure.arrow(330, 215, 520, 215, "one instruction")
    return figure


def strides():
    """Draw a column of a matrix as a memoryview sees it."""
    figure = Drawing(720, 230, "A column of a matrix of 3 rows and 4 columns, in memory")
    figure.label(20, 28, "matrix = np.arange(12.0).reshape(3, 4), and the view matrix[:, 1]")
    for i in range(12):
        figure.cells(20 + 56 * i, 90, [i], 56, "native" if i % 4 == 1 else "plain")
    figure.label(104, 58, "v[0]", anchor="middle", kind="code")
    figure.label(328, 58, "v[1]", anchor="middle", kind="code")
    figure.label(552, 58, "v[2]", anchor="middle", kind="code")
    for x in (104, 328, 552):
        figure.arrow(x, 64, x, 88)
    figure.arrow(104, 140, 328, 140).label(216, 158, "v.strides[0] = 32 bytes", "middle", "small")
    figure.arrow(328, 140, 552, 140).label(440, 158, "32 bytes", "middle", "small")
    figure.label(20, 194, "double[:] finds item i at the first address + i * 32;")
    figure.label(20, 214, "double[::1] would take the next 8 bytes, so it refuses this view.")
    return figure


def exceptions():
    """Draw what the caller of a C function does with each declaration."""
    figure = Drawing(720, 256, "What a caller does with the result of a C function")
    figure.box(20, 90, 150, 50, "checked(value)\nreturns", "native")
    figure.box(300, 20, 160, 44, "not -1:\nit is the value", "plain")
    figure.box(300, 92, 160, 44, "-1, and no\nexception is set", "plain")
    figure.box(300, 166, 160, 44, "-1, and an\nexception is set", "wrong")
    figure.arrow(170, 104, 298, 44).arrow(170, 115, 298, 115).arrow(170, 126, 298, 186)
    figure.box(540, 46, 160, 44, "the caller goes on", "native")
    figure.box(540, 166, 160, 44, "the caller returns\nits own error", "python")
    figure.arrow(460, 42, 538, 62).arrow(460, 114, 538, 78).arrow(460, 188, 538, 188)
    figure.label(20, 242, "except? -1: only on -1 does the caller look for an exception.")
    return figure


def life():
    """Draw the life of an object that owns memory."""
    figure = Drawing(720, 230, "The calls in the life of an object that owns C memory")
    figure.box(20, 60, 130, 50, "fields are zero", "plain")
    figure.box(190, 60, 130, 50, "__cinit__\nmalloc", "native")
    figure.box(360, 60, 150, 50, "__init__\n0, 1 or more times", "python")
    figure.box(560, 60, 140, 50, "__dealloc__\nfree", "native")
    figure.arrow(150, 85, 188, 85).arrow(320, 85, 358, 85).arrow(510, 85, 558, 85)
    figure.box(320, 130, 210, 34, "__cinit__ has raised", "wrong")
    figure.arrow(255, 112, 318, 144, dashed=True).arrow(530, 144, 610, 112, dashed=True)
    figure.label(20, 196, "Once for each object: __cinit__ and __dealloc__, in every case.")
    figure.label(20, 216, "Memory belongs to these two, and to nothing that can be skipped.")
    return figure
