//===- Distributions.h - Grids, distributions, domains ----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Checks their declarations, what is bound to them, and assignments to
/// variables of their types. Each reports what is wrong; a wrong declaration
/// declares something that silences its uses.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_DISTRIBUTIONS_DISTRIBUTIONS_H
#define ZPL_LIB_SEMA_DISTRIBUTIONS_DISTRIBUTIONS_H

#include "Check/Checking.h"

namespace zpl::sema {

/// Makes the default domains of all ranks; once, before anything is checked.
void makeDefaultDomains(Program &program);

/// `grid G = [4, ];`
void checkGridDecl(Checking &c, const ast::GridDecl &d);

/// `distribution D: G = [block, cut(c)];`
void checkDistributionDecl(Checking &c, const ast::DistributionDecl &d);

/// `domain Big: D = R, BigR;`: binds the regions.
void checkDomainDecl(Checking &c, const ast::DomainDecl &d);

/// `var D: distribution = Cyc;`, `var G: grid = Tall;`. False, with nothing
/// done, if \p d is of another type.
bool checkDistributionVariable(Checking &c, const ast::VariableDecl &d);

/// The domain of `region R: NAME = ...`, made if there is none yet; null after a
/// report. Comes before the declaration of R.
const Domain *domainNamed(Checking &c, const ast::Name &name);

/// Binds what \p name has just been declared as to \p domain, which stands at
/// \p range.
void bindDeclared(Checking &c, const ast::Name &name, const Domain &domain,
                  SourceRange range);

/// `[D] region<..>` as the type of a variable: its D; null: it is none.
const ast::NameRef *bindingOf(const Checking &c, const ast::TypeExpr &type);

/// Reports `[place.d] region<..>`, whose place has a value; false: it is another
/// type.
bool reportBoundToValue(Checking &c, const ast::TypeExpr &type);

/// `D <=# Cyc`, `G := Wide`. Null, with nothing done, if the target is nothing
/// of the kind; an empty statement after a report.
Stmt *checkRedistribution(Checking &c, const ast::AssignStmt &s);

/// `balance(D, W)`, with two arguments; empty after a report: D is no variable
/// of type distribution, or W no array of numbers of its rank.
Stmt *balanceStmt(Checking &c, const ast::Call &e);

/// `GRIDPROCS(G, d)`, or `GRIDPROC(G, d)` (\p isOwn).
const Expr *checkGridPlace(Checking &c, const ast::Call &e, bool isOwn);

//===----------------------------------------------------------------------===//
// As arguments
//===----------------------------------------------------------------------===//

/// Whether a symbol, a formal perhaps, is a grid or a distribution.
bool isGridOrDistribution(const Symbol &symbol);

/// The formal of type `grid` or `distribution`, which is another name of its
/// argument in an instance of a pattern. Null: it is none.
Symbol *checkDistributingFormal(Checking &c, const ast::Formal &f);

/// The grid or distribution that \p e names; null: it names none.
Symbol *distributingNamed(const Checking &c, const ast::Expr &e);

/// Whether \p formal may stand for \p actual.
bool mayStandFor(const Checking &c, const Symbol &formal, const Symbol &actual);

/// Whether \p formal may be the value of a field or an element, or that place
/// if it is by reference.
bool mayTakeValue(const Checking &c, const Symbol &formal, const Expr &value);

/// As mayStandFor; reports. \p actual may be null: what stands at \p range is no grid
/// and no distribution.
bool checkStandsFor(Checking &c, const Symbol &formal, const Symbol *actual,
                    SourceRange range);

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_DISTRIBUTIONS_DISTRIBUTIONS_H
