#include <unistd.h>
/* What differs between processes, and a place to keep it in. */
static int kept;
static void keep(int value) { kept = value; }
static int take(void) { return kept; }
