"""Arrays that are changed in place, arrays that are converted, memory, and threads."""

import numpy as np

from ffi_cookbook_lessons.cases import Raises, call, drive


def cases(draw):
    """Yield each function's values, then what must be refused, then threads."""
    for n in (0, 1, draw.randint(2, 9), draw.randint(10, 40)):
        values = np.array(draw.floats(n))
        for step in (1, 2, -1):
            rule = "wrong-answer" if step == 1 else "not-contiguous"
            says = f"amplify of {n} samples that lie {step} apart"
            yield drive("amplified", values, step, 2.0, gives=values * 2, rule=rule, says=says)
            says = f"peak of {n} samples that lie {step} apart"
            gives = float(max(abs(values), default=0))
            yield drive("peak", values, step, gives=gives, rule=rule, says=says)
        yield call("fades", n, gives=np.array([(n - i) / n for i in range(n)]))
    samples = draw.integers(6)
    largest = float(max(map(abs, samples)))
    for converted in (samples, tuple(samples), np.array(samples), np.array(samples, np.float32)):
        yield call("peak", converted, gives=largest)
    for wrong in ([1.0, 2.0], np.array(samples), np.array(samples, np.float32)):
        yield call("amplify", wrong, 2.0, gives=Raises(TypeError), rule="not-changed")
    for name, rest in (("amplify", (2.0,)), ("peak", ())):
        yield call(name, np.ones((2, 3)), *rest, gives=Raises(ValueError))
    yield call("peak", 3.5, gives=Raises(ValueError))
    says = "amplify of a read-only array"
    yield drive("frozen", gives=Raises(ValueError), rule="changed-input", says=says)
    says = "peak, while another thread wants to run"
    yield drive("threads_meet", gives=True, repeat=0, rule="gil-held", says=says)
