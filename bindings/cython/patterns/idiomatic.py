"""The idioms of Cython's documentation, which stand on the pages beside the checked forms."""

from ffi_cookbook.bindings.cython.patterns import arrays, objects, text

array_out = arrays._idiomatic_array_out
countdown = objects._idiomatic_countdown
str_in = text._idiomatic_str_in
