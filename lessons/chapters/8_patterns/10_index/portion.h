/* frames_index of frames.h, in portions. */
#include "frames.h"

enum { FRAMES_PORTION = 1024 };

/* Do as frames_index does, for at most FRAMES_PORTION records. Return 1 if there may be more, 0 if the
 * data has ended or `spans` is full, or -1 if error->code has been set. */
int frames_portion(const uint8_t *data, size_t size, frames_span *spans, size_t capacity,
                   uint32_t options, frames_cursor *cursor, frames_error *error);
