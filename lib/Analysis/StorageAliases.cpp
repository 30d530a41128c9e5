//===- StorageAliases.cpp - Temporaries in the storage of others ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     shift {%T by (i64 0, i64 1), %U by (%d, i64 0)} = @A over @R
//     flood %F = %T from %S
//
// %T and %U borrow from @A, %F from %T and so from @A. %T reaches (0,1); how
// far %U does is not known.
//
// Cost: a visit of the procedure; a question follows the chain of aliases.
//
//===----------------------------------------------------------------------===//

#include "zpl/Analysis/StorageAliases.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

StorageAliases::StorageAliases(const Module &module, const Procedure &procedure)
    : module(module), mayAlias(procedure.mayAlias) {
  addMembers(procedure);
  forEachStmt(procedure.body, [&](const Stmt &stmt) {
    if (auto *shift = dyn_cast<ShiftStmt>(&stmt))
      for (const ShiftView &view : shift->views)
        addView(*shift, view);
    else if (auto *flood = dyn_cast<FloodStmt>(&stmt))
      addSource(flood->target, flood->source);
    else if (auto *window = dyn_cast<WindowStmt>(&stmt);
             window && window->lends())
      addSource(window->window, window->array);
    else if (auto *boxes = dyn_cast<BoxesStmt>(&stmt))
      addSource(boxes->window, boxes->array);
  });
}

/// Members may be one array if it is not known of some view which one it is.
void StorageAliases::addMembers(const Procedure &procedure) {
  DenseSet<const Variable *> unknown;
  for (const Array *array : procedure.arrays)
    if (array->family && array->member.empty())
      unknown.insert(array->family);
  for (Array *array : procedure.arrays)
    if (!unknown.contains(array->family))
      members.add(*array);
}

const void *StorageAliases::keyOf(const Array *array) const {
  if (const Array *member = members.firstOf(array))
    return member;
  return array->family ? static_cast<const void *>(array->family) : array;
}

void StorageAliases::addSource(const Array *view, const Array *source) {
  sources[view].insert(source);
  groups.unionSets(keyOf(view), keyOf(source));
}

const void *StorageAliases::groupOf(const Array *array) const {
  if (mayAlias)
    return nullptr;
  auto leader = groups.findLeader(keyOf(array));
  return leader == groups.member_end() ? keyOf(array) : *leader;
}

/// Makers with different directions, or ones that are not constant, leave it
/// unknown how far a view reaches.
void StorageAliases::addView(const ShiftStmt &shift, const ShiftView &view) {
  addSource(view.target, shift.source);
  Reach reach{shift.source, {}, view.wraps};
  for (const Expr *component : view.direction)
    if (auto *constant = dyn_cast<ConstExpr>(component))
      reach.offset.push_back(constant->integer);
  auto [known, isNew] = reaches.try_emplace(view.target, reach);
  bool isConstant = reach.offset.size() == view.direction.size();
  if (!isConstant || known->second.source != reach.source ||
      known->second.offset != reach.offset ||
      known->second.wraps != reach.wraps)
    known->second.source = nullptr;
}

const StorageAliases::Reach *StorageAliases::reachOf(const Array *view) const {
  auto it = reaches.find(view);
  return it != reaches.end() && it->second.source ? &it->second : nullptr;
}

bool StorageAliases::mayHold(const DenseSet<const Array *> &arrays,
                             const Array *other) const {
  return any_of(arrays, [&](const Array *array) {
    DenseSet<const Array *> seen;
    return mayLie(array, other, seen);
  });
}

/// Whether \p other may lie in \p array.
bool StorageAliases::mayLie(const Array *array, const Array *other,
                            DenseSet<const Array *> &seen) const {
  if (mayBeSame(module, *array, *other, mayAlias))
    return true;
  auto it = sources.find(other);
  if (it == sources.end() || !seen.insert(other).second)
    return false;
  return any_of(it->second, [&](const Array *source) {
    return mayLie(array, source, seen);
  });
}

} // namespace zpl::air
