//===- SparseWaves.cpp - Waves over sparse regions and arrays -------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [S] scan  A := A'@north + B;  end;         A, B: [S] double, S sparse
//
// A wave goes from an index to its neighbours, which in a pattern are anywhere.
// Directions are constants, so what a wave can say anything about is a grid of
// which the pattern has a part. The wave becomes one over the smallest box
// around its indices:
//
//     [@S] %lo = reduce min index(0)             and %hi, of each range
//     region %box = [%lo .. %hi, ...]
//     fetch %carried = @A over %reach            the box and what `north`
//     [@S] %inside = bool true                   reaches from there
//     fetch %inside.1 = %inside over %box
//     fetch %read = @B over %box
//     wave %box tile %t ... {
//       mloop %t { if %inside.1: %carried = add(%carried@(-1,0), %read) }
//     }
//     [@S] @A = %carried
//
// The statements around it are separated like all others (SparseArrays.cpp).
//
//   carried    what the wave stores or reads with a prime. Of a sparse array all
//              is fetched, so where nothing is stored there is the array's
//              replicated value; of a dense one, which the wave may reach out
//              of but at stored indices, what these and their neighbours name.
//   read       all else, at the indices of the region, so what is at others
//              does not matter
//
// Over a dense region only sparse arrays are carried; the others stay as they
// are.
//
// Parameters that may be one array, of which one is stored, are an error;
// members of a family must have different subscripts, which the run checks.
//
// Cost: as a masked wave over the box; one copy of the box per array.
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
  /// Another one, at an offset.
  struct Read {
    Array *array;
    Offset offset;
    Array *copy;
  };

  bool isConcerned(const WaveStmt &s);
  void fill(WaveStmt &s);
  void findCarried(const WaveStmt &s);
  void refuseAliases(const WaveStmt &s);
  const Expr *memberOf(const Array &view) const;
  const Expr *areDistinct(const Array &a, const Array &b);
  void carry(Array *array);
  void carryStored(const Expr *place, SourceRange range);
  void addOffsets(const Expr *e);
  void makeReach(Region &box);
  void take(Carried &item, Region &over);
  const Expr *replaced(const Expr *e, Region &over, Region &box);
  const Expr *leaf(const Expr *e, Region &over, Region &box);
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
  Region *makeRegion(StringRef name, const Region &like, Shape shape);
  Region *boxAround(Region &region);
  const Expr *extreme(Region &region, unsigned d, Reduction op, Region &bounds);
  Region *moved(Region &region, const Offset &offset);
  Array *inBox(Array &array, Region &box);

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
      fill(*wave);
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

void WaveFiller::fill(WaveStmt &s) {
  refuseAliases(s);
  Region &region = *s.region;
  if (!region.isSparse)
    erase_if(carried, [](const Carried &c) { return !c.array->isSparse; });
  reads.clear();
  std::vector<ElementOp> &body = s.loop().body;
  for (const ElementOp &op : body) {
    addOffsets(op.target);
    addOffsets(op.value);
  }
  Region *box = &region;
  const Expr *mask = body.front().guard; // one for all, that of the scope
  Array *inside = nullptr;
  if (region.isSparse) {
    box = boxAround(region);
    inside = make("inside", Type::Bool, region);
    auto *all = module.make<ConstExpr>(Type::Bool, range);
    all->integer = 1;
    assign(region, *inside, mask ? mask : all);
  }
  makeReach(*box);
  for (Carried &item : carried)
    take(item, region);
  const Expr *guard = inside ? elementOf(*inBox(*inside, *box)) : nullptr;
  for (ElementOp &op : body) {
    op.target = replaced(op.target, region, *box);
    op.value = replaced(op.value, region, *box);
    op.guard = guard ? guard : op.guard;
  }
  // What is another member than the one that is stored does not change.
  erase_if(s.primed, [&](const auto &primed) {
    Carried *item = find(primed.first);
    return item && !item->isStored;
  });
  for (auto &[array, offset] : s.primed)
    if (Carried *item = find(array))
      array = item->copy;
  s.region = box;
  out->push_back(&s);
  for (const Carried &item : carried)
    if (item.isStored) {
      SaveAndRestore at(range, item.storedAt);
      assign(region, *item.array, elementOf(*item.copy),
             mask && inside ? elementOf(*inside) : mask);
    }
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

/// Makes the copy of what the wave over \p over carries.
void WaveFiller::take(Carried &item, Region &over) {
  item.copy = make("carried", item.array->element, *reach);
  item.copy->text = item.array->text;
  item.copy->fluff.below = below;
  item.copy->fluff.above = above;
  if (item.array->isSparse) {
    emit<FetchStmt>(item.copy, item.array, ArrayRef<const Expr *>(), reach);
    return;
  }
  assign(over, *item.copy, elementOf(*item.array));
  for (const Offset &offset : item.offsets)
    assign(*moved(over, offset), *item.copy, elementOf(*item.array));
}

/// \p e with copies of what it names.
const Expr *WaveFiller::replaced(const Expr *e, Region &over, Region &box) {
  if (!e)
    return nullptr;
  ExprRewriter rewriter(
      module, [&](const Expr *part) { return leaf(part, over, box); });
  return rewriter.rewrite(e);
}

const Expr *WaveFiller::leaf(const Expr *e, Region &over, Region &box) {
  auto *element = dyn_cast<ElementExpr>(e);
  if (!element)
    return e;
  if (Carried *item = find(element->array))
    return module.make<ElementExpr>(item->copy, element->offset,
                                    element->range);
  if (!over.isSparse)
    return e;
  for (const Read &known : reads)
    if (known.array == element->array && known.offset == element->offset)
      return elementOf(*known.copy);
  Array *stored = make("read", element->type, over);
  assign(over, *stored, element);
  Array *copy = inBox(*stored, box);
  reads.push_back({element->array, element->offset, copy});
  return elementOf(*copy);
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

/// The least index of the sparse \p region in a dimension, or the greatest one.
/// Of no index the greatest is below the least one; both are within \p bounds,
/// or next to it.
const Expr *WaveFiller::extreme(Region &region, unsigned d, Reduction op,
                                Region &bounds) {
  auto *found = module.make<Variable>();
  bool isLeast = op == Reduction::Min;
  found->name = names.make(isLeast ? "lo" : "hi");
  found->type = Type::I32;
  procedure.variables.push_back(found);
  emit<ReduceStmt>(&region, found, op, module.make<IndexExpr>(d, range));
  auto compute = [&](BinaryOp op, const Expr *left, const Expr *right) {
    return module.make<BinaryExpr>(op, left, right, range);
  };
  auto bound = [&](BoundExpr::Which which) {
    return module.make<BoundExpr>(&bounds, d, which, range);
  };
  const Expr *lo = bound(BoundExpr::Lo), *hi = bound(BoundExpr::Hi);
  const Expr *index = module.make<CastExpr>(
      Type::I64, module.make<VarExpr>(found, range), range);
  if (isLeast)
    return compute(BinaryOp::Max, compute(BinaryOp::Min, index, hi), lo);
  const Expr *before = compute(BinaryOp::Sub, lo, number(1));
  return compute(BinaryOp::Min, compute(BinaryOp::Max, index, before), hi);
}

/// A dense region, the smallest box around the indices of a sparse one; with its
/// bounds in dimensions that are no ranges.
Region *WaveFiller::boxAround(Region &region) {
  Region *bounds = makeRegion("bounds", region, region.shape);
  RegionExpr same;
  same.base = &region;
  emit<SetRegionStmt>(bounds, same);
  RegionExpr value;
  value.kind = RegionExpr::Dims;
  value.base = bounds;
  for (unsigned d = 0; d != region.rank(); ++d) {
    DimExpr &dim = value.dims.emplace_back();
    if (region.shape[d] != DimKind::Range)
      continue;
    dim.kind = DimExpr::Range;
    dim.lo = extreme(region, d, Reduction::Min, *bounds);
    dim.hi = extreme(region, d, Reduction::Max, *bounds);
  }
  Region *box = makeRegion("box", region, region.shape);
  emit<SetRegionStmt>(box, value);
  return box;
}

/// The region at an offset, with its pattern.
Region *WaveFiller::moved(Region &region, const Offset &offset) {
  Region *made = makeRegion("moved", region, region.shape);
  made->isSparse = region.isSparse;
  RegionExpr value;
  value.kind = RegionExpr::At;
  value.base = &region;
  for (int64_t component : offset)
    value.direction.push_back(number(component));
  emit<SetRegionStmt>(made, value);
  return made;
}

/// A dense copy of a sparse array.
Array *WaveFiller::inBox(Array &array, Region &box) {
  Array *copy = make(array.name, array.element, box);
  emit<FetchStmt>(copy, &array, ArrayRef<const Expr *>(), &box);
  return copy;
}

} // namespace

void fillWaves(Module &module, Procedure &procedure, PassContext &context) {
  WaveFiller(module, procedure, context).list(procedure.body);
}

} // namespace zpl::air
