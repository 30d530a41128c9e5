//===- Checker.h - From syntax tree to checked program ----------*- C++ -*-===//
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
/// Functions that check an expression never return null: after a report they
/// return a dummy of type Error, which silences whoever uses it. Functions that
/// check a region or a direction return null or none then.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_SEMA_CHECK_CHECKER_H
#define ZPL_LIB_SEMA_CHECK_CHECKER_H

#include "Arrays/UserFolds.h"
#include "Check/Calls.h"
#include "Check/CheckerState.h"
#include "Check/Formats.h"
#include "Check/Initializers.h"
#include "Names/Predeclared.h"

namespace zpl::sema {

class Checker : CheckerState {
public:
  using CheckerState::CheckerState;

  /// Fills the program from \p module. Without errors, returns the procedure
  /// that it starts with.
  const Procedure *checkModule(const ast::Module &module);

private:
  // Expressions.cpp
  const Expr *expr(const ast::Expr &e);
  const Expr *nameValue(const ast::NameRef &e);
  const Expr *predeclaredValue(const Predeclared &entry, SourceRange range);
  const Expr *scaledConstant(const Predeclared &entry, SourceRange range);
  const Expr *integerLiteral(const ast::IntLiteral &e);
  /// Reports what a later version gives a meaning to.
  const Expr *reportUnsupported(const ast::Expr &e, llvm::StringRef what);
  const Expr *unary(const ast::Unary &e);
  /// A value that is neither an array nor free; \p what ("bound of a region")
  /// says whose.
  const Expr *scalar(const ast::Expr &e, llvm::StringRef what);
  const Expr *condition(const ast::Expr &e);

  // ArrayOperators.cpp
  const Expr *at(const ast::At &e);
  const Expr *reduce(const ast::Reduce &e);
  const Expr *partialReduce(const ast::Reduce &e);
  const Expr *flood(const ast::Flood &e);
  const Expr *overSource(const ast::Expr &source,
                         llvm::function_ref<const Expr *()> operand,
                         const RegionExpr *&region, Mask *mask);
  /// What a reduction or scan combines.
  struct FoldOperand {
    Reduction op = Reduction::Sum;
    const UserFold *user = nullptr;
    const Expr *value = nullptr;
    Type type; ///< of the result
  };
  FoldOperand foldOperand(const ast::FoldOperator &op, llvm::StringRef suffix,
                          ast::ExprList operands);
  const Expr *folded(const ast::FoldOperator &op, Reduction reduction,
                     llvm::StringRef suffix, const Expr *operand);
  const Expr *scan(const ast::Scan &e);
  const Expr *scanSegment(const ast::Expr &e);
  bool scanDims(const ast::Scan &e, ScanExpr &node);

  // UserFolds.cpp
  const UserFold *userFold(const ast::FoldOperator &op,
                           llvm::ArrayRef<const Expr *> operands);
  std::vector<FoldOverload> foldOverloads(const ast::FoldOperator &op);
  const CallExpr *foldAccumulation(Procedure &accumulator, bool isCombiner,
                                   llvm::ArrayRef<const Expr *> operands,
                                   const Expr *acc, SourceRange range);
  Procedure *
  foldStep(const Procedure &of, llvm::StringRef what,
           llvm::ArrayRef<Type> params, unsigned references, Mode mode,
           llvm::function_ref<Stmt *(llvm::ArrayRef<const Expr *>)> body);
  Stmt *foldCall(Procedure &callee, llvm::ArrayRef<const Expr *> args,
                 const Expr *to);

  // Remaps.cpp
  struct Maps {
    llvm::SmallVector<Map, 6> list;
    unsigned rank = 0, minRank = 0; ///< as of an expression
  };
  const Expr *gather(const ast::Remap &e);
  unsigned gatheredRank(const Maps &maps, SourceRange range);
  const Expr *gatherFrom(const Expr &source, unsigned rank, const Maps &maps,
                         SourceRange range);
  const Expr *mapValue(const ast::Expr &e);
  std::optional<Maps> maps(const ast::Remap &e, unsigned rank,
                           const Expr *source);
  unsigned scatterRank(const Maps &maps, const Expr *value, SourceRange range);
  bool scatter(const ast::AssignStmt &s, const ast::Remap &e, StmtList &to);

  // Inquiry.cpp
  const Expr *inquiry(const ast::Call &e, Function function);
  std::optional<unsigned> inquiredDim(const ast::Expr &e, unsigned rank,
                                      llvm::StringRef function);
  /// What the text shows of a dimension of a region.
  struct DimFacts {
    const RegionDim *written = nullptr; ///< in a literal; null: not seen
    bool mayBeStrided = true;
  };
  DimFacts dimFacts(const RegionExpr &region, unsigned dim);
  DimFacts dimFacts(const RegionExpr &region, unsigned dim, size_t depth);
  DimFacts inheritedDim(unsigned rank, unsigned dim, size_t depth);
  const Expr *regionBound(RegionBoundExpr::Which which,
                          const RegionExpr &region, unsigned dim,
                          SourceRange range);
  const Expr *memberBound(RegionBoundExpr::Which which,
                          const RegionExpr &region, unsigned dim,
                          SourceRange range);
  const Expr *sizeOf(const RegionExpr &region, SourceRange range);
  const Expr *inside(const ast::Inside &e);
  const Expr *insideDim(const Expr *index, const RegionExpr &region,
                        unsigned dim, SourceRange range);
  Procedure *insideFunction(SourceRange range);

  // Operators.cpp
  const Expr *binary(ast::BinaryOp op, SourceRange opRange, const Expr *left,
                     const Expr *right, SourceRange range);
  const Expr *sameFile(bool isWanted, const Expr *left, const Expr *right,
                       SourceRange range);
  void warnIfNarrowing(const Expr *value, Type to);
  /// \p value as a value of type \p to, by the rules of assignment; warns where
  /// that narrows.
  const Expr *convert(const Expr *value, Type to);
  /// Whether the ranks go together; reports otherwise.
  bool conform(const Expr *left, const Expr *right, SourceRange place);
  /// Whether \p value, an expression of Index alone or of rank \p rank, fits
  /// \p rank.
  bool fitsRank(const Expr *value, unsigned rank);
  void reportArray(const Expr *value, llvm::StringRef what);

  // RegionOps.cpp: user-defined region operators
  bool checkRegionOp(const ast::ProcedureDecl &d, const Procedure &procedure);
  const RegionExpr *userRegionOp(const ast::UserRegionOp &e);
  Procedure *regionOpNamed(const ast::Name &name);

  // Free.cpp
  /// Whether the code at hand is run by each processor for itself.
  bool inFreeProcedure() const { return current && current->isFree; }
  /// Reports a free value where a replicated one is needed.
  bool reportFree(const Expr *value);
  /// Reports a place of replicated data that a free subscript selects.
  bool reportFreePlace(const Expr *place);
  bool checkFreeReference(const Expr *place, const Symbol &formal);
  bool checkFreePromotion(const CallExpr &call, const Expr &array);

  // Designators.cpp
  /// What a designator (a name with fields and subscripts) means, without
  /// putting values in the place of constants; a call is its value. Never null.
  const Expr *place(const ast::Expr &e);
  /// The place as something to assign: null after a report.
  const Expr *target(const ast::Expr &e);
  const Expr *shiftedTarget(const ast::At &e);
  const Expr *designator(const ast::Expr &e, unsigned &levels);
  const Expr *namedPlace(const ast::NameRef &e);
  const Expr *fieldOf(const Expr *base, const ast::Field &e);
  void reportNoField(Type type, const ast::Name &name);
  const Expr *subscripted(const Expr *base,
                          llvm::ArrayRef<const ast::Subscript *> brackets,
                          unsigned &levels);
  const Expr *reportCount(const Expr *base, size_t given, SourceRange range);
  bool isIndexed(const Expr *base, Type type, SourceRange range);
  const Expr *elementAt(const Expr *base,
                        llvm::ArrayRef<const ast::Expr *> indices,
                        SourceRange range);
  const Expr *subscriptValue(const ast::Expr &e, Type index,
                             llvm::StringRef array);
  bool checkBounds(const Expr *value, const Expr &base, unsigned dim,
                   llvm::StringRef written);
  /// The predeclared name that \p e is, or null.
  const Predeclared *predeclaredName(const ast::Expr &e) const;
  bool reportNoVariable(const ast::Expr &e);

  // Blanks.cpp: blank references (language 4)
  /// Adds to \p to what sets \p target, an indexed array or a parallel array of
  /// such ones, element by element to \p init, in which `index1` ... are the
  /// position: loops with hidden variables. \p init may also be a value of the
  /// array's own type, or of its elements'.
  void promoteOver(const Expr *target, const ast::Expr &init, StmtList &to);
  void promote(const Expr *target, const ast::Expr &init, StmtList &to);
  /// Adds to \p to \p body, once for each element that the blank references
  /// range over.
  void repeat(Blanks &over, StmtList body, SourceRange range, StmtList &to);
  /// A new variable of the procedure at hand, else of the program.
  Variable *hiddenVariable(llvm::StringRef name, Type type, SourceRange range);
  Variable *loopVariable(unsigned level, unsigned dim, SourceRange range);
  const Expr *extentExpr(const TypeInfo &info, unsigned dim, SourceRange range);
  const Expr *blankSubscript(const Expr *base, SourceRange range,
                             unsigned &level);
  const Expr *elementOf(const Expr *base, unsigned level, SourceRange range);
  bool followsShape(const TypeInfo &info, unsigned level,
                    llvm::StringRef written, SourceRange range);
  bool endDesignator(unsigned levels, SourceRange range);
  const Expr *positionIndex(unsigned dim, unsigned level, SourceRange range);
  const Expr *positionAtLevel(const ast::Subscript &e, unsigned dim);
  bool checkPositions(const Blanks &over);
  void leadWith(Type type, llvm::StringRef written, SourceRange range,
                unsigned first = 0);

  // Assign.cpp
  Stmt *assign(const ast::AssignStmt &s);
  bool plainAssign(const ast::AssignStmt &s, StmtList &to);
  Stmt *assignment(const Expr *target, const Expr *value, SourceRange range);
  const Expr *assignedValue(const ast::AssignStmt &s, const Expr *old);
  /// \p written: the value as it stands in the program, for warnings.
  const Expr *combined(const ast::AssignStmt &s, const Expr *old,
                       const Expr *value, const Expr *written);
  /// Whether \p target can take a value of this rank and freedom; reports.
  bool checkAssigned(const Expr *value, const Expr *target, SourceRange place);
  const Expr *onceOnly(const Expr *place, StmtList &before);
  const Expr *keptOnce(const Expr *value, llvm::StringRef name,
                       StmtList &before);
  bool matchArrays(const Expr *&target, const Expr *&value, SourceRange range);
  bool reportWhole(const Expr *target, const Expr *value);

  // Functions.cpp
  const Expr *standardCall(const ast::Call &e, const Predeclared &entry);
  const Expr *standardValue(const Predeclared &entry, const ast::Call &e,
                            llvm::ArrayRef<const Expr *> args);
  bool haveTypes(const ast::Call &e, llvm::ArrayRef<const Expr *> args,
                 llvm::function_ref<bool(Type)> fits);
  const Expr *conversion(const ast::Call &e, const Expr *arg, Type to);
  const Expr *realFunction(const Predeclared &entry, const ast::Call &e,
                           llvm::ArrayRef<const Expr *> args);
  Type realType(Type own, llvm::ArrayRef<const Expr *> args) const;
  const Expr *functionValue(const Predeclared &entry, const ast::Call &e,
                            llvm::ArrayRef<const Expr *> args);
  const Expr *commonFunction(Function function, const ast::Call &e,
                             llvm::ArrayRef<const Expr *> args);
  const Expr *doubleFunction(Function function, const ast::Call &e,
                             llvm::ArrayRef<const Expr *> args, Type own);
  const Expr *integerFunction(Function function, const ast::Call &e,
                              llvm::ArrayRef<const Expr *> args);
  bool countArguments(const ast::Call &e, unsigned least, unsigned most);

  // ComplexFunctions.cpp
  const Expr *complexFunction(Function function, const ast::Call &e,
                              const Expr *arg);
  const Expr *complexValue(Function function, const Expr *arg,
                           SourceRange range);
  Procedure *hiddenFunction(Function function, Type type, SourceRange range);

  // StandardStmts.cpp: files and timers
  const Expr *fileFunction(Function function, const ast::Call &e,
                           llvm::ArrayRef<const Expr *> args);
  const Expr *readTimer(const ast::Call &e);
  Variable *timerArgument(const ast::Expr &e);
  Stmt *standardStmt(const ast::Call &e, const Predeclared &entry);
  Stmt *closeStmt(const ast::Call &e);
  Stmt *closeOf(const Expr *file, SourceRange range);
  Stmt *timerStmt(const ast::Call &e, TimerStmt::Op op);
  Stmt *bindStmt(const ast::Call &e, Function function);
  Procedure *elementProcedure(const ast::Expr &e, Type element);

  // Calls.cpp
  const Expr *call(const ast::Call &e);
  void reportCalled(const ast::Call &e, const Symbol &symbol);
  /// The name is a procedure's. Null after a report.
  CallExpr *procedureCall(const ast::Call &e);
  const Expr *valueArgument(const Expr *value, const Symbol &formal);
  const Expr *referenceArgument(const ast::Expr &arg, const Expr *value,
                                const Symbol &formal);
  bool familyArgument(const Expr *value, const Symbol &formal);
  const Expr *constantFile(const Expr *value);
  bool checkReference(const Expr *place, const Symbol &formal,
                      const Symbol &root);
  bool checkUniform(const Expr *place, const Symbol &formal);
  void addBounds(CallExpr &call);
  bool promote(CallExpr &call);
  /// Reports why \p symbol cannot be assigned, if so. \p byReference: what is
  /// tried is to pass it so.
  bool checkWritable(const Symbol &symbol, SourceRange range, bool byReference);

  // Overloads.cpp
  /// The procedure that the call means; null after a report.
  Procedure *resolve(const ast::Call &e, llvm::ArrayRef<Symbol *> overloads,
                     llvm::ArrayRef<const Expr *> args);
  Procedure *resolveOnly(const ast::Call &e, Procedure &callee,
                         llvm::ArrayRef<const Expr *> args);

  // Regions.cpp
  /// \p quoteRank: the rank that the context gives a quote; 0: none.
  const RegionExpr *region(const ast::Expr &e, unsigned quoteRank);
  const RegionExpr *laterRegion(const ast::Expr &e, llvm::StringRef what);
  const RegionExpr *quotedRegion(const ast::Expr &e, unsigned quoteRank);
  const RegionExpr *regionLiteral(const ast::RegionLit &e);
  const RegionExpr *regionOp(const ast::RegionOp &e);
  const RegionExpr *declaredRegion(const ast::RegionCall &e);
  const RegionExpr *namedRegion(const ast::NameRef &e);
  bool isRegion(const ast::Expr &e) const;
  std::optional<DirectionExprs> direction(const ast::Expr &e);
  std::optional<DirectionExprs> scaledDirection(const ast::Scaledby &e);
  std::optional<DirectionExprs> namedDirection(const ast::NameRef &e);
  const Expr *indexValue(const ast::Expr &e, llvm::StringRef what);

  // ValueTypes.cpp: types of regions and directions
  Type regionType(const ast::RegionType &type);
  Type directionType(const ast::DirectionType &type);
  Type untypedType(const ast::TypeExpr &type, Type::Kind kind);
  Type initializedType(const ast::TypeExpr &type, const ast::Expr *init);
  Type resultValueType(const ast::TypeExpr &type);
  Type designatedType(const ast::Expr &e) const;
  Type::Kind kindOf(const ast::Expr &e) const;
  bool mayBeDirection(const ast::Expr &e) const;
  Type typeFrom(const ast::Expr &e, Type::Kind kind);
  unsigned directionRank(const ast::Expr &e) const;
  std::optional<Shape> shapeFrom(const ast::Expr &e) const;
  bool isZeroComponent(const ast::Expr &direction, unsigned dim) const;

  // Values.cpp: regions and directions as values
  const Expr *storedNumber(const Expr *place, llvm::ArrayRef<int64_t> at);
  std::string unsetText(const Expr &place) const;
  const RegionExpr *regionOf(const Expr *place);
  DirectionExprs directionOf(const Expr *place);
  const Expr *valuePlace(const ast::Expr &e, Type::Kind kind);
  Shape knownShape(const RegionExpr &region) const;
  bool fitsRegion(const RegionExpr &region, Type type);
  const Expr *regionValue(const RegionExpr *region, Type type);
  bool fitsDirection(const DirectionExprs &components, Type type,
                     SourceRange range, const Symbol *named = nullptr);
  const Expr *directionValue(const DirectionExprs &components, Type type,
                             SourceRange range, const Symbol *named = nullptr);
  const Expr *convertedValue(const Expr *value, Type type);
  const Expr *typedValue(const ast::Expr &e, Type type);
  const Expr *ownValue(const ast::Expr &e, Type::Kind kind);
  const Expr *argumentValue(const ast::Expr &e,
                            llvm::ArrayRef<Symbol *> overloads, size_t number);
  const Expr *plainValue(const Expr *value);
  const Expr *levelOfPlace(const Expr *place);
  Stmt *regionAssignment(const Expr *target, const RegionExpr *value,
                         bool preserves, SourceRange range);
  bool assignValue(const ast::AssignStmt &s, Type::Kind kind, StmtList &to);
  void regionConstants(const ast::VariableDecl &d, Type type);
  void directionConstants(const ast::VariableDecl &d, Type type);
  bool valueConstants(const ast::VariableDecl &d, Type type);

  // Multi.cpp: the multi notation
  const RegionExpr *withoutLevel(const RegionExpr &region, size_t depth) const;
  const Expr *levelOf(const RegionExpr &region, SourceRange range);
  const Expr *levelOfCover(unsigned rank, SourceRange range);
  const Expr *levelOfArray(const ArrayExpr &reference, SourceRange range);
  std::optional<DirectionExprs> directionFor(const ast::Expr &e,
                                             const RegionExpr *region,
                                             const ArrayExpr *array);
  const Expr *inheritedIndex(Type element, SourceRange range);
  const Expr *multiIndex(const ast::Multi &e, Type index,
                         llvm::function_ref<const Expr *()> inherited);
  const Expr *multiElement(const ast::Multi &e, unsigned &levels);
  const Expr *multiParam(const ast::MultiParam &e);
  std::optional<DimType> multiRange(const ast::DefinedName &name,
                                    const ast::Expr &value, std::string &text);
  void multiDefinition(const ast::DefinedName &name, Type::Kind kind,
                       const ast::Expr &value);

  // Scopes.cpp
  /// The region of a scope or (\p isSource) of the source of a partial
  /// reduction, with the masks written there as one, over that region; after a
  /// report about a mask without it. A flood has no masks: region() checks its
  /// source. \p quoteRank as there; 0: that of the masks, if there are any.
  /// \p maskFirsts gets what the masks evaluate first, unless they inherit one;
  /// null: it comes before the statement.
  const RegionExpr *scopeRegion(const ast::Expr &e, unsigned quoteRank,
                                bool isSource, Mask &mask,
                                StmtList *maskFirsts = nullptr);
  Stmt *maskedAfter(StmtList first, const Mask &mask,
                    const RegionExpr &covering, Stmt *body);
  const Expr *maskValue(const Expr *value);
  unsigned maskRank(llvm::ArrayRef<const Expr *> values, SourceRange range);
  std::optional<Mask> conjunction(llvm::ArrayRef<const ast::Mask *> written,
                                  llvm::ArrayRef<const Expr *> values,
                                  unsigned rank);
  Stmt *scope(const ast::ScopeStmt &s);
  /// The rank of the innermost visible scope of at least \p least; reports and
  /// returns 0 if there is none.
  unsigned visibleRank(unsigned least, SourceRange range);

  // Boundaries.cpp: wrap and reflect
  Stmt *boundary(const ast::WrapStmt &s);
  const ArrayExpr *boundaryArray(const ast::Expr &e, llvm::StringRef word);
  bool resolveBoundary(BoundaryStmt &node, unsigned rank);
  void keepBoundary(VisibleScope &scope, const RegionExpr &of);
  const RegionExpr *keptRegion(const RegionExpr &region,
                               llvm::ArrayRef<const Expr *> direction,
                               StmtList &before);
  const Expr *keptValue(const Expr *value, llvm::StringRef name,
                        StmtList &before);
  void nameBoundary(VisibleScope &scope, const Region &named,
                    const RegionExpr &of);

  // Waves.cpp: scan blocks
  Stmt *scanBlock(const ast::ScanBlockStmt &s);
  void waveStmts(const ast::StmtList &body, StmtList &to);
  bool prime(ArrayExpr &e, SourceRange direction);

  // Shatter.cpp
  /// Makes procedures of the control flow in \p procedure that runs once per
  /// index.
  void shatter(Procedure &procedure);
  void shatter(StmtList &list, Procedure &procedure);
  Stmt *shattered(Stmt *s, Procedure &procedure);

  // Statements.cpp
  Stmt *stmt(const ast::Stmt &s);
  Stmt *stmtItself(const ast::Stmt &s);
  const Expr *loopCondition(const ast::Expr &e, StmtList &first);
  void stmts(const ast::StmtList &from, StmtList &to);
  Stmt *block(const ast::StmtList &body, SourceRange range);
  Stmt *empty(SourceRange range);
  Stmt *ifStmt(const ast::IfStmt &s, size_t arm);
  Stmt *forStmt(const ast::ForStmt &s);
  Stmt *returnStmt(const ast::ReturnStmt &s);
  Stmt *callStmt(const ast::CallStmt &s);
  Stmt *reportUnsupported(const ast::Stmt &s, llvm::StringRef what);
  Stmt *single(StmtList list, SourceRange range);
  const Expr *forVariable(const ast::ForStmt &s);
  const Expr *forBound(const ast::Expr &e, Type type);
  bool checkInLoop(llvm::StringRef word, SourceRange range);

  // Io.cpp
  struct Io;
  Stmt *ioStmt(const ast::IoStmt &s);
  Stmt *haltStmt(const ast::HaltStmt &s);
  llvm::ArrayRef<ast::Item> takeFile(llvm::ArrayRef<ast::Item> items, Io &io);
  void items(llvm::ArrayRef<ast::Item> from, Io &io);
  void plainItem(const ast::Item &item, Io &io);
  // These take the first items and return the others.
  llvm::ArrayRef<ast::Item> formattedItems(llvm::ArrayRef<ast::Item> from,
                                           Io &io);
  llvm::ArrayRef<ast::Item> computedFormat(llvm::ArrayRef<ast::Item> from,
                                           Io &io);
  llvm::ArrayRef<ast::Item> skipFormat(llvm::ArrayRef<ast::Item> from,
                                       size_t values);
  bool takeConversions(const Format &format, size_t &next, const Expr *value,
                       const ast::StringLiteral &literal, const ast::Item &item,
                       std::vector<WriteItem> &to);
  void addPiece(Io &io, std::unique_ptr<Blanks> over,
                std::vector<WriteItem> pieces);
  const Expr *itemValue(const ast::Expr &e, Io &io, bool isWhole);
  bool checkItemType(const Expr *value, const Io &io);
  Stmt *ioPart(const Io &io, std::vector<WriteItem> pieces, SourceRange range);
  void writePieces(Io &io, SourceRange range, StmtList &to);

  // Families.cpp: indexed arrays of parallel arrays
  struct FamilySyntax {
    llvm::SmallVector<const ast::IndexedArrayType *, 2> levels;
    const ast::ParallelType *member = nullptr; ///< null: it is no family
  };
  struct FamilyLevel {
    llvm::SmallVector<DimType, 2> dims;
    std::string text; ///< of the bounds, as written
  };
  using FamilyBounds = std::vector<FamilyLevel>;
  const Expr *wholeFamily(Array &symbol, const ast::NameRef &e);
  bool checkFinished(const Expr *value);
  const Expr *memberOf(const ArrayExpr &family,
                       llvm::ArrayRef<const Expr *> subscripts,
                       SourceRange range);
  const Expr *memberAt(const ArrayExpr &family,
                       llvm::ArrayRef<const ast::Expr *> indices,
                       SourceRange range);
  bool checkMember(const ArrayExpr &family, const Expr *value, unsigned dim);
  const Expr *multiMember(const ast::Multi &e, const ArrayExpr &family);
  const ast::TypeExpr &familyNamed(const ast::TypeExpr &type);
  FamilySyntax familySyntax(const ast::TypeExpr &type);
  std::optional<FamilyBounds> familyBounds(const FamilySyntax &syntax);
  void makeFamily(Array &array, const FamilyBounds &bounds);
  void formalFamily(const FamilySyntax &syntax, Array &array);
  void leadWithMember(const Array &array);
  void familyVariables(const ast::VariableDecl &d, const FamilySyntax &syntax);
  bool familyMembers(const ast::VariableDecl &d, const FamilySyntax &syntax,
                     const FamilyBounds &bounds, bool isMulti, Array &array);
  void setDeclared(Array &array, const RegionExpr &declared);
  bool familyInitializer(const ast::Expr &e, Array &array);
  const Expr *memberPlace(Array &array, SourceRange range);
  bool memberList(const ast::InitList &list, Array &array, Type level,
                  unsigned dim, unsigned number, const Expr *condition);

  // Declarations.cpp
  void announce(const ast::Decl &d);
  void declaration(const ast::Decl &d);
  void variableDecl(const ast::VariableDecl &d);
  bool isLaterType(const ast::VariableDecl &d);
  void scalarVariables(const ast::VariableDecl &d, Type type);
  void arrayVariables(const ast::VariableDecl &d,
                      const ast::ParallelType &type);
  Type elementType(const ast::ParallelType &type);
  bool checkConfigType(const ast::VariableDecl &d, Type type);
  void regionDecl(const ast::RegionDecl &d);
  void directionDecl(const ast::DirectionDecl &d);
  void declareRegion(const ast::Name &name, const RegionExpr *value);
  void declareDirection(const ast::Name &name, const DirectionExprs &components,
                        Type type);
  void add(Symbol *symbol);
  /// A symbol that silences uses of a name whose declaration is wrong.
  void declareDummy(const ast::Name &name);
  void notSupported(SourceRange range, llvm::StringRef what);
  void checkHasValue(const ast::VariableDecl &d);
  Storage storageOf(const ast::VariableDecl &d) const;
  void initialize(Variable &variable, const Initializer &init);
  void setUpAlone(const Expr *place, const Initializer &init, Storage storage,
                  StmtList &to);

  // Statics.cpp
  bool reportLocal(const Symbol *local, SourceRange range);
  void checkStatic(const Expr *init, const StmtList &setup);
  bool checkStatic(const RegionExpr &region);

  // Defaults.cpp: -D name=value
  const Expr *literalOf(llvm::StringRef text, Type type, SourceRange range);
  void overrideDefault(Variable &variable);
  void checkDefaults();

  // Externs.cpp
  interop::Header headerOf(const ast::ExternHeaderDecl &d) const;
  void externHeader(const ast::ExternHeaderDecl &d);
  void externType(const ast::TypeDecl &d);
  void externVariables(const ast::VariableDecl &d);
  void lookUpConstants(const ast::Module &module);
  bool setConstant(Variable &constant, const interop::ZplType &type,
                   llvm::StringRef thunk);
  void externProcedure(Procedure &procedure, const ast::ProcedureDecl &d);
  const Expr *importedValue(const interop::CValue &value, Type type,
                            SourceRange range);
  void importExterns();

  // Unused.cpp
  void reportUnused();

  // Initializers.cpp
  /// \p rank: of the parallel array whose elements have \p type; 0: a variable.
  /// Null after a report.
  std::unique_ptr<Initializer> initializer(const ast::Expr &e, Type type,
                                           unsigned rank, bool isFree);
  const Expr *freeValue(const ast::Expr &e);
  const Expr *elementValue(const ast::Expr &e, unsigned rank);
  const Expr *initialElements(const ast::Expr &e, unsigned rank);
  bool recordList(const ast::InitList &list, Type type, unsigned rank,
                  Initializer &to);
  bool arrayList(const ast::InitList &list, Type type, size_t dim,
                 unsigned rank, Initializer &to);
  bool arrayItems(const ast::InitList &list, Type type, size_t dim, size_t last,
                  unsigned rank, Initializer &to);
  const Expr *boundExpr(TypeBound bound, SourceRange range);
  const Expr *elementPlace(const Expr *place, llvm::ArrayRef<int64_t> offsets,
                           SourceRange range);
  /// Adds to \p to the statements that give \p place its value.
  void setUp(const Expr *place, const Initializer &init, StmtList &to);

  // TypeExprs.cpp
  /// The type that \p type stands for, of a variable, field or element; Error
  /// after a report. No parallel array.
  Type valueType(const ast::TypeExpr &type);
  /// The parallel array type that \p type is or names, or null.
  const ast::ParallelType *parallelType(const ast::TypeExpr &type);
  Type namedType(const ast::Name &name);
  Type enumType(const ast::EnumType &type, llvm::StringRef name);
  std::optional<int64_t> enumValue(const ast::EnumType::Value &value);
  Type recordType(const ast::RecordType &type, llvm::StringRef name);
  Type partType(const ast::TypeExpr &type, llvm::StringRef what);
  Type arrayType(const ast::IndexedArrayType &type);
  std::optional<DimType> dimType(const ast::IndexedArrayType::Bound &bound,
                                 SourceRange whole, std::string &text);
  DimType blankBounds(SourceRange range);
  const Expr *boundValue(const ast::Expr &e);
  const Symbol *notFixed(const Expr &value, SourceRange &range);
  Type checkSize(Type type, SourceRange range);
  void typeDecl(const ast::TypeDecl &d);
  void reportUnknownType(const ast::Name &name);

  // Procedures.cpp
  void procedureDecl(const ast::ProcedureDecl &d);
  Procedure *declareProcedure(const ast::ProcedureDecl &d);
  Procedure *redeclare(const ast::ProcedureDecl &d, Procedure &earlier,
                       Procedure &procedure);
  void signature(const ast::ProcedureDecl &d, Procedure &procedure,
                 llvm::ArrayRef<Type> generics);
  void procedureBody(const ast::ProcedureDecl &d, Procedure &procedure);
  Symbol *formal(const ast::Formal &f, bool ofFree);
  Type formalType(const ast::Formal &f);
  void formalDims(const ast::ParallelType &type, Array &array);
  void resultType(const ast::ProcedureDecl &d, Procedure &procedure);
  Procedure *instantiate(Procedure &pattern, llvm::ArrayRef<Type> arguments);
  void instantiateAll();
  void checkEntry(const ast::Module &module);
  void checkPrototypes();
};

} // namespace zpl::sema

#endif // ZPL_LIB_SEMA_CHECK_CHECKER_H
