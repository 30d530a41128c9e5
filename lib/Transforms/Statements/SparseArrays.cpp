//===- SparseArrays.cpp - Sparse arrays and other patterns ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [S] As := A + Bs;                  S = R where ...; As, Bs: [S]; A: [R]
//     [R] E := As@north;
//     [2..3, 2..3] As := 0;
//
// A sparse array is the vector of its values in the order of its pattern. The
// first statement goes through the pattern of S, so it finds the elements of As
// and Bs one after the other: these arrays *conform*. The others go through
// indices of which As may store none. What they read is fetched into a
// temporary over their own region first, which is where elements that are not
// stored become the array's replicated value; what they write goes to such a
// temporary, from where it is stored. Storing ends the run if an index is not
// in the pattern:
//
//     [@S] @As = add(@A, @Bs)
//
//     fetch %fetched = @As by (i64 -1, i64 0) over @R
//     [@R] @E = %fetched
//
//     [%r] %stored = f64 0
//     store @As = %stored over %r "As"
//
// Parts of elements and what calls change by reference is fetched, changed and
// stored. Masks of stores are arrays.
//
// Operators of the runtime:
//
//  - floods, scans, reproducible sums and shifted stores work on boxes. Over a
//    sparse region they get its bounds, dense copies of their operands, and a
//    mask that is true where the region has an index;
//  - gathers, scatters and additions of indices take a sparse region, with maps
//    and values over it; the first two find elements of sparse arrays themselves;
//  - sorting takes a sparse region with arrays of its pattern, whose values it
//    sorts in the order of their indices; `wrap` and `reflect` any sparse array;
//  - waves are dense before all this (SparseWaves.cpp);
//  - input and output take sparse arrays over the very region.
//
// An element that is read twice in a statement is fetched once. A fetch costs
// in proportion to the indices of the region and the pattern, a dense copy in
// proportion to the box.
//
//===----------------------------------------------------------------------===//

#include "Statements/SparseArrays.h"
#include "zpl/ArrayIR/Rewrite.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::air {
namespace {

class PatternSeparator {
public:
  /// \p bindsIo: the module has procedures for elements of arrays.
  PatternSeparator(Module &module, Procedure &procedure, bool bindsIo)
      : module(module), procedure(procedure), names(procedure),
        bindsIo(bindsIo) {}

  void list(StmtList &list) {
    StmtList result;
    for (Stmt *stmt : list) {
      forEachList(*stmt, [&](StmtList &inner) { this->list(inner); });
      SaveAndRestore outer(out, &result);
      range = stmt->range;
      separate(*stmt);
      end();
    }
    list = std::move(result);
  }

private:
  struct Fetched {
    const Array *array;
    Offset offset;
    const Region *region;
    Array *copy;
  };

  void separate(Stmt &stmt);
  void end();

  // Element code.
  void assign(ArrayAssignStmt &s);
  bool fetchDirectly(ArrayAssignStmt &s);
  void assignStored(ArrayAssignStmt &s, const ElementExpr &root);
  template <typename ElementStmt> void evaluate(ElementStmt &s);
  void call(ElementCallStmt &s);
  void wave(WaveStmt &s);
  const Expr *inElements(const Expr *e, Region &region);
  const Expr *leaf(const Expr *e, Region &region);
  void openReferences(const Expr *e, Region &region);
  void storeReferences(Region &region, const Expr *guard);
  Mask maskOf(const Expr *&guard, Region &region);

  // Operators.
  void shift(ShiftStmt &s);
  void flood(FloodStmt &s);
  template <typename Operator> void goOverBox(Operator &s);
  void put(PutStmt &s);
  void fold(FoldStmt &s);
  void scan(ScanStmt &s);
  void gather(GatherStmt &s);
  void scatter(ScatterStmt &s);
  void add(AddIndexStmt &s);
  void check(CheckStmt &s);
  void write(WriteStmt &s);
  void read(ReadStmt &s);
  void sort(SortStmt &s);
  void balance(SetDistributionStmt &s);
  void free(FreeArrayStmt &s);
  void takeMaps(MutableArrayRef<Map> maps, Region &region);

  // What they are made of.
  template <typename T, typename... Args> T *emit(Args &&...args) {
    T *stmt = module.make<T>(std::forward<Args>(args)..., range);
    out->push_back(stmt);
    return stmt;
  }
  const Expr *elementOf(Array &array) {
    return module.make<ElementExpr>(&array, Offset(array.rank(), 0), range);
  }
  const Expr *truth(bool value) {
    auto *made = module.make<ConstExpr>(Type::Bool, range);
    made->integer = value;
    return made;
  }
  SmallVector<const Expr *, 6> directionOf(const Offset &offset);
  const Expr *guardOf(const Mask &mask);
  Array *make(StringRef name, Type element, Region &over);
  Array *fetched(Array &array, const Offset &offset, Region &region);
  Array *fetched(Array &array, Region &region) {
    return fetched(array, Offset(array.rank(), 0), region);
  }
  Array *evaluated(StringRef name, const Expr *value, Region &region,
                   const Mask &mask = {});
  Array *conforming(Array *array, Region &region);
  Array *overPattern(Array *array, Region &region);
  Region *boundsOf(Region &region);
  Array *inBox(Array *array, Region &box);
  Mask boxMask(const Mask &mask, Region &region, Region &box);
  void assignWhere(Region &region, Array &target, Array &source,
                   const Mask &mask);

  Module &module;
  Procedure &procedure;
  NameAllocator names;
  const bool bindsIo;
  StmtList *out = nullptr;
  SourceRange range;                ///< of the statement at hand
  std::vector<Array *> temporaries; ///< of the statement at hand
  std::vector<Fetched> copies;      ///< those that are elements of others
  /// Copies of what calls of the statement at hand change, stored after it.
  SmallVector<std::pair<Array *, Array *>, 2> references;
  /// What results of floods may share storage with.
  DenseMap<const Array *, Array *> held;
};

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

void PatternSeparator::separate(Stmt &stmt) {
  TypeSwitch<Stmt *>(&stmt)
      .Case<ArrayAssignStmt>([&](auto *s) { assign(*s); })
      .Case<ReduceStmt, ReduceArrayStmt>([&](auto *s) { evaluate(*s); })
      .Case<ElementCallStmt>([&](auto *s) { call(*s); })
      .Case<WaveStmt>([&](auto *s) { wave(*s); })
      .Case<ShiftStmt>([&](auto *s) { shift(*s); })
      .Case<FloodStmt>([&](auto *s) { flood(*s); })
      .Case<PutStmt>([&](auto *s) { put(*s); })
      .Case<FoldStmt>([&](auto *s) { fold(*s); })
      .Case<ScanStmt>([&](auto *s) { scan(*s); })
      .Case<GatherStmt>([&](auto *s) { gather(*s); })
      .Case<ScatterStmt>([&](auto *s) { scatter(*s); })
      .Case<AddIndexStmt>([&](auto *s) { add(*s); })
      .Case<CheckStmt>([&](auto *s) { check(*s); })
      .Case<WriteStmt>([&](auto *s) { write(*s); })
      .Case<ReadStmt>([&](auto *s) { read(*s); })
      .Case<SortStmt>([&](auto *s) { sort(*s); })
      .Case<SetDistributionStmt>([&](auto *s) { balance(*s); })
      .Case<FreeArrayStmt>([&](auto *s) { free(*s); })
      .Default([&](Stmt *s) { out->push_back(s); });
}

/// Frees what was made for the statement.
void PatternSeparator::end() {
  for (Array *array : reverse(temporaries))
    emit<FreeArrayStmt>(array);
  temporaries.clear();
  copies.clear();
  references.clear();
}

//===----------------------------------------------------------------------===//
// Element code
//===----------------------------------------------------------------------===//

const Expr *PatternSeparator::inElements(const Expr *e, Region &region) {
  if (!e)
    return nullptr;
  ExprRewriter rewriter(module,
                        [&](const Expr *expr) { return leaf(expr, region); });
  return rewriter.rewrite(e);
}

const Expr *PatternSeparator::leaf(const Expr *e, Region &region) {
  auto *element = dyn_cast<ElementExpr>(e);
  if (!element || !element->array->isSparse)
    return e;
  for (auto [array, copy] : references)
    if (array == element->array && !element->isShifted())
      return elementOf(*copy);
  if (conforms(*element->array, region) && !element->isShifted())
    return e;
  return elementOf(*fetched(*element->array, element->offset, region));
}

/// Copies of the arrays that calls in \p e may change by reference and that do
/// not conform.
void PatternSeparator::openReferences(const Expr *e, Region &region) {
  forEachExpr(*e, [&](const Expr &part) {
    auto *call = dyn_cast<CallExpr>(&part);
    if (!call)
      return;
    for (const Argument &arg : call->args) {
      const ElementExpr *root = arg.place ? rootElement(arg.place) : nullptr;
      if (!root || conforms(*root->array, region) ||
          is_contained(make_first_range(references), root->array))
        continue;
      Array *copy = make("changed", root->array->element, region);
      emit<FetchStmt>(copy, root->array, ArrayRef<const Expr *>(), &region);
      references.push_back({root->array, copy});
    }
  });
}

void PatternSeparator::storeReferences(Region &region, const Expr *guard) {
  if (references.empty())
    return;
  Mask mask = guard ? maskOf(guard, region) : Mask();
  for (auto [array, copy] : references)
    emit<StoreStmt>(array, ArrayRef<const Expr *>(), copy, &region, mask,
                    array->text);
  references.clear();
}

/// The guard, which has been separated, as an array.
Mask PatternSeparator::maskOf(const Expr *&guard, Region &region) {
  auto *inverse = dyn_cast<UnaryExpr>(guard);
  bool isNot = inverse && inverse->op == UnaryOp::Not;
  if (auto *element = dyn_cast<ElementExpr>(isNot ? inverse->operand : guard);
      element && !element->isShifted())
    return {element->array, !isNot};
  Array *mask = make("mask", Type::Bool, region);
  emit<ArrayAssignStmt>(&region, elementOf(*mask), guard);
  guard = elementOf(*mask);
  return {mask, true};
}

/// Separates what a reduction reads.
template <typename ElementStmt>
void PatternSeparator::evaluate(ElementStmt &s) {
  s.guard = inElements(s.guard, *s.region);
  s.value = inElements(s.value, *s.region);
  out->push_back(&s);
}

void PatternSeparator::call(ElementCallStmt &s) {
  s.guard = inElements(s.guard, *s.region);
  openReferences(s.call, *s.region);
  if (!references.empty() && s.guard)
    maskOf(s.guard, *s.region); // before the call changes what it reads
  s.call = cast<CallExpr>(inElements(s.call, *s.region));
  out->push_back(&s);
  storeReferences(*s.region, s.guard);
}

void PatternSeparator::assign(ArrayAssignStmt &s) {
  const ElementExpr *root = rootElement(s.target);
  if (fetchDirectly(s))
    return;
  Region &region = *s.region;
  s.guard = inElements(s.guard, region);
  openReferences(s.value, region);
  s.value = inElements(s.value, region);
  if (!conforms(*root->array, region))
    return assignStored(s, *root);
  s.target = inElements(s.target, region);
  out->push_back(&s);
  storeReferences(region, s.guard);
}

/// Whether the statement is a fetch; then it has become one.
bool PatternSeparator::fetchDirectly(ArrayAssignStmt &s) {
  auto *target = dyn_cast<ElementExpr>(s.target);
  auto *value = dyn_cast<ElementExpr>(s.value);
  if (!target || !value || s.guard || !target->array->isSparse ||
      !value->array->isSparse || !conforms(*target->array, *s.region) ||
      (conforms(*value->array, *s.region) && !value->isShifted()) ||
      mayBeSame(module, *target->array, *value->array, procedure.mayAlias))
    return false;
  emit<FetchStmt>(target->array, value->array, directionOf(value->offset),
                  s.region);
  return true;
}

/// To a sparse array of another pattern, from a temporary unless the elements
/// lie as they are to be stored.
void PatternSeparator::assignStored(ArrayAssignStmt &s,
                                    const ElementExpr &root) {
  Region &region = *s.region;
  auto *whole = s.target == &root ? dyn_cast<ElementExpr>(s.value) : nullptr;
  if (whole && !whole->isShifted() && references.empty() &&
      whole->array->isSparse == region.isSparse &&
      none_of(whole->array->shape, isPerProcessor)) {
    Mask mask = s.guard ? maskOf(s.guard, region) : Mask();
    emit<StoreStmt>(root.array, ArrayRef<const Expr *>(), whole->array, &region,
                    mask, root.array->text);
    return;
  }
  Array *copy = make("stored", root.array->element, region);
  if (s.target != &root)
    emit<FetchStmt>(copy, root.array, ArrayRef<const Expr *>(), &region);
  ExprRewriter rewriter(module,
                        [&](const Expr *expr) { return leaf(expr, region); });
  rewriter.set(&root, elementOf(*copy));
  s.target = rewriter.rewrite(s.target);
  Mask mask = s.guard ? maskOf(s.guard, region) : Mask();
  out->push_back(&s);
  storeReferences(region, s.guard);
  emit<StoreStmt>(root.array, ArrayRef<const Expr *>(), copy, &region, mask,
                  root.array->text);
}

/// Over a dense region sparse arrays are read only, and what was there before
/// the wave is meant; over a sparse one all conform: see SparseWaves.cpp.
void PatternSeparator::wave(WaveStmt &s) {
  if (s.region->isSparse) {
    out->push_back(&s);
    return;
  }
  for (ElementOp &op : s.loop().body) {
    op.guard = inElements(op.guard, *s.region);
    op.value = inElements(op.value, *s.region);
  }
  out->push_back(&s);
}

//===----------------------------------------------------------------------===//
// Operators
//===----------------------------------------------------------------------===//

/// Shifted sparse arrays become arrays over the region.
void PatternSeparator::shift(ShiftStmt &s) {
  if (!s.source->isSparse) {
    out->push_back(&s);
    return;
  }
  for (ShiftView &view : s.views) {
    view.target->shape = s.region->shape;
    view.target->isSparse = s.region->isSparse;
    view.target->declared = s.region;
    emit<AllocArrayStmt>(view.target);
    emit<FetchStmt>(view.target, s.source, view.direction, s.region)->wraps =
        view.wraps;
  }
}

/// The result of a flood may share the storage of what is flooded, which is
/// freed with it.
void PatternSeparator::flood(FloodStmt &s) {
  s.from = boundsOf(*s.from);
  if (s.source->isSparse) {
    s.source = fetched(*s.source, *s.from);
    llvm::erase(temporaries, s.source);
    held[s.target] = s.source;
  }
  out->push_back(&s);
}

void PatternSeparator::free(FreeArrayStmt &s) {
  out->push_back(&s);
  if (Array *source = held.lookup(s.array))
    emit<FreeArrayStmt>(source);
}

/// The operator goes over the bounds of its region, under a mask.
template <typename Operator> void PatternSeparator::goOverBox(Operator &s) {
  Region &region = *s.region;
  s.region = boundsOf(region);
  s.source = inBox(s.source, *s.region);
  s.mask = boxMask(s.mask, region, *s.region);
}

void PatternSeparator::put(PutStmt &s) {
  Region &region = *s.region;
  if (s.target->isSparse) {
    s.mask.array = conforming(s.mask.array, region);
    emit<StoreStmt>(s.target, s.direction, conforming(s.source, region),
                    &region, s.mask, s.text.empty() ? s.target->text : s.text)
        ->wraps = s.wraps;
    return;
  }
  goOverBox(s);
  out->push_back(&s);
}

void PatternSeparator::fold(FoldStmt &s) {
  goOverBox(s);
  out->push_back(&s);
}

void PatternSeparator::scan(ScanStmt &s) {
  Region &region = *s.region;
  Mask mask = s.mask;
  Array *target = s.target;
  goOverBox(s);
  s.segment = s.segment ? inBox(s.segment, *s.region) : nullptr;
  if (target->isSparse)
    s.target = make("scanned", target->element, *s.region);
  out->push_back(&s);
  if (target->isSparse)
    assignWhere(region, *target, *s.target, mask);
}

/// Maps over a sparse region are arrays over it or expressions that will be.
void PatternSeparator::takeMaps(MutableArrayRef<Map> maps, Region &region) {
  for (Map &map : maps) {
    bool isIndex = !map.array && !map.scalar && !map.value;
    if (map.array)
      map.array = overPattern(map.array, region);
    else if (map.value)
      map.value = inElements(map.value, region);
    else if (isIndex && region.isSparse)
      map.value = module.make<IndexExpr>(map.dim, range);
  }
}

void PatternSeparator::check(CheckStmt &s) {
  if (s.check == CheckStmt::Maps) {
    takeMaps(s.maps, *s.region);
    s.mask.array = overPattern(s.mask.array, *s.region);
  }
  out->push_back(&s);
}

void PatternSeparator::gather(GatherStmt &s) {
  Region &region = *s.region;
  Mask mask = s.mask;
  Array *target = s.target;
  takeMaps(s.maps, region);
  s.mask.array = overPattern(s.mask.array, region);
  bool fits = target->isSparse == region.isSparse && conforms(*target, region);
  if (!fits)
    s.target = make("gathered", target->element, region);
  out->push_back(&s);
  if (!fits)
    assignWhere(region, *target, *s.target, mask);
}

void PatternSeparator::scatter(ScatterStmt &s) {
  takeMaps(s.maps, *s.region);
  s.mask.array = overPattern(s.mask.array, *s.region);
  s.source = overPattern(s.source, *s.region);
  out->push_back(&s);
}

void PatternSeparator::add(AddIndexStmt &s) {
  if (s.over) {
    takeMaps(s.maps, *s.over);
    s.mask.array = overPattern(s.mask.array, *s.over);
  }
  out->push_back(&s);
}

void PatternSeparator::write(WriteStmt &s) {
  for (WriteItem &item : s.items)
    if (Array *array = item.array) {
      item.array = overPattern(array, *item.region);
      // A copy has the procedures of what it stands for.
      if (bindsIo && item.array != array)
        emit<BindIoStmt>(item.array, /*isRead=*/false, nullptr)->like = array;
    }
  out->push_back(&s);
}

void PatternSeparator::read(ReadStmt &s) {
  struct Later {
    Region *region;
    Array *target, *made;
  };
  SmallVector<Later, 2> later;
  for (ReadItem &item : s.items) {
    if (!item.array || (item.array->isSparse == item.region->isSparse &&
                        conforms(*item.array, *item.region)))
      continue;
    Array *made = make("read", item.array->element, *item.region);
    later.push_back({item.region, item.array, made});
    if (bindsIo)
      emit<BindIoStmt>(made, /*isRead=*/true, nullptr)->like = item.array;
    item.array = made;
  }
  out->push_back(&s);
  for (const Later &item : later)
    assignWhere(*item.region, *item.target, *item.made, {});
}

void PatternSeparator::sort(SortStmt &s) {
  Region &region = *s.region;
  SmallVector<std::pair<Array *, Array *>, 2> copies;
  for (Array *&array : s.arrays) {
    Array *sorted = overPattern(array, region);
    if (sorted != array)
      copies.push_back({array, sorted});
    array = sorted;
  }
  out->push_back(&s);
  for (auto [array, sorted] : copies)
    assignWhere(region, *array, *sorted, {});
}

void PatternSeparator::balance(SetDistributionStmt &s) {
  if (s.weights.array) {
    Region &region = *s.weights.region;
    s.weights.region = boundsOf(region);
    s.weights.array = inBox(s.weights.array, *s.weights.region);
    s.weights.mask = boxMask(s.weights.mask, region, *s.weights.region);
  }
  out->push_back(&s);
}

//===----------------------------------------------------------------------===//
// What they are made of
//===----------------------------------------------------------------------===//

SmallVector<const Expr *, 6>
PatternSeparator::directionOf(const Offset &offset) {
  SmallVector<const Expr *, 6> result;
  if (all_of(offset, [](int64_t component) { return component == 0; }))
    return result;
  for (int64_t component : offset) {
    auto *made = module.make<ConstExpr>(Type::I64, range);
    made->integer = component;
    result.push_back(made);
  }
  return result;
}

const Expr *PatternSeparator::guardOf(const Mask &mask) {
  if (!mask.array)
    return nullptr;
  const Expr *element = elementOf(*mask.array);
  return mask.value ? element
                    : module.make<UnaryExpr>(UnaryOp::Not, element, range);
}

/// A new array over the region, freed after the statement.
Array *PatternSeparator::make(StringRef name, Type element, Region &over) {
  Array *array =
      newArrayOver(module, procedure, names, name, element, over, range);
  emit<AllocArrayStmt>(array);
  temporaries.push_back(array);
  return array;
}

/// The elements of a sparse array at the offset, over the region.
Array *PatternSeparator::fetched(Array &array, const Offset &offset,
                                 Region &region) {
  for (const Fetched &known : copies)
    if (known.array == &array && known.offset == offset &&
        known.region == &region)
      return known.copy;
  Array *copy = make("fetched", array.element, region);
  emit<FetchStmt>(copy, &array, directionOf(offset), &region);
  copies.push_back({&array, offset, &region, copy});
  return copy;
}

/// A new array with this value over the region, where the mask leaves that.
Array *PatternSeparator::evaluated(StringRef name, const Expr *value,
                                   Region &region, const Mask &mask) {
  Array *made = make(name, value->type, region);
  value = inElements(value, region);
  auto *stmt =
      module.make<ArrayAssignStmt>(&region, elementOf(*made), value, range);
  stmt->guard = inElements(guardOf(mask), region);
  out->push_back(stmt);
  return made;
}

/// The array, or a copy of its elements that conforms to the region.
Array *PatternSeparator::conforming(Array *array, Region &region) {
  return !array || conforms(*array, region) ? array : fetched(*array, region);
}

/// The array, or a copy of its elements, as sparse as the region.
Array *PatternSeparator::overPattern(Array *array, Region &region) {
  if (!array || (region.isSparse && !array->isSparse))
    return array ? evaluated("sparse", elementOf(*array), region) : nullptr;
  return conforming(array, region);
}

/// The dense region of the same bounds and strides.
Region *PatternSeparator::boundsOf(Region &region) {
  if (!region.isSparse)
    return &region;
  Region *made = newRegionLike(module, procedure, names, "bounds", region,
                               region.shape, range);
  RegionExpr value;
  value.base = &region;
  emit<SetRegionStmt>(made, value);
  return made;
}

/// The array, or a dense copy over the box.
Array *PatternSeparator::inBox(Array *array, Region &box) {
  return array->isSparse ? fetched(*array, box) : array;
}

/// The mask over the box of the region: where that has an index.
Mask PatternSeparator::boxMask(const Mask &mask, Region &region, Region &box) {
  if (&region == &box)
    return {conforming(mask.array, region), mask.value};
  const Expr *inside = mask.array ? guardOf(mask) : truth(true);
  return {inBox(evaluated("inside", inside, region), box), true};
}

/// `[region where mask] target = source`.
void PatternSeparator::assignWhere(Region &region, Array &target, Array &source,
                                   const Mask &mask) {
  auto *stmt = module.make<ArrayAssignStmt>(&region, elementOf(target),
                                            elementOf(source), range);
  stmt->guard = guardOf(mask);
  assign(*stmt);
}

/// Whether procedures write or read elements of arrays anywhere.
bool bindsProcedures(const Module &module) {
  bool found = false;
  for (const Procedure *procedure : module.procedures)
    forEachStmt(procedure->body,
                [&](const Stmt &stmt) { found |= isa<BindIoStmt>(stmt); });
  return found;
}

bool hasSparseArrays(const Module &module) {
  auto isSparse = [](const Region *region) { return region->isSparse; };
  return any_of(module.regions, isSparse) ||
         any_of(module.procedures, [&](const Procedure *procedure) {
           return any_of(procedure->regions, isSparse) ||
                  any_of(procedure->params, [](const Parameter &param) {
                    return (param.region && param.region->isSparse) ||
                           (param.array && param.array->isSparse);
                  });
         });
}

} // namespace

Array *newArrayOver(Module &module, Procedure &procedure, NameAllocator &names,
                    StringRef name, Type element, Region &over,
                    SourceRange range) {
  auto *array = module.make<Array>();
  array->name = names.make(name);
  array->element = element;
  array->shape = over.shape;
  array->isSparse = over.isSparse;
  array->declared = &over;
  array->domain = over.domain;
  array->range = range;
  procedure.arrays.push_back(array);
  return array;
}

Region *newRegionLike(Module &module, Procedure &procedure,
                      NameAllocator &names, StringRef name, const Region &like,
                      Shape shape, SourceRange range) {
  auto *region = module.make<Region>();
  region->name = names.make(name);
  region->shape = std::move(shape);
  region->domain = like.domain;
  region->isTemporary = true;
  region->range = range;
  procedure.regions.push_back(region);
  return region;
}

void separatePatterns(Module &module, PassContext &context) {
  if (!hasSparseArrays(module))
    return;
  findPatterns(module);
  bool binds = bindsProcedures(module);
  for (Procedure *procedure : module.procedures) {
    fillWaves(module, *procedure, context);
    PatternSeparator(module, *procedure, binds).list(procedure->body);
  }
}

} // namespace zpl::air
