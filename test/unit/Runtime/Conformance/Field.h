//===- Field.h - Arrays for exchange tests ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_FIELD_H
#define ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_FIELD_H

#include "Clauses.h"

namespace zrt::test {

/// A piece of a transport's memory.
class OwnedPiece {
public:
  OwnedPiece(Transport &transport, size_t bytes)
      : bytes(bytes), data(static_cast<char *>(transport.allocate(bytes))),
        transport(transport) {}
  ~OwnedPiece() {
    if (data)
      transport.release(data, bytes);
  }
  OwnedPiece(const OwnedPiece &) = delete;

  /// All of it, or \p length bytes from \p start on, as one row of bytes.
  MemoryBlock row(size_t start, size_t length) const {
    MemoryBlock block;
    block.base = data + start;
    block.elementSize = 1;
    block.rank = 1;
    block.count[0] = static_cast<int64_t>(length);
    block.stride[0] = 1;
    return block;
  }
  MemoryBlock row() const { return row(0, bytes); }

  const size_t bytes;
  char *const data;

private:
  Transport &transport;
};

/// A matrix of doubles in memory of a transport.
class Field {
public:
  Field(Transport &transport, int64_t rows, int64_t columns)
      : rows(rows), columns(columns),
        piece(transport, rows * columns * sizeof(double)) {}

  double &at(int64_t i, int64_t j) {
    return reinterpret_cast<double *>(piece.data)[i * columns + j];
  }

  void fill(double value) {
    for (int64_t i = 0; i < rows * columns; ++i)
      at(0, i) = value;
  }

  /// The box of \p m x \p n elements from (i, j) on, as two dimensions.
  MemoryBlock box(int64_t i, int64_t j, int64_t m, int64_t n) {
    MemoryBlock block;
    block.base = reinterpret_cast<char *>(&at(i, j));
    block.elementSize = sizeof(double);
    block.rank = 2;
    block.count[0] = m;
    block.count[1] = n;
    block.stride[0] = columns * sizeof(double);
    block.stride[1] = sizeof(double);
    return block;
  }

  const int64_t rows, columns;

private:
  OwnedPiece piece;
};

/// A value that tells processor, position and round.
inline double fieldValue(int rank, int64_t i, int64_t j, int round = 0) {
  return rank * 1e6 + i * 1000 + j + round * 1e8;
}
inline void fillOwn(Context &context, Field &field, int round = 0) {
  for (int64_t i = 0; i < field.rows; ++i)
    for (int64_t j = 0; j < field.columns; ++j)
      field.at(i, j) = fieldValue(context.rank(), i, j, round);
}

/// Most shapes are tried on a line of processors where each sends to its right
/// neighbour (rank + 1) and receives from its left one.
inline bool hasLeft(const Context &context) { return context.rank() > 0; }
inline bool hasRight(const Context &context) {
  return context.rank() + 1 < context.size();
}

/// The pairs of a processor on the line that sends \p sends to the right and
/// receives \p receives from the left.
inline std::vector<Pair> line(const Context &context,
                              std::vector<MemoryBlock> sends,
                              std::vector<MemoryBlock> receives) {
  std::vector<Pair> pairs;
  if (hasLeft(context))
    pairs.push_back({context.rank() - 1, {}, std::move(receives)});
  if (hasRight(context))
    pairs.push_back({context.rank() + 1, std::move(sends), {}});
  return pairs;
}

/// All four points at once.
inline void runExchange(Exchange &exchange) {
  exchange.destinationReady();
  exchange.sourceReady();
  exchange.destinationNeeded();
  exchange.sourceVolatile();
}

/// All four points, with the processors in step, so that nothing depends on
/// who waits for whom.
inline void runInStep(Context &context, Exchange &exchange) {
  exchange.destinationReady();
  context.barrier();
  exchange.sourceReady();
  context.barrier();
  exchange.destinationNeeded();
  context.barrier();
  exchange.sourceVolatile();
}

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_CONFORMANCE_FIELD_H
