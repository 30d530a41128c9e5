//===- TypeLowering.h - LLVM types of values and of Abi.h -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The LLVM types of the array IR's types, and LLVM mirrors of the structures
/// of zrt/Abi.h, whose layouts are compared with the C compiler's.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_TYPELOWERING_H
#define ZPL_LIB_CODEGEN_TYPELOWERING_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zrt/Abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Module.h"

namespace zpl::codegen {

// Field numbers of the LLVM structures that generated code reads or writes.
enum class RegionField : unsigned {
  Name,
  Rank,
  Domain,
  Singletons,
  Floods,
  Grids,
  Level,
  IsSparse,
  Pattern,
  Dim
};
enum class DimField : unsigned { Lo, Hi, Stride, Align };
enum class PatternField : unsigned {
  Count,
  Rows,
  Starts,
  Row,
  Column,
  RowPlace,
  ColumnPlace,
  Bands,
  Band
};
enum class VisitsField : unsigned { First, End, Order, Readers };
enum class BoxField : unsigned {
  Lo,
  Hi,
  Pieces,
  Piece,
  Solves,
  Count,
  Index,
  Flags,
  RowPiece,
  RowWindows,
  Windows,
  Exact,
  IsOpen,
  RunColumns,
  RunFirst,
  RunStep
};
enum class ArrayField : unsigned { Origin, Pitch, Stored, Region };

/// The source name of a thing, for messages.
template <typename Thing> llvm::StringRef nameOf(const Thing &thing) {
  return thing.text.empty() ? thing.name : thing.text;
}

/// A type as the language writes it, for messages and debuggers: "double",
/// "point", "array of point".
std::string typeName(air::Type type);

/// The types of one module.
class TypeLowering {
public:
  /// Makes the structures, in the module's context and for its data layout.
  explicit TypeLowering(llvm::Module &module);

  /// A value in registers: Bool is i1, Str a pointer, complex types a pair,
  /// aggregates the address of their memory. Void is void; Timer has none.
  llvm::Type *value(air::Type type) const;
  /// The same in memory: Bool is i8 (0 or 1), Timer the runtime's structure,
  /// aggregates structures and arrays. Not of types that are sized at run time.
  llvm::Type *memory(air::Type type) const;
  /// Bytes of an element or variable whose size is known.
  uint64_t size(air::Type type) const;
  /// The alignment of any type, also when its size is not known.
  llvm::Align align(air::Type type) const;
  /// enum zrt_kind of a type that has one.
  static int32_t abiKind(air::Type type);
  /// The runtime's number of an operator.
  static zrt_reduction abiReduction(air::Reduction op);

  /// Ends the compiler if the target lays out a structure of Abi.h otherwise
  /// than the C++ compiler that compiled this one.
  void checkLayouts() const;

  llvm::PointerType *ptr;
  llvm::IntegerType *i1, *i8, *i16, *i32, *i64;
  llvm::Type *f32, *f64, *f80;
  llvm::ArrayType *sixI64; ///< int64_t[ZRT_MAX_RANK]
  llvm::StructType *loc, *range, *dim, *region, *pattern, *piece, *windows,
      *box, *domain, *array, *fluff, *view, *shift, *push, *timeLoop, *visits,
      *transfer, *split, *combined, *mask, *scan, *wave, *map, *reference,
      *config, *replicated, *stringVariable, *program, *leftOut, *work, *ways,
      *timer, *type, *field, *enumerator, *rule, *gridInfo, *distributionInfo,
      *domainInfo;

private:
  /// The memory of a record, union, array or family, made new.
  llvm::Type *aggregate(air::Type type) const;
  /// A structure that is as long as the longest field and aligned as the one
  /// with the strictest alignment.
  llvm::Type *unionMemory(const air::TypeInfo &info) const;

  llvm::LLVMContext &context;
  llvm::DataLayout layout;
  mutable llvm::DenseMap<const air::TypeInfo *, llvm::Type *> aggregates;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_TYPELOWERING_H
