extern int calls;
extern long trail;
typedef struct {
  int seen;
} state_t;
extern state_t state;
int tick(int x);
int note_it(int x);
static inline int peek(void) { return calls; }
