#include <stdbool.h>

void next_place(int *place, int last) { *place = *place % last + 1; }
void next_mask(bool *flag) { *flag = !*flag; }
