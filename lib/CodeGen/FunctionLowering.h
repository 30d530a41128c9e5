//===- FunctionLowering.h - One procedure to one LLVM function --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_FUNCTIONLOWERING_H
#define ZPL_LIB_CODEGEN_FUNCTIONLOWERING_H

#include "ModuleLowering.h"
#include "ScalarOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/IR/IRBuilder.h"
#include <map>
#include <set>

namespace zpl::codegen {

class MLoopLowering;
class SkewedRows;

/// Lowers the body of one procedure. Each group of nodes has a file of its own;
/// the comments below say which.
class FunctionLowering {
public:
  FunctionLowering(ModuleLowering &module, const air::Procedure &procedure,
                   llvm::Function *function);
  void run();

private:
  friend class JoinedLoops;
  friend class MLoopLowering;
  friend class SkewedRows;
  friend class SubscriptRanges;

  // FunctionLowering.cpp: the frame, and statements by kind.
  void bindParameters();
  void makeLocals();
  void makeVariable(const air::Variable *variable);
  void prepareTransfers();
  void findSharedStorage();
  void endFunction();
  void lower(const air::StmtList &statements);
  void lower(const air::Stmt *stmt);
  /// A cell in the entry block.
  llvm::AllocaInst *addAlloca(llvm::Type *type, const llvm::Twine &name);
  /// Memory of \p bytes bytes, on a cache line, for the streamed store with
  /// this number in its M-loop; the same for all M-loops.
  llvm::Value *streamBuffer(unsigned number, int64_t bytes);
  /// The address of a region's or array's descriptor; for a variable, its cell,
  /// which holds the memory's address if it is onHeap.
  llvm::Value *address(const void *thing) const;
  /// The address of an array's descriptor; for a view, that of what it is bound
  /// to.
  llvm::Value *address(const air::Array *array);
  /// Following instructions belong to \p range in debug information.
  void setPlace(SourceRange range);
  bool isTerminated() const {
    return builder.GetInsertBlock()->getTerminator() != nullptr;
  }
  llvm::BasicBlock *addBlock(const llvm::Twine &name);
  /// Goes on in \p block, after a jump there unless control has left already.
  void startBlock(llvm::BasicBlock *block);

  // LowerScalar.cpp: expressions and variables.
  llvm::Value *lower(const air::Expr *expr);
  llvm::Value *lowerNode(const air::Expr *expr);
  llvm::Value *lowerConstant(const air::ConstExpr *expr);
  llvm::Value *lowerCall(const air::CallExpr *call);
  llvm::Value *lowerThunkCall(const air::CallExpr *call);
  llvm::Value *lowerArgument(const air::Argument &arg);
  /// A descriptor for a part of all elements of an array.
  llvm::Value *lowerPart(const air::Expr *place);
  struct ElementCopy {
    const air::Expr *element;
    llvm::Value *place, *cell; ///< their addresses
  };
  ElementCopy copyElement(const air::Expr *element);
  /// As an index, of type i64.
  llvm::Value *lowerIndex(const air::Expr *expr);
  llvm::Value *load(air::Type type, llvm::Value *address,
                    const llvm::Twine &name);
  /// The two halves of a load: what is in memory, and its value.
  llvm::LoadInst *loadMemory(air::Type type, llvm::Value *address,
                             const llvm::Twine &name);
  llvm::Value *fromMemory(air::Type type, llvm::Value *loaded);
  /// Stores a value, or copies an aggregate from its address.
  llvm::Instruction *store(air::Type type, llvm::Value *value,
                           llvm::Value *address);
  llvm::Value *readVariable(const air::Variable *variable);
  void writeVariable(const air::Variable *variable, llvm::Value *value);
  /// The value in memory of its own, for what takes values by address.
  llvm::Value *inMemory(air::Type type, llvm::Value *value,
                        const llvm::Twine &name);

  // LowerAggregates.cpp: places, run-time sizes and descriptors of types.
  llvm::Value *addressOf(const air::Expr *place);
  llvm::Value *addressOfField(const air::FieldExpr *expr);
  llvm::Value *addressOfElement(const air::SubscriptExpr *expr);
  llvm::Value *computeElement(const air::SubscriptExpr *expr, bool checks);
  llvm::Value *variableAddress(const air::Variable *variable);
  llvm::Value *lowerField(const air::FieldExpr *expr);
  llvm::Value *readPlace(const air::Expr *place);
  llvm::Value *bound(const air::Bound &bound);
  /// The extent of dimension \p dim, at least 0, as i64.
  llvm::Value *extent(const air::TypeInfo &array, unsigned dim);
  llvm::Value *sizeOf(air::Type type);
  llvm::Value *offsetOf(const air::TypeInfo &record, unsigned field);
  llvm::Value *typeTable(air::Type type);
  void fillTypeTable(air::Type type);

  // LowerChecks.cpp: what -fcheck adds.
  void failUnless(llvm::Value *condition,
                  llvm::function_ref<void()> emitFailure);
  bool checksSubscripts() const;
  void checkSubscript(const air::SubscriptExpr *expr, unsigned dim,
                      llvm::Value *subscript);
  void failSubscript(const air::SubscriptExpr *expr, unsigned dim,
                     llvm::Value *subscript);
  void checkDivisor(const air::BinaryExpr *expr, llvm::Value *divisor);
  void checkOverflow(const air::BinaryExpr *expr, llvm::Value *left,
                     llvm::Value *right);
  void checkNegation(const air::UnaryExpr *expr, llvm::Value *operand);
  void failOverflow(const air::Expr *expr, llvm::Value *left,
                    llvm::StringRef op, llvm::Value *right);
  void checkConversion(const air::CastExpr *expr, llvm::Value *operand);
  void checkEnumerator(air::Type type, llvm::Value *value, SourceRange range);
  void lowerCheckShape(const air::CheckShapeStmt *stmt);
  void lowerCheckThat(const air::CheckThatStmt *stmt);

  // LowerControl.cpp: branches and loops.
  void branchOn(const air::Expr *condition, llvm::BasicBlock *yes,
                llvm::BasicBlock *no);
  void lowerIf(const air::IfStmt *stmt);
  void lowerWhile(const air::WhileStmt *stmt);
  void lowerRepeat(const air::RepeatStmt *stmt);
  void lowerFor(const air::ForStmt *stmt);
  void lowerIntegerFor(const air::ForStmt *stmt, llvm::Value *cell);
  void lowerFloatFor(const air::ForStmt *stmt, llvm::Value *cell);
  void lowerReturn(const air::ReturnStmt *stmt);
  void lowerLoopBody(const air::StmtList &body, llvm::BasicBlock *exit,
                     llvm::BasicBlock *next);

  // LowerRegion.cpp: regions.
  struct Dim {
    llvm::Value *lo, *hi, *stride, *align;
  };
  llvm::Value *dimAddress(llvm::Value *region, unsigned dim, DimField field);
  llvm::Value *singletonsAddress(llvm::Value *region);
  llvm::Value *levelAddress(llvm::Value *region);
  llvm::Value *lowerLevel(const air::RegionExpr &value);
  llvm::Value *readDimField(llvm::Value *region, air::DimKind kind,
                            unsigned dim, DimField field, llvm::StringRef name);
  Dim readDim(const air::Region *region, unsigned dim);
  llvm::Value *declaredRegion(const air::Array *array);
  Dim declaredDim(const air::Array *array, unsigned dim);
  llvm::Value *ownBlock(unsigned rank);
  /// Where the element at the positions (0,...,0) is, or would be.
  llvm::Value *origin(const air::Array *array);
  llvm::Value *ownBound(llvm::Value *own, unsigned dim, bool isHigh,
                        bool changes = false);
  llvm::Value *readBound(const air::Region *region, unsigned dim,
                         air::BoundExpr::Which which);
  llvm::Value *modulo(llvm::Value *number, llvm::Value *modulus);
  Dim selectDim(llvm::Value *component, Dim below, Dim same, Dim above);
  Dim dimOf(Dim base, llvm::Value *component);
  Dim dimIn(Dim base, llvm::Value *component);
  Dim dimAt(Dim base, llvm::Value *component);
  Dim lowerDim(const air::RegionExpr &value, unsigned dim);
  llvm::Value *lowerSingletons(const air::SetRegionStmt *stmt);
  void lowerSetRegion(const air::SetRegionStmt *stmt);

  // LowerRuntime.cpp: what the runtime does.
  /// Structures in memory, a row for each; constant ones if all values are,
  /// else in the frame.
  llvm::Value *table(llvm::StructType *type,
                     llvm::ArrayRef<llvm::SmallVector<llvm::Value *, 5>> rows,
                     const llvm::Twine &name);
  /// The address of a direction's components: where a variable has them, a
  /// constant, or a table in the frame.
  llvm::Value *direction(llvm::ArrayRef<const air::Expr *> components);
  void lowerBindArray(const air::BindArrayStmt *stmt);
  void lowerAlloc(const air::AllocArrayStmt *stmt);
  void lowerRealloc(const air::ReallocStmt *stmt);
  llvm::Value *borderTable(const air::Array *array);
  void lowerCheck(const air::CheckStmt *stmt);
  void lowerCombine(const air::CombineStmt *stmt);
  void lowerSplitCombine(const air::CombineStmt *stmt);
  void lowerHalt(SourceRange range);
  void lowerMissingReturn(llvm::StringRef procedureName, SourceRange range);
  void lowerTimer(const air::TimerStmt *stmt);
  void lowerTransferPoint(const air::TransferPointStmt *stmt);
  llvm::Value *shiftTable(const air::Transfer *transfer);
  void fillViews(const air::Transfer *transfer);
  void lowerAllocVariable(const air::AllocVariableStmt *stmt);

  // LowerCommunication.cpp: array operators.
  llvm::Value *maskTable(const air::Mask &mask);
  llvm::Value *mapTable(llvm::ArrayRef<air::Map> maps);
  void lowerShift(const air::ShiftStmt *stmt);
  void lowerFlood(const air::FloodStmt *stmt);
  void lowerPut(const air::PutStmt *stmt);
  void lowerFold(const air::FoldStmt *stmt);
  void lowerCombineArray(const air::CombineArrayStmt *stmt);
  void lowerScan(const air::ScanStmt *stmt);
  void lowerOperatorEnd(const air::OperatorEndStmt *stmt);
  llvm::AllocaInst *splitOf(const void *key, llvm::StringRef name);
  llvm::AllocaInst *newSplit(const void *key, llvm::StringRef name);
  void lowerGather(const air::GatherStmt *stmt);
  void lowerScatter(const air::ScatterStmt *stmt);
  void lowerBoundary(const air::BoundaryStmt *stmt);

  // LowerWave.cpp: wavefronts.
  void lowerWave(const air::WaveStmt *stmt);
  void lowerInterleave(const air::InterleaveStmt *stmt);
  int64_t bytesPerIndex(const air::InterleaveStmt &loops) const;

  // LowerIo.cpp: files, input and output, config variables.
  void lowerWrite(const air::WriteStmt *stmt);
  void lowerWriteItem(const air::WriteStmt *stmt, const air::WriteItem &item,
                      llvm::Value *file);
  void lowerRead(const air::ReadStmt *stmt);
  void lowerReadItem(const air::ReadStmt *stmt, const air::ReadItem &item,
                     llvm::Value *file);
  void lowerBuiltin(const air::BuiltinStmt *stmt);
  void lowerBindIo(const air::BindIoStmt *stmt);
  void lowerConfig(const air::ConfigStmt *stmt);

  ModuleLowering &module;
  const TypeLowering &types;
  RuntimeCalls &calls;
  const air::Procedure &procedure;
  llvm::Function *function;
  llvm::IRBuilder<> builder;
  ScalarOps ops;

  /// Cells of variables, descriptors of regions and arrays; locals and
  /// parameters only.
  llvm::DenseMap<const void *, llvm::Value *> addresses;
  /// The zrt_shift tables of transfers.
  llvm::DenseMap<const air::Transfer *, llvm::Value *> shiftTables;
  /// The cells of variables whose combination is split, and of results of split
  /// operators.
  llvm::DenseMap<const void *, llvm::AllocaInst *> splits;
  /// Arrays that may share storage because statements make one of the other.
  llvm::EquivalenceClasses<const air::Array *> storages;
  /// What makes an array that is made by one shift.
  llvm::DenseMap<const air::Array *, const air::ShiftStmt *> shifts;
  llvm::SmallVector<llvm::AllocaInst *, 2> streamBuffers;
  llvm::AllocaInst *lastAlloca = nullptr;
  llvm::Value *resultAddress = nullptr; ///< where an aggregate result goes

  struct LoopTargets {
    llvm::BasicBlock *exit, *next;
  };
  llvm::SmallVector<LoopTargets, 4> loops; ///< around the current statement

  /// What statements in a row that change no variable have computed of elements
  /// of indexed arrays (LowerAggregates.cpp).
  struct SharedPlaces {
    /// By the text, and whether subscripts were checked.
    std::map<std::pair<std::string, bool>, llvm::Value *> elements;
    llvm::DenseMap<const air::Variable *, llvm::Value *> bounds;
    llvm::DenseMap<std::pair<const air::TypeInfo *, unsigned>, llvm::Value *>
        extents;
    /// Lower and upper bound, and a subscript between.
    std::set<std::array<llvm::Value *, 3>> inside;
  } shared;
  bool sharesPlaces = false; ///< the current statement is one of these

  MLoopLowering *mloop = nullptr; ///< while its body is lowered
  /// Values of the shared parts of the expression that is being lowered.
  llvm::DenseMap<const air::Expr *, llvm::Value *> values;
  unsigned exprDepth = 0;
  bool isBinding = false; ///< subscripts are checked whatever the options
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_FUNCTIONLOWERING_H
