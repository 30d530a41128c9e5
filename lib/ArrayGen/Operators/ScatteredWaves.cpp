//===- ScatteredWaves.cpp - Scan blocks over scattered domains ------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [2..n] scan                          move %T = @A over ...
//       A := A'@west + U[i] + U[j];        bind %u1 = @U[@i]; bind %u2 = @U[@j]
//     end;                                 bind %m1 = %M[@i]; bind %m2 = %M[@j]
//                                          alloc %m1; move %m1 = %u1
//                                          if ne(@j, @i) {
//                                            alloc %m2; move %m2 = %u2
//                                          }
//                                          wave ... on %T, %M
//                                          move @A = %T; free %m2; free %m1
//
// The arrays move to the default domain and those that were written back, sparse
// ones with their patterns. Of a family there is a second one for the time, of
// which only the members that the block names have elements. Two names for one
// member find one copy in it, like the original, so what is written by one is
// read by the other.
//
// Cost: the elements twice through an exchange; per family two binds for each
// member that is named, and comparisons of their subscripts in pairs.
//
//===----------------------------------------------------------------------===//

#include "Operators/ScatteredWaves.h"
#include "Expressions.h"
#include "Families.h"
#include "Followers.h"
#include "Operators/Domains.h"
#include "Operators/Regions.h"
#include "Operators/Sparse.h"
#include "Places.h"
#include "Procedure.h"
#include "References.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace llvm;

namespace zpl::arraygen {

/// A region with the value of \p region in the domain at hand.
static air::Region *movedRegion(ProcedureState &p, air::Region *region,
                                SourceRange range) {
  return copyRegion(p, "moved", region, p.domains[region->rank()],
                    region->isSparse, range);
}

/// Makes room in \p copy for what \p references read: what the callers' arrays
/// have room for, the declaration of a parameter does not say.
static void addFluff(air::Array *copy,
                     ArrayRef<const sema::ArrayExpr *> references) {
  for (const sema::ArrayExpr *reference : references) {
    std::optional<air::Offset> offset = constantOffset(reference);
    if (!offset)
      continue;
    copy->fluff.below.resize(copy->rank());
    copy->fluff.above.resize(copy->rank());
    for (auto [d, component] : enumerate(withoutFloods(*offset, copy->shape))) {
      copy->fluff.below[d] = std::max(copy->fluff.below[d], -component);
      copy->fluff.above[d] = std::max(copy->fluff.above[d], component);
    }
  }
}

namespace {

/// What stands for a family, and its members, for the time of the block.
struct MovedFamily {
  struct Member {
    air::Array *original, *copy;
    ExprList subscripts;
  };
  const sema::Array *array;
  bool isLocal; ///< known as a name of the procedure before
  Family given; ///< the original
  SmallVector<Member, 2> members;
};

/// The arrays of a block, and their copies.
class Moving {
public:
  Moving(ProcedureState &p, unsigned rank, SourceRange range)
      : p(p), rank(rank), range(range) {}

  /// From here on names mean the copies.
  void move(ArrayRef<const sema::ArrayExpr *> references);
  /// A copy of a mask.
  air::Array *moveMask(air::Array *array) { return copyOf(array, nullptr, {}); }
  /// From here on names mean the originals again.
  void end();
  /// Gives what \p written writes back to the originals, at \p region, or at all
  /// that is declared, if something is sparse.
  void store(ArrayRef<const sema::ArrayExpr *> written, air::Region *region);
  /// The copies of members; the others are temporaries.
  void free();

private:
  air::Array *copyOf(air::Array *array, const sema::Array *source,
                     ArrayRef<const sema::ArrayExpr *> references);
  void makeRoom(air::Array *copy, const sema::Array *source,
                ArrayRef<const sema::ArrayExpr *> references);
  void fill(air::Array *copy, air::Array *array);
  void moveFamily(const sema::Array *array,
                  ArrayRef<const sema::ArrayExpr *> references);
  void moveMember(MovedFamily &family, MovedFamily::Member &member,
                  ArrayRef<const sema::ArrayExpr *> own,
                  ArrayRef<const sema::ArrayExpr *> all);
  void setBorders(MovedFamily &family, MovedFamily::Member &member);

  ProcedureState &p;
  unsigned rank;
  SourceRange range;
  DenseMap<const air::Array *, air::Array *> copies;
  SmallVector<std::pair<const sema::Array *, air::Array *>, 4> replaced;
  SmallVector<MovedFamily, 1> families;
  DenseMap<const sema::ArrayExpr *, air::Array *> originals; ///< of members
};

} // namespace

/// Gives \p copy, if it is dense, room for the directions that are applied to
/// \p source, which may be null, and for those of \p references.
void Moving::makeRoom(air::Array *copy, const sema::Array *source,
                      ArrayRef<const sema::ArrayExpr *> references) {
  if (copy->isSparse)
    return;
  if (source)
    copy->fluff = fluffOf(*source, *copy->declared);
  addFluff(copy, references);
}

void Moving::fill(air::Array *copy, air::Array *array) {
  emit<air::AllocArrayStmt>(p, copy, range);
  emit<air::MoveStmt>(p, copy, array, copy->declared, range);
  for (air::Region *border : copy->borders)
    emit<air::MoveStmt>(p, copy, array, border, range);
  copyIrv(p, copy, array, range);
}

/// A copy of \p array in the default domain.
air::Array *Moving::copyOf(air::Array *array, const sema::Array *source,
                           ArrayRef<const sema::ArrayExpr *> references) {
  air::Region *declared =
      movedRegion(p, declaredRegion(p, array, range), range);
  air::Array *copy = makeArray(p, "T", array->element, declared->shape, range);
  copy->text = array->text;
  copy->declared = declared;
  copy->isSparse = declared->isSparse;
  makeRoom(copy, source, references);
  for (air::Region *border : array->borders)
    copy->borders.push_back(movedRegion(p, border, range));
  fill(copy, array);
  p.frame.temporaries.push_back(copy);
  return copy;
}

void Moving::move(ArrayRef<const sema::ArrayExpr *> references) {
  // Each found where it is before its name means the copy.
  MapVector<const sema::Array *, SmallVector<const sema::ArrayExpr *, 2>> names;
  DenseMap<const air::Array *, SmallVector<const sema::ArrayExpr *, 2>> readers;
  for (const sema::ArrayExpr *reference : references)
    if (reference->array->rank == rank) {
      names[reference->array].push_back(reference);
      if (reference->array->family == sema::Type::Error)
        readers[find(p, reference->array)].push_back(reference);
    }
  for (auto &[array, uses] : names) {
    if (array->family != sema::Type::Error) {
      moveFamily(array, uses);
      continue;
    }
    air::Array *original = find(p, array);
    air::Array *&copy = copies[original];
    if (!copy)
      copy = copyOf(original, array, readers[original]);
    replaced.push_back({array, p.frame.locals.arrays.lookup(array)});
    p.frame.locals.arrays[array] = copy;
  }
}

void Moving::end() {
  for (auto [array, local] : replaced)
    if (local)
      p.frame.locals.arrays[array] = local;
    else
      p.frame.locals.arrays.erase(array);
  for (const MovedFamily &family : families)
    if (family.isLocal)
      p.frame.locals.families[family.array] = family.given;
    else
      p.frame.locals.families.erase(family.array);
}

void Moving::store(ArrayRef<const sema::ArrayExpr *> written,
                   air::Region *region) {
  SmallVector<air::Array *, 4> back;
  for (const sema::ArrayExpr *reference : written) {
    air::Array *original = originals.lookup(reference);
    if (!original)
      original = find(p, reference->array);
    air::Array *copy = copies.lookup(original);
    if (!copy || is_contained(back, original))
      continue;
    back.push_back(original);
    bool isWhole = region->isSparse || original->isSparse;
    emit<air::MoveStmt>(p, original, copy,
                        isWhole ? declaredRegion(p, original, range) : region,
                        range);
  }
}

void Moving::free() {
  // What a second name frees again is empty then.
  for (const MovedFamily &family : reverse(families))
    for (const MovedFamily::Member &member : reverse(family.members))
      emit<air::FreeArrayStmt>(p, member.copy, range);
}

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

void Moving::moveFamily(const sema::Array *array,
                        ArrayRef<const sema::ArrayExpr *> references) {
  Family given = family(p, array);
  MovedFamily &moved = families.emplace_back(
      MovedFamily{array, p.frame.locals.families.contains(array), given, {}});
  // Which name is the first of its member.
  SmallVector<std::pair<const sema::ArrayExpr *, size_t>, 4> uses;
  for (const sema::ArrayExpr *reference : references) {
    bind(p, reference);
    air::Array *original = find(p, reference);
    originals[reference] = original;
    auto known =
        find_if(moved.members, [&](auto &m) { return m.original == original; });
    uses.push_back({reference, size_t(known - moved.members.begin())});
    if (known == moved.members.end())
      moved.members.push_back(
          {original, nullptr, operands(p, reference->subscripts)});
  }
  air::Variable *mirror =
      scratch(p, array->name, given.variable->type, range, /*isZero=*/true);
  p.frame.locals.families[array] = {mirror, given.shape, /*isMoved=*/true};
  for (auto [k, member] : enumerate(moved.members)) {
    SmallVector<const sema::ArrayExpr *, 2> own;
    for (auto [reference, place] : uses)
      if (place == k)
        own.push_back(reference);
    moveMember(moved, member, own, references);
  }
}

/// Whether the members \p a and \p b are different ones.
static const air::Expr *differ(ProcedureState &p, ArrayRef<const air::Expr *> a,
                               ArrayRef<const air::Expr *> b,
                               SourceRange range) {
  const air::Expr *all = nullptr;
  for (auto [x, y] : zip_equal(a, b)) {
    auto *one = p.module.make<air::CompareExpr>(
        air::CompareOp::Ne, castTo(p, air::Type::I64, x),
        castTo(p, air::Type::I64, y), range);
    all =
        all ? p.module.make<air::BinaryExpr>(air::BinaryOp::Or, all, one, range)
            : static_cast<const air::Expr *>(one);
  }
  return all;
}

/// \p own are the references to \p member, \p all those to any member: what
/// has another name may be this one.
void Moving::moveMember(MovedFamily &family, MovedFamily::Member &member,
                        ArrayRef<const sema::ArrayExpr *> own,
                        ArrayRef<const sema::ArrayExpr *> all) {
  air::Region *declared =
      movedRegion(p, declaredRegion(p, member.original, range), range);
  for (const sema::ArrayExpr *reference : own)
    bind(p, reference);
  member.copy = find(p, own.front());
  member.copy->declared = declared;
  member.copy->isSparse = declared->isSparse;
  makeRoom(member.copy, family.array, all);
  setBorders(family, member);
  copies[member.original] = member.copy;
  const air::Expr *isFirst = nullptr;
  for (const MovedFamily::Member &other : family.members) {
    if (&other == &member)
      break;
    if (areDistinct(p.known, other.original, member.original))
      continue;
    const air::Expr *one =
        differ(p, other.subscripts, member.subscripts, range);
    isFirst = isFirst ? p.module.make<air::BinaryExpr>(air::BinaryOp::And,
                                                       isFirst, one, range)
                      : one;
  }
  if (!isFirst)
    return fill(member.copy, member.original);
  auto *branch = emit<air::IfStmt>(p, isFirst, range);
  appendTo(p, branch->thenBody, [&] { fill(member.copy, member.original); });
}

/// Where a member is stored beside its region follows from its subscripts.
void Moving::setBorders(MovedFamily &family, MovedFamily::Member &member) {
  const sema::Array *array = family.array;
  if (array->borders.empty())
    return;
  for (auto [variable, subscript] : zip_equal(array->member, member.subscripts))
    if (air::Variable *index = find(p, variable))
      emit<air::SetStmt>(p, variableExpr(p, index, range),
                         castTo(p, index->type, subscript), range);
  for (const sema::RegionExpr *border : array->borders) {
    air::Region *made = makeRegion(p, array->name + ".border",
                                   shapeOf(p, *border), border->range);
    setBorder(p, made, *border, member.copy->declared);
    member.copy->borders.push_back(made);
  }
}

void inDefaultDomain(ProcedureState &p, const sema::WaveStmt *stmt,
                     ArrayRef<const sema::ArrayExpr *> written,
                     ArrayRef<const sema::ArrayExpr *> all,
                     function_ref<void()> generate) {
  SourceRange range = stmt->range;
  Cover over = p.covers[stmt->rank];
  SaveAndRestore<const air::Domain *> domain(p.domains[stmt->rank], nullptr);
  TemporaryScope scope(p);
  Moving moving(p, stmt->rank, range);
  moving.move(all);
  Cover moved = movedRegion(p, over.region, range);
  if (over.mask.array) {
    moved.mask = over.mask;
    moved.mask.array = moving.moveMask(over.mask.array);
  }
  open(p, moved, generate);
  moving.end();
  moving.store(written, over.region);
  moving.free();
  scope.free(range);
}

} // namespace zpl::arraygen
