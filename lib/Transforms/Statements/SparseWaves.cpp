//===- SparseWaves.cpp - Waves over sparse regions and arrays -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [S] scan  A := A'@north + B;  end;         A: [S] double, B dense
//
// Over a sparse region a wave goes through the stored indices only. Where their
// neighbours are stored only the runtime knows, so element code does not ask: it
// reads an array that has what is at the neighbour of each index, and whatever it
// stores it pushes to those that read it:
//
//     [@S] %before = @A@(-1,0)          as it is before the wave; where nothing
//                                       is stored, that is all there is
//     [@S] %read = @B
//     wave @S tile @S order (1, 2) primed {@A: (-1,0)} {
//       mloop @S {
//         store @A = add(%before, %read)
//         store %before@(1,0) = @A
//       }
//     }
//
// A is an array that conforms to S; others are carried in one that does, a copy
// that is assigned after the wave. What has no prime is not pushed. The
// statements around it are separated like all others (SparseArrays.cpp).
//
// Over a dense region, of which all indices are looked at, sparse arrays that it
// stores or reads with a prime are carried in dense copies of the region and
// what the wave reaches from there; the others stay as they are:
//
//     region %reach = [lo(@R) - 1 .. hi(@R), _]
//     fetch %carried = @A over %reach
//     wave @R tile %t ... { %carried = add(%carried@(-1,0), @B) }
//     store @A = %carried over @R
//
// Parameters that may be one array, of which one is stored, are an error;
// members of a family must have different subscripts, which the run checks.
//
// Cost: over a sparse region, time and memory in proportion to its indices, for
// each array and offset; over a dense one as without sparse arrays, and copies.
//
//===----------------------------------------------------------------------===//

#include "Communication/TransferEdits.h"
#include "Statements/SparseArrays.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::air {
namespace {

class WaveFiller {
public:
  WaveFiller(Module &module, Procedure &procedure, PassContext &context)
      : module(module), procedure(procedure), context(context),
        names(procedure) {}

  void list(StmtList &list);

private:
  /// An array that the wave stores or primes, and its copy.
  struct Carried {
    Array *array;
    SourceRange storedAt; ///< by the first operation that stores it
    bool isStored = false;
    Array *copy = nullptr;
    SmallVector<Offset, 4> offsets; ///< at which it is read, but for zero
  };
  /// What is read at each position instead of an expression.
  struct Read {
    const Array *array; ///< null: it is the index in a dimension
    Offset offset;      ///< or one number, that dimension
    Array *copy;
  };

  bool isConcerned(const WaveStmt &s);
  void fillDense(WaveStmt &s);
  void goOverPattern(WaveStmt &s);
  void carryInPattern(Carried &item, Region &over);
  const Expr *atPattern(const Expr *e, Region &over);
  const Expr *atPositions(const Expr *e, Region &over);
  void addPushes(WaveStmt &s, const Expr *guard);
  void findCarried(const WaveStmt &s);
  void refuseAliases(const WaveStmt &s);
  const Expr *memberOf(const Array &view) const;
  const Expr *areDistinct(const Array &a, const Array &b);
  void carry(Array *array);
  void carryStored(const Expr *place, SourceRange range);
  void addOffsets(const Expr *e);
  void makeReach(Region &box);
  void take(Carried &item);
  const Expr *replaced(const Expr *e);
  Carried *find(const Array *array) {
    auto found =
        find_if(carried, [&](const Carried &c) { return c.array == array; });
    return found == carried.end() ? nullptr : &*found;
  }

  template <typename T, typename... Args> T *emit(Args &&...args) {
    T *stmt = module.make<T>(std::forward<Args>(args)..., range);
    out->push_back(stmt);
    return stmt;
  }
  const Expr *elementOf(Array &array) {
    return module.make<ElementExpr>(&array, Offset(array.rank(), 0), range);
  }
  const Expr *number(int64_t value) {
    auto *made = module.make<ConstExpr>(Type::I64, range);
    made->integer = value;
    return made;
  }
  void assign(Region &region, Array &target, const Expr *value,
              const Expr *guard = nullptr) {
    emit<ArrayAssignStmt>(&region, elementOf(target), value)->guard = guard;
  }
  Array *make(StringRef name, Type element, Region &over);
  void freeTemporaries();
  Region *makeRegion(StringRef name, const Region &like, Shape shape);

  Module &module;
  Procedure &procedure;
  PassContext &context;
  NameAllocator names;
  StmtList *out = nullptr;
  // Of the wave at hand.
  SourceRange range;
  std::vector<Carried> carried;
  std::vector<Read> reads;
  Offset below, above; ///< what is read beyond the box, never negative
  Region *reach = nullptr;
  std::vector<Array *> temporaries;
};

void WaveFiller::list(StmtList &list) {
  StmtList result;
  for (Stmt *stmt : list) {
    forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
    SaveAndRestore outer(out, &result);
    range = stmt->range;
    auto *wave = dyn_cast<WaveStmt>(stmt);
    if (wave && isConcerned(*wave))
      wave->region->isSparse ? goOverPattern(*wave) : fillDense(*wave);
    else
      result.push_back(stmt);
  }
  list = std::move(result);
}

/// Whether the wave goes over a sparse region, or carries a sparse array.
bool WaveFiller::isConcerned(const WaveStmt &s) {
  findCarried(s);
  return s.region->isSparse || any_of(carried, [](const Carried &item) {
           return item.array->isSparse;
         });
}

void WaveFiller::findCarried(const WaveStmt &s) {
  carried.clear();
  for (const ElementOp &op : s.loop().body) {
    if (op.target)
      carryStored(op.target, op.range);
    forEachExpr(*op.value, [&](const Expr &e) {
      auto *call = dyn_cast<CallExpr>(&e);
      for (size_t k = 0; call && k != call->args.size(); ++k)
        if (const Expr *place = call->args[k].place)
          carryStored(place, op.range);
    });
  }
  for (const auto &item : s.primed)
    carry(item.first);
}

void WaveFiller::carryStored(const Expr *place, SourceRange at) {
  const ElementExpr *root = rootElement(place);
  if (!root)
    return;
  carry(root->array);
  Carried &item = *find(root->array);
  if (!item.isStored)
    item.storedAt = at;
  item.isStored = true;
}

void WaveFiller::carry(Array *array) {
  if (!find(array))
    carried.push_back({array, {}, false, nullptr, {}});
}

/// Two names of one array would have two copies: the run checks that members of
/// a family are not the same, other names are an error.
void WaveFiller::refuseAliases(const WaveStmt &s) {
  SmallSetVector<std::pair<const Array *, const Array *>, 4> pairs;
  forEachExpr(s.loop(), [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    for (const Carried &item : carried)
      if (element && item.isStored && item.array != element->array &&
          mayBeSame(module, *item.array, *element->array, procedure.mayAlias) &&
          !pairs.contains({element->array, item.array}))
        pairs.insert({item.array, element->array});
  });
  for (auto [stored, other] : pairs) {
    std::string text = "a scan block with sparse regions or arrays works on "
                       "copies, and " +
                       sourceName(*stored) + " and " + sourceName(*other);
    if (const Expr *apart = areDistinct(*stored, *other)) {
      emit<CheckThatStmt>(apart, text + " are one array here",
                          ArrayRef<const Expr *>());
      continue;
    }
    context.error = text + " may be one array here; pass separate ones";
    context.errorRange = find(stored)->storedAt;
  }
}

/// The subscripts of the family's member that was bound last; null: it is none.
const Expr *WaveFiller::memberOf(const Array &view) const {
  for (const Stmt *stmt : reverse(*out)) {
    auto *bind = dyn_cast<BindArrayStmt>(stmt);
    if (bind && bind->array == &view)
      return bind->place;
  }
  return nullptr;
}

/// Whether two views are of different members of one family, a Bool; null: they
/// are no such views.
const Expr *WaveFiller::areDistinct(const Array &a, const Array &b) {
  if (!a.family || a.family != b.family)
    return nullptr;
  const Expr *result = nullptr;
  auto *x = dyn_cast_or_null<SubscriptExpr>(memberOf(a));
  auto *y = dyn_cast_or_null<SubscriptExpr>(memberOf(b));
  for (; x && y; x = dyn_cast<SubscriptExpr>(x->base),
                 y = dyn_cast<SubscriptExpr>(y->base))
    for (auto [i, j] : zip_equal(x->subscripts, y->subscripts)) {
      auto *differ = module.make<CompareExpr>(
          CompareOp::Ne, module.make<CastExpr>(Type::I64, i, range),
          module.make<CastExpr>(Type::I64, j, range), range);
      result =
          result ? module.make<BinaryExpr>(BinaryOp::Or, result, differ, range)
                 : static_cast<const Expr *>(differ);
    }
  return result;
}

//===----------------------------------------------------------------------===//
// Over patterns
//===----------------------------------------------------------------------===//

void WaveFiller::goOverPattern(WaveStmt &s) {
  refuseAliases(s);
  Region &region = *s.region;
  reads.clear();
  for (Carried &item : carried)
    carryInPattern(item, region);
  std::vector<ElementOp> &body = s.loop().body;
  const Expr *mask = body.front().guard; // one for all, that of the scope
  const Expr *guard = nullptr;
  if (mask) {
    Array *inside = make("inside", Type::Bool, region);
    assign(region, *inside, mask);
    guard = elementOf(*inside);
  }
  for (ElementOp &op : body) {
    op.target = atPattern(op.target, region);
    op.value = atPattern(op.value, region);
    op.guard = guard;
  }
  addPushes(s, guard);
  s.loop().region = s.tile = &region;
  sort(s.loop().levels,
       [](const LoopLevel &a, const LoopLevel &b) { return a.dim < b.dim; });
  for (LoopLevel &level : s.loop().levels)
    level.down = false;
  out->push_back(&s);
  for (const Carried &item : carried)
    if (item.isStored && item.copy != item.array) {
      SaveAndRestore at(range, item.storedAt);
      assign(region, *item.array, elementOf(*item.copy), guard);
    }
  freeTemporaries();
}

/// Makes an array over the pattern of what the wave carries, unless it is one.
void WaveFiller::carryInPattern(Carried &item, Region &over) {
  item.copy = item.array;
  if (item.array->isSparse && conforms(*item.array, over))
    return;
  item.copy = make("carried", item.array->element, over);
  item.copy->text = item.array->text;
  assign(over, *item.copy, elementOf(*item.array));
}

/// \p e with what is at the positions of the pattern.
const Expr *WaveFiller::atPattern(const Expr *e, Region &over) {
  if (!e)
    return nullptr;
  ExprRewriter rewriter(
      module, [&](const Expr *part) { return atPositions(part, over); });
  return rewriter.rewrite(e);
}

const Expr *WaveFiller::atPositions(const Expr *e, Region &over) {
  auto *element = dyn_cast<ElementExpr>(e);
  auto *index = dyn_cast<IndexExpr>(e);
  if (!element && !index)
    return e;
  Carried *item = element ? find(element->array) : nullptr;
  if (element && !element->isShifted()) {
    if (item)
      return elementOf(*item->copy);
    if (element->array->isSparse && conforms(*element->array, over))
      return e;
  }
  const Array *array = element ? element->array : nullptr;
  Offset offset = element ? element->offset : Offset(1, int64_t(index->dim));
  for (const Read &known : reads)
    if (known.array == array && known.offset == offset)
      return elementOf(*known.copy);
  Array *copy = make(item ? "before" : "read", e->type, over);
  assign(over, *copy, e);
  reads.push_back({array, offset, copy});
  return elementOf(*copy);
}

/// What is read with a prime gets what the wave stores.
void WaveFiller::addPushes(WaveStmt &s, const Expr *guard) {
  decltype(s.primed) pushed;
  for (const auto &[array, offset] : s.primed) {
    Carried *item = find(array);
    // Another member than the one that is stored does not change.
    if (!item->isStored)
      continue;
    for (const Read &known : reads)
      if (known.array == array && known.offset == offset) {
        Offset back = offset;
        for (int64_t &component : back)
          component = -component;
        ElementOp op(s.loop().body.front());
        op.kind = ElementOp::Store;
        op.target = module.make<ElementExpr>(known.copy, back, range);
        op.value = elementOf(*item->copy);
        op.guard = guard;
        s.loop().body.push_back(op);
        pushed.push_back({item->copy, offset});
      }
  }
  s.primed = pushed;
}

//===----------------------------------------------------------------------===//
// Over dense regions
//===----------------------------------------------------------------------===//

void WaveFiller::fillDense(WaveStmt &s) {
  refuseAliases(s);
  erase_if(carried, [](const Carried &c) { return !c.array->isSparse; });
  std::vector<ElementOp> &body = s.loop().body;
  for (const ElementOp &op : body) {
    addOffsets(op.target);
    addOffsets(op.value);
  }
  const Expr *mask = body.front().guard; // one for all, that of the scope
  makeReach(*s.region);
  for (Carried &item : carried)
    take(item);
  for (ElementOp &op : body) {
    op.target = replaced(op.target);
    op.value = replaced(op.value);
  }
  // What is another member than the one that is stored does not change.
  erase_if(s.primed, [&](const auto &primed) {
    Carried *item = find(primed.first);
    return item && !item->isStored;
  });
  for (auto &[array, offset] : s.primed)
    if (Carried *item = find(array))
      array = item->copy;
  out->push_back(&s);
  for (const Carried &item : carried)
    if (item.isStored) {
      SaveAndRestore at(range, item.storedAt);
      assign(*s.region, *item.array, elementOf(*item.copy), mask);
    }
  freeTemporaries();
}

void WaveFiller::freeTemporaries() {
  for (Array *array : reverse(temporaries))
    emit<FreeArrayStmt>(array);
  temporaries.clear();
}

/// Notes at which offsets \p e reads what is carried.
void WaveFiller::addOffsets(const Expr *e) {
  if (!e)
    return;
  forEachExpr(*e, [&](const Expr &part) {
    auto *element = dyn_cast<ElementExpr>(&part);
    Carried *item =
        element && element->isShifted() ? find(element->array) : nullptr;
    if (item && !is_contained(item->offsets, element->offset))
      item->offsets.push_back(element->offset);
  });
}

/// The region that the box and all it reads at offsets lies in.
void WaveFiller::makeReach(Region &box) {
  below.assign(box.rank(), 0);
  above.assign(box.rank(), 0);
  for (const Carried &item : carried)
    for (const Offset &offset : item.offsets)
      for (auto [d, component] : enumerate(offset)) {
        below[d] = std::max(below[d], -component);
        above[d] = std::max(above[d], component);
      }
  RegionExpr value;
  value.kind = RegionExpr::Dims;
  value.base = &box;
  Shape shape = box.shape;
  for (unsigned d = 0; d != box.rank(); ++d) {
    DimExpr &dim = value.dims.emplace_back();
    if (below[d] == 0 && above[d] == 0)
      continue;
    auto bound = [&](BoundExpr::Which which, int64_t distance) -> const Expr * {
      auto *bound = module.make<BoundExpr>(&box, d, which, range);
      return module.make<BinaryExpr>(BinaryOp::Add, bound, number(distance),
                                     range);
    };
    // Offsets need not be multiples of a stride.
    dim.kind = DimExpr::Range;
    dim.lo = bound(BoundExpr::Lo, -below[d]);
    dim.hi = bound(BoundExpr::Hi, above[d]);
    shape[d] = DimKind::Range;
  }
  reach = makeRegion("reach", box, shape);
  emit<SetRegionStmt>(reach, value);
}

/// Makes the copy of what the wave carries.
void WaveFiller::take(Carried &item) {
  item.copy = make("carried", item.array->element, *reach);
  item.copy->text = item.array->text;
  item.copy->fluff.below = below;
  item.copy->fluff.above = above;
  emit<FetchStmt>(item.copy, item.array, ArrayRef<const Expr *>(), reach);
}

/// \p e with copies of what it names.
const Expr *WaveFiller::replaced(const Expr *e) {
  if (!e)
    return nullptr;
  ExprRewriter rewriter(module, [&](const Expr *part) -> const Expr * {
    auto *element = dyn_cast<ElementExpr>(part);
    Carried *item = element ? find(element->array) : nullptr;
    return item ? module.make<ElementExpr>(item->copy, element->offset,
                                           element->range)
                : part;
  });
  return rewriter.rewrite(e);
}

/// A new array, freed after the wave.
Array *WaveFiller::make(StringRef name, Type element, Region &over) {
  Array *array =
      newArrayOver(module, procedure, names, name, element, over, range);
  emit<AllocArrayStmt>(array);
  temporaries.push_back(array);
  return array;
}

/// A new region in the domain of \p like, without a pattern.
Region *WaveFiller::makeRegion(StringRef name, const Region &like,
                               Shape shape) {
  return newRegionLike(module, procedure, names, name, like, std::move(shape),
                       range);
}

} // namespace

void fillWaves(Module &module, Procedure &procedure, PassContext &context) {
  WaveFiller(module, procedure, context).list(procedure.body);
}

} // namespace zpl::air
