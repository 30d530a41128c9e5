//===- Calls.cpp - Calls of procedures ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure gcd(a, b: integer): integer;            -- scalar
//     procedure sweep(inout A: [ , ] double; k: integer);  -- parallel
//     procedure norm(v: array [] of double): double;
//
//     gcd(12, n)       a scalar
//     gcd(A, 10)       promoted: an array expression of A's rank
//     sweep(B, 3)      B as a whole
//     norm(row)        norm(row, 1, n): the bounds are passed along
//
// Whether a procedure is parallel is known only when the whole program is, so
// an array for a scalar parameter is taken as a promotion here and checked
// later (Parallel.cpp). Arguments by reference are places of exactly the
// parameter's type that may be assigned.
//
//===----------------------------------------------------------------------===//

#include "Check/Calls.h"
#include "Arrays/Blanks.h"
#include "Check/Arguments.h"
#include "Check/Checking.h"
#include "Check/Designators.h"
#include "Check/Functions.h"
#include "Check/Operators.h"
#include "Check/ProcedureArguments.h"
#include "Check/Values.h"
#include "Distributions/Distributions.h"
#include "Names/Overloads.h"
#include "Names/Predeclared.h"
#include "Program/Free.h"
#include "Sparse/SparseRegions.h"
#include "Statements/Initializers.h"
#include "Statements/Patterns.h"
#include "Statements/Procedures.h"
#include "Tree/Walk.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"

namespace zpl::sema {

Type typeOf(const Symbol &formal) {
  if (auto *array = llvm::dyn_cast<Array>(&formal))
    return array->family != Type::Error ? array->family : array->element;
  if (llvm::isa<Procedure, Grid, Distribution>(formal))
    return Type::Void;
  return llvm::cast<Variable>(formal).type;
}

Mode modeOf(const Symbol &formal) {
  if (auto *array = llvm::dyn_cast<Array>(&formal))
    return array->mode;
  if (llvm::isa<Procedure, Grid, Distribution>(formal))
    return Mode::Const;
  return llvm::cast<Variable>(formal).mode;
}

bool fitsBlankBounds(Type formal, Type argument) {
  return matchBounds(formal, argument, [](TypeBound mine, TypeBound theirs) {
    bool isBlank = mine.variable && mine.variable->storage == Storage::Param;
    return isBlank || mine == theirs;
  });
}

bool fitsGenericArray(Type formal, Type argument) {
  if (formal == Type::Generic)
    return !argument.isAggregate();
  if (isUntyped(formal) && formal != Type::Array)
    return argument.kind() == formal.kind();
  if (formal != Type::Array || argument != Type::Array ||
      formal.info()->lo.size() != argument.info()->lo.size())
    return false;
  for (size_t d = 0; d != formal.info()->lo.size(); ++d) {
    TypeBound lo = formal.info()->lo[d], hi = formal.info()->hi[d];
    bool isBlank = lo.variable && lo.variable->storage == Storage::Param;
    if (!isBlank &&
        (lo != argument.info()->lo[d] || hi != argument.info()->hi[d]))
      return false;
  }
  return fitsGenericArray(formal.info()->element, argument.info()->element);
}

std::string arrayText(unsigned rank, Type element) {
  std::string commas;
  for (unsigned d = 1; d < rank; ++d)
    commas += ", ";
  return "[ " + commas + "] " + text(element);
}

static bool familyArgument(Checking &c, const Expr *value,
                           const Symbol &formal);
static const Expr *referenceArgument(Checking &c, const ast::Expr &arg,
                                     const Expr *value, const Symbol &formal);
static bool checkReference(Checking &c, const Expr *place, const Symbol &formal,
                           const Symbol &root);
static bool checkUniform(Checking &c, const Expr *place, const Symbol &formal);
static bool promote(Checking &c, CallExpr &call);
static void reportCalled(Checking &c, const ast::Call &e, const Symbol &symbol);

/// The predeclared function of regions that a call means although procedures of
/// the program have its name: its argument is a region, and none of these takes
/// one. So `rank(R)` is there beside a procedure rank(A). Null: it is none.
static const Predeclared *inquiryBeside(Checking &c, const ast::Call &e,
                                        llvm::ArrayRef<Symbol *> symbols) {
  const Predeclared *entry = findPredeclared(e.callee.text);
  if (!entry || !entry->isInquiry() || e.args.empty() ||
      !isRegion(c, *e.args.front()))
    return nullptr;
  bool areOthers = llvm::all_of(symbols, [](const Symbol *symbol) {
    auto *procedure = llvm::dyn_cast<Procedure>(symbol);
    return procedure &&
           llvm::none_of(formalsOf(*procedure), [](const Symbol *formal) {
             return typeOf(*formal) == Type::Region;
           });
  });
  return areOthers ? entry : nullptr;
}

const Expr *checkCall(Checking &c, const ast::Call &e) {
  llvm::ArrayRef<Symbol *> symbols = c.names.overloads(e.callee.text);
  if (!symbols.empty())
    if (const Predeclared *entry = inquiryBeside(c, e, symbols))
      return checkStandardCall(c, e, *entry);
  if (symbols.empty()) {
    if (const Predeclared *entry = findPredeclared(e.callee.text))
      return checkStandardCall(c, e, *entry);
    c.names.reportUnknown(e.callee.text, e.callee.range);
    return c.build.error(e.range);
  }
  Symbol *symbol = symbols.front();
  if (!llvm::isa<Procedure>(symbol)) {
    auto *variable = llvm::dyn_cast<Variable>(symbol);
    if (!variable || variable->type != Type::Error)
      reportCalled(c, e, *symbol);
    return c.build.error(e.range);
  }
  CallExpr *node = checkProcedureCall(c, e);
  if (!node || node->type == Type::Error)
    return c.build.error(e.range);
  if (node->type == Type::Void) {
    c.diags.report(e.range, Diag::NoValue, node->callee->name)
        .note(node->callee->range, Diag::DeclaredHere, node->callee->name);
    return c.build.error(e.range);
  }
  return node;
}

/// \p called, which is no pattern. If it has parameters that are procedures, it
/// is a heading that stands for the argument, and all else of it is wanted; null
/// after a report.
static Procedure *standIn(Checking &c, Procedure &called,
                          const Resolved &resolved,
                          const Arguments &arguments) {
  if (llvm::none_of(called.params, llvm::IsaPred<Procedure>))
    return &called;
  for (auto [formal, place] :
       llvm::zip(formalsOf(*resolved.procedure), resolved.places)) {
    auto *heading = llvm::dyn_cast<Procedure>(formal);
    if (heading && !procedureFor(c, *heading, *arguments[place].procedure))
      return nullptr;
  }
  auto *rest = c.program.make<Procedure>(called);
  llvm::erase_if(rest->params, llvm::IsaPred<Procedure>);
  return rest;
}

/// The procedure that \p called is for the arguments of a call; a pattern's is
/// an instance. Null after a report.
static Procedure *calledProcedure(Checking &c, Procedure &called,
                                  const Resolved &resolved,
                                  const Arguments &arguments,
                                  SourceRange range) {
  if (!c.patterns.contains(&called))
    return standIn(c, called, resolved, arguments);
  llvm::SmallVector<GivenArgument, 4> given;
  for (auto [formal, place] :
       llvm::zip(formalsOf(*resolved.procedure), resolved.places)) {
    const DefaultValue *other =
        place == TakesDefault ? &c.defaults.find(formal)->second : nullptr;
    const Expr *value = other ? other->value : arguments[place].value;
    const auto &procedure =
        other ? other->procedure : arguments[place].procedure;
    if (!other && arguments[place].distributing)
      given.push_back({Type::Void, nullptr, arguments[place].distributing});
    else if (procedure)
      given.push_back({Type::Void, &*procedure});
    else if (isError(value))
      return nullptr;
    else
      given.push_back({value->type, nullptr});
  }
  return instantiate(c, called, given, range);
}

/// Gives \p node its arguments as written; false after a report.
static bool addArguments(Checking &c, CallExpr &node, const Resolved &resolved,
                         const Arguments &arguments) {
  bool isWrong = false;
  for (auto [formal, place] :
       llvm::zip(formalsOf(*resolved.procedure), resolved.places)) {
    bool isName =
        llvm::isa<Procedure>(formal) ||
        (isGridOrDistribution(*formal) && arguments[place].distributing);
    if (isName)
      continue;
    const Symbol &own = *node.callee->params[node.args.size()];
    const Expr *arg =
        place == TakesDefault
            ? valueArgument(c, c.defaults.find(formal)->second.value, own)
        : isByReference(modeOf(own))
            ? referenceArgument(c, *arguments[place].syntax,
                                arguments[place].value, own)
            : valueArgument(c, arguments[place].value, own);
    isWrong |= isError(arg);
    node.args.push_back(arg);
  }
  return !isWrong;
}

CallExpr *checkProcedureCall(Checking &c, const ast::Call &e) {
  llvm::ArrayRef<Symbol *> overloads = c.names.overloads(e.callee.text);
  // Of a parameter, the heading counts for all but what is called.
  auto bound = c.patterns.bound.find(e.callee.text);
  Symbol *heading = nullptr;
  if (bound != c.patterns.bound.end()) {
    heading = bound->second.heading;
    overloads = heading;
  }
  std::optional<Arguments> arguments = checkArguments(c, e, overloads);
  if (!arguments)
    return nullptr;
  std::optional<Resolved> resolved = resolve(c, e, overloads, *arguments);
  if (!resolved)
    return nullptr;
  Procedure *called = heading ? bound->second.actual : resolved->procedure;
  c.names.markUsed(*called);
  if (llvm::any_of(*arguments, [](const Argument &argument) {
        return argument.value && isError(argument.value);
      }))
    return nullptr;
  Procedure *callee =
      calledProcedure(c, *called, *resolved, *arguments, e.range);
  if (!callee)
    return nullptr;
  c.firstCalls.try_emplace(callee, e.range);
  auto *node = c.program.make<CallExpr>(callee, e.range);
  node->isFree = callee->isFree;
  if (!addArguments(c, *node, *resolved, *arguments))
    return nullptr;
  addBounds(c, *node);
  node->copies.assign(node->args.size(), false);
  return promote(c, *node) ? node : nullptr;
}

void addBounds(Checking &c, CallExpr &call) {
  llvm::SmallVector<const Expr *, 4> bounds;
  for (size_t i = 0, count = call.args.size(); i != count; ++i) {
    const Expr *arg = call.args[i];
    matchBounds(typeOf(*call.callee->params[i]), arg->type,
                [&](TypeBound mine, TypeBound theirs) {
                  if (mine.variable && mine.variable->storage == Storage::Param)
                    bounds.push_back(boundExpr(c, theirs, arg->range));
                  return true;
                });
  }
  auto bound = bounds.begin();
  for (const Symbol *param :
       llvm::drop_begin(call.callee->params, call.args.size())) {
    const Expr *first = llvm::cast<Variable>(param)->init;
    if (first)
      call.args.push_back(first);
    else if (bound != bounds.end())
      call.args.push_back(*bound++);
  }
}

/// An argument for a scalar parameter, passed by value.
static const Expr *scalarArgument(Checking &c, const Expr *value, Type type) {
  // A variable without a value is told here.
  bool isStored = type == Type::Region && !llvm::isa<CallExpr>(value);
  if (isStored && value->type == type)
    return c.program.make<RegionValueExpr>(regionOf(c, value), type,
                                           value->range);
  return fitsBlankBounds(type, value->type) ? value : convert(c, value, type);
}

/// An argument has not the rank of an array parameter.
static const Expr *reportRank(Checking &c, const Expr *value,
                              const Array &formal) {
  std::string found = value->isArray()
                          ? llvm::formatv("rank {0}", value->rank).str()
                          : std::string("a scalar");
  c.diags
      .report(value->range, Diag::ArgumentRank, found, formal.name, formal.rank)
      .note(formal.range, Diag::DeclaredHere, formal.name);
  return c.build.error(value->range);
}

const Expr *valueArgument(Checking &c, const Expr *value,
                          const Symbol &formal) {
  auto *array = llvm::dyn_cast<Array>(&formal);
  bool mayBeFree = !array && llvm::cast<Variable>(formal).isFree;
  if (!mayBeFree && reportFree(c, value))
    return c.build.error(value->range);
  if (isWholeFamily(value) || (array && array->family != Type::Error))
    return familyArgument(c, value, formal) ? value
                                            : c.build.error(value->range);
  if (!array)
    return scalarArgument(c, value, typeOf(formal));
  if (array->rank == 0) // its declaration has been reported
    return c.build.error(value->range);
  if (value->type == Type::Region && c.program.hasSparse) {
    // A sparse region is an array.
    const RegionExpr *region = regionOf(c, value);
    if (region->kind == RegionExpr::Ref || region->place)
      value = patternOf(c, region, c.diags.sources().text(value->range));
    if (isError(value))
      return value;
  }
  if (!value->isArray() ||
      (value->rank != Expr::AnyRank && value->rank != array->rank))
    return reportRank(c, value, *array);
  if (!fitsRank(c, value, array->rank))
    return c.build.error(value->range);
  Builder::settle(*value, array->rank);
  return fitsBlankBounds(array->element, value->type)
             ? value
             : convert(c, value, array->element);
}

/// Whether a family is passed for a formal that is one of the same type, one
/// array for one array; reports otherwise.
static bool familyArgument(Checking &c, const Expr *value,
                           const Symbol &formal) {
  auto *array = llvm::dyn_cast<Array>(&formal);
  bool isFamily = array && array->family != Type::Error;
  if (isFamily && isWholeFamily(value) && value->rank == array->rank &&
      fitsBlankBounds(array->family, value->type))
    return true;
  auto textOf = [](const Array &family) {
    return "array [" + family.family.info()->boundsText + "] of " +
           arrayText(family.rank, family.element);
  };
  std::string wanted = isFamily ? textOf(*array)
                       : array  ? arrayText(array->rank, array->element)
                                : text(typeOf(formal));
  std::string found = isWholeFamily(value)
                          ? textOf(*llvm::cast<ArrayExpr>(value)->array)
                      : value->isArray() ? arrayText(value->rank, value->type)
                                         : text(value->type);
  c.diags.report(value->range, Diag::FamilyArgument, found, formal.name, wanted)
      .note(formal.range, Diag::DeclaredHere, formal.name);
  return false;
}

/// A standard file has no storage of its own; passed by reference it gets one.
static const Expr *constantFile(Checking &c, const Expr *value) {
  auto *holder = hiddenVariable(c, "file", Type::File, value->range);
  holder->isConst = true;
  holder->init = value;
  return c.program.make<VariableExpr>(holder, value->range);
}

namespace {

bool isDesignator(const ast::Expr &e) {
  return llvm::isa<ast::NameRef, ast::Field, ast::Subscript, ast::Multi,
                   ast::At>(e);
}

} // namespace

/// \p value: the argument as a value.
static const Expr *referenceArgument(Checking &c, const ast::Expr &arg,
                                     const Expr *value, const Symbol &formal) {
  if (isWholeFamily(value) && familyArgument(c, value, formal) &&
      checkWritable(c, *llvm::cast<ArrayExpr>(value)->array, arg.range,
                    /*byReference=*/true))
    return value;
  if (isWholeFamily(value))
    return c.build.error(arg.range);
  bool isFile = typeOf(formal) == Type::File && value->type == Type::File;
  if (isFile && llvm::isa<LiteralExpr>(value) && !llvm::isa<ast::Paren>(arg))
    return constantFile(c, value);
  const Expr *target = llvm::isa<ast::At>(arg) || !isDesignator(arg)
                           ? value
                           : checkPlace(c, arg);
  if (isError(target) || typeOf(formal) == Type::Error)
    return c.build.error(arg.range);
  const Expr *root = rootOf(target);
  auto *array = llvm::dyn_cast<ArrayExpr>(root);
  auto *variable = llvm::dyn_cast<VariableExpr>(root);
  if (array && !array->direction.empty()) {
    c.diags.report(arg.range, Diag::AtByReference, formal.name)
        .note(formal.range, Diag::DeclaredHere, formal.name);
    return c.build.error(arg.range);
  }
  if ((!array && !variable) || !isDesignator(arg)) {
    c.diags.report(arg.range, Diag::ReferenceToValue, formal.name)
        .note(formal.range, Diag::DeclaredHere, formal.name);
    return c.build.error(arg.range);
  }
  const Symbol &symbol =
      array ? static_cast<const Symbol &>(*array->array) : *variable->variable;
  if (!isFile && !checkWritable(c, symbol, arg.range, /*byReference=*/true))
    return c.build.error(arg.range);
  return checkReference(c, target, formal, symbol) ? target
                                                   : c.build.error(arg.range);
}

/// Has the place exactly the type of the parameter?
static bool checkReference(Checking &c, const Expr *place, const Symbol &formal,
                           const Symbol &root) {
  if (!checkFreeReference(c, place, formal))
    return false;
  auto *array = llvm::dyn_cast<Array>(&formal);
  auto *parts = llvm::dyn_cast<ArrayExpr>(rootOf(place));
  if (array && array->family != Type::Error)
    return familyArgument(c, place, formal);
  bool isSameRank = !array || (parts && place->rank == array->rank);
  if (isSameRank && fitsBlankBounds(typeOf(formal), place->type))
    return !array || checkUniform(c, place, formal);
  std::string found = parts && (array || llvm::isa<ArrayExpr>(place))
                          ? arrayText(place->rank, place->type)
                          : text(place->type);
  std::string wanted =
      array ? arrayText(array->rank, array->element) : text(typeOf(formal));
  c.diags.report(place->range, Diag::ReferenceType, found, formal.name, wanted)
      .note(formal.range, Diag::DeclaredHere, formal.name)
      .note(root.range, Diag::DeclaredHere, root.name);
  return false;
}

/// A part of the elements of an array that is passed as a whole is the same one
/// everywhere.
static bool checkUniform(Checking &c, const Expr *place, const Symbol &formal) {
  for (; !llvm::isa<ArrayExpr>(place);) {
    if (auto *field = llvm::dyn_cast<FieldExpr>(place)) {
      place = field->base;
      continue;
    }
    auto *element = llvm::cast<SubscriptExpr>(place);
    for (const Expr *subscript : element->subscripts)
      if (subscript->isArray()) {
        c.diags
            .report(subscript->range, Diag::SubscriptByReference, formal.name)
            .note(formal.range, Diag::DeclaredHere, formal.name);
        return false;
      }
    place = element->base;
  }
  return true;
}

/// Gives the call its rank: that of the arrays that stand for scalars, or of
/// its result.
static bool promote(Checking &c, CallExpr &call) {
  llvm::SmallVector<const Expr *, 4> promotedArgs;
  for (unsigned i = 0; i != call.args.size(); ++i) {
    if (passingOf(call, i) != Passing::Promoted)
      continue;
    for (const Expr *other : promotedArgs)
      if (!haveConformingRanks(c, other, call.args[i], call.args[i]->range))
        return false;
    promotedArgs.push_back(call.args[i]);
  }
  Builder::inherit(call, promotedArgs);
  if (call.callee->resultRank != 0 && promotedArgs.empty())
    call.rank = call.callee->resultRank;
  if (promotedArgs.empty())
    return true;
  if (!checkFreePromotion(c, call, *promotedArgs.front()))
    return false;
  for (unsigned i = 0; i != call.args.size(); ++i) {
    const Symbol &formal = *call.callee->params[i];
    if (passingOf(call, i) != Passing::Scalar || !isByReference(modeOf(formal)))
      continue;
    c.diags.report(call.args[i]->range, Diag::PromotedReference, formal.name)
        .highlight(promotedArgs.front()->range)
        .note(formal.range, Diag::DeclaredHere, formal.name);
    return false;
  }
  return true;
}

bool checkWritable(Checking &c, const Symbol &symbol, SourceRange range,
                   bool byReference) {
  auto *variable = llvm::dyn_cast<Variable>(&symbol);
  auto *array = llvm::dyn_cast<Array>(&symbol);
  if (!variable && !array) {
    c.diags
        .report(range, Diag::WrongKind, symbol.name, describe(symbol),
                "a variable")
        .note(symbol.range, Diag::DeclaredHere, symbol.name);
    return false;
  }
  Storage storage = variable ? variable->storage : array->storage;
  bool isConst = variable ? variable->isConst : array->isConst;
  llvm::StringRef what;
  if (storage == Storage::Param && modeOf(symbol) == Mode::Const)
    what = "a read-only parameter";
  else if (isConst)
    what = variable ? describe(symbol) : "a constant";
  else
    return true;
  bool isParam = storage == Storage::Param && modeOf(symbol) == Mode::Const;
  c.diags
      .report(range, byReference ? Diag::ReadOnlyReference : Diag::ReadOnly,
              symbol.name, what)
      .note(symbol.range, isParam ? Diag::ParameterMode : Diag::DeclaredHere,
            symbol.name);
  return false;
}

/// A call of what is no procedure: of an array perhaps its subscripts.
static void reportCalled(Checking &c, const ast::Call &e,
                         const Symbol &symbol) {
  auto *variable = llvm::dyn_cast<Variable>(&symbol);
  bool isIndexed = variable && variable->type == Type::Array;
  if (!isIndexed && !llvm::isa<Array>(symbol)) {
    c.diags
        .report(e.callee.range, Diag::WrongKind, e.callee.text,
                describe(symbol), "a procedure")
        .note(symbol.range, Diag::DeclaredHere, e.callee.text);
    return;
  }
  auto report = c.diags.report(
      e.range, Diag::SubscriptsInParens, e.callee.text,
      isIndexed ? "an indexed array, whose subscripts stand in brackets"
                : "a parallel array, whose elements a region scope chooses");
  report.note(symbol.range, Diag::DeclaredHere, e.callee.text);
  SourceRange open = e.callee.range, close = e.range;
  open.begin = open.end;
  ++open.end;
  close.begin = close.end - 1;
  if (isIndexed && c.diags.sources().text(open) == "(")
    report.fixIt(open, "[").fixIt(close, "]");
}

} // namespace zpl::sema
