import sysconfig

from setuptools import setup

# cffi uses the stable ABI, which a build without the GIL lacks before CPython 3.15.
stable = not sysconfig.get_config_var("Py_GIL_DISABLED")
setup(
    cffi_modules=["build_smooth.py:ffibuilder"],
    options={"bdist_wheel": {"py_limited_api": "cp311"}} if stable else {},
)
