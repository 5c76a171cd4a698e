/* Shows: where native code crashed, as the file and the offset of each frame, for addr2line. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void tell(int number) {
  void *frames[64];
  char line[512];
  int n = backtrace(frames, 64);
  for (int i = 0; i < n; i++) {
    Dl_info info;
    if (!dladdr(frames[i], &info) || !info.dli_fname)
      continue;
    /* A frame holds where the call returns to: one byte before it is still the line of the call. */
    int size = snprintf(line, sizeof line, "FRAME %s %#tx\n", info.dli_fname,
                        (char *)frames[i] - (char *)info.dli_fbase - 1);
    if (write(STDERR_FILENO, line, (size_t)size) < 0)
      break;
  }
  signal(number, SIG_DFL);
  raise(number);
}

void report_crashes(void) {
  void *frame;
  backtrace(&frame, 1); /* loads libgcc now, since that allocates */
  static char stack[1 << 16];
  sigaltstack(&(stack_t){.ss_sp = stack, .ss_size = sizeof stack}, NULL);
  int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &(struct sigaction){.sa_handler = tell, .sa_flags = SA_ONSTACK}, NULL);
}
