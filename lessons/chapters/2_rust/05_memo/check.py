"""Calls, errors, a function that calls the Memo again, and cycles of objects."""

from ffi_cookbook_lessons.cases import Raises, drive

HELD = (
    ("RuntimeError: Already borrowed", "held-across-call"),
    ("RuntimeError: Already mutably borrowed", "held-across-call"),
)


def cases(draw):
    """Yield calls whose results are known, and what the garbage collector is to find."""
    words = draw.choices(["low", "new", "", "größer", "漢字"], k=12)
    lengths, calls = [len(word) for word in words], len(set(words))
    says = f"Memo(len) of {len(words)} texts, {calls} of them different"
    yield drive("results", words, gives=(lengths, calls, calls), says=says)
    yield drive("same_object", gives=True, says="memo(text) is memo(text)")
    yield drive("item", "low", "low", gives=3, says='memo["low"] after memo("low")')
    says = 'memo["lower"] after memo("low")'
    yield drive("item", "low", "lower", gives=Raises(KeyError, "lower"), says=says)
    says = "a function that raises ValueError, called twice"
    yield drive("raising", gives=("ValueError", "ValueError", 2, 0), says=says)
    for argument in (5, None, b"low"):
        yield drive("item", argument, "low", gives=Raises(TypeError), says=f"memo({argument!r})")
    says = 'memo(text="low")'
    yield drive("by_keyword", gives=Raises(TypeError), rule="wrong-signature", says=says)
    text = "".join(draw.choices("abcde", k=9))
    says = "a function that calls the Memo for a shorter text"
    yield drive("recursive", text, gives=(text[::-1], len(text) + 1), mistakes=HELD, says=says)
    says = "a function that calls the Memo for the same text"
    yield drive("same_text", gives=("inner", 1), mistakes=HELD, says=says)
    says = "a function that asks for len(memo)"
    yield drive("asks_len", gives=(0, 1), mistakes=HELD, says=says)
    for name, says in (
        ("cycle_by_function", "a cycle through the function"),
        ("cycle_by_result", "a cycle through a result that is a list"),
        ("cycle_by_itself", "a Memo that is its own result"),
    ):
        yield drive(name, gives="collected", rule="not-collected", repeat=0, says=says)
    yield drive("repeated", "token", gives=5, timed=True, says="memo(text), a text that was seen")
