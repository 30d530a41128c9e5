//===- ArrayIR.cpp - The module's arena and the operators' texts ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The array IR is data: what little code it has stands here, in
// Types.cpp and in the visits of Walk.cpp.
//
// A Module owns every node that was made for it. Nodes hold vectors and
// strings, so the arena remembers their destructors (a shared_ptr<void> each)
// and frees them all at once with the module; nothing is freed before. Texts
// (string constants, pieces of output) are copied into a bump allocator.
//
// Array types are interned, so that equal types are one pointer: the list is
// searched from its start, as programs have few of them.
//
// The texts of the operators come from Ops.def, which the parser reads too: a
// new operator is one line there.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace zpl::air {

struct Module::Impl {
  std::vector<std::shared_ptr<void>> nodes;
  BumpPtrAllocator allocator;
  StringSaver texts{allocator};
  std::vector<const TypeInfo *> arrayTypes, handleTypes;
};

Module::Module() : impl(std::make_unique<Impl>()) {}
Module::~Module() = default;
Module::Module(Module &&) noexcept = default;
Module &Module::operator=(Module &&) noexcept = default;

void Module::keep(std::shared_ptr<void> node) {
  impl->nodes.push_back(std::move(node));
}

StringRef Module::copy(StringRef text) { return impl->texts.save(text); }

Type Module::arrayType(ArrayRef<Bound> lo, ArrayRef<Bound> hi, Type element,
                       ArrayRef<Type> index, TypeInfo::Holds holds) {
  for (const TypeInfo *info : impl->arrayTypes)
    if (lo.equals(info->lo) && hi.equals(info->hi) &&
        info->element == element && index.equals(info->index) &&
        info->holds == holds)
      return info;
  auto *info = make<TypeInfo>();
  info->kind = Type::Array;
  info->element = element;
  info->lo.assign(lo.begin(), lo.end());
  info->hi.assign(hi.begin(), hi.end());
  info->index.assign(index.begin(), index.end());
  info->holds = holds;
  impl->arrayTypes.push_back(info);
  return info;
}

Type Module::handleType(Type element, unsigned rank) {
  for (const TypeInfo *info : impl->handleTypes)
    if (info->element == element && info->rank == rank)
      return info;
  auto *info = make<TypeInfo>();
  info->kind = Type::Handle;
  info->element = element;
  info->rank = rank;
  impl->handleTypes.push_back(info);
  return info;
}

//===----------------------------------------------------------------------===//
// Texts
//===----------------------------------------------------------------------===//

StringRef text(UnaryOp op) {
  switch (op) {
#define AIR_UNARY(Id, text)                                                    \
  case UnaryOp::Id:                                                            \
    return text;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("an operator outside its enumeration");
}

StringRef text(BinaryOp op) {
  switch (op) {
#define AIR_BINARY(Id, text)                                                   \
  case BinaryOp::Id:                                                           \
    return text;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("an operator outside its enumeration");
}

StringRef text(CompareOp op) {
  switch (op) {
#define AIR_COMPARE(Id, text)                                                  \
  case CompareOp::Id:                                                          \
    return text;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("an operator outside its enumeration");
}

StringRef text(MathFn fn) {
  switch (fn) {
#define AIR_MATH(Id, text, arity)                                              \
  case MathFn::Id:                                                             \
    return text;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("a function outside its enumeration");
}

StringRef text(Builtin fn) {
  switch (fn) {
#define AIR_BUILTIN(Id, text, arity)                                           \
  case Builtin::Id:                                                            \
    return text;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("a function outside its enumeration");
}

StringRef text(Reduction op) {
  switch (op) {
#define AIR_REDUCTION(Id, text)                                                \
  case Reduction::Id:                                                          \
    return text;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("a reduction outside its enumeration");
}

StringRef text(BoundExpr::Which which) {
  static constexpr const char *Texts[] = {
      "lo",     "hi",    "stride", "align",     "own-lo",
      "own-hi", "level", "parts",  "patterned", "complete"};
  return Texts[which];
}

unsigned arity(MathFn fn) {
  switch (fn) {
#define AIR_MATH(Id, text, arity)                                              \
  case MathFn::Id:                                                             \
    return arity;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("a function outside its enumeration");
}

unsigned arity(Builtin fn) {
  switch (fn) {
#define AIR_BUILTIN(Id, text, arity)                                           \
  case Builtin::Id:                                                            \
    return arity;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("a function outside its enumeration");
}

} // namespace zpl::air
