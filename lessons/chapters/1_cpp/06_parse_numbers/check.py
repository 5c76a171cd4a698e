"""Texts that are numbers and texts that are not, with the code and the message of each."""

from ffi_cookbook_lessons.cases import drive

OK, BAD_NUMBER, OUT_OF_RANGE, NO_ROOM, OTHER = range(5)
NOTHING = -99.0


def cases(draw):
    """Yield texts of numbers, every kind of failure, and a failure in another thread."""
    for n in draw.sizes(40):
        values = draw.floats(n)
        text = " ".join(map(repr, values))
        yield drive("parse", text, n, gives=(OK, n, values))
        gives = (OK, n, [*values, NOTHING, NOTHING])
        yield drive("parse", text, n + 2, gives=gives)
        if n:
            says = f"parse_numbers of {n} numbers with room for {n - 1}"
            gives = (NO_ROOM, 0, [NOTHING] * (n - 1))
            yield drive("parse", text, n - 1, gives=gives, says=says)

    word = draw.choice(["x", "one", "naught", "-"])
    yield drive("parse", f"1.5 {word}", 4, gives=(BAD_NUMBER, 0, [NOTHING] * 4))
    yield drive("message", f"1.5 {word}", gives=(BAD_NUMBER, f"not a number: {word}"))
    yield drive("message", "2 1e999", gives=(OUT_OF_RANGE, "too large: 1e999"))
    yield drive("some_message", "3kg", gives=(OTHER, True))
    yield drive("some_message", "1 2 3", 2, gives=(NO_ROOM, True))
    long = "x" * draw.randint(300, 900)
    gives = (BAD_NUMBER, f"not a number: {long}"[:255])
    yield drive("message", long, gives=gives, says=f"parse_numbers of {len(long)} times x")
    says = "parse_error in this thread, after another one has failed"
    yield drive("two_threads", "mine", "theirs", gives="not a number: mine", rule="race", says=says)
