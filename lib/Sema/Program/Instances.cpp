//===- Instances.cpp - Finds the instances of procedures ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure init(inout X: [ , ] double);
//     begin X := Index1; end;
//
//     [1..n, 1..n] init(A);     -- instance init:   cover [.., ..]
//     [n, ] init(A);            -- instance init.1: cover [., ..]
//     [" with M] init(A);       -- instance init.2: cover [.., ..] with
//
// 1. Two roots: the initializers of the program and the entry procedure,
//    without covering regions and parameters.
// 2. For an instance on the worklist, go through its code with the shapes and
//    bounds of the scopes that open and close. Each call makes a key: the
//    callee, the shapes of the covering regions that it needs and whether they
//    are masked, the shapes of its array arguments, which of them are one array
//    (`smooth(A, A)`), and whether others may be the same storage. The instance
//    of this key is found or made.
// 3. Bounds and strides are no part of the key. An instance keeps those on
//    which all its calls agree; where two differ, or a bound means something
//    only to the caller, the bound becomes an atom of the instance. An instance
//    whose bounds have changed goes through its code again.
//
// Keys hold shapes only, of which there are finitely many, and a bound changes
// at most twice, so this ends: `[R by [2]] f()` in f itself makes f for ranges
// and f for strided ones. When a procedure has MostInstances of them, further
// shapes are widened: what is neither flooded nor a range counts as strided,
// which stands for ranges and singletons too. Only to a procedure with floods
// or partial reductions a singleton that covers it is more than a short range.
//
// Cost: each instance is gone through about twice.
//
//===----------------------------------------------------------------------===//

#include "Program/Instances.h"

#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FormatVariadic.h"

#include <deque>

namespace zpl::sema {

namespace {

constexpr unsigned MostInstances = 16;

/// What tells instances of a procedure apart.
struct Key {
  const Procedure *procedure = nullptr;
  Covers covers;
  CoverMasks masks{};
  std::vector<Shape> paramShapes;
  bool mayAlias = false;
  std::vector<bool> alone; ///< as Instance's
  std::vector<unsigned> sameAs;
  std::array<const Domain *, MaxRank + 1> coverDomains{};
  std::vector<const Domain *> paramDomains;
  SparseCovers coverSparse;
  std::vector<bool> paramSparse;

  bool isOf(const Instance &instance) const {
    return instance.procedure == procedure && instance.covers == covers &&
           instance.masks == masks && instance.paramShapes == paramShapes &&
           instance.mayAlias == mayAlias && instance.alone == alone &&
           instance.sameAs == sameAs && instance.coverDomains == coverDomains &&
           instance.paramDomains == paramDomains &&
           instance.coverSparse == coverSparse &&
           instance.paramSparse == paramSparse;
  }
  void widen(bool keepsSingletons) {
    for (auto &cover : covers)
      if (cover)
        widen(*cover, keepsSingletons);
    for (Shape &shape : paramShapes)
      widen(shape, /*keepsSingletons=*/false);
  }
  static void widen(Shape &shape, bool keepsSingletons) {
    for (DimKind &kind : shape)
      if (kind == DimKind::Range ||
          (kind == DimKind::Singleton && !keepsSingletons))
        kind = DimKind::Strided;
  }
};

/// Takes over what \p call says of a region. \p part numbers the region within
/// the instance. Returns whether \p known has changed.
bool merge(Place &known, const Place &call, const Shape &shape,
           const InstanceInfo &info, unsigned part) {
  bool isNew = known.dims.empty();
  bool changed = isNew;
  known.shape = shape;
  known.domain = call.domain;
  known.isSparse = call.isSparse;
  for (unsigned d = 0; d != call.rank(); ++d) {
    if (isNew)
      known.dims.push_back(call.dims[d]);
    auto mergeBound = [&](LinearForm &mine, const LinearForm &theirs,
                          unsigned side) {
      LinearForm own(Atom{&info, (part * MaxRank + d) * 4 + side, true, ""});
      if (mine == own || (!theirs.hasLocalAtoms() && mine == theirs))
        return;
      mine = own;
      changed = true;
    };
    mergeBound(known.dims[d].lo, call.dims[d].lo, 0);
    mergeBound(known.dims[d].hi, call.dims[d].hi, 1);
    mergeBound(known.dims[d].stride, call.dims[d].stride, 2);
    mergeBound(known.dims[d].align, call.dims[d].align, 3);
  }
  return changed;
}

class InstanceFinder {
public:
  InstanceFinder(Program &program, const NeededCovers &needed,
                 const Effects &effects, const Surveyor &surveyor)
      : program(program), needed(needed), effects(effects), surveyor(surveyor) {
  }

  InstanceInfos run(const Procedure &entry);

  InstanceInfo &request(Key key, const CallExpr &call, InstanceInfo &caller);
  /// The instance of a procedure that reads or writes elements.
  void requestForIo(const Procedure &procedure, InstanceInfo &caller);
  void enqueue(InstanceInfo &info) {
    if (info.isQueued)
      return;
    info.isQueued = true;
    worklist.push_back(&info);
  }

  Program &program;
  const NeededCovers &needed;
  const Effects &effects;
  const Surveyor &surveyor;

private:
  InstanceInfo *find(const Key &key) const;
  InstanceInfo &make(const Key &key);

  InstanceInfos infos;
  llvm::DenseMap<const Procedure *, std::vector<InstanceInfo *>> byProcedure;
  llvm::StringMap<unsigned> named; ///< how many instances have a name
  std::deque<InstanceInfo *> worklist;
};

/// Goes through one instance and asks for those it calls.
class CallVisitor : public PlaceVisitor {
public:
  CallVisitor(InstanceFinder &finder, InstanceInfo &info)
      : PlaceVisitor(finder.program, finder.surveyor, info), finder(finder) {}

protected:
  /// Which arguments of a call may be, or are, one array.
  void nameAliases(const CallExpr &call, Key &key) {
    ArgumentAliases aliases = finder.effects.aliasesOf(call, *info.instance);
    key.mayAlias = aliases.aliased.any();
    for (unsigned i = 0; key.mayAlias && i != call.args.size(); ++i)
      key.alone.push_back(passingOf(call, i) == Passing::Whole &&
                          !aliases.aliased[i]);
    if (aliases.sameAs !=
        llvm::to_vector(llvm::seq<unsigned>(call.args.size())))
      key.sameAs.assign(aliases.sameAs.begin(), aliases.sameAs.end());
  }

  /// What is passed joins what the instance already knows of its covering
  /// regions and parameters; true if that has changed.
  bool mergePlaces(InstanceInfo &target, const CoverPlaces &passed,
                   llvm::ArrayRef<Place> places, RankSet ranks) {
    bool changed = false;
    const Instance &instance = *target.instance;
    for (unsigned rank = 1; rank <= MaxRank; ++rank)
      if (ranks[rank])
        changed |= merge(*target.covers[rank], *passed[rank],
                         *instance.covers[rank], target, rank);
    for (unsigned i = 0; i != places.size(); ++i)
      if (places[i].rank() != 0)
        changed |= merge(target.params[i], places[i], instance.paramShapes[i],
                         target, MaxRank + 1 + i);
    return changed;
  }

  void onCall(const CallExpr &call, unsigned) override {
    const Procedure &callee = *call.callee;
    RankSet ranks = finder.needed.lookup(&callee).ranks;
    Key key;
    key.procedure = &callee;
    nameAliases(call, key);
    std::vector<Place> places;
    for (unsigned i = 0; i != call.args.size(); ++i) {
      places.push_back(argumentPlace(call, i));
      key.paramShapes.push_back(places.back().shape);
      key.paramDomains.push_back(named(places.back()));
      key.paramSparse.push_back(places.back().isSparse);
    }
    CoverPlaces passed;
    for (unsigned rank = 1; rank <= MaxRank; ++rank)
      if (ranks[rank]) {
        passed[rank] = passedCover(rank, places, callee.resultRank == rank);
        key.covers[rank] = cover(rank).shape;
        key.masks[rank] = mask(rank);
        key.coverDomains[rank] = passed[rank]->domain;
        key.coverSparse[rank] = passed[rank]->isSparse;
      }
    InstanceInfo &target = finder.request(std::move(key), call, info);
    bool changed = mergePlaces(target, passed, places, ranks);
    if (changed)
      finder.enqueue(target);
  }

  void onStmt(const Stmt &s) override {
    PlaceVisitor::onStmt(s);
    auto *bind = llvm::dyn_cast<BindIoStmt>(&s);
    if (bind && bind->procedure)
      finder.requestForIo(*bind->procedure, info);
  }

private:
  /// The domain of \p place; null: the default one.
  const Domain *named(const Place &place) const {
    return place.domain == surveyor.defaultDomain(place.rank()) ? nullptr
                                                                : place.domain;
  }
  /// What covers the callee: a literal belongs to the domain of the array that
  /// is assigned, else of the first argument of its rank; without either it is
  /// a literal to the callee as well, unless its result is over it.
  Place passedCover(unsigned rank, llvm::ArrayRef<Place> arguments,
                    bool isOfResult) const {
    Place place = cover(rank);
    if (!place.domain)
      place.domain = statementDomain(rank);
    for (const Place &argument : arguments)
      if (!place.domain && argument.rank() == rank)
        place.domain = argument.domain;
    bool isAny = surveyor.hasDomains(rank) && !isOfResult;
    return isAny ? place : surveyor.bound(std::move(place));
  }

  InstanceFinder &finder;
};

InstanceInfo *InstanceFinder::find(const Key &key) const {
  auto known = byProcedure.find(key.procedure);
  if (known == byProcedure.end())
    return nullptr;
  for (InstanceInfo *info : known->second)
    if (key.isOf(*info->instance))
      return info;
  return nullptr;
}

InstanceInfo &InstanceFinder::make(const Key &key) {
  auto info = std::make_unique<InstanceInfo>();
  info->owned = std::make_unique<Instance>();
  info->instance = info->owned.get();
  Instance &instance = *info->instance;
  std::vector<InstanceInfo *> &siblings = byProcedure[key.procedure];
  instance.procedure = key.procedure;
  instance.name = key.procedure->name; // of overloads as well
  if (unsigned earlier = named[instance.name]++)
    instance.name += llvm::formatv(".{0}", earlier).str();
  instance.covers = key.covers;
  instance.masks = key.masks;
  instance.paramShapes = key.paramShapes;
  instance.mayAlias = key.mayAlias;
  instance.alone = key.alone;
  instance.sameAs = key.sameAs;
  instance.coverDomains = key.coverDomains;
  instance.paramDomains = key.paramDomains;
  instance.coverSparse = key.coverSparse;
  instance.paramSparse = key.paramSparse;
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    if (key.covers[rank])
      info->covers[rank].emplace();
  info->params.resize(key.paramShapes.size());
  siblings.push_back(info.get());
  enqueue(*info);
  infos.push_back(std::move(info));
  return *infos.back();
}

InstanceInfo &InstanceFinder::request(Key key, const CallExpr &call,
                                      InstanceInfo &caller) {
  InstanceInfo *target = find(key);
  if (!target && byProcedure[key.procedure].size() >= MostInstances) {
    key.widen(needed.lookup(key.procedure).hasSources);
    target = find(key);
    if (!caller.instance->callees.contains(&call)) // not looked at before
      program.remarks.push_back(
          {Remark::Missed, "instances", call.range,
           llvm::formatv(
               "no instance for these shapes: '{0}' has {1} already, so "
               "this call takes the one for any shape; pass arrays of fewer "
               "shapes",
               key.procedure->name, MostInstances)
               .str()});
  }
  if (!target) {
    target = &make(key);
    target->firstCall = &call;
    target->firstCaller = &caller;
  }
  caller.instance->callees[&call] = target->instance;
  caller.callees.push_back(target);
  return *target;
}

void InstanceFinder::requestForIo(const Procedure &procedure,
                                  InstanceInfo &caller) {
  Key key;
  key.procedure = &procedure;
  key.paramShapes.resize(procedure.params.size());
  key.paramDomains.resize(procedure.params.size());
  key.paramSparse.resize(procedure.params.size());
  InstanceInfo *target = find(key);
  caller.callees.push_back(target ? target : &make(key));
}

InstanceInfos InstanceFinder::run(const Procedure &entry) {
  auto initializers = std::make_unique<InstanceInfo>();
  initializers->instance = &program.initializer;
  initializers->instance->name = "(initializers)";
  enqueue(*initializers);
  infos.push_back(std::move(initializers));
  Key key;
  key.procedure = &entry;
  make(key);
  while (!worklist.empty()) {
    InstanceInfo &info = *worklist.front();
    worklist.pop_front();
    info.isQueued = false;
    info.callees.clear();
    CallVisitor(*this, info).run();
  }
  return std::move(infos);
}

void storeInOrder(Program &program, InstanceInfo &info,
                  llvm::SmallPtrSetImpl<const InstanceInfo *> &seen) {
  if (!seen.insert(&info).second)
    return;
  for (InstanceInfo *callee : info.callees)
    storeInOrder(program, *callee, seen);
  if (info.owned)
    program.instances.push_back(std::move(info.owned));
}

} // namespace

void PlaceVisitor::run() {
  if (const Procedure *procedure = info.instance->procedure)
    visitProcedure(*procedure);
  else
    visitInitializers(program);
}

Place PlaceVisitor::survey(const RegionExpr &region) const {
  return surveyor.survey(region, {covers, info.covers, [&](const Array &array) {
                                    return declaredPlace(array);
                                  }});
}

Place PlaceVisitor::surveyAtEntry(const RegionExpr &region) const {
  return surveyor.survey(
      region, {info.covers, info.covers,
               [&](const Array &array) { return declaredPlace(array); }});
}

bool PlaceVisitor::isOfParameter(const RegionExpr &region) const {
  if (!info.instance->procedure)
    return false;
  for (const Symbol *param : info.instance->procedure->params)
    if (auto *array = llvm::dyn_cast<Array>(param))
      for (const RegionExpr *at = array->declared; at; at = at->base)
        if (at == &region)
          return true;
  return false;
}

void PlaceVisitor::onOpen(const RegionExpr &region) {
  Place opened = survey(region);
  outer.push_back({std::move(covers[region.rank]), masks[region.rank],
                   std::move(written[region.rank]),
                   reachesFurther[region.rank]});
  written[region.rank] = opened;
  covers[region.rank] = std::move(opened);
  masks[region.rank] = MaskKind::None;
  reachesFurther[region.rank] = false;
}

void PlaceVisitor::onMask(const RegionExpr &region, const Mask &mask) {
  // Where there is no mask, the quote is true.
  bool isQuote = llvm::isa<EnclosingMaskExpr>(mask.mask);
  bool isEverywhere =
      mask.isWith && isQuote && enclosingMask() == MaskKind::None;
  // A literal belongs to the domain of its mask.
  if (const ArrayExpr *array = firstArray(*mask.mask);
      array && !covers[region.rank]->domain)
    covers[region.rank]->domain = declaredPlace(*array->array).domain;
  reachesFurther[region.rank] = isQuote;
  if (isQuote && enclosingMask() != MaskKind::None)
    written[region.rank] = enclosingMaskPlace();
  if (!isEverywhere)
    masks[region.rank] = mask.isWith ? MaskKind::With : MaskKind::Without;
}

void PlaceVisitor::onClose(const RegionExpr &region) {
  covers[region.rank] = std::move(outer.back().cover);
  masks[region.rank] = outer.back().mask;
  written[region.rank] = std::move(outer.back().written);
  reachesFurther[region.rank] = outer.back().reachesFurther;
  outer.pop_back();
}

void PlaceVisitor::onStmt(const Stmt &s) {
  auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s);
  assigned =
      assign ? llvm::cast<ArrayExpr>(rootOf(assign->target))->array : nullptr;
}

const Domain *PlaceVisitor::statementDomain(unsigned rank) const {
  return assigned && assigned->rank == rank ? declaredPlace(*assigned).domain
                                            : nullptr;
}

Place PlaceVisitor::declaredPlace(const Array &array) const {
  if (array.storage != Storage::Param)
    return surveyor.bound(surveyAtEntry(*array.declared));
  const auto &params = info.instance->procedure->params;
  size_t i = llvm::find(params, &array) - params.begin();
  Place place = info.params[i];
  if (!array.declared)
    return place;
  // The argument has been checked to be declared over this region. Its blank
  // dimensions are the argument's.
  CoverPlaces argument;
  argument[array.rank] = place;
  place.dims = surveyor.survey(*array.declared, {argument, argument}).dims;
  return place;
}

Place PlaceVisitor::argumentPlace(const CallExpr &call, unsigned i) const {
  switch (passingOf(call, i)) {
  case Passing::Scalar:
  case Passing::Promoted:
    return Place();
  case Passing::Whole: {
    Place place = declaredPlace(*wholeArgument(call, i));
    // Parts of elements lie apart, as only those of strided dimensions may.
    bool isPart = !llvm::isa<ArrayExpr>(call.args[i]);
    if (isPart && !isPerProcessor(place.shape.back()))
      place.shape.back() = DimKind::Strided;
    return place;
  }
  case Passing::Temporary: {
    Place place = cover(arrayParam(*call.callee, i)->rank);
    const ArrayExpr *array = firstArray(*call.args[i]);
    if (!place.domain && array)
      place.domain = declaredPlace(*array->array).domain;
    if (!place.domain)
      place.domain = statementDomain(place.rank());
    return surveyor.bound(std::move(place));
  }
  }
  llvm_unreachable("passing");
}

InstanceInfos findInstances(Program &program, const Procedure &entry,
                            const NeededCovers &needed, const Effects &effects,
                            const Surveyor &surveyor) {
  return InstanceFinder(program, needed, effects, surveyor).run(entry);
}

void storeInstances(Program &program, InstanceInfos &infos) {
  llvm::SmallPtrSet<const InstanceInfo *, 32> seen;
  program.entry = infos[1]->instance;
  for (size_t root = 0; root != 2; ++root)
    storeInOrder(program, *infos[root], seen);
}

} // namespace zpl::sema
