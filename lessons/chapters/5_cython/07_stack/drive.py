"""Stacks that are filled, emptied, made again and made without their __init__."""


def run(subject, capacity, steps):
    """Return what each step gives: a number is pushed, None pops."""
    stack = subject.Stack(capacity)
    found = []
    for step in steps:
        try:
            found.append(stack.pop() if step is None else stack.push(step))
        except IndexError:
            found.append("IndexError")
    return found, len(stack)


def again(subject, capacity):
    """Return what a stack holds after its __init__ was called again."""
    stack = subject.Stack(capacity)
    stack.push(1.5)
    try:
        stack.__init__(capacity)
    except TypeError:
        return [1.5]
    return [stack.pop() for _ in range(len(stack))]


def subclassed(subject):
    """Use a stack of a subclass whose __init__ calls nothing."""

    class Own(subject.Stack):
        def __init__(self, capacity):
            pass

    stack = Own(3)
    for number in (1.0, 2.0, 3.0):
        stack.push(number)
    try:
        stack.push(4.0)
    except IndexError:
        return stack.pop()
    return None


def without_arguments(subject):
    """Make a stack by __new__ alone."""
    stack = subject.Stack.__new__(subject.Stack)
    stack.push(1.0)


def made(subject, capacity):
    """Make and drop a stack."""
    subject.Stack(capacity)
