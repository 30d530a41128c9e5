//===- RawCall.h - System calls without the C library -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_SUPPORT_RAWCALL_H
#define ZRT_SUPPORT_RAWCALL_H

#include <cerrno>
#include <unistd.h>

namespace zrt {

/// Calls the system; the result, or -errno. Leaves `errno` alone where
/// `rawCallIsBare`, so that two processes may do it in one memory.
inline long rawCall(long number, long a = 0, long b = 0, long c = 0, long d = 0,
                    long e = 0) {
#if defined(__x86_64__)
  long result;
  register long fourth __asm__("r10") = d;
  register long fifth __asm__("r8") = e;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth),
                     "r"(fifth)
                   : "rcx", "r11", "memory");
  return result;
#else
  long result = syscall(number, a, b, c, d, e);
  return result < 0 ? -errno : result;
#endif
}

#if defined(__x86_64__)
inline constexpr bool rawCallIsBare = true;
#else
inline constexpr bool rawCallIsBare = false;
#endif

} // namespace zrt

#endif // ZRT_SUPPORT_RAWCALL_H
