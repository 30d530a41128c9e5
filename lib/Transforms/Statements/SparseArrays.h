//===- SparseArrays.h - Sparse arrays and other patterns --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_TRANSFORMS_STATEMENTS_SPARSEARRAYS_H
#define ZPL_LIB_TRANSFORMS_STATEMENTS_SPARSEARRAYS_H

#include "zpl/ArrayIR/Names.h"
#include "zpl/Transforms/PassContext.h"

namespace zpl::air {

/// Lets statements name sparse arrays only where the elements lie as the
/// statement goes through its region.
///
///     [@R] @E = add(@A@(-1,0), @A)   =>   fetch %f = @A by (-1, 0) over @R
///                                         fetch %f.1 = @A over @R
///                                         [@R] @E = add(%f, %f.1)
///     [@R] @A = f64 1                =>   [@R] %t = f64 1
///                                         store @A = %t over @R
///
/// Form: Block -> Block.
/// Needs: sparse arrays as ArrayGen names them, anywhere.
/// Gives: in element code and operators of the runtime only arrays that conform
/// to the region, at offset 0 if they are sparse; operators that know no
/// patterns over dense regions and arrays.
void separatePatterns(Module &module, PassContext &context);

/// Makes waves over sparse regions go through the stored indices, on arrays that
/// conform, and gives others dense copies of the sparse arrays that they store or
/// prime. For separatePatterns.
void fillWaves(Module &module, Procedure &procedure, PassContext &context);

/// Says of sparse parameters which region has their pattern in every call:
/// Array::pattern. For separatePatterns.
void findPatterns(Module &module);

/// A new array of \p procedure over a region, as sparse as that. Allocating and
/// freeing it is the caller's.
Array *newArrayOver(Module &module, Procedure &procedure, NameAllocator &names,
                    llvm::StringRef name, Type element, Region &over,
                    SourceRange range);

/// A new dense region of \p procedure in the domain of \p like.
Region *newRegionLike(Module &module, Procedure &procedure,
                      NameAllocator &names, llvm::StringRef name,
                      const Region &like, Shape shape, SourceRange range);

} // namespace zpl::air

#endif // ZPL_LIB_TRANSFORMS_STATEMENTS_SPARSEARRAYS_H
