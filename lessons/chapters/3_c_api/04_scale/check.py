"""Buffers of doubles that are scaled, and buffers that must be refused."""

from ffi_cookbook_lessons.cases import Made, Raises, call, drive


def cases(draw):
    """Yield arrays of several sizes, then each thing that has to be refused."""
    factor = draw.choice([0.5, 3.0, -2.0])
    for n in draw.sizes(100):
        values = draw.floats(n)
        expected = [value * factor for value in values]
        says = f"scale(array.array('d', <{n} doubles>), {factor})"
        yield drive(
            "scaled", Made("array_of", ("d", values)), factor, gives=expected, repeat=0, says=says
        )
    values = draw.floats(6)
    expected = [[value * factor for value in row] for row in (values[:3], values[3:])]
    says = "scale of a view of 2 x 3 doubles"
    yield drive("scaled", Made("matrix", (values,)), factor, repeat=0, gives=expected, says=says)
    yield call("scale", Made("array_of", ("d", values)), factor, gives=None)
    for code in "fqB":
        item = Made("array_of", (code, [1, 2, 3, 4, 5, 6, 7, 8]))
        yield call("scale", item, factor, gives=Raises(TypeError), rule="wrong-dtype")
        says = f"an array of format {code!r} after scale"
        gives = (
            [1, 2, 3, 4, 5, 6, 7, 8] if code != "f" else [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
        )
        yield drive("left_alone", item, factor, gives=gives, rule="wrong-dtype", says=says)
    gives = Raises(BufferError)
    yield call("scale", Made("every_other", (values,)), factor, gives=gives, rule="not-contiguous")
    yield drive(
        "left_alone",
        Made("read_only", (values,)),
        factor,
        gives=values,
        rule="changed-input",
        says="a read-only view after scale",
    )
    yield call("scale", [1.0, 2.0], factor, gives=Raises(TypeError))
    yield call("scale", Made("array_of", ("d", values)), "2", gives=Raises(TypeError))
