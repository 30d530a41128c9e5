//===- Procedure.h - Makes one procedure of the array IR --------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_PROCEDURE_H
#define ZPL_LIB_ARRAYGEN_PROCEDURE_H

#include "ModuleBuilder.h"
#include "llvm/ADT/PointerUnion.h"
#include <array>

namespace zpl::arraygen {

/// Appends what evaluating \p place evaluates, see Places.cpp.
void addParts(const sema::Expr *place,
              llvm::SmallVectorImpl<const sema::Expr *> &parts);
/// The parallel array that \p place starts from, or null.
const sema::ArrayExpr *rootArray(const sema::Expr *place);

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
  /// `set variable = its initializer` and its setup.
  void initialize(const sema::Variable *variable);
  /// The components that are not constants; \p map gets their variables.
  void initialize(const sema::Direction *direction, SymbolMap &map,
                  air::Storage storage);
  /// `region target = expr`, with a Bounds check if it could be needed.
  void setRegion(air::Region *target, const sema::RegionExpr &expr);
  /// Element-wise over the declared region.
  void initialize(const sema::Array *array);
  /// What is emitted now starts a new declaration of the initializers.
  void startDeclaration() { allocationPoint = procedure.body.size(); }
  /// After the body: frees what temporaries() have on the heap.
  void finish(bool fallsThrough, SourceRange end);
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
  void addParameter(const sema::Variable *variable);
  void addParameter(const sema::Array *array, const sema::Shape &shape);
  void addResult();
  void setTypes();
  void copyInParameters();
  void zeroOutParameters();
  void clear(const sema::Array *array);
  void allocate(air::Variable *variable, SourceRange range);
  void freeLocals(SourceRange range);
  air::Variable *makeVariable(llvm::StringRef name, air::Type type,
                              SourceRange range);
  air::Region *makeRegion(llvm::StringRef name, air::Shape shape,
                          SourceRange range);
  air::Array *makeArray(llvm::StringRef name, air::Type element,
                        air::Shape shape, SourceRange range);
  /// A variable that is written once, or nowhere.
  air::Variable *temporary(air::Type type, SourceRange range);
  air::Variable *temporary(llvm::StringRef name, air::Type type,
                           SourceRange range);
  /// A variable for a value in between; on the heap if need be.
  air::Variable *scratch(llvm::StringRef name, air::Type type,
                         SourceRange range);
  /// A new array over \p region, allocated here, freed by the scope.
  air::Array *temporaryArray(air::Type element, air::Region *region,
                             SourceRange range);
  air::Variable *find(const sema::Variable *variable) const;
  air::Array *find(const sema::Array *array) const;
  air::Region *find(const sema::Region *region) const;
  air::Variable *find(const sema::Direction *direction, unsigned dim) const;
  air::Type type(sema::Type type) { return builder.convert(type, &locals); }
  /// Void for functions whose result is a parallel array or by reference.
  air::Type resultType(const sema::Procedure *procedure) {
    bool isElsewhere = procedure->resultRank || returnsByReference(procedure);
    return isElsewhere ? air::Type(air::Type::Void) : type(procedure->result);
  }

  // Types.cpp.
  const air::Expr *zero(air::Type type, SourceRange range);

  // Places.cpp.
  const air::Expr *place(const sema::Expr *place, const air::Expr *const *&next,
                         air::Region *over);
  const air::Expr *place(const sema::Expr *place, air::Region *over,
                         llvm::ArrayRef<const sema::Expr *> later = {},
                         llvm::ArrayRef<air::Array *> written = {});

  // Expressions.cpp. `over` is the region over which elements are computed;
  // null: the value is a scalar.
  const air::Expr *value(const sema::Expr *expr, air::Region *over = nullptr);
  /// In the order of \p exprs. None of them reads an array of \p written at
  /// another index; evaluating \p later afterwards does not change them.
  ExprList operands(llvm::ArrayRef<const sema::Expr *> exprs,
                    air::Region *over = nullptr,
                    llvm::ArrayRef<air::Array *> written = {},
                    llvm::ArrayRef<const sema::Expr *> later = {});
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
  /// \p result is where the result goes that is not given back.
  const air::CallExpr *parallelCall(const sema::CallExpr *call,
                                    const air::Argument *result = nullptr);
  /// Calls a function whose result is a parallel array; the result is a
  /// temporary.
  air::Array *arrayResult(const sema::CallExpr *call, air::Region *over);
  /// A call of a scalar procedure. With \p over it is promoted: element by
  /// element; if it writes arrays it must become the whole of a statement.
  const air::CallExpr *scalarCall(const sema::CallExpr *call,
                                  air::Region *over = nullptr,
                                  const air::Argument *result = nullptr);
  air::Argument argument(const sema::CallExpr *call, unsigned i);
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
  /// \p target starts from an element.
  void assign(const air::Expr *target, const sema::Expr *source,
              air::Region *over, SourceRange range);
  const air::Expr *elementOf(air::Array *array, SourceRange range);
  void check(const sema::ArrayExpr *expr, air::CheckStmt::Kind kind,
             air::Region *over);
  /// Checks all array references of an array statement and evaluates their
  /// directions, before anything else of the statement.
  void prepare(const sema::Expr *expr, air::Region *over);
  void prepare(const sema::Expr *expr, air::Region *over, bool keepDirections);
  void prepareAll(llvm::ArrayRef<const sema::Expr *> exprs, air::Region *over,
                  bool keepDirections);
  /// What is written: its array, and the parts of the place.
  void prepareTarget(const sema::Expr *place, air::Region *over);
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
  void builtinStatement(const sema::BuiltinExpr *call, air::Variable *result);
  void checkShape(const sema::CheckShapeStmt *stmt);
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
  void write(const air::Expr *file, bool binary,
             llvm::ArrayRef<sema::WriteItem> items, SourceRange range);
  air::WriteItem writeItem(const sema::WriteItem &item);
  void writeStatement(const sema::WriteStmt *stmt);
  void haltStatement(const sema::HaltStmt *stmt);
  const air::Expr *format(const std::optional<std::string> &format,
                          const sema::Expr *formatExpr, SourceRange range);

  // Input.cpp.
  void readStatement(const sema::ReadStmt *stmt);
  air::ReadItem readItem(const sema::ReadItem &item);
  void readInto(const sema::ReadItem &item, const air::Expr *file, bool binary);
  void bindIo(const sema::BindIoStmt *stmt);

  ModuleBuilder &builder;
  air::Module &module;
  const sema::Instance &instance;
  air::Procedure &procedure;

  air::StmtList *current;
  SymbolMap locals;
  NameSet names; ///< printed with %
  /// The covering region of each rank.
  std::array<air::Region *, sema::MaxRank + 1> covers{};
  /// Allocated at entry.
  std::vector<llvm::PointerUnion<air::Array *, air::Variable *>> localMemory;
  std::vector<air::Array *> temporaries; ///< alive here
  /// Temporaries on the heap, alive in the whole procedure.
  std::vector<air::Variable *> heapTemporaries;
  size_t allocationPoint = 0;         ///< in the body: where they are allocated
  std::vector<air::Variable *> zeros; ///< see zero()
  /// Where the result goes if it is not given back; exactly one or none is set.
  air::Parameter result;
  /// Arrays that ShiftStmts made, with what they were made of.
  llvm::DenseMap<const air::Array *, const air::Array *> shiftSources;
  llvm::DenseSet<const air::Variable *> stableVariables;
  /// Directions of the references of the current array statement.
  llvm::DenseMap<const sema::ArrayExpr *, ExprList> directions;
};

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_PROCEDURE_H
