"""The library of torch operators that `ffi_cookbook.bindings.torch` opens."""

from pathlib import Path

LIBRARY = Path(__file__).with_name("cookbook.so")
