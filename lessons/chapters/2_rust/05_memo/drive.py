"""Memos of functions that count their calls, raise, call the memo, or are part of a cycle."""

import gc


def results(module, words):
    """Return the results, the number of calls and the length of the memo."""
    calls = []
    memo = module.Memo(lambda text: calls.append(text) or len(text))
    return [memo(word) for word in words], len(calls), len(memo)


def same_object(module):
    """Return True if the second call returns the object of the first one."""
    memo = module.Memo(lambda text: [text])
    return memo("ab") is memo("ab")


def item(module, first, second):
    """Return what is remembered for one text after a call with another."""
    memo = module.Memo(len)
    memo(first)
    return memo[second]


def raising(module):
    """Return what two calls raise, the number of calls, and the length of the memo."""
    calls, raised = [], []

    def refuse(text):
        calls.append(text)
        raise ValueError(text)

    memo = module.Memo(refuse)
    for _ in range(2):
        try:
            memo("ab")
        except ValueError as error:
            raised.append(type(error).__name__)
    return (*raised, len(calls), len(memo))


def by_keyword(module):
    """Call a memo by keyword."""
    return module.Memo(len)(text="low")


def with_errors(function):
    """Return a function that catches a RuntimeError and returns its text."""

    def call(*arguments):
        try:
            return function(*arguments)
        except RuntimeError as error:
            return f"RuntimeError: {error}"

    return call


@with_errors
def recursive(module, text):
    """Return the text backwards, made by calls with shorter texts, and the length of the memo."""

    def backwards(text):
        return made[0](text[1:]) + text[0] if text else ""

    made = [module.Memo(backwards)]
    answer = made[0](text), len(made[0])
    made.clear()
    return answer


@with_errors
def same_text(module):
    """Return the result of a function that asks for the same text when it is first called."""
    depth = []

    def again(text):
        depth.append(text)
        return "inner" if len(depth) > 1 else made[0](text)

    made = [module.Memo(again)]
    answer = made[0]("ab"), len(made[0])
    made.clear()
    return answer


@with_errors
def asks_len(module):
    """Return the length of a memo during a call and after it."""
    made = [module.Memo(lambda text: len(made[0]))]
    answer = made[0]("ab"), len(made[0])
    made.clear()
    return answer


def repeated(module, text):
    """Return what a memo remembers for a text."""
    if not kept:
        kept.append(module.Memo(len))
    return kept[0](text)


kept = []


def collected(kind):
    """Return "collected" if the collector frees the only object of that kind, now in a cycle.

    A weak reference would not tell: the collector clears it before it tries to free the object.
    """
    gc.collect()
    return "still alive" if any(type(each) is kind for each in gc.get_objects()) else "collected"


def cycle_by_function(module):
    """Make a function that refers to its memo."""

    class Function:
        def __call__(self, text):
            return text

    function = Function()
    function.memo = module.Memo(function)
    del function
    return collected(Function)


def cycle_by_result(module):
    """Make a memo that has remembered an object that refers to it."""

    class Thing:
        pass

    thing = Thing()
    thing.memo = module.Memo(Popping([thing]))
    thing.memo("ab")
    del thing
    return collected(Thing)


def cycle_by_itself(module):
    """Make a memo that has remembered itself, and one more object."""

    class Thing:
        pass

    given = [Thing()]
    memo = module.Memo(Popping(given))
    given.append(memo)
    memo("itself")
    memo("thing")
    del memo
    return collected(Thing)


class Popping:
    """A function that returns the last item of a list, and removes it."""

    def __init__(self, given):
        self.given = given

    def __call__(self, text):
        return self.given.pop()
