//===- PrintDeclarations.cpp - Modules, procedures, what they declare -----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of a module in the order in which they can be read again:
//
//     type @point = record "point" { x: f64, y: f64 }
//     config @n : i32 = "100" "the problem size"
//     var @path : array[1..@n] of @point heap
//     region @R : <.., *> "R"
//     array @A : f64 <.., *> over @R borders (@N) fluff (1,0)..(0,0) "A"
//     array %T : f64 <.., ..> lines (3, _) "T"
//
// then the procedures. Only the bounds of array types name variables that come
// later.
//
//===----------------------------------------------------------------------===//

#include "Text/Lexer.h"
#include "Text/PrinterImpl.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace zpl::air {

void Printer::optionalText(StringRef text) {
  if (!text.empty())
    os << ' ' << quote(text);
}

void Printer::shape(const Shape &shape) {
  static constexpr const char *Kinds[] = {"..", ".", "*", "::", "by"};
  os << '<';
  commas(shape, [&](DimKind kind) { os << Kinds[unsigned(kind)]; });
  os << '>';
}

void Printer::variable(const Variable &variable, StringRef keyword) {
  os << keyword << ' ';
  name(&variable);
  os << " : " << text(variable.type);
  if (variable.isFree)
    os << " free";
  if (variable.onHeap)
    os << " heap";
  if (!variable.thunk.empty())
    os << " extern " << quote(variable.thunk);
  if (!variable.isConfig)
    return;
  os << " = " << quote(variable.configDefault);
  optionalText(variable.configComment);
}

void Printer::region(const Region &region) {
  os << "region ";
  name(&region);
  os << " : ";
  shape(region.shape);
  os << (region.isSparse ? " sparse" : "");
  in(region.domain);
  optionalText(region.text);
}

void Printer::storedAs(const Array &array) {
  if (array.isAlone)
    os << " alone";
  if (array.panel >= 0)
    os << (array.hasSlots ? " slots " : " panel ") << array.panel;
  auto lines = [&](unsigned count) {
    if (count == AllLines)
      os << '_';
    else
      os << count;
  };
  if (array.isContracted())
    listed(" lines ", array.lines, lines);
  if (array.fetched)
    os << (array.isPerIndex() ? " elements of " : " rows of "),
        name(array.fetched);
  if (array.isCarries())
    os << " carries " << text(array.carryOp),
        listed(" ", array.carryDims, [&](int dim) { os << dim; });
}

void Printer::fluff(const Fluff &fluff) {
  if (fluff.isNone())
    return;
  os << " fluff ";
  offset(fluff.below);
  os << "..";
  offset(fluff.above);
  dimensions(" steps (", fluff.steps);
  dimensions(" wraps (", fluff.wraps);
}

void Printer::array(const Array &array) {
  os << "array ";
  name(&array);
  os << " : " << text(array.element) << ' ';
  shape(array.shape);
  os << (array.isSparse ? " sparse" : "");
  if (array.pattern)
    os << " as ", name(array.pattern);
  if (array.family)
    os << " view of ", name(array.family);
  listed(" member ", array.member, [&](int64_t subscript) { os << subscript; });
  storedAs(array);
  in(array.domain);
  if (array.declared)
    over(array.declared);
  listed(" borders ", array.borders,
         [&](const Region *border) { name(border); });
  fluff(array.fluff);
  optionalText(array.text);
}

void Printer::dimensions(StringRef word, uint32_t set) {
  if (!set)
    return;
  os << word;
  ListSeparator comma(", ");
  for (unsigned d = 0; set >> d; ++d)
    if (set >> d & 1)
      os << comma << d;
  os << ')';
}

void Printer::type(const TypeInfo &type) {
  static constexpr const char *Kinds[] = {"enum", "opaque", "record", "union"};
  os << "type " << text(Type(&type)) << " = " << Kinds[type.kind - Type::Enum];
  optionalText(type.text);
  if (type.kind == Type::Opaque) {
    os << " size " << type.size << " align " << type.alignment;
    return;
  }
  os << " { ";
  if (type.kind == Type::Enum)
    commas(type.enumerators,
           [&](const Enumerator &e) { os << e.name << " = " << e.value; });
  else
    commas(type.fields, [&](const Field &field) {
      os << field.name << ": " << text(field.type);
    });
  os << " }";
}

void Printer::transfer(const Transfer &transfer) {
  os << "transfer ";
  name(&transfer);
  os << " = ";
  if (transfer.items.empty())
    os << "views";
  else
    items(transfer.items);
  over(transfer.region);
  if (transfer.byCallers)
    os << " by callers";
}

void Printer::items(ArrayRef<std::pair<Array *, Offset>> items) {
  os << '{';
  const Array *previous = nullptr;
  for (const auto &[array, shift] : items) {
    if (array != previous) {
      os << (previous ? ", " : "");
      name(array);
      os << ':';
    }
    previous = array;
    os << ' ';
    offset(shift);
  }
  os << '}';
}

void Printer::signature(const Procedure &procedure) {
  os << "proc ";
  name(&procedure);
  os << '(';
  commas(procedure.params, [&](const Parameter &param) {
    if (param.variable)
      variable(*param.variable, param.variable->byReference ? "ref" : "var");
    else if (param.array)
      array(*param.array);
    else if (param.region)
      region(*param.region);
    else
      os << "<null>";
  });
  os << ')';
  if (procedure.result != Type::Void)
    os << " -> " << text(procedure.result);
  os << (procedure.form == Form::Block ? " block" : " loop");
  if (procedure.isScalar)
    os << " scalar";
  if (procedure.mayAlias)
    os << " may-alias";
  if (procedure.sourceName != procedure.name)
    os << " source " << quote(procedure.sourceName);
  if (!procedure.thunk.empty())
    os << " extern " << quote(procedure.thunk);
  for (const Callback &callback : procedure.callbacks) {
    os << " callback ";
    name(callback.procedure);
    os << ' ' << quote(callback.symbol);
  }
}

static void addPointed(ArrayRef<Variable *> variables, ArrayRef<Array *> arrays,
                       StringSet<> &names) {
  for (const Variable *variable : variables)
    if (StringRef(variable->name).contains('.'))
      names.insert(variable->name);
  for (const Array *array : arrays)
    if (StringRef(array->name).contains('.'))
      names.insert(array->name);
}

void Printer::procedure(const Procedure &procedure, const Module *module) {
  pointedNames.clear();
  if (module)
    addPointed(module->variables, module->arrays, pointedNames);
  addPointed(procedure.variables, procedure.arrays, pointedNames);
  for (const Parameter &param : procedure.params)
    if (param.variable)
      addPointed(param.variable, {}, pointedNames);
  signature(procedure);
  if (!procedure.thunk.empty()) {
    os << '\n';
    return;
  }
  os << " {\n";
  depth = 1;
  for (const Variable *local : procedure.variables)
    startLine(), variable(*local, "var"), os << '\n';
  for (const Region *local : procedure.regions)
    startLine(), region(*local), os << '\n';
  for (const Array *local : procedure.arrays)
    startLine(), array(*local), os << '\n';
  for (const Transfer *local : procedure.transfers)
    startLine(), transfer(*local), os << '\n';
  bool hasLocals = !procedure.variables.empty() || !procedure.regions.empty() ||
                   !procedure.arrays.empty() || !procedure.transfers.empty();
  if (hasLocals && !procedure.body.empty())
    os << '\n';
  depth = 0;
  list(procedure.body);
  os << "}\n";
}

void Printer::module(const Module &module) {
  os << "module ";
  name('@', module.name);
  os << '\n';
  if (module.initialize)
    os << "init ", name(module.initialize), os << '\n';
  if (module.entry)
    os << "entry ", name(module.entry), os << '\n';
  for (const TypeInfo *declared : module.types)
    type(*declared), os << '\n';
  for (const Variable *global : module.variables)
    variable(*global, global->isConfig ? "config" : "var"), os << '\n';
  distributions(module);
  for (const Region *global : module.regions)
    region(*global), os << '\n';
  for (const Array *global : module.arrays)
    array(*global), os << '\n';
  for (const Procedure *proc : module.procedures)
    os << '\n', procedure(*proc, &module);
}

} // namespace zpl::air
