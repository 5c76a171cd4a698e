# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from ffi_cookbook.bindings.protocol import ModelLike
from ffi_cookbook.bindings.protocol.pages.tokenizer import Tokenizer as _Tokenizer

class Tokenizer(_Tokenizer):
    def __init__(self, model: ModelLike) -> None: ...
