//===- Domains.h - Whose indices a processor owns ---------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Every region and array that is made belongs to a domain; those that meet in
/// a statement belong to one.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_OPERATORS_DOMAINS_H
#define ZPL_LIB_ARRAYGEN_OPERATORS_DOMAINS_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// The domain of a parameter, local or global: an array or a region.
const air::Domain *domainOf(const ProcedureState &p,
                            const sema::Symbol &symbol);

/// That of the members of \p array, whose variable is \p family here.
const air::Domain *domainOf(const ProcedureState &p, const sema::Array &array,
                            const Family &family);

/// The domain of the first array of rank \p rank that \p stmt works on, in its
/// own order, or that is \p otherwise.
const air::Domain *domainOf(const ProcedureState &p, const sema::Stmt &stmt,
                            unsigned rank, const air::Domain *otherwise);

/// That in which \p stmt, which assigns the region variable at \p place, finds
/// the value: of the first array in it, else of the variable.
const air::Domain *domainOf(const ProcedureState &p, const sema::Stmt &stmt,
                            unsigned rank, const sema::Expr &place);

/// Whether no neighbour of an index of \p domain is known to be on the same
/// processor.
inline bool isScattered(const air::Domain *domain) {
  return domain && domain->isScattered;
}

/// While it lives, regions and arrays of rank \p rank that are made belong to
/// \p domain, and so does the covering region: a copy of it, if it is of
/// another domain, which then is a literal.
class DomainScope {
public:
  DomainScope(ProcedureState &p, unsigned rank, const air::Domain *domain,
              SourceRange range);
  DomainScope(DomainScope &&other) = delete;
  ~DomainScope();

private:
  ProcedureState &p;
  unsigned rank;
  Cover cover;
  const air::Domain *domain;
};

/// The same in the domain of the first array of rank \p rank in \p expr, a part
/// of a statement that is one by itself; no other if there is none.
class PartScope : public DomainScope {
public:
  PartScope(ProcedureState &p, const sema::Expr *expr, unsigned rank);
};

/// The region that covers calls for which \p domain has been found: a copy, if
/// the one that covers here is of another domain.
air::Region *coverIn(ProcedureState &p, unsigned rank,
                     const air::Domain *domain, SourceRange range);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_OPERATORS_DOMAINS_H
