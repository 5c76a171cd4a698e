/* The patterns through the CPython C API: one function for each, written in the shortest right way.
 *
 * Shows:  one extension module of many pages, with a state of its own; a submodule.
 * Build:  Python_add_library(... module.c scalars.c text.c arrays.c dlpack.c containers.c objects.c
 *         calls.c), CPython's and NumPy's include directories.
 * Bites:  the objects in the state must be visited, cleared and freed by hand, or they are never
 *         collected; m_free runs also when exec has failed half-way.
 */
#include <Python.h>

#include "../module.h"
#include "cookbook.h"
#include "state.h"

/* Each page adds its functions to the module, its idioms to the submodule, and the objects that they
 * need to the state. */
int add_scalars(PyObject *module, PyObject *idiomatic, State *state);
int add_text(PyObject *module);
int add_arrays(PyObject *module, PyObject *idiomatic);
int add_dlpack(PyObject *module, State *state);
int add_containers(PyObject *module, PyObject *idiomatic);
int add_objects(PyObject *module, State *state);
int add_calls(PyObject *module, PyObject *idiomatic, State *state);

static PyObject *about(PyObject *Py_UNUSED(module), PyObject *Py_UNUSED(none)) {
  return Py_BuildValue("{s:s,s:s,s:s,s:s}", "technology", "CPython " PY_VERSION, "compiler",
                       ck_compiler(), "kernel", "C", "isa", ck_isa());
}

static PyMethodDef methods[] = {
    METHOD(about, METH_NOARGS, "()", "Return the tools that built this binding."),
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
  Py_CLEAR(state->dlpack_names);
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
  PyObject *idiomatic = /* borrowed from sys.modules, where pickle looks for it */
      PyImport_AddModule("ffi_cookbook.bindings.capi.patterns.idiomatic");
  if (!idiomatic || add_scalars(module, idiomatic, state) < 0 || add_text(module) < 0 ||
      add_arrays(module, idiomatic) < 0 || add_dlpack(module, state) < 0 ||
      add_containers(module, idiomatic) < 0 || add_objects(module, state) < 0 ||
      add_calls(module, idiomatic, state) < 0)
    return -1;
  return PyModule_AddObjectRef(module, "idiomatic", idiomatic);
}

COOKBOOK_MODULE(patterns, methods, exec, .m_size = sizeof(State), .m_traverse = traverse,
                .m_clear = clear, .m_free = release)
