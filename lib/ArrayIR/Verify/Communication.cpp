//===- Communication.cpp - The rules of array operators -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The runtime takes what it is given: it does not look whether
//
//     gather %T = @A at (@I) over %R
//
// has a map for each dimension of A, and it reads the source while it stores
// into the target. So here each array is of the right rank, element type and
// kinds of dimensions for its part in the statement, and no array is read that
// the statement writes.
//
// Kinds of dimensions: what a statement reads over a region is flooded where
// the region is, what it writes is flooded only there (appendix B of the
// language).
//
//===----------------------------------------------------------------------===//

#include "Verify/Communication.h"
#include "Verify/ArrayStatements.h"
#include "Verify/Declarations.h"
#include "Verify/Expressions.h"
#include "Verify/Statements.h"
#include "Verify/Verifying.h"
#include "zpl/ArrayIR/Domains.h"
#include "zpl/ArrayIR/Operands.h"
#include "zpl/ArrayIR/Printer.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

//===----------------------------------------------------------------------===//
// What several statements have
//===----------------------------------------------------------------------===//

/// An array that a statement makes of another one.
static bool made(Verifying &state, const Array *result, const Array *source,
                 const Shape &shape, StringRef what, SourceRange range) {
  if (!visible(state, result, range))
    return false;
  if (result->declared || result->storage != Storage::Local)
    return fail(state, range, what + " needs a local array without a region");
  if (result->element != source->element)
    return fail(state, range, what + " changes the element type");
  return (result != source && result->shape == shape) ||
         fail(state, range,
              printedName(*result) + " has not the shape of " + what);
}

static bool twoArrays(Verifying &state, const Array *target,
                      const Array *source, SourceRange range) {
  if (target == source)
    return fail(state, range,
                printedName(*target) + " is both read and written");
  return target->element == source->element ||
         fail(state, range,
              printedName(*target) + " has not the element type of " +
                  printedName(*source));
}

bool verifyMask(Verifying &state, const Mask &mask, const Region *r,
                const Array *target, SourceRange range) {
  if (!mask.array)
    return true;
  if (!readable(state, mask.array, r, range))
    return false;
  if (mask.array == target)
    return fail(state, range,
                printedName(*target) + " is both read and written");
  return mask.array->element == Type::Bool ||
         fail(state, range,
              "the mask " + printedName(*mask.array) + " is of " +
                  text(mask.array->element));
}

/// A map that is element code: without calls, of elements at the index.
static bool verifyMapExpr(Verifying &state, const Expr &map, const Region *r,
                          const Array *target, SourceRange range) {
  state.covering = r;
  bool good = verifyInteger(state, &map, range);
  state.covering = nullptr;
  if (!good)
    return false;
  std::string why;
  forEachExpr(map, [&](const Expr &e) {
    auto *element = dyn_cast<ElementExpr>(&e);
    if (isa<CallExpr>(e))
      why = "a map calls a procedure";
    else if (element && element->isShifted())
      why = "a map reads an element at another index";
    else if (element && element->array == target)
      why = printedName(*target) + " is both read and written";
  });
  return why.empty() || fail(state, range, why);
}

static bool verifyMaps(Verifying &state, ArrayRef<Map> maps,
                       const Array *remapped, const Region *r,
                       const Array *target, SourceRange range) {
  if (maps.size() != remapped->rank())
    return fail(state, range,
                printedName(*remapped) + " has rank " +
                    Twine(remapped->rank()) + " and " + Twine(maps.size()) +
                    " maps");
  return verifyMapList(state, maps, r, target, range);
}

bool verifyMapList(Verifying &state, ArrayRef<Map> maps, const Region *r,
                   const Array *target, SourceRange range) {
  for (const Map &map : maps) {
    if (bool(map.array) + bool(map.scalar) + bool(map.value) > 1)
      return fail(state, range, "a map is two things");
    if (map.value) {
      if (!verifyMapExpr(state, *map.value, r, target, range))
        return false;
    } else if (map.scalar) {
      if (!verifyInteger(state, map.scalar, range))
        return false;
    } else if (map.array) {
      Type type = map.array->element;
      if (!readable(state, map.array, r, range))
        return false;
      if (map.array == target)
        return fail(state, range,
                    printedName(*target) + " is both read and written");
      if (type != Type::I32 && type != Type::I64)
        return fail(state, range, "a map is of " + text(type));
    } else if (map.dim >= r->rank()) {
      return fail(state, range, "there is no such dimension");
    } else if (r->shape[map.dim] == DimKind::Flood) {
      return fail(state, range, "a flooded dimension has no index");
    }
  }
  return true;
}

bool verifyPartial(Verifying &state, const Array *target, const Region *from,
                   Type element, SourceRange range) {
  return readable(state, target, from, range) &&
         (target->element == element ||
          fail(state, range,
               printedName(*target) + " is of " + text(target->element) +
                   ", not " + text(element)));
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

bool verifyShift(Verifying &state, const ShiftStmt &s) {
  if (!readable(state, s.source, s.region, s.range) ||
      (s.sends && !visible(state, s.sends, s.range)))
    return false;
  Shape shape = s.region->shape;
  for (auto [kind, inSource] : zip(shape, s.source->shape))
    if (isPerProcessor(inSource))
      kind = inSource;
  SmallPtrSet<const Array *, 8> targets;
  for (const ShiftView &view : s.views) {
    if (!verifyDirection(state, view.direction, s.region->rank(), s.range) ||
        !made(state, view.target, s.source, shape, "a shift", s.range))
      return false;
    if (!targets.insert(view.target).second)
      return fail(state, s.range, printedName(*view.target) + " is made twice");
  }
  return !s.views.empty() || fail(state, s.range, "a shift makes nothing");
}

bool verifyFlood(Verifying &state, const FloodStmt &s) {
  if (!readable(state, s.source, s.from, s.range))
    return false;
  Shape shape = s.from->shape;
  for (DimKind &kind : shape)
    if (kind == DimKind::Singleton)
      kind = DimKind::Flood;
  if (!made(state, s.target, s.source, shape, "a flood", s.range))
    return false;
  int panel = s.target->panel;
  if ((panel >= 0) != (s.times != nullptr))
    return fail(state, s.range, "not a panel, or flooded once");
  if (s.target->hasSlots != (s.slot != nullptr))
    return fail(state, s.range, "not slots, or flooded as a panel");
  if (s.begins && s.times)
    return fail(state, s.range, "a panel is flooded whole");
  if (s.slot && !typed(state, s.slot, Type::I64, s.range))
    return false;
  return !s.times || (typed(state, s.times, Type::I64, s.range) &&
                      ((s.from->shape[panel] == DimKind::Singleton &&
                        (s.slot ? !isPerProcessor(s.source->shape[panel])
                                : s.source->shape[panel] == DimKind::Range)) ||
                       fail(state, s.range,
                            "a panel is not of single indices of a range")));
}

bool verifyPut(Verifying &state, const PutStmt &s) {
  return readable(state, s.source, s.region, s.range) &&
         writable(state, s.target, s.region, s.range) &&
         twoArrays(state, s.target, s.source, s.range) &&
         verifyDirection(state, s.direction, s.region->rank(), s.range) &&
         verifyMask(state, s.mask, s.region, s.target, s.range);
}

bool verifyCombine(Verifying &state, const CombineStmt &s) {
  SmallVector<const Variable *, 4> seen;
  for (const auto &[op, with, variable] : s.values()) {
    if (!visible(state, variable, s.range))
      return false;
    if (is_contained(seen, variable))
      return fail(state, s.range,
                  printedName(*variable) + " is combined twice at once");
    seen.push_back(variable);
    if (s.phase == CombineStmt::End)
      continue;
    if (s.phase == CombineStmt::Begin && with)
      return fail(state, s.range,
                  "an operator of the program is combined whole");
    if (!reducible(state, op, with, variable->type, s.range))
      return false;
  }
  return !s.region || visible(state, s.region, s.range);
}

bool verifyFold(Verifying &state, const FoldStmt &s) {
  if (!readable(state, s.source, s.region, s.range) ||
      !verifyMask(state, s.mask, s.region, s.target, s.range))
    return false;
  Type type = s.source->element;
  if ((s.op != Reduction::Sum && s.op != Reduction::Product) ||
      (!type.isFloat() && !type.isComplex()))
    return fail(state, s.range,
                "a fold is not a floating-point sum or product");
  if ((s.target != nullptr) == (s.variable != nullptr))
    return fail(state, s.range, "a fold has not one target");
  if (s.variable)
    return scalarTarget(state, s.variable, type, s.range);
  return verifyPartial(state, s.target, s.region, type, s.range) &&
         twoArrays(state, s.target, s.source, s.range);
}

/// Of each line along the first dimension C has one element.
static bool verifyCarry(Verifying &state, const CombineArrayStmt &s) {
  const Array &array = *s.array;
  if (!readable(state, s.array, s.carriesOver, s.range))
    return false;
  bool fits = array.isCarries() && !isScattered(*s.carriesOver) &&
              !s.carriesOver->isSparse;
  for (unsigned d = 0; fits && d < array.rank(); ++d)
    fits = !isPerProcessor(array.shape[d]) ||
           isPerProcessor(s.carriesOver->shape[d]) ||
           d + 1 == unsigned(std::abs(array.carryDims.front()));
  if (!fits)
    return fail(state, s.range,
                printedName(array) +
                    " has not one element for each line of a scan");
  return !s.restarts ||
         (visible(state, s.restarts, s.range) &&
          s.restarts->element == Type::Bool &&
          s.restarts->shape == array.shape) ||
         fail(state, s.range,
              printedName(array) + " restarts where something else says");
}

bool verifyCombineArray(Verifying &state, const CombineArrayStmt &s) {
  SmallVector<const Array *, 4> seen;
  for (const auto &[op, with, array] : s.values()) {
    if (!visible(state, array, s.range) ||
        !reducible(state, op, with, array->element, s.range))
      return false;
    if (array->shape != s.array->shape || is_contained(seen, array))
      return fail(state, s.range,
                  printedName(*array) +
                      " is combined twice at once, or has another shape");
    seen.push_back(array);
  }
  if (s.carriesOver)
    return verifyCarry(state, s);
  unsigned used = 0;
  for (unsigned dim : s.dims) {
    if (dim >= s.array->rank() || (used >> dim & 1))
      return fail(state, s.range, "the dimensions are not different ones");
    if (s.array->shape[dim] != DimKind::Flood)
      return fail(state, s.range,
                  printedName(*s.array) +
                      " is not flooded where it is combined");
    used |= 1u << dim;
  }
  return true;
}

static bool verifyScanDims(Verifying &state, const ScanStmt &s) {
  unsigned used = 0;
  for (int signedDim : s.dims) {
    unsigned dim = std::abs(signedDim) - 1u;
    if (dim >= s.region->rank() || (used >> dim & 1))
      return fail(state, s.range, "the dimensions are not different ones");
    used |= 1u << dim;
  }
  return !s.dims.empty() || fail(state, s.range, "a scan has no dimension");
}

bool verifyScan(Verifying &state, const ScanStmt &s) {
  if (!readable(state, s.source, s.region, s.range) ||
      !writable(state, s.target, s.region, s.range) ||
      !twoArrays(state, s.target, s.source, s.range) ||
      !reducible(state, s.op, s.with, s.source->element, s.range) ||
      !verifyScanDims(state, s))
    return false;
  if (s.with && !takesReferences(state, s.identity, s.source->element, s.range))
    return false;
  if (s.with && s.begins)
    return fail(state, s.range, "an operator of the program scans whole");
  // A segment mask is a mask that also takes part in the scan.
  return verifyMask(state, {s.segment, true}, s.region, s.target, s.range) &&
         verifyMask(state, s.mask, s.region, s.target, s.range);
}

bool verifyGather(Verifying &state, const GatherStmt &s) {
  return visible(state, s.source, s.range) &&
         writable(state, s.target, s.region, s.range) &&
         twoArrays(state, s.target, s.source, s.range) &&
         verifyMaps(state, s.maps, s.source, s.region, s.target, s.range) &&
         verifyMask(state, s.mask, s.region, s.target, s.range);
}

static bool verifyCombiner(Verifying &state, const ScatterStmt &s) {
  if (s.target == s.source)
    return fail(state, s.range,
                printedName(*s.target) + " is both read and written");
  return takesReferences(state, s.combine,
                         {s.target->element, s.source->element}, s.range);
}

bool verifyScatter(Verifying &state, const ScatterStmt &s) {
  return visible(state, s.target, s.range) &&
         readable(state, s.source, s.region, s.range) &&
         (s.combine ? verifyCombiner(state, s)
                    : twoArrays(state, s.target, s.source, s.range)) &&
         verifyMaps(state, s.maps, s.target, s.region, s.target, s.range) &&
         verifyMask(state, s.mask, s.region, s.target, s.range);
}

/// What a statement makes is a local array without a region.
static bool verifyMade(Verifying &state, const Array *made, Type element,
                       const Shape &shape, SourceRange range) {
  if (!visible(state, made, range))
    return false;
  return (!made->declared && made->storage == Storage::Local &&
          made->element == element && made->shape == shape) ||
         fail(state, range,
              printedName(*made) + " is no array that a window makes");
}

static bool verifyReference(Verifying &state, const WindowStmt &s,
                            const WindowReference &reference) {
  return verifyMade(state, reference.positions, Type::I32, s.region->shape,
                    reference.range) &&
         verifyMaps(state, reference.maps, s.array, s.region, s.window,
                    reference.range) &&
         verifyMask(state, reference.mask, s.region, s.window, reference.range);
}

bool verifyWindow(Verifying &state, const WindowStmt &s) {
  bool isFetch = s.form == WindowStmt::Fetch;
  bool isConfirm = s.form == WindowStmt::Confirm;
  bool combines = s.form == WindowStmt::Image || s.form == WindowStmt::Merge;
  if (isConfirm != !s.window || isConfirm != !s.array ||
      s.lends() != (s.region != nullptr) || (isFetch && !s.lends()) ||
      (s.lends() && !isFetch && s.form != WindowStmt::Image) ||
      (!combines && s.combine) ||
      (s.form == WindowStmt::Image && !s.lends() && !s.combine) ||
      ((s.withNext || !s.others.empty()) && !s.lends() &&
       s.form != WindowStmt::Merge))
    return fail(state, s.range, "a window has not the operands of its form");
  if (isConfirm)
    return true;
  if (!visible(state, s.array, s.range))
    return false;
  if (s.combine &&
      !takesReferences(state, s.combine, {s.array->element, s.array->element},
                       s.range))
    return false;
  if (s.form == WindowStmt::Merge)
    return visible(state, s.window, s.range);
  if (!s.lends())
    return verifyMade(state, s.window, s.array->element, s.array->shape,
                      s.range);
  return visible(state, s.region, s.range) &&
         verifyMade(state, s.window, s.array->element,
                    {DimKind::Range, DimKind::Range}, s.range) &&
         all_of(s.references, [&](const WindowReference &reference) {
           return verifyReference(state, s, reference);
         });
}

namespace {

using WindowGroup = SmallVector<const WindowStmt *, 2>;

bool names(const Stmt &stmt, const WindowGroup &group) {
  bool found = false;
  forEachArray(stmt, [&](const Array &array) {
    found |= any_of(
        group, [&](const WindowStmt *each) { return each->window == &array; });
  });
  return found;
}

bool hasWindow(const WindowGroup &group, const WindowStmt &stmt) {
  return any_of(group, [&](const WindowStmt *each) {
    return each->window == stmt.window;
  });
}

/// Whether a window names what those that wait for it make.
bool endsGroup(const WindowStmt &last, const WindowGroup &waiting) {
  return std::equal(
      waiting.begin(), waiting.end(), last.others.begin(), last.others.end(),
      [](const WindowStmt *a, const Array *b) { return a->result() == b; });
}

/// Whether images that are merged together have been made so.
bool areMadeTogether(const WindowGroup &merged, ArrayRef<WindowGroup> images) {
  for (const WindowGroup &made : images) {
    auto isMerged = [&](const WindowStmt *stmt) {
      return hasWindow(merged, *stmt);
    };
    if (any_of(made, isMerged))
      return made.size() == merged.size() && all_of(made, isMerged);
  }
  return merged.size() == 1;
}

} // namespace

bool verifyWindowGroups(Verifying &state, const StmtList &list) {
  WindowGroup open[WindowStmt::Confirm + 1];
  SmallVector<WindowGroup, 2> images;
  for (const Stmt *stmt : list) {
    auto *window = dyn_cast<WindowStmt>(stmt);
    for (auto form : {WindowStmt::Fetch, WindowStmt::Image})
      if (!(window && window->form == form) && names(*stmt, open[form]))
        return fail(state, stmt->range, "a window is used before it is there");
    if (!window || !(window->lends() || window->form == WindowStmt::Merge))
      continue;
    WindowGroup &group = open[window->form];
    if (window->withNext ? !window->others.empty() : !endsGroup(*window, group))
      return fail(state, stmt->range,
                  "a window does not name the others that are made with it");
    group.push_back(window);
    if (window->withNext)
      continue;
    if (window->form == WindowStmt::Image)
      images.push_back(group);
    if (window->form == WindowStmt::Merge && !areMadeTogether(group, images))
      return fail(state, stmt->range,
                  "what is merged together was not made together");
    group.clear();
  }
  for (const WindowGroup &group : open)
    if (!group.empty())
      return fail(state, group.back()->range,
                  "there is no next window in this list");
  return true;
}

static bool hasRangesOnly(const Shape &shape) {
  return all_of(shape, [](DimKind kind) { return kind == DimKind::Range; });
}

/// What may be executed any number of times on each processor: it stores
/// elements, not of the array that is read.
static bool standsInBoxes(const Stmt &stmt, const BoxesStmt &s) {
  bool good = isa<ArrayAssignStmt, MLoopStmt, SetRegionStmt, IfStmt>(stmt);
  forEachOperand(stmt, [&](const Operand &operand) {
    const Expr *place = operand.as<const Expr *>();
    const ElementExpr *element = place ? rootElement(place) : nullptr;
    good &= operand.use != Use::Write || !element || element->array != s.array;
  });
  forEachList(stmt, [&](const StmtList &list) {
    good &= all_of(list, [&](const Stmt *inner) {
      return inner && standsInBoxes(*inner, s);
    });
  });
  return good;
}

bool verifyBoxes(Verifying &state, const BoxesStmt &s) {
  if (!visible(state, s.box, s.range) || !visible(state, s.region, s.range) ||
      !visible(state, s.array, s.range) ||
      !verifyMade(state, s.window, s.array->element, s.array->shape, s.range) ||
      !verifyMaps(state, s.maps, s.array, s.region, s.window, s.range))
    return false;
  if (s.box->storage != Storage::Local || s.box->shape != s.region->shape)
    return fail(state, s.range,
                printedName(*s.box) + " is no local region of the shape of " +
                    printedName(*s.region));
  if (!hasRangesOnly(s.region->shape) || !hasRangesOnly(s.array->shape) ||
      s.region->isSparse)
    return fail(state, s.range, "boxes are of ranges");
  if (any_of(s.maps, [](const Map &map) { return map.array || map.value; }))
    return fail(state, s.range, "a map of boxes is no index and no scalar");
  if (!all_of(s.body, [&](const Stmt *stmt) {
        return stmt && standsInBoxes(*stmt, s);
      }))
    return fail(state, s.range,
                "what stands in boxes does more than to store elements, or "
                "stores what they have");
  return verifyList(state, s.body);
}

bool verifyBoundary(Verifying &state, const BoundaryStmt &s) {
  return writable(state, s.array, s.base, s.range) &&
         verifyDirection(state, s.direction, s.base->rank(), s.range);
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

/// What the kind of a check needs, and nothing else.
static bool verifyCheckedThings(Verifying &state, const CheckStmt &s) {
  static constexpr const char *Kinds[] = {
      "an element", "a target", "a formal", "bounds",   "a wrap",
      "a mask",     "regions",  "maps",     "a border", "a border"};
  bool hasArray = s.check != CheckStmt::Bounds && s.check != CheckStmt::Conform;
  bool isBorder =
      s.check == CheckStmt::WrapBorder || s.check == CheckStmt::ReflectBorder;
  bool hasDirection = s.check == CheckStmt::Read ||
                      s.check == CheckStmt::Write ||
                      s.check == CheckStmt::Wrap || isBorder;
  std::string what = std::string("a check of ") + Kinds[s.check];
  if (!hasDirection && !s.direction.empty())
    return fail(state, s.range, what + " has a direction");
  if (isBorder && s.direction.empty())
    return fail(state, s.range, what + " has no direction");
  if (hasArray != (s.array != nullptr))
    return fail(state, s.range,
                what + (s.array ? " has an array" : " has no array"));
  if ((s.check == CheckStmt::Conform) != (s.over != nullptr))
    return fail(state, s.range, what + " has not the right regions");
  if (s.check != CheckStmt::Maps && (!s.maps.empty() || s.mask.array))
    return fail(state, s.range, what + " has maps or a mask");
  return true;
}

bool verifyCheck(Verifying &state, const CheckStmt &s) {
  if (!visible(state, s.region, s.range) || !verifyCheckedThings(state, s) ||
      (s.array && !visible(state, s.array, s.range)))
    return false;
  switch (s.check) {
  case CheckStmt::Bounds:
    return true;
  case CheckStmt::Conform:
    return visible(state, s.over, s.range) &&
           sameRank(state, s.over->rank(), s.region->rank(), "the source",
                    s.range);
  case CheckStmt::Maps:
    return verifyMaps(state, s.maps, s.array, s.region, nullptr, s.range) &&
           verifyMask(state, s.mask, s.region, nullptr, s.range);
  case CheckStmt::Read:
  case CheckStmt::Write:
  case CheckStmt::Wrap:
  case CheckStmt::Formal:
  case CheckStmt::Mask:
  case CheckStmt::WrapBorder:
  case CheckStmt::ReflectBorder:
    return sameRank(state, s.array->rank(), s.region->rank(), "the array",
                    s.range) &&
           (s.direction.empty() ||
            verifyDirection(state, s.direction, s.region->rank(), s.range));
  }
  llvm_unreachable("a check outside its enumeration");
}

} // namespace zpl::air
