"""The figures of the chapter on PyTorch operators."""

from ffi_cookbook_lessons.drawing import Drawing


def storage() -> Drawing:
    """Return two tensors over one storage."""
    figure = Drawing(720, 210, "Two tensors with one storage and other strides")
    for x, name, shape in (
        (20, "x", "shape (2, 3)\nstrides (3, 1)"),
        (420, "x.t()", "shape (3, 2)\nstrides (1, 3)"),
    ):
        figure.label(x, 30, name, kind="code").box(x, 42, 200, 56, shape, "python")
    figure.label(20, 152, "one storage").cells(210, 132, [0, 1, 2, 3, 4, 5], kind="native")
    figure.arrow(120, 98, 226, 130).arrow(420, 84, 238, 130)
    figure.label(20, 196, "x[1] begins here: 1 x 3 items on", kind="small")
    figure.arrow(230, 190, 362, 166)
    return figure


def layers() -> Drawing:
    """Return the way of a call through the dispatcher."""
    figure = Drawing(720, 220, "A call goes through the layers of the dispatcher")
    figure.box(20, 60, 130, 44, "running_sum(x)", "python")
    figure.box(190, 60, 110, 44, "autocast").box(340, 60, 110, 44, "autograd")
    for x in (150, 300):
        figure.arrow(x, 82, x + 38, 82)
    for y, name, kind in (
        (20, "kernel for CPU", "native"),
        (82, "kernel for CUDA", "native"),
        (144, "fake kernel", "python"),
    ):
        figure.box(520, y, 170, 40, name, kind)
        figure.arrow(450, 82, 518, y + 20, dashed=kind == "python")
    figure.label(190, 124, "converts", kind="small").label(
        340, 124, "notes the gradient", kind="small"
    )
    figure.label(520, 204, "for tensors without memory", kind="small")
    return figure


def saved() -> Drawing:
    """Return what lives between forward and backward."""
    figure = Drawing(720, 200, "What is saved lives from forward to backward")
    for i, name in enumerate(("layer 1", "layer 2", "layer 3")):
        figure.box(20 + 120 * i, 30, 100, 36, name, "python")
        figure.box(620 - 120 * i, 30, 80, 36, f"back {i + 1}", "python")
        figure.box(70 + 120 * i, 90 + 32 * i, 590 - 240 * i, 24, kind="native")
    figure.label(365, 107, "saved by layer 1", anchor="middle", kind="small")
    figure.label(365, 139, "saved by layer 2", anchor="middle", kind="small")
    figure.label(365, 171, "saved by layer 3", anchor="middle", kind="small")
    figure.label(20, 20, "time", kind="small").arrow(56, 16, 700, 16)
    return figure


def parts() -> Drawing:
    """Return a loss that is computed for a part of the rows at a time."""
    figure = Drawing(720, 220, "A loss in parts: the logits of one part at a time")
    figure.label(20, 24, "x").label(210, 24, "logits of one part").label(600, 24, "loss")
    for i in range(4):
        figure.box(20, 36 + 42 * i, 60, 36, f"part {i + 1}", "native")
    figure.box(210, 78, 300, 36, "8 rows, one column for each word", "native")
    figure.box(210, 162, 300, 36, "never all rows at once", "wrong")
    figure.box(600, 78, 90, 36, "+ sum", "python")
    figure.arrow(80, 96, 208, 96, "@ weight.T").arrow(510, 96, 598, 96)
    figure.label(210, 136, "its gradient is added up, and the part is freed", kind="small")
    return figure
