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

#include "Parser.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl {

using namespace ast;

/// The operator of the token under the cursor, which ends with `<<` or `||`.
FoldOperator Parser::takeFoldOperator() {
  Token word = take();
  StringRef name = textOf(word).drop_back(2);
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
ExprList Parser::parseFoldOperands() {
  SmallVector<Expr *, 4> operands;
  if (!is(TokenKind::LParen)) {
    operands.push_back(requireValue(parseUnary()));
    return context.keep(operands);
  }
  Token open = take();
  unsigned highest = 0;
  do {
    operands.push_back(parseExpr());
    highest = std::max(highest, height);
  } while (!panic && accept(TokenKind::Comma));
  expectClose(TokenKind::RParen, open);
  setHeight(highest);
  if (operands.size() == 1) {
    Expr *operand = make<Paren>(operands[0], rangeFrom(open.range));
    operands[0] = parsePower(parseSuffixes(operand));
  }
  return context.keep(operands);
}

/// OP'<<' [ '[' Region ']' ] Operand
Expr *Parser::parseReduce() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  SourceRange begin = token().range;
  FoldOperator op = takeFoldOperator();
  Expr *source = nullptr;
  unsigned highest = 0;
  if (is(TokenKind::LBracket)) {
    source = unwrap(parseBracket());
    highest = height;
  }
  ExprList operands = parseFoldOperands();
  setHeight(std::max(highest, height));
  return make<Reduce>(op, source, operands, rangeFrom(begin));
}

/// OP'||' [ '<' ... '>' ] [ '[' dimensions ']' ] Operand
Expr *Parser::parseScan() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  SourceRange begin = token().range;
  auto *scan = make<Scan>(takeFoldOperator(), begin);
  height = 0;
  if (is(TokenKind::Less))
    parseScanOptions(*scan);
  unsigned highest = height;
  if (is(TokenKind::LBracket))
    parseScanDims(*scan);
  scan->operands = parseFoldOperands();
  setHeight(std::max(highest, height));
  scan->range = rangeFrom(begin);
  return scan;
}

/// '<' NAME [ Ref ] { ',' NAME [ Ref ] } '>'
void Parser::parseScanOptions(Scan &scan) {
  Token open = take();
  do {
    if (isWord("inclusive")) {
      take();
      scan.inclusive = true;
    } else if (isWord("segment")) {
      take();
      scan.segment = parseDesignator("a boolean array's name");
    } else {
      report(token().range, Diag::ExpectedToken,
             "'inclusive' or 'segment' and an array", ", found " + found());
      panic = true;
    }
  } while (!panic && accept(TokenKind::Comma));
  expectClose(TokenKind::Greater, open);
}

/// '[' [ '-' ] INT { ',' [ '-' ] INT } ']'
void Parser::parseScanDims(Scan &scan) {
  Token open = take();
  SmallVector<ScanDim, 6> dims;
  do {
    ScanDim dim;
    SourceRange begin = token().range;
    dim.down = accept(TokenKind::Minus);
    if (is(TokenKind::Integer)) {
      dim.dim = take().integer;
    } else {
      report(token().range, Diag::ExpectedName, "the number of a dimension",
             found());
      panic = true;
    }
    dim.range = rangeFrom(begin);
    dims.push_back(dim);
  } while (!panic && accept(TokenKind::Comma));
  expectClose(TokenKind::RBracket, open);
  scan.dims = context.keep(dims);
}

/// '>>' '[' Region ']' Operand
Expr *Parser::parseFlood() {
  Nesting nesting(*this);
  if (panic)
    return dummy(endOfPrevious());
  SourceRange begin = take().range;
  if (!is(TokenKind::LBracket)) {
    missing("'[' and the region that '>>' floods from", "[");
    panic = true;
    return dummy(begin);
  }
  Expr *source = unwrap(parseBracket());
  unsigned highest = height;
  Expr *operand = requireValue(parseUnary());
  setHeight(std::max(highest, height));
  return make<Flood>(source, operand, rangeFrom(begin));
}

} // namespace zpl
