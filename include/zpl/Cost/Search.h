//===- Search.h - Roots and minima over integers ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What parameters are found by: tile sizes, widths of pipelines, rows of
/// processors at a boundary. The function is a model or made of several, with
/// the parameter as one of the inputs. Search over the number of pieces rather
/// than their size where sizes are rounded: cost as a function of
/// ceil(width / bits) passes has one minimum, as one of bits it has several.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_COST_SEARCH_H
#define ZPL_COST_SEARCH_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include <cstdint>

namespace zpl {

using IntegerFunction = llvm::function_ref<double(int64_t)>;

/// Where \p f changes its sign in bottom..top: the last integer before it does,
/// or one where f is zero; any of several such places. bottom-1 if f is negative
/// everywhere, top+1 if it is positive everywhere: for a cost that is saved
/// minus one that grows, "never worth it" and "always". Requires
/// bottom <= top, and at bottom and top a number. About log2(top - bottom) + 2
/// evaluations.
int64_t integerRoot(int64_t bottom, int64_t top, IntegerFunction f);

/// Where \p f is least in bottom..top, the smallest one of several; end points
/// included. Infinite and undefined values are never least. Exact for up to 65
/// integers, and for any number if f has one minimum; of several, one that is
/// least among 65 samples and their neighbours. At most 65 evaluations for each
/// factor of 32 in the length. Requires bottom <= top.
int64_t integerMinimum(int64_t bottom, int64_t top, IntegerFunction f);

} // namespace zpl

#endif // ZPL_COST_SEARCH_H
