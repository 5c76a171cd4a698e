"""The figures of the chapter on pybind11 and nanobind."""

from ffi_cookbook_lessons.drawing import Drawing


def instances() -> Drawing:
    """Return Python objects and the C++ objects that they own or refer to."""
    figure = Drawing(720, 250, "A Python object owns its C++ object, or refers to a part of one")
    figure.label(40, 28, "Python objects").label(430, 28, "C++ objects")
    figure.box(40, 50, 190, 50, "Car instance\nowns", "python")
    figure.box(40, 160, 190, 50, "Engine instance\nrefers", "python")
    figure.box(430, 45, 240, 150, "", "native").label(445, 68, "Car", kind="code")
    figure.box(455, 85, 190, 34, "name")
    figure.box(455, 140, 190, 40, "engine")
    figure.arrow(230, 68, 428, 62, "take_ownership, move, copy")
    figure.arrow(230, 188, 453, 164, "reference_internal")
    figure.arrow(120, 158, 120, 102, dashed=True)
    figure.label(130, 136, "keeps alive", kind="small")
    figure.label(455, 222, "an address inside the car, not to be deleted", kind="small")
    return figure


def arrays() -> Drawing:
    """Return an array, its memory, and the capsule that owns it."""
    figure = Drawing(720, 220, "An array shows memory that its owner keeps and frees")
    figure.box(30, 40, 170, 110, "", "python").label(45, 62, "NumPy array")
    for i, text in enumerate(("data", "shape (4,)", "base")):
        figure.label(60, 88 + 24 * i, text, kind="code")
    figure.cells(420, 55, ["1.5", "4.0", "5.0", "2.5"], width=56, kind="native")
    figure.label(420, 45, "memory from new double[4]", kind="small")
    figure.box(420, 130, 224, 54, "capsule\ndelete[] when it goes", "python")
    figure.arrow(110, 83, 416, 70)
    figure.arrow(110, 132, 416, 155, "owns a reference")
    figure.arrow(532, 128, 532, 88)
    figure.label(542, 112, "frees", kind="small")
    return figure


def threads() -> Drawing:
    """Return a caller that waits with the GIL for a thread that needs it, and one that does not."""
    figure = Drawing(720, 260, "Waiting with the GIL for a thread that needs it never ends")
    figure.label(20, 52, "caller").label(20, 102, "worker")
    figure.box(110, 30, 130, 34, "has the GIL", "python").box(240, 30, 300, 34, "join()", "wrong")
    figure.box(240, 80, 120, 34, "C++", "native").box(360, 80, 180, 34, "waits for GIL", "wrong")
    figure.label(555, 78, "for ever")
    figure.label(20, 172, "caller").label(20, 234, "worker")
    figure.box(110, 150, 130, 34, "has the GIL", "python")
    figure.box(240, 150, 300, 34, "join() without the GIL")
    figure.box(540, 150, 130, 34, "has the GIL", "python")
    figure.box(240, 212, 120, 34, "C++", "native").box(360, 212, 100, 34, "callback", "python")
    figure.box(460, 212, 80, 34, "C++", "native")
    figure.label(244, 142, "gil_scoped_release", kind="code")
    figure.label(364, 205, "gil_scoped_acquire", kind="code")
    return figure
