/* Shows: the place of a crash in native code, as the file and the offset of each frame, for
 *        addr2line, and the address that it used; whether the thread held the GIL, and whether it
 *        used memory that Python had freed. Then the handler that was there before runs.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#define SAY(text) (void)!write(STDERR_FILENO, text, sizeof text - 1)

static int (*gil_held)(void);

/* Return 1 if a register holds an address made of the bytes with which Python's debug allocator
 * fills freed memory. */
static int used_freed(const ucontext_t *at) {
#if defined __x86_64__
  const greg_t *registers = at->uc_mcontext.gregs;
  int n = NGREG;
#elif defined __aarch64__ && defined __linux__
  const unsigned long long *registers = at->uc_mcontext.regs;
  int n = 31;
#else
  const uint64_t *registers = 0;
  int n = 0;
  (void)at;
#endif
  for (int i = 0; i < n; i++)
    if (((uint64_t)registers[i] + 0x1000) >> 16 == 0xdddddddddddd)
      return 1;
  return 0;
}

enum { NUMBERS = 5 };
static const int numbers[NUMBERS] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
static struct sigaction earlier[NUMBERS];

static void tell(int number, siginfo_t *about, void *at) {
  void *frames[64];
  char line[512];
  int n = backtrace(frames, 64);
  if (number == SIGSEGV && about->si_code > 0) {
    int size = snprintf(line, sizeof line, "ADDRESS %p\n", about->si_addr);
    (void)!write(STDERR_FILENO, line, (size_t)size);
  }
  for (int i = 0; i < n; i++) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || !info.dli_fname)
      continue;
    /* A frame holds the return address: one byte before it is still in the line of the call. */
    int size = snprintf(line, sizeof line, "FRAME %s %#tx\n", info.dli_fname,
                        (char *)frames[i] - (char *)info.dli_fbase - 1);
    if (write(STDERR_FILENO, line, (size_t)size) < 0)
      break;
  }
  if (number != SIGABRT && used_freed(at))
    SAY("FREED\n");
  if (number != SIGABRT && gil_held && !gil_held())
    SAY("NO GIL\n");
  for (int i = 0; i < NUMBERS; i++) /* faulthandler runs next, and shows Python's frames */
    if (numbers[i] == number)
      sigaction(number, &earlier[i], NULL);
  raise(number);
}

void report_crashes(void) {
  void *frame;
  backtrace(&frame, 1); /* loads libgcc now, since that allocates */
  *(void **)&gil_held = dlsym(RTLD_DEFAULT, "PyGILState_Check");
  static char stack[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  struct sigaction action = {.sa_sigaction = tell, .sa_flags = SA_ONSTACK | SA_SIGINFO};
  for (int i = 0; i < NUMBERS; i++)
    sigaction(numbers[i], &action, &earlier[i]);
}
