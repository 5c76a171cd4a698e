"""One row of the ledger: a statement to time, its answer, and the statement without work."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from benchmarks.core.clock import Timed
from benchmarks.ledger import empty


class Row(NamedTuple):
    """One pattern."""

    page: str
    """Where it is written: bindings/<binding>/patterns/<page>."""
    signature: str
    """Its kinds of argument and result, as the cost model reads them."""
    function: str
    """What of binding.patterns is timed: `f` in the statement."""
    statement: str
    arguments: Mapping[str, Any]
    """The other names of the statement."""
    answer: Any
    """What the statement gives, or the exception it raises."""

    def is_in(self, patterns: Any) -> bool:
        """Return True if these patterns have the function, and the types of its arguments."""
        kinds = [value.kind for value in self.arguments.values() if isinstance(value, Made)]
        return all(callable(getattr(patterns, name, None)) for name in (self.function, *kinds))

    def names(self, patterns: Any, variant: str | None = None) -> dict[str, Any]:
        """Return the objects that the statement names, for one binding and variant."""
        space = getattr(patterns, variant) if variant else patterns
        function = getattr(space, self.function)
        arguments = {
            name: value.by(space, patterns) if isinstance(value, Made) else value
            for name, value in self.arguments.items()
        }
        return {"f": function, **arguments}

    def timed(self, patterns: Any, variant: str | None = None) -> Timed:
        """Return the statement, ready to be timed."""
        return Timed(self._guarded(self.statement), self.names(patterns, variant))

    def nothing(self) -> Timed:
        """Return the statement with an empty C function or object in place of the binding's."""
        nobody = empty.instance()
        function = "keywords" if "=" in self.statement else "call"
        if self.statement.startswith("for "):
            function = "iterator"
        names = {
            name: nobody if isinstance(value, Made) else value
            for name, value in self.arguments.items()
        }
        return Timed(self._guarded(self.statement), {"f": getattr(nobody, function), **names})

    def outcome(self, patterns: Any, variant: str | None = None) -> Any:
        """Return the result of the statement, or the exception that it raises."""
        try:
            return _result(self.statement, self.names(patterns, variant))
        except Exception as error:
            return error.with_traceback(None)

    def wrong(self, patterns: Any, variant: str | None = None) -> str | None:
        """Return the difference between the answer and the right one, or None."""
        result = self.outcome(patterns, variant)
        if isinstance(self.answer, Exception):
            right = type(result) is type(self.answer) and str(result) == str(self.answer)
        else:
            right = type(result) is type(self.answer) and np.array_equal(result, self.answer)
        return None if right else f"{self.statement} gave {result!r}, not {self.answer!r}"

    def _guarded(self, statement: str) -> str:
        if not isinstance(self.answer, Exception):
            return statement
        return f"try:\n    {statement}\nexcept Exception:\n    pass"


class Made(NamedTuple):
    """An argument of a type of the binding, or of the variant's own type if it has one."""

    kind: str
    values: tuple[Any, ...]

    def by(self, variant: Any, patterns: Any) -> Any:
        """Return the object."""
        made = variant if hasattr(variant, self.kind) else patterns
        return getattr(made, self.kind)(*self.values)


def _result(statement: str, names: dict[str, Any]) -> Any:
    """Return the result of a statement.

    It is the value of an expression, the items of a loop, or the value of the object that an
    assignment changed.
    """
    if statement.startswith("for "):
        return list(eval(statement.removeprefix("for _ in ").removesuffix(": pass"), names))
    if " = " in statement:
        exec(statement, names)
        statement = statement.partition(" = ")[0]
    result = eval(statement, names)
    if hasattr(result, "x"):
        return (result.x, result.y)
    return getattr(result, "value", result)
