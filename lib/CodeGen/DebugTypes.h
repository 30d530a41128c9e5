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

  /// Null for Void.
  llvm::DIType *of(air::Type type);
  llvm::DIType *of(const air::Region &region);
  llvm::DIType *of(const air::Array &array);
  llvm::DIType *ofDirection(unsigned rank);
  /// With the result that a debugger can fetch by the rules of C, else void.
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
  llvm::DIType *makeStruct(llvm::StringRef name, uint64_t bytes,
                           llvm::ArrayRef<Member> members);
  llvm::DIType *makeSix(llvm::DIType *element);
  llvm::DIType *makeSimple(air::Type type);
  llvm::DIType *makeNamed(air::Type type);
  llvm::DIType *scalarType(air::Type type);
  llvm::DIType *complexType(air::Type type);
  llvm::DIType *stringType();
  llvm::DIType *timerType();
  llvm::DIType *enumType(const air::TypeInfo &info);
  llvm::DIType *recordType(air::Type type);
  llvm::DIType *arrayType(const air::TypeInfo &info);
  llvm::DIType *valueType(const air::TypeInfo &info, llvm::DIType *numbers);
  llvm::Metadata *bound(const air::Bound &bound);
  llvm::DIType *rangeStruct();
  llvm::DIType *dimStruct();
  llvm::DIType *regionStruct();
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
