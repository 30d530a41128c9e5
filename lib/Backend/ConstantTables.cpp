//===- ConstantTables.cpp - Stores of constants as copied tables ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var a: array [1..4] of integer = {3, 1, 4, 1};
//
//     store i32 3, ptr %a                  @table = constant [16 x i8] c"..."
//     store i32 1, ptr gep(%a, 4)    ==>   call void @llvm.memcpy(ptr %a,
//     ...                                      ptr @table, i64 16)
//
// A *run* is a sequence of stores of numbers to one object at constant offsets,
// with nothing else between them that reads or writes memory. Their order is
// free, apart from those to the same bytes, where the last one counts. Sorted
// by offset they fall into pieces without a gap; each piece of 16 stores or
// more becomes one table. Bytes that no store writes are never written: a gap
// may be a field with a value of its own.
//
// Cost: that of sorting the stores of the block.
//
//===----------------------------------------------------------------------===//

#include "ConstantTables.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace zpl {

namespace {

constexpr size_t FewestStores = 16;

struct ConstantStore {
  StoreInst *store;
  int64_t begin, end; ///< bytes of the object
};

/// Stores one after the other to one object.
struct Run {
  Value *object = nullptr;
  std::vector<ConstantStore> stores;
};

} // namespace

/// The bits of a number whose size in memory is a whole number of bytes.
static std::optional<APInt> bitsOf(const Value *value) {
  std::optional<APInt> bits;
  if (auto *integer = dyn_cast<ConstantInt>(value))
    bits = integer->getValue();
  else if (auto *real = dyn_cast<ConstantFP>(value);
           real &&
           (real->getType()->isFloatTy() || real->getType()->isDoubleTy()))
    bits = real->getValueAPF().bitcastToAPInt();
  return bits && bits->getBitWidth() % 8 == 0 ? bits : std::nullopt;
}

/// Adds \p store to \p run, if it stores a number and is to the run's object,
/// or the first.
static bool append(StoreInst &store, const DataLayout &layout, Run &run) {
  std::optional<APInt> bits = bitsOf(store.getValueOperand());
  if (!bits || !store.isSimple())
    return false;
  Value *pointer = store.getPointerOperand();
  APInt offset(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  Value *object = pointer->stripAndAccumulateConstantOffsets(
      layout, offset, /*AllowNonInbounds=*/true);
  if (run.object && run.object != object)
    return false;
  run.object = object;
  int64_t begin = offset.getSExtValue();
  run.stores.push_back({&store, begin, begin + bits->getBitWidth() / 8});
  return true;
}

/// The bytes of a piece that begins at \p begin and ends at \p end; the stores
/// are in the order of the program.
static std::string imageOf(ArrayRef<ConstantStore> stores, int64_t begin,
                           int64_t end, bool isLittleEndian) {
  std::string image(end - begin, '\0');
  for (const ConstantStore &part : stores) {
    APInt bits = *bitsOf(part.store->getValueOperand());
    int64_t bytes = part.end - part.begin;
    for (int64_t k = 0; k < bytes; ++k)
      image[part.begin - begin + (isLittleEndian ? k : bytes - 1 - k)] =
          static_cast<char>(bits.extractBitsAsZExtValue(8, 8 * k));
  }
  return image;
}

/// Replaces one piece by a copy, after the last store of the run.
static void replace(MutableArrayRef<ConstantStore> piece, int64_t end,
                    const Run &run, Instruction *last) {
  Module &module = *last->getModule();
  int64_t begin = piece.front().begin;
  Align align = piece.front().store->getAlign();
  // Program order, which comesBefore() knows in constant time.
  llvm::sort(piece, [](const ConstantStore &a, const ConstantStore &b) {
    return a.store->comesBefore(b.store);
  });
  auto *bytes = ConstantDataArray::getString(
      module.getContext(),
      imageOf(piece, begin, end, module.getDataLayout().isLittleEndian()),
      /*AddNull=*/false);
  auto *table = new GlobalVariable(
      module, bytes->getType(),
      /*isConstant=*/true, GlobalValue::PrivateLinkage, bytes, ".table");
  table->setAlignment(std::max(align, Align(16)));
  table->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  IRBuilder<> builder(last->getNextNode());
  builder.SetCurrentDebugLocation(last->getDebugLoc());
  Value *target = builder.CreatePtrAdd(run.object, builder.getInt64(begin));
  builder.CreateMemCpy(target, align, table, table->getAlign(), end - begin);
}

/// Replaces the pieces of \p run that are long enough.
static bool replacePieces(Run &run) {
  if (run.stores.size() < FewestStores)
    return false;
  Instruction *last = run.stores.back().store;
  llvm::stable_sort(run.stores, [](const auto &a, const auto &b) {
    return a.begin < b.begin;
  });
  std::vector<StoreInst *> replaced;
  MutableArrayRef<ConstantStore> rest = run.stores;
  while (!rest.empty()) {
    int64_t end = rest.front().end;
    size_t count = 1;
    for (; count < rest.size() && rest[count].begin <= end; ++count)
      end = std::max(end, rest[count].end);
    MutableArrayRef<ConstantStore> piece = rest.take_front(count);
    rest = rest.drop_front(count);
    if (count < FewestStores)
      continue;
    replace(piece, end, run, last);
    for (ConstantStore &part : piece)
      replaced.push_back(part.store);
  }
  for (StoreInst *store : replaced) {
    Value *pointer = store->getPointerOperand();
    store->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(pointer);
  }
  return !replaced.empty();
}

bool storeByTables(BasicBlock &block) {
  const DataLayout &layout = block.getModule()->getDataLayout();
  std::vector<Run> runs(1);
  for (Instruction &instruction : block) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (store && append(*store, layout, runs.back()))
      continue;
    if (!instruction.mayReadOrWriteMemory() || runs.back().stores.empty())
      continue;
    runs.emplace_back();
    if (store)
      append(*store, layout, runs.back());
  }
  bool changed = false;
  for (Run &run : runs)
    changed |= replacePieces(run);
  return changed;
}

} // namespace zpl
