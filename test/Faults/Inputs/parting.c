int zpl_processor(void);
int who(void) { return zpl_processor(); }
