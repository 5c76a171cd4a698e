# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from typing import Any, Protocol, final

from ffi_cookbook.bindings.protocol import Patterns
from ffi_cookbook.bindings.protocol.pages.tokenizer import Tokenizer as _Tokenizer
from ffi_cookbook.bindings.python.matmul import *
from ffi_cookbook.bindings.python.records import *

@final
class Tokenizer(_Tokenizer): ...

def about() -> dict[str, str]: ...

class _Patterns(Patterns, Protocol):
    idiomatic: Any

patterns: _Patterns
