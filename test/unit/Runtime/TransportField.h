//===- TransportField.h - An array for exchange tests -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TEST_UNIT_RUNTIME_TRANSPORTFIELD_H
#define ZPL_TEST_UNIT_RUNTIME_TRANSPORTFIELD_H

#include "Transport/Transport.h"

namespace zrt::test {

/// A matrix of doubles in memory of a transport.
class Field {
public:
  Field(Transport &transport, int64_t rows, int64_t columns)
      : rows(rows), columns(columns), transport(transport),
        data(static_cast<double *>(transport.allocate(bytes()))) {}
  ~Field() { transport.release(data, bytes()); }
  Field(const Field &) = delete;

  double &at(int64_t i, int64_t j) { return data[i * columns + j]; }

  void fill(double value) {
    for (int64_t i = 0; i < rows * columns; ++i)
      data[i] = value;
  }

  /// The box of \p m x \p n elements from (i, j) on, as two dimensions.
  MemoryBlock box(int64_t i, int64_t j, int64_t m, int64_t n) {
    MemoryBlock block;
    block.base = reinterpret_cast<char *>(data + i * columns + j);
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
  size_t bytes() const { return rows * columns * sizeof(double); }

  Transport &transport;
  double *data;
};

/// All four points at once.
inline void runExchange(Exchange &exchange) {
  exchange.destinationReady();
  exchange.sourceReady();
  exchange.destinationNeeded();
  exchange.sourceVolatile();
}

} // namespace zrt::test

#endif // ZPL_TEST_UNIT_RUNTIME_TRANSPORTFIELD_H
