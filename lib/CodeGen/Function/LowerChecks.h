//===- LowerChecks.h - Run-time checks --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Each check is a comparison and a branch to a block that ends the run with
/// the place in the source; afterwards the insertion point is in the block in
/// which the check has held. Unless it is said otherwise the caller has asked
/// whether the options want the check.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTION_LOWERCHECKS_H
#define ZPL_LIB_CODEGEN_FUNCTION_LOWERCHECKS_H

#include "Function/FunctionState.h"

namespace zpl::codegen {

/// Goes on where \p condition, an i1, is true. Where it is false
/// \p emitFailure, called with the insertion point there, emits a call that
/// does not return. Nothing is emitted for the constant true.
void failUnless(FunctionState &fn, llvm::Value *condition,
                llvm::function_ref<void()> emitFailure);

/// Whether the options say that subscripts are tested where they are evaluated,
/// here: in M-loops and what they call per index they are more seldom.
bool checksSubscripts(const FunctionState &fn);

/// Tests that \p subscript, an i64, lies within the bounds of dimension \p dim;
/// not if it was tested before the M-loop, or by a statement just before.
void checkSubscript(FunctionState &fn, const air::SubscriptExpr *expr,
                    unsigned dim, llvm::Value *subscript);

/// The call that reports a subscript, an i64, outside of its bounds.
void failSubscript(FunctionState &fn, const air::SubscriptExpr *expr,
                   unsigned dim, llvm::Value *subscript);

/// Tests that the divisor of an integer division or remainder is not 0; nothing
/// for other operators and types.
void checkDivisor(FunctionState &fn, const air::BinaryExpr *expr,
                  llvm::Value *divisor);

/// Tests that the result fits i32 or i64; nothing for other types, and
/// operators that do not wrap around. Sums, differences and products have an
/// intrinsic that tells; of quotients only that of the least value by -1 does
/// not fit; powers ask the runtime.
void checkOverflow(FunctionState &fn, const air::BinaryExpr *expr,
                   llvm::Value *left, llvm::Value *right);

/// Tests that \p operand, an i32 or i64, is not the least value if it is
/// negated; nothing for other operators and types.
void checkNegation(FunctionState &fn, const air::UnaryExpr *expr,
                   llvm::Value *operand);

/// Tests that a floating-point value, cut off toward zero, fits the integer
/// type it is converted to; nothing for other conversions. Both limits are
/// powers of two or next to one; below, -2^k - 1 is taken if the floating type
/// has it, otherwise -2^k itself is the least value that fits.
void checkConversion(FunctionState &fn, const air::CastExpr *expr,
                     llvm::Value *operand);

/// Tests that an enumeration that is written lies between its least and its
/// greatest value; a `for` may have left its variable one step beyond.
void checkEnumerator(FunctionState &fn, air::Type type, llvm::Value *value,
                     SourceRange range);

/// `check-shape`: the extents of two blank references are equal. Always made.
void lowerCheckShape(FunctionState &fn, const air::CheckShapeStmt *stmt);

/// `check-that`: a condition of the program; the message shows up to two
/// values. Always made.
void lowerCheckThat(FunctionState &fn, const air::CheckThatStmt *stmt);

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTION_LOWERCHECKS_H
