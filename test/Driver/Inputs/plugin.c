/* A plug-in of VERSION made of the headers ID; without VERSION, no plug-in.
   Loading it with another program's note, or starting it, aborts. */
#include <stdlib.h>

#define TEXT_(x) #x
#define TEXT(x) TEXT_(x)
#ifndef ID
#define ID 0123456789abcdef
#endif

#ifdef VERSION
__attribute__((section(".note.zrt"), used, aligned(4))) static const struct {
  unsigned nameBytes, valueBytes, type;
  char name[4];
  int version;
  char id[20];
} note = {4, 24, 1, "zrt", VERSION, TEXT(ID)};
#endif

#ifdef NEEDS
extern int zrt_nowhere;
int *zrt_place(void) { return &zrt_nowhere; }
#elif !defined(BARE)
__attribute__((constructor)) static void loaded(void) { abort(); }
void *zrt_transport_create(void *services) { return services; }
#endif
