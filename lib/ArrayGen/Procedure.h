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

/// Where elements are computed: at the indices of a region that a mask leaves.
/// Nowhere, of a scalar, if there is no region.
struct Cover {
  air::Region *region = nullptr;
  air::Mask mask;
  Cover() = default;
  Cover(air::Region *region, air::Mask mask = {})
      : region(region), mask(mask) {}
  explicit operator bool() const { return region; }
  unsigned rank() const { return region->rank(); }
  Cover unmasked() const { return Cover(region); }
};

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
  /// The body of what a scatter combines elements with.
  void buildCombiner(const sema::ScatterStmt &stmt);
  template <typename T, typename... Args> T *emit(Args &&...args) {
    T *stmt = module.make<T>(std::forward<Args>(args)...);
    current->push_back(stmt);
    time += !keepsVariables<T>;
    return stmt;
  }
  /// Has \p generate append to \p list instead of the current one.
  void appendTo(air::StmtList &list, llvm::function_ref<void()> generate);

private:
  using ExprList = llvm::SmallVector<const air::Expr *, 6>;

  /// Statements that write no variables and are no loops.
  template <typename T>
  static constexpr bool keepsVariables = llvm::is_one_of<
      T, air::SetRegionStmt, air::CheckStmt, air::AllocArrayStmt,
      air::FreeArrayStmt, air::ShiftStmt, air::FloodStmt, air::PutStmt,
      air::ScanStmt, air::GatherStmt, air::ScatterStmt, air::BoundaryStmt,
      air::ArrayAssignStmt, air::ReduceArrayStmt, air::IfStmt>::value;

  /// Frees the array temporaries made since its construction when told to.
  class TemporaryScope {
  public:
    explicit TemporaryScope(ProcedureBuilder &builder)
        : builder(builder), mark(builder.temporaries.size()) {}
    void free(SourceRange range);
    void freeAllBut(air::Array *array, SourceRange range);
    /// They have been freed wherever control goes.
    void drop() { builder.temporaries.resize(mark); }

  private:
    ProcedureBuilder &builder;
    size_t mark;
  };

  // Procedure.cpp: frame, names and temporaries.
  void addCovers();
  air::Array *addParameter(llvm::StringRef name, air::Type element,
                           air::Shape shape, SourceRange range);
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
  /// Frees what control leaves that goes out of the innermost loop, or out of
  /// the procedure, from number \p first of temporaries on.
  void freeOpen(size_t first, SourceRange range);
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
                         Cover over);
  const air::Expr *place(const sema::Expr *place, Cover over,
                         llvm::ArrayRef<const sema::Expr *> later = {},
                         llvm::ArrayRef<air::Array *> written = {});

  // Expressions.cpp. `over` is where elements are computed; without a region
  // the value is a scalar.
  const air::Expr *value(const sema::Expr *expr, Cover over = {});
  /// In the order of \p exprs. None of them reads an array of \p written at
  /// another index; evaluating \p later afterwards does not change them.
  ExprList operands(llvm::ArrayRef<const sema::Expr *> exprs, Cover over = {},
                    llvm::ArrayRef<air::Array *> written = {},
                    llvm::ArrayRef<const sema::Expr *> later = {});
  const air::Expr *save(const air::Expr *value, Cover over,
                        TemporaryScope &scope);
  bool isStable(const air::Expr *value) const;
  const air::Expr *binary(const sema::BinaryExpr *expr, Cover over);
  const air::Expr *callValue(const sema::CallExpr *call, Cover over);
  const air::Expr *shortCircuit(const sema::BinaryExpr *expr);
  const air::Expr *fma(const sema::FmaExpr *expr, Cover over);
  const air::Expr *constant(air::Type type, int64_t integer, SourceRange range);
  const air::Expr *literal(const sema::LiteralExpr *expr);
  const air::Expr *variable(air::Variable *variable, SourceRange range);
  const air::Expr *castTo(air::Type type, const air::Expr *value);
  /// Computes \p expr into \p target; false if it is an ordinary expression.
  bool computeInto(air::Variable *target, const sema::Expr *expr);
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
  air::Array *arrayResult(const sema::CallExpr *call, Cover over);
  /// A call of a scalar procedure. With \p over it is promoted: element by
  /// element; if it writes arrays it must become the whole of a statement.
  const air::CallExpr *scalarCall(const sema::CallExpr *call, Cover over = {},
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

  // References.cpp.
  const air::Expr *elementOf(air::Array *array, SourceRange range);
  void check(const sema::ArrayExpr *expr, air::CheckStmt::Kind kind,
             air::Region *over);
  bool isJustChecked(const air::Array *array, const air::Region *over) const;
  /// Checks all array references of an array statement and evaluates their
  /// directions and the sources of floods and partial reductions, before
  /// anything else of the statement.
  void prepare(const sema::Expr *expr, Cover over);
  void prepare(const sema::Expr *expr, Cover over, bool keepDirections);
  void prepareSource(const sema::Expr *expr, const sema::RegionExpr &region,
                     llvm::StringRef text, Cover over);
  void prepareDirection(const sema::ArrayExpr *expr, bool keep);
  /// What is written: its array, and the parts of the place.
  void prepareTarget(const sema::Expr *place, Cover over,
                     bool keepDirection = false);
  const air::Expr *element(const sema::ArrayExpr *expr, Cover over);
  air::Array *shifted(const sema::ArrayExpr *expr, Cover over);

  // ArrayStatements.cpp.
  void assignArray(const sema::ArrayAssignStmt *stmt);
  /// \p target starts from an element.
  void assign(const air::Expr *target, const sema::Expr *source, Cover over,
              SourceRange range);
  void storeElements(const air::Expr *target, const air::Expr *value,
                     Cover over, SourceRange range);
  /// The whole statement at once, if the value is an operator that can put its
  /// result into the target.
  bool assignDirectly(air::Array *target, const sema::Expr *source, Cover over);
  void putShifted(const sema::ArrayAssignStmt *stmt);
  /// As value, but a promoted call that writes arrays may be returned as it
  /// is: the caller makes a whole statement of it.
  const air::Expr *wholeValue(const sema::Expr *expr, Cover over);
  /// The value of an array expression in a temporary of its own.
  air::Array *materialize(const sema::Expr *expr, Cover over,
                          air::Fluff fluff = {});
  /// An array whose elements over \p over are those of \p expr: an existing
  /// one where there is one that shares no storage with those of \p written.
  /// Evaluating \p later afterwards does not change them; other statements
  /// may.
  air::Array *readable(const sema::Expr *expr, Cover over,
                       llvm::ArrayRef<air::Array *> written = {},
                       llvm::ArrayRef<const sema::Expr *> later = {});
  air::Array *store(const air::Expr *value, Cover over, TemporaryScope &scope,
                    air::Fluff fluff = {});
  bool mayShareStorage(const air::Array *a, const air::Array *b) const;
  bool isAnyWritten(llvm::ArrayRef<air::Array *> written,
                    const air::Array *array) const;
  /// Storing to \p target index by index could change what \p value reads
  /// later.
  bool disturbs(const air::Array *target, const air::Expr *value) const;

  // Overlap.cpp.
  air::DimExpr dimension(const air::Region *region, unsigned d) const;
  /// False if they may have an index in common.
  bool areDisjoint(const air::Region *a, const air::Region *b) const;

  // Operators.cpp. Their results are temporaries; \p target is where the
  // result may be put, if nothing that is still to be read is there.
  air::Array *flooded(const sema::FloodExpr *expr);
  air::Array *reduced(const sema::ReduceExpr *expr, Cover over);
  void reducePart(air::Array *target, const sema::ReduceExpr *expr,
                  air::Region *from);
  air::Region *reducedRegion(air::Region *from, air::Region *over,
                             SourceRange range);
  void reduceInto(air::Variable *target, const sema::ReduceExpr *expr);
  air::Array *scanned(const sema::ScanExpr *expr, Cover over,
                      air::Array *target = nullptr);
  bool isReproducible(sema::Reduction op, sema::Type type) const;

  // Remap.cpp.
  using MapList = llvm::SmallVector<air::Map, 6>;
  MapList maps(llvm::ArrayRef<sema::Map> exprs, Cover over,
               llvm::ArrayRef<air::Array *> written,
               llvm::ArrayRef<const sema::Expr *> later, SourceRange range);
  void checkMaps(const sema::Expr *place, const MapList &maps, Cover over,
                 llvm::StringRef text, SourceRange range);
  air::Array *gathered(const sema::GatherExpr *expr, Cover over,
                       air::Array *target = nullptr);
  void scatterStatement(const sema::ScatterStmt *stmt);
  air::Procedure *combiner(const sema::ScatterStmt *stmt);
  void boundaryStatement(const sema::BoundaryStmt *stmt);

  // Masks.cpp.
  /// What the guard of a statement over \p over is.
  const air::Expr *guard(Cover over, SourceRange range);
  void prepareMask(const sema::Mask &mask, air::Region *region);
  air::Mask evaluate(const sema::Mask &mask, air::Region *region,
                     bool mayBeArrayItself);
  bool mayWrite(const sema::Stmt *body, const sema::Mask &mask) const;
  void scopeStatement(const sema::ScopeStmt *stmt);
  air::Array *maskArgument(const sema::Instance &callee, unsigned rank,
                           SourceRange range);

  // Regions.cpp.
  air::Region *evaluate(const sema::RegionExpr &expr, llvm::StringRef name);
  void open(Cover cover, llvm::function_ref<void()> generate);
  air::Region *declaredRegion(air::Array *array, SourceRange range);
  air::RegionExpr regionExpr(const sema::RegionExpr &expr);

  // Statements.cpp.
  void statement(const sema::Stmt *stmt);
  void statements(const sema::StmtList &list);
  void assignScalar(const sema::AssignStmt *stmt);
  void builtinStatement(const sema::BuiltinExpr *call, air::Variable *result);
  void checkShape(const sema::CheckShapeStmt *stmt);
  void callStatement(const sema::CallStmt *stmt);
  void elementCall(const sema::CallExpr *call, SourceRange range);
  void timerStatement(const sema::TimerStmt *stmt);
  void ifStatement(const sema::IfStmt *stmt);
  void loopBody(air::StmtList &list, const sema::StmtList &body);
  void whileStatement(const sema::WhileStmt *stmt);
  void repeatStatement(const sema::RepeatStmt *stmt);
  void forStatement(const sema::ForStmt *stmt);
  void returnStatement(const sema::ReturnStmt *stmt);

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
  /// The covering region of each rank, with its mask.
  std::array<Cover, sema::MaxRank + 1> covers{};
  /// What the scope covers that is being opened.
  Cover enclosing;
  /// Allocated at entry.
  std::vector<llvm::PointerUnion<air::Array *, air::Variable *>> localMemory;
  std::vector<air::Array *> temporaries; ///< alive here
  size_t loopMark = 0; ///< how many were when the innermost loop began
  /// Temporaries on the heap, alive in the whole procedure.
  std::vector<air::Variable *> heapTemporaries;
  size_t allocationPoint = 0;         ///< in the body: where they are allocated
  std::vector<air::Variable *> zeros; ///< see zero()
  /// Where the result goes if it is not given back; exactly one or none is set.
  air::Parameter result;
  /// Arrays that statements made of others, whose storage they may share.
  llvm::DenseMap<const air::Array *, const air::Array *> borrowedFrom;
  llvm::DenseSet<const air::Variable *> stableVariables;
  /// What regions were set to, and when; see Overlap.cpp.
  struct RegionValue {
    air::RegionExpr expr;
    unsigned time;
  };
  llvm::DenseMap<const air::Region *, RegionValue> regionValues;
  unsigned time = 0;
  // Of the current array statement:
  llvm::DenseMap<const sema::ArrayExpr *, ExprList> directions;
  /// The source regions of floods and partial reductions.
  llvm::DenseMap<const sema::Expr *, air::Region *> sources;
  /// What it writes; anywhere in the array if there is no region.
  struct Target {
    air::Array *array;
    air::Region *region;
  };
  llvm::SmallVector<Target, 4> targets;
  /// Results of floods. Nothing that it writes is in them.
  llvm::DenseSet<const air::Array *> floods;
  /// Arrays of whole elements that stand for shifted ones.
  llvm::DenseMap<const sema::ArrayExpr *, air::Array *> standIns;
};

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_PROCEDURE_H
