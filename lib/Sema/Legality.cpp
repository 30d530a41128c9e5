//===- Legality.cpp - Accesses outside of declared regions ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of
//
//     config var n: integer = 100;
//     region R = [1..n, 1..n];  Big = [0..n+1, 0..n+1];
//     var A: [Big] double;  B: [R] double;  C: [1..10] double;
//
//     [R] B := A@east;            -- proven: 2..n+1 lies within 0..n+1
//     [k, 1..n] B := 0;           -- k is a variable: checked at run time
//     [1..10] C := C@[1];         -- illegal: 11 is not declared
//     [R] B := B@east;            -- illegal unless R is empty: a warning, and
//                                 -- checked at run time
//
// An access in covering region r of an array declared over a is legal if the
// indices of r, moved by the direction, lie within those of a, in each
// dimension (ranges and singletons compare by their indices), or if r is empty
// in some dimension. Bounds are compared as linear forms.
//
// Cost: a few comparisons per reference and instance.
//
//===----------------------------------------------------------------------===//

#include "Legality.h"

namespace zpl::sema {

namespace {

/// What comparing the bounds shows.
enum class Verdict : uint8_t { Proven, Unknown, Wrong, WrongUnlessEmpty };

bool isEmpty(const Place &place) {
  for (const DimBounds &dim : place.dims)
    if (std::optional<int64_t> extent = dim.hi.minus(dim.lo);
        extent && *extent < 0)
      return true;
  return false;
}

bool isNotEmpty(const Place &place) {
  for (const DimBounds &dim : place.dims)
    if (std::optional<int64_t> extent = dim.hi.minus(dim.lo);
        !extent || *extent < 0)
      return false;
  return true;
}

/// "1..n + 1", "5"; empty if it cannot be said.
std::string text(const DimBounds &dim) {
  std::string lo = dim.lo.text(), hi = dim.hi.text();
  if (lo.empty() || hi.empty())
    return "";
  return lo == hi ? lo : lo + ".." + hi;
}

class AccessChecker : public PlaceVisitor {
public:
  AccessChecker(const Program &program, const Surveyor &surveyor,
                InstanceInfo &info, llvm::DenseSet<const Expr *> &reported,
                DiagnosticEngine &diags)
      : PlaceVisitor(program, surveyor, info), reported(reported),
        diags(diags) {}

protected:
  void onRead(const ArrayExpr &e, unsigned rank) override {
    access(e, cover(rank), "reads");
  }
  void onWrite(const ArrayExpr &e, unsigned rank) override {
    access(e, cover(rank), "writes");
  }
  void onCall(const CallExpr &call, unsigned) override {
    for (unsigned i = 0; i != call.args.size(); ++i) {
      const Array *formal = arrayParam(*call.callee, i);
      if (formal && formal->declared)
        argument(call, i, *formal);
    }
  }

private:
  void access(const ArrayExpr &e, const Place &covering, llvm::StringRef verb);
  void argument(const CallExpr &call, unsigned i, const Array &formal);
  void addCalls(DiagnosticBuilder &report);

  llvm::DenseSet<const Expr *> &reported;
  DiagnosticEngine &diags;
};

/// Whether \p needed lies within \p declared; \p wrongDim: where it does not.
Verdict compare(const Place &needed, const Place &declared,
                unsigned &wrongDim) {
  bool isProven = true;
  for (unsigned d = 0; d != needed.rank(); ++d) {
    std::optional<int64_t> below = needed.dims[d].lo.minus(declared.dims[d].lo);
    std::optional<int64_t> above = declared.dims[d].hi.minus(needed.dims[d].hi);
    bool isWrong = (below && *below < 0) || (above && *above < 0);
    if (isWrong) {
      wrongDim = d;
      return isNotEmpty(needed) ? Verdict::Wrong : Verdict::WrongUnlessEmpty;
    }
    isProven &= below && above;
  }
  return isProven ? Verdict::Proven : Verdict::Unknown;
}

/// The calls by which the instance came about.
void AccessChecker::addCalls(DiagnosticBuilder &report) {
  for (const InstanceInfo *at = &info; at->firstCall; at = at->firstCaller)
    report.note(at->firstCall->range, Diag::CalledFromHere,
                at->firstCall->callee->name);
}

void AccessChecker::access(const ArrayExpr &e, const Place &covering,
                           llvm::StringRef verb) {
  if (isEmpty(covering))
    return;
  const Array &array = *e.array;
  Place needed = surveyor.moved(covering, e.direction);
  Place declared = declaredPlace(array);
  unsigned d = 0;
  Verdict verdict = compare(needed, declared, d);
  if (verdict == Verdict::Proven)
    return;
  info.instance->checked.insert(&e);
  if (verdict == Verdict::Unknown || !reported.insert(&e).second)
    return;
  Diag id = verdict == Verdict::Wrong ? Diag::OutsideRegion
                                      : Diag::OutsideUnlessEmpty;
  std::string indices = text(needed.dims[d]);
  std::string region = text(declared.dims[d]);
  bool canSay = !indices.empty() && !region.empty();
  auto report = diags.report(
      e.range, id, e.text, verb,
      canSay
          ? llvm::formatv("index {0} in dimension {1}, declared is {2}",
                          indices, d + 1, region)
                .str()
          : llvm::formatv("beyond its declared region in dimension {0}", d + 1)
                .str());
  report.note(array.range, Diag::DeclaredHere, array.name);
  addCalls(report);
}

/// `[R] T` takes arrays declared over the index set of R.
void AccessChecker::argument(const CallExpr &call, unsigned i,
                             const Array &formal) {
  Place given = argumentPlace(call, i);
  CoverPlaces argument; // blank dimensions take any
  argument[formal.rank] = given;
  Place wanted = surveyor.survey(*formal.declared, argument, argument);
  bool isProven = true, isWrong = false;
  for (unsigned d = 0; d != wanted.rank(); ++d) {
    std::optional<int64_t> lo = given.dims[d].lo.minus(wanted.dims[d].lo);
    std::optional<int64_t> hi = given.dims[d].hi.minus(wanted.dims[d].hi);
    isProven &= lo == 0 && hi == 0;
    isWrong |= (lo && *lo != 0) || (hi && *hi != 0);
  }
  if (isProven || (isEmpty(wanted) && isEmpty(given)))
    return;
  info.instance->checkedArguments.insert({&call, i});
  isWrong &= isNotEmpty(wanted) || isNotEmpty(given);
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
                   InstanceInfos &infos, DiagnosticEngine &diags) {
  llvm::DenseSet<const Expr *> reported;
  for (auto &info : infos)
    AccessChecker(program, surveyor, *info, reported, diags).run();
}

} // namespace zpl::sema
