"""Words that occur, items that are not words, and lists that change."""

from ffi_cookbook_lessons.cases import Raises, call, drive


def cases(draw):
    """Yield lists of several sizes, then errors, then threads."""
    for n in draw.sizes(30):
        words = [draw.text(draw.randint(0, 3)) for _ in range(n)]
        text = draw.text(60)
        gives = [word for word in words if word in text]
        says = f"find_words of {n} words"
        yield call("find_words", words, text, gives=gives, timed=n > 2, says=says)
    for items, kind in (
        (["a", None], TypeError),
        (["ab", b"a"], TypeError),
        ([2.5], TypeError),
        (["a", "b\0c"], ValueError),
    ):
        yield call("find_words", items, "text ab", gives=Raises(kind))
    yield call("find_words", ("a",), "text", gives=Raises(TypeError))
    yield call("find_words", ["\ud800"], "text", gives=Raises(UnicodeError))
    names = [f"word {draw.randint(1000, 9999)} of many" for _ in range(draw.randint(4, 40))]
    for left in (0, 1, len(names) // 2):
        gives = names[:left] or names[:1]
        yield drive(
            "changed",
            names,
            left,
            gives=gives,
            rule="use-after-free",
            repeat=0,
            mistakes=(("the GIL is held", "gil-held"),),
            says=f"find_words, while another thread leaves {left} of {len(names)} words",
        )
