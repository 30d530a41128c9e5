//===- TransferEdits.cpp - Changing transfers -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A transfer is a declaration and four points:
//
//     transfer %t = {@A: (0,1) (0,-1)} over @R
//     dr %t   sr %t   dn %t   ...   sv %t
//
// Passes that make fewer or larger ones edit the declaration; one that is not
// needed any more disappears with its points.
//
//===----------------------------------------------------------------------===//

#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"

using namespace llvm;

namespace zpl::air {

void eraseTransfers(Procedure &procedure, const TransferSet &transfers) {
  if (transfers.empty())
    return;
  rewriteStmts(procedure.body, [&](Stmt *s, StmtList &result) {
    auto *point = dyn_cast<TransferPointStmt>(s);
    if (!point || !transfers.contains(point->transfer))
      result.push_back(s);
  });
  erase_if(procedure.transfers,
           [&](const Transfer *t) { return transfers.contains(t); });
}

template <typename T>
static T *passedAs(const T *thing, const CallExpr &call, T *Parameter::*formal,
                   T *Argument::*actual) {
  if (thing->storage == Storage::Global)
    return const_cast<T *>(thing);
  for (auto [param, arg] : zip(call.callee->params, call.args))
    if (param.*formal == thing)
      return arg.*actual;
  return nullptr;
}

Array *passedFor(const Array *array, const CallExpr &call) {
  return passedAs(array, call, &Parameter::array, &Argument::array);
}

Region *passedFor(const Region *region, const CallExpr &call) {
  return passedAs(region, call, &Parameter::region, &Argument::region);
}

Transfer inCaller(const Transfer &transfer, const CallExpr &call) {
  Transfer result;
  result.region = passedFor(transfer.region, call);
  for (const auto &[array, offset] : transfer.items)
    result.items.push_back({passedFor(array, call), offset});
  result.range = call.range;
  return result;
}

void mergeItems(Transfer &transfer) {
  decltype(transfer.items) merged;
  SmallPtrSet<const Array *, 8> done;
  for (const auto &first : transfer.items) {
    if (!done.insert(first.first).second)
      continue;
    for (const auto &item : transfer.items)
      if (item.first == first.first && !is_contained(merged, item))
        merged.push_back(item);
  }
  transfer.items = std::move(merged);
}

std::string sourceName(const Array &array) {
  return array.text.empty() ? "a temporary" : array.text;
}

std::string sourceName(const Region &region) {
  return region.text.empty() ? "its region" : region.text;
}

std::string sourceName(const Variable &variable) {
  return variable.text.empty() ? "a scalar" : ("'" + variable.text + "'");
}

std::string withPlace(StringRef why, const std::string &place) {
  auto [reason, instead] = why.split("; ");
  return reason.str() + place + (instead.empty() ? "" : "; " + instead.str());
}

std::string otherRegion(const Region &region) {
  return "another region" + (region.text.empty() ? "" : ", " + region.text);
}

std::string designator(const Array &array, const Offset &offset) {
  std::string components = printed(offset);
  components.front() = '[';
  components.back() = ']';
  return sourceName(array) + "@" + components;
}

} // namespace zpl::air
