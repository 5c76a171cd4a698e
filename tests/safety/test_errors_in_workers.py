"""Exceptions that torch rebuilds in the parent from the text of a worker's exception."""

from __future__ import annotations

import pickle
import traceback

import pytest

from ffi_cookbook import records
from ffi_cookbook.bindings.errors import Code, RecordError, TokenizerError
from support.backends import needs


def as_torch_does(error: Exception) -> Exception:
    """Build an exception as torch's ExceptionWrapper does: the class, called with one message."""
    text = "".join(traceback.format_exception(error))
    return type(error)(f"Caught {type(error).__name__} in DataLoader worker process 0.\n{text}")


@pytest.mark.parametrize("path", [None, "a: record 7 at byte 5/x.rec", "plain"])
@pytest.mark.parametrize("field", [None, "it's", "\x1b'\""])
def test_a_record_error_keeps_what_it_says(path: str | None, field: str | None) -> None:
    error = RecordError(Code.DENSE_LENGTH, path, 99, 3, field, 2, 5)
    again = as_torch_does(error)
    assert isinstance(again, RecordError)
    assert str(error) in str(again)
    for one in (again, pickle.loads(pickle.dumps(again))):
        found = (one.code, one.path, one.byte_offset, one.record, one.field)
        assert found == (Code.DENSE_LENGTH, path, 99, 3, field)
        assert str(one) == str(again)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


def test_a_tokenizer_error() -> None:
    error = TokenizerError(Code.UTF8, 7)
    again = as_torch_does(error)
    assert isinstance(again, TokenizerError)
    for one in (again, pickle.loads(pickle.dumps(again))):
        assert (one.code, str(one)) == (Code.UTF8, str(again))
    assert str(error) in str(again)
    assert str(TokenizerError("?")) == "?"
    assert str(RecordError("?")) == "?"


class Dataset:
    """A dataset of one record, which is damaged."""

    def __len__(self) -> int:
        return 1

    def __getitem__(self, index: int) -> int:
        schema = records.Schema({"a": ("int64", 1)})
        return len(list(records.read(b"x" * 20, schema, backend="python")))


def test_a_data_loader() -> None:
    torch = needs("torch")
    loader = torch.utils.data.DataLoader(Dataset(), num_workers=1)
    with pytest.raises(RecordError, match="LENGTH_CRC") as caught:
        next(iter(loader))
    assert (caught.value.code, caught.value.record) == (Code.LENGTH_CRC, 0)
