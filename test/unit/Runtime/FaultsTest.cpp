//===- FaultsTest.cpp - What reports of faults are made of ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Machine/MachineMemory.h"
#include "Support/LastOperation.h"
#include "Support/ProcessLook.h"
#include "Transport/EndOrder.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

using namespace zrt;

namespace {

const zrt_loc Place = {"a.z", 12, 7};

void set(OperationState &state, OperationKind kind, const zrt_loc *loc,
         bool inside) {
  state.count = 1;
  state.kind = kind;
  state.loc = loc;
  state.inside = inside;
}

TEST(LastOperation, SaysWhatAndWhere) {
  OperationState state;
  EXPECT_EQ(lastOperation(state), "before its first operation");
  set(state, OperationKind::Transfer, &Place, true);
  EXPECT_EQ(lastOperation(state), "in transfer at a.z:12:7");
  set(state, OperationKind::Reduction, &Place, false);
  EXPECT_EQ(lastOperation(state), "after reduction at a.z:12:7");
  set(state, OperationKind::Reduction, nullptr, false);
  EXPECT_EQ(lastOperation(state), "after reduction");
}

TEST(LastOperation, BearsWhatAProgramHasWrittenOverIt) {
  OperationState state;
  set(state, OperationKind::Scan, reinterpret_cast<const zrt_loc *>(16), true);
  EXPECT_EQ(lastOperation(state), "in scan");
  zrt_loc broken = {reinterpret_cast<const char *>(16), 12, 7};
  set(state, OperationKind::Scan, &broken, true);
  EXPECT_EQ(lastOperation(state), "in scan");
  set(state, static_cast<OperationKind>(200), &Place, true);
  EXPECT_EQ(lastOperation(state), "in an unknown operation");
}

TEST(HangReport, JoinsProcessorsThatDoTheSame) {
  EXPECT_EQ(hangReport({"waiting", "waiting", "ended", "waiting", "waiting",
                        "waiting", "computing"}),
            "no processor can advance\n"
            "  processors 0, 1 and 3-5: waiting\n"
            "  processor 2: ended\n"
            "  processor 6: computing");
}

TEST(ProcessLook, SeesRunningStoppedAndGone) {
  std::optional<ProcessLook> self = lookAt(getpid());
  ASSERT_TRUE(self);
  EXPECT_TRUE(self->isRunnable());
  pid_t child = fork();
  if (child == 0)
    while (true)
      pause();
  kill(child, SIGSTOP);
  waitpid(child, nullptr, WUNTRACED);
  ASSERT_TRUE(lookAt(child));
  EXPECT_TRUE(lookAt(child)->isStopped());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_FALSE(lookAt(child));
}

TEST(ProcessLook, KnowsWhoReadsStandardInput) {
  int input[2], other[2];
  ASSERT_EQ(pipe(input), 0);
  ASSERT_EQ(pipe(other), 0);
  for (bool isInput : {true, false}) {
    pid_t child = fork();
    if (child == 0) {
      char byte;
      dup2(input[0], STDIN_FILENO);
      ssize_t count = read(isInput ? STDIN_FILENO : other[0], &byte, 1);
      _exit(static_cast<int>(count));
    }
    while (lookAt(child)->isRunnable())
      usleep(1000);
    usleep(100000); // It may have slept over something else.
    if (std::optional<bool> waits = waitsForStandardFile(child)) {
      EXPECT_EQ(*waits, isInput);
    }
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  for (int end : {input[0], input[1], other[0], other[1]})
    close(end);
}

TEST(MachineMemory, HasSomeAndNotEverything) {
  EXPECT_TRUE(machineHas(1 << 20));
  EXPECT_TRUE(machineHas(65 << 20));
  EXPECT_FALSE(machineHas(uint64_t(1) << 60));
  std::atomic<uint64_t> held = 100;
  EXPECT_TRUE(takeMemory(held, 1 << 20));
  EXPECT_FALSE(takeMemory(held, uint64_t(1) << 60));
  EXPECT_FALSE(takeMemory(held, UINT64_MAX));
  EXPECT_EQ(held, 100 + (1 << 20));
}

/// A child that waits, and what becomes readable when it ends.
struct Sleeper {
  pid_t process;
  int file;
  Sleeper() : process(fork()) {
    if (process == 0)
      while (true)
        pause();
    file = openProcess(process);
  }
  ~Sleeper() {
    end();
    waitpid(process, nullptr, 0);
    close(file);
  }
  void end() const {
    siginfo_t how;
    kill(process, SIGKILL);
    waitid(P_PID, static_cast<id_t>(process), &how, WEXITED | WNOWAIT);
  }
};

TEST(EndOrder, TellsWhoEndedFirstWhileNobodyLooked) {
  Sleeper sleepers[5];
  EndOrder order;
  ASSERT_TRUE(order.isGood());
  for (int k = 0; k < 5; ++k)
    ASSERT_TRUE(order.add(sleepers[k].file, k));
  EXPECT_EQ(order.next(0), -1);
  for (int k : {3, 0, 4, 1})
    sleepers[k].end();
  for (int k : {3, 0})
    EXPECT_EQ(order.next(0), k);
  sleepers[2].end(); // They stay before those that follow.
  for (int k : {4, 1, 2, -1})
    EXPECT_EQ(order.next(0), k);
}

TEST(EndOrder, FindsChildren) {
  Sleeper one, other;
  std::vector<pid_t> children = childrenOf(getpid());
  for (pid_t process : {one.process, other.process})
    EXPECT_EQ(std::count(children.begin(), children.end(), process), 1);
}

} // namespace
