//===- LinearForm.cpp - Bounds as linear forms ----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     region R = [1..n, 1..n];  Big = [0..n+1, 0..n+1];
//
// In [R] the reference A@east, A declared over Big, reads 2..n+1 in dimension 2
// of 0..n+1. With n as an atom the upper bounds are n + 1 and n + 1: their
// difference is 0 whatever n is, so no check at run time is needed.
//
// Forms are kept as sorted terms and added by a merge; those of programs have
// one or two terms. The forms suppose that a bound does not overflow integer.
//
//===----------------------------------------------------------------------===//

#include "Tree/LinearForm.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <utility>

namespace zpl::sema {

std::optional<LinearForm>
LinearForm::sum(const LinearForm &a, const LinearForm &b, int64_t factorOfB) {
  std::optional<LinearForm> scaled = b.times(factorOfB);
  LinearForm result;
  if (!scaled ||
      llvm::AddOverflow(a.constant, scaled->constant, result.constant))
    return std::nullopt;
  const auto *left = a.terms.begin(), *leftEnd = a.terms.end();
  const auto *right = std::as_const(scaled->terms).begin(),
             *rightEnd = std::as_const(scaled->terms).end();
  while (left != leftEnd || right != rightEnd) {
    bool takeLeft =
        right == rightEnd || (left != leftEnd && left->first < right->first);
    bool takeRight =
        left == leftEnd || (right != rightEnd && right->first < left->first);
    if (takeLeft) {
      result.terms.push_back(*left++);
    } else if (takeRight) {
      result.terms.push_back(*right++);
    } else {
      int64_t factor;
      if (llvm::AddOverflow(left->second, right->second, factor))
        return std::nullopt;
      if (factor != 0)
        result.terms.emplace_back(left->first, factor);
      ++left;
      ++right;
    }
  }
  return result;
}

std::optional<LinearForm> LinearForm::times(int64_t factor) const {
  LinearForm result;
  if (factor == 0)
    return result;
  if (llvm::MulOverflow(constant, factor, result.constant))
    return std::nullopt;
  for (const auto &[atom, own] : terms) {
    int64_t product;
    if (llvm::MulOverflow(own, factor, product))
      return std::nullopt;
    result.terms.emplace_back(atom, product);
  }
  return result;
}

std::optional<int64_t> LinearForm::number() const {
  if (!terms.empty())
    return std::nullopt;
  return constant;
}

std::optional<int64_t> LinearForm::minus(const LinearForm &other) const {
  std::optional<LinearForm> difference = sum(*this, other, -1);
  return difference ? difference->number() : std::nullopt;
}

bool LinearForm::hasLocalAtoms() const {
  for (const auto &term : terms)
    if (term.first.isLocal)
      return true;
  return false;
}

bool LinearForm::operator==(const LinearForm &other) const {
  return minus(other) == 0;
}

std::string LinearForm::text() const {
  std::string result;
  auto append = [&](int64_t factor, const std::string &what) {
    if (result.empty())
      result = factor < 0 ? "-" : "";
    else
      result += factor < 0 ? " - " : " + ";
    result += what;
  };
  for (const auto &[atom, factor] : terms) {
    if (atom.name.empty())
      return "";
    uint64_t size = factor < 0 ? 0 - static_cast<uint64_t>(factor) : factor;
    append(factor, size == 1
                       ? atom.name
                       : llvm::formatv("{0} * {1}", size, atom.name).str());
  }
  uint64_t size = constant < 0 ? 0 - static_cast<uint64_t>(constant) : constant;
  if (constant != 0 || result.empty())
    append(constant, llvm::formatv("{0}", size).str());
  return result;
}

} // namespace zpl::sema
