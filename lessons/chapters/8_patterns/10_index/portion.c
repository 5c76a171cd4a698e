/* The function of portion.h. A checker may have a signal raised in a certain portion. */
#include "portion.h"
#include "meeting.h"
#include <Python.h>
#include <signal.h>

static int portions, held, signal_at = -1;

void portions_forget(int at) {
  portions = held = 0;
  signal_at = at;
}

int portions_made(void) { return portions; }
int portions_held(void) { return held; }

int frames_portion(const uint8_t *data, size_t size, frames_span *spans, size_t capacity,
                   uint32_t options, frames_cursor *cursor, frames_error *error) {
  held += PyGILState_Check();
  if (portions++ == signal_at)
    raise(SIGINT);
  if (meeting_expected)
    meeting_join();
  size_t room = capacity;
  if (cursor->rows >= 0 && (uint64_t)cursor->rows + FRAMES_PORTION < capacity)
    room = (size_t)cursor->rows + FRAMES_PORTION;
  int64_t rows = cursor->rows;
  if (frames_index(data, size, spans, room, options, cursor, error))
    return -1;
  return cursor->rows == rows + FRAMES_PORTION && (size_t)cursor->rows < capacity &&
         (size_t)cursor->position < size;
}
