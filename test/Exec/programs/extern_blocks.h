#include <zrt/Block.h>

/* 10 times the first index and the second one. */
void fill(zpl_array *array, double scale);
double own_sum(const zpl_array *array);
