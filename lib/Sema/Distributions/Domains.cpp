//===- Domains.cpp - Which domain everything belongs to -------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     domain One: Blk = R;  Two: Cyc = S;
//     var A, B: [R] double;  X: [S] double;
//
//     [R] A := B + X;                      -- illegal: 'X' is of domain 'Two'
//     [1..n, 1..n] A := X;                 -- illegal, though the literal is of none
//     [R] A := B + X#[Index1, Index2];     -- fine: the source may be of any
//     [1..n, 1..n] k := (+<< A) + (+<< X); -- fine: two reductions to scalars
//
// An array belongs to the domain of the region it is declared over, which each
// instance of a procedure knows (Program/Instances.cpp). It is compared with
// the region that covers it, and, as a literal has no domain, with the array of
// its rank that came first in the same statement. A reduction to a scalar, an
// item of input or output and an argument are statements of their own here.
//
// Cost: linear in the code of the instances; nothing if the program declares no
// domain.
//
//===----------------------------------------------------------------------===//

#include "Distributions/Domains.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace zpl::sema {

namespace {

/// "domain 'Big'", "the default domain of rank 2".
std::string domainText(const Domain &domain) {
  if (!domain.distribution)
    return llvm::formatv("the default domain of rank {0}", domain.rank).str();
  return "domain '" + domain.name + "'";
}

class DomainChecker : public PlaceVisitor {
public:
  DomainChecker(const Program &program, const Surveyor &surveyor,
                InstanceInfo &info, llvm::DenseSet<const Expr *> &reported,
                DiagnosticEngine &diags)
      : PlaceVisitor(program, surveyor, info), reported(reported),
        diags(diags) {}

  void store();

protected:
  void onOpen(const RegionExpr &region) override {
    PlaceVisitor::onOpen(region);
    scopes[region.rank].push_back(&region);
  }
  void onClose(const RegionExpr &region) override {
    scopes[region.rank].pop_back();
    PlaceVisitor::onClose(region);
  }
  void onRead(const ArrayExpr &e, unsigned rank) override { member(e, rank); }
  void onWrite(const ArrayExpr &e, unsigned rank) override { member(e, rank); }
  void onExpr(const Expr &e) override {
    auto *reduce = llvm::dyn_cast<ReduceExpr>(&e);
    if (reduce && !reduce->source)
      separate(*reduce->operand);
    if (auto *call = llvm::dyn_cast<CallExpr>(&e))
      for (unsigned i = 0; i != call->args.size(); ++i)
        if (passingOf(*call, i) == Passing::Temporary)
          separate(*call->args[i]);
  }
  void onStmt(const Stmt &s) override;

private:
  /// The array of a statement, or of a part that is one by itself, that its
  /// others are compared with.
  using Groups =
      llvm::DenseMap<std::pair<const Expr *, unsigned>, const ArrayExpr *>;

  void separate(const Expr &part);
  void member(const ArrayExpr &e, unsigned rank);
  void boundary(const BoundaryStmt &s);
  void report(const ArrayExpr &e, const std::string &other,
              const Domain &otherDomain, SourceRange note);
  void store(const Symbol &symbol, const Domain *domain);

  llvm::DenseSet<const Expr *> &reported;
  DiagnosticEngine &diags;
  std::array<llvm::SmallVector<const RegionExpr *, 4>, MaxRank + 1> scopes;
  llvm::DenseMap<const Expr *, const Expr *> parts; ///< of arrays, see separate
  Groups groups;
  llvm::DenseSet<const Stmt *> inWave; ///< the statements of scan blocks
};

/// The arrays in \p part make a statement by themselves.
void DomainChecker::separate(const Expr &part) {
  forEachExpr(part, [&](const Expr &e) {
    if (llvm::isa<ArrayExpr>(e))
      parts[&e] = &part;
  });
}

void DomainChecker::onStmt(const Stmt &s) {
  PlaceVisitor::onStmt(s);
  if (!inWave.contains(&s))
    groups.clear();
  if (auto *assign = llvm::dyn_cast<ArrayAssignStmt>(&s)) {
    auto *target = llvm::cast<ArrayExpr>(rootOf(assign->target));
    groups.try_emplace({nullptr, target->rank}, target);
  } else if (auto *wave = llvm::dyn_cast<WaveStmt>(&s)) {
    inWave.insert(wave->body.begin(), wave->body.end());
  } else if (auto *write = llvm::dyn_cast<WriteStmt>(&s)) {
    for (const WriteItem &item : write->items)
      if (item.value)
        separate(*item.value);
  } else if (auto *read = llvm::dyn_cast<ReadStmt>(&s)) {
    for (const ReadItem &item : read->items)
      separate(*item.place);
  } else if (auto *filled = llvm::dyn_cast<BoundaryStmt>(&s)) {
    boundary(*filled);
  }
}

void DomainChecker::report(const ArrayExpr &e, const std::string &other,
                           const Domain &otherDomain, SourceRange note) {
  if (!reported.insert(&e).second)
    return;
  const Domain &domain = *declaredPlace(*e.array).domain;
  auto message =
      diags.report(e.range, Diag::MixedDomains, "'" + e.text + "'",
                   domainText(domain), other, domainText(otherDomain));
  message.note(e.array->range, Diag::DeclaredHere, e.array->name);
  if (note.isValid())
    message.note(note, Diag::CoveredHere);
  for (const Domain *named : {&domain, &otherDomain})
    if (named->distribution)
      message.note(named->range, Diag::DeclaredHere, named->name);
  for (const InstanceInfo *at = &info; at->firstCall; at = at->firstCaller)
    message.note(at->firstCall->range, Diag::CalledFromHere,
                 at->firstCall->callee->name);
}

void DomainChecker::member(const ArrayExpr &e, unsigned rank) {
  if (rank != e.array->rank)
    return;
  const Domain *domain = declaredPlace(*e.array).domain;
  const Domain *covering = cover(rank).domain;
  if (covering && covering != domain) {
    SourceRange scope =
        scopes[rank].empty() ? SourceRange() : scopes[rank].back()->range;
    return report(e, "the covering region", *covering, scope);
  }
  auto [first, isNew] = groups.try_emplace({parts.lookup(&e), rank}, &e);
  const ArrayExpr &other = *first->second;
  const Domain *others = declaredPlace(*other.array).domain;
  if (!isNew && others != domain)
    report(e, "'" + other.text + "'", *others, SourceRange());
}

/// `[d of R] wrap A` fills A from A in R.
void DomainChecker::boundary(const BoundaryStmt &s) {
  const Domain *base = survey(*s.base).domain;
  for (const ArrayExpr *e : s.arrays)
    if (base && declaredPlace(*e->array).domain != base)
      report(*e, "the region", *base, s.base->range);
}

void DomainChecker::store(const Symbol &symbol, const Domain *domain) {
  if (domain && domain->distribution)
    info.instance->domains[&symbol] = domain;
}

/// Notes the domains of what is declared by the procedure of the instance, or
/// by the program.
void DomainChecker::store() {
  auto storeSymbol = [&](Symbol *symbol) {
    if (auto *array = llvm::dyn_cast<Array>(symbol))
      store(*array, declaredPlace(*array).domain);
    auto *region = llvm::dyn_cast<Region>(symbol);
    if (!region)
      return;
    RegionExpr named;
    named.kind = RegionExpr::Ref;
    named.rank = region->rank();
    named.region = region;
    store(*region, surveyAtEntry(named).domain);
  };
  auto isStatic = [](const Symbol *symbol) {
    auto *array = llvm::dyn_cast<Array>(symbol);
    return array && array->storage == Storage::Static;
  };
  if (const Procedure *procedure = info.instance->procedure) {
    llvm::for_each(procedure->params, storeSymbol);
    for (Symbol *local : procedure->locals)
      if (!isStatic(local))
        storeSymbol(local);
    return;
  }
  llvm::for_each(program.globals, storeSymbol);
  for (const Procedure *procedure : program.procedures)
    for (Symbol *local : procedure->locals)
      if (isStatic(local))
        storeSymbol(local);
}

} // namespace

void checkDomains(const Program &program, const Surveyor &surveyor,
                  InstanceInfos &infos, DiagnosticEngine &diags) {
  if (llvm::none_of(program.globals, [](const Symbol *symbol) {
        return llvm::isa<Domain>(symbol);
      }))
    return;
  llvm::DenseSet<const Expr *> reported;
  for (auto &info : infos) {
    DomainChecker checker(program, surveyor, *info, reported, diags);
    checker.store();
    checker.run();
  }
}

} // namespace zpl::sema
