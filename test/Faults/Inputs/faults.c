#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static _Bool isVictim;
static const char *aside = "";
static volatile double sink;
static int *volatile nowhere;

static int overflow(int depth) {
  volatile char room[4096];
  room[depth % 4096] = 1;
  return depth < 0 ? 0 : overflow(depth + 1) + room[0];
}

static void loop(void) {
  while (1)
    sink = sink * 0.5 + 1;
}

/* For whoever wants to do something to this process. */
static void tell(void) {
  char text[32];
  int length = snprintf(text, sizeof text, "ready %d\n", (int)getpid());
  if (write(2, text, length) != length)
    _exit(9);
}

double visit(_Bool isPlace) {
  isVictim |= isPlace;
  return 0;
}

void act(const char *what) {
  if (!isVictim) {
    if (strcmp(what, "crowd") == 0)
      loop();
    return;
  }
  aside = what;
  if (strcmp(what, "segv") == 0 || strcmp(what, "crowd") == 0)
    *nowhere = 1;
  if (strcmp(what, "abort") == 0)
    abort();
  if (strcmp(what, "overflow") == 0)
    overflow(1);
  if (strcmp(what, "exit3") == 0)
    exit(3);
  if (strcmp(what, "exit0") == 0)
    exit(0);
  if (strcmp(what, "kill") == 0)
    raise(SIGKILL);
  if (strcmp(what, "quit0") == 0)
    _exit(0);
  if (strcmp(what, "exec") == 0)
    execl("/bin/true", "true", (char *)NULL);
  if (strcmp(what, "loop") == 0) {
    tell();
    loop();
  }
  if (strcmp(what, "sleep") == 0) {
    tell();
    while (1)
      pause();
  }
  if (strcmp(what, "read") == 0) {
    char byte;
    if (read(0, &byte, 1) == 0)
      return;
  }
  if (strcmp(what, "late") == 0) {
    time_t start = time(NULL);
    while (time(NULL) < start + 3)
      sink = sink * 0.5 + 1;
  }
}

_Bool isAside(const char *what) { return strcmp(aside, what) == 0; }
