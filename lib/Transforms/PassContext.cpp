//===- PassContext.cpp - Remarks and counters -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A remark goes out at once, under the name of the pass that runs:
//
//     jacobi.z:35:14: remark: A@[0,1] is there since line 32 [remove-...]
//
// and is counted, so that `applied` and `missed` of each pass are numbers that
// a test or a report can read.
//
//===----------------------------------------------------------------------===//

#include "zpl/Transforms/PassContext.h"

using namespace llvm;

namespace zpl::air {

void PassContext::remark(Remark::Kind kind, SourceRange range,
                         const Twine &text) {
  count(kind == Remark::Applied ? "applied" : "missed");
  if (onRemark)
    onRemark({kind, pass.str(), range, text.str()});
}

void PassContext::applied(SourceRange range, const Twine &text) {
  remark(Remark::Applied, range, text);
}

void PassContext::missed(SourceRange range, const Twine &text) {
  remark(Remark::Missed, range, text);
}

void PassContext::count(StringRef what, uint64_t n) {
  counts[(pass + "." + what).str()] += n;
}

std::string PassContext::measured(llvm::ArrayRef<llvm::StringRef> names) const {
  std::string text;
  for (llvm::StringRef name : names)
    if (auto found = alternatives.find(name.str()); found != alternatives.end())
      text += (text.empty() ? " (" : "; ") + name.str() + " " + found->second;
  return text.empty() ? "" : text + ")";
}

std::string PassContext::atLine(SourceRange range) const {
  if (!sources || !range.isValid())
    return "";
  return " (line " + std::to_string(sources->lineColumn(range).line) + ")";
}

} // namespace zpl::air
