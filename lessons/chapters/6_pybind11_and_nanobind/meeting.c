/* A place in a kernel in C++ where threads meet, if a checker expects them. */
#include "meeting.h"

void meeting_pass(void) {
  if (meeting_expected)
    meeting_join();
}
