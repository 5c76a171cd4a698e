from ffi_cookbook.bindings.python import *  # to a type checker, all bindings are the reference
