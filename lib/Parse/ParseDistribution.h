//===- ParseDistribution.h - Grids, distributions, domains ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Grids, distributions, domains and the headers of external libraries. Each
/// function begins at its keyword, adds one declaration per definition to \p
/// decls and takes the `;` after it.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSEDISTRIBUTION_H
#define ZPL_LIB_PARSE_PARSEDISTRIBUTION_H

#include "Parsing.h"

namespace zpl {

/// At `header`, after an `extern` at \p begin: 'header' STRING ';', as in
/// `extern header "math.h";`.
void parseHeader(Parsing &p, Decls &decls, SourceRange begin);

/// 'grid' { NAME '=' '[' [ Expr ] { ',' [ Expr ] } ']' ';' }, as in `grid G =
/// [2, ];`.
void parseGrids(Parsing &p, Decls &decls);

/// 'distribution' { NAME [ ':' NAME ] '=' '[' Dist { ',' Dist } ']' ';' }, as
/// in `distribution D: G = [block 1..n, cut(c)];`.
void parseDistributions(Parsing &p, Decls &decls);

/// 'domain' { NAME ':' NAME '=' NAME { ',' NAME } ';' }, as in `domain W: D =
/// R, S;`.
void parseDomains(Parsing &p, Decls &decls);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSEDISTRIBUTION_H
