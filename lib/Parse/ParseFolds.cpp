//===- ParseFolds.cpp - Reductions, scans, floods -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     +<<A    max<<[R] A    minloc<< (A, Index1)
//     +||A    +||[2, -1] A    +||<inclusive, segment M> A
//     >>[1, ] A
//
// The lexer has joined operator and marks. A name that is no built-in operator
// is a procedure; its operand may be a list in parentheses, which the checker
// refuses for others. One operand in parentheses is an operand like any other:
// `f<< (A)^2` is f<< ((A)^2), as with the built-in operators.
//
//===----------------------------------------------------------------------===//

#include "ParseFolds.h"
#include "Cursor.h"
#include "ParseExpr.h"
#include "ParseOperators.h"
#include "ParseRegion.h"
#include "Parsing.h"
#include "Recovery.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl {

using namespace ast;

static void parseScanOptions(Parsing &p, ast::Scan &scan);
static void parseScanDims(Parsing &p, ast::Scan &scan);

/// The operator of the token under the cursor, which ends with `<<` or `||`.
static FoldOperator takeFoldOperator(Parsing &p) {
  Token word = take(p);
  StringRef name = textOf(p, word).drop_back(2);
  ReduceOp op = StringSwitch<ReduceOp>(name)
                    .Case("+", ReduceOp::Sum)
                    .Case("*", ReduceOp::Product)
                    .Case("max", ReduceOp::Max)
                    .Case("min", ReduceOp::Min)
                    .Case("&", ReduceOp::And)
                    .Case("|", ReduceOp::Or)
                    .Case("band", ReduceOp::BitAnd)
                    .Case("bor", ReduceOp::BitOr)
                    .Case("bxor", ReduceOp::BitXor)
                    .Default(ReduceOp::User);
  SourceRange range = word.range;
  range.end -= 2;
  return {op, {name, range}};
}

/// Operand = Unary | '(' Expr { ',' Expr } ')'
static ExprList parseFoldOperands(Parsing &p) {
  SmallVector<Expr *, 4> operands;
  if (!is(p, TokenKind::LParen)) {
    operands.push_back(requireValue(p, parseUnary(p)));
    return p.context.keep(operands);
  }
  Token open = take(p);
  unsigned highest = 0;
  do {
    operands.push_back(parseExpr(p));
    highest = std::max(highest, p.height);
  } while (!p.panic && accept(p, TokenKind::Comma));
  expectClose(p, TokenKind::RParen, open);
  setHeight(p, highest);
  if (operands.size() == 1) {
    Expr *operand = make<Paren>(p, operands[0], rangeFrom(p, open.range));
    operands[0] = parsePower(p, parseSuffixes(p, operand));
  }
  return p.context.keep(operands);
}

Expr *parseReduce(Parsing &p) {
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  SourceRange begin = token(p).range;
  FoldOperator op = takeFoldOperator(p);
  Expr *source = nullptr;
  unsigned highest = 0;
  if (is(p, TokenKind::LBracket)) {
    source = unwrap(parseBracket(p));
    highest = p.height;
  }
  ExprList operands = parseFoldOperands(p);
  setHeight(p, std::max(highest, p.height));
  return make<Reduce>(p, op, source, operands, rangeFrom(p, begin));
}

Expr *parseScan(Parsing &p) {
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  SourceRange begin = token(p).range;
  auto *scan = make<Scan>(p, takeFoldOperator(p), begin);
  p.height = 0;
  if (is(p, TokenKind::Less))
    parseScanOptions(p, *scan);
  unsigned highest = p.height;
  if (is(p, TokenKind::LBracket))
    parseScanDims(p, *scan);
  scan->operands = parseFoldOperands(p);
  setHeight(p, std::max(highest, p.height));
  scan->range = rangeFrom(p, begin);
  return scan;
}

/// '<' NAME [ Ref ] { ',' NAME [ Ref ] } '>'
static void parseScanOptions(Parsing &p, Scan &scan) {
  Token open = take(p);
  do {
    if (isWord(p, "inclusive")) {
      take(p);
      scan.inclusive = true;
    } else if (isWord(p, "segment")) {
      take(p);
      scan.segment = parseDesignator(p, "a boolean array's name");
    } else {
      report(p, token(p).range, Diag::ExpectedToken,
             "'inclusive' or 'segment' and an array", ", found " + found(p));
      p.panic = true;
    }
  } while (!p.panic && accept(p, TokenKind::Comma));
  expectClose(p, TokenKind::Greater, open);
}

/// '[' [ '-' ] INT { ',' [ '-' ] INT } ']'
static void parseScanDims(Parsing &p, Scan &scan) {
  Token open = take(p);
  SmallVector<ScanDim, 6> dims;
  do {
    ScanDim dim;
    SourceRange begin = token(p).range;
    dim.down = accept(p, TokenKind::Minus);
    if (is(p, TokenKind::Integer)) {
      dim.dim = take(p).integer;
    } else {
      report(p, token(p).range, Diag::ExpectedName, "the number of a dimension",
             found(p));
      p.panic = true;
    }
    dim.range = rangeFrom(p, begin);
    dims.push_back(dim);
  } while (!p.panic && accept(p, TokenKind::Comma));
  expectClose(p, TokenKind::RBracket, open);
  scan.dims = p.context.keep(dims);
}

Expr *parseFlood(Parsing &p) {
  Nesting nesting(p);
  if (p.panic)
    return dummy(p, endOfPrevious(p));
  SourceRange begin = take(p).range;
  if (!is(p, TokenKind::LBracket)) {
    missing(p, "'[' and the region that '>>' floods from", "[");
    p.panic = true;
    return dummy(p, begin);
  }
  Expr *source = unwrap(parseBracket(p));
  unsigned highest = p.height;
  Expr *operand = requireValue(p, parseUnary(p));
  setHeight(p, std::max(highest, p.height));
  return make<Flood>(p, source, operand, rangeFrom(p, begin));
}

} // namespace zpl
