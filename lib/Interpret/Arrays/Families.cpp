//===- Families.cpp - Families, and arrays over region variables ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var U: array [0..3] of [Level[index1]] double;
//     R := [1..n];                      -- with A: [R] double
//
// A family is a list of arrays with the bounds of its levels; each is declared
// with the hidden variables of `index1` ... set to its subscripts. An array
// that follows a region variable is noted under the variable's address. When
// that is assigned, the array is made anew, in its place, so that whoever knows
// it goes on to do so.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Families.h"
#include "Calls.h"
#include "Declarations.h"
#include "Errors.h"
#include "Expressions.h"
#include "Memory.h"
#include "Regions/RegionExpressions.h"
#include "Regions/RegionValues.h"
#include "Run.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"
#include <cstring>
#include <memory>

using namespace llvm;

namespace zpl::interpreter {

//===----------------------------------------------------------------------===//
// Families
//===----------------------------------------------------------------------===//

static std::vector<Region> bordersOf(Run &run, const sema::Array *array,
                                     const Region &declared);
static bool isAssigned(Run &run, const sema::Expr *variable);

/// The bounds of all subscripts of \p array.
static std::vector<std::pair<int64_t, int64_t>>
familyBounds(Run &run, const sema::Array *array) {
  std::vector<std::pair<int64_t, int64_t>> bounds;
  for (Type type = array->family; bounds.size() != array->member.size();
       type = type.info()->element)
    for (auto [lo, hi] : zip(type.info()->lo, type.info()->hi))
      bounds.push_back({boundOf(run, lo), boundOf(run, hi)});
  return bounds;
}

void declareFamily(Run &run, const sema::Array *array, Frame &owner) {
  auto family = std::make_shared<FamilyStorage>();
  family->bounds = familyBounds(run, array);
  owner.families[array] = family;
  std::vector<int64_t> at(family->bounds.size());
  std::function<void(size_t)> nest = [&](size_t level) {
    if (level == at.size()) {
      owner.storage.push_back(makeDeclared(run, array));
      family->members.push_back(owner.storage.back().get());
      follow(run, array, *family->members.back());
      initialize(run, array, *family->members.back());
      return;
    }
    auto [lo, hi] = family->bounds[level];
    for (at[level] = lo; at[level] <= hi; ++at[level]) {
      store(Type::Longint, addressOf(run, array->member[level]),
            integerValue(at[level]));
      nest(level + 1);
    }
  };
  nest(0);
}

ArrayStorage &member(Run &run, const sema::Array *array,
                     ArrayRef<const sema::Expr *> subscripts,
                     SourceRange where) {
  auto local = run.memory.frame->families.find(array);
  FamilyStorage &family = local != run.memory.frame->families.end()
                              ? *local->second
                              : *run.memory.globals.families.lookup(array);
  int64_t position = 0;
  for (auto [d, subscript] : enumerate(subscripts)) {
    int64_t i = eval(run, subscript).integer;
    auto [lo, hi] = family.bounds[d];
    if (i < lo || i > hi)
      fail(run, where,
           "index " + std::to_string(i) + " of " + array->name +
               " is outside " + std::to_string(lo) + ".." + std::to_string(hi));
    position = position * (hi - lo + 1) + i - lo;
  }
  // A declaration under way may not have made it yet.
  if (position >= int64_t(family.members.size()))
    fail(run, where, array->name + " is used before its declaration");
  return *family.members[position];
}

ArrayStorage &find(Run &run, const sema::ArrayExpr *expr) {
  return expr->subscripts.empty()
             ? find(run, expr->array)
             : member(run, expr->array, expr->subscripts, expr->range);
}

std::shared_ptr<FamilyStorage> familyArgument(Run &run,
                                              const sema::ArrayExpr *whole,
                                              const sema::Array *formal,
                                              Frame &temporaries) {
  auto local = run.memory.frame->families.find(whole->array);
  std::shared_ptr<FamilyStorage> given =
      local != run.memory.frame->families.end()
          ? local->second
          : run.memory.globals.families.lookup(whole->array);
  if (sema::isByReference(formal->mode))
    return given;
  auto copy = std::make_shared<FamilyStorage>(*given);
  for (ArrayStorage *&array : copy->members) {
    temporaries.storage.push_back(makeArray(run, array->name, array->element,
                                            array->declared, whole->range,
                                            array->borders));
    temporaries.storage.back()->copyElements(*array);
    array = temporaries.storage.back().get();
  }
  return copy;
}

/// Gives the blank bounds of a formal those of the family that is passed.
static void bindBounds(Run &run, const sema::Array *formal,
                       const FamilyStorage &family) {
  auto bind = [&](const sema::TypeBound &bound, int64_t value) {
    if (!bound.variable || bound.variable->storage != sema::Storage::Param)
      return;
    char *&address = run.memory.frame->variables[bound.variable];
    address = allocate(*run.memory.frame, sizeOf(run, Type::Longint));
    store(Type::Longint, address, integerValue(value));
  };
  auto next = family.bounds.begin();
  for (Type type = formal->family; next != family.bounds.end();
       type = type.info()->element)
    for (auto [lo, hi] : zip(type.info()->lo, type.info()->hi)) {
      bind(lo, next->first);
      bind(hi, next->second);
      ++next;
    }
}

void checkFamily(Run &run, const sema::Array *formal,
                 const FamilyStorage &family, const sema::Expr *argument) {
  SaveAndRestore outer(
      run.memory.frame->variables); // it may be of this procedure
  bindBounds(run, formal, family);
  for (const sema::Variable *member : formal->member)
    run.memory.frame->variables[member] =
        allocate(*run.memory.frame, sizeOf(run, Type::Longint));
  for (auto [position, array] : enumerate(family.members)) {
    int64_t rest = int64_t(position);
    for (auto [member, bounds] : reverse(zip(formal->member, family.bounds))) {
      auto [lo, hi] = bounds;
      store(Type::Longint, run.memory.frame->variables[member],
            integerValue(lo + rest % (hi - lo + 1)));
      rest /= hi - lo + 1;
    }
    checkFormal(run, formal, *array, argument);
  }
}

//===----------------------------------------------------------------------===//
// Region variables
//===----------------------------------------------------------------------===//

std::unique_ptr<ArrayStorage> makeDeclared(Run &run, const sema::Array *array) {
  bool isSet = !array->over || isAssigned(run, array->over);
  Region declared = isSet ? evaluate(run, *array->declared, /*mayBeUnset=*/true)
                          : unleveled(run, *array->declared);
  for (Dim &dim : declared.dims)
    if (!isSet && !dim.isFlood())
      dim = {1, 0, 1, 0, dim.kind};
  return makeArray(run, array->name, array->element, declared, array->range,
                   bordersOf(run, array, declared));
}

/// The borders of \p array over \p declared.
static std::vector<Region> bordersOf(Run &run, const sema::Array *array,
                                     const Region &declared) {
  std::vector<Region> borders;
  for (const sema::RegionExpr *border : array->borders) {
    Components direction = evaluate(run, border->direction);
    Region &made = borders.emplace_back();
    made.text = border->text;
    for (auto [dim, component] : zip_equal(declared.dims, direction))
      made.dims.push_back(dimOf(component, dim));
  }
  return borders;
}

/// Whether a region variable has a value.
static bool isAssigned(Run &run, const sema::Expr *variable) {
  unsigned rank = variable->type.info()->shape.size();
  int64_t isSet;
  std::memcpy(&isSet,
              place(run, variable).address + (4 * rank + 1) * sizeof isSet,
              sizeof isSet);
  return isSet != 0;
}

/// The address under which the arrays over a named region are noted.
static const char *addressOf(const std::shared_ptr<const Region> &named) {
  return reinterpret_cast<const char *>(&named);
}

void follow(Run &run, const sema::Array *array, ArrayStorage &storage) {
  if (!array->over) {
    if (array->declared->kind == sema::RegionExpr::Ref &&
        storage.declared.isSparse())
      run.memory.followers[addressOf(find(run, *array->declared))].push_back(
          {&storage, {}});
    return;
  }
  Follower made{&storage, {}};
  for (const sema::RegionExpr *border : array->borders)
    made.borders.push_back(evaluate(run, border->direction));
  run.memory.followers[place(run, array->over).address].push_back(
      std::move(made));
}

void forgetFollowers(Memory &memory, const Frame &ended) {
  if (memory.followers.empty())
    return;
  for (auto &entry : memory.followers)
    erase_if(entry.second, [&](const Follower &follower) {
      return any_of(ended.storage, [&](const auto &storage) {
        return storage.get() == follower.array;
      });
    });
}

/// The region variable at \p variable has got the value \p region.
static void resize(Run &run, const char *variable, const Region &region,
                   bool preserves, SourceRange where) {
  auto found = run.memory.followers.find(variable);
  if (found == run.memory.followers.end())
    return;
  for (Follower &follower : found->second) {
    ArrayStorage &old = *follower.array;
    Region declared = region;
    for (auto [dim, was] : zip_equal(declared.dims, old.declared.dims))
      dim.kind = was.kind;
    std::vector<Region> borders;
    for (const Components &direction : follower.borders) {
      Region &made = borders.emplace_back();
      for (auto [dim, component] : zip_equal(declared.dims, direction))
        made.dims.push_back(dimOf(component, dim));
    }
    std::unique_ptr<ArrayStorage> made =
        makeArray(run, old.name, old.element, declared, where, borders);
    made->writer = old.writer;
    made->reader = old.reader;
    borders.push_back(declared);
    if (declared.isSparse() && old.declared.isSparse()) {
      std::copy_n(old.irv, old.elementSize, made->irv);
      forEachIndex(declared, [&](const Index &index) {
        std::copy_n(old.irv, old.elementSize, made->at(index));
      });
    }
    for (const Region &part : borders)
      if (preserves)
        forEachIndex(part, [&](const Index &index) {
          if (old.stores(index))
            std::copy_n(old.at(index), old.elementSize, made->at(index));
        });
    std::destroy_at(&old);
    std::construct_at(follower.array, std::move(*made));
  }
}

void setPattern(Run &run, const sema::RegionExpr &target,
                std::shared_ptr<const Pattern> pattern) {
  if (!target.place) {
    std::shared_ptr<const Region> &named = find(run, target);
    Region changed = *named;
    changed.pattern = std::move(pattern);
    changed.isUnset = false;
    named = std::make_shared<const Region>(std::move(changed));
    return resize(run, addressOf(named), *named, /*preserves=*/true,
                  target.range);
  }
  Region changed = evaluate(run, target, /*mayBeUnset=*/true);
  changed.pattern = std::move(pattern);
  changed.isUnset = false;
  char *address = place(run, target.place).address;
  int64_t number = patternNumber(run, changed);
  std::memcpy(address + (4 * target.rank + 2) * sizeof number, &number,
              sizeof number);
  resize(run, address, changed, /*preserves=*/true, target.range);
}

void resizeParts(Run &run, Type type, char *address, bool preserves,
                 SourceRange where) {
  if (run.memory.followers.empty())
    return;
  if (type == Type::Region) {
    unsigned rank = type.info()->shape.size();
    std::vector<int64_t> numbers(4 * (rank + 1));
    std::memcpy(numbers.data(), address, numbers.size() * sizeof(int64_t));
    Region region;
    for (unsigned d = 0; d != rank; ++d)
      region.dims.push_back({numbers[4 * d], numbers[4 * d + 1],
                             numbers[4 * d + 2], numbers[4 * d + 3],
                             type.info()->shape[d]});
    takePattern(run, region, numbers[4 * rank + 2]);
    if (numbers[4 * rank + 1] != 0)
      resize(run, address, region, preserves, where);
  } else if (type == Type::Record) {
    for (auto [i, field] : enumerate(type.info()->fields))
      resizeParts(run, field.type, address + offsetOf(run, *type.info(), i),
                  preserves, where);
  } else if (type == Type::Array) {
    const sema::TypeInfo &info = *type.info();
    for (int64_t i = 0; i != elementCount(run, info); ++i)
      resizeParts(run, info.element, address + i * sizeOf(run, info.element),
                  preserves, where);
  }
}

} // namespace zpl::interpreter
