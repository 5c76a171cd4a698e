"""A split pattern as a finite automaton, which a kernel runs from the start of each pretoken.

The pattern becomes a program for a backtracking matcher (Thompson's construction). A state of the
automaton is the list of places in it that the matcher would still try, in its order, so the first
match wins here too. Lookahead is at one character, on which every step depends in any case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from ffi_cookbook.bindings._glue.bpe.regex import SET, Members, members

COLUMNS = 32  # one for each class of characters; the last is the end of the text
_TOKEN = re.compile(rf"({SET.pattern})|(\(\?[i:!=]+|[)|?*+]|\{{\d+,\d+\}})|(\\?.)", re.DOTALL)

Code = list[tuple[str, int, int]]
"""Instructions.

("set", i, _) goes on after a character in set i, ("is", i, _) before one in it, ("not", i, _)
before another one or at the end of the text, and ("try", a, b) at the instruction a places
further, or else at that b places further.
"""
State = tuple[int, ...]


def compile_pattern(regex: str) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint16]]:
    """Return the class of each code point, and the automaton of docs/tokenizer.md, "The model".

    Args:
        regex: it has sets, literals, `(?:...)`, `(?i:...)`, `(?!set)`, `(?=set)`, `|`, `?`, `*`,
            `+` and `{m,n}`.
    """
    parser = _Parser(regex)
    code = [*parser.alternatives(fold=False), ("match", 0, 0)]
    classes = np.zeros(len(parser.sets[0]), np.int64)
    for of_set in parser.sets:
        classes = 2 * classes + of_set
        used = np.bincount(classes) > 0
        classes = (np.cumsum(used) - 1)[classes]
    examples = np.zeros(classes.max() + 1, np.intp)
    examples[classes] = np.arange(len(classes))  # a code point of each class, whichever
    assert len(examples) < COLUMNS
    holds = np.array(parser.sets).T[examples].tolist()
    holds += [[False] * len(parser.sets)] * (COLUMNS - len(holds))
    numbers: dict[State, int] = {(0,): 0, (): 0}  # nothing leads to the first state
    states: list[State] = [(0,)]
    rows = []
    for state in states:
        row = []
        for inside in holds:
            ends, following = _step(code, state, inside)
            if following not in numbers:
                numbers[following] = len(states)
                states.append(following)
            row.append(numbers[following] << 1 | ends)
        rows.append(row)
    return classes.astype(np.uint8), np.array(rows, np.uint16)


def _step(code: Code, state: State, inside: list[bool]) -> tuple[bool, State]:
    """Return whether a match ends before a character, and the state after it."""
    following: list[int] = []
    seen = set()
    waiting = [*reversed(state)]
    while waiting:
        at = waiting.pop()
        if at in seen:
            continue
        seen.add(at)
        operation, first, second = code[at]
        if operation == "match":
            return True, tuple(following)
        if operation == "try":
            waiting += [at + second, at + first]
        elif operation in ("is", "not") and inside[first] == (operation == "is"):
            waiting.append(at + 1)
        elif operation == "set" and inside[first]:
            following.append(at + 1)
    return False, tuple(following)


class _Parser:
    def __init__(self, regex: str) -> None:
        self.sets: list[Members] = []
        self._numbers: dict[str, int] = {}
        self._tokens: list[tuple[str, str, str]] = _TOKEN.findall(regex)[::-1]

    def alternatives(self, fold: bool) -> Code:
        """Return the code up to the closing parenthesis, or the end."""
        code = [instruction for part in self._parts(fold) for instruction in part]
        if not self._next("|"):
            return code
        other = self.alternatives(fold)
        over = len(other) + 1
        return [("try", 1, len(code) + 2), *code, ("try", over, over), *other]

    def _next(self, *operators: str) -> str:
        """Return the next token and drop it if it is one of these operators, or else ""."""
        found = self._tokens[-1][1] if self._tokens else ""
        if found in operators:
            self._tokens.pop()
            return found
        return ""

    def _parts(self, fold: bool) -> Iterator[Code]:
        while self._tokens and self._tokens[-1][1] not in ("|", ")"):
            if group := self._next("(?:", "(?i:", "(?!", "(?="):
                part = self.alternatives(fold or group == "(?i:")
                self._next(")")
                if group in ("(?!", "(?="):
                    part = [("not" if group == "(?!" else "is", part[0][1], 0)]
            else:
                part = [("set", self._number(fold), 0)]
            yield self._repeated(part)

    def _number(self, fold: bool) -> int:
        """Return the number of the set that is the next token."""
        text, _, literal = self._tokens.pop()
        if literal:
            cases = {literal.lower(), literal.upper(), *("ſ" if literal == "s" else "")}
            text = f"[{''.join(sorted(cases)) if fold else literal}]"
        if text not in self._numbers:
            self._numbers[text] = len(self.sets)
            self.sets.append(members(text))
        return self._numbers[text]

    def _repeated(self, part: Code) -> Code:
        """Return the code of a part with the quantifier that follows it."""
        size = len(part)
        optional = [("try", 1, size + 1), *part]
        match self._tokens[-1][1] if self._tokens else "":
            case "?":
                code = optional
            case "*":
                code = [("try", 1, size + 2), *part, ("try", -size - 1, -size - 1)]
            case "+":
                code = [*part, ("try", -size, 1)]
            case operator if operator.startswith("{"):
                least, most = map(int, operator[1:-1].split(","))
                code = part * least
                for left in range(most - least, 0, -1):
                    code += [("try", 1, left * (size + 1)), *part]
            case _:
                return part
        self._tokens.pop()
        return code
