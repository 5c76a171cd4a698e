"""The figures of the chapter on ctypes and cffi."""

from ffi_cookbook_lessons.drawing import Drawing


def truncated():
    """Draw an address that loses its upper half."""
    drawing = Drawing(680, 250, "An address of 64 bits that is cut to 32 bits")
    drawing.label(20, 30, "C returns the address of a string:")
    drawing.cells(20, 42, ["00", "00", "55", "d5", "c4", "a3", "b2", "a0"], kind="native")
    drawing.label(400, 62, "64 bits, in a register", kind="small")
    drawing.arrow(284, 76, 284, 106)
    drawing.label(296, 96, "no restype: an int", kind="small")
    drawing.cells(196, 110, ["c4", "a3", "b2", "a0"], kind="python")
    drawing.label(400, 130, "32 bits: Python has -995904864", kind="small")
    drawing.arrow(284, 144, 284, 174)
    drawing.label(296, 164, "passed back to C, with its sign", kind="small")
    drawing.cells(20, 178, ["ff", "ff", "ff", "ff", "c4", "a3", "b2", "a0"], kind="wrong")
    drawing.label(400, 198, "nothing is there: the process dies", kind="small")
    drawing.label(20, 236, "Bytes are shown with the highest first.", kind="small")
    return drawing


def layout():
    """Draw the bytes of a struct."""
    drawing = Drawing(760, 190, "The layout of a struct with padding")
    drawing.label(
        20,
        28,
        "struct { uint8_t sensor; uint32_t time; double error; int16_t level; }",
        kind="code",
    )
    parts = [
        (1, "", "native"),
        (3, "padding", "plain"),
        (4, "time", "native"),
        (8, "error", "native"),
        (2, "level", "native"),
        (6, "padding", "plain"),
    ]
    at = 0
    for size, name, kind in parts:
        drawing.box(20 + 30 * at, 60, 30 * size, 40, name, kind=kind)
        drawing.label(20 + 30 * at, 118, str(at), kind="small")
        at += size
    drawing.label(740, 118, str(at), anchor="end", kind="small")
    drawing.arrow(35, 140, 35, 104)
    drawing.label(20, 158, "sensor")
    drawing.label(
        130, 158, "time begins at a multiple of 4, error at a multiple of 8,", kind="small"
    )
    drawing.label(130, 176, "and the size is a multiple of 8, the largest alignment.", kind="small")
    return drawing


def callback():
    """Draw who refers to a callback."""
    drawing = Drawing(720, 210, "What keeps a callback alive")
    drawing.label(20, 28, "Python")
    drawing.box(20, 44, 150, 50, "your list or dict", kind="python")
    drawing.box(270, 44, 170, 50, "callback object", kind="python")
    drawing.box(540, 44, 150, 50, "function", kind="python")
    drawing.arrow(170, 69, 266, 69, "owns")
    drawing.arrow(440, 69, 536, 69, "owns")
    drawing.box(270, 124, 170, 40, "machine code", kind="plain")
    drawing.arrow(355, 94, 355, 120)
    drawing.label(366, 112, "owns", kind="small")
    drawing.label(20, 138, "C")
    drawing.box(20, 150, 150, 40, "stored address", kind="native")
    drawing.arrow(170, 168, 266, 150, dashed=True)
    drawing.label(180, 196, "points, and owns nothing", kind="small")
    return drawing
