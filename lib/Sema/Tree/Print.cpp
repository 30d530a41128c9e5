//===- Print.cpp - Prints a checked program -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For people and tests (--dump-program), one line per declaration or statement:
//
//     var @A: [R] double directions (0,1)
//     procedure sweep(inout X: [ , ] double) parallel
//       [R]
//         X := fma(2, X@(0,1), @n as double)
//     instance sweep cover [.., ..] X [.., ..] checked X@east
//
// Globals carry an `@` before their names; what sets a variable up stands
// indented below it. Types come first.
//
//===----------------------------------------------------------------------===//

#include "zpl/Sema/Sema.h"

#include "Tree/Printer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace zpl::sema {

namespace {

llvm::StringRef text(Mode mode) {
  switch (mode) {
  case Mode::Const:
    return "";
  case Mode::In:
    return "in ";
  case Mode::InOut:
    return "inout ";
  case Mode::Out:
    return "out ";
  }
  llvm_unreachable("mode");
}

/// As the array IR writes it.
llvm::StringRef dimText(DimKind kind) {
  switch (kind) {
  case DimKind::Range:
    return "..";
  case DimKind::Singleton:
    return ".";
  case DimKind::Flood:
    return "*";
  case DimKind::Grid:
    return "::";
  case DimKind::Strided:
    return "by";
  }
  llvm_unreachable("kind of a dimension");
}

std::string text(const Shape &shape) {
  std::string result = "[";
  llvm::ListSeparator comma;
  for (DimKind kind : shape)
    result += (llvm::StringRef(comma) + dimText(kind)).str();
  return result + "]";
}

llvm::StringRef text(MaskKind kind) {
  switch (kind) {
  case MaskKind::None:
    return "";
  case MaskKind::With:
    return " with";
  case MaskKind::Without:
    return " without";
  }
  llvm_unreachable("kind of a mask");
}

/// In the order of the source.
template <typename T>
std::vector<const T *> inOrder(const llvm::DenseSet<const T *> &set) {
  std::vector<const T *> list(set.begin(), set.end());
  llvm::sort(list, [](const T *a, const T *b) {
    return std::tie(a->range.file, a->range.begin) <
           std::tie(b->range.file, b->range.begin);
  });
  return list;
}

/// What was written: of a flood or a partial reduction, or of an inherited
/// mask.
llvm::StringRef textOf(const Expr &e) {
  if (llvm::isa<EnclosingMaskExpr>(e))
    return "\"";
  if (auto *flood = llvm::dyn_cast<FloodExpr>(&e))
    return flood->text;
  return llvm::cast<ReduceExpr>(e).text;
}

} // namespace

void Printer::arrayType(const Array &array) {
  Type family = array.family;
  for (size_t named = 0; named != array.member.size();
       family = family.info()->element) {
    os << "array [" << family.info()->boundsText << "] of ";
    named += family.info()->lo.size();
  }
  os << '[';
  if (array.declared)
    region(*array.declared);
  else
    os << std::string(array.rank - 1, ',');
  os << "] " << sema::text(array.element);
}

void Printer::init(const Expr *init) {
  if (!init)
    return;
  os << " = ";
  expr(*init);
}

void Printer::variable(const Variable &variable) {
  os << (variable.storage == Storage::Static ? "static " : "")
     << (variable.isExtern ? "extern " : "") << (variable.isFree ? "free " : "")
     << (variable.isHidden ? "hidden " : "")
     << (variable.isConfig  ? "config "
         : variable.isConst ? "const "
                            : "var ");
  name(variable);
  os << ": " << sema::text(variable.type);
  init(variable.init);
}

void Printer::array(const Array &array) {
  os << (array.storage == Storage::Static ? "static " : "")
     << (array.isConst ? "const " : "var ");
  name(array);
  os << ": ";
  arrayType(array);
  init(array.init);
  for (const auto &offset : array.directions)
    os << " ("
       << llvm::join(llvm::map_range(
                         offset, [](int64_t c) { return std::to_string(c); }),
                     ",")
       << ')';
  for (auto [word, set] : {std::pair(" steps", array.stepDims),
                           std::pair(" wraps", array.wrapDims)})
    for (unsigned d = 0; d != array.rank; ++d)
      if (set >> d & 1)
        os << word << ' ' << d;
  for (const RegionExpr *border : array.borders) {
    os << " border ";
    region(*border);
  }
}

void Printer::direction(const Direction &direction) {
  os << "direction ";
  name(direction);
  os << " = (";
  llvm::ListSeparator comma;
  for (const Direction::Component &component : direction.components) {
    os << comma;
    expr(*component.init);
  }
  os << ')';
}

void Printer::grid(const Grid &grid) {
  os << "grid ";
  name(grid);
  os << " = ";
  if (grid.init)
    return name(*grid.init);
  os << '[';
  llvm::ListSeparator comma;
  for (const Expr *extent : grid.extents) {
    os << comma;
    if (extent)
      expr(*extent);
  }
  os << ']';
}

void Printer::distribution(const Distribution &distribution) {
  os << "distribution ";
  name(distribution);
  if (distribution.grid) {
    os << ": ";
    name(*distribution.grid);
  }
  os << " = ";
  if (!distribution.values.empty())
    return name(*distribution.values.front());
  os << '[';
  llvm::ListSeparator comma;
  for (const Distribution::Dim &dim : distribution.dims) {
    constexpr llvm::StringLiteral kinds[] = {"block", "cyclic",  "blockcyclic",
                                             "cut",   "nondist", ""};
    os << comma << kinds[dim.kind];
    llvm::ListSeparator space("..");
    for (const Expr *part : {dim.lo, dim.hi, dim.length, dim.points}) {
      if (!part)
        continue;
      if (part != dim.hi)
        os << ' ';
      os << space;
      expr(*part);
    }
    if (dim.owner)
      os << dim.owner->callee->name;
  }
  os << ']';
}

void Printer::symbol(const Symbol &symbol) {
  line();
  const StmtList *setup = nullptr;
  switch (symbol.kind) {
  case SymbolKind::Variable:
    variable(llvm::cast<Variable>(symbol));
    setup = &llvm::cast<Variable>(symbol).setup;
    break;
  case SymbolKind::Array:
    array(llvm::cast<Array>(symbol));
    setup = &llvm::cast<Array>(symbol).setup;
    break;
  case SymbolKind::Region: {
    auto &declared = llvm::cast<Region>(symbol);
    os << "region ";
    name(symbol);
    os << ": " << text(declared.shape) << " = ";
    region(*declared.init);
    break;
  }
  case SymbolKind::Direction:
    direction(llvm::cast<Direction>(symbol));
    break;
  case SymbolKind::Grid:
    grid(llvm::cast<Grid>(symbol));
    break;
  case SymbolKind::Distribution:
    distribution(llvm::cast<Distribution>(symbol));
    break;
  case SymbolKind::Domain:
    os << "domain ";
    name(symbol);
    os << ": ";
    name(*llvm::cast<Domain>(symbol).distribution);
    break;
  case SymbolKind::Procedure:
  case SymbolKind::Type:
    llvm_unreachable("procedures and types are printed by themselves");
  }
  os << '\n';
  if (setup)
    stmts(*setup);
}

void Printer::type(const TypeInfo &info) {
  os << "type " << (info.name.empty() ? "_" : info.name) << " = ";
  llvm::ListSeparator comma;
  if (info.kind == Type::Enum) {
    os << '(';
    for (const TypeEnumerator &value : info.enumerators)
      os << comma << value.name << " = " << value.value;
    os << ")\n";
  } else if (info.kind == Type::Opaque) {
    os << "opaque " << info.size << " bytes\n";
  } else {
    os << (info.kind == Type::Union ? "union {" : "record {");
    for (const TypeField &field : info.fields)
      os << comma << field.name << ": " << sema::text(field.type);
    os << "}\n";
  }
}

void Printer::procedure(const Procedure &procedure) {
  os << (procedure.isFree ? "free " : "") << "procedure " << procedure.name
     << '(';
  llvm::ListSeparator semicolon("; ");
  for (const Symbol *param : procedure.params) {
    os << semicolon;
    if (auto *array = llvm::dyn_cast<Array>(param)) {
      os << text(array->mode) << array->name << ": ";
      arrayType(*array);
      continue;
    }
    auto &variable = *llvm::cast<Variable>(param);
    os << (variable.isFree ? "free " : "") << text(variable.mode)
       << variable.name << ": " << sema::text(variable.type);
  }
  os << ')';
  if (procedure.resultRank != 0)
    os << ": [" << std::string(procedure.resultRank - 1, ',') << "] "
       << sema::text(procedure.result);
  else if (procedure.result != Type::Void)
    os << ": " << sema::text(procedure.result);
  os << (procedure.isExtern ? " extern" : "");
  os << (procedure.isParallel ? " parallel\n" : " scalar\n");
  ++depth;
  for (const Symbol *local : procedure.locals)
    symbol(*local);
  if (procedure.body)
    stmt(*procedure.body);
  --depth;
}

void Printer::instance(const Instance &instance) {
  os << "instance " << instance.name;
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    if (instance.covers[rank])
      os << " cover " << text(*instance.covers[rank])
         << text(instance.masks[rank]);
  for (unsigned i = 0; i != instance.paramShapes.size(); ++i)
    if (!instance.paramShapes[i].empty())
      os << ' ' << instance.procedure->params[i]->name << ' '
         << text(instance.paramShapes[i]);
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    if (instance.coverDomains[rank] &&
        instance.coverDomains[rank]->distribution)
      os << " in " << instance.coverDomains[rank]->name;
  for (auto [i, domain] : llvm::enumerate(instance.paramDomains))
    if (domain)
      os << ' ' << instance.procedure->params[i]->name << " in "
         << domain->name;
  for (unsigned rank = 1; rank <= MaxRank; ++rank)
    if (instance.coverSparse[rank])
      os << " sparse " << rank;
  for (auto [i, isSparse] : llvm::enumerate(instance.paramSparse))
    if (isSparse)
      os << " sparse " << instance.procedure->params[i]->name;
  if (instance.mayAlias)
    os << " alias";
  for (auto [i, first] : llvm::enumerate(instance.sameAs))
    if (first != i)
      os << " same " << instance.procedure->params[i]->name << ' '
         << instance.procedure->params[first]->name;
  for (const ArrayExpr *e : inOrder(instance.checked))
    os << " checked " << e->text;
  for (const Expr *e : inOrder(instance.checkedSources))
    os << " checked-source " << textOf(*e);
  std::vector<const CallExpr *> calls;
  for (const auto &[call, callee] : instance.callees)
    calls.push_back(call);
  llvm::sort(calls, [](const CallExpr *a, const CallExpr *b) {
    return std::tie(a->range.file, a->range.begin) <
           std::tie(b->range.file, b->range.begin);
  });
  for (const CallExpr *call : calls)
    os << " calls " << instance.callees.lookup(call)->name;
  for (const CallExpr *call : calls)
    for (unsigned i = 0; i != call->args.size(); ++i)
      if (instance.checkedArguments.contains({call, i}))
        os << " checked-argument " << call->callee->params[i]->name;
  os << '\n';
}

void print(const Program &program, llvm::raw_ostream &os) {
  os << "program " << program.name << '\n';
  Printer printer(program, os);
  for (const TypeInfo *info : program.types)
    printer.type(*info);
  for (const Symbol *global : program.globals)
    printer.symbol(*global);
  for (const Procedure *procedure : program.procedures)
    printer.procedure(*procedure);
  printer.instance(program.initializer);
  for (const auto &instance : program.instances)
    printer.instance(*instance);
}

} // namespace zpl::sema
