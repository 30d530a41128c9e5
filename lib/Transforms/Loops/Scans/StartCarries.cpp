//===- StartCarries.cpp - What precedes an M-loop -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R {
//       store %T = mul(@A, @A)          T is contracted
//       store @S = %C
//       store %C = add(%C, %T)
//     }
//
// On one processor C starts as the identity of the operator. Where lines are
// divided, each processor sums up its part of them first: a loop with what
// makes the sums of the loop at hand, and nothing else:
//
//     mloop %lines { store %C = f64 0.0 }
//     if gt(parts(@R, 1), i64 1) {
//       mloop @R {
//         store %T.1 = mul(@A, @A)
//         accumulate sum %C, %T.1
//       }
//       carry %C over @R                the runtime: sums to what precedes
//     }
//     mloop @R { ... }                  as before
//
// Values are computed twice there, and nothing is stored in between: that is a
// sweep of reads, one of the two that a scan of divided lines takes anyway.
//
//  1. The slice. From behind, an operation is taken if it stores an array that
//     one taken already reads, beginning with C. What the slice stores but for
//     C goes to contracted arrays of its own, which begin with what the array
//     has, if that may be read: so the loop finds all as it was. Elements that
//     the loop has not come to are read where they are.
//  2. Other carries that the slice goes along with (a scan of a scan) have
//     their start already, and are copied.
//  3. Segments. In a part of a line where the scan starts anew, what came before
//     does not go on: such parts have a flag.
//  4. Lists of several dimensions, [2, 1]. On one processor one carry goes
//     through all. Else there is one per line, and the loop stands there twice:
//
//     if gt(parts(@R, 0), i64 1) or ... { ... mloop @R with %C.1 : <.., *> }
//     else { mloop %lines { store %C = f64 0.0 }   mloop @R with %C }
//
//     That one carry is a chain through all elements, of which each waits for
//     the addition before it. Floating numbers that are many, but fit in caches,
//     and are quickly computed, come in blocks of rows:
//
//     while le(%low, hi(@R, 0)) {
//       region %block = [%low .. min(hi(@R, 0), ...), _] from @R
//       mloop %block.lines { store %C.1 = f64 0.0 }
//       mloop %block { accumulate sum %C.1, @A }          in vectors
//       mloop %block.lines {                              sums to starts
//         store %S = %C.1   store %C.1 = %C   store %C = add(%C, %S)
//       }
//       mloop %block { ... %C.1 ... }                     several rows in flight
//     }
//
//     Lists that no loop goes along, [1, 2], always have one per line, and take
//     two sweeps on one processor as well.
//
// Cost: per carry the operations of its loop.
//
//===----------------------------------------------------------------------===//

#include "Loops/Scans/StartCarries.h"
#include "Loops/Scans/CarryOps.h"
#include "Statements/Identity.h"
#include "zpl/ArrayIR/Carries.h"
#include "zpl/ArrayIR/Clone.h"
#include "zpl/ArrayIR/Names.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace llvm;

namespace zpl::air {
namespace {

/// The operation that reads \p element; the end if none does.
auto readerOf(const MLoopStmt &loop, const ElementExpr &element) {
  return find_if(loop.body, [&](const ElementOp &op) {
    bool found = false;
    forEachExpr(op, [&](const Expr &e) { found |= &e == &element; });
    return found;
  });
}

/// The first operation that stores an element of \p array; the end if none does.
auto firstStore(const MLoopStmt &loop, const Array *array) {
  return find_if(loop.body, [&](const ElementOp &op) {
    return op.target && rootElement(op.target)->array == array;
  });
}

/// Whether \p element is another one than that at the current index, and none
/// that \p loop has stored before: it has what it had at the start.
bool isStillOld(const MLoopStmt &loop, const ElementExpr &element) {
  if (!element.isShifted())
    return false;
  auto offset = [&](const LoopLevel &level) {
    return level.isTimes ? 0 : element.offset[level.dim];
  };
  if (any_of(loop.levels, [&](const LoopLevel &level) {
        return level.flat && offset(level) != 0;
      }))
    return true;
  auto reader = readerOf(loop, element),
       store = firstStore(loop, element.array);
  if (reader == loop.body.end() || store == loop.body.end())
    return true;
  int64_t later = int64_t(store->delay) - int64_t(reader->delay);
  for (const LoopLevel &level : loop.levels) {
    if (level.flat || level.isTimes)
      continue;
    later += level.down ? -offset(level) : offset(level);
    if (later != 0)
      return later > 0;
  }
  return reader < store; // in the same step
}

/// Whether \p e is an element of \p array that \p loop may have stored.
bool isStored(const MLoopStmt &loop, const Expr &e, const Array *array) {
  auto *element = dyn_cast<ElementExpr>(&e);
  return element && element->array == array && !isStillOld(loop, *element);
}

bool touches(const MLoopStmt &loop, const ElementOp &op, const Array *array) {
  bool found = false;
  forEachExpr(op, [&](const Expr &e) { found |= isStored(loop, e, array); });
  return found;
}

/// Whether an operation stores all of the array's element, whatever it was.
bool overwrites(const MLoopStmt &loop, const ElementOp &op,
                const Array *array) {
  auto *target = dyn_cast<ElementExpr>(op.target);
  bool isRead = false;
  forEachExpr(*op.value,
              [&](const Expr &e) { isRead |= isStored(loop, e, array); });
  return op.kind == ElementOp::Store && target && target->array == array &&
         !op.guard && !isRead;
}

/// Whether it is the one with which a segment begins.
bool isRestart(const ElementOp &op) {
  return op.kind == ElementOp::Store && isa<ConstExpr>(op.value);
}

/// The operations that make what \p carried has, in their order. Adds to \p
/// carried the carries that these read.
std::vector<ElementOp> sliceFor(const MLoopStmt &loop,
                                SmallPtrSetImpl<const Array *> &carried) {
  SmallPtrSet<const Array *, 8> needed(carried.begin(), carried.end());
  std::vector<ElementOp> slice;
  for (const ElementOp &op : reverse(loop.body)) {
    if (!op.target || !needed.contains(rootElement(op.target)->array))
      continue;
    forEachExpr(op, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      if (!element)
        return;
      needed.insert(element->array);
      if (element->array->isCarries())
        carried.insert(element->array);
    });
    slice.push_back(op);
    slice.back().delay = 0;
  }
  std::reverse(slice.begin(), slice.end());
  return slice;
}

/// The operations that make the sums of \p carries, in their order. What other
/// carries have at an index is stored at the index before.
std::vector<ElementOp> sliceOf(const MLoopStmt &loop, const Array *carries) {
  SmallPtrSet<const Array *, 4> carried = {carries};
  for (;;) {
    size_t before = carried.size();
    std::vector<ElementOp> slice = sliceFor(loop, carried);
    if (carried.size() == before)
      return slice;
  }
}

class CarryStarter {
public:
  CarryStarter(Procedure &procedure, Module &module, PassContext &context)
      : procedure(procedure), module(module), context(context),
        names(procedure) {}

  void list(StmtList &list) {
    StmtList result;
    for (Stmt *stmt : list) {
      if (!isa<WaveStmt>(stmt))
        forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
      auto *loop = dyn_cast<MLoopStmt>(stmt);
      if (loop && loop->walkers.empty() && !carriedAlong(*loop).empty())
        start(*loop, result);
      else
        result.push_back(stmt);
    }
    list = std::move(result);
  }

private:
  /// How many dimensions of the loop one element of the carries stands for.
  static size_t dimsOf(const Array &carries, const Region &region) {
    return count_if(zip(carries.shape, region.shape), [](auto kinds) {
      auto [own, ofRegion] = kinds;
      return own == DimKind::Flood && ofRegion != DimKind::Flood;
    });
  }

  void start(MLoopStmt &loop, StmtList &result) {
    SmallVector<Array *, 2> all = carriedAlong(loop), nested;
    for (Array *carries : all)
      if (dimsOf(*carries, *loop.region) > 1)
        nested.push_back(carries);
    context.count("loops");
    StmtList *list = &result;
    if (!nested.empty()) {
      auto *branch = module.make<IfStmt>(areDivided(loop, nested), loop.range);
      startByLines(loop, nested, branch->thenBody);
      result.push_back(branch);
      list = &branch->elseBody;
    }
    if (all.size() == 1 && !nested.empty() && mayRunInBlocks(loop, *all[0])) {
      auto *branch = module.make<IfStmt>(
          isLarge(*loop.region, loop.range, *list), loop.range);
      startInBlocks(loop, *all[0], branch->thenBody);
      context.applied(
          loop.range,
          "the scan runs in blocks of rows where it fits in caches");
      list->push_back(branch);
      list = &branch->elseBody;
    }
    for (Array *carries : all)
      prepare(loop, carries, *list);
    list->push_back(&loop);
  }

  /// The loop with carries per line in the place of those for all indices of
  /// several dimensions.
  void startByLines(const MLoopStmt &loop, ArrayRef<Array *> nested,
                    StmtList &result) {
    Renaming renaming;
    SmallVector<Array *, 2> made;
    for (Array *carries : nested)
      made.push_back(renaming.arrays[carries] =
                         makeLines(loop, *carries, result));
    MLoopStmt *copy = copyWith(renaming, loop);
    for (Array *carries : carriedAlong(*copy))
      prepare(*copy, carries, result);
    result.push_back(copy);
    for (Array *array : made)
      result.push_back(module.make<FreeArrayStmt>(array, loop.range));
  }

  /// A copy with contracted arrays of its own.
  MLoopStmt *copyWith(Renaming &renaming, const MLoopStmt &loop) {
    forEachArray(loop, [&](const Array &array) {
      if (array.isContracted() && !renaming.arrays.contains(&array))
        renaming.arrays[&array] = copyOf(array);
    });
    return cast<MLoopStmt>(StmtCloner(module, renaming).clone(loop));
  }

  //===--------------------------------------------------------------------===//
  // Blocks of rows
  //===--------------------------------------------------------------------===//

  /// Whether the loop may be worth to be executed in blocks: its elements wait
  /// for each other, and what is summed up is computed quickly.
  static bool mayRunInBlocks(const MLoopStmt &loop, const Array &carries) {
    constexpr unsigned MostOperations = 4;
    int slowest = carries.carryDims.back();
    unsigned operations = 0;
    bool isSimple = true;
    for (const ElementOp &op : sliceOf(loop, &carries))
      forEachExpr(op, [&](const Expr &e) {
        auto *binary = dyn_cast<BinaryExpr>(&e);
        operations += binary || isa<FmaExpr, CastExpr, UnaryExpr>(e);
        isSimple &= !isa<CallExpr, MathExpr, RemapExpr>(e) &&
                    !(binary && (binary->op == BinaryOp::Div ||
                                 binary->op == BinaryOp::Rem ||
                                 binary->op == BinaryOp::Pow));
      });
    bool hasDelays = loop.body.back().delay != 0;
    // Transfers are for the region, and it may not show that blocks are in it.
    forEachExpr(loop, [&](const Expr &e) {
      auto *element = dyn_cast<ElementExpr>(&e);
      isSimple &= !element || !element->isShifted();
    });
    // An accumulator begins anew with each loop.
    bool accumulates =
        any_of(loop.body, [](const ElementOp &op) { return op.accumulator; });
    return carries.element.isFloat() && isSimple && !hasDelays &&
           !accumulates && operations <= MostOperations && slowest > 0 &&
           loop.region->shape[slowest - 1] == DimKind::Range;
  }

  const Expr *number(int64_t value, SourceRange range) {
    auto *result = module.make<ConstExpr>(Type::I64, range);
    result->integer = value;
    return result;
  }
  const Expr *operation(BinaryOp op, const Expr *a, const Expr *b) {
    return module.make<BinaryExpr>(op, a, b, a->range);
  }
  const Expr *bound(Region &region, unsigned dim, BoundExpr::Which which,
                    SourceRange range) {
    return module.make<BoundExpr>(&region, dim, which, range);
  }

  /// The product of the distances between the bounds, plus one, of all
  /// dimensions but \p without.
  const Expr *sizeOf(Region &region, unsigned without, SourceRange range) {
    const Expr *size = number(1, range);
    for (unsigned d = 0; d < region.rank(); ++d) {
      if (d == without || isPerProcessor(region.shape[d]))
        continue;
      const Expr *extent = operation(
          BinaryOp::Add,
          operation(BinaryOp::Sub, bound(region, d, BoundExpr::Hi, range),
                    bound(region, d, BoundExpr::Lo, range)),
          number(1, range));
      size = operation(BinaryOp::Mul, size,
                       operation(BinaryOp::Max, extent, number(1, range)));
    }
    return size;
  }

  /// Whether the region has as many indices as make up for the blocks, and not
  /// so many that memory is what the loop waits for.
  const Expr *isLarge(Region &region, SourceRange range, StmtList &result) {
    Variable *size = makeVariable("size");
    const Expr *read = module.make<VarExpr>(size, range);
    result.push_back(module.make<SetStmt>(
        read, sizeOf(region, region.rank(), range), range));
    auto compare = [&](CompareOp op, int64_t limit) {
      return module.make<CompareExpr>(op, read, number(limit, range), range);
    };
    return operation(BinaryOp::And,
                     compare(CompareOp::Ge, context.figures.scanLeast),
                     compare(CompareOp::Le, context.figures.scanMost));
  }

  Variable *makeVariable(StringRef name) {
    auto *made = module.make<Variable>();
    made->name = names.make(name);
    made->type = Type::I64;
    procedure.variables.push_back(made);
    return made;
  }

  /// A part of \p base, with dimension \p dim as said.
  Region *makePart(StringRef name, Region &base, unsigned dim, DimExpr part,
                   SourceRange range, StmtList &result) {
    auto *made = module.make<Region>();
    made->name = names.make(name);
    made->shape = base.shape;
    if (part.kind == DimExpr::Flood)
      made->shape[dim] = DimKind::Flood;
    made->domain = base.domain;
    made->isTemporary = true;
    made->range = range;
    procedure.regions.push_back(made);
    RegionExpr value;
    value.kind = RegionExpr::Dims;
    value.base = &base;
    value.dims.resize(base.rank());
    value.dims[dim] = part;
    result.push_back(module.make<SetRegionStmt>(made, value, range));
    return made;
  }

  /// The loop block by block, each with a carry per line.
  void startInBlocks(const MLoopStmt &loop, Array &carries, StmtList &result) {
    SourceRange range = loop.range;
    Region &region = *loop.region;
    unsigned dim = carries.carryDims.back() - 1;
    Array *lines = makeLines(loop, carries, result);
    Variable *low = makeVariable("low"), *rows = makeVariable("rows");
    auto read = [&](Variable *variable) -> const Expr * {
      return module.make<VarExpr>(variable, range);
    };
    auto set = [&](Variable *variable, const Expr *value, StmtList &list) {
      list.push_back(module.make<SetStmt>(read(variable), value, range));
    };
    result.push_back(fill(
        &carries, carries.declared,
        identityOf(carries.carryOp, carries.element, module, range), range));
    set(low, bound(region, dim, BoundExpr::Lo, range), result);
    set(rows,
        operation(BinaryOp::Max,
                  operation(BinaryOp::Div,
                            number(context.figures.scanBlock, range),
                            sizeOf(region, dim, range)),
                  number(context.figures.scanRows, range)),
        result);
    auto *blocks = module.make<WhileStmt>(range);
    const Expr *last = bound(region, dim, BoundExpr::Hi, range);
    blocks->condition =
        module.make<CompareExpr>(CompareOp::Le, read(low), last, range);
    DimExpr part;
    part.kind = DimExpr::Range;
    part.lo = read(low);
    part.hi =
        operation(BinaryOp::Min, last,
                  operation(BinaryOp::Sub,
                            operation(BinaryOp::Add, read(low), read(rows)),
                            number(1, range)));
    Region *block = makePart("block", region, dim, part, range, blocks->body);
    addBlock(loop, *block, carries, lines, blocks->body);
    set(low, operation(BinaryOp::Add, read(low), read(rows)), blocks->body);
    result.push_back(blocks);
    result.push_back(module.make<FreeArrayStmt>(lines, range));
  }

  /// What a block does: sums of lines, their starts, the loop.
  void addBlock(const MLoopStmt &loop, Region &block, Array &carries,
                Array *lines, StmtList &result) {
    DimExpr flood;
    flood.kind = DimExpr::Flood;
    Region *blockLines =
        makePart("lines", block, std::abs(carries.carryDims.front()) - 1, flood,
                 loop.range, result);
    Renaming renaming;
    renaming.arrays[&carries] = lines;
    MLoopStmt *copy = copyWith(renaming, loop);
    copy->region = &block;
    result.push_back(
        fill(lines, blockLines,
             identityOf(carries.carryOp, carries.element, module, loop.range),
             loop.range));
    sum(*copy, lines, result, [&](Array *restarts) {
      result.push_back(makeStarts(loop, *blockLines, carries, lines, restarts));
    });
    result.push_back(copy);
  }

  /// A loop over the lines of a block: sums become starts.
  MLoopStmt *makeStarts(const MLoopStmt &loop, Region &region, Array &carries,
                        Array *lines, Array *restarts) {
    SourceRange range = loop.range;
    auto *starts = module.make<MLoopStmt>(&region, range);
    for (LoopLevel level : loop.levels) {
      level.flat |= isPerProcessor(region.shape[level.dim]);
      level.down &= !level.flat;
      starts->levels.push_back(level);
    }
    Array *sum = copyOf(*lines);
    contract(*sum, region);
    const Expr *element = elementOf(sum, range);
    const Expr *flag = restarts ? elementOf(restarts, range) : nullptr;
    auto add = [&](const ElementOp &op) { starts->body.push_back(op); };
    add(storeOf(element, elementOf(lines, range), nullptr, range));
    add(storeOf(elementOf(lines, range), elementOf(&carries, range), nullptr,
                range));
    add(takeIn(&carries, element,
               flag ? module.make<UnaryExpr>(UnaryOp::Not, flag, range)
                    : nullptr,
               module, range));
    if (flag)
      add(storeOf(elementOf(&carries, range), element, flag, range));
    return starts;
  }

  //===--------------------------------------------------------------------===//
  // Starts
  //===--------------------------------------------------------------------===//

  Array *copyOf(const Array &array) {
    auto *made = module.make<Array>(array);
    made->name = names.make(array.name);
    made->storage = Storage::Local;
    procedure.arrays.push_back(made);
    return made;
  }

  /// Carries as \p carries, with an element for each line of the scan.
  Array *makeLines(const MLoopStmt &loop, const Array &carries,
                   StmtList &result) {
    auto *lines = module.make<Region>(*carries.declared);
    lines->name = names.make(lines->name);
    lines->shape = loop.region->shape;
    procedure.regions.push_back(lines);
    unsigned dim = std::abs(carries.carryDims.front()) - 1;
    RegionExpr value;
    value.kind = RegionExpr::Dims;
    value.base = loop.region;
    value.dims.resize(lines->rank());
    lines->shape[dim] = DimKind::Flood;
    value.dims[dim].kind = DimExpr::Flood;
    result.push_back(module.make<SetRegionStmt>(lines, value, loop.range));
    Array *made = copyOf(carries);
    made->shape = lines->shape;
    made->declared = lines;
    result.push_back(module.make<AllocArrayStmt>(made, loop.range));
    return made;
  }

  /// Whether several processors have indices of one line.
  const Expr *isDivided(const MLoopStmt &loop, const Array &carries) {
    const Expr *result = nullptr;
    for (int dim : carries.carryDims) {
      auto *one = module.make<ConstExpr>(Type::I64, loop.range);
      one->integer = 1;
      const Expr *isMore = module.make<CompareExpr>(
          CompareOp::Gt,
          module.make<BoundExpr>(loop.region, std::abs(dim) - 1,
                                 BoundExpr::Parts, loop.range),
          one, loop.range);
      result = either(result, isMore);
    }
    return result;
  }

  const Expr *areDivided(const MLoopStmt &loop, ArrayRef<Array *> all) {
    const Expr *result = nullptr;
    for (const Array *carries : all)
      result = either(result, isDivided(loop, *carries));
    return result;
  }

  const Expr *either(const Expr *a, const Expr *b) {
    return !a ? b : module.make<BinaryExpr>(BinaryOp::Or, a, b, b->range);
  }

  /// Appends what gives the carries their start.
  void prepare(const MLoopStmt &loop, Array *carries, StmtList &result) {
    result.push_back(
        fill(carries, carries->declared,
             identityOf(carries->carryOp, carries->element, module, loop.range),
             loop.range));
    if (dimsOf(*carries, *loop.region) > 1)
      return; // undivided here
    if (carries->carryDims.size() > 1)
      return sumAndCarry(loop, carries, result);
    auto *branch = module.make<IfStmt>(isDivided(loop, *carries), loop.range);
    sumAndCarry(loop, carries, branch->thenBody);
    result.push_back(branch);
  }

  void sumAndCarry(const MLoopStmt &loop, Array *carries, StmtList &result) {
    auto *carry = module.make<CombineArrayStmt>(
        carries->carryOp, carries, ArrayRef<unsigned>(), loop.range);
    carry->carriesOver = loop.region;
    sum(loop, carries, result, [&](Array *restarts) {
      carry->restarts = restarts;
      result.push_back(carry);
    });
  }

  const Expr *elementOf(Array *array, SourceRange range) {
    return elementAt(array, module, range);
  }

  /// `mloop %lines { store %array = value }`.
  MLoopStmt *fill(Array *array, Region *region, const Expr *value,
                  SourceRange range) {
    auto *loop = module.make<MLoopStmt>(region, range);
    for (unsigned dim = 0; dim < region->rank(); ++dim) {
      DimKind kind = region->shape[dim];
      loop->levels.push_back(
          {dim, kind == DimKind::Singleton || isPerProcessor(kind), false});
    }
    loop->body.push_back(
        storeOf(elementOf(array, range), value, nullptr, range));
    return loop;
  }

  /// The loop of sums for \p carries, and what makes starts of them, which
  /// \p finish appends. That gets the flags of segments, or null.
  void sum(const MLoopStmt &loop, Array *carries, StmtList &result,
           function_ref<void(Array *)> finish) {
    std::vector<ElementOp> slice = sliceOf(loop, carries);
    auto *sums = module.make<MLoopStmt>(loop.region, loop.range);
    sums->levels = loop.levels;
    bool isSegmented = any_of(slice, [&](const ElementOp &op) {
      return rootElement(op.target)->array == carries && isRestart(op);
    });
    SmallVector<Array *, 2> own;
    Array *restarts = nullptr;
    if (isSegmented)
      own.push_back(restarts = makeFlags(*carries, result));
    Renaming renaming = rename(loop, slice, carries, *sums, own, result);
    StmtCloner cloner(module, renaming);
    for (const ElementOp &op : slice)
      forEachExpr(op, [&](const Expr &e) {
        auto *element = dyn_cast<ElementExpr>(&e);
        if (element && isStillOld(loop, *element))
          cloner.keep(element);
      });
    for (const ElementOp &op : slice)
      addSum(cloner, op, *carries, restarts, *sums);
    result.push_back(sums);
    finish(restarts);
    for (Array *array : own)
      result.push_back(module.make<FreeArrayStmt>(array, loop.range));
  }

  /// Flags for where segments begin, all false.
  Array *makeFlags(const Array &carries, StmtList &result) {
    Array *flags = copyOf(carries);
    flags->element = Type::Bool;
    flags->carryOp = Reduction::Or;
    result.push_back(module.make<AllocArrayStmt>(flags, flags->range));
    result.push_back(
        fill(flags, flags->declared,
             identityOf(Reduction::Or, Type::Bool, module, flags->range),
             flags->range));
    return flags;
  }

  /// Names of its own for what the slice stores but for \p carries. Those of
  /// other carries, made in \p result, are added to \p own.
  Renaming rename(const MLoopStmt &loop, ArrayRef<ElementOp> slice,
                  const Array *carries, MLoopStmt &sums,
                  SmallVectorImpl<Array *> &own, StmtList &result) {
    Renaming renaming;
    for (const ElementOp &op : slice) {
      Array *array = rootElement(op.target)->array;
      if (array == carries || renaming.arrays.contains(array))
        continue;
      Array *made = copyOf(*array);
      renaming.arrays[array] = made;
      if (array->isCarries()) {
        own.push_back(made);
        result.push_back(module.make<AllocArrayStmt>(made, loop.range));
        result.push_back(fill(made, made->declared,
                              elementOf(array, loop.range), loop.range));
        continue;
      }
      bool isOld = !array->isContracted() &&
                   !overwrites(loop,
                               *find_if(slice,
                                        [&](const ElementOp &other) {
                                          return touches(loop, other, array);
                                        }),
                               array);
      if (!array->isContracted() || loop.body.back().delay != 0)
        contract(*made, *loop.region);
      if (isOld)
        sums.body.push_back(storeOf(elementOf(made, loop.range),
                                    elementOf(array, loop.range), nullptr,
                                    loop.range));
    }
    return renaming;
  }

  /// Makes it an array of one element for each index of a loop.
  static void contract(Array &array, const Region &region) {
    array.shape = region.shape;
    array.domain = region.domain;
    array.lines.assign(array.rank(), 1);
    array.carryDims.clear();
    array.declared = nullptr;
    array.pattern = nullptr;
    array.borders.clear();
    array.fluff = {};
    array.family = nullptr;
    array.isAlone = false;
  }

  void addSum(StmtCloner &cloner, const ElementOp &op, const Array &carries,
              Array *restarts, MLoopStmt &sums) {
    ElementOp made = op;
    for (const Expr **expr : {&made.target, &made.value, &made.guard})
      if (*expr)
        *expr = cloner.clone(*expr);
    bool isOwn = rootElement(op.target)->array == &carries;
    if (isOwn && restarts && isRestart(op)) {
      sums.body.push_back(made);
      auto *always = module.make<ConstExpr>(Type::Bool, op.range);
      always->integer = 1;
      made.target = elementOf(restarts, op.range);
      made.value = always;
    } else if (auto *binary = dyn_cast<BinaryExpr>(made.value);
               isOwn && binary && !restarts && !isBetter(op)) {
      made.kind = ElementOp::Accumulate;
      made.op = carries.carryOp;
      made.value = binary->right;
    }
    sums.body.push_back(made);
  }

  /// Whether it stores what the guard has found to be better than the carry.
  static bool isBetter(const ElementOp &op) {
    bool found = false;
    if (op.guard)
      forEachExpr(*op.guard, [&](const Expr &e) {
        auto *element = dyn_cast<ElementExpr>(&e);
        found |= element && element->array == rootElement(op.target)->array;
      });
    return found;
  }

  Procedure &procedure;
  Module &module;
  PassContext &context;
  NameAllocator names;
};

} // namespace

void startCarries(Module &module, PassContext &context) {
  for (Procedure *procedure : module.procedures)
    CarryStarter(*procedure, module, context).list(procedure->body);
}

} // namespace zpl::air
