# Written by `nox -s stubs`: names and defaults are the module's, types the protocol's.

from typing import final

from ffi_cookbook.bindings.protocol.pages.tokenizer import Tokenizer as _Tokenizer

@final
class Tokenizer(_Tokenizer): ...
