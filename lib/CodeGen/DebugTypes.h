//===- DebugTypes.h - Types of debug information ----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_DEBUGTYPES_H
#define ZPL_LIB_CODEGEN_DEBUGTYPES_H

#include "TypeLowering.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DIBuilder.h"

namespace zpl::codegen {

/// Makes the DWARF types of one module, each once.
class DebugTypes {
public:
  /// All must live as long as this object.
  DebugTypes(const llvm::Module &module, const TypeLowering &types,
             llvm::DIBuilder &builder)
      : module(module), types(types), builder(builder) {}
  /// Where the types are declared; once, before the first of them.
  void setUnit(llvm::DICompileUnit *unit) { scope = unit; }

  /// The type of variables of that type; null for Void.
  llvm::DIType *of(air::Type type);
  /// The type of a region's descriptor, `region<..,.>` by its shape.
  llvm::DIType *of(const air::Region &region);
  /// The type of an array's descriptor, `[R] double`.
  llvm::DIType *of(const air::Array &array);
  /// So many i64, side by side; one if \p rank is 1.
  llvm::DIType *ofDirection(unsigned rank);
  /// With the result that a debugger can fetch by the rules of C, else void:
  /// aggregates come back in memory, and complex values in other registers.
  llvm::DISubroutineType *of(const air::Procedure &procedure);

  /// The debug information of a variable that may be a bound of types. It comes
  /// before the first of these is asked for.
  void setBound(const air::Variable *variable, llvm::DIVariable *info) {
    bounds[variable] = info;
  }

private:
  struct Member {
    llvm::StringRef name;
    llvm::DIType *type;
    uint64_t offset; ///< bytes
  };
  /// A structure of that size; 0: not known.
  llvm::DIType *makeStruct(llvm::StringRef name, uint64_t bytes,
                           llvm::ArrayRef<Member> members);
  /// ZRT_MAX_RANK of \p element.
  llvm::DIType *makeSix(llvm::DIType *element);
  /// The type of one without TypeInfo, made new, by one of the four after it.
  llvm::DIType *makeSimple(air::Type type);
  /// Numbers, truth values, characters, files.
  llvm::DIType *scalarType(air::Type type);
  /// `re` and `im`.
  llvm::DIType *complexType(air::Type type);
  /// A pointer to characters.
  llvm::DIType *stringType();
  /// The runtime's structure.
  llvm::DIType *timerType();

  /// The type of one with TypeInfo, made new.
  llvm::DIType *makeNamed(air::Type type);
  /// The enumerators by their names.
  llvm::DIType *enumType(const air::TypeInfo &info);
  /// A record's or union's fields. If a run decides its size it has size 0, and
  /// ends with the first field of which it does.
  llvm::DIType *recordType(air::Type type);
  /// With the bounds of each dimension; arrays of arrays whose size a run
  /// decides become one.
  llvm::DIType *arrayType(const air::TypeInfo &info);
  /// Makes of the numbers of a region or a direction a type with that name;
  /// \p numbers itself of other arrays.
  llvm::DIType *valueType(const air::TypeInfo &info, llvm::DIType *numbers);
  /// A constant, or the variable that setBound has told of.
  llvm::Metadata *bound(const air::Bound &bound);

  /// zrt_range.
  llvm::DIType *rangeStruct();
  /// zrt_dim.
  llvm::DIType *dimStruct();
  /// zrt_region, made once.
  llvm::DIType *regionStruct();
  /// zrt_array, whose origin points to such elements; made once for each type.
  llvm::DIType *arrayStruct(air::Type element);

  const llvm::Module &module;
  const TypeLowering &types;
  llvm::DIBuilder &builder;
  llvm::DICompileUnit *scope = nullptr;
  llvm::DenseMap<unsigned, llvm::DIType *> simple; ///< by kind
  llvm::DenseMap<const air::TypeInfo *, llvm::DIType *> named;
  llvm::DenseMap<const air::Variable *, llvm::DIVariable *> bounds;
  llvm::DIType *regionDescriptor = nullptr; ///< made at first use
  llvm::DenseMap<llvm::DIType *, llvm::DIType *>
      arrayDescriptors; ///< by element
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_DEBUGTYPES_H
