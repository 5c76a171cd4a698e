"""Answers that the learner's code has made up: each becomes a verdict on that submission."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ffi_cookbook_lessons import scorecard
from ffi_cookbook_lessons.box import values
from ffi_cookbook_lessons.cases import Case, Draw, shown
from ffi_cookbook_lessons.catalogue import find
from ffi_cookbook_lessons.grading import grade
from ffi_cookbook_lessons.judging import Judge
from ffi_cookbook_lessons.process import LONGEST_TEXT, Child, Limits

INDEX = find("ctypes_and_cffi/index")
FORGER = """
import json, os, struct, sys
requests, answers = int(sys.argv[1]), int(sys.argv[2])
def send(text):
    data = text.encode()
    data = struct.pack("<I", len(data)) + data
    while data:
        data = data[os.write(answers, data):]
def received(size):
    data = b""
    while len(data) < size:
        data += os.read(requests, size - len(data)) or os._exit(0)
    return data
send(LOADED)
while True:
    request = json.loads(received(struct.unpack("<I", received(4))[0]))
    send(ANSWER.replace("ID", request["id"]))
"""
DEEP = "[" * 300 + "]" * 300
GOOD = (
    '{"id": "ID", "value": ["NoneType", null], "arguments": [], "exported": [], '
    '"leak": [0, 0, [0]]}'
)
FORGED = [
    "[]",
    '{"id": "ID"}',
    '{"id": "ID", "raised": []}',
    '{"id": "ID", "raised": [["E"], "LONG", null]}',
    '{"id": "ID", "absent": "LONG"}',
    GOOD.replace('["NoneType", null]', '["float", "0x1p99999"]'),
    GOOD.replace('["NoneType", null]', '["int", "LONG"]'),
    GOOD.replace('["NoneType", null]', '["ndarray", ["<f8", [1000000000, 0], ["bytes", ""]]]'),
    GOOD.replace('["NoneType", null]', '["list", [["list", ' * 400 + "[]" + "]]]" * 400),
    GOOD.replace("[0, 0, [0]]", "[Infinity, NaN, 1e999]"),
    GOOD.replace("[0, 0, [0]]", DEEP),
    GOOD.replace('"exported": []', '"exported": 5'),
]


def forged(folder: Path, answer: str, loaded: str = '{"loaded": true}') -> str:
    """Return the rule of a submission that sends this answer to each request."""
    answer = answer.replace("LONG", "1" * 10_000)
    path = folder / INDEX.file
    path.write_text(FORGER.replace("LOADED", repr(loaded)).replace("ANSWER", repr(answer)), "utf-8")
    verdict = grade(INDEX, path, Limits(seconds=2))
    json.dumps(verdict.json(), allow_nan=False)
    assert verdict.finding is not None
    assert all(len(found.message) < LONGEST_TEXT + 200 for found in verdict.findings)
    return verdict.finding.rule


@pytest.mark.parametrize("answer", FORGED)
def test_a_forged_answer_fails(answer: str, tmp_path: Path) -> None:
    assert forged(tmp_path, answer)


@pytest.mark.parametrize("file", ["/dev/zero", "/none", "/dev/null"])
def test_a_forged_reason_opens_no_file(file: str, tmp_path: Path) -> None:
    reason = {"import": f"AttributeError: {file}: undefined symbol: f"}
    assert forged(tmp_path, "{}", json.dumps(reason))


def test_a_line_number_may_have_any_length(tmp_path: Path) -> None:
    code = f"print('File \"exercise.py\", line {'9' * 5000}')\nraise ValueError"
    path = tmp_path / INDEX.file
    path.write_text(code, "utf-8")
    finding = grade(INDEX, path).finding
    assert finding is not None
    assert finding.rule == "does-not-load"


forms = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=9)
    | st.sampled_from(["0x1p99999", "9" * 5000, "<f8", "O", "V99999999999", "(", "{}", "1e999"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.tuples(
            st.sampled_from(["float", "complex", "list", "dict", "ndarray", "scalar"]), inner
        ).map(list)
    ),
    max_leaves=8,
)
KEYS = ["value", "raised", "arguments", "leak", "exported", "lost", "objects", "absent"]


@given(st.dictionaries(st.sampled_from(KEYS), forms))
def test_any_answer_is_judged(answer: dict[str, Any]) -> None:
    case = Case("f", ([1.5], "x"), gives=2.5, objects=3)
    judge = Judge(INDEX.source, counts=True, imports=())
    assert judge.faults(case, answer, 100)


@given(forms)
def test_any_form_is_a_value_or_refused(form: object) -> None:
    try:
        value = values.decode(form)
    except ValueError:
        return
    shown(value)


def test_deep_forms_are_refused() -> None:
    form: Any = ["NoneType", None]
    for _ in range(100_000):
        form = ["list", [form]]
    with pytest.raises(ValueError, match="not a value"):
        values.decode(form)


@pytest.mark.parametrize(
    "score",
    [
        None,
        {},
        {"bytes": None, "crossings": 1, "gil": 1},
        {"bytes": 10**400, "crossings": 1, "gil": 1},
    ],
)
def test_forged_costs(score: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Child, "ask", lambda *_: {"score": score})
    monkeypatch.setattr(scorecard, "MOST_CALLS", 1)
    with pytest.raises(ValueError, match="the scorecard could not be made"):
        scorecard.scorecard(INDEX, INDEX.source, Draw(0).randrange(9))
