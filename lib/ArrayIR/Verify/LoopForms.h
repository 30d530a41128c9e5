//===- LoopForms.h - Rules of forms of loops --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of what has a file of its own in ArrayIR, with its text: lets,
/// rows that are worked on together, wavefronts and interleaved loops.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFY_LOOPFORMS_H
#define ZPL_LIB_ARRAYIR_VERIFY_LOOPFORMS_H

#include "Verify/Verifying.h"

namespace zpl::air {

/// Each let's variable is made once, read after it in its part, under the same
/// guard, and nowhere else in the loop; each carry is what it says (Lets.cpp).
bool verifyLets(Verifying &state, const MLoopStmt &s);

/// What the rows of a loop that are worked on together need: no dependence from
/// one row to the next at the same step (SkewedRows.cpp).
bool verifySkewedRows(Verifying &state, const MLoopStmt &s);

/// What they need to be lanes (LaneRows.cpp).
bool verifyLaneRows(Verifying &state, const MLoopStmt &s);

/// Each iteration of a loop with time steps is far enough behind the one before
/// it (TimeSteps.cpp).
bool verifyTimeSteps(Verifying &state, const MLoopStmt &s);

/// An M-loop takes its indices in the order of its carries (Carries.h).
bool verifyCarriesOf(Verifying &state, const MLoopStmt &s);

/// The declaration of carries.
bool verifyCarriesDeclaration(Verifying &state, const Array &a);

/// The order of a wavefront names each dimension once, and its statements read
/// primed arrays only where that order has been already (Waves.cpp).
bool verifyWave(Verifying &state, const WaveStmt &s);

/// The loops of an interleave are independent where it lets them alternate
/// (Interleave.cpp).
bool verifyInterleave(Verifying &state, const InterleaveStmt &s);

/// How many time steps there are and are taken, and their clock
/// (TimeSteps.cpp).
bool verifyCounts(Verifying &state, const TimeSteps &time, SourceRange range);

/// The loops of strips stay as far behind each other as they must (Strips.cpp).
bool verifyStrips(Verifying &state, const StripsStmt &s);

/// Grids, distributions and domains are declared before their users, with names
/// of their own, added to \p names, and ranks that agree (Distributions.cpp).
bool verifyDistributions(Verifying &state, llvm::StringSet<> &names);

/// \p domain is the default one, null, or one of the module of that rank.
bool verifyDomain(Verifying &state, const Domain *domain, unsigned rank,
                  SourceRange range);

/// \p a is in the domain of \p r; so is all that is contracted.
bool sameDomain(Verifying &state, const Array *a, const Region *r,
                SourceRange range);

/// One number per dimension, or a grid of equal rank for a variable one.
bool verifySetGrid(Verifying &state, const SetGridStmt &s);

/// One rule per dimension, with operands of its kind, or a distribution of
/// equal rank for a variable one.
bool verifySetDistribution(Verifying &state, const SetDistributionStmt &s);

/// Two arrays of one rank and element type, the target over the region.
bool verifyMove(Verifying &state, const MoveStmt &s);

/// What gives a sparse region its pattern, and a dense one none (Sparse.cpp).
bool verifySparseValue(Verifying &state, const SetRegionStmt &s);

/// A sparse region, another one of its rank and Bools over that.
bool verifyPattern(Verifying &state, const PatternStmt &s);

/// A sparse region and a place for an I64.
bool verifyKeepPattern(Verifying &state, const KeepPatternStmt &s);

/// A sparse region, an index of it, and a variable for the answer.
bool verifyAskPattern(Verifying &state, const AskPatternStmt &s);

/// A sparse region.
bool verifyModify(Verifying &state, const ModifyStmt &s);

/// One integer per dimension of a sparse region.
bool verifyAddIndex(Verifying &state, const AddIndexStmt &s);

/// A sparse array and a variable of its element type.
bool verifyIrv(Verifying &state, const IrvStmt &s);

/// Arguments for parameters whose pattern is known have that (Sparse.cpp).
bool verifyPatterns(Verifying &state, const CallExpr &e);

/// A sparse source and another array, which is stored over the region.
bool verifyFetch(Verifying &state, const FetchStmt &s);

/// A sparse target and another array, which is stored over the region.
bool verifyStore(Verifying &state, const StoreStmt &s);

/// In Loop form: \p a is dense, or sparse, declared over \p r and not shifted.
bool verifyConforms(Verifying &state, const Array &a, const Region &r,
                    bool isShifted, SourceRange range);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFY_LOOPFORMS_H
