int zpl_processor(void);
static int count;
int who(void) { return zpl_processor(); }
int calls(void) { return count++; }
