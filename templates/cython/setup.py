from setuptools import Extension, setup

native = Extension(
    "smooth._native",
    ["src/smooth/_native.pyx", "native/smooth.c"],  # for an installed library: libraries=["smooth"]
    include_dirs=["native"],
)
setup(
    ext_modules=[native],  # if Cython is installed, setuptools compiles .pyx files with it
    include_package_data=False,  # the wheel does not need the .pyx files
)
