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

#include "Parser.h"

using namespace llvm;

namespace zpl {

using namespace ast;

/// After 'extern': 'header' STRING ';'
void Parser::parseHeader(Decls &decls, SourceRange begin) {
  take();
  Token path = token();
  if (accept(TokenKind::String))
    decls.push_back(
        make<ExternHeaderDecl>(context.keepText(buffer.strings[path.string]),
                               path.range, rangeFrom(begin)));
  else
    missing("a file's name in double quotes after 'header'", " \"\"");
  endConstruct("the header", begin);
}

/// { NAME Eq '[' [ Expr ] { ',' [ Expr ] } ']' ';' }
void Parser::parseGrids(Decls &decls) {
  take();
  for (bool first = true; panic || atDefinition(first); first = false) {
    SourceRange begin = token().range;
    Name name = parseName("a grid's name");
    expectInitializer("'=' and a grid");
    ExprList extents = parseBlankList("'[' and the extents of the grid");
    decls.push_back(make<GridDecl>(name, extents, rangeFrom(begin)));
    endConstruct("the grid", begin);
  }
}

/// { NAME [ ':' NAME ] Eq '[' Dist { ',' Dist } ']' ';' }
void Parser::parseDistributions(Decls &decls) {
  take();
  for (bool first = true; panic || atDefinition(first); first = false) {
    SourceRange begin = token().range;
    Name name = parseName("a distribution's name");
    std::optional<Name> grid = parseOptionalName("a grid's name");
    expectInitializer("'=' and a distribution");
    SmallVector<DistributionDecl::Dim, 6> dims;
    Token open = token();
    if (!panic && !accept(TokenKind::LBracket))
      missing("'[' and how each dimension is distributed", "[");
    do
      dims.push_back(parseDistributionDim());
    while (!panic && accept(TokenKind::Comma));
    expectClose(TokenKind::RBracket, open);
    decls.push_back(make<DistributionDecl>(name, grid, context.keep(dims),
                                           rangeFrom(begin)));
    endConstruct("the distribution", begin);
  }
}

/// Dist = 'block' [ Expr '..' Expr ] | NAME [ '(' Args ')' ]
DistributionDecl::Dim Parser::parseDistributionDim() {
  DistributionDecl::Dim dim;
  if (panic)
    return dim;
  SourceRange begin = token().range;
  dim.name = parseName("how a dimension is distributed");
  if (!panic && is(TokenKind::LParen)) {
    dim.args = parseList(TokenKind::RParen);
  } else if (!panic && dim.name.text == "block" &&
             !isAny(TokenKind::Comma, TokenKind::RBracket)) {
    dim.lo = parseExpr();
    if (!panic && !accept(TokenKind::DotDot))
      missing("'..' and the last index", "..");
    dim.hi = parseExpr();
  }
  dim.range = rangeFrom(begin);
  return dim;
}

/// { NAME ':' NAME Eq NAME { ',' NAME } ';' }
void Parser::parseDomains(Decls &decls) {
  take();
  for (bool first = true; panic || atDefinition(first); first = false) {
    SourceRange begin = token().range;
    Name name = parseName("a domain's name");
    if (!panic && !accept(TokenKind::Colon))
      missing("':' and a distribution", ":");
    Name distribution;
    if (!panic)
      distribution = parseName("a distribution's name");
    expectInitializer("'=' and the regions of the domain");
    SmallVector<Name, 4> regions;
    while (!panic) {
      regions.push_back(parseName("a region's name"));
      if (!accept(TokenKind::Comma))
        break;
    }
    decls.push_back(make<DomainDecl>(name, distribution, context.keep(regions),
                                     rangeFrom(begin)));
    endConstruct("the domain", begin);
  }
}

} // namespace zpl
