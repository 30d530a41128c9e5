//===- Fiber.cpp - Stacks of processors in one process --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Processor 3 waits for processor 2: its registers that callees keep go onto its
// stack, the stack pointer becomes the one that processor 2 left, and the same
// registers come from there.
//
//     stack of 3   ... receive, await, change: rbx rbp r12 r13 r14 r15, return
//     stack of 2   ... reduce, send, ..., change: rbx rbp ...
//
// That is what `swapcontext` does, but for the signal mask, which takes two
// system calls there and is the same for all processors here. On x86-64 it is
// fourteen instructions; other machines use `swapcontext`.
//
// Stacks are reserved without memory, 64 MiB each as a process has; what a
// processor touches of it, 16 KB or so, is what it costs.
//
//===----------------------------------------------------------------------===//

#include "Transport/sim/Fiber.h"

#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

using namespace zrt::sim;

#if defined(__x86_64__)

// zrtSimChange(void **from, void *to); zrtSimEnter begins a fiber, whose body
// and argument are where those registers of it are taken from.
asm(R"(
  .text
  .p2align 4
  .type zrtSimChange,@function
zrtSimChange:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size zrtSimChange,.-zrtSimChange
  .p2align 4
  .type zrtSimEnter,@function
zrtSimEnter:
  movq %r12, %rdi
  xorl %ebp, %ebp
  call *%rbx
  ud2
  .size zrtSimEnter,.-zrtSimEnter
)");
extern "C" void zrtSimChange(void **from, void *to);
extern "C" void zrtSimEnter();

/// The stack that a fiber begins with: registers, the place to go to, and an
/// empty word, so that the stack is aligned as calls expect.
static void *firstPoint(char *end, void (*body)(void *), void *argument) {
  void **top = reinterpret_cast<void **>(end) - 2;
  *top = nullptr;
  *--top = reinterpret_cast<void *>(zrtSimEnter);
  *--top = nullptr;                        // rbp
  *--top = reinterpret_cast<void *>(body); // rbx
  *--top = argument;                       // r12
  for (int k = 0; k < 3; ++k)
    *--top = nullptr; // r13, r14, r15
  return top;
}

void Fiber::change(Fiber &from, Fiber &to) {
  zrtSimChange(&from.point, to.point);
}

#else

namespace {
struct Context {
  ucontext_t registers;
  void (*body)(void *) = nullptr;
  void *argument = nullptr;
};
Context *entering; // makecontext passes numbers only
} // namespace

static void enter() { entering->body(entering->argument); }

static void *firstPoint(char *end, void (*body)(void *), void *argument) {
  auto *context = new Context;
  getcontext(&context->registers);
  context->body = body;
  context->argument = argument;
  constexpr size_t Page = 4096; // what is left below is the system's to know
  context->registers.uc_stack.ss_sp = end - 16 * Page;
  context->registers.uc_stack.ss_size = 16 * Page;
  context->registers.uc_link = nullptr;
  makecontext(&context->registers, enter, 0);
  return context;
}

void Fiber::change(Fiber &from, Fiber &to) {
  if (!from.point)
    from.point = new Context;
  entering = static_cast<Context *>(to.point);
  swapcontext(&static_cast<Context *>(from.point)->registers,
              &entering->registers);
}

#endif

bool Fiber::start(size_t bytes, size_t guardBytes, void (*body)(void *),
                  void *argument) {
  void *made =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (made == MAP_FAILED)
    return false;
  memory = made;
  size = bytes;
  guard = firstGuard = guardBytes;
  madvise(memory, size, MADV_NOHUGEPAGE); // else each takes 2 MiB
  if (guard != 0 && mprotect(memory, guard, PROT_NONE) != 0)
    return false;
  point = firstPoint(static_cast<char *>(memory) + bytes, body, argument);
  return true;
}

bool Fiber::giveRoom(const void *address) {
  constexpr size_t More = 64 << 10;
  auto *base = static_cast<char *>(memory);
  auto offset = static_cast<size_t>(static_cast<const char *>(address) - base);
  size_t left = offset > More ? (offset - More) & ~(More - 1) : 0;
  if (left < firstGuard / 2 ||
      mprotect(base + left, guard - left, PROT_READ | PROT_WRITE) != 0)
    return false;
  guard = left;
  return true;
}

void Fiber::letRead() { mprotect(memory, guard, PROT_READ); }

void Fiber::releaseBelow(size_t bytes) {
  if (size > guard + bytes)
    madvise(static_cast<char *>(memory) + guard, size - guard - bytes,
            MADV_DONTNEED);
}

Fiber::~Fiber() {
  if (memory)
    munmap(memory, size);
}
