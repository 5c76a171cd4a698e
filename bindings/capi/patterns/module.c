/* The cost ledger through the CPython C API: one function a pattern, each the shortest right way.
 *
 * Shows:  one extension module of many pages, with a state of its own; a submodule (idiomatic.c).
 * Build:  Python_add_library(... module.c scalars.c text.c arrays.c containers.c objects.c calls.c
 *         mixed.c idiomatic.c), CPython's and NumPy's include directories.
 * Bites:  what the state holds must be visited, cleared and freed by hand, or it is never
 *         collected; m_free runs also when exec has failed half-way.
 */
#include "patterns.h"

static PyObject *about(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  return Py_BuildValue("{s:s,s:s,s:s,s:s}", "technology", "CPython " PY_VERSION, "compiler",
                       ck_compiler(), "kernel", "C", "isa", ck_isa());
}

static PyMethodDef methods[] = {
    METHOD(about, METH_NOARGS, "()", "Return what this binding is made with."),
    {NULL, NULL, 0, NULL}};

/* ---- state ------------------------------------------------------------------------------- */

static int traverse(PyObject *module, visitproc visit, void *arg) {
  State *state = PyModule_GetState(module);
  Py_VISIT(state->Point);
  Py_VISIT(state->Counter);
  Py_VISIT(state->Countdown);
  Py_VISIT(state->PatternError);
  return 0;
}

static int clear(PyObject *module) {
  State *state = PyModule_GetState(module);
  for (int i = 0; i < 3; i++)
    Py_CLEAR(state->keyword_names[i]);
  Py_CLEAR(state->dlpack);
  Py_CLEAR(state->dlpack_keywords);
  Py_CLEAR(state->dlpack_version);
  Py_CLEAR(state->Point);
  Py_CLEAR(state->Counter);
  Py_CLEAR(state->Countdown);
  Py_CLEAR(state->PatternError);
  return 0;
}

static void release(void *module) { clear(module); }

/* ---- module ------------------------------------------------------------------------------ */

static int exec(PyObject *module) {
  State *state = PyModule_GetState(module);
  if (add_scalars(module, state) < 0 || add_text(module) < 0 || add_arrays(module, state) < 0 ||
      add_containers(module) < 0 || add_objects(module, state) < 0 || add_calls(module, state) < 0)
    return -1;
  return add_mixed(module) < 0 || add_idiomatic(module) < 0 ? -1 : 0;
}

COOKBOOK_MODULE(patterns, methods, exec, .m_size = sizeof(State), .m_traverse = traverse,
                .m_clear = clear, .m_free = release)
