/* Functions that call procedures of the program. */
#include <stdbool.h>
enum shade { dark, light = 4 };
typedef struct box {
  double value;
} *box;
double midpoint(double (*f)(double), double a, double b, int n);
static inline double inlined(double (*f)(double x, box data), double x,
                             box data) {
  return f(x, data) + f(-x, data);
}
box box_of(double value);
double box_value(box b);
long sums(long (*f)(short, unsigned char, float), bool (*wanted)(long), int n);
void sort(int *values, int count, int (*compare)(int, int));
void run(void (*act)(void));
enum shade other(enum shade (*f)(enum shade));
