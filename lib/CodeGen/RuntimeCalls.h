//===- RuntimeCalls.h - Declarations of the runtime's functions -*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// LLVM declarations of the functions of zrt/Abi.h, derived from their C types:
///
///     builder.CreateCall(ZRT_CALLEE(calls, zrtA_array_free), {array});
///
/// A misspelt name does not compile; a type that may not cross the border does
/// not compile; arguments that do not fit are found by LLVM's verifier.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_RUNTIMECALLS_H
#define ZPL_LIB_CODEGEN_RUNTIMECALLS_H

#include "TypeLowering.h"
#include "llvm/IR/Module.h"
#include <type_traits>

namespace zpl::codegen {

/// What crosses the border in one place: a C type as the compiler needs it.
struct AbiValue {
  enum Kind : uint8_t { Void, I8, I32, I64, F64, Pointer } kind;
  bool readOnly = false;  ///< a pointer to const
  bool noCapture = false; ///< a pointer that the callee does not keep
};

/// True for what lives on the program's stack; the runtime copies what it keeps
/// (Abi.h). Names, locations and descriptors it may remember.
template <typename T>
inline constexpr bool isCopied =
    std::is_same_v<T, zrt_region> || std::is_same_v<T, zrt_fluff> ||
    std::is_same_v<T, zrt_shift> || std::is_same_v<T, zrt_push> ||
    std::is_same_v<T, zrt_time_loop> || std::is_same_v<T, zrt_view> ||
    std::is_same_v<T, zrt_mask> || std::is_same_v<T, zrt_scan> ||
    std::is_same_v<T, zrt_wave> || std::is_same_v<T, zrt_map> ||
    std::is_same_v<T, zrt_combined> || std::is_same_v<T, zrt_timer> ||
    std::is_same_v<T, int64_t> || std::is_same_v<T, double> ||
    std::is_same_v<T, long double>;

/// How values of the C type T cross the border.
template <typename T> constexpr AbiValue abiValue() {
  if constexpr (std::is_void_v<T>) {
    return {AbiValue::Void};
  } else if constexpr (std::is_pointer_v<T>) {
    using Pointee = std::remove_pointer_t<T>;
    return {AbiValue::Pointer, std::is_const_v<Pointee>,
            isCopied<std::remove_const_t<Pointee>>};
  } else if constexpr (std::is_same_v<T, double>) {
    return {AbiValue::F64};
  } else {
    static_assert(std::is_same_v<T, int8_t> || std::is_same_v<T, int32_t> ||
                      std::is_same_v<T, int64_t> || std::is_same_v<T, uint64_t>,
                  "this type does not cross between program and runtime");
    return {sizeof(T) == 8   ? AbiValue::I64
            : sizeof(T) == 4 ? AbiValue::I32
                             : AbiValue::I8};
  }
}

/// Declares functions in one LLVM module, each at its first use.
class RuntimeCalls {
public:
  /// Both must live as long as this. \p usesVectorMath: CodeGen.h.
  RuntimeCalls(llvm::Module &module, const TypeLowering &types,
               bool usesVectorMath)
      : module(module), types(types), usesVectorMath(usesVectorMath) {}

  /// A function of Abi.h by its name and C type. Use ZRT_CALLEE.
  template <typename R, typename... Args>
  llvm::FunctionCallee callee(llvm::StringRef name, R (*)(Args...)) {
    return declare(name, abiValue<R>(), {abiValue<Args>()...});
  }

  /// A string for the runtime; one per text.
  llvm::Constant *text(llvm::StringRef bytes);

  /// A function of the C mathematics library on F32 (`sinf`), F64 (`sin`) or
  /// F80 (`sinl`), or SLEEF's in its place, that LLVM must neither rewrite nor
  /// evaluate at compile time.
  llvm::FunctionCallee libm(llvm::StringRef name, air::Type type,
                            unsigned arity);

private:
  /// The function with that name, declared with what LLVM may think of it.
  llvm::FunctionCallee declare(llvm::StringRef name, AbiValue result,
                               llvm::ArrayRef<AbiValue> params);
  /// The LLVM type of such a value.
  llvm::Type *typeOf(AbiValue value) const;

  llvm::Module &module;
  const TypeLowering &types;
  bool usesVectorMath;
};

/// `decltype` is not evaluated: the compiler does not link the runtime.
#define ZRT_CALLEE(Calls, Fn)                                                  \
  (Calls).callee(#Fn, static_cast<decltype(&Fn)>(nullptr))

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_RUNTIMECALLS_H
