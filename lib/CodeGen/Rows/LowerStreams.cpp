//===- LowerStreams.cpp - M-loops whose results go past the caches --------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     stream @B = e       large: computed in strips of a row into a buffer that
//                         stays in the first cache, and from there written to
//                         memory by non-temporal stores of whole cache lines
//
//   mloop.L9:
//     %streams = part of B larger than the runtime says, rows of some length
//   mloop.L9.strip:
//     %from = phi; %to = streams ? the strip's end, on a line : the row's end
//     %B.place = streams ? the buffer : B's row
//   mloop.L9.body:                    the innermost loop, from..to, to B.place
//   mloop.L9.strip.end:
//     call @zpl.stream.strip(B's row, %B.place, streams ? bytes : 0)
//   mloop.L9.fence:                   once, after the nest, if it streamed
//
// In strided dimensions strips are counted in steps, and only the version of
// the loop is cut into them that goes from element to element (LowerSteps.cpp).
//
// So there is one innermost loop, which vectorizes as it would otherwise, for
// elements of any type; alignment is a matter of the buffer alone, which lies
// as its place in the row does within cache lines. The first and the last line
// of a row, which may hold other elements, are written by ordinary stores.
//
// Measured with five points on squares of doubles, 11 to 63 MB, one core of an
// Ice Lake with 48 MB of shared cache: 0.64 to 0.80 of the time of ordinary
// stores with strips of 1 KB, 0.70 to 0.89 with 4 KB and more, 0.86 to 0.98
// with non-temporal stores in the loop itself; below 8 MB all of them are
// slower than ordinary ones, which is what zrtA_stream_bytes is asked for.
//
// Non-temporal stores of x86 are not ordered with others: the fence stands
// before anything that tells other processors. On other targets they are
// ordered as any store is.
//
// Cost: a few instructions per row where the result is small.
//
//===----------------------------------------------------------------------===//

#include "Rows/LowerStreams.h"
#include "Function/FunctionLowering.h"
#include "MLoop/LowerElementOps.h"
#include "MLoop/LowerMLoop.h"
#include "MLoop/LowerWalkers.h"
#include "Rows/LowerWays.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/Support/SaveAndRestore.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;
using llvm::cast;

namespace zpl::codegen {

static constexpr int64_t LineBytes = 64;

static int64_t stripBytes(const MLoopState &m) {
  return m.fn.module.options.figures.streamStrip;
}

//===----------------------------------------------------------------------===//
// zpl.stream.strip
//===----------------------------------------------------------------------===//

static Function *declareStreamFunction(ModuleLowering &module) {
  LLVMContext &context = module.module->getContext();
  const TypeLowering &types = module.types;
  auto *type = FunctionType::get(llvm::Type::getVoidTy(context),
                                 {types.ptr, types.ptr, types.i64}, false);
  auto *function = Function::Create(type, Function::InternalLinkage,
                                    "zpl.stream.strip", *module.module);
  function->setDoesNotThrow();
  function->addFnAttr(Attribute::NoInline);
  if (!module.options.cpu.empty())
    function->addFnAttr("target-cpu", module.options.cpu);
  if (!module.options.features.empty())
    function->addFnAttr("target-features", module.options.features);
  for (unsigned i : {0, 1}) {
    function->addParamAttr(i, Attribute::NoAlias);
    function->addParamAttr(i, Attribute::NoCapture);
  }
  function->getArg(0)->setName("to");
  function->getArg(1)->setName("from");
  function->getArg(2)->setName("bytes");
  return function;
}

/// A loop that copies cache lines from an offset to another one, past the
/// caches; each with the block before or after it.
static void copyLines(IRBuilder<> &builder, const TypeLowering &types,
                      Value *to, Value *from,
                      std::pair<Value *, BasicBlock *> begin,
                      std::pair<Value *, BasicBlock *> stop) {
  auto [first, before] = begin;
  auto [end, after] = stop;
  BasicBlock *lines = builder.GetInsertBlock();
  PHINode *offset = builder.CreatePHI(types.i64, 2, "offset");
  offset->addIncoming(first, before);
  llvm::Type *line = FixedVectorType::get(types.i64, LineBytes / 8);
  Value *value = builder.CreateAlignedLoad(
      line, builder.CreateGEP(types.i8, from, offset), Align(1), "line");
  StoreInst *store = builder.CreateAlignedStore(
      value, builder.CreateGEP(types.i8, to, offset), Align(LineBytes));
  store->setMetadata(LLVMContext::MD_nontemporal,
                     MDNode::get(builder.getContext(),
                                 ConstantAsMetadata::get(builder.getInt32(1))));
  Value *next = builder.CreateAdd(offset, builder.getInt64(LineBytes));
  offset->addIncoming(next, lines);
  builder.CreateCondBr(builder.CreateICmpEQ(next, end), after, lines);
}

/// `void @zpl.stream.strip(ptr to, ptr from, i64 bytes)`: memcpy of at least
/// one byte, whole cache lines past the caches.
static Function *makeStreamFunction(ModuleLowering &module) {
  LLVMContext &context = module.module->getContext();
  const TypeLowering &types = module.types;
  Function *function = declareStreamFunction(module);
  Value *to = function->getArg(0), *from = function->getArg(1),
        *bytes = function->getArg(2);
  auto block = [&](const char *name) {
    return BasicBlock::Create(context, name, function);
  };
  BasicBlock *entry = block("entry"), *head = block("head"),
             *middle = block("middle"), *lines = block("lines"),
             *rest = block("rest"), *tail = block("tail"), *end = block("end");
  IRBuilder<> builder(entry);
  auto at = [&](Value *pointer, Value *offset) {
    return builder.CreateGEP(types.i8, pointer, offset);
  };
  auto copy = [&](Value *first, Value *count) {
    builder.CreateMemCpy(at(to, first), Align(1), at(from, first), Align(1),
                         count);
  };
  auto branchIfSome = [&](Value *count, BasicBlock *some, BasicBlock *none) {
    builder.CreateCondBr(builder.CreateICmpNE(count, builder.getInt64(0)), some,
                         none);
  };
  Value *lineMask = builder.getInt64(LineBytes - 1);
  Value *gap = builder.CreateAnd(
      builder.CreateNeg(builder.CreatePtrToInt(to, types.i64)), lineMask);
  Value *headBytes = builder.CreateBinaryIntrinsic(Intrinsic::umin, gap, bytes,
                                                   nullptr, "head.bytes");
  branchIfSome(headBytes, head, middle);
  builder.SetInsertPoint(head);
  copy(builder.getInt64(0), headBytes);
  builder.CreateBr(middle);
  builder.SetInsertPoint(middle);
  Value *lineBytes = builder.CreateAnd(builder.CreateSub(bytes, headBytes),
                                       builder.getInt64(-LineBytes));
  Value *tailAt = builder.CreateAdd(headBytes, lineBytes, "tail.at");
  branchIfSome(lineBytes, lines, rest);
  builder.SetInsertPoint(lines);
  copyLines(builder, types, to, from, {headBytes, middle}, {tailAt, rest});
  builder.SetInsertPoint(rest);
  Value *tailBytes = builder.CreateSub(bytes, tailAt, "tail.bytes");
  branchIfSome(tailBytes, tail, end);
  builder.SetInsertPoint(tail);
  copy(tailAt, tailBytes);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  builder.CreateRetVoid();
  return function;
}

void streamTo(MLoopState &m, Value *to, Value *from, Value *bytes) {
  Function *stream = m.fn.module.module->getFunction("zpl.stream.strip");
  if (!stream)
    stream = makeStreamFunction(m.fn.module);
  m.builder.CreateCall(stream, {to, from, bytes});
}

//===----------------------------------------------------------------------===//
// Around the nest
//===----------------------------------------------------------------------===//

/// How many bytes the loop stores, and how many indices its rows have.
static std::pair<Value *, Value *> storedBytes(MLoopState &m,
                                               int64_t perIndex) {
  Value *bytes = m.builder.getInt64(perIndex), *row = nullptr;
  for (const NestLevel &entry : m.plan.nest) {
    unsigned dim = entry.level->dim;
    Value *count = m.builder.CreateSub(m.range.hi[dim], m.range.lo[dim]);
    if (isStrided(m.plan, dim))
      count = m.builder.CreateUDiv(count, m.range.strides[dim]);
    row = m.builder.CreateAdd(count, m.builder.getInt64(1));
    bytes = m.builder.CreateMul(bytes, row, "stored");
  }
  return {bytes, row};
}

void startStreams(MLoopState &m) {
  int64_t perIndex = 0, least = 0;
  for (const air::ElementOp &op : m.loop.body)
    if (op.streams) {
      least = m.fn.types.size(op.value->type);
      perIndex += least;
    }
  bool mayBeRows = !m.plan.isCounted || any_of(m.parts, [](const Part &each) {
    return each.isUnit != nullptr;
  });
  if (perIndex == 0 || !mayBeRows)
    return;
  auto [bytes, row] = storedBytes(m, perIndex);
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *ask = addBlock(m.fn, m.name + ".ask");
  BasicBlock *known = addBlock(m.fn, m.name + ".loops");
  const Figures &figures = m.fn.module.options.figures;
  Value *isLong = m.builder.CreateICmpSGE(
      row, m.builder.getInt64(figures.streamRow / least));
  Value *mayBeLarge =
      m.builder.CreateICmpSGE(bytes, m.builder.getInt64(figures.streamPart));
  m.builder.CreateCondBr(m.builder.CreateAnd(isLong, mayBeLarge), ask, known);
  startBlock(m.fn, ask);
  Value *least64 =
      m.builder.CreateCall(ZRT_CALLEE(m.fn.calls, zrtA_stream_bytes), {});
  Value *isLarge = m.builder.CreateICmpSGE(bytes, least64);
  if (Value *isOther = takesWay(m, air::LoopWay::OtherStores))
    isLarge = m.builder.CreateXor(isLarge, isOther);
  startBlock(m.fn, known);
  PHINode *phi = m.builder.CreatePHI(m.builder.getInt1Ty(), 2, "streams");
  phi->addIncoming(m.builder.getFalse(), before);
  phi->addIncoming(isLarge, ask);
  m.streams = phi;
}

void endStreams(MLoopState &m) {
  if (!m.streams || !Triple(m.fn.module.module->getTargetTriple()).isX86())
    return;
  BasicBlock *fence = addBlock(m.fn, m.name + ".fence");
  BasicBlock *next = addBlock(m.fn, m.name + ".stored");
  m.builder.CreateCondBr(m.streams, fence, next);
  startBlock(m.fn, fence);
  m.builder.CreateIntrinsic(Intrinsic::x86_sse_sfence, {}, {});
  startBlock(m.fn, next);
}

//===----------------------------------------------------------------------===//
// Rows in strips
//===----------------------------------------------------------------------===//

/// The last index of the strip that begins with \p from, the elements of whose
/// row at \p from are at \p place.
static Value *stripEnd(MLoopState &m, Value *from, Value *place, int64_t size,
                       Value *rowEnd) {
  Value *within =
      m.builder.CreateAnd(m.builder.CreatePtrToInt(place, m.fn.types.i64),
                          m.builder.getInt64(LineBytes - 1));
  Value *elements = m.builder.CreateUDiv(within, m.builder.getInt64(size));
  Value *count = m.builder.CreateSub(
      m.builder.getInt64(stripBytes(m) / size - 1), elements);
  Value *end = m.builder.CreateBinaryIntrinsic(
      Intrinsic::smin, m.builder.CreateAdd(from, count), rowEnd);
  return m.builder.CreateSelect(m.streams, end, rowEnd, "to");
}

namespace {
/// Where a strip of an array lies, and where it is kept until it is full.
struct StreamedStrip {
  Value *place, *inBuffer, *size; ///< of an element
};
} // namespace

/// Has the stores of the strip that begins at \p from go to buffers. Its last
/// index is given in \p to.
static SmallVector<StreamedStrip, 2> redirectStores(MLoopState &m, Value *from,
                                                    Value *rowEnd, Value *&to) {
  SmallVector<StreamedStrip, 2> strips;
  for (const air::ElementOp &op : m.part->ops) {
    if (!op.streams)
      continue;
    auto *target = cast<air::ElementExpr>(op.target);
    int64_t size = m.fn.types.size(op.value->type);
    Value *&row = m.rows.at({target->walker, rowOffset(m.plan, target)});
    Value *start = m.builder.CreateMul(from, m.builder.getInt64(size));
    Value *place = move(m, row, start, "");
    if (!to)
      to = stripEnd(m, from, place, size, rowEnd);
    Value *buffer =
        streamBuffer(m.fn, strips.size(), stripBytes(m) + LineBytes);
    Value *within =
        m.builder.CreateAnd(m.builder.CreatePtrToInt(place, m.fn.types.i64),
                            m.builder.getInt64(LineBytes - 1));
    Value *inBuffer = move(m, buffer, within, "");
    strips.push_back({place, inBuffer, m.builder.getInt64(size)});
    row = m.builder.CreateSelect(
        m.streams, move(m, inBuffer, m.builder.CreateNeg(start), ""), row,
        arrayName(m, target->walker) + ".place");
  }
  return strips;
}

/// The innermost loop runs over the indices of a strip.
static void narrowRow(MLoopState &m, unsigned depth, Value *begin, Value *from,
                      Value *to) {
  unsigned dim = m.plan.nest[depth].level->dim;
  if (m.plan.isCounted) {
    m.range.lo[dim] = m.builder.CreateAdd(
        begin, m.builder.CreateMul(from, m.range.steps[dim]));
    m.count.first = from;
    m.count.last = to;
  } else {
    m.range.lo[dim] = from;
    m.range.hi[dim] = to;
    if (depth == 0)
      m.lastStep = to;
  }
}

/// Phis for the accumulators that the loop of strips carries; empty ones for
/// the others.
static SmallVector<Phis, 4> carryThroughStrips(MLoopState &m, unsigned depth,
                                               BasicBlock *before) {
  SmallVector<Phis, 4> carried;
  for (auto &[key, accumulator] : m.accumulators) {
    Phis &phis = carried.emplace_back();
    if (!isCarried(m, accumulator, depth))
      continue;
    phis = makePhis(m, accumulator.value, accumulator.name());
    addIncoming(phis, accumulator.value, before);
    accumulator.value.assign(phis.begin(), phis.end());
  }
  return carried;
}

/// Writes what is in the buffers if stores go there; gives the block after it.
static BasicBlock *writeStrips(MLoopState &m, ArrayRef<StreamedStrip> strips,
                               Value *from, Value *to) {
  BasicBlock *write = addBlock(m.fn, m.part->name + ".strip.write");
  BasicBlock *latch = addBlock(m.fn, m.part->name + ".strip.next");
  m.builder.CreateCondBr(m.streams, write, latch);
  startBlock(m.fn, write);
  Value *next = m.builder.CreateAdd(to, m.builder.getInt64(1));
  for (const auto &[place, inBuffer, size] : strips)
    streamTo(m, place, inBuffer,
             m.builder.CreateMul(m.builder.CreateSub(next, from), size));
  startBlock(m.fn, latch);
  return latch;
}

void emitStrips(MLoopState &m, const Version &version, unsigned depth,
                BasicBlock *body, BasicBlock *exit) {
  unsigned dim = m.plan.nest[depth].level->dim;
  SaveAndRestore<Value *> firstIndex(m.range.lo[dim]),
      lastIndex(m.range.hi[dim]);
  SaveAndRestore<Value *> lastOfNest(m.lastStep);
  SaveAndRestore<Value *> first(m.count.first), last(m.count.last);
  Value *begin = m.range.lo[dim];
  Value *rowBegin = m.plan.isCounted ? m.builder.getInt64(0) : begin;
  Value *rowEnd = m.plan.isCounted ? m.count.last : m.range.hi[dim];
  BasicBlock *before = m.builder.GetInsertBlock();
  BasicBlock *head = addBlock(m.fn, m.part->name + ".strip");
  BasicBlock *done = addBlock(m.fn, m.part->name + ".strip.end");
  startBlock(m.fn, head);
  PHINode *from = m.builder.CreatePHI(m.fn.types.i64, 2, "from");
  from->addIncoming(rowBegin, before);
  SmallVector<Phis, 4> carried = carryThroughStrips(m, depth, before);
  std::map<RowKey, Value *> ownRows = m.rows;
  Value *to = nullptr;
  SmallVector<StreamedStrip, 2> strips = redirectStores(m, from, rowEnd, to);
  narrowRow(m, depth, begin, from, to);
  emitRow(m, version, depth, nullptr, body, done);

  startBlock(m.fn, done);
  BasicBlock *latch = writeStrips(m, strips, from, to);
  from->addIncoming(m.builder.CreateAdd(to, m.builder.getInt64(1)), latch);
  for (auto [phis, entry] : zip(carried, m.accumulators))
    if (!phis.empty())
      addIncoming(phis, entry.second.value, latch);
  m.aliases.annotateLoop(
      m.builder.CreateCondBr(m.builder.CreateICmpEQ(to, rowEnd), exit, head),
      /*isInnermost=*/false, std::nullopt, {}, {});
  m.rows = ownRows;
}

} // namespace zpl::codegen
