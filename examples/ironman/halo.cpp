//===- halo.cpp - A Jacobi iteration on the transports --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The runtime's transports from C++, without the compiler. What this computes
/// is in ZPL
///
///     region R = [1..n, 1..n];      direction north = [-1, 0]; ...
///     [R] Next := (A@north + A@south + A@west + A@east) / 4.0;
///     [R] A := Next;
///
/// on a square whose upper edge is 1 and whose other edges are 0. Rows and
/// columns are cut over a grid of processors; each stores its block with a rim
/// of one element, its halo. One exchange per iteration fills all four sides:
///
///     DR   my halo may be overwritten           (I have read the last one)
///     SR   my border may be sent                (I have written it)
///          ... the inner elements, which need no halo ...
///     DN   my halo must be there                (I am about to read it)
///     SV   my border may be overwritten         (I am about to write it)
///
///     halo [-pN] [--transport=NAME] [n [iterations]]
///
/// Prints the sum of all elements: a number that depends on n and iterations
/// only.
///
//===----------------------------------------------------------------------===//

#include "Support/Error.h"
#include "Transport/Launch.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

using namespace zrt;

namespace {

/// One dimension of n indices over `parts` processors; this one is at `place`.
struct Part {
  int place, parts;
  int64_t count; ///< of its indices
  int64_t first; ///< the first of them, from 0

  Part(int64_t n, int place, int parts)
      : place(place), parts(parts),
        count(n / parts + (place < n % parts ? 1 : 0)),
        first(n / parts * place + std::min<int64_t>(place, n % parts)) {}
};

/// The block of one processor with its halo.
class Block {
public:
  Block(Transport &transport, const Part &rows, const Part &columns)
      : rows(rows.count), columns(columns.count), transport(transport),
        data(static_cast<double *>(transport.allocate(bytes()))) {
    if (data)
      return;
    fprintf(stderr, "halo: error: out of memory\n");
    transport.claimReport(false);
    transport.abort(1);
  }
  ~Block() { transport.release(data, bytes()); }
  Block(const Block &) = delete;

  /// Elements are counted from 1; 0 and rows + 1 are the halo.
  double &at(int64_t i, int64_t j) { return data[i * (columns + 2) + j]; }

  /// m x n elements from (i, j) on, as a transport sees them.
  MemoryBlock box(int64_t i, int64_t j, int64_t m, int64_t n) {
    MemoryBlock block;
    block.base = reinterpret_cast<char *>(&at(i, j));
    block.elementSize = sizeof(double);
    block.rank = 2;
    block.count[0] = m;
    block.count[1] = n;
    block.stride[0] = (columns + 2) * sizeof(double);
    block.stride[1] = sizeof(double);
    return block;
  }

  const int64_t rows, columns;

private:
  size_t bytes() const { return (rows + 2) * (columns + 2) * sizeof(double); }

  Transport &transport;
  double *data;
};

/// What goes to and comes from the four neighbours; the plan of the transfer.
std::vector<Pair> planHalo(Block &block, const Part &rows,
                           const Part &columns) {
  int64_t m = block.rows, n = block.columns;
  int self = rows.place * columns.parts + columns.place;
  std::vector<Pair> pairs;
  if (rows.place > 0)
    pairs.push_back({self - columns.parts,
                     {block.box(1, 1, 1, n)},
                     {block.box(0, 1, 1, n)}});
  if (rows.place + 1 < rows.parts)
    pairs.push_back({self + columns.parts,
                     {block.box(m, 1, 1, n)},
                     {block.box(m + 1, 1, 1, n)}});
  if (columns.place > 0)
    pairs.push_back(
        {self - 1, {block.box(1, 1, m, 1)}, {block.box(1, 0, m, 1)}});
  if (columns.place + 1 < columns.parts)
    pairs.push_back(
        {self + 1, {block.box(1, n, m, 1)}, {block.box(1, n + 1, m, 1)}});
  return pairs;
}

/// The means of the neighbours, for the rows i..k and the columns j..l.
void average(Block &from, Block &to, int64_t i, int64_t k, int64_t j,
             int64_t l) {
  for (; i <= k; ++i)
    for (int64_t c = j; c <= l; ++c)
      to.at(i, c) = (from.at(i - 1, c) + from.at(i + 1, c) + from.at(i, c - 1) +
                     from.at(i, c + 1)) /
                    4;
}

/// One iteration; \p halo is the exchange over \p from.
void iterate(Exchange &halo, Block &from, Block &to) {
  int64_t m = from.rows, n = from.columns;
  halo.destinationReady();
  halo.sourceReady();
  average(from, to, 2, m - 1, 2, n - 1); // While the halo is on its way.
  halo.destinationNeeded();
  average(from, to, 1, 1, 1, n);
  average(from, to, m > 1 ? m : 2, m, 1, n);
  average(from, to, 2, m - 1, 1, 1);
  average(from, to, 2, m - 1, n > 1 ? n : 2, n);
  halo.sourceVolatile();
}

/// The sum over all processors, on processor 0, in units of 2^-40: those can be
/// added in any order.
double sumOfAll(Transport &transport, Block &block) {
  constexpr double Unit = 1.0 / (int64_t(1) << 40);
  int64_t sum = 0;
  for (int64_t i = 1; i <= block.rows; ++i)
    for (int64_t j = 1; j <= block.columns; ++j)
      sum += static_cast<int64_t>(block.at(i, j) / Unit);
  if (transport.rank() != 0)
    transport.send(0, &sum, sizeof sum);
  for (int from = 1; transport.rank() == 0 && from < transport.size(); ++from) {
    int64_t its = 0;
    transport.receive(from, &its, sizeof its);
    sum += its;
  }
  return static_cast<double>(sum) * Unit;
}

void run(Transport &transport, int64_t n, int iterations) {
  // A grid as square as the number of processors allows.
  int gridRows = 1;
  for (int r = 1; r * r <= transport.size(); ++r)
    if (transport.size() % r == 0)
      gridRows = r;
  int gridColumns = transport.size() / gridRows;
  Part rows(n, transport.rank() / gridColumns, gridRows);
  Part columns(n, transport.rank() % gridColumns, gridColumns);
  Block a(transport, rows, columns), b(transport, rows, columns);
  if (rows.place == 0) // The upper edge is halo that nobody sends.
    for (Block *block : {&a, &b})
      for (int64_t j = 0; j <= columns.count + 1; ++j)
        block->at(0, j) = 1;
  auto haloOfA = transport.makeExchange(planHalo(a, rows, columns));
  auto haloOfB = transport.makeExchange(planHalo(b, rows, columns));
  for (int i = 0; i < iterations; ++i)
    if (i % 2 == 0)
      iterate(*haloOfA, a, b);
    else
      iterate(*haloOfB, b, a);
  double sum = sumOfAll(transport, iterations % 2 ? b : a);
  if (transport.rank() == 0)
    printf("sum %.9f\n", sum);
}

bool parse(int argc, char **argv, LaunchOptions &options, int64_t &n,
           int &iterations) {
  int numbers = 0;
  for (int i = 1; i < argc; ++i) {
    if (strncmp(argv[i], "-p", 2) == 0)
      options.processors = atoi(argv[i] + 2);
    else if (strncmp(argv[i], "--transport=", 12) == 0)
      options.transport = argv[i] + 12;
    else if (numbers++ == 0)
      n = atoll(argv[i]);
    else
      iterations = atoi(argv[i]);
  }
  return n > 0 && iterations >= 0 && numbers <= 2;
}

} // namespace

int main(int argc, char **argv) {
  ErrorContext context;
  context.programName = "halo";
  setErrorContext(context); // What the runtime reports has our name.
  LaunchOptions options;
  options.pluginDir = PLUGIN_DIR;
  options.arguments = argv;
  int64_t n = 100;
  int iterations = 50;
  if (!parse(argc, argv, options, n, iterations)) {
    fprintf(stderr, "usage: halo [-pN] [--transport=NAME] [n [iterations]]\n");
    return 2;
  }
  // From here on this is one processor of several.
  std::unique_ptr<Transport> transport = launch(options);
  if (transport->size() > n) {
    if (transport->claimReport(true))
      fprintf(stderr, "halo: error: more processors than rows\n");
    transport->abort(1);
  }
  run(*transport, n, iterations);
  fflush(stdout);
  transport->finish();
}
