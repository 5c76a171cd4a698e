"""Arrays of several sizes and strides, arrays that share memory, and what must be refused."""

import numpy as np

from ffi_cookbook_lessons.cases import Made, Near, Raises, call, drive


def cases(draw):
    """Yield arrays, strides, overlap, wrong arguments, and a thread that wants to run."""

    def expected(values):
        return np.cumsum(values) / np.arange(1, len(values) + 1)

    for n in draw.sizes(200):
        values = np.array(draw.floats(n))
        out = np.full(n, np.nan)
        says = f"running_mean of {n} values"
        gives = Near(expected(values))
        yield drive("mean", values, out, gives=gives, rule="lost-precision", says=says)
    thirds = np.array([draw.randint(1, 999) / 3 for _ in range(300)])
    answer = Near(expected(thirds))
    says = "running_mean of 300 values that are thirds"
    yield drive(
        "mean", thirds, np.zeros(300), gives=answer, rule="lost-precision", timed=True, says=says
    )
    values = np.array(draw.floats(12))
    for step, said in ((2, "every other value"), (-1, "values backwards")):
        answer = Near(expected(values[::step]))
        says = f"running_mean of {said}"
        yield drive("strided", values, step, gives=answer, rule="not-contiguous", says=says)
    says = "running_mean of read-only values"
    yield drive("frozen", values, gives=Near(expected(values)), rule="read-only-refused", says=says)
    for shift in (0, 1, 3):
        answer = Raises(ValueError)
        says = f"out begins {shift} items behind values in memory"
        yield drive("overlapping", 9, shift, gives=answer, mistakes=((None, "overlap"),), says=says)
    says = "running_mean(values, out) with a read-only out"
    gives = Raises(ValueError)
    yield call("running_mean", values, Made("read_only", (12,)), gives=gives, says=says)
    for n in (11, 13, 0):
        says = f"running_mean of 12 values into {n}"
        yield drive("mean", values, np.zeros(n), gives=Raises(ValueError), says=says)
    for bad, said in (
        (values.astype(np.float32), "float32"),
        (values.astype(np.int64), "int64"),
        (values.tolist(), "a list"),
        (values.reshape(3, 4), "a matrix"),
        (values.astype(">f8"), "swapped bytes"),
    ):
        answer = Raises(TypeError)
        says = f"running_mean of {said}"
        yield call("running_mean", bad, np.zeros(12), gives=answer, rule="wrong-dtype", says=says)
        says = f"running_mean into {said}"
        gives = Raises(TypeError)
        yield call("running_mean", values, bad, gives=gives, rule="wrong-dtype", says=says)
    yield drive(
        "threads_run",
        1_000_000,
        gives=True,
        rule="gil-held",
        repeat=0,
        modes=("release",),
        says="running_mean, while another thread wants to run",
    )
