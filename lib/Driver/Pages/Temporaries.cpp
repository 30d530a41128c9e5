//===- Temporaries.cpp - What statements keep -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     A := A@^e + A@^w;     A shifted by (0, 1), a view, or a copy where ...
//     B := +|| A;           what scans carry: a value for each line
//     C := f(A) + B;        a temporary array over R
//
// Arrays without a name in the source are the compiler's. What makes them says
// what they are; contracted ones are told by contract-arrays, and those that
// nothing makes are gone. Linear in the module.
//
//===----------------------------------------------------------------------===//

#include "Pages/ReportFacts.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::driver {

static std::string nameOf(const air::Array &array) {
  return array.text.empty() ? "a temporary" : array.text;
}

/// What an array that has memory of its own is for.
static std::string allocatedText(const air::Array &array) {
  if (array.isCarries())
    return "a value for each line, which the scan carries from processor to "
           "processor";
  std::string text = "a temporary array";
  if (array.isContracted())
    return "some rows of a temporary array";
  if (array.declared && !array.declared->text.empty())
    text += " over " + array.declared->text;
  return text + ", with memory for each index";
}

static std::string shiftText(const air::ShiftStmt &shift, bool wraps) {
  return nameOf(*shift.source) + " shifted" +
         (wraps ? ", around the ends" : "") +
         ": a view of it, or a copy where that reaches beyond what is kept "
         "beside its block";
}

namespace {
struct TemporaryCollector {
  std::vector<Remark> &remarks;
  SmallPtrSet<const air::Array *, 16> told = {};

  void add(const air::Array &array, SourceRange range, std::string text) {
    if (array.text.empty() && array.storage == air::Storage::Local &&
        told.insert(&array).second)
      remarks.push_back(
          {Remark::Applied, "temporaries", range, std::move(text)});
  }
};
} // namespace

static void explain(TemporaryCollector &collector, const air::Stmt &stmt) {
  if (auto *alloc = dyn_cast<air::AllocArrayStmt>(&stmt)) {
    collector.add(*alloc->array, stmt.range, allocatedText(*alloc->array));
  } else if (auto *shift = dyn_cast<air::ShiftStmt>(&stmt)) {
    for (const air::ShiftView &view : shift->views)
      collector.add(*view.target, stmt.range, shiftText(*shift, view.wraps));
  } else if (auto *flood = dyn_cast<air::FloodStmt>(&stmt)) {
    collector.add(*flood->target, stmt.range,
                  "a flooded part of " + nameOf(*flood->source));
  }
}

void explainTemporaries(const air::Module &module,
                        std::vector<Remark> &remarks) {
  TemporaryCollector collector{remarks};
  for (const air::Procedure *procedure : module.procedures)
    air::forEachStmt(procedure->body,
                     [&](const air::Stmt &stmt) { explain(collector, stmt); });
}

} // namespace zpl::driver
