//===- TestTransport.h - One processor for tests ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_TEST_TESTTRANSPORT_H
#define ZRT_TEST_TESTTRANSPORT_H

#include "Transport/PrivateHeap.h"
#include "Transport/Transport.h"

#include <cstdlib>
#include <memory>
#include <vector>

namespace zrt {

/// Memory of the test's process.
class TestTransport : public Transport {
public:
  const char *name() const override { return "test"; }
  int rank() const override { return 0; }
  int size() const override { return 1; }
  void *allocate(size_t bytes) override { return heap.allocate(bytes); }
  void release(void *memory, size_t bytes) override {
    heap.release(memory, bytes);
  }
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair>) override {
    return nullptr;
  }
  void send(int, const void *, size_t) override {}
  void receive(int, void *, size_t) override {}
  bool claimReport(bool) override { return true; }
  void abort(int status) override { std::exit(status); }
  void finish() override {}

private:
  PrivateHeap heap;
};

} // namespace zrt

#endif // ZRT_TEST_TESTTRANSPORT_H
