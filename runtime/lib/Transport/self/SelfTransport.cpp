//===- SelfTransport.cpp - The transport of one processor -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// With one processor there is nobody to talk to: every transfer is planned
/// without pairs, and whoever sends a message has a mistake in it. What is left
/// is memory and the end of the run.
///
//===----------------------------------------------------------------------===//

#include "Transport/self/SelfTransport.h"

#include "Support/Error.h"
#include "Transport/PrivateHeap.h"

#include <unistd.h>

using namespace zrt;

namespace {

class EmptyExchange final : public Exchange {
public:
  void destinationReady() override {}
  void sourceReady() override {}
  void destinationNeeded() override {}
  void sourceVolatile() override {}
};

class SelfTransport final : public Transport {
public:
  const char *name() const override { return "self"; }
  int rank() const override { return 0; }
  int size() const override { return 1; }

  void *allocate(size_t bytes) override { return heap.allocate(bytes); }
  void release(void *memory, size_t bytes) override {
    heap.release(memory, bytes);
  }

  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override {
    ZRT_CHECK(pairs.empty());
    return std::make_unique<EmptyExchange>();
  }

  void send(int, const void *, size_t) override {
    ZRT_CHECK(!"one processor has no partner to send to");
  }
  void receive(int, void *, size_t) override {
    ZRT_CHECK(!"one processor has no partner to receive from");
  }

  bool claimReport(bool) override { return true; }
  void abort(int status) override { _exit(status); }
  void finish() override {}

private:
  PrivateHeap heap;
};

} // namespace

std::unique_ptr<Transport> zrt::makeSelfTransport() {
  return std::make_unique<SelfTransport>();
}
