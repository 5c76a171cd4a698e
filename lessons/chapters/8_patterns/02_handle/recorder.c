/* The functions of recorder.h. A checker counts open recorders, and may hold a writer up. */
#include "recorder.h"
#include "meeting.h"
#include <stdlib.h>
#include <string.h>

struct recorder {
  char *tape;
  size_t size;
  int broken, writing;
};

static int open_recorders, disturbed;

int recorders_open(void) { return open_recorders; }

/* Return the number of recorders that were closed while a thread was writing. */
int recorders_disturbed(void) { return disturbed; }

recorder *recorder_open(const char *name) {
  if (!*name)
    return NULL;
  recorder *made = calloc(1, sizeof *made);
  made->broken = strcmp(name, "broken") == 0;
  open_recorders++;
  return made;
}

void recorder_write(recorder *recorder, const char *data, size_t size) {
  recorder->writing++;
  if (meeting_expected)
    meeting_join();
  recorder->tape = realloc(recorder->tape, recorder->size + size + 1);
  memcpy(recorder->tape + recorder->size, data, size);
  recorder->size += size;
  recorder->writing--;
}

size_t recorder_size(recorder *recorder) { return recorder->size; }

int recorder_close(recorder *recorder) {
  int broken = recorder->broken;
  disturbed += recorder->writing;
  open_recorders--;
  free(recorder->tape);
  free(recorder);
  return broken ? -1 : 0;
}
