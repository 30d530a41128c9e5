//===- Distributions.cpp - Grids, distributions, domains ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     grid G = [ , 1];
//     distribution D: G = [cut(points), owner];  Blk = [block, block];
//     region R: D = [1..n, 1..m];                -- domain "D", made here
//     domain Square: Blk = V, W;                 -- binds V and W
//     var E: distribution = Blk;
//     E <=# Cyc;
//     [R] balance(E, Work);
//
// What is bound to a distribution by its name forms one domain with its name,
// made at the first use; a grid stands for blocks over it. The words for kinds
// of dimensions are no reserved ones: a procedure that is called `cyclic` is
// meant where it is declared. Which domain a region belongs to that is bound to
// none is found from what it is made of (Check/Places.cpp).
//
// Cost: linear in the declarations; a domain looks at the arrays before it.
//
//===----------------------------------------------------------------------===//

#include "Distributions/Distributions.h"
#include "Arithmetic/Stencils.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Inquiry.h"
#include "Check/Operators.h"
#include "Check/Values.h"
#include "Distributions/DistributionValues.h"
#include "Statements/Declarations.h"
#include "Statements/Initializers.h"
#include "Statements/Statements.h"
#include "Types/Types.h"
#include "Types/ValueTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

namespace zpl::sema {

void makeDefaultDomains(Program &program) {
  for (unsigned rank = 1; rank <= MaxRank; ++rank) {
    auto *domain = program.make<Domain>("", SourceRange());
    domain->rank = rank;
    program.defaultDomains[rank] = domain;
  }
}

bool mayBeScattered(const Distribution *distribution) {
  if (!distribution)
    return false;
  llvm::SmallVector<const Distribution *, 4> open = {distribution};
  llvm::DenseSet<const Distribution *> seen;
  while (!open.empty()) {
    const Distribution *at = open.pop_back_val();
    if (!seen.insert(at).second)
      continue;
    open.append(at->values.begin(), at->values.end());
    for (const Distribution::Dim &dim : at->dims)
      if (dim.kind == Distribution::Dim::Cyclic ||
          dim.kind == Distribution::Dim::BlockCyclic ||
          dim.kind == Distribution::Dim::Function)
        return true;
  }
  return false;
}

/// The symbol that \p name means, for something that is \p wanted ("a grid");
/// null after a report, and for what has been reported.
static Symbol *symbolNamed(Checking &c, const ast::Name &name,
                           llvm::StringRef wanted,
                           llvm::function_ref<bool(const Symbol &)> isFine) {
  if (name.text.empty())
    return nullptr;
  Symbol *symbol = c.names.find(name.text);
  if (!symbol) {
    c.names.reportUnknown(name.text, name.range);
    return nullptr;
  }
  if (isFine(*symbol))
    return symbol;
  auto *variable = llvm::dyn_cast<Variable>(symbol);
  if (!variable || variable->type != Type::Error)
    c.diags
        .report(name.range, Diag::WrongKind, name.text, describe(*symbol),
                wanted)
        .note(symbol->range, Diag::DeclaredHere, name.text);
  return nullptr;
}

/// Adds a global symbol that stands for a name of the program.
template <typename T>
static T *addMade(Checking &c, llvm::StringRef name, SourceRange range) {
  auto *symbol = c.program.make<T>(name, range);
  c.program.globals.push_back(symbol);
  return symbol;
}

//===----------------------------------------------------------------------===//
// Grids
//===----------------------------------------------------------------------===//

/// A replicated value of an integral type, as a Longint; null after a report.
static const Expr *longNumber(Checking &c, const ast::Expr &e,
                              llvm::StringRef what) {
  const Expr *value = checkScalar(c, e, what);
  if (isError(value))
    return nullptr;
  if (isIntegral(value->type))
    return c.build.cast(value, Type::Longint);
  c.diags.report(e.range, Diag::IndexType, what, text(value->type)).done();
  return nullptr;
}

/// The same of at least 1, as far as it is known.
static const Expr *positiveNumber(Checking &c, const ast::Expr &e,
                                  llvm::StringRef what) {
  const Expr *value = longNumber(c, e, what);
  auto *literal = llvm::dyn_cast_or_null<LiteralExpr>(value);
  if (!literal || literal->integer >= 1)
    return value;
  c.diags.report(e.range, Diag::NotPositive, what, literal->integer).done();
  return nullptr;
}

/// Whether \p rank is one that regions have.
static bool isRank(Checking &c, size_t rank, SourceRange range) {
  if (rank <= MaxRank)
    return true;
  c.diags.report(range, Diag::RankTooHigh, rank, MaxRank).done();
  return false;
}

void checkGridDecl(Checking &c, const ast::GridDecl &d) {
  bool isFine = isRank(c, d.extents.size(), d.range);
  llvm::SmallVector<const Expr *, 6> extents;
  for (const ast::Expr *extent : d.extents) {
    extents.push_back(extent ? positiveNumber(c, *extent, "extent of a grid")
                             : nullptr);
    isFine &= !extent || extents.back();
  }
  if (!isFine)
    return declareDummy(c, d.name);
  auto *grid = c.program.make<Grid>(d.name.text, d.name.range);
  grid->rank = extents.size();
  grid->extents = std::move(extents);
  addSymbol(c, grid);
}

static Grid *gridNamed(Checking &c, const ast::Name &name) {
  return llvm::cast_or_null<Grid>(symbolNamed(
      c, name, "a grid", [](const Symbol &s) { return llvm::isa<Grid>(s); }));
}

const Expr *checkGridPlace(Checking &c, const ast::Call &e, bool isOwn) {
  auto *name = llvm::dyn_cast<ast::NameRef>(e.args[0]);
  if (!name) {
    c.diags.report(e.args[0]->range, Diag::NotAGrid, e.callee.text).done();
    return c.build.error(e.range);
  }
  const Grid *grid = gridNamed(c, {name->name, name->range});
  if (!grid)
    return c.build.error(e.range);
  std::optional<unsigned> dim =
      inquiredDim(c, *e.args[1], grid->rank, e.callee.text);
  if (!dim)
    return c.build.error(e.range);
  return c.program.make<GridPlaceExpr>(grid, *dim, isOwn, e.range);
}

//===----------------------------------------------------------------------===//
// Distributions
//===----------------------------------------------------------------------===//

using DimRule = Distribution::Dim;

static std::optional<DimRule::Kind> kindNamed(llvm::StringRef name) {
  return llvm::StringSwitch<std::optional<DimRule::Kind>>(name)
      .Cases("block", "blk", DimRule::Block)
      .Case("cyclic", DimRule::Cyclic)
      .Case("blockcyclic", DimRule::BlockCyclic)
      .Case("cut", DimRule::Cut)
      .Case("nondist", DimRule::Nondist)
      .Default(std::nullopt);
}

/// Whether \p procedure is `f(i, lo, hi, p: integer): integer`.
static bool isOwnerFunction(const Procedure &procedure) {
  return procedure.result == Type::Integer && procedure.resultRank == 0 &&
         procedure.params.size() == 4 &&
         llvm::all_of(procedure.params, [](const Symbol *param) {
           auto *variable = llvm::dyn_cast<Variable>(param);
           return variable && variable->type == Type::Integer &&
                  !isByReference(variable->mode);
         });
}

/// A call with hidden variables for all parameters.
static const CallExpr *ownerCall(Checking &c, Procedure *owner,
                                 SourceRange range) {
  auto *call = c.program.make<CallExpr>(owner, range);
  for (const Symbol *formal : owner->params) {
    auto *hidden =
        addMade<Variable>(c,
                          llvm::formatv("{0}.{1}.{2}", owner->name,
                                        formal->name, c.program.globals.size())
                              .str(),
                          range);
    hidden->type = Type::Integer;
    hidden->isHidden = true;
    call->args.push_back(c.program.make<VariableExpr>(hidden, range));
  }
  call->copies.assign(call->args.size(), false);
  return call;
}

/// A dimension that a procedure named \p word distributes; false after a report.
static bool functionDim(Checking &c, const ast::DistributionDecl::Dim &written,
                        DimRule &dim) {
  const ast::Name &word = written.name;
  Symbol *first = c.names.find(word.text);
  for (Symbol *symbol : c.names.overloads(word.text))
    if (auto *owner = llvm::dyn_cast<Procedure>(symbol);
        owner && isOwnerFunction(*owner) && written.args.empty()) {
      c.names.markUsed(*owner);
      c.firstCalls.try_emplace(owner, word.range);
      dim.kind = DimRule::Function;
      dim.owner = ownerCall(c, owner, word.range);
      return true;
    }
  if (first && llvm::isa<Procedure>(first)) {
    c.diags.report(written.range, Diag::OwnerSignature, word.text)
        .note(first->range, Diag::DeclaredHere, word.text);
    return false;
  }
  auto *dummy = llvm::dyn_cast_or_null<Variable>(first);
  if (!dummy || dummy->type != Type::Error)
    c.diags.report(word.range, Diag::DistributionKind, word.text).done();
  return false;
}

/// The indexed array of `cut(c)`; null after a report.
static const Expr *cutPoints(Checking &c, const ast::Expr &e) {
  const Expr *points = checkExpr(c, e);
  if (isError(points))
    return nullptr;
  auto isFine = [](Type type) {
    return type == Type::Array && type.info()->lo.size() == 1 &&
           type.info()->element == Type::Integer;
  };
  if (isFine(points->type) && !points->isArray() &&
      llvm::isa<VariableExpr>(rootOf(points)))
    return points;
  c.diags.report(e.range, Diag::CutPoints, text(points->type)).done();
  return nullptr;
}

/// How many arguments \p kind takes, in words.
static llvm::StringRef argumentsOf(DimRule::Kind kind) {
  switch (kind) {
  case DimRule::Block:
    return "two bounds or none, 'block 1..n'";
  case DimRule::BlockCyclic:
    return "the length of a block, 'blockcyclic(2)'";
  case DimRule::Cut:
    return "an indexed array of cut points, 'cut(c)'";
  case DimRule::Cyclic:
  case DimRule::Nondist:
  case DimRule::Function:
    return "nothing";
  }
  llvm_unreachable("kind of a distribution");
}

static size_t argumentCount(DimRule::Kind kind) {
  return kind == DimRule::BlockCyclic || kind == DimRule::Cut ? 1 : 0;
}

/// `block`, `block lo..hi` and `blk(lo, hi)`.
static bool blockDim(Checking &c, const ast::DistributionDecl::Dim &written,
                     DimRule &dim) {
  const ast::Expr *lo = written.lo, *hi = written.hi;
  if (written.args.size() == 2) {
    lo = written.args[0];
    hi = written.args[1];
  }
  if (!lo || !hi)
    return true;
  dim.lo = longNumber(c, *lo, "bound of a distribution");
  dim.hi = longNumber(c, *hi, "bound of a distribution");
  return dim.lo && dim.hi;
}

static bool distributionDim(Checking &c,
                            const ast::DistributionDecl::Dim &written,
                            DimRule &dim) {
  dim.range = written.range;
  if (written.name.text.empty())
    return false;
  std::optional<DimRule::Kind> kind = kindNamed(written.name.text);
  bool isHidden = llvm::any_of(
      c.names.overloads(written.name.text),
      [](const Symbol *symbol) { return llvm::isa<Procedure>(symbol); });
  if (!kind || isHidden)
    return functionDim(c, written, dim);
  dim.kind = *kind;
  size_t given = written.args.size();
  bool isCounted = given == argumentCount(*kind) ||
                   (*kind == DimRule::Block && given == 2 && !written.lo);
  if (!isCounted) {
    c.diags
        .report(written.range, Diag::DistributionArguments, written.name.text,
                argumentsOf(*kind))
        .done();
    return false;
  }
  switch (*kind) {
  case DimRule::Block:
    return blockDim(c, written, dim);
  case DimRule::BlockCyclic:
    dim.length = positiveNumber(c, *written.args[0], "length of a block");
    return dim.length != nullptr;
  case DimRule::Cut:
    dim.points = cutPoints(c, *written.args[0]);
    return dim.points != nullptr;
  case DimRule::Cyclic:
  case DimRule::Nondist:
  case DimRule::Function:
    return true;
  }
  llvm_unreachable("kind of a distribution");
}

void checkDistributionDecl(Checking &c, const ast::DistributionDecl &d) {
  bool isFine = isRank(c, d.dims.size(), d.range);
  const Grid *grid = d.grid ? gridNamed(c, *d.grid) : nullptr;
  isFine &= !d.grid || grid;
  if (grid && grid->rank != d.dims.size()) {
    c.diags
        .report(d.grid->range, Diag::DistributionRank, d.name.text,
                d.dims.size(), grid->name, grid->rank)
        .note(grid->range, Diag::DeclaredHere, grid->name);
    isFine = false;
  }
  llvm::SmallVector<DimRule, 6> dims(d.dims.size());
  for (auto [written, dim] : llvm::zip(d.dims, dims))
    isFine &= distributionDim(c, written, dim);
  if (!isFine)
    return declareDummy(c, d.name);
  auto *made = c.program.make<Distribution>(d.name.text, d.name.range);
  made->rank = dims.size();
  made->grid = grid;
  made->dims = std::move(dims);
  addSymbol(c, made);
}

//===----------------------------------------------------------------------===//
// Domains
//===----------------------------------------------------------------------===//

/// The domain of what is bound to \p distribution by name.
static const Domain *ownDomain(Checking &c, Distribution &distribution) {
  if (!distribution.domain) {
    auto *domain = addMade<Domain>(c, distribution.name, distribution.range);
    domain->rank = distribution.rank;
    domain->distribution = &distribution;
    distribution.domain = domain;
  }
  return distribution.domain;
}

/// Blocks over \p grid: what it stands for as a distribution.
static Distribution *blocksOver(Checking &c, const Grid &grid) {
  for (Symbol *symbol : c.program.globals)
    if (auto *made = llvm::dyn_cast<Distribution>(symbol);
        made && made->grid == &grid && made->range.begin == grid.range.begin &&
        made->range.file == grid.range.file)
      return made;
  auto *made = addMade<Distribution>(c, grid.name, grid.range);
  made->rank = grid.rank;
  made->grid = &grid;
  made->dims.resize(grid.rank);
  for (DimRule &dim : made->dims)
    dim.range = grid.range;
  return made;
}

static bool isDistributing(const Symbol &symbol) {
  return llvm::isa<Grid, Distribution, Domain>(symbol);
}

/// The distribution that \p symbol, a Grid or Distribution, is or stands for.
static Distribution *distributionOf(Checking &c, Symbol *symbol) {
  if (auto *grid = llvm::dyn_cast<Grid>(symbol))
    return blocksOver(c, *grid);
  return llvm::cast<Distribution>(symbol);
}

static unsigned rankOfBinding(const Symbol &symbol) {
  if (auto *grid = llvm::dyn_cast<Grid>(&symbol))
    return grid->rank;
  if (auto *domain = llvm::dyn_cast<Domain>(&symbol))
    return domain->rank;
  return llvm::cast<Distribution>(symbol).rank;
}

/// Reports a region of rank \p rank that is bound to something else.
static bool hasRank(Checking &c, const Symbol &binding, unsigned rank,
                    SourceRange range) {
  if (rankOfBinding(binding) == rank)
    return true;
  c.diags
      .report(range, Diag::BindingRank, rank, binding.name,
              rankOfBinding(binding))
      .note(binding.range, Diag::DeclaredHere, binding.name);
  return false;
}

/// A region, a region variable or an indexed array of them?
static bool isBindable(const Symbol &symbol) {
  auto *variable = llvm::dyn_cast<Variable>(&symbol);
  return llvm::isa<Region>(symbol) ||
         (variable && innermostElement(variable->type) == Type::Region);
}

/// The rank of what isBindable.
static unsigned rankOfBindable(const Symbol &symbol) {
  if (auto *region = llvm::dyn_cast<Region>(&symbol))
    return region->rank();
  return rankOf(innermostElement(llvm::cast<Variable>(symbol).type));
}

/// Where the domain of what isBindable is.
static const Domain *&domainPlace(Symbol &symbol) {
  if (auto *region = llvm::dyn_cast<Region>(&symbol))
    return region->domain;
  return llvm::cast<Variable>(symbol).domain;
}

const Domain *domainNamed(Checking &c, const ast::Name &name) {
  Symbol *symbol = symbolNamed(c, name, "a distribution", isDistributing);
  if (!symbol || llvm::isa<Domain>(symbol))
    return llvm::cast_or_null<Domain>(symbol);
  return ownDomain(c, *distributionOf(c, symbol));
}

void bindDeclared(Checking &c, const ast::Name &name, const Domain &domain,
                  SourceRange range) {
  llvm::ArrayRef<Symbol *> declared = c.names.declared(name.text);
  if (declared.empty() || !isBindable(*declared.front()))
    return;
  Symbol &region = *declared.front();
  if (hasRank(c, domain, rankOfBindable(region), range))
    domainPlace(region) = &domain;
}

/// Whether \p region is made of \p base.
static bool isMadeOf(const RegionExpr &region, const Symbol *base) {
  if (region.base)
    return isMadeOf(*region.base, base);
  if (region.place) {
    auto *variable = llvm::dyn_cast<VariableExpr>(rootOf(region.place));
    return variable && variable->variable == base;
  }
  if (region.kind != RegionExpr::Ref)
    return false;
  return region.region == base || isMadeOf(*region.region->init, base);
}

/// Reports an array that would have got its places before \p region is bound.
static bool isFirstUse(Checking &c, const Symbol &region,
                       const ast::Name &name) {
  for (const Symbol *symbol : c.program.globals) {
    auto *array = llvm::dyn_cast<Array>(symbol);
    if (!array || !array->declared || !isMadeOf(*array->declared, &region))
      continue;
    c.diags.report(name.range, Diag::BoundTooLate, region.name)
        .note(array->range, Diag::DeclaredHere, array->name);
    return false;
  }
  return true;
}

/// Binds the region that \p name means to \p domain.
static void bind(Checking &c, Domain &domain, const ast::Name &name) {
  Symbol *symbol = symbolNamed(c, name, "a region", isBindable);
  if (!symbol)
    return;
  auto *region = llvm::dyn_cast<Region>(symbol);
  const Domain *&place = domainPlace(*symbol);
  unsigned rank = rankOfBindable(*symbol);
  if (!hasRank(c, domain, rank, name.range))
    return;
  if (place && place != &domain) {
    c.diags.report(name.range, Diag::BoundTwice, name.text, place->name)
        .note(symbol->range, Diag::DeclaredHere, name.text)
        .note(place->range, Diag::DeclaredHere, place->name);
    return;
  }
  if (!isFirstUse(c, *symbol, name))
    return;
  place = &domain;
  if (region)
    domain.regions.push_back(region);
}

void checkDomainDecl(Checking &c, const ast::DomainDecl &d) {
  Symbol *symbol =
      symbolNamed(c, d.distribution, "a distribution", [](const Symbol &s) {
        return llvm::isa<Grid, Distribution>(s);
      });
  if (!symbol)
    return declareDummy(c, d.name);
  const Distribution *distribution = distributionOf(c, symbol);
  auto *domain = c.program.make<Domain>(d.name.text, d.name.range);
  domain->rank = distribution->rank;
  domain->distribution = distribution;
  addSymbol(c, domain);
  for (const ast::Name &region : d.regions)
    bind(c, *domain, region);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

const ast::NameRef *bindingOf(const Checking &c, const ast::TypeExpr &type) {
  auto *parallel = llvm::dyn_cast<ast::ParallelType>(&type);
  if (!parallel || !llvm::isa<ast::RegionType>(parallel->element) ||
      parallel->dims->dims.size() != 1)
    return nullptr;
  const ast::Dim &dim = parallel->dims->dims[0];
  auto *name = dim.kind == ast::Dim::Single
                   ? llvm::dyn_cast<ast::NameRef>(dim.lo)
                   : nullptr;
  Symbol *symbol = name ? c.names.find(name->name) : nullptr;
  return symbol && isDistributing(*symbol) ? name : nullptr;
}

bool reportBoundToValue(Checking &c, const ast::TypeExpr &type) {
  auto *parallel = llvm::dyn_cast<ast::ParallelType>(&type);
  if (!parallel || !llvm::isa<ast::RegionType>(parallel->element) ||
      parallel->dims->dims.size() != 1 ||
      parallel->dims->dims[0].kind != ast::Dim::Single)
    return false;
  const ast::Expr &binding = *parallel->dims->dims[0].lo;
  if (!isDistributionValue(designatedType(c, binding)))
    return false;
  c.diags
      .report(binding.range, Diag::NotDistributing,
              "the name of a distribution, a grid or a domain, to which alone "
              "regions are bound")
      .done();
  return true;
}

/// The rank that `grid<..,.>` and `distribution<block>` say; 0: none.
static size_t writtenRank(const ast::TypeExpr &type) {
  if (auto *grid = llvm::dyn_cast<ast::GridType>(&type))
    return grid->components.size();
  return llvm::cast<ast::DistributionType>(type).components.size();
}

/// The grid or distribution (\p isGrid) that \p value names; null after a report.
static Symbol *distributingValue(Checking &c, const ast::Expr &value,
                                 bool isGrid) {
  llvm::StringRef wanted = isGrid ? "a grid" : "a distribution";
  auto *name = llvm::dyn_cast<ast::NameRef>(&value);
  if (!name) {
    c.diags.report(value.range, Diag::NotDistributing, wanted).done();
    return nullptr;
  }
  return symbolNamed(
      c, {name->name, name->range}, wanted, [&](const Symbol &s) {
        return isGrid ? llvm::isa<Grid>(s) : llvm::isa<Distribution>(s);
      });
}

/// Whether a variable of this type can be what \p d says.
static bool isPlainVariable(Checking &c, const ast::VariableDecl &d,
                            llvm::StringRef what) {
  bool isPlain = !c.current && d.flavor == ast::VariableDecl::Var &&
                 !d.isFree && !d.isExtern && !d.names.front().multi;
  if (!isPlain)
    c.diags.report(d.type->range, Diag::DistributionVariable, what).done();
  else if (!d.init)
    c.diags
        .report(d.names.front().range, Diag::NeedsValue, d.names.front().text,
                what)
        .done();
  return isPlain && d.init;
}

static Symbol *makeVariable(Checking &c, const ast::Name &name, Symbol *value) {
  if (auto *init = llvm::dyn_cast<Grid>(value)) {
    auto *grid = c.program.make<Grid>(name.text, name.range);
    grid->rank = init->rank;
    grid->init = init;
    return grid;
  }
  auto *init = llvm::cast<Distribution>(value);
  auto *made = c.program.make<Distribution>(name.text, name.range);
  made->rank = init->rank;
  made->values.push_back(init);
  return made;
}

bool checkDistributionVariable(Checking &c, const ast::VariableDecl &d) {
  bool isGrid = llvm::isa<ast::GridType>(d.type);
  if (!isGrid && !llvm::isa<ast::DistributionType>(d.type))
    return false;
  bool isFine = isPlainVariable(
      c, d, isGrid ? "a grid variable" : "a distribution variable");
  Symbol *value = isFine ? distributingValue(c, *d.init, isGrid) : nullptr;
  size_t rank = writtenRank(*d.type);
  if (value && rank != 0 && rank != rankOfBinding(*value)) {
    c.diags
        .report(d.init->range, Diag::RedistributionRank, value->name,
                rankOfBinding(*value), d.names.front().text, rank)
        .note(value->range, Diag::DeclaredHere, value->name);
    value = nullptr;
  }
  for (const ast::DefinedName &name : d.names)
    if (value) {
      Symbol *made = makeVariable(c, name, value);
      addSymbol(c, made);
      trackVariable(c, *made);
    } else {
      declareDummy(c, name);
    }
  return true;
}

static bool isVariable(const Symbol &symbol) {
  if (auto *grid = llvm::dyn_cast<Grid>(&symbol))
    return grid->init != nullptr;
  auto *distribution = llvm::dyn_cast<Distribution>(&symbol);
  return distribution && !distribution->values.empty();
}

/// Whether what is called \p name here may be assigned.
static bool mayBeAssigned(const Checking &c, llvm::StringRef name,
                          const Symbol &symbol) {
  return isVariable(symbol) && !c.patterns.fixed.contains(name);
}

Stmt *checkRedistribution(Checking &c, const ast::AssignStmt &s) {
  auto *name = llvm::dyn_cast<ast::NameRef>(s.target);
  Symbol *target = name ? c.names.find(name->name) : nullptr;
  if (!target || !llvm::isa<Grid, Distribution>(target))
    return nullptr;
  bool isGrid = llvm::isa<Grid>(target);
  bool isFixed = !mayBeAssigned(c, name->name, *target);
  if (isFixed || s.op) {
    c.diags
        .report(s.range,
                isFixed ? Diag::RedistributionConstant
                        : Diag::RedistributionOperator,
                isFixed ? llvm::StringRef(name->name) : target->name,
                isGrid ? "grid" : "distribution")
        .note(target->range, Diag::DeclaredHere, target->name);
    return emptyStmt(c, s.range);
  }
  bool preserves = s.form != ast::AssignStmt::Discard;
  if (const Expr *placed = distributionPlaced(c, *s.value))
    return chooseDistribution(c, *target, placed, *s.value, preserves, s.range);
  Symbol *value = distributingValue(c, *s.value, isGrid);
  if (!value)
    return emptyStmt(c, s.range);
  if (rankOfBinding(*value) != rankOfBinding(*target)) {
    c.diags
        .report(s.value->range, Diag::RedistributionRank, value->name,
                rankOfBinding(*value), target->name, rankOfBinding(*target))
        .note(value->range, Diag::DeclaredHere, value->name)
        .note(target->range, Diag::DeclaredHere, target->name);
    return emptyStmt(c, s.range);
  }
  if (auto *variable = llvm::dyn_cast<Distribution>(target))
    variable->values.push_back(llvm::cast<Distribution>(value));
  return trackedRedistribution(
      c, c.program.make<RedistributeStmt>(target, value, preserves, s.range));
}

Stmt *balanceStmt(Checking &c, const ast::Call &e) {
  auto *target = llvm::cast_or_null<Distribution>(
      distributingValue(c, *e.args[0], /*isGrid=*/false));
  if (!target)
    return emptyStmt(c, e.range);
  llvm::StringRef name = llvm::cast<ast::NameRef>(e.args[0])->name;
  if (!mayBeAssigned(c, name, *target)) {
    c.diags
        .report(e.args[0]->range, Diag::RedistributionConstant, name,
                "distribution")
        .note(target->range, Diag::DeclaredHere, target->name);
    return emptyStmt(c, e.range);
  }
  const Expr *weights =
      convert(c, elementValue(c, *e.args[1], target->rank), Type::Double);
  if (isError(weights))
    return emptyStmt(c, e.range);
  auto *stmt = c.program.make<RedistributeStmt>(target, nullptr,
                                                /*preserves=*/true, e.range);
  stmt->weights = arrangeSums(c.program, weights, c.options.strictFp);
  stmt->rank = target->rank;
  return trackedRedistribution(c, stmt);
}

//===----------------------------------------------------------------------===//
// As arguments
//===----------------------------------------------------------------------===//

bool isGridOrDistribution(const Symbol &symbol) {
  return llvm::isa<Grid, Distribution>(symbol);
}

Symbol *checkDistributingFormal(Checking &c, const ast::Formal &f) {
  if (!llvm::isa<ast::GridType, ast::DistributionType>(f.type))
    return nullptr;
  if (c.writtenType.generic && isDistributionValue(*c.writtenType.generic))
    return nullptr; // of an instance whose argument is a value
  Symbol *made = nullptr;
  size_t rank = writtenRank(*f.type);
  if (llvm::isa<ast::GridType>(f.type)) {
    auto *grid = c.program.make<Grid>(f.name.text, f.name.range);
    grid->rank = rank;
    made = grid;
  } else {
    auto *distribution =
        c.program.make<Distribution>(f.name.text, f.name.range);
    distribution->rank = rank;
    made = distribution;
  }
  if (f.mode == ast::Formal::InOut || f.mode == ast::Formal::Out ||
      f.mode == ast::Formal::Var)
    c.patterns.assignable.insert(made);
  return made;
}

Symbol *distributingNamed(const Checking &c, const ast::Expr &e) {
  auto *name = llvm::dyn_cast<ast::NameRef>(&e);
  Symbol *symbol = name ? c.names.find(name->name) : nullptr;
  return symbol && isGridOrDistribution(*symbol) ? symbol : nullptr;
}

static bool hasRankOf(const Symbol &formal, const Symbol &actual) {
  return rankOfBinding(formal) == 0 ||
         rankOfBinding(formal) == rankOfBinding(actual);
}

bool mayStandFor(const Checking &c, const Symbol &formal,
                 const Symbol &actual) {
  return formal.kind == actual.kind && hasRankOf(formal, actual) &&
         (isVariable(actual) || !c.patterns.assignable.contains(&formal));
}

bool mayTakeValue(const Checking &c, const Symbol &formal, const Expr &value) {
  if (!isDistributionValue(value.type) || value.isArray())
    return false;
  const TypeInfo &type = *value.type.info();
  bool isGrid = type.deals == TypeInfo::Grids;
  bool isRank =
      rankOfBinding(formal) == 0 || rankOfBinding(formal) == type.dealtRank;
  return isGrid == llvm::isa<Grid>(formal) && isRank &&
         (llvm::isa<VariableExpr>(rootOf(&value)) ||
          !c.patterns.assignable.contains(&formal));
}

bool checkStandsFor(Checking &c, const Symbol &formal, const Symbol *actual,
                    SourceRange range) {
  if (actual && mayStandFor(c, formal, *actual))
    return true;
  bool isGrid = llvm::isa<Grid>(formal);
  llvm::StringRef wanted = isGrid ? "a grid" : "a distribution";
  if (!actual)
    c.diags.report(range, Diag::NotDistributing, wanted)
        .note(formal.range, Diag::DeclaredHere, formal.name);
  else if (formal.kind != actual->kind)
    c.diags
        .report(range, Diag::WrongKind, actual->name, describe(*actual), wanted)
        .note(formal.range, Diag::DeclaredHere, formal.name);
  else if (!hasRankOf(formal, *actual))
    c.diags
        .report(range, Diag::RedistributionRank, actual->name,
                rankOfBinding(*actual), formal.name, rankOfBinding(formal))
        .note(formal.range, Diag::DeclaredHere, formal.name);
  else
    c.diags
        .report(range, Diag::RedistributionConstant, actual->name,
                isGrid ? "grid" : "distribution")
        .note(formal.range, Diag::DeclaredHere, formal.name);
  return false;
}

} // namespace zpl::sema
