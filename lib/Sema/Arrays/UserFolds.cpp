//===- UserFolds.cpp - Operators that programs define ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure minloc(): spot;                                 -- identity
//     procedure minloc(v: double; i: integer; inout acc: spot); -- accumulator
//     procedure minloc(inout a, acc: spot);                     -- combiner
//
//     best := minloc<< (A, Index1);
//
// The signatures alone tell what each overload is. The types of the states are
// those that identities make. The best of the overloads that take the operands
// into such a state is chosen as for a call; then there must be one identity
// and one combiner of that state.
//
// Overloads come in several forms. So that what follows knows one, the steps
// are procedures made here, which call them:
//
//     procedure minloc.identity(out acc: spot);
//     begin acc := minloc(); end;
//
//     procedure minloc.accumulate(v1: double; v2: integer; inout acc: spot);
//     begin minloc(v1, v2, acc); end;
//
//     procedure minloc.combine(inout a, acc: spot);
//     begin minloc(a, acc); end;
//
// They are scalar or parallel as other procedures are; Parallel.cpp refuses
// parallel ones.
//
// Cost: operands times overloads of the name.
//
//===----------------------------------------------------------------------===//

#include "Arrays/UserFolds.h"
#include "Check/Calls.h"
#include "Check/Operators.h"

#include "Check/Checking.h"
#include "Names/Predeclared.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

namespace {

bool isReference(const Symbol *formal) {
  return isByReference(modeOf(*formal));
}

bool mayBeSameState(Type a, Type b) {
  return a == b || (a == Type::Array && b == Type::Array);
}

/// What can be sent to another processor and kept in an array.
bool isState(Type type) {
  Type element = innermostElement(type);
  return element != Type::Timer && element != Type::File &&
         element != Type::Opaque && element != Type::Region &&
         element != Type::Direction;
}

FoldOverload classifyFunction(FoldOverload overload,
                              llvm::ArrayRef<Symbol *> formals) {
  Type result = overload.procedure->result;
  overload.state = result;
  if (formals.empty())
    overload.role = FoldRole::Identity;
  else if (llvm::any_of(formals, isReference))
    overload.why = "has a result and a parameter by reference";
  else if (formals.size() != 2)
    overload.why = "has a result, but not two parameters";
  else if (!llvm::all_of(formals, [&](const Symbol *formal) {
             return mayBeSameState(typeOf(*formal), result);
           }))
    overload.why = "has operands and a result of different types";
  else
    overload.role = FoldRole::Combiner;
  return overload;
}

} // namespace

FoldOverload classify(Procedure &procedure) {
  FoldOverload overload;
  overload.procedure = &procedure;
  llvm::ArrayRef<Symbol *> formals = formalsOf(procedure);
  if (procedure.resultRank != 0 ||
      llvm::any_of(formals, llvm::IsaPred<Array>)) {
    overload.why = "takes or returns a parallel array";
    return overload;
  }
  if (llvm::any_of(formals, llvm::IsaPred<Procedure>)) {
    overload.why = "takes a procedure";
    return overload;
  }
  if (llvm::any_of(formals, [](const Symbol *formal) {
        return innermostElement(typeOf(*formal)) == Type::Generic;
      })) {
    overload.why = "is generic";
    return overload;
  }
  if (procedure.result != Type::Void)
    return classifyFunction(overload, formals);
  if (formals.empty()) {
    overload.why = "has neither parameters nor a result";
    return overload;
  }
  const Symbol *last = formals.back();
  overload.state = typeOf(*last);
  if (!isReference(last))
    overload.why = "has no result and takes '" + last->name + "' by value";
  else if (formals.size() == 1)
    overload.role = FoldRole::Identity;
  else if (llvm::none_of(formals.drop_back(), isReference))
    overload.role = FoldRole::Accumulator;
  else if (formals.size() == 2 &&
           mayBeSameState(typeOf(*formals.front()), typeOf(*formals.back())))
    overload.role = FoldRole::States;
  else
    overload.why = "takes '" + (*llvm::find_if(formals, isReference))->name +
                   "' by reference, which is no state";
  return overload;
}

//===----------------------------------------------------------------------===//
// Identity, accumulator, combiner
//===----------------------------------------------------------------------===//

namespace {

class FoldResolver {
public:
  FoldResolver(DiagnosticEngine &diags, const ast::Name &name,
               std::vector<FoldOverload> overloads,
               llvm::ArrayRef<const Expr *> operands)
      : diags(diags), name(name), overloads(std::move(overloads)),
        operands(operands) {}

  const FoldOverload *identity = nullptr, *accumulator = nullptr,
                     *combiner = nullptr;
  Type state;

  /// False after a report.
  bool run() {
    if (!findIdentities() || !findAccumulator())
      return false;
    if (!isState(state)) {
      diags.report(name.range, Diag::FoldStateType, text(state))
          .note(accumulator->procedure->range, Diag::DeclaredHere, name.text);
      return false;
    }
    return findIdentity() && findCombiner();
  }

private:
  using List = llvm::SmallVector<const FoldOverload *, 4>;

  bool findIdentities() {
    for (const FoldOverload &overload : overloads)
      if (overload.role == FoldRole::Identity)
        identities.push_back(&overload);
    if (!identities.empty())
      return true;
    auto report = diags.report(name.range, Diag::FoldIdentity, name.text);
    addCandidates(report, [](const FoldOverload &overload) -> std::string {
      switch (overload.role) {
      case FoldRole::Accumulator:
        return "is an accumulator";
      case FoldRole::Combiner:
      case FoldRole::States:
        return "is a combiner";
      case FoldRole::Identity:
      case FoldRole::None:
        return overload.why;
      }
      llvm_unreachable("role");
    });
    return false;
  }

  /// The formals that the operands go to, if there are as many.
  llvm::ArrayRef<Symbol *> elementFormals(const FoldOverload &overload) const {
    llvm::ArrayRef<Symbol *> formals = formalsOf(*overload.procedure);
    if (overload.role == FoldRole::Combiner)
      return formals.drop_front();
    if (overload.role == FoldRole::Accumulator)
      return formals.drop_back();
    return {};
  }

  void consider(const FoldOverload &overload, Fit fit) {
    for (const FoldOverload *made : identities) {
      if (!isOf(overload, made->state))
        continue;
      bool isBetter = best.empty() || fit.key() < best.front().fit.key();
      if (isBetter)
        best.clear();
      bool isKnown = llvm::any_of(best, [&](const FoldChoice &choice) {
        return choice.overload == &overload && choice.state == made->state;
      });
      if (best.empty() || (!isKnown && fit.key() == best.front().fit.key()))
        best.push_back({&overload, made->state, fit});
    }
  }

  bool findAccumulator() {
    const FoldOverload *withoutIdentity = nullptr;
    for (const FoldOverload &overload : overloads) {
      std::optional<Fit> fit = fitArguments(elementFormals(overload), operands);
      if (!fit)
        continue;
      size_t before = best.size();
      consider(overload, *fit);
      if (best.size() == before && best.empty())
        withoutIdentity = &overload;
    }
    if (best.size() == 1) {
      accumulator = best.front().overload;
      state = best.front().state;
      return true;
    }
    if (best.size() > 1) {
      auto report =
          diags.report(name.range, Diag::FoldAmbiguous, name.text,
                       "take (" + typesText(operands) + ") equally well");
      for (const FoldChoice &choice : best)
        report.note(choice.overload->procedure->range, Diag::FoldStateHere,
                    "for a state of type", text(choice.state));
      return false;
    }
    if (withoutIdentity)
      reportStates(*withoutIdentity, *identities.front());
    else
      reportNoAccumulator();
    return false;
  }

  void reportNoAccumulator() {
    auto report = diags.report(name.range, Diag::FoldAccumulator, name.text,
                               typesText(operands));
    for (const Expr *operand : operands)
      report.highlight(operand->range);
    addCandidates(report, [&](const FoldOverload &overload) -> std::string {
      switch (overload.role) {
      case FoldRole::Identity:
        return "is an identity";
      case FoldRole::States:
        return "is a combiner of states: it takes '" +
               formalsOf(*overload.procedure).front()->name + "' by reference";
      case FoldRole::Accumulator:
      case FoldRole::Combiner: {
        std::string types;
        for (const Symbol *formal : elementFormals(overload))
          types += (types.empty() ? "" : ", ") + text(typeOf(*formal));
        return "takes elements (" + types + ")";
      }
      case FoldRole::None:
        return overload.why;
      }
      llvm_unreachable("role");
    });
  }

  /// Are all states of the overload of this type?
  static bool isOf(const FoldOverload &overload, Type state) {
    llvm::ArrayRef<Symbol *> formals = formalsOf(*overload.procedure);
    bool ofFirst = overload.role == FoldRole::Combiner ||
                   overload.role == FoldRole::States;
    return fitsBlankBounds(overload.state, state) &&
           (!ofFirst || fitsBlankBounds(typeOf(*formals.front()), state)) &&
           (overload.role != FoldRole::Combiner ||
            fitsBlankBounds(typeOf(*formals.back()), state));
  }

  bool findIdentity() {
    List found;
    for (const FoldOverload *made : identities)
      if (made->state == state)
        found.push_back(made);
    identity = only(found, "are identities of type " + text(state));
    return identity;
  }

  /// Whether it combines two states.
  static bool combines(const FoldOverload &overload, Type state) {
    if (overload.role == FoldRole::Accumulator) {
      llvm::ArrayRef<Symbol *> formals = formalsOf(*overload.procedure);
      return formals.size() == 2 && isOf(overload, state) &&
             fitsBlankBounds(typeOf(*formals.front()), state);
    }
    return (overload.role == FoldRole::Combiner ||
            overload.role == FoldRole::States) &&
           isOf(overload, state);
  }

  bool findCombiner() {
    List found, others;
    for (const FoldOverload &overload : overloads) {
      if (combines(overload, state))
        found.push_back(&overload);
      else if (overload.role == FoldRole::Combiner ||
               overload.role == FoldRole::States)
        others.push_back(&overload);
    }
    if (found.empty() && !others.empty()) {
      reportStates(*others.front(), *accumulator);
      return false;
    }
    if (found.empty()) {
      diags.report(name.range, Diag::FoldCombiner, name.text, text(state))
          .note(
              accumulator->procedure->range, Diag::FoldStateHere,
              "elements are taken into it here:", "'" + name.text.str() + "'");
      return false;
    }
    combiner = only(found, "combine two states of type " + text(state));
    return combiner;
  }

  const FoldOverload *only(const List &found, const std::string &what) {
    if (found.size() == 1)
      return found.front();
    auto report =
        diags.report(name.range, Diag::FoldAmbiguous, name.text, what);
    for (const FoldOverload *overload : found)
      report.note(overload->procedure->range, Diag::Candidate, name.text);
    return nullptr;
  }

  static llvm::StringRef roleText(const FoldOverload &overload) {
    switch (overload.role) {
    case FoldRole::Identity:
      return "the identity is of type";
    case FoldRole::Accumulator:
      return "elements are taken into a state of type";
    case FoldRole::Combiner:
    case FoldRole::States:
      return "combined are states of type";
    case FoldRole::None:
      break;
    }
    llvm_unreachable("has no state");
  }

  void reportStates(const FoldOverload &one, const FoldOverload &other) {
    auto report = diags.report(name.range, Diag::FoldStates, name.text);
    for (const FoldOverload *overload : {&one, &other})
      report.note(overload->procedure->range, Diag::FoldStateHere,
                  roleText(*overload), text(overload->state));
  }

  void
  addCandidates(DiagnosticBuilder &report,
                llvm::function_ref<std::string(const FoldOverload &)> whyNot) {
    constexpr size_t MostNotes = 8;
    for (const FoldOverload &overload :
         llvm::ArrayRef(overloads).take_front(MostNotes))
      report.note(overload.procedure->range, Diag::FoldCandidate, name.text,
                  whyNot(overload));
  }

  DiagnosticEngine &diags;
  const ast::Name &name;
  std::vector<FoldOverload> overloads;
  llvm::ArrayRef<const Expr *> operands;
  List identities;
  llvm::SmallVector<FoldChoice, 2> best; ///< equally good
};

} // namespace

//===----------------------------------------------------------------------===//
// The steps
//===----------------------------------------------------------------------===//

static const CallExpr *foldAccumulation(Checking &c, Procedure &accumulator,
                                        bool isCombiner,
                                        llvm::ArrayRef<const Expr *> operands,
                                        const Expr *acc, SourceRange range);

/// The procedures that the operator's name means; none after a report.
static std::vector<FoldOverload> foldOverloads(Checking &c,
                                               const ast::FoldOperator &op) {
  llvm::ArrayRef<Symbol *> symbols = c.names.overloads(op.name.text);
  if (symbols.empty()) {
    if (findPredeclared(op.name.text))
      c.diags
          .report(op.name.range, Diag::WrongKind, op.name.text,
                  "a predeclared name", "a procedure of this program")
          .done();
    else
      c.names.reportUnknown(op.name.text, op.name.range);
    return {};
  }
  std::vector<FoldOverload> overloads;
  for (Symbol *symbol : symbols) {
    auto *procedure = llvm::dyn_cast<Procedure>(symbol);
    if (!procedure) {
      c.diags
          .report(op.name.range, Diag::WrongKind, op.name.text,
                  describe(*symbol), "a procedure")
          .note(symbol->range, Diag::DeclaredHere, op.name.text);
      return {};
    }
    c.names.markUsed(*procedure);
    if (llvm::any_of(formalsOf(*procedure), [](const Symbol *formal) {
          return typeOf(*formal) == Type::Error;
        }))
      return {}; // its declaration has been reported
    overloads.push_back(classify(*procedure));
  }
  return overloads;
}

/// A procedure that calls \p of; \p params are the types of its parameters, of
/// which the last \p references are by reference. \p body makes what it does
/// of its parameters.
static Procedure *
foldStep(Checking &c, const Procedure &of, llvm::StringRef what,
         llvm::ArrayRef<Type> params, unsigned references, Mode mode,
         llvm::function_ref<Stmt *(llvm::ArrayRef<const Expr *>)> body) {
  std::string name = (of.name + "." + what).str();
  for (Procedure *made : c.made.foldSteps)
    if (made->stepOf == &of && made->name == name &&
        llvm::equal(made->params, params, [](const Symbol *param, Type type) {
          return typeOf(*param) == type;
        }))
      return made;
  auto *step = c.program.make<Procedure>(name, of.range);
  step->stepOf = &of;
  step->bodyRange = of.range;
  size_t values = params.size() - references;
  llvm::SmallVector<const Expr *, 4> args;
  for (auto [i, type] : llvm::enumerate(params)) {
    std::string name = i < values              ? llvm::formatv("v{0}", i + 1)
                       : i + 1 < params.size() ? std::string("a")
                                               : std::string("acc");
    auto *param = c.program.make<Variable>(name, of.range);
    param->type = type;
    param->storage = Storage::Param;
    param->mode = i < values ? Mode::Const : mode;
    step->params.push_back(param);
    args.push_back(c.program.make<VariableExpr>(param, of.range));
  }
  step->body = body(args);
  c.program.procedures.push_back(step);
  c.made.foldSteps.push_back(step);
  return step;
}

/// A call of one of the user's procedures; its result, if any, goes to \p to.
static Stmt *foldCall(Checking &c, Procedure &callee,
                      llvm::ArrayRef<const Expr *> args, const Expr *to) {
  auto *call = c.program.make<CallExpr>(&callee, callee.range);
  call->args.assign(args.begin(), args.end());
  addBounds(c, *call);
  call->copies.assign(call->args.size(), false);
  if (callee.result == Type::Void)
    return c.program.make<CallStmt>(call, callee.range);
  return c.program.make<AssignStmt>(to, call, callee.range);
}

namespace {

CallExpr *callOf(Program &program, Procedure *step,
                 llvm::ArrayRef<const Expr *> args, SourceRange range) {
  auto *call = program.make<CallExpr>(step, range);
  call->args.assign(args.begin(), args.end());
  call->copies.assign(args.size(), false);
  return call;
}

} // namespace

const UserFold *userFold(Checking &c, const ast::FoldOperator &op,
                         llvm::ArrayRef<const Expr *> operands) {
  std::vector<FoldOverload> overloads = foldOverloads(c, op);
  if (overloads.empty())
    return nullptr;
  FoldResolver found(c.diags, op.name, std::move(overloads), operands);
  if (!found.run())
    return nullptr;
  SourceRange range = op.name.range;
  auto *fold = c.program.make<UserFold>();
  fold->name = op.name.text.str();
  auto state = [&](llvm::StringRef name) {
    auto *variable = c.program.make<Variable>(name, range);
    variable->type = found.state;
    variable->storage = Storage::Local;
    variable->isHidden = true;
    return variable;
  };
  fold->state = state("acc");
  fold->before = state("a");
  for (const FoldOverload *used :
       {found.identity, found.accumulator, found.combiner})
    c.firstCalls.try_emplace(used->procedure, range);

  Type type = found.state;
  const Expr *acc = c.program.make<VariableExpr>(fold->state, range);
  Procedure &identity = *found.identity->procedure;
  Procedure *step = foldStep(
      c, identity, "identity", type, 1, Mode::Out,
      [&](llvm::ArrayRef<const Expr *> params) {
        bool isFunction = identity.result != Type::Void;
        return foldCall(c, identity, isFunction ? params.drop_back() : params,
                        params.back());
      });
  fold->identity = callOf(c.program, step, acc, range);

  Procedure &combiner = *found.combiner->procedure;
  step = foldStep(c, combiner, "combine", {type, type}, 2, Mode::InOut,
                  [&](llvm::ArrayRef<const Expr *> params) {
                    return foldCall(c, combiner, params, params.back());
                  });
  const Expr *before = c.program.make<VariableExpr>(fold->before, range);
  fold->combine = callOf(c.program, step, {before, acc}, range);
  fold->accumulate = foldAccumulation(
      c, *found.accumulator->procedure,
      found.accumulator->role == FoldRole::Combiner, operands, acc, range);
  return fold->accumulate ? fold : nullptr;
}

/// The call that takes \p operands into \p acc; null after a report.
static const CallExpr *foldAccumulation(Checking &c, Procedure &accumulator,
                                        bool isCombiner,
                                        llvm::ArrayRef<const Expr *> operands,
                                        const Expr *acc, SourceRange range) {
  llvm::SmallVector<const Expr *, 4> args;
  llvm::SmallVector<Type, 4> types;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    Type formal = typeOf(*accumulator.params[isCombiner ? 1 : i]);
    bool isOne = fitsBlankBounds(formal, operand->type);
    args.push_back(isOne ? operand : convert(c, operand, formal));
    if (isError(args.back()))
      return nullptr;
    for (const Expr *earlier : llvm::ArrayRef(args).drop_back())
      if (!haveConformingRanks(c, earlier, args.back(), args.back()->range))
        return nullptr;
    types.push_back(args.back()->type);
  }
  types.push_back(acc->type);
  Procedure *step = foldStep(
      c, accumulator, "accumulate", types, 1, Mode::InOut,
      [&](llvm::ArrayRef<const Expr *> params) {
        if (!isCombiner)
          return foldCall(c, accumulator, params, nullptr);
        return foldCall(c, accumulator, {params.back(), params.front()},
                        params.back());
      });
  args.push_back(acc);
  CallExpr *call = callOf(c.program, step, args, range);
  Builder::inherit(*call, llvm::ArrayRef(args).drop_back());
  return call;
}

} // namespace zpl::sema
