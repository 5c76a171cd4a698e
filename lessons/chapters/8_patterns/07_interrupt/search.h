/* A search that may take hours: the smallest factor of a number. */
#ifndef SEARCH_H
#define SEARCH_H
#include <stdint.h>

typedef struct search search;

/* Return a new search for a number from 2 on, or NULL if there is no memory. */
search *search_new(uint64_t number);

/* Go on by at most that many steps of a few nanoseconds. Return 1 if the factor is found, 0 if not. */
int search_run(search *search, long steps);

/* Return the factor, once it is found. */
uint64_t search_result(const search *search);

void search_free(search *search);

#endif
