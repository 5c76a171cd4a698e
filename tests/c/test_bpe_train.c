/* test_bpe_train.c: the merges of random words are those of a trainer that counts all pairs again
 * for every merge. */
#include "cookbook.h"
