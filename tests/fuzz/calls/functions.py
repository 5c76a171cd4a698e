"""The functions under test: their valid calls, and the kinds of their arguments.

A line `name: kind = text` is an argument, whose hostile texts are those of its kind in the grammar;
`name = text` is a value that later lines use. Arguments after `*` are given by name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ffi_cookbook.bindings.protocol.pattern_table import PATTERNS


class Function(NamedTuple):
    """A function under test."""

    target: str
    lines: str
    part: str
    """The part of a backend that has it."""
    use: str = "r"
    """What is done with the result `r` while hostile objects act."""
    digest: str = "r"
    """What is compared."""
    weight: int = 1

    @property
    def values(self) -> dict[str, str]:
        """The text of each value, arguments or not."""
        return {name: text for name, _, text in self._parsed()}

    @property
    def kinds(self) -> dict[str, str]:
        """The kind of each argument."""
        return {name: kind for name, kind, _ in self._parsed() if kind}

    @property
    def by_name(self) -> list[str]:
        """The arguments that are given by name."""
        after = self.lines.partition("*\n")[2]
        return re.findall(r"(\w+): ", after)

    def _parsed(self) -> list[tuple[str, str, str]]:
        return re.findall(r"^ *(\w+)(?:: (\w+))? = (.*)$", self.lines, re.MULTILINE)


SPECIAL = """
    *
    allowed_special: container = <allowed>
    disallowed_special: container = <disallowed>
"""
SCENE = """
    given = scene(<any> % 40, scale)
    buffer: buffer = as_buffer(given.data, <n> % 3)
"""
ARENA = """
    schema: buffer = as_buffer(given.schema, <n> % 3)
    arena: array = place(given.arena, '<where>')
    columns: array = place(given.columns, '<where>')
    cursor: array = place(<cursor>, '<where>')
"""
DEFINED = "r, cursor, np.asarray(columns).reshape(-1, 10)[:, :7]"
"""Of the table of columns, the part that a call defines."""

KERNELS = {
    "matmul": Function(
        "backend.matmul",
        """
        m = <m>
        k = <m>
        n = <m>
        batch = <batch>
        dtype = <float dtype>
        a: array = matrix((*batch, m, k), dtype, <n>, '<where>')
        b: array = matrix((*<batch>, k, n), dtype, <n>, '<where>')
        *
        out: array = matrix((*batch, m, n), dtype, 0, '<where>') if <yes> else None
        threads: int = <threads>
        """,
        "matmul",
        digest="r is out, np.asarray(r)",
        weight=12,
    ),
    "index_records": Function(
        "backend.index_records",
        SCENE
        + """
        spans: array = place(np.zeros((<n> % 4, 2), np.int64), '<where>')
        cursor: array = place(<cursor>, '<where>')
        verify: flag = <yes>
        final: flag = <yes>
        resync: flag = <yes>
        """,
        "index_records",
        digest="r, cursor, np.asarray(spans).reshape(-1, 2)[:r]",
        weight=8,
    ),
    "decode_examples": Function(
        "backend.decode_examples",
        f"""{SCENE}{ARENA}
        max_records: int = given.rows
        verify: flag = <yes>
        final: flag = <yes>
        """,
        "decode_examples",
        digest=DEFINED,
        weight=14,
    ),
    "gather_examples": Function(
        "backend.gather_examples",
        f"""{SCENE}
        spans: array = place(given.spans, '<where>'){ARENA}
        verify: flag = <yes>
        """,
        "decode_examples",
        digest=DEFINED,
        weight=8,
    ),
    "decode_fixed": Function(
        "backend.decode_fixed",
        """
        rows = scale * (<n> % 6)
        given = fixed(<sizes>, 1 + <n> % 3, rows)
        buffer: buffer = as_buffer(given.data, <n> % 3)
        record_size: int = given.size
        fields: array = place(given.fields, '<where>')
        arena: array = place(given.arena, '<where>')
        cursor: array = place(<cursor>, '<where>')
        max_records: int = rows
        final: flag = <yes>
        """,
        "decode_fixed",
        digest="r, cursor, arena",
        weight=10,
    ),
}


def method(name: str, lines: str, digest: str = "r", weight: int = 3) -> Function:
    """Return a method of a tokenizer."""
    lines = f"one = tokenizer(backend, fresh)\n{lines}"
    return Function(f"one.{name}", lines, "Tokenizer", digest=digest, weight=weight)


TOKENIZER = {
    "encode": method("encode", f"text: text = <given text>{SPECIAL}", weight=10),
    "count": method("count", "text: text = <given text>"),
    "split": method("split", "text: text = <given text>"),
    "encode_into": method(
        "encode_into",
        """
        buffer: buffer = as_buffer(<words>.encode(), <n> % 3)
        out: array = place(np.zeros(max(0, len(buffer) + <n> - 3), np.uint32), '<where>')
        """,
        digest="r, np.asarray(out)[:r]",
        weight=6,
    ),
    "encode_batch": method(
        "encode_batch",
        f"""
        texts: container = [<given text>, <given text>, <given text>][: <n> % 4]
        threads: int = <threads>
        {SPECIAL}
        """,
        weight=10,
    ),
    "decode": method(
        "decode",
        "ids: array = place(np.array([0, 97, 256, 260, 300][: <n>], np.uint32), '<where>')",
    ),
    "Tokenizer": Function(
        "backend.Tokenizer",
        """
        model: model = model(<n> % 2)
        words = <words>
        """,
        "Tokenizer",
        use="(i := r.encode(words, disallowed_special=())), r.decode(i), r.count(words)",
        weight=6,
    ),
}
OBJECTS = {
    "keywords": Function(
        "patterns.keywords",
        """
        x: float = <n> / 4
        *
        scale: float = <n> / 4
        offset: float = <n> / 4
        """,
        "patterns",
    ),
    "Point": Function(
        "patterns.Point",
        """
        x: float = <n> / 4
        y: float = <n> / 4
        """,
        "patterns",
        use="r.x, r.y, patterns.struct_in(r)",
    ),
    "Counter": Function(
        "patterns.Counter", "value: int = <n>", "patterns", use="r.add(5), r.value", weight=2
    ),
    "Counter.add": Function("patterns.Counter(5).add", "n: int = <n>", "patterns"),
    "Counter.value": Function(
        "partial(setattr, one, 'value')",
        """
        one = patterns.Counter(5)
        n: int = <n>
        """,
        "patterns",
        digest="one.value",
    ),
    # An odd life of an object must harm no other one. Technologies refuse in different ways.
    "life": Function(
        "live",
        """
        kind: kept = <class>
        life: kept = lambda kind, made, one: <life>
        """,
        "life",
        weight=6,
    ),
}
KINDS = {
    "bool": "flag",
    "bytes": "buffer",
    "str": "text",
    "Buffer": "buffer",
    "Floats": "array",
    "list[float]": "container",
    "list[str]": "container",
    "dict[str, float]": "container",
    "Callable[[float], float]": "callable",
    "Any": "tensor",
    "Point": "point",
    "int": "int",
    "float": "float",
}
"""By type of the table of patterns; a size is not any int, because it would take all memory."""
ITS_OWN = {"array_out": "size", "list_out": "size", "interruptible": "size", "countdown": "int"}
ITS_OWN |= {"struct_in": "point", "tensor_out.1": "size"}


def pattern(name: str) -> Function:
    """Return a pattern of the table."""
    lines = ["seed = <any>"]
    for at, type in enumerate(PATTERNS[name].types):
        kind = ITS_OWN.get(name) or ITS_OWN.get(f"{name}.{at}") or KINDS[type]
        lines.append(f"x{at}: {kind} = operand({name!r}, seed, {at}, patterns, '<where>')")
    use = "list(islice(r, 300))" if name == "countdown" else "r"
    digest = "r, x0" if name == "array_inplace" else "r"
    return Function(f"patterns.{name}", "\n".join(lines), "patterns", use, digest)


PATTERN_FUNCTIONS = {name: pattern(name) for name in PATTERNS if name not in OBJECTS}
FUNCTIONS = {**KERNELS, **TOKENIZER, **OBJECTS, **PATTERN_FUNCTIONS}
