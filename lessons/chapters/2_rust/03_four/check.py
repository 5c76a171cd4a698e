"""Small and large ids, in arrays that end where their memory ends."""

from ffi_cookbook_lessons.cases import drive


def cases(draw):
    """Yield sums, repetitions, counts and names."""
    for n in (1, 2, draw.randint(3, 20), 300):
        ids = draw.integers(n, 0, 2**32 - 1)
        yield drive("total", ids, gives=sum(ids), says=f"total of {n} ids")
        for times in (1, 2, draw.randint(3, 9)):
            says = f"repeat of {n} ids, {times} times"
            yield drive("repeat", ids, times, gives=ids * times, says=says)
        for n_counts in (0, 1, draw.randint(2, 50)):
            ids = draw.integers(n, 0, 60)
            gives = [ids.count(i) for i in range(n_counts)]
            says = f"count of {n} ids, {n_counts} counts"
            yield drive("count", ids, n_counts, gives=gives, says=says)
    ids = [3, 2**32 - 1, 2**31, 3]
    yield drive("count", ids, 4, gives=[0, 0, 0, 2])
    for number in (0, 7, draw.randint(8, 2**32 - 1)):
        yield drive("name", number, gives=f"token {number}".encode())
