//===- Externs.h - What is declared extern ----------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_NAMES_EXTERNS_H
#define ZPL_LIB_SEMA_NAMES_EXTERNS_H

#include "zpl/Interop/Interop.h"
#include "zpl/Sema/Program.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace zpl::sema {

/// The extern declarations of a program, in the terms of Interop.
class Externs {
public:
  interop::Externs table;
  std::map<size_t, TypeInfo *> opaques;   ///< by their row
  llvm::StringMap<interop::Import> found; ///< what C says of constants
  llvm::DenseSet<const TypeInfo *> fromC; ///< declared `extern type`

  const interop::ZplType *type(Type type);
  interop::ZplType &add(interop::ZplKind kind, llvm::StringRef name);
  interop::Extern &add(interop::ExternKind kind, const Symbol &symbol,
                       const interop::ZplType *type);

private:
  std::map<std::pair<Type::Kind, const TypeInfo *>, const interop::ZplType *>
      types;
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_NAMES_EXTERNS_H
