/* The function of digest.h, which notes whether the GIL is held while it runs. */
#include "digest.h"
#include "meeting.h"
#include <Python.h>

static int held, released; /* calls */

int digest_held(void) { return held; }
int digest_released(void) { return released; }
void digest_forget(void) { held = released = 0; }

uint64_t digest(const uint8_t *data, size_t size, uint64_t seed) {
  if (PyGILState_Check())
    held++;
  else
    released++;
  if (meeting_expected)
    meeting_join();
  for (size_t i = 0; i < size; i++)
    seed = (seed ^ data[i]) * 0x100000001b3u;
  return seed;
}
