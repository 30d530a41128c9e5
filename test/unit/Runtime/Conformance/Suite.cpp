//===- Suite.cpp - Running clauses ----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Three ways to have processors: processes of a transport, threads of shm, the
/// simulated machine. A clause fails if one processor's view of it does.
///
//===----------------------------------------------------------------------===//

#include "Suite.h"

#include <barrier>
#include <cstdio>
#include <thread>

using namespace zrt;
using namespace zrt::test;

bool zrt::test::printVerdict(const Clause &clause, const Verdict &verdict) {
  const char *word = "PASS";
  if (!verdict.failure.empty())
    word = "FAIL";
  else if (!verdict.skipped.empty())
    word = "SKIP";
  std::string why = verdict.failure + verdict.skipped;
  printf("%s: %s: %s%s%s\n", word, clause.name, clause.claim,
         why.empty() ? "" : ": ", why.c_str());
  fflush(stdout);
  return !verdict.failure.empty();
}

/// Takes what \p context has found into \p verdict.
static void join(Verdict &verdict, const Context &context) {
  if (verdict.failure.empty() && !context.failure.empty())
    verdict.failure =
        context.failure + " (processor " + std::to_string(context.rank()) + ")";
  verdict.skipped = context.skipped;
}

void zrt::test::runInProcesses(Transport &transport,
                               const std::vector<Clause> &clauses,
                               const Setting &setting) {
  for (const Clause &clause : clauses) {
    Context context(transport, setting);
    clause.run(context);
    Verdict verdict;
    join(verdict, context);
    std::string text = verdict.failure;
    text.resize(200);
    if (transport.rank() != 0) {
      transport.send(0, text.data(), text.size());
      continue;
    }
    for (int from = 1; from < transport.size(); ++from) {
      transport.receive(from, text.data(), text.size());
      if (verdict.failure.empty())
        verdict.failure = text.c_str();
    }
    printVerdict(clause, verdict);
  }
}

int zrt::test::runInThreads(std::vector<std::unique_ptr<Transport>> &transports,
                            const std::vector<Clause> &clauses,
                            const Setting &setting) {
  std::barrier meeting(static_cast<std::ptrdiff_t>(transports.size()));
  std::mutex mutex;
  Verdict verdict;
  int failed = 0;
  auto work = [&](Transport &transport) {
    for (const Clause &clause : clauses) {
      Context context(transport, setting);
      clause.run(context);
      {
        std::lock_guard<std::mutex> lock(mutex);
        join(verdict, context);
      }
      meeting.arrive_and_wait();
      if (transport.rank() == 0) {
        failed += printVerdict(clause, verdict);
        verdict = Verdict();
      }
      meeting.arrive_and_wait();
    }
    transport.finish();
  };
  std::vector<std::thread> threads;
  for (auto &transport : transports)
    threads.emplace_back(work, std::ref(*transport));
  for (std::thread &thread : threads)
    thread.join();
  return failed;
}

Verdict zrt::test::simulate(const Clause &clause, int processors,
                            Mistake mistake, const Setting &setting,
                            bool preempts) {
  Machine machine(processors, mistake, setting.seed, preempts);
  Setting simulated = setting;
  simulated.linger = [&machine](Transport &transport) {
    machine.linger(transport.rank());
  };
  Verdict verdict;
  bool cameToEnd = machine.run([&](Transport &transport) {
    Context context(transport, simulated);
    try {
      clause.run(context);
    } catch (const Deadlock &) {
      join(verdict, context);
      throw;
    }
    join(verdict, context);
  });
  if (!cameToEnd && verdict.failure.empty())
    verdict.failure = "the processors wait for each other";
  return verdict;
}
