#include "extern_callbacks.h"
#include <stdlib.h>
double midpoint(double (*f)(double), double a, double b, int n) {
  double sum = 0, h = (b - a) / n;
  for (int k = 0; k < n; k++)
    sum += f(a + (k + 0.5) * h);
  return sum * h;
}
box box_of(double value) {
  box made = malloc(sizeof *made);
  made->value = value;
  return made;
}
double box_value(box b) { return b->value; }
long sums(long (*f)(short, unsigned char, float), bool (*wanted)(long), int n) {
  long sum = 0;
  for (int k = 1; k <= n; k++) {
    long value = f((short)-k, (unsigned char)(250 + k), k * 0.5f);
    if (wanted(value))
      sum += value;
  }
  return sum;
}
void sort(int *values, int count, int (*compare)(int, int)) {
  for (int i = 1; i < count; i++)
    for (int j = i; j > 0 && compare(values[j - 1], values[j]) > 0; j--) {
      int value = values[j];
      values[j] = values[j - 1];
      values[j - 1] = value;
    }
}
void run(void (*act)(void)) {
  act();
  act();
}
enum shade other(enum shade (*f)(enum shade)) { return f(light); }
double plain(float (*f)(float, int), int n) { return f(0.5f, n); }
