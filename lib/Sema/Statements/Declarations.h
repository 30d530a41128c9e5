//===- Declarations.h - Checks declarations ---------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Declarations but procedures and types: variables, arrays, regions,
/// directions. A name whose declaration is wrong becomes a dummy that silences
/// its uses.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_STATEMENTS_DECLARATIONS_H
#define ZPL_LIB_SEMA_STATEMENTS_DECLARATIONS_H

#include "Check/Checking.h"
#include "Statements/Initializers.h"

namespace zpl::sema {

/// Fills the program from \p module and reports what is wrong in it. Without
/// errors, returns the procedure that it starts with.
const Procedure *checkModule(Checking &c, const ast::Module &module);

/// Any declaration \p d, global or of the procedure at hand.
void checkDeclaration(Checking &c, const ast::Decl &d);

/// The type of the elements of the parallel array \p type. Error after a
/// report, also of timers, regions and directions.
Type elementType(Checking &c, const ast::ParallelType &type);

/// Declares `region name = value`; \p value is not null.
void declareRegion(Checking &c, const ast::Name &name, const RegionExpr *value);

/// Declares `direction name = [components]` of type \p type; components that
/// are literals become constants.
void declareDirection(Checking &c, const ast::Name &name,
                      const DirectionExprs &components, Type type);

/// Adds \p symbol to the names, and to the locals of the procedure at hand or
/// else the globals. Reports a second declaration.
void addSymbol(Checking &c, Symbol *symbol);

/// A symbol that silences uses of a name whose declaration is wrong.
void declareDummy(Checking &c, const ast::Name &name);

/// Reports that zplc has not got \p what ("a grid") yet.
void notSupported(Checking &c, SourceRange range, llvm::StringRef what);

/// Reports a constant or config variable that is declared without a value.
void checkHasValue(Checking &c, const ast::VariableDecl &d);

/// Where the variables of \p d are: global, or static or local in the procedure
/// at hand.
Storage storageOf(const Checking &c, const ast::VariableDecl &d);

/// Adds to \p to the statements that give \p place, a variable with storage
/// \p storage, its first value. The hidden variables that a static one needs
/// are global, as it outlives the procedure's calls.
void setUpAlone(Checking &c, const Expr *place, const Initializer &init,
                Storage storage, StmtList &to);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_STATEMENTS_DECLARATIONS_H
