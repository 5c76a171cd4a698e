"""The interface of a binding: the type that every backend module satisfies.

A Backend is a *module*, not an object around one: `ffi_cookbook.load("capi").matmul` is the native
function itself, so this interface adds nothing to a call.

Every kernel runs with the GIL released (except for small products, as `matmul` says, in the pass of
`decode` that adds up sizes, and, in capi, pybind11 and nanobind, for texts of less than a
kilobyte); a buffer is held (exported) for the length of the call.
"""

from ffi_cookbook.bindings.protocol.arrays import Buffer as Buffer
from ffi_cookbook.bindings.protocol.arrays import Int64Array as Int64Array
from ffi_cookbook.bindings.protocol.arrays import Matrix as Matrix
from ffi_cookbook.bindings.protocol.arrays import Text as Text
from ffi_cookbook.bindings.protocol.arrays import Uint8Array as Uint8Array
from ffi_cookbook.bindings.protocol.arrays import Uint32Array as Uint32Array
from ffi_cookbook.bindings.protocol.backend import Backend as Backend
from ffi_cookbook.bindings.protocol.patterns import Patterns as Patterns
from ffi_cookbook.bindings.protocol.tokenizer import ModelLike as ModelLike
from ffi_cookbook.bindings.protocol.tokenizer import Tokenizer as Tokenizer
