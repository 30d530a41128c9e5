//===- CheckerState.h - What the Checker knows so far -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_CHECKERSTATE_H
#define ZPL_LIB_SEMA_CHECK_CHECKERSTATE_H

#include "Check/LikelyMistakes.h"
#include "Names/Externs.h"
#include "Names/Names.h"
#include "Tree/Builder.h"
#include "Types/TypeTable.h"
#include "zpl/Sema/Sema.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <map>

namespace zpl::sema {

/// One component per dimension, of type integer or longint.
using DirectionExprs = llvm::SmallVector<const Expr *, 6>;

/// What the Checker has of the module, and what it is in the middle of.
struct CheckerState {
  CheckerState(Program &program, DiagnosticEngine &diags,
               const Options &options)
      : program(program), diags(diags), options(options), build(program),
        names(diags), types(program), quotients(diags) {}

  struct Blanks;
  struct VisibleScope;

  Program &program;
  DiagnosticEngine &diags;
  const Options &options;
  Builder build;
  Names names;

  TypeTable types;
  LossyQuotients quotients;
  Procedure *entry = nullptr;
  uint32_t mainFile = SourceRange::NoFile;
  std::vector<const Symbol *> declarations; ///< in order, locals as well
  Externs externs;
  llvm::DenseSet<size_t> usedDefaults; ///< indices of Options::defaults

  // The type or signature at hand.
  llvm::StringRef declaringType;
  std::optional<Type> generic; ///< what `generic` stands for; none: nothing
  const ast::Expr *untypedInit = nullptr; ///< of the variable that is declared
  /// Where the parameters for blank bounds go; null: they may not occur.
  llvm::SmallVector<Variable *, 4> *hiddenParams = nullptr;

  // Generic procedures.
  struct PendingInstance {
    Procedure *procedure, *pattern;
    llvm::SmallVector<Type, 4> generics; ///< per formal
  };
  using InstanceKey = std::pair<const Procedure *,
                                std::vector<std::pair<int, const TypeInfo *>>>;
  llvm::DenseMap<const Procedure *, const ast::ProcedureDecl *> patterns;
  std::map<InstanceKey, Procedure *> instances;
  std::vector<PendingInstance> pendingInstances;

  /// Where each procedure is called first.
  llvm::DenseMap<const Procedure *, SourceRange> firstCalls;

  // The procedure at hand.
  Procedure *current = nullptr; ///< null: a global declaration
  /// Blank dimensions and quotes have a covering region to inherit from.
  bool mayInherit = false;
  llvm::SmallVector<unsigned, 8> scopeRanks; ///< visible scopes, innermost last
  std::vector<VisibleScope *> visibleScopes; ///< those of statements alone
  unsigned statementRank = 0; ///< of the array that is assigned; 0: none
  unsigned loopDepth = 0;
  bool inScanBlock = false;
  std::vector<Procedure *> hiddenFunctions;          ///< see hiddenFunction
  std::vector<Procedure *> foldSteps;                ///< see foldStep
  llvm::DenseSet<const ast::Expr *> wrongPromotions; ///< reported initializers
  // The multi notation.
  const Expr *definedIndex = nullptr;        ///< `{}` in the definition at hand
  const Expr *multiParameter = nullptr;      ///< `{}` in the index at hand
  const RegionExpr *appliedRegion = nullptr; ///< what a direction is applied to
  const ArrayExpr *appliedArray = nullptr;
  /// What the statement at hand evaluates first; null: there is none, but a
  /// declaration, or the heading of a procedure. See FirstValues.h.
  StmtList *firsts = nullptr;
  /// Calls are among that, so the values of variables are too: a call that
  /// comes later may change them.
  bool variablesFirst = false;
  llvm::DenseSet<const Stmt *> firstStatements; ///< all that are in such lists
  struct Declaring {
    SourceRange range;
    Storage storage = Storage::Global;
  } declaring;              ///< the declaration at hand
  Blanks *blanks = nullptr; ///< of the statement at hand; null: may have none
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_CHECKERSTATE_H
