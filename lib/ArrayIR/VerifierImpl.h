//===- VerifierImpl.h - The verifier's one class ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_VERIFIERIMPL_H
#define ZPL_LIB_ARRAYIR_VERIFIERIMPL_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/ArrayIR/Printer.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/Twine.h"

namespace zpl::air {

/// All functions give false after the first broken rule. Verifier.cpp has
/// types and declarations, the Verify*.cpp the rest.
class Verifier {
public:
  explicit Verifier(const Module &module) : module(module) {}
  bool run();
  std::string message;
  SourceRange place;

private:
  bool fail(SourceRange range, const llvm::Twine &text);

  // Declarations.
  bool declare(const void *thing, llvm::StringRef name, Storage storage,
               Storage wanted, SourceRange range, llvm::StringSet<> &names);
  bool type(const TypeInfo *t, llvm::StringSet<> &names);
  bool knownType(Type type, SourceRange range);
  bool arrayType(const TypeInfo &info, SourceRange range);
  bool handleType(const TypeInfo &info, SourceRange range);
  bool view(const Array &a);
  bool knownTypes(const Procedure &p);
  bool variable(const Variable *v, Storage storage, llvm::StringSet<> &names);
  bool region(const Region *r, Storage storage, llvm::StringSet<> &names);
  bool border(const Array &a, const Region *r);
  bool array(const Array *a, Storage storage, llvm::StringSet<> &names);
  bool contracted(const Array &a);
  bool transfer(const Transfer *t, llvm::StringSet<> &names);
  bool hasNoDemands(const Procedure &p, SourceRange range);
  bool parameter(const Parameter &param, llvm::StringSet<> &names);
  bool procedure(const Procedure &p);
  bool declarations(const Procedure &p);
  bool specialProcedure(const Procedure *p, llvm::StringRef role);
  /// Per transfer the list of its points and how many have been seen.
  using SeenPoints =
      llvm::DenseMap<const Transfer *, std::pair<const StmtList *, int>>;
  bool transferPoints(const StmtList &list, SeenPoints &seen);
  bool transferPoint(const Transfer &transfer, int point, const Stmt &s,
                     const StmtList &list, SeenPoints &seen);
  bool splits(const StmtList &list);

  // Uses of names: declared in the module or in this procedure.
  template <typename T> bool visible(const T *thing, SourceRange range) {
    if (!thing)
      return fail(range, "an operand is missing");
    if (!globals.contains(thing) && !locals.contains(thing))
      return fail(range, printedName(*thing) + " is not declared here");
    if constexpr (std::is_same_v<std::remove_const_t<T>, Variable>)
      return hasMemory(*thing, range);
    if constexpr (std::is_same_v<std::remove_const_t<T>, Array>)
      return isAtHome(*thing, range);
    return true;
  }
  bool hasMemory(const Variable &v, SourceRange range);
  bool isAtHome(const Array &a, SourceRange range);
  bool scalarTarget(const Variable *v, Type type, SourceRange range);
  bool writable(const Expr *place, SourceRange range);
  bool sameRank(unsigned rank, unsigned wanted, llvm::StringRef what,
                SourceRange range);
  bool direction(llvm::ArrayRef<const Expr *> direction, unsigned rank,
                 SourceRange range);
  bool fits(const Shape &actual, const Shape &formal);
  bool readable(const Array *a, const Region *r, SourceRange range);
  bool writable(const Array *a, const Region *r, SourceRange range);

  // Statements.
  bool list(const StmtList &list);
  bool stmt(const Stmt &s);
  bool allowed(const Stmt &s);
  bool set(const SetStmt &s);
  bool setRegion(const SetRegionStmt &s);
  bool regionDims(const SetRegionStmt &s);
  bool variablePlace(const Expr *e, SourceRange range);
  bool bindArray(const BindArrayStmt &s);
  bool isLike(const AllocArrayStmt &s);
  bool checkShape(const CheckShapeStmt &s);
  bool checkThat(const CheckThatStmt &s);
  bool memory(const Variable *v, bool isAlloc, SourceRange range);
  bool read(const ReadStmt &s);
  bool builtin(const BuiltinStmt &s);
  bool bindIo(const BindIoStmt &s);
  bool config(const ConfigStmt &s);
  bool callStmt(const CallStmt &s);
  bool write(const WriteStmt &s);
  bool timer(const TimerStmt &s);
  bool conditional(const IfStmt &s);
  bool loop(const StmtList &prelude, const Expr *condition,
            const StmtList &body, SourceRange range);
  bool loopFor(const ForStmt &s);
  bool returns(const ReturnStmt &s);
  bool assign(const ArrayAssignStmt &s);
  bool reduce(const ReduceStmt &s);
  bool elementCall(const ElementCallStmt &s);
  bool reduceArray(const ReduceArrayStmt &s);
  bool mloop(const MLoopStmt &s);
  bool levels(const MLoopStmt &s);
  bool walkers(const MLoopStmt &s);
  bool elementOp(const ElementOp &op, const MLoopStmt &s);
  bool delays(const MLoopStmt &s);
  bool streams(const MLoopStmt &s);
  bool blocks(const MLoopStmt &s);
  bool readsNoPanels(const MLoopStmt &s);
  bool contractedArrays(const MLoopStmt &s);
  bool lines(const Array &a, const MLoopStmt &s);
  bool skewedRows(const MLoopStmt &s);
  bool awaits(const MLoopStmt &s);
  bool ahead(const MLoopStmt &s);
  bool accumulators(const MLoopStmt &s);
  bool accumulate(const ElementOp &op, SourceRange range);
  bool lets(const MLoopStmt &s);
  bool carry(const ElementOp &op, const Carry &carry, const MLoopStmt &s,
             const ElementOp *source);
  bool elementTarget(const Expr &place, const Expr &value, const Expr *guard,
                     SourceRange range);
  bool guard(const Region *r, const Expr *g, SourceRange range);
  bool reducible(Reduction op, Type type, SourceRange range);
  bool reducible(Reduction op, const Procedure *with, Type type,
                 SourceRange range);
  bool takesReferences(const Procedure *p, llvm::ArrayRef<Type> types,
                       SourceRange range);
  bool elementCall(const CallExpr *e, bool accumulates, const Expr *guard,
                   SourceRange range);

  // Statements of Communication.h, and checks.
  bool made(const Array *result, const Array *source, const Shape &shape,
            llvm::StringRef what, SourceRange range);
  bool twoArrays(const Array *target, const Array *source, SourceRange range);
  bool mask(const Mask &mask, const Region *r, const Array *target,
            SourceRange range);
  bool maps(llvm::ArrayRef<Map> maps, const Array *remapped, const Region *r,
            const Array *target, SourceRange range);
  bool partial(const Array *target, const Region *from, Type element,
               SourceRange range);
  bool shift(const ShiftStmt &s);
  bool flood(const FloodStmt &s);
  bool put(const PutStmt &s);
  bool fold(const FoldStmt &s);
  bool combineArray(const CombineArrayStmt &s);
  bool scan(const ScanStmt &s);
  bool scanDims(const ScanStmt &s);
  bool wave(const WaveStmt &s);
  bool waveOrder(const WaveStmt &s);
  bool primed(const WaveStmt &s);
  bool isReached(const WaveStmt &s, const Offset &offset);
  bool interleave(const InterleaveStmt &s);
  bool joins(const InterleaveStmt &s);
  bool inTurn(const Stmt &s, unsigned rank);
  const KnownStrides &knownStrides();
  bool gather(const GatherStmt &s);
  bool scatter(const ScatterStmt &s);
  bool combiner(const ScatterStmt &s);
  bool boundary(const BoundaryStmt &s);
  bool check(const CheckStmt &s);
  bool checkedThings(const CheckStmt &s);

  // Expressions.
  bool expr(const Expr *e, SourceRange range);
  bool typed(const Expr *e, Type type, SourceRange range);
  bool integer(const Expr *e, SourceRange range);
  bool inElements(const Region *r, const Expr *e, SourceRange range);
  bool constant(const ConstExpr &e);
  bool element(const ElementExpr &e);
  bool unary(const UnaryExpr &e);
  bool binary(const BinaryExpr &e);
  bool math(const MathExpr &e);
  bool field(const FieldExpr &e);
  bool subscript(const SubscriptExpr &e);
  bool complex(const ComplexExpr &e);
  bool cast_(const CastExpr &e);
  bool call(const CallExpr &e);
  bool partOfElements(const Expr *place, const Array &param, SourceRange range);
  bool argument(const Argument &arg, const Parameter &param, SourceRange range);

  const Module &module;
  const Procedure *proc = nullptr;
  const Region *covering = nullptr;   ///< not null: inside element code
  const MLoopStmt *inMLoop = nullptr; ///< whose element code that is
  const WaveStmt *inWave = nullptr;   ///< whose body is being checked
  /// The root of an argument that is a part of all elements of an array.
  const ElementExpr *partRoot = nullptr;
  const Expr *written = nullptr; ///< the root of the place that is assigned
  /// What the call that is verified may write although it is element code.
  const Expr *accumulator = nullptr;
  unsigned loopDepth = 0;
  llvm::DenseSet<const void *> globals, locals, procedures, types;
  /// Variables on the heap that have their memory, in the order of the text.
  llvm::DenseSet<const Variable *> allocated;
  /// The M-loops in which contracted arrays live.
  llvm::DenseMap<const Array *, const MLoopStmt *> homes;
  llvm::DenseSet<const Stmt *> seen;
  std::optional<KnownStrides> strides; ///< of the whole module, once asked for
};

/// What counts: I8 to U64.
inline bool isInteger(Type type) {
  return type.isInteger() && type != Type::Bool && type != Type::Char &&
         type != Type::Enum;
}
inline bool isNumber(Type type) { return isInteger(type) || type.isFloat(); }
/// What has an order.
inline bool isOrdered(Type type) { return type.isInteger() || type.isFloat(); }
/// What an array's element, a field, an assigned value can be.
inline bool isValue(Type type) {
  return type != Type::Void && type != Type::Timer;
}

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_VERIFIERIMPL_H
