//===- RegionOps.cpp - User-defined region operators ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dissertation 2.18.4:
//
//     regionop grow(delta: integer; inout l, h, s, a: integer);
//     begin
//       if delta < 0 then l += delta; else h += delta; end;
//     end;
//
//     region Big = R grow nw grow se;
//
// An operator is a procedure of this one signature. A use of it is a region
// with one call, whose arguments are hidden variables: for each dimension these
// get the component of the direction and the base's sequence, the procedure
// changes them, and what it leaves is the sequence of the result. The variables
// are global, for regions of static arrays are evaluated outside of any call;
// nothing else is evaluated between setting and reading them.
//
// Cost: constant, besides the base and the direction.
//
//===----------------------------------------------------------------------===//

#include "Arrays/RegionOps.h"
#include "Arrays/Regions.h"
#include "Check/Calls.h"
#include "Check/Checking.h"
#include "Distributions/Distributions.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"

namespace zpl::sema {

/// Why \p procedure cannot be a region operator; empty if it can.
static std::string misfitOf(const Procedure &procedure) {
  llvm::ArrayRef<Symbol *> formals = formalsOf(procedure);
  if (formals.size() != 5)
    return llvm::formatv("has {0} parameters", formals.size()).str();
  for (const auto &[i, formal] : llvm::enumerate(formals)) {
    auto *variable = llvm::dyn_cast<Variable>(formal);
    if (llvm::isa<Procedure>(formal))
      return "takes the procedure '" + formal->name + "'";
    if (isGridOrDistribution(*formal))
      return "takes '" + formal->name + "', where data live";
    if (!variable)
      return "takes the parallel array '" + formal->name + "'";
    if (variable->type != Type::Integer)
      return "takes '" + formal->name + "' of type " + text(variable->type);
    bool isWanted =
        i == 0 ? !isByReference(variable->mode) : variable->mode == Mode::InOut;
    if (!isWanted)
      return "takes '" + formal->name +
             (i == 0                        ? "' by reference"
              : variable->mode == Mode::Out ? "' as a result only"
                                            : "' by value");
  }
  if (procedure.result != Type::Void)
    return "returns a value";
  return "";
}

bool checkRegionOp(Checking &c, const ast::ProcedureDecl &d,
                   const Procedure &procedure) {
  bool isReported =
      procedure.result == Type::Error ||
      llvm::any_of(formalsOf(procedure), [](const Symbol *formal) {
        auto *variable = llvm::dyn_cast<Variable>(formal);
        return variable && variable->type == Type::Error;
      });
  std::string misfit = isReported ? "" : misfitOf(procedure);
  if (!misfit.empty())
    c.diags
        .report(d.name.range, Diag::RegionOpSignature, procedure.name, misfit)
        .done();
  return !isReported && misfit.empty();
}

/// The operator of that name; null after a report. The parser knows that there
/// is one somewhere before.
static Procedure *regionOpNamed(Checking &c, const ast::Name &name) {
  for (Symbol *symbol : c.names.overloads(name.text))
    if (auto *procedure = llvm::dyn_cast<Procedure>(symbol);
        procedure && procedure->isRegionOp) {
      c.names.markUsed(*procedure);
      c.firstCalls.try_emplace(procedure, name.range);
      return misfitOf(*procedure).empty() ? procedure : nullptr;
    }
  Symbol *other = c.names.find(name.text);
  auto *variable = llvm::dyn_cast_or_null<Variable>(other);
  if (other && !(variable && variable->type == Type::Error))
    c.diags.report(name.range, Diag::NotARegionOp, name.text)
        .note(other->range, Diag::DeclaredHere, name.text);
  else if (!other)
    c.names.reportUnknown(name.text, name.range);
  return nullptr;
}

const RegionExpr *userRegionOp(Checking &c, const ast::UserRegionOp &e) {
  std::optional<DirectionExprs> components = checkDirection(c, *e.direction);
  const RegionExpr *base =
      checkRegion(c, *e.region, components ? components->size() : 0);
  Procedure *op = regionOpNamed(c, e.name);
  if (!components || !base || !op)
    return nullptr;
  if (components->size() != base->rank) {
    c.diags
        .report(e.direction->range, Diag::DirectionRank, components->size(),
                "a region", base->rank)
        .highlight(e.region->range);
    return nullptr;
  }
  auto *call = c.program.make<CallExpr>(op, e.range);
  for (const Symbol *formal : op->params) {
    auto *hidden = c.program.make<Variable>(
        llvm::formatv("{0}.{1}.{2}", op->name, formal->name,
                      c.program.globals.size())
            .str(),
        e.range);
    hidden->type = Type::Integer;
    hidden->isHidden = true;
    c.program.globals.push_back(hidden);
    call->args.push_back(c.program.make<VariableExpr>(hidden, e.range));
  }
  call->copies.assign(call->args.size(), false);
  auto *node = c.program.make<RegionExpr>();
  node->kind = RegionExpr::User;
  node->rank = base->rank;
  node->base = base;
  node->direction = std::move(*components);
  node->call = call;
  node->range = e.range;
  node->text = writtenRegion(c, e.range);
  return node;
}

} // namespace zpl::sema
