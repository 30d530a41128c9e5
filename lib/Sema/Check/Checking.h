//===- Checking.h - What is known of a module so far ------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The first part of Sema: resolves names, gives types and ranks, and makes
/// the nodes of the program, in one pass in the order of the source. What needs
/// the whole program (scalar and parallel procedures, covering regions,
/// legality) comes after it and works on the program alone.
///
/// This is what it knows so far; the headers in Check/, Statements/, Arrays/,
/// Names/ and Types/ say what is done with it. Functions that check an
/// expression never return null: after a report they return a dummy of type
/// Error, which silences whoever uses it. Functions that check a region or a
/// direction return null or none then.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_CHECKING_H
#define ZPL_LIB_SEMA_CHECK_CHECKING_H

#include "Check/LikelyMistakes.h"
#include "Names/Externs.h"
#include "Names/Names.h"
#include "Tree/Builder.h"
#include "Types/TypeTable.h"
#include "zpl/Sema/Sema.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>

namespace zpl::sema {

/// One component per dimension, of type integer or longint.
using DirectionExprs = llvm::SmallVector<const Expr *, 6>;

struct Blanks;
struct Predeclared;
struct VisibleScope;

/// What stands where a parameter takes a procedure.
struct ProcedureName {
  llvm::StringRef text; ///< as written
  SourceRange range;
  llvm::SmallVector<Procedure *, 2> procedures; ///< what it may mean
  const Predeclared *standard = nullptr;        ///< the same, if there are none
};

/// What an instance of a pattern has for a formal.
struct FormalBinding {
  Type generic = Type::Void;    ///< of a `generic` formal; Void: it is none
  Procedure *heading = nullptr; ///< of a procedure formal; null: it is none
  Procedure *actual = nullptr;  ///< with `heading`: what it stands for
  /// Of a formal that is a grid or distribution: that, and the program's one
  /// that it stands for; null: it is none.
  const Symbol *formal = nullptr;
  Symbol *place = nullptr;
};
using FormalBindings = llvm::SmallVector<FormalBinding, 4>;

/// A procedure made of a pattern, or of a standard function that is an
/// argument. Its body is to be checked.
struct PendingInstance {
  Procedure *procedure, *pattern; ///< of `standard` the heading wanted
  FormalBindings formals;
  const Predeclared *standard = nullptr;
};

/// A pattern, and what its formals are bound to.
using InstanceKey =
    std::pair<const Procedure *,
              std::vector<std::tuple<int, const TypeInfo *, const Symbol *>>>;

/// A standard function, and the types of the procedure that calls it.
using StandardKey = std::pair<const Predeclared *,
                              std::vector<std::pair<int, const TypeInfo *>>>;

/// Procedures with formals that are `generic`, procedures, grids or
/// distributions (Statements/Patterns.h).
struct Patterns {
  /// What is no procedure of the program: where it is declared.
  llvm::DenseMap<const Procedure *, const ast::ProcedureDecl *> declared;
  std::vector<Procedure *> inOrder;
  std::map<InstanceKey, Procedure *> instances; ///< those asked for by calls
  std::map<StandardKey, Procedure *> standard;
  std::vector<PendingInstance> pending; ///< in the order of the calls
  /// In the instance at hand: its formals that are procedures, by name.
  llvm::StringMap<FormalBinding> bound;
  /// Its formals that are grids or distributions by value, by name.
  llvm::StringSet<> fixed;
  /// Of all patterns the formals that are grids or distributions by reference.
  llvm::DenseSet<const Symbol *> assignable;

  bool contains(const Procedure *p) const { return declared.contains(p); }
};

/// What a parameter gets where a call has no argument for it.
struct DefaultValue {
  const Expr *value = nullptr; ///< of the parameter's type, unless generic
  std::optional<ProcedureName> procedure; ///< value is null
};

/// Procedures that stand for parts of expressions, each made once.
struct MadeProcedures {
  std::vector<Procedure *> functions; ///< of complex values, and `inside`
  std::vector<Procedure *> foldSteps; ///< calls of users' operators
  std::vector<Procedure *> checkpoints, restarts; ///< one for each call
};

/// The type that is being read from the source (Types/TypeExprs.h).
struct WrittenType {
  llvm::StringRef name;            ///< that it is declared to have; empty: none
  std::optional<Type> generic;     ///< what `generic` stands for; none: nothing
  const ast::Expr *init = nullptr; ///< what an untyped one takes its type from
  /// Bounds may be computed where the procedure comes to the declaration.
  bool atEntry = false;
};

/// What `{}` stands for in the multi notation (Arrays/Multi.h); null: nothing.
struct MultiNotation {
  const Expr *definedIndex = nullptr; ///< in the definition at hand
  const Expr *parameter = nullptr;    ///< in the index at hand
  /// What covers the mask, the condition of a pattern, or the operand of a
  /// source at hand; null: what covers the statement.
  const RegionExpr *covering = nullptr;
  const RegionExpr *region = nullptr; ///< what a direction is applied to
  const ArrayExpr *array = nullptr;   ///< the same
};

/// What the code at hand evaluates first (Check/FirstValues.h).
struct FirstValues {
  /// Where that goes; null: there is no statement at hand, but a declaration
  /// or the heading of a procedure.
  StmtList *list = nullptr;
  /// Calls are among that, so the values of variables are too: a call that
  /// comes later may change them.
  bool haveVariables = false;
  llvm::DenseSet<const Stmt *> all; ///< the statements in all such lists
};

/// What stands around the statement at hand in its procedure, scopes aside.
struct Enclosing {
  unsigned loops = 0; ///< within the `modify`, if there is one
  bool isScanBlock = false;
  bool isInModify = false;
  unsigned outerLoops = 0;              ///< around the `modify`
  const RegionExpr *modified = nullptr; ///< null: none, or it is wrong
};

/// Sparse regions (Sparse/SparseRegions.h).
struct SparseState {
  /// Types of regions whose values are assigned to those of others.
  std::vector<std::pair<const TypeInfo *, const TypeInfo *>> flows;
  /// In the region at hand, whose bounds blank dimensions stand for; null: those
  /// of the covering region.
  const RegionExpr *blankOwner = nullptr;
  /// What the region at hand inherits is the bounds only.
  bool takesBounds = false;
};

/// Grids and distributions that are fields and elements
/// (Distributions/DistributionValues.h).
struct DistributionValues {
  /// A type of them, and what its values name: number k - 1 for the value k.
  struct Named {
    TypeInfo *type;
    std::vector<Symbol *> symbols;
    bool isTracked = false; ///< a variable was read
  };
  /// `D <=# place.d`: what the values that there are at the end go into.
  struct Choice {
    BlockStmt *block;
    Symbol *target;
    const Expr *value;
    bool preserves;
  };
  std::vector<Named> types;
  /// Of each variable what it is now, as a value.
  llvm::MapVector<Symbol *, Variable *> current;
  std::vector<Choice> choices;
  /// All that is given to variables by statements, each alone in its block.
  std::vector<std::pair<BlockStmt *, RedistributeStmt *>> given;
};

/// What has been dealt with, so that it is not reported.
struct Handled {
  llvm::DenseSet<size_t> defaults; ///< taken: indices of Options::defaults
  llvm::DenseSet<const ast::Expr *> promotions; ///< initializers with errors
};

/// A declaration that is being checked.
struct Declaring {
  SourceRange range;
  Storage storage = Storage::Global;
};

/// What is known of the module so far, and what is being checked.
struct Checking {
  Checking(Program &program, DiagnosticEngine &diags, const Options &options)
      : program(program), diags(diags), options(options), build(program),
        names(diags), types(program), quotients(diags) {}

  // What is made, and what it is made with.
  Program &program;
  DiagnosticEngine &diags;
  const Options &options;
  Builder build;
  Names names;
  TypeTable types;
  LossyQuotients quotients;
  Externs externs;

  // The module.
  Procedure *entry = nullptr; ///< what it starts with; null: not known yet
  uint32_t mainFile = SourceRange::NoFile;
  std::vector<const Symbol *> declarations; ///< in order, locals as well
  Patterns patterns;
  llvm::DenseMap<const Symbol *, DefaultValue> defaults; ///< of formals
  MadeProcedures made;
  DistributionValues dealt;
  /// Where each procedure is called first.
  llvm::DenseMap<const Procedure *, SourceRange> firstCalls;
  Handled handled;

  // The declaration at hand.
  Declaring declaring;
  WrittenType writtenType;
  /// Where the heading at hand has its parameters for blank bounds; null:
  /// they may not occur.
  llvm::SmallVector<Variable *, 4> *hiddenParams = nullptr;

  // The procedure at hand, and where in it we are.
  Procedure *current = nullptr; ///< null: a global declaration
  /// Blank dimensions and quotes have a covering region to inherit from.
  bool mayInherit = false;
  llvm::SmallVector<unsigned, 8> scopeRanks; ///< visible scopes, innermost last
  std::vector<VisibleScope *> visibleScopes; ///< those of statements alone
  Enclosing around;

  // The statement at hand.
  unsigned statementRank = 0; ///< of the array that is assigned; 0: none
  Blanks *blanks = nullptr;   ///< its blank references; null: may have none
  FirstValues firsts;
  MultiNotation multi;
  SparseState sparse;
};

/// Whether the code at hand is run by each processor for itself.
inline bool inFreeProcedure(const Checking &c) {
  return c.current && c.current->isFree;
}

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_CHECKING_H
