//===- PendingOutput.cpp - Output on its way to the system ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// A write(2) takes as long as formatting ten numbers, so output is collected:
///
///     writeln("i = ", i);       data  |i = 1\ni = 2\n          |
///                                      ^first       ^last
///
/// That must not be what is lost when the process ends, by a signal that no
/// handler sees either. So the buffers can be read by another process, the
/// keeper (Support/Keeper), which shares the memory and the descriptors and is
/// not killed with this one. It finds all of them in a list. Bytes are counted
/// by `last` after they are there, and by `first` after they have been written;
/// wherever the process stops, what lies between the two is right.
///
/// While the process runs the keeper hands on what has been waiting, so that
/// nobody waits long for output of a program that computes. One lock keeps the
/// two apart. It is held during writes: who appends to a pipe that nobody
/// empties has to wait anyway. A keeper that was killed gives it up.
///
/// To a pipe at most PIPE_BUF bytes are written at a time, all or nothing: the
/// end of the process in the midst of a larger write would leave it open how
/// much of it was taken.
///
/// Only system calls without the C library here, since both processes have one
/// `errno`, and since signal handlers come here.
///
//===----------------------------------------------------------------------===//

#include "Support/PendingOutput.h"

#include "Support/Keeper.h"
#include "Support/Operation.h"
#include "Support/RawCall.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <ctime>
#include <poll.h>
#include <sys/syscall.h>
#include <utility>

using namespace zrt;

namespace {

/// All that there are, the newest first.
std::atomic<PendingOutput *> newest = nullptr;

enum Owner { Nobody, Program, Keeper };
std::atomic<int> owner = Nobody;

bool tryLock(Owner who) {
  int free = Nobody;
  return owner.compare_exchange_strong(free, who, std::memory_order_acquire);
}

void unlock() { owner.store(Nobody, std::memory_order_release); }

void pauseForOther() {
  timespec moment = {0, 50000};
  rawCall(SYS_nanosleep, reinterpret_cast<long>(&moment));
}

class ProgramLock {
public:
  ProgramLock() {
    while (!tryLock(Program)) {
      int keeper = Keeper;
      if (keeperHasEnded() && owner.compare_exchange_strong(keeper, Program))
        return;
      pauseForOther();
    }
  }
  ~ProgramLock() { unlock(); }
};

/// One call of write(2): how many bytes it took, or -errno.
long writeSome(int descriptor, const char *data, size_t bytes) {
  while (true) {
    long n = rawCall(SYS_write, descriptor, reinterpret_cast<long>(data),
                     static_cast<long>(bytes));
    if (n == -EAGAIN) {
      pollfd ready = {descriptor, POLLOUT, 0};
      rawCall(SYS_poll, reinterpret_cast<long>(&ready), 1, -1);
    } else if (n != -EINTR) {
      return n;
    }
  }
}

} // namespace

PendingOutput::PendingOutput(int descriptor, bool isRegular)
    : descriptor(descriptor), isRegular(isRegular) {
  ProgramLock lock;
  next = newest;
  newest = this;
}

PendingOutput::~PendingOutput() {
  ProgramLock lock;
  if (newest == this) {
    newest = next;
    return;
  }
  PendingOutput *before = newest;
  while (before->next != this)
    before = before->next;
  before->next = next;
}

/// With the lock, or when nobody needs it any more.
void PendingOutput::handOnHere() {
  constexpr size_t AllOrNothing = PIPE_BUF, AtOnce = Bytes;
  while (first < last) {
    size_t bytes = std::min(last - first, isRegular ? AtOnce : AllOrNothing);
    long n = writeSome(descriptor, data.get() + first, bytes);
    if (n < 0) {
      failure = static_cast<int>(-n);
      break;
    }
    first += static_cast<size_t>(n);
  }
  last = 0; // In this order: between the two there is nothing, not all again.
  first = 0;
}

int PendingOutput::append(std::string_view text) {
  bool isKept = startKeeper();
  ProgramLock lock;
  if (!data)
    data = std::make_unique<char[]>(Bytes);
  if (last + text.size() > Bytes)
    handOnHere();
  memcpy(data.get() + last, text.data(), text.size());
  last.store(last + text.size(), std::memory_order_release);
  if (isKept)
    operationState().hasOutput.store(true, std::memory_order_relaxed);
  else
    handOnHere();
  return std::exchange(failure, 0);
}

int PendingOutput::handOn() {
  if (last == 0 && failure == 0)
    return 0;
  ProgramLock lock;
  handOnHere();
  return std::exchange(failure, 0);
}

int PendingOutput::handOn(std::string_view text) {
  ProgramLock lock;
  handOnHere();
  while (failure == 0 && !text.empty()) {
    long n = writeSome(descriptor, text.data(), text.size());
    if (n < 0)
      failure = static_cast<int>(-n);
    else
      text.remove_prefix(static_cast<size_t>(n));
  }
  return std::exchange(failure, 0);
}

void zrt::handOnAllOutput() {
  if (!operationState().hasOutput || !tryLock(Keeper))
    return;
  for (PendingOutput *output = newest; output; output = output->next)
    output->handOnHere();
  operationState().hasOutput = false;
  unlock();
}

void zrt::handOnLastOutput() {
  // Of the keeper's writes it is not known how far they are; a program that was
  // stopped in one of its own has said so by `first`.
  while (owner == Keeper && !keeperHasEnded())
    pauseForOther();
  for (PendingOutput *output = newest; output; output = output->next)
    output->handOnHere();
  operationState().hasOutput = false;
}
