"""The exceptions of all bindings, which raise the same ones.

A kernel reports a failure as six integers (`code, offset, record, field, expected, actual`, the
`ck_error` of c_src/cookbook.h). A binding passes them to `matmul_error`, `record_error` or
`tokenizer_error` and raises the exception returned; no binding chooses a type or a message itself.
"""

from ffi_cookbook.bindings.errors.code import Code as Code
from ffi_cookbook.bindings.errors.code import PatternError as PatternError
from ffi_cookbook.bindings.errors.matmul import matmul_error as matmul_error
from ffi_cookbook.bindings.errors.records import RecordError as RecordError
from ffi_cookbook.bindings.errors.records import record_error as record_error
from ffi_cookbook.bindings.errors.tokenizer import TokenizerError as TokenizerError
from ffi_cookbook.bindings.errors.tokenizer import tokenizer_error as tokenizer_error
