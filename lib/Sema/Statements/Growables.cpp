//===- Growables.cpp - Variables that resize ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var list: array [] of integer = {2, 3};  -- list: array [1..list.1]
//                                              -- resize list to 2
//                                              -- list[1] := 2; list[2] := 3
//         grid: array [ , ] of double;         -- [1..grid.1, 1..grid.2]
//     ...
//     resize(list, 2 * size(list));
//
// list.1, grid.1 and grid.2 are hidden variables with the storage of the array
// that they belong to; only ResizeStmts set them. So each growable variable has
// a type of its own, and what reads bounds reads variables, as with any size
// that is known at run time only.
//
//===----------------------------------------------------------------------===//

#include "Statements/Growables.h"
#include "Check/Calls.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Functions.h"
#include "Program/Statics.h"
#include "Statements/Declarations.h"
#include "Statements/Initializers.h"
#include "Statements/Statements.h"
#include "Types/TypeExprs.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

const ast::IndexedArrayType *growableSyntax(const ast::TypeExpr &type) {
  auto *array = llvm::dyn_cast<ast::IndexedArrayType>(&type);
  auto isBlank = [](const ast::IndexedArrayType::Bound &b) { return !b.hi; };
  return array && llvm::all_of(array->bounds, isBlank) ? array : nullptr;
}

/// Whether \p d may have a growable type, which its initializer, if any, fits.
static bool checkGrowable(Checking &c, const ast::VariableDecl &d,
                          const ast::IndexedArrayType &type) {
  if (d.flavor != ast::VariableDecl::Var) {
    c.diags
        .report(d.type->range, Diag::GrowableConstant,
                d.flavor == ast::VariableDecl::Config ? "a config variable"
                                                      : "a constant")
        .done();
    return false;
  }
  if (!d.init || (llvm::isa<ast::InitList>(d.init) && type.bounds.size() == 1))
    return true;
  c.diags.report(d.init->range, Diag::GrowableInitializer).done();
  return false;
}

/// A variable called \p name of \p element, empty.
static Variable *makeGrowable(Checking &c, const ast::VariableDecl &d,
                              const ast::Name &name, Type element,
                              size_t rank) {
  auto make = [&](llvm::StringRef called) {
    auto *variable = c.program.make<Variable>(called, name.range);
    variable->storage = storageOf(c, d);
    variable->isFree = d.isFree || (inFreeProcedure(c) && !d.isStatic);
    return variable;
  };
  llvm::SmallVector<Variable *, 2> highs;
  for (size_t dim = 0; dim != rank; ++dim) {
    highs.push_back(make(llvm::formatv("{0}.{1}", name.text, dim + 1).str()));
    highs.back()->type = Type::Longint;
    highs.back()->isHidden = true;
    (c.current ? c.current->locals : c.program.globals).push_back(highs.back());
  }
  Variable *variable = make(name.text);
  variable->type = c.types.growable(element, highs);
  return variable;
}

/// Makes room for the values of \p list and puts them there.
static void fill(Checking &c, Variable &variable, const ast::InitList &list) {
  std::unique_ptr<Initializer> init =
      checkInitializer(c, list, variable.type, 0, variable.isFree);
  if (!init)
    return;
  auto *place = c.program.make<VariableExpr>(&variable, list.range);
  auto *resize = c.program.make<ResizeStmt>(place, list.range);
  resize->lengths.push_back(
      c.build.integer(list.items.size(), Type::Longint, list.range));
  variable.setup.push_back(resize);
  setUpAlone(c, place, *init, variable.storage, variable.setup);
}

void growableVariables(Checking &c, const ast::VariableDecl &d,
                       const ast::IndexedArrayType &type) {
  Type element;
  {
    llvm::SaveAndRestore atEntry(c.writtenType.atEntry,
                                 storageOf(c, d) == Storage::Local);
    element = indexedElementType(c, type);
  }
  if (d.isStatic &&
      reportEntryBounds(c, element, d.type->range, "a static variable"))
    element = Type::Error;
  bool isFine = checkGrowable(c, d, type) && element != Type::Error;
  for (const ast::DefinedName &name : d.names) {
    if (!isFine) {
      declareDummy(c, name);
      continue;
    }
    Variable *variable = makeGrowable(c, d, name, element, type.bounds.size());
    if (auto *list = llvm::dyn_cast_or_null<ast::InitList>(d.init))
      fill(c, *variable, *list);
    if (d.isStatic)
      checkStatic(c, variable->init, variable->setup);
    addSymbol(c, variable);
  }
}

/// Reports what cannot be resized, and why if it is a variable.
static void reportNotGrowable(Checking &c, const ast::Expr &arg,
                              const Expr *place) {
  auto *variable = llvm::dyn_cast<VariableExpr>(rootOf(place));
  auto report =
      c.diags.report(arg.range, Diag::NotGrowable,
                     c.diags.sources().text(arg.range), text(place->type));
  if (variable && !variable->variable->isHidden)
    report.note(variable->variable->range, Diag::DeclaredHere,
                variable->variable->name);
}

Stmt *resizeStmt(Checking &c, const ast::Call &e) {
  const Expr *place = checkPlace(c, *e.args[0]);
  if (isError(place))
    return emptyStmt(c, e.range);
  auto *target = llvm::dyn_cast<VariableExpr>(place);
  if (!target || !isGrowable(target->type)) {
    reportNotGrowable(c, *e.args[0], place);
    return emptyStmt(c, e.range);
  }
  size_t rank = target->type.info()->lo.size();
  if (!countArguments(c, e, rank + 1, rank + 1) ||
      !checkWritable(c, *target->variable, e.args[0]->range, false))
    return emptyStmt(c, e.range);
  auto *stmt = c.program.make<ResizeStmt>(target, e.range);
  for (const ast::Expr *arg : llvm::drop_begin(e.args)) {
    const Expr *length = checkScalar(c, *arg, "length of an indexed array");
    if (isError(length))
      return emptyStmt(c, e.range);
    if (!isIntegral(length->type)) {
      c.diags
          .report(arg->range, Diag::IndexType, "length of an indexed array",
                  text(length->type))
          .done();
      return emptyStmt(c, e.range);
    }
    stmt->lengths.push_back(c.build.cast(length, Type::Longint));
  }
  return stmt;
}

} // namespace zpl::sema
