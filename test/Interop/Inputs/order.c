#include "order.h"
int calls;
long trail;
state_t state;
int tick(int x) {
  calls++;
  state.seen++;
  return x + 1;
}
int note_it(int x) {
  trail = trail * 10 + x;
  return x;
}
