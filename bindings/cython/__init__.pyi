# What type checkers see: each binding has the signatures of the python binding, its reference.

from ffi_cookbook.bindings.python import *
