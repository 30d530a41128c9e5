//===- Unused.cpp - Names that nobody uses --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var a, b: double;          -- b is unused
//     procedure helper(); ...    -- unused: nobody calls it
//
// A name counts as used when it is looked up anywhere, as in C: also by an
// assignment. Parameters, fields and config variables are not reported, for
// they belong to an interface; neither is what an included file declares, for
// other programs share it.
//
//===----------------------------------------------------------------------===//

#include "Program/Unused.h"
#include "Check/Checking.h"
#include "llvm/Support/ErrorHandling.h"

namespace zpl::sema {

/// The warning of one declaration, unless such are never told.
static void reportUnused(Checking &c, const Symbol &symbol) {
  switch (symbol.kind) {
  case SymbolKind::Variable:
    if (auto &variable = llvm::cast<Variable>(symbol);
        variable.isConfig || variable.type == Type::Error)
      return;
    [[fallthrough]];
  case SymbolKind::Array:
    return c.diags
        .report(symbol.range, Diag::UnusedVariable, describe(symbol),
                symbol.name)
        .done();
  case SymbolKind::Region:
  case SymbolKind::Direction:
  case SymbolKind::Grid:
  case SymbolKind::Distribution:
    return c.diags
        .report(symbol.range, Diag::UnusedRegion, describe(symbol), symbol.name)
        .done();
  case SymbolKind::Procedure:
    return c.diags.report(symbol.range, Diag::UnusedProcedure, symbol.name)
        .done();
  case SymbolKind::Domain: // binds without its name
    return;
  case SymbolKind::Type:
    return c.diags.report(symbol.range, Diag::UnusedType, symbol.name).done();
  }
  llvm_unreachable("symbol");
}

void reportUnused(Checking &c) {
  for (const Symbol *symbol : c.declarations)
    if (!c.names.isUsed(*symbol) && symbol->range.file == c.mainFile)
      reportUnused(c, *symbol);
}

} // namespace zpl::sema
