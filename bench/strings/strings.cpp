// What a C++ programmer writes: std::string, and snprintf into a buffer of which a
// string is made.
#include <cstdio>
#include <ctime>
#include <string>

static double now() {
  timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

static std::string stem = "frame";

static int concatenations(int n) {
  int sum = 0;
  std::string s = stem, t;
  for (int k = 1; k <= n; ++k) {
    t = s + "/" + stem;
    sum += t.size();
    if (k % 16 == 0)
      s = stem;
    else
      s += "x";
  }
  return sum + s.size();
}

static int formats(int n) {
  int sum = 0;
  std::string s;
  for (int k = 1; k <= n; ++k) {
    char buffer[32];
    int length = snprintf(buffer, sizeof buffer, "frame%04d.png", k);
    s.assign(buffer, length);
    sum += s.size();
  }
  return sum + s.find("png") + 1;
}

template <typename F> static void report(const char *what, F f, int n) {
  double start = now();
  int sum = f(n);
  printf("%s seconds %.6f result %d\n", what, now() - start, sum);
}

int main() {
  report("concatenations", concatenations, 10000000);
  report("formats", formats, 10000000);
}
