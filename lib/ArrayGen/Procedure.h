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
#include "llvm/ADT/SmallBitVector.h"
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
  /// The region over which \p array is made; it need not have a value yet if
  /// the array follows a variable.
  void setDeclared(air::Region *target, const sema::Array *array);
  /// The border of an array over \p declared, which \p border is by itself.
  void setBorder(air::Region *target, const sema::RegionExpr &border,
                 air::Region *declared);
  /// `alloc made`, which is \p array or a member.
  void allocate(const sema::Array *array, air::Array *made);
  air::Type familyType(const sema::Array *array);
  void declareFamily(const sema::Array *array);
  void allocateFamily(const sema::Array *array);
  void declareValue(const sema::Variable *variable);
  /// What is emitted now starts a new declaration of the initializers.
  void startDeclaration() {
    allocationPoint = statementStart = procedure.body.size();
  }
  /// After the body: frees what temporaries() have on the heap.
  void finish(bool fallsThrough, SourceRange end);
  air::Shape shapeOf(const sema::RegionExpr &expr) const;
  air::Shape shapeOf(const sema::Array *array) const;
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
  static constexpr bool keepsVariables =
      llvm::is_one_of<T, air::SetRegionStmt, air::CheckStmt, air::BindArrayStmt,
                      air::AllocArrayStmt, air::ReallocStmt, air::FreeArrayStmt,
                      air::ShiftStmt, air::FloodStmt, air::PutStmt,
                      air::ScanStmt, air::GatherStmt, air::ScatterStmt,
                      air::BoundaryStmt, air::ArrayAssignStmt,
                      air::ReduceArrayStmt, air::IfStmt>::value;

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
  void nameSame();
  void addLocals();
  void addLocal(const sema::Symbol *symbol);
  air::Region *localRegion(const sema::Array *array);
  void addLocalArray(const sema::Array *array);
  /// \p isShared: by reference, whatever its mode is.
  void addParameter(const sema::Variable *variable, bool isShared = false);
  void addParameter(const sema::Array *array, const sema::Shape &shape,
                    bool isAlone);
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
  /// What the reference means: of a family, the view that bind() has bound.
  air::Array *find(const sema::ArrayExpr *expr) const;
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
  llvm::SmallBitVector
  sharedArguments(const sema::CallExpr *call,
                  llvm::ArrayRef<air::Array *> written) const;
  air::Procedure *scalarCallee(const sema::CallExpr *call,
                               const llvm::SmallBitVector &shared);
  const air::CallExpr *scalarCall(const sema::CallExpr *call, Cover over = {},
                                  const air::Argument *result = nullptr);
  air::Argument argument(const sema::CallExpr *call, unsigned i);
  air::Argument arrayArgument(const sema::CallExpr *call, unsigned i);
  air::Array *copyOf(air::Array *array, const sema::Array *formal,
                     SourceRange range);
  air::Region *formalRegion(const sema::Array *formal, air::Array *argument,
                            SourceRange range);
  void bindBounds(const sema::CallExpr *call,
                  llvm::ArrayRef<air::Argument> args);
  void checkFamily(const sema::Array *formal, const sema::ArrayExpr *argument);
  void checkFormals(const sema::CallExpr *call,
                    llvm::ArrayRef<air::Argument> args);
  const sema::Instance *calleeOf(const sema::CallExpr *call) const;
  bool laterEffects(llvm::ArrayRef<const sema::Expr *> exprs, unsigned i);

  // References.cpp.
  const air::Expr *elementOf(air::Array *array, SourceRange range);
  void check(const sema::ArrayExpr *expr, air::CheckStmt::Kind kind,
             air::Region *over);
  /// The same once more, if a call since then may have given the array another
  /// region.
  void checkAgain(const sema::ArrayExpr *expr);
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
  /// Whether element() of a shifted reference is the element of the array
  /// itself, another one than the current one.
  bool isReadDirectly(const sema::ArrayExpr *expr) const;
  /// Whether two references read one element, as far as the text shows it.
  static bool isSameElement(const sema::ArrayExpr *a, const sema::ArrayExpr *b);
  bool mayBePassed(const air::Stmt *stmt, const air::Array *source) const;
  air::ShiftStmt *openShift(const air::Array *source, const air::Region *region,
                            llvm::ArrayRef<const air::Expr *> direction) const;
  air::Array *shifted(const sema::ArrayExpr *expr, Cover over);

  // ArrayStatements.cpp.
  void assignArray(const sema::ArrayAssignStmt *stmt);
  /// \p target starts from an element.
  void assign(const air::Expr *target, const sema::Expr *source, Cover over,
              SourceRange range, const sema::ArrayExpr *root = nullptr);
  void storeElements(const air::Expr *target, const air::Expr *value,
                     Cover over, SourceRange range);
  /// The whole statement at once, if the value is an operator that can put its
  /// result into the target.
  bool assignDirectly(air::Array *target, const sema::Expr *source, Cover over);
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

  // Waves.cpp.
  void waveStatement(const sema::WaveStmt *stmt);
  void keepOldValues(const sema::WaveStmt *stmt, Cover over);
  void waveOperation(const sema::Stmt *stmt, Cover over);
  void addOperation(air::ElementOp op, Cover over);
  void addPrimed(air::Array *array, const air::Offset &offset);
  static void sortByArray(decltype(air::WaveStmt::primed) &items);

  // ShiftedTargets.cpp.
  void assignShifted(const sema::ArrayAssignStmt *stmt);
  bool mayAssignAtTarget(const sema::ArrayAssignStmt *stmt) const;
  void putShifted(const sema::ArrayAssignStmt *stmt);
  const air::Expr *difference(const air::Expr *a, const air::Expr *b,
                              SourceRange range);
  /// From the index that is computed to that of the element.
  ExprList distance(const sema::ArrayExpr *expr);
  const air::Expr *index(const sema::IndexExpr *expr);

  // Overlap.cpp.
  air::DimExpr dimension(const air::Region *region, unsigned d) const;
  /// Whether a is less than b, for what the variables in both are.
  static bool isLess(const air::Expr *a, const air::Expr *b);
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
  bool isReproducible(sema::Reduction op, sema::Type type,
                      const air::Region *over) const;

  // UserFolds.cpp: the same by user-defined operators.
  void foldInto(air::Variable *target, const sema::ReduceExpr *expr);
  void foldPart(air::Array *target, const sema::ReduceExpr *expr, Cover over,
                const air::Expr *guard);
  /// An array of states, each of one element.
  air::Array *foldElements(const sema::ScanExpr *expr, Cover over);
  void foldElementCall(const sema::CallExpr *call, Cover over,
                       const air::Expr *guard, bool accumulates,
                       SourceRange range);
  air::Procedure *procedureOf(const sema::CallExpr *call) const {
    return builder.procedures.lookup(calleeOf(call));
  }

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
  // RegionOps.cpp.
  air::RegionExpr userRegion(const sema::RegionExpr &expr);
  air::DimExpr sequence(const sema::RegionExpr &expr, air::Region *base,
                        unsigned dim, const air::Expr *component);
  air::RegionExpr unleveled(const sema::RegionExpr &expr);

  // Values.cpp: variables of regions and directions.
  const air::Expr *stored(const air::Expr *place, llvm::ArrayRef<int64_t> at);
  void storeRegion(const air::Expr *place, air::Region *region,
                   const air::Expr *level, SourceRange range);
  air::RegionExpr storedRegion(const air::Expr *place,
                               const sema::Shape &shape);
  void checkSet(const sema::RegionExpr &expr);
  const air::Expr *levelOf(const sema::RegionExpr &expr);
  const air::Expr *regionValue(const sema::RegionValueExpr *expr);
  void regionAssignment(const sema::RegionAssignStmt *stmt);
  void checkComponent(const air::Expr *component, sema::Type type,
                      unsigned number, SourceRange range);
  const air::Expr *directionValue(const sema::DirectionValueExpr *expr);
  const air::Expr *inheritedLevel(const sema::RegionBoundExpr *expr);

  // Families.cpp.
  const Family &family(const sema::Array *array) const;
  air::Array *makeView(const sema::Array *array, SourceRange range);
  const air::Expr *memberPlace(const sema::Array *array,
                               llvm::ArrayRef<const air::Expr *> subscripts,
                               SourceRange range);
  air::Array *boundView(const sema::Array *array,
                        llvm::ArrayRef<const air::Expr *> subscripts) const;
  air::Array *bindMember(const sema::Array *array,
                         llvm::ArrayRef<const sema::Expr *> subscripts,
                         SourceRange range);
  void bind(const sema::ArrayExpr *expr);
  air::Array *find(const sema::RegionExpr &expr);
  bool areDistinct(const air::Array *a, const air::Array *b) const;
  void forEachMember(
      const sema::Array *array, SourceRange range,
      llvm::function_ref<void(llvm::ArrayRef<const air::Expr *>)> generate);
  air::Array *memberView(const sema::Array *array,
                         llvm::ArrayRef<const air::Expr *> indices);
  void addLocalFamily(const sema::Array *array);
  void initializeFamily(const sema::Array *array);
  void initializeElements(const sema::Array *array, air::Array *target,
                          air::Region *declared);
  void freeFamily(const sema::Array *array, SourceRange range);
  void addFamilyParameter(const sema::Array *array, const sema::Shape &shape);
  void copyInFamily(const sema::Array *array);
  void clearFamily(const sema::Array *array);

  // Followers.cpp: arrays over region variables.
  void reallocate(const air::Expr *variable, sema::Type type, bool preserves,
                  SourceRange range);
  void reallocateParts(const air::Expr *place, sema::Type type,
                       SourceRange range);

  // Statements.cpp.
  void statement(const sema::Stmt *stmt);
  void statements(const sema::StmtList &list);
  void assignScalar(const sema::AssignStmt *stmt);
  void builtinStatement(const sema::BuiltinExpr *call, air::Variable *result);
  void checkShape(const sema::CheckShapeStmt *stmt);
  void callStatement(const sema::CallStmt *stmt);
  void elementCall(const sema::CallExpr *call, SourceRange range);
  void callElements(const air::CallExpr *call, Cover over, SourceRange range);
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
  size_t statementStart = 0; ///< where in it the current statement begins
  SymbolMap locals;
  NameSet names; ///< printed with %
  /// The covering region of each rank, with its mask.
  std::array<Cover, sema::MaxRank + 1> covers{};
  /// What the scope covers that is being opened.
  Cover enclosing;
  /// Allocated at entry.
  std::vector<
      llvm::PointerUnion<air::Array *, air::Variable *, const sema::Array *>>
      localMemory;                       ///< sema::Array: a family
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
  /// Which parameters by value of a shattered statement are passed by
  /// reference, because what it writes may be the same. Empty: none.
  llvm::SmallBitVector shared;
  /// What regions were set to, and when; see Overlap.cpp.
  struct RegionValue {
    air::RegionExpr expr;
    unsigned time;
  };
  llvm::DenseMap<const air::Region *, RegionValue> regionValues;
  unsigned time = 0;
  /// Views, what they are bound to, and since when.
  struct BoundView {
    air::Array *view;
    ExprList subscripts;
    unsigned time;
  };
  llvm::SmallVector<BoundView, 4> boundViews; ///< on the way here
  llvm::DenseMap<const sema::ArrayExpr *, air::Array *> views;
  unsigned parallelCalls = 0; ///< so far
  // About the current array statement:
  llvm::DenseMap<const sema::ArrayExpr *, ExprList> directions;
  /// What a reference was checked for, and how many calls came before.
  struct Checked {
    air::CheckStmt::Kind kind;
    air::Region *over;
    unsigned parallelCalls;
  };
  llvm::DenseMap<const sema::ArrayExpr *, Checked> checkedReferences;
  /// The source regions of floods and partial reductions.
  llvm::DenseMap<const sema::Expr *, air::Region *> sources;
  /// What it writes; anywhere in the array if there is no region.
  struct Target {
    air::Array *array;
    air::Region *region;
  };
  llvm::SmallVector<Target, 4> targets;
  /// Where the states of user-defined operators lie that are elements.
  llvm::DenseMap<const sema::Variable *, air::Array *> foldStates;
  /// Results of floods. Nothing that it writes is in them.
  llvm::DenseSet<const air::Array *> floods;
  /// The shifted array that the statement is computed at, if it is: what it
  /// reads is that much nearer.
  const sema::ArrayExpr *movedTo = nullptr;
  /// Arrays of whole elements that stand for shifted ones.
  llvm::DenseMap<const sema::ArrayExpr *, air::Array *> standIns;
  /// While its operations are generated: what is element-wise goes there
  /// instead of into statements.
  air::WaveStmt *openWave = nullptr;
};

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_PROCEDURE_H
