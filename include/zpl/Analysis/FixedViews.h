//===- FixedViews.h - Views of one member throughout ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_ANALYSIS_FIXEDVIEWS_H
#define ZPL_ANALYSIS_FIXEDVIEWS_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include <map>
#include <utility>
#include <vector>

namespace zpl::air {

/// Which views of fixed members (Array::member) name the same array.
class FixedViews {
public:
  /// Adds a view; any other array is left out.
  void add(Array &view) {
    if (!view.family || view.member.empty())
      return;
    Member member{view.family, {view.member.begin(), view.member.end()}};
    views[&view] = first.try_emplace(member, &view).first->second;
  }

  /// The first view that was added of the member that \p view is one of; null
  /// if it was not added.
  Array *firstOf(const Array *view) const { return views.lookup(view); }

private:
  using Member = std::pair<const Variable *, std::vector<int64_t>>;
  std::map<Member, Array *> first;
  llvm::DenseMap<const Array *, Array *> views;
};

} // namespace zpl::air

#endif // ZPL_ANALYSIS_FIXEDVIEWS_H
