//===- Borders.cpp - Implicit storage -------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     var A, B: [R] double;
//     procedure zero(inout Z: [ , ] double);  begin Z := 0; end;
//     procedure close(inout Z: [ , ] double);
//     begin [east of region(Z)] wrap Z; end;
//
//     [north of R] A := 1;        -- A is stored over north of R, too
//     [south of R] zero(A);       -- and over south of R
//     close(B);                   -- B over east of R
//
// Such a border is part of the array where the array is declared, so its
// direction must be known there: constants and config variables declared before
// it. Otherwise nothing is stored, and the run finds the write to be outside.
//
// 1. For each procedure the arrays are found that it writes under the covering
//    region of its call, by itself or through calls: a least fixed point.
// 2. Each instance is gone through with its scopes. What is written in a scope
//    that was made by `of`, itself or under a name or a quote, or by what is
//    called there, gets a border if the base is certainly the region over which
//    the array is declared.
// 3. What a parameter needs is passed on to what is passed by reference for it.
//
// Cost: each instance is gone through once; the calls once per parameter and
// border.
//
//===----------------------------------------------------------------------===//

#include "Arrays/Borders.h"

#include "Arrays/IndexSets.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"

namespace zpl::sema {

namespace {

using ArraySet = llvm::SetVector<Array *>;

/// What is passed for \p array, of the callee, or the array itself; null: one
/// that only the callee knows.
Array *passedArray(const CallExpr &call, Array *array) {
  if (array->storage != Storage::Param)
    return array->storage == Storage::Local ? nullptr : array;
  size_t i =
      llvm::find(call.callee->params, array) - call.callee->params.begin();
  if (i == call.callee->params.size() || !isByReference(array->mode))
    return nullptr;
  return wholeArgument(call, i)->array;
}

//===----------------------------------------------------------------------===//
// What is written under the caller's regions
//===----------------------------------------------------------------------===//

class InheritedWrites : public Visitor {
public:
  ArraySet written;
  struct Call {
    const CallExpr *call;
    std::array<bool, MaxRank + 1> isOpen;
  };
  std::vector<Call> calls;

protected:
  void onOpen(const RegionExpr &region) override { ++open[region.rank]; }
  void onClose(const RegionExpr &region) override { --open[region.rank]; }
  void onWrite(const ArrayExpr &e, unsigned rank) override {
    if (open[rank] == 0 && e.direction.empty())
      written.insert(e.array);
  }
  void onCall(const CallExpr &call, unsigned) override {
    Call made{&call, {}};
    for (unsigned rank = 1; rank <= MaxRank; ++rank)
      made.isOpen[rank] = open[rank] != 0;
    calls.push_back(made);
  }

private:
  std::array<unsigned, MaxRank + 1> open{};
};

using WrittenArrays = llvm::DenseMap<const Procedure *, ArraySet>;

WrittenArrays findInheritedWrites(const CallOrder &order) {
  WrittenArrays written;
  llvm::DenseMap<const Procedure *, InheritedWrites> code;
  for (const Procedure *procedure : order.calleesFirst()) {
    InheritedWrites &own = code[procedure];
    own.visitProcedure(*procedure);
    written[procedure] = own.written;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const Procedure *procedure : order.calleesFirst())
      for (const InheritedWrites::Call &call : code[procedure].calls) {
        ArraySet theirs = written.lookup(call.call->callee);
        for (Array *array : theirs)
          if (Array *passed = passedArray(*call.call, array);
              passed && !call.isOpen[array->rank])
            changed |= written[procedure].insert(passed);
      }
  }
  return written;
}

//===----------------------------------------------------------------------===//
// The borders of arrays
//===----------------------------------------------------------------------===//

/// Where symbols are declared.
class DeclarationOrder {
public:
  explicit DeclarationOrder(const Program &program) {
    for (const Symbol *global : program.globals)
      add(*global, nullptr);
    for (const Procedure *procedure : program.procedures) {
      for (const Symbol *param : procedure->params)
        add(*param, procedure);
      for (const Symbol *local : procedure->locals)
        add(*local, isStatic(*local) ? nullptr : procedure);
    }
  }

  /// Whether \p symbol has its value where \p array is declared.
  bool isBefore(const Symbol &symbol, const Array &array) const {
    Position mine = positions.lookup(&symbol),
             theirs = positions.lookup(&array);
    return (mine.owner == theirs.owner || !mine.owner) &&
           mine.number < theirs.number;
  }

private:
  struct Position {
    const Procedure *owner = nullptr; ///< null: global or static
    size_t number = 0;
  };
  static bool isStatic(const Symbol &symbol) {
    auto *array = llvm::dyn_cast<Array>(&symbol);
    auto *variable = llvm::dyn_cast<Variable>(&symbol);
    return (array && array->storage == Storage::Static) ||
           (variable && variable->storage == Storage::Static);
  }
  void add(const Symbol &symbol, const Procedure *owner) {
    positions[&symbol] = {owner, positions.size() + 1};
  }
  llvm::DenseMap<const Symbol *, Position> positions;
};

class Borders {
public:
  Borders(Program &program, const CallOrder &order, const Surveyor &surveyor,
          const InstanceInfos &infos, DiagnosticEngine &diags)
      : program(program), surveyor(surveyor), diags(diags),
        declarations(program) {
    for (auto &info : infos)
      if (const Procedure *procedure = info->instance->procedure)
        for (const CallExpr *call : order.callsOf(procedure))
          if (const Instance *callee = info->instance->callees.lookup(call))
            callers[callee].push_back({info->instance, call});
  }

  /// \p array needs the border that \p of, whose base is its declared region,
  /// describes. \p instance: to which a parameter belongs.
  void need(Array &array, const RegionExpr &of, const Instance &instance,
            SourceRange range);

private:
  void add(Array &array, const RegionExpr &of, SourceRange range);
  bool isKnown(const Expr &component, const Array &array) const;
  bool isSame(const RegionExpr &a, const RegionExpr &b) const;

  struct Caller {
    const Instance *instance;
    const CallExpr *call;
  };
  Program &program;
  const Surveyor &surveyor;
  DiagnosticEngine &diags;
  DeclarationOrder declarations;
  llvm::DenseMap<const Instance *, std::vector<Caller>> callers;
  llvm::DenseSet<
      std::tuple<const Array *, const RegionExpr *, const Instance *>>
      passedOn;
};

void Borders::need(Array &array, const RegionExpr &of, const Instance &instance,
                   SourceRange range) {
  if (array.storage != Storage::Param)
    return add(array, of, range);
  if (!passedOn.insert({&array, &of, &instance}).second)
    return;
  for (const Caller &caller : callers.lookup(&instance))
    if (Array *passed = passedArray(*caller.call, &array))
      need(*passed, of, *caller.instance, range);
}

void Borders::add(Array &array, const RegionExpr &of, SourceRange range) {
  bool isKnownThere = llvm::all_of(of.direction, [&](const Expr *component) {
    return isKnown(*component, array);
  });
  bool isThere = llvm::any_of(array.borders, [&](const RegionExpr *border) {
    return isSame(*border, of);
  });
  bool isInside = llvm::all_of(of.direction, [](const Expr *component) {
    auto *literal = llvm::dyn_cast<LiteralExpr>(component);
    return literal && literal->integer == 0;
  });
  if (!isKnownThere || isThere || isInside)
    return;
  auto *border = program.make<RegionExpr>(of);
  border->base = array.declared;
  array.borders.push_back(border);
  diags.report(range, Diag::ImplicitStorage, array.name, of.text)
      .note(array.range, Diag::DeclaredHere, array.name);
}

/// Whether \p component has its value, for good, where \p array is declared.
bool Borders::isKnown(const Expr &component, const Array &array) const {
  bool isFine = true;
  forEachExpr(component, [&](const Expr &e) {
    if (auto *variable = llvm::dyn_cast<VariableExpr>(&e)) {
      const Variable &used = *variable->variable;
      bool isFixed = used.isConst || (used.storage == Storage::Param &&
                                      used.mode == Mode::Const);
      isFine &= isFixed && declarations.isBefore(used, array);
    } else if (auto *part = llvm::dyn_cast<ComponentExpr>(&e)) {
      isFine &= declarations.isBefore(*part->direction, array);
    } else {
      isFine &= llvm::isa<LiteralExpr, UnaryExpr, BinaryExpr, MathExpr,
                          CastExpr, ProcessorsExpr>(e);
    }
  });
  return isFine;
}

bool Borders::isSame(const RegionExpr &a, const RegionExpr &b) const {
  return llvm::equal(a.direction, b.direction,
                     [&](const Expr *left, const Expr *right) {
                       return surveyor.form(*left) == surveyor.form(*right);
                     });
}

//===----------------------------------------------------------------------===//
// The scopes of one instance
//===----------------------------------------------------------------------===//

class ScopeVisitor : public PlaceVisitor {
public:
  ScopeVisitor(const Program &program, const Surveyor &surveyor,
               const WrittenArrays &written, InstanceInfo &info,
               Borders &borders)
      : PlaceVisitor(program, surveyor, info), written(written),
        borders(borders) {}

protected:
  void onOpen(const RegionExpr &region) override {
    origins[region.rank].push_back(originOf(region));
    PlaceVisitor::onOpen(region);
  }
  void onClose(const RegionExpr &region) override {
    PlaceVisitor::onClose(region);
    origins[region.rank].pop_back();
  }
  void onWrite(const ArrayExpr &e, unsigned) override {
    if (e.direction.empty())
      writes(*e.array, &e, e.range);
  }
  void onStmt(const Stmt &s) override {
    PlaceVisitor::onStmt(s);
    if (auto *boundary = llvm::dyn_cast<BoundaryStmt>(&s))
      for (const ArrayExpr *e : boundary->arrays)
        writes(*e->array, e, e->range);
  }
  void onCall(const CallExpr &call, unsigned) override {
    for (Array *array : written.lookup(call.callee))
      if (Array *passed = passedArray(call, array))
        writes(*passed, passedReference(call, array), call.range);
  }

private:
  /// Whether \p base is written as what \p reference is declared over: R of an
  /// array over the variable R, `Level[l]` of `U[l]` over `Level[index1]`. If
  /// that has changed in between, storage is made in vain.
  static bool isDeclaredOf(const RegionExpr &base, const ArrayExpr &reference) {
    const Array &array = *reference.array;
    if (base.kind == RegionExpr::Declared)
      return base.array == &array;
    const RegionExpr *declared = array.declared;
    return declared && declared->place && base.place &&
           isSamePlace(*base.place, *declared->place, reference);
  }

  /// Whether \p a is \p b with the subscripts of \p reference for its member.
  static bool isSamePlace(const Expr &a, const Expr &b,
                          const ArrayExpr &reference) {
    if (auto *variable = llvm::dyn_cast<VariableExpr>(&b)) {
      const auto &member = reference.array->member;
      size_t i = llvm::find(member, variable->variable) - member.begin();
      if (i < reference.subscripts.size())
        return isSamePlace(withoutCasts(a),
                           withoutCasts(*reference.subscripts[i]), reference);
      auto *other = llvm::dyn_cast<VariableExpr>(&a);
      return other && other->variable == variable->variable;
    }
    const Expr &left = withoutCasts(a), &right = withoutCasts(b);
    if (&left != &a || &right != &b)
      return isSamePlace(left, right, reference);
    if (a.kind != b.kind)
      return false;
    if (auto *literal = llvm::dyn_cast<LiteralExpr>(&a))
      return literal->integer == llvm::cast<LiteralExpr>(b).integer;
    if (auto *field = llvm::dyn_cast<FieldExpr>(&a))
      return field->field == llvm::cast<FieldExpr>(b).field &&
             isSamePlace(*field->base, *llvm::cast<FieldExpr>(b).base,
                         reference);
    if (auto *sum = llvm::dyn_cast<BinaryExpr>(&a)) {
      auto &other = llvm::cast<BinaryExpr>(b);
      return sum->op == other.op &&
             isSamePlace(*sum->left, *other.left, reference) &&
             isSamePlace(*sum->right, *other.right, reference);
    }
    auto *element = llvm::dyn_cast<SubscriptExpr>(&a);
    if (!element)
      return false;
    auto &other = llvm::cast<SubscriptExpr>(b);
    return isSamePlace(*element->base, *other.base, reference) &&
           llvm::equal(element->subscripts, other.subscripts,
                       [&](const Expr *x, const Expr *y) {
                         return isSamePlace(*x, *y, reference);
                       });
  }
  static const Expr &withoutCasts(const Expr &e) {
    const Expr *at = &e;
    while (auto *conversion = llvm::dyn_cast<CastExpr>(at))
      at = conversion->operand;
    return *at;
  }

  /// The `of` that made a region, and what it was applied to.
  struct Origin {
    const RegionExpr *of;
    Place base;
  };
  std::optional<Origin> originOf(const RegionExpr &region) const {
    if (region.kind == RegionExpr::Of)
      return Origin{&region, survey(*region.base)};
    if (region.kind == RegionExpr::Quote)
      return origins[region.rank].empty() ? std::nullopt
                                          : origins[region.rank].back();
    const RegionExpr *named = &region;
    while (named->kind == RegionExpr::Ref)
      named = named->region->init;
    if (named->kind != RegionExpr::Of)
      return std::nullopt;
    return Origin{named, surveyAtEntry(*named->base)};
  }

  /// What \p call passes for \p array, of the callee, or null.
  static const ArrayExpr *passedReference(const CallExpr &call,
                                          const Array *array) {
    size_t i =
        llvm::find(call.callee->params, array) - call.callee->params.begin();
    return i == call.callee->params.size() ? nullptr : wholeArgument(call, i);
  }

  /// \p array is written in the innermost scope of its rank, by \p reference if
  /// that is known.
  void writes(Array &array, const ArrayExpr *reference, SourceRange range) {
    const auto &scopes = origins[array.rank];
    if (scopes.empty() || !scopes.back() || declaredPlace(array).isSparse)
      return;
    const Origin &origin = *scopes.back();
    bool isOwn = reference && isDeclaredOf(*origin.of->base, *reference);
    if (isOwn || compareSame(origin.base, declaredPlace(array)).verdict ==
                     Verdict::Proven)
      borders.need(array, *origin.of, *info.instance, range);
  }

  const WrittenArrays &written;
  Borders &borders;
  std::array<std::vector<std::optional<Origin>>, MaxRank + 1> origins;
};

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

BorderedParams findBorderedParams(const Program &program,
                                  const CallOrder &order) {
  BorderedParams params;
  std::vector<const CallExpr *> calls = callsOfInitializers(program);
  for (const Procedure *procedure : order.calleesFirst())
    llvm::append_range(calls, order.callsOf(procedure));
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallExpr *call : calls)
      for (unsigned i = 0; i != call->args.size(); ++i) {
        const ArrayExpr *whole = wholeArgument(*call, i);
        if (!whole)
          continue;
        const Array *array = whole->array;
        if (!array->borders.empty() || params.contains(array))
          changed |= params.insert(arrayParam(*call->callee, i)).second;
      }
  }
  return params;
}

} // namespace

BorderedParams findBorders(Program &program, const CallOrder &order,
                           const Surveyor &surveyor, InstanceInfos &infos,
                           DiagnosticEngine &diags) {
  WrittenArrays written = findInheritedWrites(order);
  Borders borders(program, order, surveyor, infos, diags);
  for (auto &info : infos)
    ScopeVisitor(program, surveyor, written, *info, borders).run();
  return findBorderedParams(program, order);
}

} // namespace zpl::sema
