//===- Verifying.h - What is known while a module is verified ---*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The state of the verifier and what types may be used for. The rules are
/// functions over it, in the other headers of this folder.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_VERIFYING_H
#define ZPL_LIB_ARRAYIR_VERIFY_VERIFYING_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/ArrayIR/Printer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace zpl::air {

/// What is known while a module is verified, in the order of its text. The
/// rules are functions over it: each gives true where what it looks at is well
/// formed; else it has said through fail() what is not, and gives false. The
/// range that most of them take is where that is, if the node itself has none.
struct Verifying {
  /// \p module must live as long as this.
  explicit Verifying(const Module &module) : module(module) {}

  const Module &module;
  /// The first broken rule, and where; empty while there is none.
  std::string message;
  SourceRange place;

  // What has been declared.
  llvm::DenseSet<const void *> globals, locals, procedures, types;
  /// The M-loops in which contracted arrays live.
  llvm::DenseMap<const Array *, const MLoopStmt *> homes;

  // What the statements so far have done.
  llvm::DenseSet<const Stmt *> seen;
  /// Variables on the heap that have their memory.
  llvm::DenseSet<const Variable *> allocated;

  // Around the code at hand.
  const Procedure *proc = nullptr;
  unsigned loopDepth = 0;
  const Region *covering = nullptr;   ///< not null: inside element code
  const MLoopStmt *inMLoop = nullptr; ///< whose element code that is
  const WaveStmt *inWave = nullptr;   ///< whose body is being checked

  std::optional<KnownStrides> strides; ///< of the whole module, once asked for
};

/// What counts: I8 to U64.
inline bool isInteger(Type type) {
  return type.isInteger() && type != Type::Bool && type != Type::Char &&
         type != Type::Enum;
}

/// What has sums and products, and is no complex number.
inline bool isNumber(Type type) { return isInteger(type) || type.isFloat(); }

/// What has an order.
inline bool isOrdered(Type type) { return type.isInteger() || type.isFloat(); }

/// What an array's element, a field, an assigned value can be.
inline bool isValue(Type type) {
  return type != Type::Void && type != Type::Timer;
}

/// Whether \p wave, if it is one, goes through the positions of a pattern. Then
/// its M-loop stores at offsets (Waves.cpp).
inline bool isOverPattern(const WaveStmt *wave) {
  return wave && wave->region->isSparse && wave->tile == wave->region;
}

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_VERIFYING_H
