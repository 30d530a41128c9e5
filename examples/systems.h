#include <zrt/Block.h>

/* A[i] x = b[i] for each i of this processor's blocks, whose matrices and
   vectors are whole; b becomes x, and A the factors. */
void solve(zpl_array *A, zpl_array *b);
