//===- LegalityTable.cpp - What is legal by kind of dimension -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Language appendix B: one row per operation and pair of kinds, searched from
// the start. Ranges and strided dimensions are one kind here.
//
//     Write, a range, flooded     Never: "the one value for all indices ..."
//
// Cost: a walk over some hundred rows per dimension of a reference.
//
//===----------------------------------------------------------------------===//

#include "Program/LegalityTable.h"
#include "Types/Types.h"

#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

static constexpr Cell cells[] = {
#define LEGALITY(operation, first, second, rule, text)                         \
  {Operation::operation, DimKind::first, DimKind::second, Rule::rule, text},
#include "zpl/Sema/Legality.def"
};

const Cell &lookUp(Operation operation, DimKind first, DimKind second) {
  auto known = [](DimKind kind) {
    return isRange(kind) ? DimKind::Range : kind;
  };
  for (const Cell &cell : cells)
    if (cell.operation == operation && cell.first == known(first) &&
        cell.second == known(second))
      return cell;
  llvm_unreachable("a combination that the table does not have");
}

llvm::StringRef text(DimKind kind) {
  return kind == DimKind::Strided ? "strided" : nameOf(kind);
}

llvm::StringRef verb(Operation operation) {
  switch (operation) {
  case Operation::Write:
  case Operation::WriteAt:
    return "writes";
  case Operation::Read:
  case Operation::ReadAt:
    return "reads";
  case Operation::Flood:
    return "floods";
  case Operation::Reduce:
    return "reduces";
  case Operation::Remap:
    return "selects";
  }
  llvm_unreachable("operation");
}

} // namespace zpl::sema
