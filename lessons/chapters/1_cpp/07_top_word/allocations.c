/* Given: counts how often C++ allocates, by replacing its operator new.
 *
 * The names are mangled: new, new[], and delete and delete[] without and with a size. */
#include <stdlib.h>

static _Thread_local long made;

long allocations(void) { return made; }

void *_Znwm(size_t size) {
  made++;
  void *memory = malloc(size ? size : 1);
  return memory ? memory : (abort(), memory);
}

void *_Znam(size_t size) { return _Znwm(size); }
void _ZdlPv(void *memory) { free(memory); }
void _ZdaPv(void *memory) { free(memory); }
void _ZdlPvm(void *memory, size_t size) { free(memory), (void)size; }
void _ZdaPvm(void *memory, size_t size) { free(memory), (void)size; }
