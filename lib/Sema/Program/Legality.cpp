//===- Legality.cpp - What each statement may access ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What it finds:
//
//     config var n: integer = 100;
//     region R = [1..n, 1..n];  Big = [0..n+1, 0..n+1];  Row = [*, 1..n];
//     var A: [Big] double;  B: [R] double;  C: [1..10] double;  F: [Row]
//     double;
//
//     [R] B := A@east;            -- proven: 2..n+1 lies within 0..n+1
//     [k, 1..n] B := 0;           -- k is a variable: checked at run time
//     [1..10] C := C@[1];         -- illegal: 11 is not declared
//     [R] B := B@east;            -- illegal unless R is empty: a warning, and
//                                 -- checked at run time
//     [R] F := B;                 -- illegal: F has one value per column
//     [Row] F := +<<[R] B;        -- proven: the source has Row's columns
//
// Each dimension is looked up in the table of Legality.def by its kinds. Where
// that says that indices decide, they are compared by their bounds
// (IndexSets.cpp); a covering region without indices is always legal then.
// Strided dimensions count as ranges. Masks change nothing.
//
// An expression is reported once, in whichever instance it is wrong first.
//
// Cost: a few comparisons per reference and instance.
//
//===----------------------------------------------------------------------===//

#include "Program/Legality.h"

#include "Arrays/IndexSets.h"
#include "Program/Free.h"
#include "Program/LegalityTable.h"

namespace zpl::sema {

namespace {

/// What meets in a cell: "covering region", "array".
struct Sides {
  llvm::StringRef first, second;
};

constexpr Sides OfArray{"covering region", "array"};
constexpr Sides OfSource{"source", "covering region"};
constexpr Sides OfMask{"covering region", "mask"};
constexpr Sides OfPattern{"covering region", "pattern"};

/// "index 0..11 in dimension 1, declared is 1..10" of dimension \p d; without
/// bounds to name \p otherwise: "beyond the declared region in dimension 1".
std::string difference(const DimBounds &needed, const DimBounds &given,
                       unsigned d, llvm::StringRef givenIs,
                       llvm::StringRef otherwise) {
  std::string indices = text(needed), region = text(given);
  if (indices.empty() || region.empty())
    return llvm::formatv("{0} in dimension {1}", otherwise, d + 1).str();
  return llvm::formatv("index {0} in dimension {1}, {2} is {3}", indices, d + 1,
                       givenIs, region)
      .str();
}

//===----------------------------------------------------------------------===//
// The checks
//===----------------------------------------------------------------------===//

class AccessChecker : public PlaceVisitor {
public:
  AccessChecker(const Program &program, const Surveyor &surveyor,
                const BorderedParams &bordered, InstanceInfo &info,
                llvm::DenseSet<const void *> &reported, DiagnosticEngine &diags)
      : PlaceVisitor(program, surveyor, info), bordered(bordered),
        reported(reported), diags(diags) {}

protected:
  void onRegion(const RegionExpr &region) override { components(region); }
  void onOpen(const RegionExpr &region) override {
    PlaceVisitor::onOpen(region);
    scopes[region.rank].push_back(&region);
  }
  void onClose(const RegionExpr &region) override {
    scopes[region.rank].pop_back();
    PlaceVisitor::onClose(region);
  }
  void onRead(const ArrayExpr &e, unsigned rank) override {
    access(e, cover(rank),
           e.direction.empty() ? Operation::Read : Operation::ReadAt);
    if (e.isPrimed)
      primed(e, cover(rank));
  }
  void onWrite(const ArrayExpr &e, unsigned rank) override {
    access(e, cover(rank),
           e.direction.empty() ? Operation::Write : Operation::WriteAt);
  }
  void onRemap(const ArrayExpr &e, llvm::ArrayRef<Map> maps, unsigned rank,
               bool) override {
    remap(e, maps, rank);
  }
  void onIndex(const IndexExpr &e, unsigned rank) override;
  void onCall(const CallExpr &call, unsigned) override {
    for (unsigned i = 0; i != call.args.size(); ++i) {
      const Array *formal = arrayParam(*call.callee, i);
      if (formal && formal->declared)
        argument(call, i, *formal);
    }
  }
  void onExpr(const Expr &e) override {
    if (auto *flood = llvm::dyn_cast<FloodExpr>(&e))
      source(e, *flood->source, Operation::Flood, flood->text);
    else if (auto *reduce = llvm::dyn_cast<ReduceExpr>(&e)) {
      if (reduce->source)
        source(e, *reduce->source, Operation::Reduce, reduce->text);
    } else if (auto *mask = llvm::dyn_cast<EnclosingMaskExpr>(&e)) {
      inheritedMask(*mask);
    } else if (auto *scanned = llvm::dyn_cast<ScanExpr>(&e)) {
      scan(*scanned);
    } else if (auto *pattern = llvm::dyn_cast<PatternExpr>(&e)) {
      kinds(e, pattern->text, Operation::Read, cover(e.rank),
            survey(*pattern->region), OfPattern, nullptr);
    }
  }
  void onStmt(const Stmt &s) override {
    PlaceVisitor::onStmt(s);
    if (auto *boundary = llvm::dyn_cast<BoundaryStmt>(&s))
      for (const ArrayExpr *array : boundary->arrays)
        fill(*boundary, *array);
    if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s))
      assigned(*assign->target, *assign->value);
  }

private:
  void components(const RegionExpr &region);
  void access(const ArrayExpr &e, const Place &covering, Operation operation);
  bool kinds(const Expr &e, llvm::StringRef written, Operation operation,
             const Place &first, const Place &second, Sides sides,
             const Array *array = nullptr);
  bool unshifted(const ArrayExpr &e, Operation operation, const Place &covering,
                 const Place &declared);
  void primed(const ArrayExpr &e, const Place &covering);
  bool blankMaps(const ArrayExpr &e, llvm::ArrayRef<Map> maps,
                 const Place &covering, const Place &declared);
  void assigned(const Expr &target, const Expr &value);
  void freeValue(const Expr &target, const Expr &value);
  void turns(const Expr &value, const Array &array);
  void scan(const ScanExpr &e);
  Comparison stored(const ArrayExpr &e, const Place &needed) const;
  void outside(const ArrayExpr &e, Operation operation, const Place &needed,
               Comparison result);
  bool isSureToWrap(const ArrayExpr &e, const Place &covering) const;
  void source(const Expr &e, const RegionExpr &region, Operation operation,
              llvm::StringRef written);
  void inheritedMask(const EnclosingMaskExpr &e);
  void remap(const ArrayExpr &e, llvm::ArrayRef<Map> maps, unsigned rank);
  void fill(const BoundaryStmt &s, const ArrayExpr &e);
  void argument(const CallExpr &call, unsigned i, const Array &formal);
  void addCover(DiagnosticBuilder &report, unsigned rank);
  void addCalls(DiagnosticBuilder &report);

  const BorderedParams &bordered;
  llvm::DenseSet<const void *> &reported; ///< nodes
  DiagnosticEngine &diags;
  /// What opened the covering regions, per rank; the innermost last.
  std::array<llvm::SmallVector<const RegionExpr *, 4>, MaxRank + 1> scopes;
};

/// The calls by which the instance came about.
void AccessChecker::addCalls(DiagnosticBuilder &report) {
  for (const InstanceInfo *at = &info; at->firstCall; at = at->firstCaller)
    report.note(at->firstCall->range, Diag::CalledFromHere,
                at->firstCall->callee->name);
}

/// The scope or source that covers, or the calls.
void AccessChecker::addCover(DiagnosticBuilder &report, unsigned rank) {
  if (!scopes[rank].empty())
    report.note(scopes[rank].back()->range, Diag::CoveredHere);
  addCalls(report);
}

/// Region operators keep flooded and grid dimensions as they are.
void AccessChecker::components(const RegionExpr &region) {
  if (region.direction.empty() || isOfParameter(region))
    return;
  Place base = survey(*region.base);
  for (unsigned d = 0; d != base.rank(); ++d) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(region.direction[d]);
    if (!isPerProcessor(base.shape[d]) || !literal || literal->integer == 0 ||
        !reported.insert(&region).second)
      continue;
    auto report = diags.report(region.range, Diag::FloodedComponent,
                               literal->integer, d + 1, text(base.shape[d]));
    addCalls(report);
  }
}

/// Whether the kinds of all dimensions go together; reports otherwise.
bool AccessChecker::kinds(const Expr &e, llvm::StringRef written,
                          Operation operation, const Place &first,
                          const Place &second, Sides sides,
                          const Array *array) {
  for (unsigned d = 0; d != first.rank(); ++d) {
    const Cell &cell = lookUp(operation, first.shape[d], second.shape[d]);
    if (cell.rule != Rule::Never)
      continue;
    if (!reported.insert(&e).second)
      return false;
    auto report =
        diags.report(e.range, Diag::DimensionKinds, written, verb(operation),
                     d + 1, sides.first, text(first.shape[d]), sides.second,
                     text(second.shape[d]), cell.text);
    if (array)
      report.note(array->range, Diag::DeclaredHere, array->name);
    addCover(report, first.rank());
    return false;
  }
  return true;
}

/// Whether the direction is 0 where the table wants that; other values than
/// constants are left to the run.
bool AccessChecker::unshifted(const ArrayExpr &e, Operation operation,
                              const Place &covering, const Place &declared) {
  for (unsigned d = 0; d != e.direction.size(); ++d) {
    if (lookUp(operation, covering.shape[d], declared.shape[d]).rule !=
        Rule::Unshifted)
      continue;
    if (operation == Operation::WriteAt && !isPerProcessor(covering.shape[d])) {
      if (reported.insert(&e).second)
        addCover(diags.report(e.range, Diag::GridWriteAt, e.text, d + 1)
                     .note(e.array->range, Diag::DeclaredHere, e.array->name),
                 covering.rank());
      return false;
    }
    auto *literal = llvm::dyn_cast<LiteralExpr>(e.direction[d]);
    if (!literal)
      info.instance->checked.insert(&e);
    if (!literal || literal->integer == 0)
      continue;
    if (!reported.insert(&e).second)
      return false;
    auto report = diags.report(e.range, Diag::GridShifted, e.text, d + 1,
                               literal->integer);
    report.note(e.array->range, Diag::DeclaredHere, e.array->name);
    addCover(report, covering.rank());
    return false;
  }
  return true;
}

/// In a flooded dimension there is one index only: what has been stored there
/// is the current element.
void AccessChecker::primed(const ArrayExpr &e, const Place &covering) {
  for (unsigned d = 0; d != e.direction.size(); ++d) {
    int64_t component = llvm::cast<LiteralExpr>(e.direction[d])->integer;
    if (covering.shape[d] != DimKind::Flood || component == 0 ||
        !reported.insert(&e).second)
      continue;
    auto report =
        diags.report(e.range, Diag::PrimeFlooded, e.text, component, d + 1);
    addCover(report, covering.rank());
  }
}

/// Free values differ between processors, and so may the elements of an array
/// with a grid dimension; but not where the array is flooded.
void AccessChecker::freeValue(const Expr &target, const Expr &value) {
  bool isFree = value.isFree || target.isFree;
  const Array &array = *llvm::cast<ArrayExpr>(rootOf(&target))->array;
  if (!isFree)
    return;
  Shape shape = declaredPlace(array).shape;
  bool isFlooded = llvm::is_contained(shape, DimKind::Flood);
  if ((llvm::is_contained(shape, DimKind::Grid) && !isFlooded) ||
      !reported.insert(&value).second)
    return;
  auto report =
      diags.report((value.isFree ? value : target).range, Diag::FreeElements,
                   array.name, isFlooded ? "is flooded" : "has none");
  report.note(array.range, Diag::DeclaredHere, array.name);
  addFreeSource(report, value.isFree ? value : target);
  addCalls(report);
}

void AccessChecker::assigned(const Expr &target, const Expr &value) {
  freeValue(target, value);
  const Array &array = *llvm::cast<ArrayExpr>(rootOf(&target))->array;
  auto takesTurns = [](auto kinds) {
    auto [declared, covering] = kinds;
    return declared == DimKind::Grid && !isPerProcessor(covering);
  };
  if (llvm::any_of(
          llvm::zip(declaredPlace(array).shape, cover(array.rank).shape),
          takesTurns))
    turns(value, array);
}

/// A grid dimension takes a value of each index in turn, in one loop; results
/// of a size that the run knows are arrays first.
void AccessChecker::turns(const Expr &value, const Array &array) {
  auto *call = llvm::dyn_cast<CallExpr>(&value);
  if (call && call->isArray() && isRunTimeSized(call->type) &&
      reported.insert(&value).second)
    addCover(diags
                 .report(value.range, Diag::GridWriteCall, call->callee->name,
                         array.name)
                 .note(array.range, Diag::DeclaredHere, array.name),
             array.rank);
  forEachOperand(value, [&](const Expr &operand) { turns(operand, array); });
}

/// A scan goes over indices, of which a grid dimension has none.
void AccessChecker::scan(const ScanExpr &e) {
  for (int dim : e.dims) {
    unsigned number = std::abs(dim);
    if (cover(e.rank).shape[number - 1] != DimKind::Grid ||
        !reported.insert(&e).second)
      continue;
    auto report = diags.report(e.range, Diag::GridScan, number);
    addCover(report, e.rank);
  }
}

/// Whether \p needed lies where what \p e means is stored.
Comparison AccessChecker::stored(const ArrayExpr &e,
                                 const Place &needed) const {
  const Array &array = *e.array;
  std::vector<Place> places = {declaredPlace(e)};
  for (const RegionExpr *border : array.borders)
    places.push_back(surveyor.here(surveyAtEntry(*border), array, border));
  Comparison result = compareWithin(needed, places);
  // What is passed for the parameter may be stored over a border.
  if (result.verdict >= Verdict::Wrong && bordered.contains(&array))
    result.verdict = Verdict::Unknown;
  return result;
}

void AccessChecker::access(const ArrayExpr &e, const Place &covering,
                           Operation operation) {
  Place declared = declaredPlace(e);
  if (!kinds(e, e.text, operation, covering, declared, OfArray, e.array) ||
      !unshifted(e, operation, covering, declared) || isEmpty(covering))
    return;
  if (e.wraps) {
    if (!isSureToWrap(e, covering))
      info.instance->checked.insert(&e);
    return;
  }
  Place needed = surveyor.moved(covering, e.direction);
  Comparison result = stored(e, needed);
  if (result.verdict == Verdict::Proven)
    return;
  info.instance->checked.insert(&e);
  // Perhaps no index of the pattern lies there.
  if (result.verdict != Verdict::Unknown && !covering.isSparse)
    outside(e, operation, needed, result);
}

/// Reports indices that are not stored.
void AccessChecker::outside(const ArrayExpr &e, Operation operation,
                            const Place &needed, Comparison result) {
  if (!reported.insert(&e).second)
    return;
  auto id = result.verdict == Verdict::Wrong ? Diag::OutsideRegion
                                             : Diag::OutsideUnlessEmpty;
  auto report = diags.report(
      e.range, id, e.text, verb(operation),
      difference(needed.dims[result.dim], declaredPlace(e).dims[result.dim],
                 result.dim, "declared", "beyond its declared region"));
  report.note(e.array->range, Diag::DeclaredHere, e.array->name);
  addCalls(report);
}

/// `@^` needs an index in each dimension to go round to and, where the array is
/// strided, to hit one.
bool AccessChecker::isSureToWrap(const ArrayExpr &e,
                                 const Place &covering) const {
  Place declared = declaredPlace(e);
  if (stored(e, covering).verdict != Verdict::Proven && !isNotEmpty(declared))
    return false;
  Place needed = surveyor.moved(covering, e.direction);
  for (unsigned d = 0; d != needed.rank(); ++d)
    if (!isPerProcessor(declared.shape[d]) &&
        compareAlignment(needed.dims[d], declared.dims[d]) != Verdict::Proven)
      return false;
  return true;
}

/// The source of a flood or partial reduction against the covering region.
void AccessChecker::source(const Expr &e, const RegionExpr &region,
                           Operation operation, llvm::StringRef written) {
  const Place &covering = cover(region.rank);
  Place from = survey(region);
  if (!kinds(e, written, operation, from, covering, OfSource) ||
      isEmpty(covering))
    return;
  Comparison result{Verdict::Proven};
  for (unsigned d = 0; d != from.rank(); ++d) {
    Rule rule = lookUp(operation, from.shape[d], covering.shape[d]).rule;
    if (rule != Rule::Equal)
      continue;
    Verdict verdict = compareDim(from.dims[d], covering.dims[d]);
    if (verdict > result.verdict)
      result = {verdict, d};
  }
  if (result.verdict == Verdict::Proven)
    return;
  info.instance->checkedSources.insert(&e);
  if (result.verdict == Verdict::Unknown || !reported.insert(&e).second)
    return;
  auto id = isNotEmpty(covering) && isNotEmpty(from) ? Diag::SourceIndices
                                                     : Diag::SourceUnlessEmpty;
  auto report = diags.report(
      e.range, id, written, verb(operation),
      difference(from.dims[result.dim], covering.dims[result.dim], result.dim,
                 "that of the covering region",
                 "other indices than those of the covering region"));
  addCover(report, region.rank);
}

/// The quote as a mask: read over the region that it is to mask.
void AccessChecker::inheritedMask(const EnclosingMaskExpr &e) {
  if (enclosingMask() == MaskKind::None)
    return;
  const Place &covering = cover(e.rank);
  if (!kinds(e, "\"", Operation::Read, covering, enclosingMaskPlace(),
             OfMask) ||
      isEmpty(covering))
    return;
  Comparison result = compareWithin(covering, enclosing());
  if (result.verdict == Verdict::Proven)
    return;
  info.instance->checkedSources.insert(&e);
  if (result.verdict == Verdict::Unknown || enclosingReachesFurther() ||
      !reported.insert(&e).second)
    return;
  auto id = result.verdict == Verdict::Wrong ? Diag::OutsideRegion
                                             : Diag::OutsideUnlessEmpty;
  auto report = diags.report(e.range, id, "\"", "reads",
                             difference(covering.dims[result.dim],
                                        enclosing().dims[result.dim],
                                        result.dim, "that of the mask",
                                        "beyond the region of the mask"));
  addCover(report, e.rank);
}

/// A blank map is an index; or this processor's place, where region and array
/// both have one.
bool AccessChecker::blankMaps(const ArrayExpr &e, llvm::ArrayRef<Map> maps,
                              const Place &covering, const Place &declared) {
  for (unsigned d = 0; d != maps.size(); ++d) {
    DimKind kind = maps[d] ? DimKind::Range : covering.shape[d];
    if (!isPerProcessor(kind) || declared.shape[d] == DimKind::Flood ||
        (kind == DimKind::Grid && declared.shape[d] == kind))
      continue;
    if (!reported.insert(&e).second)
      return false;
    auto report = diags.report(e.range, Diag::BlankMapKind, d + 1, text(kind));
    report.note(e.array->range, Diag::DeclaredHere, e.array->name);
    addCover(report, covering.rank());
    return false;
  }
  return true;
}

/// Map values are checked where they are computed; here only what is a scalar
/// or an index of the region.
void AccessChecker::remap(const ArrayExpr &e, llvm::ArrayRef<Map> maps,
                          unsigned rank) {
  const Place &covering = cover(rank);
  Place declared = declaredPlace(e);
  if (!blankMaps(e, maps, covering, declared))
    return;
  // Maps at indices that are masked out or not stored have no value.
  if (covering.isSparse || mask(rank) != MaskKind::None ||
      !isNotEmpty(covering))
    return;
  for (unsigned d = 0; d != maps.size(); ++d) {
    if (isPerProcessor(declared.shape[d]))
      continue;
    DimBounds values;
    auto *index = maps[d] ? llvm::dyn_cast<IndexExpr>(maps[d]) : nullptr;
    if (!maps[d] || index)
      values = covering.dims[index ? index->dim : d];
    else if (!maps[d]->isArray())
      values.lo = values.hi = surveyor.form(*maps[d]);
    else
      continue;
    Place needed{{DimKind::Range}, {values}};
    Place region{{DimKind::Range}, {declared.dims[d]}};
    if (compareWithin(needed, region).verdict < Verdict::Wrong ||
        !reported.insert(&e).second)
      continue;
    auto report =
        diags.report(maps[d] ? maps[d]->range : e.range, Diag::OutsideRegion,
                     e.text, verb(Operation::Remap),
                     difference(values, declared.dims[d], d, "declared",
                                "beyond its declared region"));
    report.note(e.array->range, Diag::DeclaredHere, e.array->name);
    addCalls(report);
  }
}

/// What `wrap` and `reflect` fill; the run compares where this cannot.
void AccessChecker::fill(const BoundaryStmt &s, const ArrayExpr &e) {
  RegionExpr border;
  border.kind = RegionExpr::Of;
  border.rank = s.base->rank;
  border.base = s.base;
  border.direction = s.direction;
  Place filled = survey(border);
  if (!kinds(e, e.text, Operation::Write, filled, declaredPlace(e), OfArray,
             e.array) ||
      isEmpty(filled))
    return;
  Comparison result = stored(e, filled);
  if (result.verdict >= Verdict::Wrong)
    outside(e, Operation::Write, filled, result);
}

void AccessChecker::onIndex(const IndexExpr &e, unsigned rank) {
  DimKind kind = cover(rank).shape[e.dim];
  if (!isPerProcessor(kind) || !reported.insert(&e).second)
    return;
  auto report =
      diags.report(e.range, Diag::IndexFlooded, e.dim + 1, text(kind));
  addCover(report, rank);
}

/// `[R] T` takes arrays declared over the index set of R.
void AccessChecker::argument(const CallExpr &call, unsigned i,
                             const Array &formal) {
  Place given = argumentPlace(call, i);
  CoverPlaces argument; // blank dimensions take any
  argument[formal.rank] = given;
  Place wanted = surveyor.survey(*formal.declared, {argument, argument});
  Verdict verdict = compareSame(given, wanted).verdict;
  bool isOtherKind = false;
  for (unsigned d = 0; d != given.rank(); ++d)
    isOtherKind |=
        given.shape[d] != wanted.shape[d] &&
        (isPerProcessor(given.shape[d]) || isPerProcessor(wanted.shape[d]));
  // Of patterns only names show that they are the same.
  if (given.isSparse && wanted.isSparse) {
    const ArrayExpr *whole = wholeArgument(call, i);
    const RegionExpr *own = whole ? whole->array->declared : nullptr;
    bool isSame = own && own->kind == RegionExpr::Ref &&
                  formal.declared->kind == RegionExpr::Ref &&
                  own->region == formal.declared->region;
    if (!isSame)
      info.instance->checkedArguments.insert({&call, i});
  }
  if (verdict == Verdict::Proven ||
      (!isOtherKind && isEmpty(wanted) && isEmpty(given)))
    return;
  info.instance->checkedArguments.insert({&call, i});
  bool isWrong = isOtherKind || (verdict == Verdict::Wrong &&
                                 (isNotEmpty(wanted) || isNotEmpty(given)));
  if (!isWrong || !reported.insert(call.args[i]).second)
    return;
  auto report =
      diags.report(call.args[i]->range, Diag::ArgumentRegion, formal.name);
  report.note(formal.range, Diag::DeclaredHere, formal.name);
  if (const ArrayExpr *array = firstArray(*call.args[i]))
    report.note(array->array->range, Diag::DeclaredHere, array->array->name);
  addCalls(report);
}

} // namespace

void checkLegality(const Program &program, const Surveyor &surveyor,
                   const BorderedParams &bordered, InstanceInfos &infos,
                   DiagnosticEngine &diags) {
  llvm::DenseSet<const void *> reported;
  for (auto &info : infos)
    AccessChecker(program, surveyor, bordered, *info, reported, diags).run();
}

} // namespace zpl::sema
