//===- StackGuard.cpp - Recursion without an end --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure f(n: integer): integer;     p: error: the stack is exhausted at
//     begin                                 p.z:3:11, in procedure 'f'
//       return f(n + 1) + n;
//     end;
//
// A call that finds no stack ends in a memory fault: below the lowest page that
// the system lets a stack have, nothing is mapped. The handler (CrashReport),
// which has a stack of its own, tells such a fault from a stray pointer by the
// address, which is near the stack pointer, and where no memory is.
//
// Which procedure that was is in the table that the compiler leaves (section
// zpl_procedures). If the fault is in code of the runtime or of C, which a
// procedure has called, the stack is searched for an address in the code of the
// program (section zpl_text), from its end on: the first one is where the last
// of its calls returns to, unless a dead value of this kind lies before it. It
// is then that of a procedure that has been called a moment ago.
//
// Cost: none, before it happens.
//
//===----------------------------------------------------------------------===//

#include "Entry/StackGuard.h"

#include <algorithm>
#include <cstddef>
#include <sys/mman.h>
#include <sys/resource.h>
#include <ucontext.h>
#include <unistd.h>

using namespace zrt;

// The ends of the sections. The linker defines them if there are such sections.
extern "C" {
[[gnu::weak,
  gnu::visibility(
      "hidden")]] extern const zrt_procedure __start_zpl_procedures[],
    __stop_zpl_procedures[];
[[gnu::weak, gnu::visibility("hidden")]] extern const char __start_zpl_text[],
    __stop_zpl_text[];
}

// As the compiler writes it (lib/Backend/ProcedureTable.cpp).
static_assert(offsetof(zrt_procedure, loc) == sizeof(void *) &&
              offsetof(zrt_procedure, name) == 3 * sizeof(void *) &&
              sizeof(zrt_procedure) == 4 * sizeof(void *));

namespace {

/// Larger variables are on the heap; several may be in one frame.
constexpr uintptr_t LargestFrame = 4 << 20;

struct Registers {
  uintptr_t code = 0, stack = 0; ///< 0: not known on this machine
};

Registers registersOf(const void *context) {
  [[maybe_unused]] const mcontext_t &machine =
      static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return {static_cast<uintptr_t>(machine.gregs[REG_RIP]),
          static_cast<uintptr_t>(machine.gregs[REG_RSP])};
#elif defined(__aarch64__)
  return {machine.pc, machine.sp};
#elif defined(__riscv)
  return {machine.__gregs[REG_PC], machine.__gregs[REG_SP]};
#else
  return {};
#endif
}

uintptr_t addressOf(const void *object) {
  return reinterpret_cast<uintptr_t>(object);
}

/// The last procedure that begins at \p code or before it.
const zrt_procedure *procedureHolding(uintptr_t code) {
  if (code < addressOf(__start_zpl_text) || code >= addressOf(__stop_zpl_text))
    return nullptr;
  const zrt_procedure *best = nullptr;
  for (const zrt_procedure *one = __start_zpl_procedures;
       one != __stop_zpl_procedures; ++one)
    if (addressOf(one->code) <= code &&
        (!best || addressOf(one->code) > addressOf(best->code)))
      best = one;
  return best;
}

/// Whether there is memory at a page.
bool isMapped(uintptr_t page, size_t pageBytes) {
  return msync(reinterpret_cast<void *>(page), pageBytes, MS_ASYNC) == 0;
}

} // namespace

void zrt::extendStack() {
  // Linux keeps at least 128 MiB below a stack free of other memory.
  constexpr rlim_t Wanted = rlim_t(64) << 20, Most = rlim_t(1) << 30;
  rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0)
    return;
  // Where there is no limit, recursion must end all the same.
  rlim_t bytes =
      limit.rlim_cur == RLIM_INFINITY ? Most : std::max(limit.rlim_cur, Wanted);
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  setrlimit(RLIMIT_STACK, &limit);
}

bool zrt::isStackExhausted(const siginfo_t &info, const void *context) {
  // A frame may be larger than what is left, and is not written from its end.
  constexpr uintptr_t Below = 64 << 10;
  uintptr_t stack = registersOf(context).stack, fault = addressOf(info.si_addr);
  bool isKernels = info.si_code > 0; // not somebody's kill
  return isKernels && stack != 0 && fault + Below >= stack &&
         fault < stack + LargestFrame;
}

bool zrt::isProgramCode(const void *context) {
  return procedureHolding(registersOf(context).code) != nullptr;
}

const zrt_procedure *zrt::procedureAt(const siginfo_t &info,
                                      const void *context) {
  Registers registers = registersOf(context);
  if (const zrt_procedure *procedure = procedureHolding(registers.code))
    return procedure;
  size_t pageBytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  uintptr_t page = registers.stack & ~(pageBytes - 1);
  // What is left of the stack lies above the page that is not there, or, below
  // the stacks of simulated processors, there and guarded.
  uintptr_t fault = addressOf(info.si_addr) & ~(pageBytes - 1);
  if (isStackExhausted(info, context))
    page = std::max(page, fault + pageBytes);
  uintptr_t most = page + LargestFrame;
  while (!isMapped(page, pageBytes) && page < most)
    page += pageBytes;
  for (; isMapped(page, pageBytes); page += pageBytes) {
    uintptr_t first = std::max(page, registers.stack & ~uintptr_t(7));
    for (uintptr_t at = first; at < page + pageBytes; at += sizeof(uintptr_t))
      if (const zrt_procedure *procedure =
              procedureHolding(*reinterpret_cast<const uintptr_t *>(at)))
        return procedure;
  }
  return nullptr;
}
