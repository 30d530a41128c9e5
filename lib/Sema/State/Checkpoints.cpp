//===- Checkpoints.cpp - What a program's state is ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     config var n: integer = 100;
//     region R = [1..n, 1..n];
//     var step: integer;  T: [R] double;
//     ...
//     if !restart() then ... end;
//     checkpoint("run.ck");
//
// Both are procedures that Sema writes, of binary input and output:
//
//     procedure checkpoint(name: string);        procedure restart(): boolean;
//     begin                                      begin
//       file := opencheckpoint(name);              file := openrestart();
//       checkpointitem(file, "n", -1);             if file != znull then
//       bwrite(file, n);                             checkpointitem(file,
//       checkpointitem(file, "step", -1);                           "step", -1);
//       bwrite(file, step);                          bread(file, step);
//       checkpointitem(file, "T", -1);               checkpointitem(file, "T", -1);
//       [region(T)] bwrite(file, T);                 [region(T)] bread(file, T);
//       close(file);                                 close(file);
//     end;                                         end;
//                                                  return restarted() != 0;
//                                                end;
//
// So all that later phases need to know of them, what they read and write and
// which regions they run over, they know of any procedure. Each call has a
// procedure of its own, whose statements are where the call is.
//
// Config variables are written only: they are restored where they are declared
// (runtime/lib/Entry/Restart.cpp). A region variable is read into a hidden one
// and assigned, so that its arrays follow; these come later, for so they are
// declared. A growable array is resized first. A sparse region is the list of
// its indices, dimension by dimension; before one that was declared with `?`
// stands whether it has a pattern, without which it and its arrays are left out.
//
// Cost: a few statements for each variable and call.
//
//===----------------------------------------------------------------------===//

#include "State/Checkpoints.h"
#include "Arrays/Blanks.h"
#include "Check/Calls.h"
#include "Check/Expressions.h"
#include "Check/Functions.h"
#include "Check/Values.h"
#include "Program/Free.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Initializers.h"
#include "Statements/StandardStmts.h"
#include "Statements/Statements.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Procedure *makeProcedure(Checking &c, llvm::StringRef name,
                                std::vector<Procedure *> &list,
                                SourceRange range) {
  auto *procedure = c.program.make<Procedure>(name, range);
  procedure->bodyRange = range;
  procedure->body = emptyStmt(c, range);
  c.program.procedures.push_back(procedure);
  list.push_back(procedure);
  return procedure;
}

Stmt *checkpointStmt(Checking &c, const ast::Call &e) {
  const Expr *name = checkScalar(c, *e.args[0], "argument of 'checkpoint'");
  if (isError(name) || reportFree(c, name) ||
      !haveTypes(c, e, name, [](Type type) { return type == Type::String; }))
    return emptyStmt(c, e.range);
  Procedure *procedure =
      makeProcedure(c, "checkpoint", c.made.checkpoints, e.range);
  auto *formal = c.program.make<Variable>("name", e.range);
  formal->type = Type::String;
  formal->storage = Storage::Param;
  procedure->params.push_back(formal);
  auto *call = c.program.make<CallExpr>(procedure, e.range);
  call->args.push_back(name);
  call->copies.push_back(false);
  return c.program.make<CallStmt>(call, e.range);
}

const Expr *restartCall(Checking &c, const ast::Call &e) {
  Procedure *procedure = makeProcedure(c, "restart", c.made.restarts, e.range);
  procedure->result = Type::Boolean;
  return c.program.make<CallExpr>(procedure, e.range);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Whether \p isOne is true of a type that \p type is made of.
static bool consistsOf(Type type, llvm::function_ref<bool(Type)> isOne) {
  if (type == Type::Array)
    return consistsOf(type.info()->element, isOne);
  if (type == Type::Record || type == Type::Union)
    return llvm::any_of(type.info()->fields, [&](const TypeField &field) {
      return consistsOf(field.type, isOne);
    });
  return isOne(type);
}

/// Whether values of \p type outlive the run: files, timers and what C has made
/// do not, and which field of a union holds a string is not known.
static bool isKept(Type type) {
  bool isUnion = type == Type::Union;
  if (type == Type::Array)
    return isKept(type.info()->element);
  if (type == Type::Record || isUnion)
    return llvm::all_of(type.info()->fields, [&](const TypeField &field) {
      return isKept(field.type) &&
             !(isUnion && consistsOf(field.type, [](Type part) {
                 return part == Type::String;
               }));
    });
  return type != Type::File && type != Type::Timer && type != Type::Opaque;
}

static bool hasRegions(Type type) {
  return consistsOf(type, [](Type part) { return part == Type::Region; });
}

static bool holdsSparseRegions(Type type) {
  return consistsOf(type, [](Type part) {
    return part == Type::Region && part.info()->isSparse;
  });
}

//===----------------------------------------------------------------------===//
// Items
//===----------------------------------------------------------------------===//

namespace {

/// A procedure that is being made.
struct StateCode {
  Checking &c;
  SourceRange range; ///< of the call
  bool reads;
  Variable *file;
  StmtList list = {};           ///< where statements go
  llvm::StringSet<> names = {}; ///< of symbols so far

  const Expr *value(Variable *variable) {
    return c.program.make<VariableExpr>(variable, range);
  }
  const Expr *number(int64_t number) {
    return c.build.integer(number, Type::Longint, range);
  }
  const Expr *builtin(Builtin fn, llvm::ArrayRef<const Expr *> args,
                      Type type) {
    return c.program.make<BuiltinExpr>(fn, args, type, range);
  }
};

} // namespace

static void beginItem(StateCode &code, llvm::StringRef name,
                      const Expr *member = nullptr) {
  Checking &c = code.c;
  member = member ? c.build.cast(member, Type::Integer)
                  : c.build.integer(-1, Type::Integer, code.range);
  auto *item = llvm::cast<BuiltinExpr>(code.builtin(
      Builtin::CheckpointItem,
      {code.value(code.file), c.build.string(name, code.range), member},
      Type::Void));
  code.list.push_back(c.program.make<BuiltinStmt>(item, code.range));
}

/// `bwrite(file, values)` or `bread(file, values)`.
static Stmt *transfer(StateCode &code, llvm::ArrayRef<const Expr *> values) {
  Checking &c = code.c;
  if (code.reads) {
    auto *read = c.program.make<ReadStmt>(code.value(code.file), code.range);
    read->binary = true;
    for (const Expr *value : values)
      read->items.push_back({value, std::nullopt, nullptr, code.range});
    return read;
  }
  auto *write = c.program.make<WriteStmt>(code.value(code.file), code.range);
  write->binary = true;
  for (const Expr *value : values) {
    WriteItem item;
    item.value = value;
    item.range = code.range;
    write->items.push_back(std::move(item));
  }
  return write;
}

/// A loop of \p variable over dimension \p d of an indexed array.
static Stmt *loopOver(StateCode &code, const Expr *variable,
                      const TypeInfo &info, size_t d, StmtList body) {
  auto *loop = code.c.program.make<ForStmt>(
      variable, boundExpr(code.c, info.lo[d], code.range),
      boundExpr(code.c, info.hi[d], code.range), code.number(1),
      /*down=*/false, code.range);
  loop->body = std::move(body);
  return loop;
}

/// The statements that \p make makes, if \p flag is not 0.
static void ifTrue(StateCode &code, const Expr *flag,
                   llvm::function_ref<void()> make) {
  Checking &c = code.c;
  auto *branch = c.program.make<IfStmt>(
      c.build.compare(CompareOp::Ne, flag, code.number(0), code.range),
      code.range);
  StmtList outer = std::move(code.list);
  code.list = {};
  make();
  branch->thenBody = std::move(code.list);
  code.list = std::move(outer);
  code.list.push_back(branch);
}

/// The same if the region variable at \p place has a value.
static void ifSet(StateCode &code, const Expr *place,
                  llvm::function_ref<void()> make) {
  auto rank = static_cast<int64_t>(place->type.info()->shape.size());
  const Expr *at[] = {code.number(rank), code.number(1)};
  ifTrue(
      code,
      code.c.program.make<SubscriptExpr>(place, at, Type::Longint, code.range),
      make);
}

/// Whether a named region may have no pattern yet: `R where ?`.
static bool mayBeUnset(const Region &region) {
  return region.init->kind == RegionExpr::Where && !region.init->pattern;
}

static RegionExpr *namedRegion(StateCode &code, Region *region) {
  auto *named = code.c.program.make<RegionExpr>();
  named->kind = RegionExpr::Ref;
  named->rank = region->rank();
  named->region = region;
  named->text = region->name;
  named->range = code.range;
  return named;
}

/// Whether a named region has a pattern.
static const Expr *patterned(StateCode &code, Region *region) {
  return code.c.program.make<RegionBoundExpr>(
      RegionBoundExpr::Patterned, namedRegion(code, region), 0, code.range);
}

static void assignParts(StateCode &code, const Expr *target,
                        const Expr *source);

/// The same of all elements of two indexed arrays.
static void assignElements(StateCode &code, const Expr *target,
                           const Expr *source) {
  Checking &c = code.c;
  const TypeInfo &info = *target->type.info();
  llvm::SmallVector<const Expr *, 2> indices;
  for (size_t d = 0; d != info.lo.size(); ++d)
    indices.push_back(
        code.value(hiddenVariable(c, "index", Type::Longint, code.range)));
  auto element = [&](const Expr *base) {
    return c.program.make<SubscriptExpr>(base, indices, info.element,
                                         code.range);
  };
  StmtList outer = std::move(code.list);
  code.list = {};
  assignParts(code, element(target), element(source));
  StmtList body = std::move(code.list);
  for (size_t d = info.lo.size(); d-- != 0;)
    body = {loopOver(code, indices[d], info, d, std::move(body))};
  code.list = std::move(outer);
  code.list.push_back(body.front());
}

/// `target := source`, but of regions only those that have a value.
static void assignParts(StateCode &code, const Expr *target,
                        const Expr *source) {
  Checking &c = code.c;
  Type type = target->type;
  if (type == Type::Region)
    return ifSet(code, source, [&] {
      code.list.push_back(regionAssignment(c, target, regionOf(c, source),
                                           /*preserves=*/false, code.range));
    });
  if (type == Type::Array && hasRegions(type))
    return assignElements(code, target, source);
  if (type != Type::Record || !hasRegions(type)) {
    code.list.push_back(c.program.make<AssignStmt>(target, source, code.range));
    return;
  }
  for (auto [k, field] : llvm::enumerate(type.info()->fields))
    assignParts(code,
                c.program.make<FieldExpr>(target, k, field.type, code.range),
                c.program.make<FieldExpr>(source, k, field.type, code.range));
}

/// Reads a variable that holds regions, by way of another one.
static void readRegions(StateCode &code, Variable *variable) {
  Variable *read =
      hiddenVariable(code.c, variable->name, variable->type, code.range);
  code.list.push_back(transfer(code, code.value(read)));
  assignParts(code, code.value(variable), code.value(read));
}

/// The upper bounds of a growable variable, which gets them.
static void addBounds(StateCode &code, Variable *variable,
                      const std::string &name) {
  Checking &c = code.c;
  auto *target = c.program.make<VariableExpr>(variable, code.range);
  auto *resize = c.program.make<ResizeStmt>(target, code.range);
  for (auto [d, bound] : llvm::enumerate(variable->type.info()->hi)) {
    Variable *length = bound.variable;
    if (code.reads)
      length = hiddenVariable(c, length->name, Type::Longint, code.range);
    beginItem(code, name + "." + std::to_string(d + 1));
    code.list.push_back(transfer(code, code.value(length)));
    resize->lengths.push_back(code.value(length));
  }
  if (code.reads)
    code.list.push_back(resize);
}

static void addVariable(StateCode &code, Variable *variable,
                        const std::string &name) {
  bool isConstant = variable->isConst && (!variable->isConfig || code.reads);
  if (variable->isHidden || isConstant || variable->isExtern ||
      variable->isFree || !isKept(variable->type))
    return;
  if (holdsSparseRegions(variable->type)) {
    code.c.diags.report(code.range, Diag::CheckpointSparse, variable->name)
        .note(variable->range, Diag::DeclaredHere, variable->name);
    return;
  }
  if (isGrowable(variable->type))
    addBounds(code, variable, name);
  beginItem(code, name);
  if (code.reads && hasRegions(variable->type))
    return readRegions(code, variable);
  code.list.push_back(transfer(code, code.value(variable)));
}

/// A parallel array, or the member \p member of a family at \p subscripts.
static void addElements(StateCode &code, Array *array, const std::string &name,
                        llvm::ArrayRef<const Expr *> subscripts,
                        const Expr *member) {
  Checking &c = code.c;
  auto *whole = c.program.make<ArrayExpr>(array, code.range);
  whole->text = array->name;
  whole->subscripts.assign(subscripts.begin(), subscripts.end());
  if (isSparse(*array->declared, {})) {
    beginItem(code, name + ".irv", member);
    const Expr *irv = c.program.make<IrvExpr>(whole, code.range);
    code.list.push_back(transfer(code, irv));
  }
  auto *region = c.program.make<RegionExpr>();
  region->kind = RegionExpr::Declared;
  region->rank = array->rank;
  region->array = array;
  region->subscripts.assign(subscripts.begin(), subscripts.end());
  region->text = "region(" + array->name + ")";
  region->range = code.range;
  auto add = [&] {
    beginItem(code, name, member);
    code.list.push_back(
        c.program.make<ScopeStmt>(region, transfer(code, whole), code.range));
  };
  const RegionExpr &declared = *array->declared;
  if (array->over)
    ifSet(code, array->over, add);
  else if (declared.kind == RegionExpr::Ref && mayBeUnset(*declared.region))
    ifTrue(code, patterned(code, declared.region), add);
  else
    add();
}

/// The levels of indexed arrays of \p type, the outermost first.
static std::vector<const TypeInfo *> levelsOf(Type type, size_t subscripts) {
  std::vector<const TypeInfo *> levels;
  for (size_t known = 0; known < subscripts; type = type.info()->element) {
    levels.push_back(type.info());
    known += type.info()->lo.size();
  }
  return levels;
}

/// All members of a family, in loops over the hidden variables of its
/// declaration.
static void addFamily(StateCode &code, Array *array, const std::string &name) {
  Checking &c = code.c;
  Variable *count = hiddenVariable(c, "member", Type::Longint, code.range);
  llvm::SmallVector<const Expr *, 2> subscripts;
  for (Variable *variable : array->member)
    subscripts.push_back(code.value(variable));
  StmtList outer = std::move(code.list);
  code.list = {};
  addElements(code, array, name, subscripts, code.value(count));
  code.list.push_back(c.program.make<AssignStmt>(
      code.value(count),
      c.build.binary(BinaryOp::Add, code.value(count), code.number(1),
                     code.range),
      code.range));
  StmtList body = std::move(code.list);
  size_t next = subscripts.size();
  auto levels = levelsOf(array->family, subscripts.size());
  for (const TypeInfo *level : llvm::reverse(levels))
    for (size_t d = level->lo.size(); d-- != 0;)
      body = {loopOver(code, subscripts[--next], *level, d, std::move(body))};
  code.list = std::move(outer);
  code.list.push_back(c.program.make<AssignStmt>(code.value(count),
                                                 code.number(0), code.range));
  code.list.push_back(body.front());
}

/// The indices of a sparse region.
static void addIndices(StateCode &code, Region *region,
                       const std::string &name) {
  Checking &c = code.c;
  RegionExpr *named = namedRegion(code, region);
  beginItem(code, name);
  if (code.reads) {
    auto *made = c.program.make<PatternAssignStmt>(
        PatternAssignStmt::Set, named, boundsOf(c, named), code.range);
    made->file = code.value(code.file);
    code.list.push_back(made);
    return;
  }
  llvm::SmallVector<const Expr *, 6> indices;
  for (unsigned d = 0; d != named->rank; ++d) {
    auto *index = c.program.make<IndexExpr>(d, code.range);
    Builder::settle(*index, named->rank);
    index->rank = named->rank;
    indices.push_back(index);
  }
  code.list.push_back(
      c.program.make<ScopeStmt>(named, transfer(code, indices), code.range));
}

/// A sparse region; before one that may have no pattern yet, whether it has.
static void addPattern(StateCode &code, Region *region,
                       const std::string &name) {
  if (!isSparse(*region->init, {}))
    return;
  if (!mayBeUnset(*region))
    return addIndices(code, region, name);
  beginItem(code, name + ".set");
  const Expr *flag = patterned(code, region);
  if (code.reads)
    flag = code.value(
        hiddenVariable(code.c, "patterned", Type::Longint, code.range));
  code.list.push_back(transfer(code, flag));
  ifTrue(code, flag, [&] { addIndices(code, region, name); });
}

/// \p name in the file is what its declaration says, or where that is not new, as
/// of static variables in overloaded procedures, with a number behind.
static void keepSymbol(StateCode &code, Symbol *symbol, std::string name) {
  std::string wanted = name;
  for (unsigned k = 2; !code.names.insert(name).second; ++k)
    name = wanted + " #" + std::to_string(k);
  if (auto *variable = llvm::dyn_cast<Variable>(symbol))
    return addVariable(code, variable, name);
  if (auto *region = llvm::dyn_cast<Region>(symbol))
    return addPattern(code, region, name);
  auto *array = llvm::dyn_cast<Array>(symbol);
  if (!array || array->isConst || !isKept(array->element))
    return;
  if (array->family != Type::Error)
    return addFamily(code, array, name);
  addElements(code, array, name, {}, nullptr);
}

/// All global variables, arrays and regions, and static locals, in the order of
/// their declarations.
static void addState(StateCode &code) {
  const Program &program = code.c.program;
  std::vector<Symbol *> globals = program.globals;
  for (Symbol *symbol : globals)
    keepSymbol(code, symbol, symbol->name);
  for (const Procedure *procedure : program.procedures)
    for (Symbol *local : std::vector<Symbol *>(procedure->locals)) {
      auto *variable = llvm::dyn_cast<Variable>(local);
      auto *array = llvm::dyn_cast<Array>(local);
      if ((variable && variable->storage == Storage::Static) ||
          (array && array->storage == Storage::Static))
        keepSymbol(code, local, procedure->name + "." + local->name);
    }
}

//===----------------------------------------------------------------------===//
// Procedures
//===----------------------------------------------------------------------===//

static Stmt *openFile(StateCode &code, Builtin fn,
                      llvm::ArrayRef<const Expr *> args) {
  return code.c.program.make<AssignStmt>(
      code.value(code.file), code.builtin(fn, args, Type::File), code.range);
}

static void makeCheckpoint(Checking &c, Procedure &procedure) {
  SourceRange range = procedure.range;
  llvm::SaveAndRestore current(c.current, &procedure);
  StateCode code{c, range, /*reads=*/false,
                 hiddenVariable(c, "file", Type::File, range)};
  auto *name = llvm::cast<Variable>(procedure.params.front());
  code.list.push_back(
      openFile(code, Builtin::OpenCheckpoint, code.value(name)));
  addState(code);
  code.list.push_back(closeOf(c, code.value(code.file), range));
  procedure.body = singleStmt(c, std::move(code.list), range);
}

static void makeRestart(Checking &c, Procedure &procedure) {
  SourceRange range = procedure.range;
  llvm::SaveAndRestore current(c.current, &procedure);
  StateCode code{c, range, /*reads=*/true,
                 hiddenVariable(c, "file", Type::File, range)};
  addState(code);
  code.list.push_back(closeOf(c, code.value(code.file), range));
  auto *branch = c.program.make<IfStmt>(
      c.build.compare(CompareOp::Ne, code.value(code.file),
                      c.build.file(0, range), range),
      range);
  branch->thenBody = std::move(code.list);
  const Expr *answer = code.builtin(Builtin::Restarted, {}, Type::Integer);
  const Expr *isRestart = c.build.compare(
      CompareOp::Ne, answer, c.build.integer(0, Type::Integer, range), range);
  procedure.body = singleStmt(c,
                              {openFile(code, Builtin::OpenRestart, {}), branch,
                               c.program.make<ReturnStmt>(isRestart, 0, range)},
                              range);
}

//===----------------------------------------------------------------------===//
// Locals that are lost
//===----------------------------------------------------------------------===//

namespace {

/// Locals whose values one round of a loop takes from the round before, in a
/// procedure that writes checkpoints: those that are assigned what is made of
/// themselves, and variables of loops around a checkpoint.
class LostLocals : public Visitor {
public:
  explicit LostLocals(const Checking &c) : c(c) {}
  std::vector<std::pair<const Symbol *, SourceRange>> lost;
  bool hasCheckpoint = false;

protected:
  void onCall(const CallExpr &call, unsigned) override {
    hasCheckpoint |= isCheckpoint(call);
  }
  void onStmt(const Stmt &s) override {
    if (auto *assign = llvm::dyn_cast<AssignStmt>(&s))
      return note(*assign->target, *assign->value);
    if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s))
      return note(*assign->target, *assign->value);
    auto *loop = llvm::dyn_cast<ForStmt>(&s);
    if (!loop)
      return;
    LostLocals inner(c);
    BlockStmt block{SourceRange()};
    block.body = loop->body;
    Procedure body("", SourceRange());
    body.body = &block;
    inner.visitProcedure(body);
    if (inner.hasCheckpoint)
      add(symbolOf(*loop->variable), loop->variable->range);
  }

private:
  bool isCheckpoint(const CallExpr &call) const {
    return llvm::is_contained(c.made.checkpoints, call.callee);
  }
  static const Symbol *symbolOf(const Expr &place) {
    const Expr *root = rootOf(&place);
    if (auto *variable = llvm::dyn_cast<VariableExpr>(root))
      return variable->variable;
    auto *array = llvm::dyn_cast<ArrayExpr>(root);
    return array ? array->array : nullptr;
  }
  void note(const Expr &target, const Expr &value) {
    const Symbol *symbol = symbolOf(target);
    bool isOwn = false;
    forEachExpr(value, [&](const Expr &part) {
      bool isPlace = llvm::isa<VariableExpr, ArrayExpr>(part);
      isOwn |= isPlace && symbol && symbolOf(part) == symbol;
    });
    if (isOwn)
      add(symbol, target.range);
  }
  void add(const Symbol *symbol, SourceRange range) {
    auto *variable = llvm::dyn_cast_or_null<Variable>(symbol);
    auto *array = llvm::dyn_cast_or_null<Array>(symbol);
    bool isLocal = (variable && variable->storage == Storage::Local &&
                    !variable->isHidden) ||
                   (array && array->storage == Storage::Local);
    bool isKnown = llvm::any_of(
        lost, [&](const auto &one) { return one.first == symbol; });
    if (isLocal && !isKnown)
      lost.push_back({symbol, range});
  }

  const Checking &c;
};

} // namespace

static void reportLostLocals(Checking &c) {
  for (const Procedure *procedure : c.program.procedures) {
    LostLocals finder(c);
    finder.visitProcedure(*procedure);
    if (!finder.hasCheckpoint)
      continue;
    for (auto [symbol, range] : finder.lost)
      c.diags.report(range, Diag::CheckpointLocal, symbol->name)
          .note(symbol->range, Diag::DeclaredHere, symbol->name);
  }
}

void makeCheckpoints(Checking &c) {
  if (c.diags.hasErrors())
    return;
  for (Procedure *procedure : c.made.checkpoints)
    makeCheckpoint(c, *procedure);
  for (Procedure *procedure : c.made.restarts)
    makeRestart(c, *procedure);
  if (!c.made.checkpoints.empty())
    reportLostLocals(c);
}

} // namespace zpl::sema
