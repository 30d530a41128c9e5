//===- ArrayIR.cpp - The module's arena and the operators' texts ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The array IR is data: what little code it has stands here.
//
// A Module owns every node that was made for it. Nodes hold vectors and
// strings, so the arena remembers their destructors (a shared_ptr<void> each)
// and frees them all at once with the module; nothing is freed before. Texts
// (string constants, pieces of output) are copied into a bump allocator.
//
// The texts of the operators come from Ops.def, which the parser reads too: a
// new operator is one line there.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace zpl::air {

struct Module::Impl {
  std::vector<std::shared_ptr<void>> nodes;
  BumpPtrAllocator allocator;
  StringSaver texts{allocator};
};

Module::Module() : impl(std::make_unique<Impl>()) {}
Module::~Module() = default;
Module::Module(Module &&) noexcept = default;
Module &Module::operator=(Module &&) noexcept = default;

void Module::keep(std::shared_ptr<void> node) {
  impl->nodes.push_back(std::move(node));
}

StringRef Module::copy(StringRef text) { return impl->texts.save(text); }

StringRef text(Type type) {
  switch (type) {
  case Type::Void:
    return "void";
  case Type::Bool:
    return "bool";
  case Type::I32:
    return "i32";
  case Type::I64:
    return "i64";
  case Type::F32:
    return "f32";
  case Type::F64:
    return "f64";
  case Type::Str:
    return "str";
  case Type::Timer:
    return "timer";
  }
  llvm_unreachable("a type outside its enumeration");
}

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

StringRef text(Reduction op) {
  switch (op) {
#define AIR_REDUCTION(Id, text)                                                \
  case Reduction::Id:                                                          \
    return text;
#include "zpl/ArrayIR/Ops.def"
  }
  llvm_unreachable("a reduction outside its enumeration");
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

} // namespace zpl::air
