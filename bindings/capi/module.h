/* The definition of an extension module and of its functions. */
#pragma once

#include <Python.h>

/* A function of a module; `inspect` reads its signature from the first line of the docstring. */
#define METHOD(name, flags, signature, doc)                                                        \
  {#name, (PyCFunction)(void (*)(void))name, flags, #name signature "\n--\n\n" doc}

/* The idiom of a pattern, for the submodule `idiomatic`: the function idiomatic_<name> of a page. */
#define IDIOM(name, flags, signature, doc)                                                         \
  {#name, (PyCFunction)(void (*)(void))idiomatic_##name, flags, #name signature "\n--\n\n" doc}

/* One slot for each promise: the module needs no GIL, and it does not support subinterpreters,
 * because NumPy does not. */
#if PY_VERSION_HEX >= 0x030D0000
#define COOKBOOK_GIL_SLOT {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#else
#define COOKBOOK_GIL_SLOT
#endif
#if PY_VERSION_HEX >= 0x030C0000
#define COOKBOOK_INTERPRETERS_SLOT                                                                 \
  {Py_mod_multiple_interpreters, Py_MOD_MULTIPLE_INTERPRETERS_NOT_SUPPORTED},
#else
#define COOKBOOK_INTERPRETERS_SLOT
#endif
#define COOKBOOK_PROMISES COOKBOOK_GIL_SLOT COOKBOOK_INTERPRETERS_SLOT

/* Define PyInit_<page>, once per extension module; `exec` runs when the module is imported. The
 * further arguments are fields of the definition, for a module that has a state. */
#define COOKBOOK_MODULE(page, page_methods, page_exec, ...)                                        \
  static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)page_exec},                             \
                                     COOKBOOK_PROMISES{0, NULL}};                                  \
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT,                                          \
                                   .m_name = "ffi_cookbook.bindings.capi." #page,                  \
                                   .m_methods = page_methods, .m_slots = slots, __VA_ARGS__};      \
  PyMODINIT_FUNC PyInit_##page(void) { return PyModuleDef_Init(&definition); }
