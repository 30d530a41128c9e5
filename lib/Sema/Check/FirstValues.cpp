//===- FirstValues.cpp - What statements evaluate first -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Regions and directions consist of many numbers, which later phases read where
// and as often as they need them. So what has effects, or may give another
// value later, must not stand in them:
//
//     [Level[f()]] A@[g()] := B;          first := f();
//                                         [Level[first]] begin
//                                             second := g();
//                                             A@[second] := B;
//                                         end;
//
// One rule: such an expression is evaluated once, in the order of the text,
// before its statement begins. It is assigned to a hidden variable
//
//  - in a statement, by a statement before it. What a scope's region needs
//  comes
//    before the scope, what its statement needs within it;
//  - in a condition of a loop, before each test:
//
//        while +<< U[f()] > 0 do s end;    while true do
//                                            first := f();
//                                            if !(+<< U[first] > 0) then exit;
//                                            s
//                                          end;
//
//  - with a blank reference, `s[] := +<< U[f(index1)]`, within the loops that
//    this stands for;
//  - in a declaration, by the variable's initializer: it is declared before;
//  - in the declaration of an array of arrays, `U: array [1..3] of
//  [L[f(index1)]]`,
//    by a hidden indexed array with a value for each member;
//  - in a heading, `X: [1..f()]`, by the caller: it is a hidden parameter,
//  whose
//    argument is the initializer.
//
// If a call is among them, variables that it could change are evaluated in
// their turn as well: `A@[k] := B@[f()]` is `first := k; second := f(); ...`
// (CallsInPlaces.cpp looks for calls before the statement is checked).
//
// A statement that runs once per index begins once: what its parts need comes
// before it, but for what depends on variables that it assigns; that is
// evaluated for each index, and a direction or member chosen by it is refused
// as any other that differs between indices.
//
// Cost: linear in the expressions; per statement that runs once per index,
// linear in its size.
//
//===----------------------------------------------------------------------===//

#include "Check/FirstValues.h"
#include "Arrays/Blanks.h"
#include "Statements/Shatter.h"
#include "Tree/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

namespace {

/// Whether evaluating \p e again could give another value or have an effect.
bool mayDiffer(const Expr &e) {
  bool differs = false;
  forEachExpr(e, [&](const Expr &part) {
    differs |= llvm::isa<CallExpr, BuiltinExpr, ReduceExpr, ScanExpr, FloodExpr,
                         GatherExpr, TimerExpr>(part);
  });
  return differs;
}

/// Whether the value of \p e may be another one after a procedure was called.
bool mayChange(const Expr &e) {
  bool changes = false;
  forEachExpr(e, [&](const Expr &part) {
    auto *used = llvm::dyn_cast<VariableExpr>(&part);
    auto *bound = llvm::dyn_cast<RegionBoundExpr>(&part);
    changes |= used && !used->variable->isConst && !used->variable->isHidden;
    auto *place = llvm::dyn_cast<GridPlaceExpr>(&part);
    changes |= place && place->grid->init;
    // What covers is the same all the time.
    changes |= bound && bound->region->kind == RegionExpr::Declared;
  });
  return changes;
}

bool mentions(const Expr &e, llvm::function_ref<bool(const Variable &)> isOne) {
  bool found = false;
  forEachExpr(e, [&](const Expr &part) {
    auto *variable = llvm::dyn_cast<VariableExpr>(&part);
    found |= variable && isOne(*variable->variable);
  });
  return found;
}

/// Whether \p e depends on the position of a blank reference.
bool dependsOn(const Expr &e, const Blanks &blanks) {
  return mentions(e, [&](const Variable &variable) {
    return llvm::is_contained(blanks.firstVariables, &variable) ||
           llvm::any_of(blanks.levels, [&](const auto &level) {
             return llvm::is_contained(level.variables, &variable);
           });
  });
}

/// The hidden variable is declared at hand, with \p value as its initializer.
void declareFirst(Checking &c, Variable &variable, const Expr *value) {
  variable.init = value;
  variable.storage = c.declaring.storage;
  // Static variables are set up in the order of the text, after this one.
  if (variable.storage == Storage::Static)
    variable.range = c.declaring.range;
}

class AssignedVariables : public Visitor {
public:
  explicit AssignedVariables(Stmt &s) {
    Procedure code("", SourceRange());
    code.body = &s;
    visitProcedure(code);
  }
  llvm::DenseSet<const Variable *> variables;

protected:
  void onScalarWrite(const Variable &variable, SourceRange) override {
    variables.insert(&variable);
  }
};

/// Moves what the statements in \p list evaluate first to \p before, but for
/// what depends on \p assigned, the variables that are assigned there.
class FirstValueLifter {
public:
  FirstValueLifter(const Checking &c, Stmt &s, StmtList &before)
      : c(c), before(before), assigned(AssignedVariables(s).variables) {
    inside(s);
  }

private:
  void list(StmtList &stmts) {
    llvm::erase_if(stmts, [&](Stmt *s) {
      if (mayLift(*s)) {
        before.push_back(s);
        return true;
      }
      inside(*s);
      return false;
    });
  }
  bool mayLift(const Stmt &s) {
    if (!c.firsts.all.contains(&s))
      return false;
    auto &assign = llvm::cast<AssignStmt>(s);
    const Variable *own = llvm::cast<VariableExpr>(assign.target)->variable;
    bool isOpen = mentions(*assign.value, [&](const Variable &variable) {
      return assigned.contains(&variable);
    });
    return !isOpen && assigned.erase(own);
  }
  void inside(Stmt &s) {
    if (auto *block = llvm::dyn_cast<BlockStmt>(&s))
      list(block->body);
    else if (auto *loop = llvm::dyn_cast<WhileStmt>(&s))
      list(loop->body);
    else if (auto *loop = llvm::dyn_cast<RepeatStmt>(&s))
      list(loop->body);
    else if (auto *loop = llvm::dyn_cast<ForStmt>(&s))
      list(loop->body);
    else if (auto *branch = llvm::dyn_cast<IfStmt>(&s)) {
      list(branch->thenBody);
      list(branch->elseBody);
    }
  }

  const Checking &c;
  StmtList &before;
  llvm::DenseSet<const Variable *> assigned;
};

Stmt *oneOf(Checking &c, StmtList list, SourceRange range) {
  if (list.size() == 1)
    return list.front();
  auto *block = c.program.make<BlockStmt>(range);
  block->body = std::move(list);
  return block;
}

} // namespace

Variable *makeHidden(Checking &c, llvm::StringRef name, Type type,
                     SourceRange range) {
  Procedure *current = c.current;
  auto &owner = current ? current->locals : c.program.globals;
  auto *variable = c.program.make<Variable>(
      llvm::formatv("{0}.{1}", name, owner.size()).str(), range);
  variable->type = type;
  variable->storage = current ? Storage::Local : Storage::Global;
  variable->isHidden = true;
  variable->isFree = current && current->isFree;
  owner.push_back(variable);
  return variable;
}

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static const Expr *boundOf(Checking &c, TypeBound bound, SourceRange range) {
  if (bound.variable)
    return c.program.make<VariableExpr>(bound.variable, range);
  return c.build.integer(bound.value, Type::Longint, range);
}

/// `h[i]`, where h is an indexed array that has the values of \p value for all
/// members of the family at hand, and i the member.
static const Expr *evaluatedPerMember(Checking &c, const Expr *value) {
  const Blanks &blanks = *c.blanks;
  SourceRange range = value->range;
  Type type = value->type;
  for (const auto &level : llvm::reverse(blanks.levels)) {
    llvm::SmallVector<DimType, 2> dims;
    for (size_t d = 0; d != level.array->lo.size(); ++d)
      dims.push_back(
          {level.array->lo[d], level.array->hi[d], level.array->index[d]});
    type = c.types.array(type, dims, level.array->boundsText);
  }
  Variable *first = makeHidden(c, "first", type, range);
  declareFirst(c, *first, nullptr);
  const Expr *element = c.program.make<VariableExpr>(first, range);
  for (const auto &level : blanks.levels) {
    llvm::SmallVector<const Expr *, 2> subscripts;
    for (Variable *variable : level.variables)
      subscripts.push_back(c.program.make<VariableExpr>(variable, range));
    element = c.build.subscript(element, subscripts, first->name, range);
  }
  StmtList body = {c.program.make<AssignStmt>(element, value, range)};
  for (const auto &level : llvm::reverse(blanks.levels))
    for (size_t d = level.variables.size(); d-- != 0;) {
      auto *loop = c.program.make<ForStmt>(
          c.program.make<VariableExpr>(level.variables[d], range),
          boundOf(c, level.array->lo[d], range),
          boundOf(c, level.array->hi[d], range),
          c.build.integer(1, Type::Longint, range), /*down=*/false, range);
      loop->body = std::move(body);
      body = {loop};
    }
  first->setup = std::move(body);
  return element;
}

const Expr *evaluatedFirst(Checking &c, const Expr *value) {
  bool isFirst =
      mayDiffer(*value) || (c.firsts.haveVariables && mayChange(*value));
  if (value->type == Type::Error || !isFirst)
    return value;
  SourceRange range = value->range;
  bool isInLoops = c.blanks && dependsOn(*value, *c.blanks);
  if (isInLoops && c.blanks->family)
    return evaluatedPerMember(c, value);
  if (isInLoops && !c.firsts.list && c.hiddenParams) {
    c.diags.report(range, Diag::FormalMemberCall).done();
    return c.build.error(range);
  }
  StmtList *before = isInLoops ? &c.blanks->firsts : c.firsts.list;
  if (!before && c.hiddenParams) {
    auto *param = c.program.make<Variable>(
        llvm::formatv("first.{0}", c.hiddenParams->size()).str(), range);
    param->type = value->type;
    param->storage = Storage::Param;
    param->isHidden = true;
    param->init = value;
    c.hiddenParams->push_back(param);
    return c.program.make<VariableExpr>(param, range);
  }
  Variable *first = makeHidden(c, "first", value->type, range);
  first->isFree |= value->isFree;
  auto *use = c.program.make<VariableExpr>(first, range);
  if (!before) {
    declareFirst(c, *first, value);
    return use;
  }
  if (isInLoops)
    c.blanks->firstVariables.push_back(first);
  auto *assign = c.program.make<AssignStmt>(use, value, range);
  c.firsts.all.insert(assign);
  before->push_back(assign);
  return use;
}

const Expr *repeatablePlace(Checking &c, const Expr *place) {
  if (c.firsts.haveVariables && mayChange(*place))
    return evaluatedFirst(c, place);
  return withFirstSubscripts(c, place);
}

const Expr *withFirstSubscripts(Checking &c, const Expr *place) {
  if (llvm::isa<VariableExpr>(place))
    return place;
  if (auto *field = llvm::dyn_cast<FieldExpr>(place)) {
    const Expr *base = withFirstSubscripts(c, field->base);
    return base == field->base
               ? place
               : c.build.field(base, field->field, field->type, field->range);
  }
  auto *element = llvm::dyn_cast<SubscriptExpr>(place);
  if (!element)
    return evaluatedFirst(c, place);
  const Expr *base = withFirstSubscripts(c, element->base);
  bool isSame = base == element->base;
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (const Expr *subscript : element->subscripts) {
    subscripts.push_back(evaluatedFirst(c, subscript));
    isSame &= subscripts.back() == subscript;
  }
  return isSame ? place
                : c.build.subscript(base, subscripts, element->text,
                                    element->range);
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

Stmt *withFirstValues(Checking &c, SourceRange range,
                      llvm::function_ref<Stmt *()> make) {
  StmtList list;
  Stmt *made = nullptr;
  {
    llvm::SaveAndRestore<StmtList *> outer(c.firsts.list, &list);
    made = make();
  }
  if (!c.firsts.all.empty() && headOf(*made))
    FirstValueLifter(c, *made, list);
  list.push_back(made);
  return oneOf(c, std::move(list), range);
}

Stmt *whileLoop(Checking &c, StmtList first, const Expr *condition,
                StmtList body, SourceRange range) {
  auto &program = c.program;
  if (first.empty()) {
    auto *loop = program.make<WhileStmt>(condition, range);
    loop->body = std::move(body);
    return loop;
  }
  auto *loop =
      program.make<WhileStmt>(c.build.integer(1, Type::Boolean, range), range);
  loop->body = std::move(first);
  auto *test = program.make<IfStmt>(
      c.build.unary(UnaryOp::Not, condition, condition->range),
      condition->range);
  test->thenBody.push_back(program.make<ExitStmt>(condition->range));
  loop->body.push_back(test);
  llvm::append_range(loop->body, body);
  return loop;
}

Stmt *repeatLoop(Checking &c, StmtList first, const Expr *condition,
                 StmtList body, SourceRange range) {
  auto &program = c.program;
  if (first.empty()) {
    auto *loop = program.make<RepeatStmt>(condition, range);
    loop->body = std::move(body);
    return loop;
  }
  // `continue` goes to the test, so the test is at the start, but for the first
  // time.
  Variable *again = makeHidden(c, "again", Type::Boolean, range);
  auto set = [&](bool to) {
    return program.make<AssignStmt>(program.make<VariableExpr>(again, range),
                                    c.build.integer(to, Type::Boolean, range),
                                    range);
  };
  auto *test = program.make<IfStmt>(program.make<VariableExpr>(again, range),
                                    condition->range);
  test->thenBody = std::move(first);
  auto *leave = program.make<IfStmt>(condition, condition->range);
  leave->thenBody.push_back(program.make<ExitStmt>(condition->range));
  test->thenBody.push_back(leave);
  auto *loop =
      program.make<WhileStmt>(c.build.integer(1, Type::Boolean, range), range);
  loop->body = {test, set(true)};
  llvm::append_range(loop->body, body);
  return oneOf(c, {set(false), loop}, range);
}

} // namespace zpl::sema
