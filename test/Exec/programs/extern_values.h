#ifndef EXTERN_VALUES_H
#define EXTERN_VALUES_H
#include <stddef.h>

typedef struct {
  int id;
  double weight;
} pair;

typedef struct {
  float a, b;
} small;

struct large_struct {
  char name;
  double v[6];
};
typedef struct large_struct large;

typedef union {
  float part;
  int whole;
} number;

enum suit { clubs = 3, hearts = 7 };
typedef struct bag *bag;
typedef struct {
  int first, last;
} span;

#define LIMIT (1 << 3)
#define STEPS (LIMIT / 2)
#define BIG 0x1234567890L
#define HALF 0.5
#define NEAR_ONE (1.0L + 1e-18L)
#define TURN (2.0 + 1.0 * 1.0iF)
#define GREETING                                                               \
  "hello, "                                                                    \
  "C"
#define LETTER 'q'
#define NOW (level * 2)
#define SQUARE(x) ((x) * (x))
static const int SEVEN = 7;
static const pair ORIGIN = {9, 0.25};

extern double level;
extern pair home;
extern int table[4];

pair swapped(pair p);
small halve(small s);
large scale(large l, double by);
double total(const large *l);
void split(double x, long *whole, double *rest);
void bump(int *counts, int n, int by);
int trace(int m[][3], int n);
const char *suit_name(enum suit s);
enum suit other(enum suit s);
size_t text_length(const char *text);
const char *nothing(void);
char *shout(const char *text);
long double third(long double x);
double _Complex turn(double _Complex z);
float _Complex turnf(float _Complex z);
long double _Complex turnl(long double _Complex z);
void conjugate(double _Complex *z);
_Bool both(_Bool a, _Bool b);
signed char negated(signed char c);
unsigned char next_byte(unsigned char c);
char next_letter(char c);
unsigned short low16(unsigned x);
unsigned long long mix(unsigned long long x);
float quarter(float x);
int fail_with(int code);
bag bag_new(void);
void bag_put(bag b, double x);
double bag_sum(const struct bag *b);
void bag_open(bag *b);
span span_of(int first, int last);
int span_length(span s);
void span_grow(span *s);
int bits_of(number n);

static inline double cube(double x) { return x * x * x; }
#endif
