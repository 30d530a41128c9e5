//===- DebugTypes.cpp - Types of debug information ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every type of ZPL as one that a debugger for C can print, index and set,
// under the name that ZPL gives it:
//
//   integer, boolean, double    base types
//   dcomplex                    struct { re, im }, as the fields are called
//   string                      typedef of char *
//   file                        a signed number
//   record, union               struct; unions have all their fields at 0
//   array [2..9] of integer     an array with lower bound 2
//   array [1..n] of integer     an array whose upper bound is the variable that
//                               holds the bound at run time
//   direction east = [0, 1]     typedef of one or an array of numbers
//   var d: direction<, >        the same
//   var W: region<.., ..>       typedef `region` of the array of its numbers
//   region R = [1..n, 1..n]     typedef region<..,..> of zrt_region
//   var A: [R] double           typedef `[R] double` of zrt_array<double>
//
// The last two are the structures of zrt/Abi.h, as far as a debugger needs
// them. There is a zrt_array per element type, for the sake of its field
// `origin`, which points to elements: so a printer finds their type
// (tools/gdb/zpl.py).
//
// The fields of a record after one whose size a run decides have no offset
// that DWARF made by LLVM could express; the record ends before them.
//
// Bounds that are variables refer to debug information of these, which must
// therefore be there first. Arrays of such arrays become one array of more
// dimensions, which lies in memory the same way: LLVM orders the variables of a
// procedure by the bounds of their own dimensions only.
//
//===----------------------------------------------------------------------===//

#include "DebugTypes.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include <cstddef>

using namespace llvm;

namespace zpl::codegen {

DIType *DebugTypes::makeStruct(StringRef name, uint64_t bytes,
                               ArrayRef<Member> members) {
  auto *structure = builder.createStructType(scope, name, nullptr, 0, bytes * 8,
                                             0, DINode::FlagZero, nullptr, {});
  SmallVector<Metadata *, 8> elements;
  for (const Member &m : members)
    elements.push_back(builder.createMemberType(
        structure, m.name, nullptr, 0, m.type->getSizeInBits(), 0, m.offset * 8,
        DINode::FlagZero, m.type));
  builder.replaceArrays(structure, builder.getOrCreateArray(elements));
  return structure;
}

DIType *DebugTypes::makeSix(DIType *element) {
  auto *subscript = builder.getOrCreateSubrange(0, int64_t(ZRT_MAX_RANK));
  return builder.createArrayType(element->getSizeInBits() * ZRT_MAX_RANK, 0,
                                 element, builder.getOrCreateArray(subscript));
}

//===----------------------------------------------------------------------===//
// Types without parts that the program names
//===----------------------------------------------------------------------===//

DIType *DebugTypes::scalarType(air::Type kind) {
  unsigned encoding = dwarf::DW_ATE_float;
  if (kind == air::Type::Bool)
    encoding = dwarf::DW_ATE_boolean;
  else if (kind == air::Type::Char)
    encoding = dwarf::DW_ATE_unsigned_char;
  else if (kind == air::Type::File || kind.isSigned())
    encoding = dwarf::DW_ATE_signed;
  else if (kind.isUnsigned())
    encoding = dwarf::DW_ATE_unsigned;
  return builder.createBasicType(typeName(kind), types.size(kind) * 8,
                                 encoding);
}

DIType *DebugTypes::complexType(air::Type kind) {
  DIType *part = of(kind.component());
  return makeStruct(typeName(kind), types.size(kind),
                    {{"re", part, 0}, {"im", part, types.size(kind) / 2}});
}

DIType *DebugTypes::stringType() {
  DIType *characters = builder.createPointerType(of(air::Type::Char), 64);
  return builder.createTypedef(characters, typeName(air::Type::Str),
                               scope->getFile(), 0, scope);
}

DIType *DebugTypes::timerType() {
  DIType *number = of(air::Type::F64);
  return makeStruct(
      "timer", sizeof(zrt_timer),
      {{"accumulated", number, offsetof(zrt_timer, accumulated)},
       {"started", number, offsetof(zrt_timer, started)},
       {"running", of(air::Type::I32), offsetof(zrt_timer, running)}});
}

DIType *DebugTypes::makeSimple(air::Type kind) {
  if (kind == air::Type::Timer)
    return timerType();
  if (kind == air::Type::Str)
    return stringType();
  return kind.isComplex() ? complexType(kind) : scalarType(kind);
}

//===----------------------------------------------------------------------===//
// Types of the program
//===----------------------------------------------------------------------===//

DIType *DebugTypes::enumType(const air::TypeInfo &info) {
  SmallVector<Metadata *, 8> names;
  for (const air::Enumerator &e : info.enumerators)
    names.push_back(builder.createEnumerator(e.name, e.value));
  return builder.createEnumerationType(
      scope, typeName(&info), scope->getFile(), 0, 32, 32,
      builder.getOrCreateArray(names), of(air::Type::I32));
}

DIType *DebugTypes::recordType(air::Type kind) {
  const air::TypeInfo &info = *kind.info();
  bool isSized = !kind.isRunTimeSized();
  const StructLayout *layout = isSized
                                   ? module.getDataLayout().getStructLayout(
                                         cast<StructType>(types.memory(kind)))
                                   : nullptr;
  SmallVector<Member, 8> members;
  uint64_t offset = 0;
  for (const auto &[i, field] : enumerate(info.fields)) {
    if (kind == air::Type::Record)
      offset = isSized ? layout->getElementOffset(i).getFixedValue()
                       : alignTo(offset, types.align(field.type));
    members.push_back({field.name, of(field.type), offset});
    if (kind == air::Type::Union || isSized)
      continue;
    if (field.type.isRunTimeSized())
      break;
    offset += types.size(field.type);
  }
  return makeStruct(typeName(kind), isSized ? types.size(kind) : 0, members);
}

Metadata *DebugTypes::bound(const air::Bound &bound) {
  if (bound.variable)
    return bounds.lookup(bound.variable);
  return ConstantAsMetadata::get(
      ConstantInt::getSigned(types.i64, bound.value));
}

DIType *DebugTypes::arrayType(const air::TypeInfo &info) {
  bool isSized = !air::Type(&info).isRunTimeSized();
  const air::TypeInfo *inner = &info;
  SmallVector<Metadata *, 4> dims;
  uint64_t count = 1;
  while (true) {
    for (unsigned d = 0; d < inner->lo.size(); ++d) {
      const air::Bound &lo = inner->lo[d], &hi = inner->hi[d];
      if (!lo.variable && !hi.variable) {
        int64_t extent = std::max<int64_t>(0, hi.value - lo.value + 1);
        dims.push_back(builder.getOrCreateSubrange(lo.value, extent));
        count *= extent;
      } else {
        dims.push_back(builder.getOrCreateSubrange(/*Count=*/nullptr, bound(lo),
                                                   bound(hi), nullptr));
      }
    }
    if (isSized || inner->element != air::Type::Array ||
        inner->element.info()->holds != air::TypeInfo::Holds::Numbers)
      break;
    inner = inner->element.info();
  }
  DIType *element = of(inner->element);
  return builder.createArrayType(isSized ? element->getSizeInBits() * count : 0,
                                 0, element, builder.getOrCreateArray(dims));
}

DIType *DebugTypes::valueType(const air::TypeInfo &info, DIType *numbers) {
  if (info.holds == air::TypeInfo::Holds::Numbers)
    return numbers;
  bool isRegion = info.holds == air::TypeInfo::Holds::Region;
  return builder.createTypedef(numbers, isRegion ? "region" : "direction",
                               scope->getFile(), 0, scope);
}

DIType *DebugTypes::makeNamed(air::Type kind) {
  if (kind == air::Type::Enum)
    return enumType(*kind.info());
  if (kind == air::Type::Array)
    return valueType(*kind.info(), arrayType(*kind.info()));
  if (kind == air::Type::Handle)
    return arrayStruct(kind.info()->element);
  if (kind == air::Type::Opaque)
    return makeStruct(typeName(kind), kind.info()->size, {});
  return recordType(kind);
}

DIType *DebugTypes::of(air::Type kind) {
  if (kind == air::Type::Void)
    return nullptr;
  if (const air::TypeInfo *info = kind.info()) {
    DIType *known = named.lookup(info);
    return known ? known : named[info] = makeNamed(kind);
  }
  DIType *known = simple.lookup(kind.kind());
  return known ? known : simple[kind.kind()] = makeSimple(kind);
}

DISubroutineType *DebugTypes::of(const air::Procedure &procedure) {
  air::Type result = procedure.result;
  bool isPlain = !result.isAggregate() && !result.isComplex() &&
                 result != air::Type::Opaque;
  Metadata *types[] = {isPlain ? of(result) : nullptr};
  return builder.createSubroutineType(builder.getOrCreateTypeArray(types));
}

//===----------------------------------------------------------------------===//
// Regions and parallel arrays
//===----------------------------------------------------------------------===//

DIType *DebugTypes::rangeStruct() {
  DIType *bound = of(air::Type::I64);
  return makeStruct("zrt_range", sizeof(zrt_range),
                    {{"lo", bound, offsetof(zrt_range, lo)},
                     {"hi", bound, offsetof(zrt_range, hi)}});
}

DIType *DebugTypes::dimStruct() {
  DIType *number = of(air::Type::I64);
  return makeStruct("zrt_dim", sizeof(zrt_dim),
                    {{"lo", number, offsetof(zrt_dim, lo)},
                     {"hi", number, offsetof(zrt_dim, hi)},
                     {"stride", number, offsetof(zrt_dim, stride)},
                     {"align", number, offsetof(zrt_dim, align)}});
}

DIType *DebugTypes::regionStruct() {
  if (regionDescriptor)
    return regionDescriptor;
  return regionDescriptor = makeStruct(
             "zrt_region", sizeof(zrt_region),
             {{"name", of(air::Type::Str), offsetof(zrt_region, name)},
              {"rank", of(air::Type::I16), offsetof(zrt_region, rank)},
              {"domain", of(air::Type::I16), offsetof(zrt_region, domain)},
              {"singletons", of(air::Type::I32),
               offsetof(zrt_region, singletons)},
              {"floods", of(air::Type::I32), offsetof(zrt_region, floods)},
              {"level", of(air::Type::I64), offsetof(zrt_region, level)},
              {"is_sparse", of(air::Type::I64),
               offsetof(zrt_region, is_sparse)},
              {"pattern", of(air::Type::I64), offsetof(zrt_region, pattern)},
              {"dim", makeSix(dimStruct()), offsetof(zrt_region, dim)}});
}

DIType *DebugTypes::arrayStruct(air::Type element) {
  DIType *elementType = of(element);
  if (DIType *known = arrayDescriptors.lookup(elementType))
    return known;
  return arrayDescriptors[elementType] = makeStruct(
             "zrt_array<" + typeName(element) + ">", sizeof(zrt_array),
             {{"origin", builder.createPointerType(elementType, 64),
               offsetof(zrt_array, origin)},
              {"pitch", makeSix(of(air::Type::I64)),
               offsetof(zrt_array, pitch)},
              {"stored", makeSix(rangeStruct()), offsetof(zrt_array, stored)},
              {"region", regionStruct(), offsetof(zrt_array, region)},
              {"name", of(air::Type::Str), offsetof(zrt_array, name)},
              {"id", of(air::Type::U64), offsetof(zrt_array, id)}});
}

DIType *DebugTypes::ofDirection(unsigned rank) {
  DIType *component = of(air::Type::I64);
  DIType *all = component;
  if (rank > 1)
    all = builder.createArrayType(
        component->getSizeInBits() * rank, 0, component,
        builder.getOrCreateArray(
            {builder.getOrCreateSubrange(0, int64_t(rank))}));
  return builder.createTypedef(all, "direction", scope->getFile(), 0, scope);
}

static StringRef kindText(air::DimKind kind) {
  switch (kind) {
  case air::DimKind::Range:
    return "..";
  case air::DimKind::Singleton:
    return ".";
  case air::DimKind::Flood:
    return "*";
  case air::DimKind::Grid:
    return "::";
  case air::DimKind::Strided:
    return "by";
  }
  llvm_unreachable("unknown kind of dimension");
}

/// `..,.` of a shape.
static std::string shapeText(const air::Shape &shape) {
  std::string text;
  for (air::DimKind kind : shape)
    text += (text.empty() ? "" : ",") + kindText(kind).str();
  return text;
}

DIType *DebugTypes::of(const air::Region &region) {
  return builder.createTypedef(regionStruct(),
                               "region<" + shapeText(region.shape) + ">",
                               scope->getFile(), 0, scope);
}

DIType *DebugTypes::of(const air::Array &array) {
  StringRef text = array.declared ? StringRef(array.declared->text) : "";
  std::string over = text.starts_with("[") ? text.str()
                     : text.empty()        ? "[" + shapeText(array.shape) + "]"
                                           : "[" + text.str() + "]";
  return builder.createTypedef(arrayStruct(array.element),
                               over + " " + typeName(array.element),
                               scope->getFile(), 0, scope);
}

} // namespace zpl::codegen
