"""The binding for tensors: operators for torch's dispatcher, on its stable ABI."""

import ffi_cookbook.bindings._glue.main_interpreter  # noqa: F401  (elsewhere the next one may hang)
from ffi_cookbook.bindings.torch import compiling as compiling
from ffi_cookbook.bindings.torch import patterns as patterns
from ffi_cookbook.bindings.torch.matmul import matmul as matmul
from ffi_cookbook.bindings.torch.patterns import about as about
from ffi_cookbook.bindings.torch.records import decode_examples as decode_examples
from ffi_cookbook.bindings.torch.records import decode_fixed as decode_fixed
from ffi_cookbook.bindings.torch.records import gather_examples as gather_examples
from ffi_cookbook.bindings.torch.records import index_records as index_records
from ffi_cookbook.bindings.torch.tokenizer import Tokenizer as Tokenizer
