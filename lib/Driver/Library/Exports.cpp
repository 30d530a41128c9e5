//===- Exports.cpp - What a library offers, with its types ----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Types come from Sema: a parameter's from the variable of C in which it
/// passes, or from the array, both of which the frame declares.
///
//===----------------------------------------------------------------------===//

#include "Library/Exports.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::driver {

using sema::Type;

const ForeignType *foreignType(Type type) {
  static const std::pair<Type::Kind, ForeignType> Table[] = {
      {Type::Boolean,
       {"boolean", "_Bool", "logical(c_bool)", "c_bool", "?", 0, true}},
      {Type::Char,
       {"char", "unsigned char", "integer(c_int8_t)", "c_uint8", "u1", 1,
        true}},
      {Type::Sbyte,
       {"sbyte", "signed char", "integer(c_int8_t)", "c_int8", "i1", 2, true}},
      {Type::Ubyte,
       {"ubyte", "unsigned char", "integer(c_int8_t)", "c_uint8", "u1", 3,
        true}},
      {Type::Shortint,
       {"shortint", "short", "integer(c_short)", "c_int16", "i2", 4, true}},
      {Type::Ushortint,
       {"ushortint", "unsigned short", "integer(c_short)", "c_uint16", "u2", 5,
        true}},
      {Type::Integer,
       {"integer", "int", "integer(c_int)", "c_int32", "i4", 6, true}},
      {Type::Uinteger,
       {"uinteger", "unsigned", "integer(c_int)", "c_uint32", "u4", 7, true}},
      {Type::Longint,
       {"longint", "long long", "integer(c_long_long)", "c_int64", "i8", 8,
        true}},
      {Type::Ulongint,
       {"ulongint", "unsigned long long", "integer(c_long_long)", "c_uint64",
        "u8", 9, true}},
      {Type::Float,
       {"float", "float", "real(c_float)", "c_float", "f4", 10, true}},
      {Type::Double,
       {"double", "double", "real(c_double)", "c_double", "f8", 11, true}},
      {Type::Quad,
       {"quad", "long double", "real(c_long_double)", "c_longdouble", "g", 12,
        true}},
      {Type::Complex,
       {"complex", "float _Complex", "complex(c_float_complex)", "", "c8", 13,
        false}},
      {Type::Dcomplex,
       {"dcomplex", "double _Complex", "complex(c_double_complex)", "", "c16",
        14, false}},
  };
  for (const auto &[kind, foreign] : Table)
    if (type == kind)
      return &foreign;
  return nullptr;
}

namespace {

class Collector {
public:
  Collector(const ast::Module &syntax, const sema::Program &program,
            DiagnosticEngine &diags, Exports &exports)
      : syntax(syntax), program(program), diags(diags), exports(exports) {}

  void collect();

private:
  template <typename T> const T *global(StringRef name) const {
    for (const sema::Symbol *symbol : program.globals)
      if (auto *found = dyn_cast<T>(symbol); found && found->name == name)
        return found;
    return nullptr;
  }
  const ForeignType *typeOf(Type type, StringRef name, SourceRange range,
                            bool isScalar);
  const ForeignType *namedType(Type type, StringRef name, SourceRange range);
  ExportedArray arrayOf(const ExportedSyntax::Array &array);
  ExportedParam paramOf(StringRef procedure, const ast::Formal &formal);
  ExportedProcedure procedureOf(const ast::ProcedureDecl &decl);

  const ast::Module &syntax;
  const sema::Program &program;
  DiagnosticEngine &diags;
  Exports &exports;
  size_t arrays = 0; ///< of parameters, so far
};

} // namespace

const ForeignType *Collector::typeOf(Type type, StringRef name,
                                     SourceRange range, bool isScalar) {
  const ForeignType *found = foreignType(type);
  if (found && (found->isScalar || !isScalar))
    return found;
  if (isScalar && (type == Type::Enum || type == Type::Record) &&
      !type.info()->name.empty())
    return namedType(type, name, range);
  diags
      .report(range, Diag::ExportUnsupported, name,
              "not all callers have the type '" + sema::text(type) + "'" +
                  (found ? " but in arrays" : ""))
      .done();
  return foreignType(Type::Integer);
}

/// An enumeration, or a record of what can be a parameter.
const ForeignType *Collector::namedType(Type type, StringRef name,
                                        SourceRange range) {
  const sema::TypeInfo &info = *type.info();
  for (const auto &known : exports.types)
    if (known->name == info.name)
      return &known->foreign;
  auto made = std::make_unique<ExportedType>();
  made->name = info.name;
  made->isEnum = type == Type::Enum;
  std::string foreign = exports.name + "_" + info.name;
  for (const sema::TypeEnumerator &each : info.enumerators)
    made->values.emplace_back(each.name, each.value);
  for (const sema::TypeField &field : info.fields)
    made->fields.emplace_back(field.name,
                              typeOf(field.type, name, range, true));
  for (const auto &[each, value] : made->values)
    if (isLibraryName(each))
      diags
          .report(range, Diag::ExportUnsupported, name,
                  "'" + each + "' of '" + info.name +
                      "' would have the name of one of the library's own "
                      "functions")
          .done();
  if (isLibraryName(info.name))
    diags
        .report(range, Diag::ExportUnsupported, name,
                "its type '" + info.name +
                    "' would have the name of one of the library's own "
                    "functions")
        .done();
  constexpr int Other = 18; // ZPL_OTHER
  made->foreign = {info.name,
                   foreign,
                   made->isEnum ? "integer(c_int)" : "type(" + foreign + ")",
                   made->isEnum ? "c_int32" : info.name,
                   "",
                   Other,
                   true,
                   made.get()};
  return &exports.types.emplace_back(std::move(made))->foreign;
}

ExportedArray Collector::arrayOf(const ExportedSyntax::Array &syntaxOf) {
  const auto *array = global<sema::Array>(syntaxOf.name);
  if (!array) {
    diags
        .report(syntaxOf.range, Diag::ExportUnsupported, syntaxOf.name,
                "it is not one parallel array")
        .done();
    return {syntaxOf.name, foreignType(Type::Integer), 1};
  }
  return {syntaxOf.name,
          typeOf(array->element, syntaxOf.name, syntaxOf.range, false),
          array->rank};
}

ExportedParam Collector::paramOf(StringRef procedure,
                                 const ast::Formal &formal) {
  ExportedParam param;
  param.name = formal.name.text.str();
  param.isOut = formal.mode >= ast::Formal::InOut;
  param.isIn = formal.mode != ast::Formal::Out;
  std::string place = placeName(procedure, param.name);
  if (isString(syntax, formal.type)) {
    param.kind = ExportedParam::String;
  } else if (const auto *array = global<sema::Array>(place)) {
    param.kind = ExportedParam::Array;
    param.type = foreignType(array->element); // reported with the array
    param.rank = array->rank;
    param.array = arrays++;
  } else if (const auto *variable = global<sema::Variable>(place)) {
    param.type = typeOf(variable->type, procedure, formal.name.range, true);
  }
  return param;
}

ExportedProcedure Collector::procedureOf(const ast::ProcedureDecl &decl) {
  ExportedProcedure procedure;
  procedure.name = decl.name.text.str();
  for (const ast::Formal &formal : decl.formals)
    procedure.params.push_back(paramOf(procedure.name, formal));
  procedure.returnsString = decl.result && isString(syntax, decl.result);
  if (const auto *variable =
          global<sema::Variable>(placeName(procedure.name, "result"));
      variable && decl.result)
    procedure.result =
        typeOf(variable->type, procedure.name, decl.name.range, true);
  return procedure;
}

void Collector::collect() {
  ExportedSyntax found = exportsOf(syntax);
  exports.ownArrays = arrays = found.exportedArrays;
  for (const ExportedSyntax::Array &array : found.arrays)
    exports.arrays.push_back(arrayOf(array));
  for (const ast::ProcedureDecl *procedure : found.procedures)
    exports.procedures.push_back(procedureOf(*procedure));
  for (const sema::Symbol *symbol : program.globals)
    if (auto *variable = dyn_cast<sema::Variable>(symbol);
        variable && variable->isConfig)
      exports.configs.push_back({variable->name, sema::text(variable->type),
                                 variable->configDefault,
                                 variable->configComment});
}

Exports collectExports(const ast::Module &syntax, const sema::Program &program,
                       StringRef name, DiagnosticEngine &diags) {
  Exports exports;
  exports.name = name.str();
  Collector(syntax, program, diags, exports).collect();
  return exports;
}

} // namespace zpl::driver
