"""The glue module of this binding, generated from cookbook.h by `python -m cffi.gen_src`.

Shows:  API mode: cffi parses the declarations and a C compiler checks them against the real header,
        so that a wrong struct or signature is a compile error and not a crash.
Bites:  cffi's parser knows C declarations but no preprocessor: directives are taken out here.
"""

import re
from pathlib import Path

from cffi import FFI

HEADER = Path(__file__).parents[2] / "c_src" / "cookbook.h"


def whole(header: Path) -> str:
    """Return a C header, with the headers of its own folder included in it."""
    lines = re.split(r'^#include "(.*)"\n', header.read_text(encoding="utf-8"), flags=re.MULTILINE)
    lines[1::2] = [whole(header.parent / name) for name in lines[1::2]]
    return "".join(lines)


def declarations(header: str) -> str:
    """Return the declarations of a C header without its preprocessor directives."""
    header = re.sub(r"#ifdef __cplusplus.*?#endif", "", header, flags=re.DOTALL)
    header = re.sub(r"^#.*(?:\\\n.*)*$", "", header, flags=re.MULTILINE)
    return header.replace("CK_API", "")


ffibuilder = FFI()
ffibuilder.cdef(declarations(whole(HEADER)))
ffibuilder.cdef('extern "Python" double call_python(double x, void *context);')
ffibuilder.set_source("ffi_cookbook.bindings.cffi.library", '#include "cookbook.h"')
