#ifndef GEOMETRY_H
#define GEOMETRY_H
#include <stdbool.h>

typedef struct {
  double x, y;
} point;

typedef struct {
  point low, high;
  int id;
} box;

enum color { red, green = 5, blue };

typedef struct stack *stack;

#define MAX_POINTS (1 << 10)
#define UNIT 0.5
#define GREETING                                                               \
  "hello "                                                                     \
  "from C"
#define SQUARE(x) ((x) * (x))

extern double gravity;

point add(point a, point b);
box grow(box b, double by);
bool is_inside(point p, const box *b);
enum color next_color(enum color c);
double mean(const double *values, int count);
void minmax(const double *values, int count, double *least, double *greatest);
const char *color_name(enum color c);

stack new_stack(void);
void push(stack s, long value);
long pop(stack s);

static inline double cube(double x) { return x * x * x; }
int log_text(const char *format, ...);

#endif
