//===- Procedure.h - Makes one procedure of the array IR --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_PROCEDURE_H
#define ZPL_LIB_ARRAYGEN_PROCEDURE_H

#include "ModuleBuilder.h"
#include <array>

namespace zpl::arraygen {

/// False if control never comes past \p stmt; loops are not looked into.
bool fallsThrough(const sema::Stmt *stmt);

/// Generates the body of one procedure: of an instance, or of the global
/// initializers.
///
/// Statements are appended to the current list. Evaluating an expression may
/// append statements, too; what it returns is valid at the end of the list.
/// Array temporaries that the returned expression reads are freed by whoever
/// appends the statement that uses it (TemporaryScope); after a *scalar*
/// expression there are none.
class ProcedureBuilder {
public:
  ProcedureBuilder(ModuleBuilder &builder, const sema::Instance &instance,
                   air::Procedure &procedure);

  /// Parameters, locals and body of an instance.
  void buildInstance();

  // For the global initializers.
  /// `set variable = its initializer`.
  void initialize(const sema::Variable *variable);
  /// The components that are not constants; \p map gets their variables.
  void initialize(const sema::Direction *direction, SymbolMap &map,
                  air::Storage storage);
  /// `region target = expr`, with a Bounds check if it could be needed.
  void setRegion(air::Region *target, const sema::RegionExpr &expr);
  /// Element-wise over the declared region; nothing without an initializer.
  void initialize(const sema::Array *array);
  air::Shape shapeOf(const sema::RegionExpr &expr) const;
  template <typename T, typename... Args> T *emit(Args &&...args) {
    T *stmt = module.make<T>(std::forward<Args>(args)...);
    current->push_back(stmt);
    return stmt;
  }
  /// Has \p generate append to \p list instead of the current one.
  void appendTo(air::StmtList &list, llvm::function_ref<void()> generate);

private:
  using ExprList = llvm::SmallVector<const air::Expr *, 6>;

  /// Frees the array temporaries made since its construction when told to.
  class TemporaryScope {
  public:
    explicit TemporaryScope(ProcedureBuilder &builder)
        : builder(builder), mark(builder.temporaries.size()) {}
    void free(SourceRange range);

  private:
    ProcedureBuilder &builder;
    size_t mark;
  };

  // Procedure.cpp: frame, names and temporaries.
  void addCovers();
  void addParameters();
  void addLocals();
  void addLocal(const sema::Symbol *symbol);
  void addLocalArray(const sema::Array *array);
  void zeroOutParameters();
  void clear(const sema::Array *array);
  void freeLocalArrays(SourceRange range);
  air::Variable *makeVariable(llvm::StringRef name, air::Type type,
                              SourceRange range);
  air::Region *makeRegion(llvm::StringRef name, air::Shape shape,
                          SourceRange range);
  air::Array *makeArray(llvm::StringRef name, air::Type element,
                        air::Shape shape, SourceRange range);
  air::Variable *temporary(air::Type type, SourceRange range);
  /// A new array over \p region, allocated here, freed by the scope.
  air::Array *temporaryArray(air::Type element, air::Region *region,
                             SourceRange range);
  air::Variable *find(const sema::Variable *variable) const;
  air::Array *find(const sema::Array *array) const;
  air::Region *find(const sema::Region *region) const;
  air::Variable *find(const sema::Direction *direction, unsigned dim) const;

  // Expressions.cpp. `over` is the region over which elements are computed;
  // null: the value is a scalar.
  const air::Expr *value(const sema::Expr *expr, air::Region *over = nullptr);
  /// In the order of \p exprs. None of them reads an array of \p written at
  /// another index.
  ExprList operands(llvm::ArrayRef<const sema::Expr *> exprs,
                    air::Region *over = nullptr,
                    llvm::ArrayRef<air::Array *> written = {});
  const air::Expr *save(const air::Expr *value, air::Region *over,
                        TemporaryScope &scope);
  bool isStable(const air::Expr *value) const;
  const air::Expr *binary(const sema::BinaryExpr *expr, air::Region *over);
  const air::Expr *callValue(const sema::CallExpr *call, air::Region *over);
  const air::Expr *shortCircuit(const sema::BinaryExpr *expr);
  const air::Expr *fma(const sema::FmaExpr *expr, air::Region *over);
  const air::Expr *constant(air::Type type, int64_t integer, SourceRange range);
  const air::Expr *literal(const sema::LiteralExpr *expr);
  const air::Expr *variable(air::Variable *variable, SourceRange range);
  const air::Expr *castTo(air::Type type, const air::Expr *value);
  /// Computes \p expr into \p target; false if it is an ordinary expression.
  bool computeInto(air::Variable *target, const sema::Expr *expr);
  void reduceInto(air::Variable *target, const sema::ReduceExpr *expr);
  void timeInto(air::Variable *target, const sema::TimerExpr *expr);
  bool assignDirectly(const sema::Variable *target, const sema::Expr *expr);
  /// A temporary with the value of an expression that computeInto knows.
  const air::Expr *computed(const sema::Expr *expr);

  // Calls.cpp.
  const air::CallExpr *parallelCall(const sema::CallExpr *call);
  const air::CallExpr *scalarCall(const sema::CallExpr *call);
  /// A promoted call, element by element. If it writes arrays it must become
  /// the whole of a statement.
  const air::CallExpr *promotedCall(const sema::CallExpr *call,
                                    air::Region *over);
  air::Argument arrayArgument(const sema::CallExpr *call, unsigned i);
  air::Array *copyOf(air::Array *array, const sema::Array *formal,
                     SourceRange range);
  air::Region *formalRegion(const sema::Array *formal, air::Array *argument,
                            SourceRange range);
  void checkFormals(const sema::CallExpr *call,
                    llvm::ArrayRef<air::Argument> args);
  const sema::Instance *calleeOf(const sema::CallExpr *call) const;
  bool laterEffects(llvm::ArrayRef<const sema::Expr *> exprs, unsigned i);

  // ArrayStatements.cpp.
  void assign(air::Array *target, const sema::Expr *source, air::Region *over,
              SourceRange range);
  void check(const sema::ArrayExpr *expr, air::CheckStmt::Kind kind,
             air::Region *over);
  /// Checks all array references of an array statement and evaluates their
  /// directions, before anything else of the statement.
  void prepare(const sema::Expr *expr, air::Region *over);
  void prepare(const sema::Expr *expr, air::Region *over, bool keepDirections);
  const air::Expr *element(const sema::ArrayExpr *expr, air::Region *over);
  air::Array *shifted(const sema::ArrayExpr *expr, air::Region *over);
  /// As value, but a promoted call that writes arrays may be returned as it
  /// is: the caller makes a whole statement of it.
  const air::Expr *wholeValue(const sema::Expr *expr, air::Region *over);
  /// The value of an array expression in a temporary of its own.
  air::Array *materialize(const sema::Expr *expr, air::Region *over,
                          air::Fluff fluff = {});
  air::Array *readable(const sema::Expr *expr, air::Region *over);
  air::Array *store(const air::Expr *value, air::Region *over,
                    TemporaryScope &scope, air::Fluff fluff = {});
  bool mayShareStorage(const air::Array *a, const air::Array *b) const;
  /// Storing to \p target index by index could change what \p value reads
  /// later.
  bool disturbs(const air::Array *target, const air::Expr *value) const;

  // Regions.cpp.
  air::Region *evaluate(const sema::RegionExpr &expr, llvm::StringRef name);
  void open(air::Region *region, llvm::function_ref<void()> generate);
  air::RegionExpr regionExpr(const sema::RegionExpr &expr);

  // Statements.cpp.
  void statement(const sema::Stmt *stmt);
  void statements(const sema::StmtList &list);
  void assignScalar(const sema::AssignStmt *stmt);
  void assignArray(const sema::ArrayAssignStmt *stmt);
  void callStatement(const sema::CallStmt *stmt);
  void elementCall(const sema::CallExpr *call, SourceRange range);
  void timerStatement(const sema::TimerStmt *stmt);
  void ifStatement(const sema::IfStmt *stmt);
  void whileStatement(const sema::WhileStmt *stmt);
  void repeatStatement(const sema::RepeatStmt *stmt);
  void forStatement(const sema::ForStmt *stmt);
  void returnStatement(const sema::ReturnStmt *stmt);
  void scopeStatement(const sema::ScopeStmt *stmt);

  // Output.cpp.
  void write(llvm::ArrayRef<sema::WriteItem> items, bool toError,
             SourceRange range);
  air::WriteItem writeItem(const sema::WriteItem &item);

  ModuleBuilder &builder;
  air::Module &module;
  const sema::Instance &instance;
  air::Procedure &procedure;

  air::StmtList *current;
  SymbolMap locals;
  NameSet names; ///< printed with %
  /// The covering region of each rank.
  std::array<air::Region *, sema::MaxRank + 1> covers{};
  std::vector<air::Array *> localArrays; ///< allocated at entry
  std::vector<air::Array *> temporaries; ///< alive here
  /// Arrays that ShiftStmts made, with what they were made of.
  llvm::DenseMap<const air::Array *, const air::Array *> shiftSources;
  llvm::DenseSet<const air::Variable *> stableVariables;
  /// Directions of the references of the current array statement.
  llvm::DenseMap<const sema::ArrayExpr *, ExprList> directions;
};

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_PROCEDURE_H
