/* The functions of search.h. A checker may have a signal raised at a certain step. */
#include "search.h"
#include <Python.h>
#include <signal.h>
#include <stdlib.h>

struct search {
  uint64_t number, factor;
};

static long steps_made, runs, held, signal_at = -1;

void search_forget(long at) {
  steps_made = runs = held = 0;
  signal_at = at;
}

long search_steps(void) { return steps_made; }
long search_runs(void) { return runs; }
long search_held(void) { return held; }

search *search_new(uint64_t number) {
  search *made = malloc(sizeof *made);
  if (made)
    *made = (search){number, 2};
  return made;
}

int search_run(search *search, long steps) {
  runs++;
  held += PyGILState_Check();
  for (; steps > 0; steps--) {
    if (steps_made++ == signal_at)
      raise(SIGINT);
    if (search->number % search->factor == 0)
      return 1;
    if (++search->factor > search->number / search->factor)
      search->factor = search->number;
  }
  return 0;
}

uint64_t search_result(const search *search) { return search->factor; }
void search_free(search *search) { free(search); }
