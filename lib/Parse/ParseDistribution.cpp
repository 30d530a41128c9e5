//===- ParseDistribution.cpp - Grids, distributions, domains, headers -----===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The declarations that no procedure needs in itself (section 12), and the
// headers of C:
//
//     grid G = [4, ];
//     distribution D: G = [block 1..n, cut(c)];
//     domain Big: D = R, BigR;
//     extern header "fftw3.h";
//
// `block` is a word only in front of its bounds; elsewhere it is a name like
// the others, which Sema knows.
//
//===----------------------------------------------------------------------===//

#include "ParseDistribution.h"
#include "Cursor.h"
#include "ParseDecl.h"
#include "ParseExpr.h"
#include "Parsing.h"
#include "Recovery.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static ast::DistributionDecl::Dim parseDistributionDim(Parsing &p);

void parseHeader(Parsing &p, Decls &decls, SourceRange begin) {
  take(p);
  Token path = token(p);
  if (accept(p, TokenKind::String))
    decls.push_back(make<ExternHeaderDecl>(
        p, p.context.keepText(p.buffer.strings[path.string]), path.range,
        rangeFrom(p, begin)));
  else
    missing(p, "a file's name in double quotes after 'header'", " \"\"");
  endConstruct(p, "the header", begin);
}

/// Whether another kind of declaration begins right after the name of this one:
/// `Big region = ...`. Reports that; what follows is not read as one of these.
static bool endsAtOther(Parsing &p, StringRef what) {
  if (p.panic || !isAny(p, TokenKind::Region, TokenKind::Direction,
                        TokenKind::Var, TokenKind::Type, TokenKind::Procedure))
    return false;
  missing(p, what, " =");
  p.panic = false;
  return true;
}

void parseGrids(Parsing &p, Decls &decls) {
  take(p);
  for (bool first = true; p.panic || atDefinition(p, first); first = false) {
    SourceRange begin = token(p).range;
    Name name = parseName(p, "a grid's name");
    if (endsAtOther(p, "'=' and a grid"))
      return;
    expectInitializer(p, "'=' and a grid");
    ExprList extents = parseBlankList(p, "'[' and the extents of the grid");
    decls.push_back(make<GridDecl>(p, name, extents, rangeFrom(p, begin)));
    endConstruct(p, "the grid", begin);
  }
}

void parseDistributions(Parsing &p, Decls &decls) {
  take(p);
  for (bool first = true; p.panic || atDefinition(p, first); first = false) {
    SourceRange begin = token(p).range;
    Name name = parseName(p, "a distribution's name");
    if (endsAtOther(p, "'=' and a distribution"))
      return;
    std::optional<Name> grid = parseOptionalName(p, "a grid's name");
    expectInitializer(p, "'=' and a distribution");
    SmallVector<DistributionDecl::Dim, 6> dims;
    Token open = token(p);
    if (!p.panic && !accept(p, TokenKind::LBracket))
      missing(p, "'[' and how each dimension is distributed", "[");
    do
      dims.push_back(parseDistributionDim(p));
    while (!p.panic && accept(p, TokenKind::Comma));
    expectClose(p, TokenKind::RBracket, open);
    decls.push_back(make<DistributionDecl>(p, name, grid, p.context.keep(dims),
                                           rangeFrom(p, begin)));
    endConstruct(p, "the distribution", begin);
  }
}

/// Dist = 'block' [ Expr '..' Expr ] | NAME [ '(' Args ')' ]
static DistributionDecl::Dim parseDistributionDim(Parsing &p) {
  DistributionDecl::Dim dim;
  if (p.panic)
    return dim;
  SourceRange begin = token(p).range;
  dim.name = parseName(p, "how a dimension is distributed");
  if (!p.panic && is(p, TokenKind::LParen)) {
    dim.args = parseList(p, TokenKind::RParen);
  } else if (!p.panic && dim.name.text == "block" &&
             !isAny(p, TokenKind::Comma, TokenKind::RBracket)) {
    dim.lo = parseExpr(p);
    if (!p.panic && !accept(p, TokenKind::DotDot))
      missing(p, "'..' and the last index", "..");
    dim.hi = parseExpr(p);
  }
  dim.range = rangeFrom(p, begin);
  return dim;
}

void parseDomains(Parsing &p, Decls &decls) {
  take(p);
  for (bool first = true; p.panic || atDefinition(p, first); first = false) {
    SourceRange begin = token(p).range;
    Name name = parseName(p, "a domain's name");
    if (endsAtOther(p, "':' and a distribution"))
      return;
    if (!p.panic && !accept(p, TokenKind::Colon))
      missing(p, "':' and a distribution", ":");
    Name distribution;
    if (!p.panic)
      distribution = parseName(p, "a distribution's name");
    expectInitializer(p, "'=' and the regions of the domain");
    SmallVector<Name, 4> regions;
    while (!p.panic) {
      regions.push_back(parseName(p, "a region's name"));
      if (!accept(p, TokenKind::Comma))
        break;
    }
    decls.push_back(make<DomainDecl>(
        p, name, distribution, p.context.keep(regions), rangeFrom(p, begin)));
    endConstruct(p, "the domain", begin);
  }
}

} // namespace zpl
