"""The exceptions of all bindings, which raise the same ones.

A kernel reports a failure as six integers (`code, offset, record, field, expected, actual`, the
`ck_error` of c_src/cookbook.h). A binding passes them to `matmul_error`, `record_error` or
`tokenizer_error` and raises the exception returned; no binding chooses a type or a message itself.
"""

from ffi_cookbook.bindings.errors.code import Code, PatternError
from ffi_cookbook.bindings.errors.matmul import matmul_error
from ffi_cookbook.bindings.errors.records import RecordError, record_error
from ffi_cookbook.bindings.errors.tokenizer import TokenizerError, tokenizer_error

__all__ = [
    "Code",
    "PatternError",
    "RecordError",
    "TokenizerError",
    "matmul_error",
    "record_error",
    "tokenizer_error",
]
