// Calls a Python function of one argument, with callgrind counting meanwhile.
#include <valgrind/callgrind.h>

typedef struct object object;
extern object *PyObject_CallOneArg(object *function, object *argument);

object *counted(object *run, object *loops, const char *name) {
  CALLGRIND_START_INSTRUMENTATION;
  CALLGRIND_ZERO_STATS;
  object *result = PyObject_CallOneArg(run, loops);
  CALLGRIND_DUMP_STATS_AT(name);
  return result;
}
