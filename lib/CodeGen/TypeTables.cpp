//===- TypeTables.cpp - Types as the runtime sees them --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays, I/O and config variables give the runtime a zrt_type, a table in
// memory that says what an element is made of:
//
//   type point = record x: double; k: integer; end;
//
//     @zpl.type.point = constant %zrt_type { 19, 2, 16, "point", @.fields, ...
//     }
//     @.fields = constant [2 x %zrt_field] { "x", 0, @zpl.type.double; ... }
//
// One table per type, made at its first use. `array [1..n] of point` with a
// config variable n has a table as well, with bounds and size 0 in an internal
// global that is not constant: LowerAggregates.cpp fills them in where the
// table is used.
//
//===----------------------------------------------------------------------===//

#include "ModuleLowering.h"

using namespace llvm;

namespace zpl::codegen {

/// The language's name of a type without TypeInfo.
static StringRef scalarName(air::Type type) {
  using air::Type;
  switch (type) {
#define AIR_SCALAR(Kind, text, name, Abi)                                      \
  case Type::Kind:                                                             \
    return name;
#include "zpl/ArrayIR/Kinds.def"
  case Type::Timer:
    return "timer";
  case Type::Void:
  case Type::Enum:
  case Type::Opaque:
  case Type::Record:
  case Type::Union:
  case Type::Array:
  case Type::Handle:
    break;
  }
  llvm_unreachable("a type with a name of its own");
}

std::string typeName(air::Type type) {
  if (!type.info())
    return scalarName(type).str();
  if (type == air::Type::Array)
    return "array of " + typeName(type.info()->element);
  if (type == air::Type::Handle)
    return "parallel array of " + typeName(type.info()->element);
  const air::TypeInfo &info = *type.info();
  return info.text.empty() ? info.name : info.text;
}

/// A table of rows in memory, or a null pointer for none.
static Constant *rowsInMemory(ModuleLowering &module, StructType *type,
                              ArrayRef<Constant *> rows, const Twine &name) {
  if (rows.empty())
    return ConstantPointerNull::get(module.types.ptr);
  auto *array = ArrayType::get(type, rows.size());
  return module.addGlobal(name, ConstantArray::get(array, rows),
                          /*isConstant=*/true);
}

Constant *ModuleLowering::enumeratorTable(const air::TypeInfo &info) {
  SmallVector<Constant *, 8> rows;
  for (const air::Enumerator &e : info.enumerators)
    rows.push_back(ConstantStruct::get(
        types.enumerator,
        {string(e.name), ConstantInt::get(types.i64, e.value)}));
  return rowsInMemory(*this, types.enumerator, rows, ".enumerators");
}

Constant *ModuleLowering::makeFieldTable(air::Type type) {
  const air::TypeInfo &info = *type.info();
  bool isFixed = !type.isRunTimeSized();
  SmallVector<Constant *, 8> rows;
  for (unsigned i = 0; i < info.fields.size(); ++i) {
    uint64_t offset = 0;
    if (isFixed && type == air::Type::Record)
      offset = module->getDataLayout()
                   .getStructLayout(cast<StructType>(types.memory(type)))
                   ->getElementOffset(i);
    rows.push_back(
        ConstantStruct::get(types.field, {string(info.fields[i].name),
                                          ConstantInt::get(types.i64, offset),
                                          typeTable(info.fields[i].type)}));
  }
  if (isFixed || rows.empty())
    return rowsInMemory(*this, types.field, rows, ".fields");
  auto *array = ArrayType::get(types.field, rows.size());
  return fieldTables[&info] = addGlobal(
             ".fields", ConstantArray::get(array, rows), /*isConstant=*/false);
}

Constant *ModuleLowering::makeBoundsTable(air::Type type) {
  const air::TypeInfo &info = *type.info();
  SmallVector<Constant *, 2> rows;
  for (unsigned d = 0; d < info.lo.size(); ++d)
    rows.push_back(ConstantStruct::get(
        types.range,
        {ConstantInt::get(types.i64, info.lo[d].value, /*IsSigned=*/true),
         ConstantInt::get(types.i64, info.hi[d].value, /*IsSigned=*/true)}));
  if (!type.isRunTimeSized())
    return rowsInMemory(*this, types.range, rows, ".bounds");
  auto *array = ArrayType::get(types.range, rows.size());
  return boundTables[&info] = addGlobal(
             ".bounds", ConstantArray::get(array, rows), /*isConstant=*/false);
}

Constant *ModuleLowering::indexTable(const air::TypeInfo &info) {
  Constant *none = ConstantPointerNull::get(types.ptr);
  SmallVector<Constant *, 2> rows;
  bool hasAny = false;
  for (air::Type index : info.index) {
    hasAny |= index == air::Type::Enum;
    rows.push_back(index == air::Type::Enum ? typeTable(index) : none);
  }
  if (!hasAny)
    return none;
  auto *array = ArrayType::get(types.ptr, rows.size());
  return addGlobal(".index", ConstantArray::get(array, rows),
                   /*isConstant=*/true);
}

GlobalVariable *ModuleLowering::typeTable(air::Type type) {
  const air::TypeInfo *info = type.info();
  if (GlobalVariable *known =
          info ? typeTables.lookup(info) : scalarTables[type.kind()])
    return known;
  bool isRunTimeSized = type.isRunTimeSized();
  Constant *none = ConstantPointerNull::get(types.ptr);
  Constant *fields = none, *enumerators = none, *element = none, *bounds = none,
           *index = none;
  size_t count = 0;
  if (type == air::Type::Enum) {
    enumerators = enumeratorTable(*info);
    count = info->enumerators.size();
  } else if (type == air::Type::Record || type == air::Type::Union) {
    fields = makeFieldTable(type);
    count = info->fields.size();
  } else if (type == air::Type::Array) {
    element = typeTable(info->element);
    bounds = makeBoundsTable(type);
    index = indexTable(*info);
    count = info->lo.size();
  }
  uint64_t size = isRunTimeSized ? 0 : types.size(type);
  // The runtime spells out a type that has no name in the source.
  bool isNameless = info && type != air::Type::Array && info->text.empty();
  std::string name = isNameless ? "" : typeName(type);
  GlobalVariable *table = addGlobal(
      "zpl.type." + Twine(isNameless ? info->name : name),
      ConstantStruct::get(types.type,
                          {ConstantInt::get(types.i32, types.abiKind(type)),
                           ConstantInt::get(types.i32, count),
                           ConstantInt::get(types.i64, size), string(name),
                           fields, enumerators, element, bounds, index}),
      /*isConstant=*/!isRunTimeSized);
  return info ? typeTables[info] = table : scalarTables[type.kind()] = table;
}

} // namespace zpl::codegen
