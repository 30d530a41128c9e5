/* What a program needs that does nothing. */
int main(void) { return 0; }
