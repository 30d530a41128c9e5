//===- Convert.cpp - Clang's types as ours --------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// `const point_t *` becomes a Pointer whose element is a Struct with spelling
/// "const point_t", canonical "struct point", and its fields with the offsets
/// that Clang gives them for the target. A type that is written in two ways
/// gives two CTypes, because messages repeat what the header says.
///
/// Every type is converted once; a struct is known before its fields are, so
/// that lists end.
///
//===----------------------------------------------------------------------===//

#include "Convert.h"
#include "clang/AST/RecordLayout.h"
#include "clang/AST/Type.h"

using namespace llvm;
using namespace clang;

namespace zpl::interop {

void TypeConverter::refuse(CType &result, StringRef why) {
  result.kind = CKind::Unsupported;
  result.why = why.str();
}

const CType *TypeConverter::convert(QualType type) {
  auto [found, isNew] = known.try_emplace(type.getAsOpaquePtr(), nullptr);
  if (!isNew)
    return found->second;
  CType &result = types.emplace_back();
  found->second = &result;
  PrintingPolicy policy = context.getPrintingPolicy();
  QualType canonical = context.getCanonicalType(type);
  result.spelling = type.getAsString(policy);
  result.isConst = canonical.isConstQualified();
  canonical = canonical.getUnqualifiedType();
  result.canonical = canonical.getAsString(policy);
  result.isComplete = !canonical->isIncompleteType();
  if (result.isComplete && !canonical->isFunctionType() &&
      canonical->isConstantSizeType()) {
    result.size = context.getTypeSizeInChars(canonical).getQuantity();
    result.align = context.getTypeAlignInChars(type).getQuantity();
  }
  fill(result, type);
  return &result;
}

void TypeConverter::fill(CType &result, QualType type) {
  if (const auto *builtin = type->getAs<BuiltinType>())
    return fillBuiltin(result, *builtin);
  if (const auto *complex = type->getAs<ComplexType>())
    return fillComplex(result, complex->getElementType());
  if (const auto *pointer = type->getAs<clang::PointerType>()) {
    result.kind = CKind::Pointer;
    result.element = convert(pointer->getPointeeType());
    return;
  }
  if (const auto *record = type->getAs<RecordType>())
    return fillRecord(result, *record->getDecl());
  if (const auto *enumeration = type->getAs<EnumType>())
    return fillEnum(result, *enumeration->getDecl());
  if (const auto *function = type->getAs<clang::FunctionType>())
    return fillFunction(result, *function);
  if (const clang::ArrayType *array = context.getAsArrayType(type))
    return fillArray(result, *array);
  if (type->isVectorType())
    return refuse(result, "it is a vector of the processor");
  if (type->isAtomicType())
    return refuse(result, "it is atomic");
  refuse(result, "ZPL has nothing like it");
}

void TypeConverter::fillBuiltin(CType &result, const BuiltinType &type) {
  switch (type.getKind()) {
#define KIND(Clang, Ours)                                                      \
  case BuiltinType::Clang:                                                     \
    result.kind = CKind::Ours;                                                 \
    return;
    KIND(Void, Void)
    KIND(Bool, Bool)
  case BuiltinType::Char_S:
    KIND(Char_U, Char)
    KIND(SChar, SChar)
    KIND(UChar, UChar)
    KIND(Short, Short)
    KIND(UShort, UShort)
    KIND(Int, Int)
    KIND(UInt, UInt)
    KIND(Long, Long)
    KIND(ULong, ULong)
    KIND(LongLong, LongLong)
    KIND(ULongLong, ULongLong)
    KIND(Float, Float)
    KIND(Double, Double)
    KIND(LongDouble, LongDouble)
#undef KIND
  default: // Clang's own enumeration, with kinds of other languages.
    refuse(result, "ZPL has no such number");
  }
}

void TypeConverter::fillComplex(CType &result, QualType element) {
  const auto *builtin = element->getAs<BuiltinType>();
  switch (builtin ? builtin->getKind() : BuiltinType::Void) {
  case BuiltinType::Float:
    result.kind = CKind::ComplexFloat;
    return;
  case BuiltinType::Double:
    result.kind = CKind::ComplexDouble;
    return;
  case BuiltinType::LongDouble:
    result.kind = CKind::ComplexLongDouble;
    return;
  default: // As above.
    refuse(result, "ZPL has no such complex number");
  }
}

void TypeConverter::fillRecord(CType &result, const RecordDecl &record) {
  result.kind = record.isUnion() ? CKind::Union : CKind::Struct;
  const RecordDecl *definition = record.getDefinition();
  result.range = range((definition ? definition : &record)->getLocation());
  if (definition && !definition->isInvalidDecl())
    fillFields(result, *definition);
}

void TypeConverter::fillFields(CType &result, const RecordDecl &definition) {
  const ASTRecordLayout &layout = context.getASTRecordLayout(&definition);
  for (const FieldDecl *field : definition.fields()) {
    // Converting a field may move nothing: types stay where they are.
    const CType *type = convert(field->getType());
    result.fields.push_back({field->getNameAsString(), type,
                             layout.getFieldOffset(field->getFieldIndex()),
                             field->isBitField(), range(field->getLocation())});
  }
}

void TypeConverter::fillEnum(CType &result, const EnumDecl &declared) {
  result.kind = CKind::Enum;
  result.range = range(declared.getLocation());
  const EnumDecl *definition = declared.getDefinition();
  if (!definition)
    return;
  result.element = convert(definition->getIntegerType());
  for (const EnumConstantDecl *enumerator : definition->enumerators())
    result.enumerators.push_back({enumerator->getNameAsString(),
                                  enumerator->getInitVal(),
                                  range(enumerator->getLocation())});
}

void TypeConverter::fillFunction(CType &result,
                                 const clang::FunctionType &type) {
  result.kind = CKind::Function;
  result.element = convert(type.getReturnType());
  const auto *prototype = dyn_cast<FunctionProtoType>(&type);
  result.hasPrototype = prototype;
  if (!prototype)
    return;
  result.isVariadic = prototype->isVariadic();
  for (QualType param : prototype->param_types())
    result.params.push_back(convert(param));
  result.paramRanges.resize(result.params.size());
}

void TypeConverter::fillArray(CType &result, const clang::ArrayType &type) {
  result.kind = CKind::Array;
  result.element = convert(type.getElementType());
  if (const auto *constant = dyn_cast<ConstantArrayType>(&type))
    result.count = constant->getSize().getZExtValue();
  else if (!isa<IncompleteArrayType>(type))
    refuse(result, "its size is known at run time only");
}

const CType *TypeConverter::convertFunction(const FunctionDecl &function) {
  CType result = *convert(function.getType());
  for (size_t i = 0; i < result.params.size(); ++i) {
    const ParmVarDecl &param = *function.getParamDecl(i);
    result.paramRanges[i] = range(param.getLocation());
    if (!result.paramRanges[i].isValid())
      result.paramRanges[i] = range(param.getBeginLoc());
  }
  return &types.emplace_back(std::move(result));
}

} // namespace zpl::interop
