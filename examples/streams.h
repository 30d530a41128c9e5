#include <zrt/Block.h>

/* Row i gets the numbers of its generator, from its first column on. */
void fill_rows(zpl_array *array, int seed);
