//===- Declarations.h - Rules of declarations and names ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What all rules ask about a name that a node mentions: whether it is
/// declared, and may be used here. The declarations themselves are verified by
/// verify() (zpl/ArrayIR/Verifier.h), which is in the same .cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_DECLARATIONS_H
#define ZPL_LIB_ARRAYIR_VERIFY_DECLARATIONS_H

#include "Verify/Verifying.h"

namespace zpl::air {

/// Notes that a rule is broken, at \p range, by \p text in lower case without a
/// full stop; only the first one counts. Always false, for `return fail(..)`.
bool fail(Verifying &state, SourceRange range, const llvm::Twine &text);

/// \p type, and what it is made of, is one of the language's or was declared
/// before. Array types have two bounds of type i64 per dimension; handles are
/// of arrays of values.
bool knownType(Verifying &state, Type type, SourceRange range);

/// The runtime, which sends nothing before, may call \p p: no transfer of it is
/// left to its callers.
bool hasNoDemands(Verifying &state, const Procedure &p, SourceRange range);

/// \p v is not on the heap, or was allocated by a statement before this one. A
/// global one was, unless this is the initial procedure.
bool hasMemory(Verifying &state, const Variable &v, SourceRange range);

/// \p a is not contracted, or the M-loop at hand is the only one that names it
/// so far. Takes that M-loop down as its home.
bool isAtHome(Verifying &state, const Array &a, SourceRange range);

/// \p thing is not null, and declared in the module or in this procedure; a
/// variable has its memory, and a contracted array is at home.
template <typename T>
bool visible(Verifying &state, const T *thing, SourceRange range) {
  if (!thing)
    return fail(state, range, "an operand is missing");
  if (!state.globals.contains(thing) && !state.locals.contains(thing))
    return fail(state, range, printedName(*thing) + " is not declared here");
  if constexpr (std::is_same_v<std::remove_const_t<T>, Variable>)
    return hasMemory(state, *thing, range);
  if constexpr (std::is_same_v<std::remove_const_t<T>, Array>)
    return isAtHome(state, *thing, range);
  return true;
}

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_DECLARATIONS_H
