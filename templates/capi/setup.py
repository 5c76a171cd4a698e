import numpy
from setuptools import Extension, setup

native = Extension(
    "smooth",
    ["smooth.c", "native/smooth.c"],
    include_dirs=["native", numpy.get_include()],
)
setup(py_modules=[], ext_modules=[native])
