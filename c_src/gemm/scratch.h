/* Memory for a moment's work, which calls and threads lend each other, since the system takes long to
 * give any. */
#ifndef COOKBOOK_SCRATCH_H
#define COOKBOOK_SCRATCH_H

enum { CK_SCRATCH = 2 << 20 }; /* bytes: a huge page, and aligned like one */

/* NULL: there is none. `seat` says where to look first: callers at the same time had better differ. */
char *ck_take_scratch(int seat);

/* `scratch` was taken. It is kept for the next, or freed where enough is kept. */
void ck_give_scratch(char *scratch, int seat);

#endif
