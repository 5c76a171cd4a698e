/* The functions of journal.h. */
#include "journal.h"
#include "meeting.h"
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static journal_reader reader;
static void *context;
static long size;

void journal_listen(journal_reader new_reader, void *new_context) {
  pthread_mutex_lock(&lock);
  reader = new_reader;
  context = new_context;
  pthread_mutex_unlock(&lock);
}

int journal_write(const char *entry) {
  pthread_mutex_lock(&lock);
  size++;
  if (meeting_expected)
    meeting_join();
  int result = reader ? reader(entry, context) : 0;
  pthread_mutex_unlock(&lock);
  return result;
}

long journal_size(void) {
  pthread_mutex_lock(&lock);
  long found = size;
  pthread_mutex_unlock(&lock);
  return found;
}
