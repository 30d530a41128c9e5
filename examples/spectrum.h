#include <zrt/Block.h>

/* Transforms each row of this processor's block, whose rows are whole. */
void fft_rows(zpl_array *array);
