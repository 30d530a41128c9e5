//===- EndMistakes.cpp - Transports that end badly ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The mistakes for the clauses about the end of a run. They need processes, so
/// each wraps a transport that is right: `--end-mistake=NAME`.
///
//===----------------------------------------------------------------------===//

#include "Ends.h"

#include <unistd.h>

using namespace zrt;
using namespace zrt::test;

namespace {

class EndMistake final : public Transport {
public:
  EndMistake(std::unique_ptr<Transport> inner, std::string mistake)
      : inner(std::move(inner)), mistake(std::move(mistake)) {}

  const char *name() const override { return inner->name(); }
  int rank() const override { return inner->rank(); }
  int size() const override { return inner->size(); }
  void *allocate(size_t bytes) override { return inner->allocate(bytes); }
  void release(void *memory, size_t bytes) override {
    inner->release(memory, bytes);
  }
  std::unique_ptr<Exchange> makeExchange(std::vector<Pair> pairs) override {
    return inner->makeExchange(std::move(pairs));
  }
  void send(int to, const void *data, size_t bytes) override {
    inner->send(to, data, bytes);
  }
  void receive(int from, void *data, size_t bytes) override {
    inner->receive(from, data, bytes);
  }

  /// all-report: no agreement about who does. none-reports: each leaves it to
  /// another.
  bool claimReport(bool replicated) override {
    if (mistake == "all-report")
      return true;
    return inner->claimReport(replicated) && mistake != "none-reports";
  }
  /// status-lost: ends the run, but with 1. abort-alone: ends itself.
  [[noreturn]] void abort(int status) override {
    if (mistake == "all-report")
      usleep(300000); // Until all have reported.
    if (mistake == "abort-alone")
      _exit(status);
    inner->abort(mistake == "status-lost" ? 1 : status);
    __builtin_unreachable();
  }
  /// no-end: does not come out of it.
  void finish() override {
    while (mistake == "no-end")
      pause();
    inner->finish();
  }

private:
  std::unique_ptr<Transport> inner;
  std::string mistake;
};

} // namespace

std::unique_ptr<Transport>
zrt::test::makeEndMistake(std::unique_ptr<Transport> inner,
                          const std::string &mistake) {
  if (mistake == "input-lost")
    close(STDIN_FILENO);
  // Another process is the processor, and nobody knows that one.
  if (mistake == "hidden" && fork() != 0)
    while (true)
      pause();
  if (mistake.empty())
    return inner;
  return std::make_unique<EndMistake>(std::move(inner), mistake);
}

const std::vector<EndMistakeKind> &zrt::test::endMistakes() {
  static const std::vector<EndMistakeKind> kinds = {
      {"all-report", "each processor that finds an error reports it",
       "end-common-error end-lost-error", false},
      {"none-reports", "errors are not reported",
       "end-common-error end-local-error end-lost-error", false},
      {"status-lost", "abort ends the run with another status", "end-abort",
       false},
      {"abort-alone", "abort ends one processor only",
       "end-abort end-common-error end-local-error end-lost-error", false},
      {"no-end", "the regular end does not come", "end-input end-regular",
       false},
      {"input-lost", "processor 0 has no standard input", "end-input", false},
      {"hidden", "nobody sees what becomes of a process",
       "end-abort end-common-error end-early end-input end-interrupted "
       "end-killed end-local-error end-lost-error end-regular end-terminated",
       true},
  };
  return kinds;
}
