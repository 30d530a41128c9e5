//===- TypeLowering.h - LLVM types of values and of Abi.h -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The LLVM types of the array IR's scalar types, and LLVM mirrors of the
/// structures of zrt/Abi.h, whose layouts are compared with the C compiler's.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_TYPELOWERING_H
#define ZPL_LIB_CODEGEN_TYPELOWERING_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zrt/Abi.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"

namespace zpl::codegen {

// Field numbers of the LLVM structures that generated code reads or writes.
enum class RegionField : unsigned { Name, Rank, Singletons, Dim };
enum class ArrayField : unsigned { Origin, Pitch, Stored, Region };
enum class RangeField : unsigned { Lo, Hi };
enum class ShiftField : unsigned { Array, Direction };

class TypeLowering {
public:
  explicit TypeLowering(llvm::LLVMContext &context);

  /// A value in registers: Bool is i1, Str a pointer. Void is void; Timer has
  /// none.
  llvm::Type *value(air::Type type) const;
  /// The same in memory: Bool is i8 (0 or 1), Timer the runtime's structure.
  llvm::Type *memory(air::Type type) const;
  /// Bytes of an element or variable.
  static uint64_t size(air::Type type);
  /// enum zrt_type of a type that has one.
  static int32_t abiType(air::Type type);

  /// Ends the compiler if the target lays out a structure of Abi.h otherwise
  /// than the C++ compiler that compiled this one.
  void checkLayouts(const llvm::DataLayout &layout) const;

  llvm::PointerType *ptr;
  llvm::IntegerType *i1, *i8, *i32, *i64;
  llvm::Type *f32, *f64;
  llvm::ArrayType *sixI64; ///< int64_t[ZRT_MAX_RANK]
  llvm::StructType *loc, *range, *region, *domain, *array, *fluff, *shift,
      *transfer, *config, *program, *timer;
};

inline bool isFloat(air::Type type) {
  return type == air::Type::F32 || type == air::Type::F64;
}
inline bool isInteger(air::Type type) {
  return type == air::Type::I32 || type == air::Type::I64;
}

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_TYPELOWERING_H
