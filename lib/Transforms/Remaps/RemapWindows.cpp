//===- RemapWindows.cpp - Remaps in loops on several processors -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [@R] @B = add(@A#(@P), @A#(@Q))        where others own elements of A
//  =>
//     window fetch %window = @A over @R {%at at (@P) "A#[P]", ...}
//     [@R] @B = add(%window#(i64(lt(%at, i32 0)), %at), ...)
//     free %at ... free %window
//
// or, where A has far fewer elements than there are indices,
//
//     window copy %copy = @A
//     [@R] @B = add(%copy#(@P checked later (0) "A#[P]"), ...)
//     window confirm
//     free %copy
//
// A scatter that combines, into %C, is a call with `ref` such an element, between
// a `window image`, of all of %C or of references, and a `window merge`.
//
//===----------------------------------------------------------------------===//

#include "Remaps/RemapWindows.h"
#include "Remaps/MapForms.h"
#include "zpl/Analysis/Combining.h"

using namespace llvm;

namespace zpl::air {

static bool hasNumbers(Type type) {
  return type.isInteger() || type.isFloat() || type.isComplex();
}

/// Whether an element is its bytes, wherever they lie: it has no strings, which
/// are handles of their processor.
static bool isItsBytes(Type type) {
  if (hasNumbers(type))
    return true;
  if (type == Type::Array)
    return !type.isRunTimeSized() && isItsBytes(type.info()->element);
  return (type == Type::Record || type == Type::Union) &&
         all_of(type.info()->fields,
                [](const Field &field) { return isItsBytes(field.type); });
}

static bool hasOnlyRanges(const Array &array) {
  return all_of(array.shape,
                [](DimKind kind) { return kind == DimKind::Range; });
}

bool mayFetch(const GatherStmt &gather) {
  // Positions are for boxes.
  return isItsBytes(gather.source->element) && !gather.region->isSparse;
}

bool mayCopyWhole(const GatherStmt &gather) {
  return hasNumbers(gather.source->element) && hasOnlyRanges(*gather.source);
}

bool mayImage(const ScatterStmt &scatter) {
  std::optional<BinaryOp> op =
      scatter.combine ? combiningOp(*scatter.combine) : std::nullopt;
  Type element = scatter.target->element;
  return op && scatter.source->element == element &&
         mayCombineFirst(*op, element, scatter.ordered) &&
         hasOnlyRanges(*scatter.target);
}

bool mayStore(const ScatterStmt &scatter) {
  Type element = scatter.target->element;
  return !scatter.combine && scatter.source->element == element &&
         hasNumbers(element) && hasOnlyRanges(*scatter.target) &&
         !scatter.region->isSparse;
}

void RemapWindows::start() {
  before.clear();
  after.clear();
}

void groupWindows(ArrayRef<WindowStmt *> windows) {
  WindowStmt &last = *windows.back();
  last.withNext = false;
  last.others.clear();
  for (WindowStmt *window : windows.drop_back()) {
    window->withNext = true;
    window->others.clear();
    last.others.push_back(window->result());
  }
}

void RemapWindows::group() {
  SmallVector<WindowStmt *, 2> fetched;
  for (Stmt *stmt : before)
    if (auto *window = cast<WindowStmt>(stmt);
        window->form == WindowStmt::Fetch)
      fetched.push_back(window);
  if (!fetched.empty())
    groupWindows(fetched);
}

Array *RemapWindows::makeLocal(StringRef base, Type element, const Shape &shape,
                               const Domain *domain, SourceRange range) {
  auto *array = module.make<Array>();
  array->name = names.make(base);
  array->element = element;
  array->shape = shape;
  array->domain = domain;
  array->range = range;
  procedure.arrays.push_back(array);
  return array;
}

/// What it makes is freed behind the loop.
WindowStmt *RemapWindows::add(WindowStmt::Form form, Array *window,
                              Array *array, StmtList &list, SourceRange range) {
  auto *made = module.make<WindowStmt>(form, window, array, range);
  list.push_back(made);
  if (form != WindowStmt::Merge && window)
    after.push_back(module.make<FreeArrayStmt>(window, range));
  return made;
}

Array *RemapWindows::makeWindow(Type element, SourceRange range) {
  return makeLocal("window", element, {DimKind::Range, DimKind::Range}, nullptr,
                   range);
}

WindowStmt *RemapWindows::windowOf(const GatherStmt &gather) {
  for (Stmt *stmt : before)
    if (auto *window = cast<WindowStmt>(stmt);
        window->form == WindowStmt::Fetch && window->array == gather.source &&
        window->region == gather.region)
      return window;
  WindowStmt *window =
      add(WindowStmt::Fetch, makeWindow(gather.source->element, gather.range),
          gather.source, before, gather.range);
  window->region = gather.region;
  return window;
}

bool haveSameMaps(const WindowReference &reference, ArrayRef<Map> maps,
                  const Mask &mask) {
  auto haveSameText = [](const Map &a, const Map &b) {
    return mapText(a) == mapText(b);
  };
  return reference.mask.array == mask.array &&
         reference.mask.value == mask.value &&
         std::equal(reference.maps.begin(), reference.maps.end(), maps.begin(),
                    maps.end(), haveSameText);
}

Array *RemapWindows::positionsOf(ArrayRef<Map> maps, const Mask &mask,
                                 WindowStmt &window, StringRef text,
                                 SourceRange range) {
  for (const WindowReference &known : window.references)
    if (haveSameMaps(known, maps, mask))
      return known.positions;
  Array *made = makeLocal("at", Type::I32, window.region->shape,
                          window.region->domain, range);
  WindowReference reference{made, {}, mask, module.copy(text), range};
  reference.maps.assign(maps.begin(), maps.end());
  window.references.push_back(std::move(reference));
  after.insert(after.begin(), module.make<FreeArrayStmt>(made, range));
  return made;
}

const RemapExpr *RemapWindows::elementAt(const WindowStmt &window,
                                         Array *positions, SourceRange range) {
  auto *at =
      module.make<ElementExpr>(positions, Offset(positions->rank(), 0), range);
  auto *zero = module.make<ConstExpr>(Type::I32, range);
  zero->integer = 0;
  zero->number = 0;
  auto *isGhost = module.make<CompareExpr>(CompareOp::Lt, at, zero, range);
  const Expr *maps[] = {module.make<CastExpr>(Type::I64, isGhost, range), at};
  return module.make<RemapExpr>(window.window, maps, range);
}

const RemapExpr *RemapWindows::fetched(const GatherStmt &gather,
                                       StringRef text) {
  WindowStmt *window = windowOf(gather);
  Array *positions =
      positionsOf(gather.maps, gather.mask, *window, text, gather.range);
  return elementAt(*window, positions, gather.range);
}

const RemapExpr *RemapWindows::collected(const ScatterStmt &scatter,
                                         StringRef text) {
  SourceRange range = scatter.range;
  Array *target = scatter.target;
  WindowStmt *window =
      add(WindowStmt::Image, makeWindow(target->element, range), target, before,
          range);
  window->combine = scatter.combine;
  window->region = scatter.region;
  Array *positions =
      positionsOf(scatter.maps, scatter.mask, *window, text, range);
  mergeInto(scatter, window->window);
  return elementAt(*window, positions, range);
}

/// First of all behind the loop.
void RemapWindows::mergeInto(const ScatterStmt &scatter, Array *image) {
  StmtList merged;
  WindowStmt *merge =
      add(WindowStmt::Merge, image, scatter.target, merged, scatter.range);
  merge->combine = scatter.combine;
  after.insert(after.begin(), merge);
}

Array *RemapWindows::copied(Array *source, SourceRange range) {
  for (Stmt *stmt : before)
    if (auto *window = cast<WindowStmt>(stmt);
        window->form == WindowStmt::Copy && window->array == source)
      return window->window;
  Array *made =
      makeLocal("copy", source->element, source->shape, source->domain, range);
  add(WindowStmt::Copy, made, source, before, range);
  return made;
}

Array *RemapWindows::imaged(const ScatterStmt &scatter) {
  Array *target = scatter.target;
  Array *made = makeLocal("image", target->element, target->shape,
                          target->domain, scatter.range);
  WindowStmt *image =
      add(WindowStmt::Image, made, target, before, scatter.range);
  image->combine = scatter.combine;
  mergeInto(scatter, made);
  return made;
}

void RemapWindows::confirm(SourceRange range) {
  StmtList confirmed;
  add(WindowStmt::Confirm, nullptr, nullptr, confirmed, range);
  after.insert(after.begin(), confirmed.front());
}

} // namespace zpl::air
