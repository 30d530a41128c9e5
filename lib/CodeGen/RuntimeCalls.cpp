//===- RuntimeCalls.cpp - Declarations of the runtime's functions ---------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Two sorts of facts come together in a declaration. The C type gives the
// signature, the extension of narrow integers (without it a target may find
// rubbish in the upper half of a register), `readonly` for pointers to const
// and `nocapture` for what the runtime copies. The table below adds what no C
// type says: which functions have effects that LLVM may know to be small.
//
//   declare void @zrtA_check_read(ptr readonly, ptr nocapture readonly, ...)
//   declare i32 @zrtA_power_i32(i32, i32) memory(none) willreturn
//
// Without an entry a function may do anything but throw, which is right for all
// that communicates, prints or allocates.
//
// zrtA_domain deserves a word. Its value never changes once it was asked for,
// but the first call fixes the distribution from the regions declared so far,
// so it must stay after zrtA_region_declare. `memory(none)` would leave that to
// luck. It is declared as a reader of the runtime's memory: LLVM merges two
// calls with nothing of the runtime between them and moves none across a
// declaration. That the first call writes is invisible to the program. Where
// all declarations are over, FixedDomains.cpp says more.
//
//===----------------------------------------------------------------------===//

#include "RuntimeCalls.h"
#include "zpl/Support/VectorMath.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/xxhash.h"

using namespace llvm;

namespace zpl::codegen {

/// A name of Abi.h, checked by the C++ compiler.
#define NAME(Fn) (static_cast<void>(sizeof(&Fn)), #Fn)

static void addEffects(Function &function) {
  StringRef name = function.getName();
  auto returning = [&](MemoryEffects effects) {
    function.setMemoryEffects(effects);
    function.setWillReturn();
  };
  if (name == NAME(zrtA_power_i32) || name == NAME(zrtA_power_i64) ||
      name == NAME(zrtA_power_u64) || name == NAME(zrtA_ran) ||
      name == NAME(zrtA_stream_bytes)) {
    returning(MemoryEffects::none());
  } else if (name == NAME(zrtA_quotient_part)) {
    returning(MemoryEffects::none());
    function.setSpeculatable();
  } else if (name == NAME(zrtA_quotient_c80) || name == NAME(zrtA_power_c64) ||
             name == NAME(zrtA_power_c80) || name == NAME(zrtA_function_c64) ||
             name == NAME(zrtA_function_c80) || name == NAME(zrtA_region_by)) {
    returning(MemoryEffects::argMemOnly());
  } else if (name == NAME(zrtA_compare_strings)) {
    returning(MemoryEffects::argMemOnly(ModRefInfo::Ref));
  } else if (name == NAME(zrtA_processors) || name == NAME(zrtA_locale) ||
             name == NAME(zrtA_same_file)) {
    returning(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
  } else if (name == NAME(zrtA_region_parts)) {
    returning(MemoryEffects::inaccessibleOrArgMemOnly(ModRefInfo::Ref));
  } else if (name == NAME(zrtA_domain) || name == NAME(zrtA_domain_of)) {
    returning(MemoryEffects::inaccessibleMemOnly(ModRefInfo::Ref));
    AttrBuilder result(function.getContext());
    result.addAttribute(Attribute::NonNull);
    result.addDereferenceableAttr(sizeof(zrt_domain));
    result.addAlignmentAttr(Align(alignof(zrt_domain)));
    function.addRetAttrs(result);
  } else if (name == NAME(zrtA_scratch)) {
    function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
    AttrBuilder result(function.getContext());
    result.addAttribute(Attribute::NonNull);
    result.addAlignmentAttr(Align(64));
    function.addRetAttrs(result);
  } else if (name == NAME(zrtA_memory_new) || name == NAME(zrtA_work_new)) {
    function.addRetAttr(Attribute::NoAlias);
  } else if (name == NAME(zrtA_halt) || name == NAME(zrtA_missing_return) ||
             name.starts_with("zrtA_fail_")) {
    function.setDoesNotReturn();
    function.addFnAttr(Attribute::Cold);
  }
}

llvm::Type *RuntimeCalls::typeOf(AbiValue value) const {
  switch (value.kind) {
  case AbiValue::Void:
    return llvm::Type::getVoidTy(module.getContext());
  case AbiValue::I8:
    return types.i8;
  case AbiValue::I32:
    return types.i32;
  case AbiValue::I64:
    return types.i64;
  case AbiValue::F64:
    return types.f64;
  case AbiValue::Pointer:
    return types.ptr;
  }
  llvm_unreachable("unknown kind of value");
}

static bool isNarrow(AbiValue value) {
  return value.kind == AbiValue::I8 || value.kind == AbiValue::I32;
}

FunctionCallee RuntimeCalls::declare(StringRef name, AbiValue result,
                                     ArrayRef<AbiValue> params) {
  if (Function *known = module.getFunction(name))
    return known;
  SmallVector<llvm::Type *, 8> paramTypes;
  for (AbiValue param : params)
    paramTypes.push_back(typeOf(param));
  auto *type = FunctionType::get(typeOf(result), paramTypes, false);
  auto *function =
      Function::Create(type, Function::ExternalLinkage, name, module);
  function->setDoesNotThrow();
  if (isNarrow(result))
    function->addRetAttr(Attribute::SExt);
  for (unsigned i = 0; i < params.size(); ++i) {
    if (isNarrow(params[i]))
      function->addParamAttr(i, Attribute::SExt);
    if (params[i].readOnly)
      function->addParamAttr(i, Attribute::ReadOnly);
    if (params[i].noCapture)
      function->addParamAttr(i, Attribute::NoCapture);
  }
  addEffects(*function);
  return function;
}

Constant *RuntimeCalls::text(StringRef bytes) {
  std::string name = (".string." + Twine(xxh3_64bits(bytes))).str();
  if (GlobalVariable *known = module.getNamedGlobal(name))
    return known;
  auto *data = ConstantDataArray::getString(module.getContext(), bytes);
  return new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                            GlobalValue::PrivateLinkage, data, name);
}

/// The symbol of a library function on numbers of a type.
static std::string librarySymbol(StringRef name, air::Type type,
                                 bool usesVectorMath) {
  if (type == air::Type::F80)
    return (name + "l").str();
  bool isDouble = type == air::Type::F64;
  if (usesVectorMath)
    if (const VectorFunction *known = findVectorFunction(name, isDouble))
      return known->symbol(1);
  return (name + (isDouble ? "" : "f")).str();
}

FunctionCallee RuntimeCalls::libm(StringRef name, air::Type type,
                                  unsigned arity) {
  std::string symbol = librarySymbol(name, type, usesVectorMath);
  if (Function *known = module.getFunction(symbol))
    return known;
  llvm::Type *number = types.value(type);
  SmallVector<llvm::Type *, 2> params(arity, number);
  if (name == "ldexp")
    params.back() = types.i32;
  auto *function = Function::Create(FunctionType::get(number, params, false),
                                    Function::ExternalLinkage, symbol, module);
  function->setDoesNotThrow();
  function->setWillReturn();
  function->setMemoryEffects(MemoryEffects::none());
  if (!isVectorFunction(symbol)) // LLVM knows those of the C library only
    function->addFnAttr(Attribute::NoBuiltin);
  return function;
}

} // namespace zpl::codegen
