//===- PrintDecl.cpp - Declarations and types as text ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A declaration's line has its words in front of its names. For
// `static var U{0..k}: array [n] of double;`:
//
//     Variable var static U{} <3:12-41>
//       Bounds <3:13-19>
//         IntLiteral 0 <3:14-15>
//         NameRef k <3:17-18>
//       IndexedArray <3:21-40>
//         Bound <3:28-29>
//           NameRef n <3:28-29>
//         Type double <3:34-40>
//
//===----------------------------------------------------------------------===//

#include "TreePrinter.h"

using namespace llvm;

namespace zpl::ast {

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

void TreePrinter::printComponents(StringRef kind,
                                  ArrayRef<RegionComponent> components) {
  begin(kind);
  for (size_t index = 0; index < components.size(); ++index)
    os << (index == 0 ? " <" : ",") << text(components[index]);
  os << (components.empty() ? "" : ">");
}

void TreePrinter::printComponents(const DirectionType &type) {
  begin("DirectionType");
  for (size_t index = 0; index < type.components.size(); ++index) {
    os << (index == 0 ? " <" : ",");
    const DirectionComponent &component = type.components[index];
    if (component.kind == DirectionComponent::Plus)
      os << '+';
    else if (component.kind == DirectionComponent::Minus)
      os << '-';
    else if (component.kind == DirectionComponent::Value)
      os << component.value;
  }
  os << (type.components.empty() ? "" : ">");
}

void TreePrinter::print(const TypeExpr *type) {
  if (const auto *named = dyn_cast<NamedType>(type)) {
    begin("Type ") << named->name.text;
  } else if (const auto *region = dyn_cast<RegionType>(type)) {
    printComponents("RegionType", region->components);
  } else if (const auto *grid = dyn_cast<GridType>(type)) {
    printComponents("GridType", grid->components);
  } else if (const auto *direction = dyn_cast<DirectionType>(type)) {
    printComponents(*direction);
  } else if (const auto *distribution = dyn_cast<DistributionType>(type)) {
    begin("DistributionType");
    for (const Name &name : distribution->components)
      os << ' ' << name.text;
  } else if (const auto *record = dyn_cast<RecordType>(type)) {
    begin(record->isUnion ? "Union" : "Record");
  } else if (isa<EnumType>(type)) {
    begin("Enum");
  } else if (isa<IndexedArrayType>(type)) {
    begin("IndexedArray");
  } else if (isa<ParallelType>(type)) {
    begin("Parallel");
  } else if (isa<ProcedureType>(type)) {
    begin("ProcedureType");
  }
  end(type->range);
  Nested nested(depth);
  printTypeChildren(type);
}

void TreePrinter::printTypeChildren(const TypeExpr *type) {
  if (const auto *record = dyn_cast<RecordType>(type)) {
    for (const RecordType::Field &field : record->fields) {
      begin("Field ") << field.name.text;
      end(field.name.range);
      Nested nested(depth);
      print(field.type);
    }
  } else if (const auto *enumeration = dyn_cast<EnumType>(type)) {
    for (const EnumType::Value &value : enumeration->values) {
      begin("Value ") << value.name.text;
      end(value.name.range);
      Nested nested(depth);
      if (value.value)
        print(value.value);
    }
  } else if (const auto *array = dyn_cast<IndexedArrayType>(type)) {
    for (const IndexedArrayType::Bound &bound : array->bounds) {
      line(bound.hi ? "Bound" : "Blank", bound.range);
      Nested nested(depth);
      if (bound.lo)
        print(bound.lo);
      if (bound.hi)
        print(bound.hi);
    }
    print(array->element);
  } else if (const auto *parallel = dyn_cast<ParallelType>(type)) {
    print(parallel->dims);
    print(parallel->element);
  } else if (const auto *procedure = dyn_cast<ProcedureType>(type)) {
    printHeading(procedure->formals, procedure->result);
  }
}

//===----------------------------------------------------------------------===//
// Declarations
//===----------------------------------------------------------------------===//

void TreePrinter::print(const DefinedName &name) {
  if (!name.multi || !name.multi->lo)
    return;
  line("Bounds", name.multi->range);
  Nested nested(depth);
  print(name.multi->lo);
  print(name.multi->hi);
}

static StringRef braces(const DefinedName &name) {
  return name.multi ? "{}" : "";
}

void TreePrinter::print(const Decl *decl) {
  if (const auto *variable = dyn_cast<VariableDecl>(decl))
    return printVariable(*variable);
  if (const auto *procedure = dyn_cast<ProcedureDecl>(decl))
    return printProcedure(*procedure);
  if (const auto *type = dyn_cast<TypeDecl>(decl))
    return printType(*type);
  if (const auto *region = dyn_cast<RegionDecl>(decl))
    return printRegion(*region);
  if (const auto *distribution = dyn_cast<DistributionDecl>(decl))
    return printDistribution(*distribution);
  if (const auto *direction = dyn_cast<DirectionDecl>(decl)) {
    begin("Direction ") << direction->name.text << braces(direction->name);
    end(decl->range);
    Nested nested(depth);
    print(direction->name);
    print(direction->value);
  } else if (const auto *grid = dyn_cast<GridDecl>(decl)) {
    begin("GridDecl ") << grid->name.text;
    end(decl->range);
    Nested nested(depth);
    for (const Expr *extent : grid->extents) {
      if (extent)
        print(extent);
      else
        begin("Blank\n");
    }
  } else if (const auto *domain = dyn_cast<DomainDecl>(decl)) {
    begin("Domain ") << domain->name.text << ": " << domain->distribution.text;
    for (const Name &region : domain->regions)
      os << ' ' << region.text;
    end(decl->range);
  } else if (const auto *header = dyn_cast<ExternHeaderDecl>(decl)) {
    begin("ExternHeader");
    quoted(header->path);
    end(decl->range);
  }
}

static StringRef flavorName(VariableDecl::Flavor flavor) {
  switch (flavor) {
  case VariableDecl::Var:
    return "var";
  case VariableDecl::Const:
    return "const";
  case VariableDecl::Config:
    return "config";
  }
  llvm_unreachable("all flavors have a name");
}

void TreePrinter::printVariable(const VariableDecl &decl) {
  begin("Variable ") << flavorName(decl.flavor);
  os << (decl.isExported ? " export" : "") << (decl.isExtern ? " extern" : "")
     << (decl.isStatic ? " static" : "") << (decl.isFree ? " free" : "");
  for (const DefinedName &name : decl.names)
    os << ' ' << name.text << braces(name);
  if (!decl.comment.empty())
    quoted(decl.comment);
  end(decl.range);
  Nested nested(depth);
  for (const DefinedName &name : decl.names)
    print(name);
  print(decl.type);
  if (decl.init)
    print(decl.init);
}

void TreePrinter::printType(const TypeDecl &decl) {
  begin(decl.isExtern ? "TypeDecl extern " : "TypeDecl ") << decl.name.text;
  end(decl.range);
  Nested nested(depth);
  if (decl.type)
    print(decl.type);
}

void TreePrinter::printRegion(const RegionDecl &decl) {
  begin("Region ") << decl.name.text << braces(decl.name);
  if (decl.distribution)
    os << ": " << decl.distribution->text;
  end(decl.range);
  Nested nested(depth);
  print(decl.name);
  print(decl.value);
}

void TreePrinter::printDistribution(const DistributionDecl &decl) {
  begin("Distribution ") << decl.name.text;
  if (decl.grid)
    os << ": " << decl.grid->text;
  end(decl.range);
  Nested nested(depth);
  for (const DistributionDecl::Dim &dim : decl.dims) {
    begin("Dim ") << dim.name.text;
    end(dim.range);
    Nested inner(depth);
    if (dim.lo)
      print(dim.lo);
    if (dim.hi)
      print(dim.hi);
    print(dim.args);
  }
}

static StringRef modeName(Formal::Mode mode) {
  switch (mode) {
  case Formal::Const:
    return "const";
  case Formal::In:
    return "in";
  case Formal::InOut:
    return "inout";
  case Formal::Var:
    return "var";
  case Formal::Out:
    return "out";
  }
  llvm_unreachable("all modes have a name");
}

void TreePrinter::printHeading(ArrayRef<Formal> formals,
                               const TypeExpr *result) {
  for (const Formal &formal : formals) {
    begin("Formal ") << (formal.isFree ? "free " : "") << modeName(formal.mode)
                     << ' ' << formal.name.text;
    end(formal.name.range);
    Nested inner(depth);
    print(formal.type);
    if (formal.init)
      print(formal.init);
  }
  if (result) {
    begin("Result") << '\n';
    Nested inner(depth);
    print(result);
  }
}

void TreePrinter::printProcedure(const ProcedureDecl &decl) {
  begin(decl.isRegionOp    ? "RegionOp "
        : decl.isPrototype ? "Prototype "
                           : "Procedure ");
  os << (decl.isExported ? "export " : "") << (decl.isExtern ? "extern " : "")
     << (decl.isFree ? "free " : "") << decl.name.text;
  end(decl.range);
  Nested nested(depth);
  printHeading(decl.formals, decl.result);
  for (const Decl *local : decl.locals)
    print(local);
  if (decl.body)
    print(decl.body);
}

} // namespace zpl::ast
