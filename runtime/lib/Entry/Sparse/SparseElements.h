//===- SparseElements.h - Sparse arrays that are remapped -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_SPARSE_SPARSEELEMENTS_H
#define ZRT_ENTRY_SPARSE_SPARSEELEMENTS_H

#include "Remap/Owners.h"
#include "Sparse/IndexOwners.h"
#include "Sparse/Pattern.h"

namespace zrt {

/// Finds elements of the arrays over one sparse region.
class SparseElements final : public ElementSearch {
public:
  /// The region need not have been set: then no element is found. Collective.
  explicit SparseElements(const zrt_region &region);

  FoundElements find(const RemapDomain &domain) const override;

private:
  struct Questions;
  void findHere(const RemapDomain &domain, FoundElements &found,
                std::vector<Questions> &questions) const;
  void ask(const RemapDomain &domain, FoundElements &found,
           std::vector<Questions> questions) const;

  IndexOwners owners;
  PatternPtr pattern; ///< null: none
};

} // namespace zrt

#endif // ZRT_ENTRY_SPARSE_SPARSEELEMENTS_H
