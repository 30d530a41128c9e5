//===- Externs.cpp - What is declared extern ------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     extern header "geometry.h";
//     extern type point = record x, y: double; end;
//     extern const MaxPoints: integer;
//     extern prototype norm(p: point): double;
//
// become ordinary types, constants and procedures here, and rows of an Externs
// table for the phase that knows C. That phase is asked twice. Before the first
// declaration it gives the values of the constants, so that
//
//     type path = array [1..MaxPoints] of point;
//
// means what it would in C; a constant whose value only a run knows is
// initialized by a call of its thunk. After the last declaration it compares
// everything, says what is wrong, and gives the sizes of opaque types.
//
// Cost: linear in the declarations; Clang reads the headers once more if there
// are constants.
//
//===----------------------------------------------------------------------===//

#include "Names/Externs.h"
#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Types/TypeExprs.h"
#include "Types/Types.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/Path.h"

namespace zpl::sema {

namespace {

interop::ZplKind kindOf(Type type) {
  using K = interop::ZplKind;
  switch (type.kind()) {
#define ZPL_NAMED_TYPE(Kind, word, bytes, Air, Foreign)                        \
  case Type::Kind:                                                             \
    return K::Foreign;
#include "zpl/Sema/Kinds.def"
  case Type::Void:
    return K::Void;
  case Type::Enum:
    return isDistributionValue(type) ? K::Other : K::Enumeration;
  case Type::Opaque:
    return K::Opaque;
  case Type::Record:
    return K::Record;
  case Type::Union:
    return K::Union;
  case Type::Array:
    return K::Array;
  case Type::Error:
  case Type::Generic:
  case Type::Region:
  case Type::Direction:
    return K::Other;
  }
  llvm_unreachable("type");
}

interop::ZplMode modeFor(Mode mode) {
  switch (mode) {
  case Mode::Const:
    return interop::ZplMode::Const;
  case Mode::In:
    return interop::ZplMode::In;
  case Mode::InOut:
    return interop::ZplMode::InOut;
  case Mode::Out:
    return interop::ZplMode::Out;
  }
  llvm_unreachable("mode");
}

/// The number of elements, if all bounds are constants.
std::optional<uint64_t> countOf(Type type) {
  uint64_t count = 1;
  for (; type == Type::Array; type = type.info()->element)
    for (size_t d = 0; d != type.info()->lo.size(); ++d) {
      TypeBound lo = type.info()->lo[d], hi = type.info()->hi[d];
      if (lo.variable || hi.variable)
        return std::nullopt;
      count *= std::max<int64_t>(hi.value - lo.value + 1, 0);
    }
  return count;
}

} // namespace

interop::ZplType &Externs::add(interop::ZplKind kind, llvm::StringRef name) {
  interop::ZplType &made = table.types.emplace_back();
  made.kind = kind;
  made.name = name.str();
  return made;
}

interop::ZplType *Externs::type(Type type) {
  auto known = types.find({type.kind(), type.info()});
  if (known != types.end())
    return known->second;
  interop::ZplType &made = add(kindOf(type), text(type));
  types[{type.kind(), type.info()}] = &made;
  if (type == Type::Array) {
    made.element = this->type(innermostElement(type));
    made.count = countOf(type);
  } else if (const TypeInfo *info = type.info()) {
    made.isExtern = fromC.contains(info);
    for (const TypeField &field : info->fields)
      made.fields.push_back({field.name, this->type(field.type), field.range});
    for (const TypeEnumerator &value : info->enumerators)
      made.enumerators.push_back({value.name, value.value, value.range});
  }
  return &made;
}

interop::ZplType *Externs::callback(const Procedure &heading) {
  interop::ZplType &made = add(interop::ZplKind::Procedure, "procedure");
  made.element = type(heading.result);
  for (const Symbol *param : formalsOf(heading))
    made.params.push_back(type(typeOf(*param)));
  return &made;
}

interop::Extern &Externs::add(interop::ExternKind kind, const Symbol &symbol,
                              const interop::ZplType *type) {
  interop::Extern &row = table.list.emplace_back();
  row.kind = kind;
  row.name = symbol.name;
  row.range = symbol.range;
  row.fromHeader = !table.headers.empty();
  row.type = type;
  if (kind != interop::ExternKind::Type)
    row.thunk =
        llvm::formatv("zplx_{0}_{1}", symbol.name, table.list.size()).str();
  return row;
}

static const Expr *importedValue(Checking &c, const interop::CValue &value,
                                 Type type, SourceRange range);

interop::Header headerOf(const Checking &c, const ast::ExternHeaderDecl &d) {
  llvm::StringRef file = c.diags.sources().name(d.range.file);
  return {d.path.str(), llvm::sys::path::parent_path(file).str(), d.pathRange};
}

void externHeader(Checking &c, const ast::ExternHeaderDecl &d) {
  c.externs.table.headers.push_back(headerOf(c, d));
}

void externType(Checking &c, const ast::TypeDecl &d) {
  auto *named = llvm::dyn_cast_or_null<ast::NamedType>(d.type);
  auto *symbol =
      c.program.make<TypeName>(d.name.text, Type::Error, d.name.range);
  if (!d.type || (named && named->name.text == "opaque")) {
    auto *info = c.program.make<TypeInfo>();
    info->kind = Type::Opaque;
    info->name = d.name.text.str();
    info->range = d.name.range;
    symbol->type = Type(info);
    c.program.types.push_back(info);
    c.externs.opaques[c.externs.table.list.size()] = info;
  } else if (auto *values = llvm::dyn_cast<ast::EnumType>(d.type)) {
    symbol->type = enumType(c, *values, d.name.text);
  } else if (auto *record = llvm::dyn_cast<ast::RecordType>(d.type)) {
    symbol->type = recordType(c, *record, d.name.text);
  } else {
    symbol->type = valueType(c, *d.type);
  }
  c.names.declare(symbol);
  if (symbol->type == Type::Error)
    return;
  interop::ZplType *type = nullptr;
  if (const TypeInfo *info = symbol->type.info();
      info && symbol->type != Type::Array) {
    c.externs.fromC.insert(info);
    type = c.externs.type(symbol->type);
  } else {
    type = &c.externs.add(interop::ZplKind::Other, "");
    *type = *c.externs.type(symbol->type);
  }
  type->isExtern = true;
  type->name = symbol->name;
  c.externs.add(interop::ExternKind::Type, *symbol, type);
}

void lookUpConstants(Checking &c, const ast::Module &module) {
  interop::Externs wanted;
  for (const ast::Decl *d : module.decls) {
    if (auto *header = llvm::dyn_cast<ast::ExternHeaderDecl>(d))
      wanted.headers.push_back(headerOf(c, *header));
    auto *names = llvm::dyn_cast<ast::VariableDecl>(d);
    if (!names || !names->isExtern || names->flavor == ast::VariableDecl::Var ||
        wanted.headers.empty())
      continue;
    for (const ast::DefinedName &name : names->names) {
      interop::Extern &row = wanted.list.emplace_back();
      row.kind = interop::ExternKind::Constant;
      row.name = name.text.str();
      row.fromHeader = true;
    }
  }
  if (wanted.list.empty() || !c.options.lookUp)
    return;
  const std::optional<interop::Imports> found = c.options.lookUp(wanted);
  for (size_t i = 0; i != wanted.list.size(); ++i)
    c.externs.found[wanted.list[i].name] =
        found ? found->list[i] : interop::Import();
}

/// Gives an extern constant its value. False if C has none of its type, which
/// importExterns() reports.
static bool setConstant(Checking &c, Variable &constant,
                        const interop::ZplType &type, llvm::StringRef thunk) {
  if (auto known = c.externs.found.find(constant.name);
      known != c.externs.found.end()) {
    const interop::Import &import = known->second;
    bool isValue = import.kind == interop::ImportKind::Constant ||
                   import.kind == interop::ImportKind::Expression ||
                   import.kind == interop::ImportKind::Variable;
    if (!isValue ||
        (import.value && interop::matchesConstant(type, *import.value)))
      return false;
    if (import.value)
      constant.init =
          importedValue(c, *import.value, constant.type, constant.range);
  }
  if (constant.init)
    return true;
  auto *getter = c.program.make<Procedure>(constant.name, constant.range);
  getter->isExtern = true;
  getter->thunk = thunk.str();
  getter->result = constant.type;
  c.program.procedures.push_back(getter);
  constant.init = c.program.make<CallExpr>(getter, constant.range);
  return true;
}

void externVariables(Checking &c, const ast::VariableDecl &d) {
  if (d.init)
    c.diags.report(d.init->range, Diag::ExternValue, d.names.front().text)
        .done();
  bool isConst = d.flavor != ast::VariableDecl::Var;
  auto *parallel = parallelType(c, *d.type);
  if (parallel)
    c.diags.report(d.type->range, Diag::ExternParallel).done();
  Type type = parallel ? Type(Type::Error) : valueType(c, *d.type);
  for (const ast::DefinedName &name : d.names) {
    auto *variable = c.program.make<Variable>(name.text, name.range);
    variable->type = type;
    variable->isConst = isConst;
    variable->isFree = d.isFree;
    c.names.declare(variable);
    if (type == Type::Error)
      continue;
    interop::Extern &row = c.externs.add(
        isConst ? interop::ExternKind::Constant : interop::ExternKind::Variable,
        *variable, c.externs.type(type));
    row.fromHeader &= !d.isExported;
    if (!isConst) {
      variable->isExtern = true;
      variable->thunk = row.thunk;
    } else if (!setConstant(c, *variable, *row.type, row.thunk)) {
      variable->type = Type::Error;
      continue;
    }
    c.program.globals.push_back(variable);
  }
}

/// Whether C can call procedures of \p heading; reports why not.
static bool checkCallback(Checking &c, const Procedure &heading) {
  auto refuse = [&](SourceRange range, llvm::Twine why) {
    c.diags.report(range, Diag::CallbackType, heading.name, why.str()).done();
    return false;
  };
  auto isPlain = [](Type type) {
    return type.isNumeric() || type == Type::Boolean || type == Type::Char ||
           (type == Type::Enum && !isDistributionValue(type)) ||
           type == Type::Opaque || type == Type::Error;
  };
  for (const Symbol *param : formalsOf(heading)) {
    auto *variable = llvm::dyn_cast<Variable>(param);
    if (!variable)
      return refuse(param->range, "'" + param->name + "' is no scalar");
    if (isByReference(variable->mode))
      return refuse(param->range,
                    "'" + param->name + "' is passed by reference");
    if (!isPlain(variable->type))
      return refuse(param->range,
                    "'" + param->name + "' is of type " + text(variable->type));
  }
  bool isScalar = heading.resultRank == 0 &&
                  (isPlain(heading.result) || heading.result == Type::Void);
  return isScalar || refuse(heading.range, "its result is no scalar");
}

static bool storesStrings(Type type) {
  if (type == Type::Array)
    return storesStrings(type.info()->element);
  if (type != Type::Record && type != Type::Union)
    return type == Type::String;
  return llvm::any_of(type.info()->fields, [](const TypeField &field) {
    return storesStrings(field.type);
  });
}

/// What a parameter is to C.
static interop::ZplType *externType(Checking &c, const Symbol &param) {
  if (auto *heading = llvm::dyn_cast<Procedure>(&param))
    return c.externs.callback(*heading);
  if (llvm::isa<Array>(param))
    return &c.externs.add(interop::ZplKind::Block, "parallel array");
  return c.externs.type(typeOf(param));
}

/// Whether C may have elements of \p array; reports why not.
static bool checkBlock(Checking &c, const Procedure &procedure,
                       const Array &array) {
  llvm::StringRef why;
  if (array.family != Type::Error)
    why = "families are several parallel arrays";
  else if (storesStrings(typeOf(array)))
    why = "C could store pointers of its own in strings";
  if (why.empty())
    return true;
  c.diags.report(array.range, Diag::ExternUnsupported, procedure.name, why)
      .done();
  return false;
}

void externProcedure(Checking &c, Procedure &procedure,
                     const ast::ProcedureDecl &d) {
  procedure.isExtern = true;
  bool isWrong = procedure.result == Type::Error;
  for (const Symbol *param : formalsOf(procedure)) {
    isWrong |= typeOf(*param) == Type::Error;
    if (auto *heading = llvm::dyn_cast<Procedure>(param))
      isWrong |= !checkCallback(c, *heading);
    if (auto *array = llvm::dyn_cast<Array>(param))
      isWrong |= !checkBlock(c, procedure, *array);
  }
  if (procedure.resultRank != 0) {
    c.diags.report(d.result->range, Diag::ExternParallel).done();
    isWrong = true;
  }
  if (isWrong)
    return;
  interop::Extern &row =
      c.externs.add(interop::ExternKind::Procedure, procedure,
                    c.externs.type(procedure.result));
  row.fromHeader &= !d.isExported;
  procedure.thunk = row.thunk;
  if (c.patterns.contains(&procedure))
    c.externs.patterns[&procedure] = c.externs.table.list.size() - 1;
  for (const Symbol *param : formalsOf(procedure)) {
    row.params.push_back({param->name,
                          modeFor(modeOf(*param)),
                          externType(c, *param),
                          param->range,
                          {}});
  }
}

/// What C calls when it calls \p callback: a call that is there to be seen.
static Stmt *callOf(Checking &c, Procedure &callback, SourceRange range) {
  auto *call = c.program.make<CallExpr>(&callback, range);
  for (const Symbol *param : callback.params) {
    auto *given = c.program.make<Variable>(llvm::cast<Variable>(*param));
    call->args.push_back(c.program.make<VariableExpr>(given, range));
  }
  call->copies.assign(call->args.size(), false);
  return c.program.make<CallStmt>(call, range);
}

void externInstance(Checking &c, Procedure &instance, const Procedure &pattern,
                    llvm::ArrayRef<FormalBinding> bindings, SourceRange range) {
  instance.isExtern = true;
  auto known = c.externs.patterns.find(&pattern);
  if (known == c.externs.patterns.end())
    return; // reported
  interop::Extern &row = c.externs.add(interop::ExternKind::Procedure, instance,
                                       c.externs.type(instance.result));
  const interop::Extern &declared = c.externs.table.list[known->second];
  row.fromHeader = declared.fromHeader;
  row.params = declared.params;
  row.isInstance = true;
  instance.thunk = row.thunk;
  auto *calls = c.program.make<BlockStmt>(range);
  for (auto [i, binding] : llvm::enumerate(bindings)) {
    if (!binding.actual)
      continue;
    row.params[i].callback =
        llvm::formatv("{0}_{1}", row.thunk, row.params[i].name);
    instance.callbacks.push_back(row.params[i].callback);
    calls->body.push_back(callOf(c, *binding.actual, range));
  }
  instance.body = calls;
}

/// The value of a constant of C as one of \p type, or null if our literals do
/// not hold it.
static const Expr *importedValue(Checking &c, const interop::CValue &value,
                                 Type type, SourceRange range) {
  bool isExact = true;
  auto real = [&](llvm::APFloat number, Type to) {
    bool losesInfo = false;
    number.convert(llvm::APFloat::IEEEdouble(),
                   llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    isExact &= !losesInfo;
    return c.build.number(number.convertToDouble(), to, range);
  };
  if (auto *text = std::get_if<std::string>(&value))
    return c.build.string(*text, range);
  const Expr *made = nullptr;
  if (auto *pair = std::get_if<interop::CComplex>(&value)) {
    Type part = componentOf(type);
    made = c.program.make<ComplexExpr>(real(pair->real, part),
                                       real(pair->imag, part), type, range);
  } else if (auto *number = std::get_if<llvm::APFloat>(&value)) {
    made = c.build.cast(real(*number, Type::Double), type);
  }
  if (made)
    return isExact || (type != Type::Quad && type != Type::Qcomplex) ? made
                                                                     : nullptr;
  auto &integer = std::get<llvm::APSInt>(value);
  int64_t bits =
      integer.isSigned()
          ? integer.extOrTrunc(64).getSExtValue()
          : static_cast<int64_t>(integer.extOrTrunc(64).getZExtValue());
  if (type == Type::Enum)
    return c.build.integer(bits, type, range);
  Type given = integer.isSigned() ? Type::Longint : Type::Ulongint;
  return c.build.cast(c.build.integer(bits, given, range), type);
}

void importExterns(Checking &c) {
  if (c.externs.table.list.empty() && c.externs.table.headers.empty())
    return;
  if (!c.options.import)
    return;
  const interop::Imports *imports =
      c.options.import(std::move(c.externs.table));
  if (!imports)
    return;
  for (auto [row, info] : c.externs.opaques)
    if (const interop::CType *type = imports->list[row].type) {
      info->size = type->size;
      info->alignment = type->align;
    }
}

} // namespace zpl::sema
