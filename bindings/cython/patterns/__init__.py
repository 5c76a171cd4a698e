"""The patterns through Cython: one page for each subject, one function for each pattern.

`idiomatic` does as the documentation does where a page does otherwise; `fast` has the quickest
calls.
"""

from ffi_cookbook.bindings.cython.patterns import fast as fast
from ffi_cookbook.bindings.cython.patterns import idiomatic as idiomatic
from ffi_cookbook.bindings.cython.patterns.about import about as about
from ffi_cookbook.bindings.cython.patterns.arrays import *
from ffi_cookbook.bindings.cython.patterns.calls import *
from ffi_cookbook.bindings.cython.patterns.containers import *
from ffi_cookbook.bindings.cython.patterns.objects import *
from ffi_cookbook.bindings.cython.patterns.scalars import *
from ffi_cookbook.bindings.cython.patterns.text import *
