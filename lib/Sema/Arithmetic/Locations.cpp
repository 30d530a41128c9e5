//===- Locations.cpp - Reductions that say where --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mean<< A      (+<< A) / (+<< 1)
//     minloc<< A    least := min<< A;
//                   key   := min<< (A = least ? (Index1, Index2) : greatest);
//                   the two halves of key
//     argmin<< A    +<< ((Index1, Index2) < key)
//
// Indices have 32 bits, so that a longint holds those of two dimensions in
// row-major order: the first one in the upper half, the second one from MININT
// on in the lower. Dimensions 3 and 4 have a second key, found where the first
// one is, and so on. All of that is expressions of the language: the reductions
// run on vectors, are fused, and what they give depends on no order. Over
// nothing the least key is the greatest number, of which both halves are MAXINT.
//
// Cost: one or two passes more than the extremum per two dimensions, and one
// for the position.
//
//===----------------------------------------------------------------------===//

#include "Arithmetic/Locations.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <limits>

namespace zpl::sema {

constexpr int64_t LeastIndex = std::numeric_limits<int32_t>::min();
constexpr int64_t GreatestIndex = std::numeric_limits<int32_t>::max();
constexpr int64_t GreatestKey = std::numeric_limits<int64_t>::max();

static const Expr *longint(Checking &c, int64_t value, SourceRange range) {
  return c.build.integer(value, Type::Longint, range);
}

/// `Indexi` or, over processors, the number of this one.
static const Expr *indexOf(Checking &c, unsigned dim, unsigned rank,
                           SourceRange range) {
  const Expr *index = nullptr;
  if (rank == 0) {
    auto *locale = c.program.make<MathExpr>(
        MathFn::Locale, llvm::ArrayRef<const Expr *>(), Type::Integer, range);
    locale->isFree = true;
    index = locale;
  } else {
    index = c.program.make<IndexExpr>(dim, range);
  }
  return c.build.cast(index, Type::Longint);
}

/// Dimensions \p dim and \p dim + 1, if there is that one, as one number.
static const Expr *keyOf(Checking &c, unsigned dim, unsigned rank,
                         SourceRange range) {
  const Expr *first = indexOf(c, dim, rank, range);
  if (dim + 1 >= rank)
    return first;
  const Expr *upper =
      c.build.binary(BinaryOp::ShiftL, first, longint(c, 32, range), range);
  const Expr *lower =
      c.build.binary(BinaryOp::Sub, indexOf(c, dim + 1, rank, range),
                     longint(c, LeastIndex, range), range);
  return c.build.binary(BinaryOp::BitOr, upper, lower, range);
}

/// The indices of the dimensions that \p key stands for.
static void addIndices(Checking &c, const Expr *key, unsigned count,
                       llvm::SmallVectorImpl<const Expr *> &to) {
  SourceRange range = key->range;
  auto add = [&](const Expr *index) {
    to.push_back(c.build.cast(index, Type::Integer));
  };
  if (count == 1)
    return add(c.build.binary(BinaryOp::Min, key,
                              longint(c, GreatestIndex, range), range));
  add(c.build.binary(BinaryOp::ShiftR, key, longint(c, 32, range), range));
  const Expr *lower = c.build.binary(BinaryOp::BitAnd, key,
                                     longint(c, 0xffffffff, range), range);
  add(c.build.binary(BinaryOp::Add, lower, longint(c, LeastIndex, range),
                     range));
}

/// The key where \p condition is true, the greatest one elsewhere: the bits of
/// either, chosen by a mask, which costs vectors nothing.
static const Expr *keyWhere(Checking &c, const Expr *condition,
                            const Expr *key) {
  SourceRange range = condition->range;
  const Expr *mask = c.build.unary(
      UnaryOp::Neg, c.build.cast(condition, Type::Longint), range);
  const Expr *greatest = longint(c, GreatestKey, range);
  const Expr *difference =
      c.build.binary(BinaryOp::BitXor, key, greatest, range);
  return c.build.binary(
      BinaryOp::BitXor, greatest,
      c.build.binary(BinaryOp::BitAnd, difference, mask, range), range);
}

/// The keys of the first element for which \p condition is true; \p condition
/// becomes true of that one alone.
static llvm::SmallVector<const Expr *, 3>
firstKeys(Checking &c, const Expr *&condition, unsigned rank,
          MakeReduction make,
          llvm::function_ref<const Expr *(const Expr *)> keep) {
  SourceRange range = condition->range;
  llvm::SmallVector<const Expr *, 3> keys;
  for (unsigned dim = 0; dim == 0 || dim < rank; dim += 2) {
    const Expr *key = keyOf(c, dim, rank, range);
    keys.push_back(keep(make(Reduction::Min, keyWhere(c, condition, key))));
    const Expr *isThere =
        c.build.compare(CompareOp::Eq, key, keys.back(), range);
    condition = c.build.binary(BinaryOp::And, condition, isThere, range);
  }
  return keys;
}

FirstElement
firstElement(Checking &c, const Expr *condition, unsigned rank,
             MakeReduction make,
             llvm::function_ref<const Expr *(const Expr *key)> keep) {
  FirstElement first;
  llvm::SmallVector<const Expr *, 3> keys =
      firstKeys(c, condition, rank, make, keep);
  for (auto [k, key] : llvm::enumerate(keys))
    if (rank != 0)
      addIndices(c, key, std::min<unsigned>(rank - 2 * k, 2), first.index);
  const Expr *owner = keys.front();
  if (rank != 0)
    owner = keep(make(
        Reduction::Min,
        keyWhere(c, condition, indexOf(c, 0, /*rank=*/0, condition->range))));
  llvm::SmallVector<const Expr *, 2> processor;
  addIndices(c, owner, 1, processor);
  first.processor = processor.front();
  return first;
}

//===----------------------------------------------------------------------===//
// Where the extremum is
//===----------------------------------------------------------------------===//

/// `procedure minloc(key1, key2: longint): array [1..rank] of integer`.
static Procedure *indexArray(Checking &c, unsigned rank, SourceRange range) {
  std::string name = llvm::formatv("index.{0}", rank).str();
  for (Procedure *made : c.made.functions)
    if (made->name == name)
      return made;
  auto *procedure = c.program.make<Procedure>(name, range);
  procedure->bodyRange = range;
  procedure->result = c.types.array(
      Type::Integer, DimType{TypeBound{1}, TypeBound{int64_t(rank)}},
      llvm::formatv("1..{0}", rank).str());
  auto *result = c.program.make<Variable>("index", range);
  result->type = procedure->result;
  result->storage = Storage::Local;
  procedure->locals.push_back(result);
  llvm::SmallVector<const Expr *, 6> indices;
  for (unsigned dim = 0; dim < rank; dim += 2) {
    auto *key = c.program.make<Variable>(
        llvm::formatv("key{0}", dim / 2 + 1).str(), range);
    key->type = Type::Longint;
    key->storage = Storage::Param;
    procedure->params.push_back(key);
    addIndices(c, c.program.make<VariableExpr>(key, range),
               std::min(rank - dim, 2u), indices);
  }
  auto *body = c.program.make<BlockStmt>(range);
  auto *whole = c.program.make<VariableExpr>(result, range);
  for (auto [dim, index] : llvm::enumerate(indices))
    body->body.push_back(c.program.make<AssignStmt>(
        c.build.subscript(
            whole, c.build.integer(int64_t(dim) + 1, Type::Integer, range),
            "index", range),
        index, range));
  body->body.push_back(c.program.make<ReturnStmt>(whole, 0, range));
  procedure->body = body;
  c.program.procedures.push_back(procedure);
  c.made.functions.push_back(procedure);
  return procedure;
}

/// An integer of one dimension, else an array of them.
static const Expr *asIndex(Checking &c, llvm::ArrayRef<const Expr *> keys,
                           unsigned rank, SourceRange range) {
  if (rank <= 1) {
    llvm::SmallVector<const Expr *, 2> index;
    addIndices(c, keys.front(), 1, index);
    return index.front();
  }
  auto *call = c.program.make<CallExpr>(indexArray(c, rank, range), range);
  call->args.assign(keys.begin(), keys.end());
  call->copies.assign(keys.size(), false);
  return call;
}

/// How many elements stand before the one with these keys.
static const Expr *asPosition(Checking &c, llvm::ArrayRef<const Expr *> keys,
                              unsigned rank, MakeReduction make,
                              SourceRange range) {
  const Expr *isBefore = nullptr;
  for (size_t k = keys.size(); k-- != 0;) {
    const Expr *key = keyOf(c, 2 * k, rank, range);
    const Expr *less = c.build.compare(CompareOp::Lt, key, keys[k], range);
    if (isBefore)
      less = c.build.binary(
          BinaryOp::Or, less,
          c.build.binary(BinaryOp::And,
                         c.build.compare(CompareOp::Eq, key, keys[k], range),
                         isBefore, range),
          range);
    isBefore = less;
  }
  return make(Reduction::Sum, c.build.cast(isBefore, Type::Longint));
}

/// The elements are counted by a reduction as well: a mask may leave some out.
static const Expr *mean(Checking &c, const Expr *value, MakeReduction make,
                        SourceRange range) {
  const Expr *one = longint(c, 1, range);
  if (value->rank == 0 && value->isFree)
    return c.build.binary(
        BinaryOp::Div, make(Reduction::Sum, value),
        c.build.cast(c.program.make<ProcessorsExpr>(range), value->type),
        range);
  const Expr *count = c.build.cast(make(Reduction::Sum, one), value->type);
  return c.build.binary(BinaryOp::Div, make(Reduction::Sum, value), count,
                        range);
}

const Expr *madeReduction(Checking &c, Function function, const Expr *value,
                          unsigned rank, MakeReduction make,
                          SourceRange range) {
  if (function == Function::Mean)
    return mean(c, value, make, range);
  bool isLeast = function == Function::MinLoc || function == Function::ArgMin;
  const Expr *extremum = make(isLeast ? Reduction::Min : Reduction::Max, value);
  const Expr *isThere = c.build.compare(CompareOp::Eq, value, extremum, range);
  auto keep = [](const Expr *key) { return key; };
  llvm::SmallVector<const Expr *, 3> keys =
      firstKeys(c, isThere, rank, make, keep);
  bool isPosition =
      function == Function::ArgMin || function == Function::ArgMax;
  if (isPosition && rank != 0)
    return asPosition(c, keys, rank, make, range);
  return asIndex(c, keys, rank, range);
}

} // namespace zpl::sema
