"""Lists of few different ids, so that pairs are frequent, and arguments that are refused."""

from ffi_cookbook_lessons.cases import Raises, drive


def replaced(ids, pair, new):
    """Return the ids after the replacement."""
    out = []
    for item in ids:
        # A replaced pair leaves `new` at the end, which is never the first id of a pair.
        if out and out[-1] == pair[0] and item == pair[1]:
            out[-1] = new
        else:
            out.append(item)
    return out


def cases(draw):
    """Yield lists of several sizes, the signature, and wrong arguments."""
    says = "inspect.signature(replace_pair)"
    gives = "(ids, pair, *, new)"
    yield drive("signature", gives=gives, rule="wrong-signature", repeat=0, says=says)
    says = "if replace_pair.__doc__ is a string"
    yield drive("has_docstring", gives=True, rule="wrong-signature", repeat=0, says=says)

    def case(ids, pair, new, **more):
        says = f"replace_pair({ids if len(ids) < 12 else f'{len(ids)} ids'}, {pair}, new={new})"
        return drive("replace_pair", ids, pair, new, says=says, **more)

    for ids in (
        [5, 1, 2, 1, 2, 2],
        [7, 7, 7],
        [1],
        [],
        *(draw.choices([1, 2, 7], k=9) for _ in range(4)),
        draw.choices(range(8), k=300),
    ):
        for pair in ((1, 2), (7, 7)):
            yield case(ids, pair, 9, gives=replaced(ids, pair, 9))
    top = 2**21 - 1
    yield case([1, top], (1, top), 0, gives=[0])
    for pair in ((1, 2), (2, 1), (2, 2)):
        says = "new is 2, which is a part of the pair"
        yield case([1, 2, 3], pair, 2, gives=Raises(ValueError, says))
    for large in (2**21, draw.randint(2**21, 2**32 - 1)):
        ending = f" is {large}, which is not below 2097152"
        for ids, pair, new, name in (
            ([1, large], (1, 2), 9, "ids[1]"),
            ([1, 2], (large, 2), 9, "pair[0]"),
            ([1, 2], (1, large), 9, "pair[1]"),
            ([1, 2], (1, 2), large, "new"),
        ):
            yield case(ids, pair, new, gives=Raises(ValueError, name + ending))
    for ids, pair, new in (
        ([-1], (1, 2), 9),
        ([1], (-1, 2), 9),
        ([1], (1, 2), -1),
        ([2**32], (1, 2), 9),
    ):
        yield case(ids, pair, new, gives=Raises(OverflowError))
    for ids, pair, new in (
        ([1.5], (1, 2), 9),
        (["1"], (1, 2), 9),
        ([1], (1, 2), "9"),
        ([1], (1, None), 9),
    ):
        yield case(ids, pair, new, gives=Raises(TypeError))
    says = "replace_pair([1], (1, 2), 9)"
    gives = Raises(TypeError)
    yield drive("positional", [1], (1, 2), 9, gives=gives, rule="wrong-signature", says=says)
    ids = draw.choices(range(20), k=1000)
    yield case(ids, (3, 4), 99, gives=replaced(ids, (3, 4), 99), timed=True)
