//===- ParseStatements.cpp - Text to array IR: statements -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A statement is known by its first token:
//
//     set %x = ...          a keyword
//     %x = call @f(...)     a variable: a call with a result
//     [%R] %A = ...         a bracket: an array statement
//
// Line ends do not matter but in two places, where the next statement could be
// taken for part of this one: the value of `return` stands on its line, and so
// do subscripts.
//
//===----------------------------------------------------------------------===//

#include "Text/ParserImpl.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl::air {

bool Parser::parseBlock(StmtList &list) {
  if (!expect("{"))
    return false;
  while (!accept("}")) {
    Stmt *stmt = parseStmt();
    if (!stmt)
      return false;
    list.push_back(stmt);
  }
  return true;
}

Stmt *Parser::parseStmt() {
  DepthGuard guard(depth);
  if (tooDeep())
    return nullptr;
  if (at_("["))
    return parseArrayStmt();
  if (peek().kind == Token::Local || peek().kind == Token::Global)
    return parseResultCall();
  if (at_("call")) {
    Token first = peek();
    const CallExpr *call = parseCall();
    return call ? module.make<CallStmt>(nullptr, call, rangeFrom(first))
                : nullptr;
  }
  Token first = peek();
  if (first.kind != Token::Word) {
    fail(first, "expected a statement");
    return nullptr;
  }
  next();
  for (auto parse : {&Parser::parseControl, &Parser::parseCommunication}) {
    Stmt *stmt = (this->*parse)(first);
    if (stmt || !errorMessage.empty())
      return stmt;
  }
  return parseSimple(first);
}

/// Null without an error if \p first begins another sort of statement.
Stmt *Parser::parseControl(const Token &first) {
  if (first.text == "if")
    return parseIf(first);
  if (first.text == "while")
    return parseWhile(first);
  if (first.text == "repeat")
    return parseRepeat(first);
  if (first.text == "for")
    return parseFor(first);
  if (first.text == "exit")
    return module.make<ExitStmt>(range(first));
  if (first.text == "continue")
    return module.make<ContinueStmt>(range(first));
  if (first.text == "return")
    return parseReturn(first);
  if (first.text == "halt")
    return module.make<HaltStmt>(range(first));
  return nullptr;
}

Stmt *Parser::parseSimple(const Token &first) {
  auto point = StringSwitch<int>(first.text)
                   .Case("dr", TransferPointStmt::DR)
                   .Case("sr", TransferPointStmt::SR)
                   .Case("dn", TransferPointStmt::DN)
                   .Case("sv", TransferPointStmt::SV)
                   .Default(-1);
  if (point >= 0)
    return parsePoint(first, TransferPointStmt::Point(point));
  if (first.text == "set")
    return parseSet(first);
  if (first.text == "region")
    return parseSetRegion(first);
  if (first.text == "declare-region") {
    Region *region = parseRegion();
    return region ? module.make<DeclareRegionStmt>(region, rangeFrom(first))
                  : nullptr;
  }
  if (first.text == "alloc" || first.text == "free")
    return parseAllocation(first);
  if (first.text == "realloc")
    return parseRealloc(first);
  if (first.text == "check-shape")
    return parseCheckShape(first);
  if (first.text == "check-that")
    return parseCheckThat(first);
  if (first.text == "combine" || first.text == "combine-begin")
    return parseCombine(first);
  if (first.text == "combine-end")
    return parseCombineEnd(first);
  if (first.text == "write" || first.text == "bwrite")
    return parseWrite(first);
  if (first.text == "read" || first.text == "bread")
    return parseRead(first);
  if (first.text == "builtin")
    return parseBuiltin(first);
  if (first.text == "bind" || first.text == "unbind")
    return parseBind(first);
  if (first.text == "config")
    return parseConfig(first);
  if (first.text == "timer")
    return parseTimer(first);
  if (first.text == "mloop")
    return parseMLoop(first);
  if (first.text == "missing-return") {
    std::string name;
    return parseString(name)
               ? module.make<MissingReturnStmt>(name, rangeFrom(first))
               : nullptr;
  }
  fail(first, "expected a statement");
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Simple statements
//===----------------------------------------------------------------------===//

Stmt *Parser::parseSet(const Token &first) {
  const Expr *target = parsePlace(), *value = nullptr;
  if (!target || !expect("=") || !(value = parseExpr()))
    return nullptr;
  return module.make<SetStmt>(target, value, rangeFrom(first));
}

Stmt *Parser::parseCheckShape(const Token &first) {
  std::string a, b;
  const Expr *extentA = nullptr, *extentB = nullptr;
  unsigned dim = 0;
  if (!parseString(a) || !(extentA = parseExpr()) || !expect(",") ||
      !parseString(b) || !(extentB = parseExpr()) || !expect("dim") ||
      !parseUnsigned(dim, 64))
    return nullptr;
  return module.make<CheckShapeStmt>(extentA, a, extentB, b, dim,
                                     rangeFrom(first));
}

/// `check-that %ok, "{} is below {}" (%a, %b)`.
Stmt *Parser::parseCheckThat(const Token &first) {
  const Expr *condition = parseExpr();
  std::string text;
  ExprVector values;
  if (!condition || !expect(",") || !parseString(text) ||
      (at_("(") && !parseOperands(values)))
    return nullptr;
  return module.make<CheckThatStmt>(condition, text, values, rangeFrom(first));
}

/// `builtin %x = open(...)`, `builtin close(%f)`.
Stmt *Parser::parseBuiltin(const Token &first) {
  Variable *result = nullptr;
  if ((peek().kind == Token::Local || peek().kind == Token::Global) &&
      (!(result = parseVariable()) || !expect("=")))
    return nullptr;
  std::optional<Builtin> fn;
#define AIR_BUILTIN(Id, text, arity)                                           \
  if (!fn && accept(text))                                                     \
    fn = Builtin::Id;
#include "zpl/ArrayIR/Ops.def"
  ExprVector args;
  if (!fn)
    return fail(peek(), "expected a function of the runtime"), nullptr;
  if (!parseOperands(args))
    return nullptr;
  return module.make<BuiltinStmt>(*fn, result, args, rangeFrom(first));
}

Stmt *Parser::parseConfig(const Token &first) {
  Variable *variable = parseVariable();
  if (!variable)
    return nullptr;
  auto *stmt = module.make<ConfigStmt>(variable, rangeFrom(first));
  return parseBlock(stmt->defaults) ? stmt : nullptr;
}

/// `%x = call @f(...)`.
Stmt *Parser::parseResultCall() {
  Token first = peek();
  Variable *result = parseVariable();
  if (!result || !expect("="))
    return nullptr;
  if (!at_("call"))
    return fail(peek(), "expected 'call'"), nullptr;
  const CallExpr *call = parseCall();
  return call ? module.make<CallStmt>(result, call, rangeFrom(first)) : nullptr;
}

Stmt *Parser::parseCombine(const Token &first) {
  Reduction op;
  Procedure *with = nullptr;
  Variable *variable = nullptr;
  Region *region = nullptr;
  if (!parseReduction(op, with) || !(variable = parseVariable()) ||
      (accept("over") && !(region = parseRegion())))
    return nullptr;
  auto *stmt = module.make<CombineStmt>(op, variable, region, rangeFrom(first));
  stmt->with = with;
  if (first.text == "combine-begin")
    stmt->phase = CombineStmt::Begin;
  return stmt;
}

Stmt *Parser::parseCombineEnd(const Token &first) {
  Variable *variable = parseVariable();
  if (!variable)
    return nullptr;
  auto *stmt = module.make<CombineStmt>(Reduction::Sum, variable,
                                        /*region=*/nullptr, rangeFrom(first));
  stmt->phase = CombineStmt::End;
  return stmt;
}

bool Parser::parseWriteItem(WriteItem &item) {
  Token first = peek();
  std::string text;
  if (first.kind == Token::String) {
    parseString(text);
    item.text = module.copy(text);
  } else if (accept("array")) {
    if (!(item.array = parseArray()) || !expect("over") ||
        !(item.region = parseRegion()))
      return false;
  } else if (!(item.value = parseExpr())) {
    return false;
  }
  if (accept("format") && !(item.format = parseExpr()))
    return false;
  item.range = rangeFrom(first);
  return true;
}

Stmt *Parser::parseWrite(const Token &first) {
  std::vector<WriteItem> items;
  const Expr *file = parseExpr();
  if (!file || !expect("(") ||
      !parseList(")", [&] { return parseWriteItem(items.emplace_back()); }))
    return nullptr;
  return module.make<WriteStmt>(file, first.text == "bwrite", std::move(items),
                                rangeFrom(first));
}

bool Parser::parseReadItem(ReadItem &item) {
  Token first = peek();
  if (accept("array")) {
    if (!(item.array = parseArray()) || !expect("over") ||
        !(item.region = parseRegion()))
      return false;
  } else if (!(item.place = parsePlace())) {
    return false;
  }
  if (accept("format") && !(item.format = parseExpr()))
    return false;
  item.range = rangeFrom(first);
  return true;
}

Stmt *Parser::parseRead(const Token &first) {
  std::vector<ReadItem> items;
  const Expr *file = parseExpr();
  if (!file || !expect("(") ||
      !parseList(")", [&] { return parseReadItem(items.emplace_back()); }))
    return nullptr;
  return module.make<ReadStmt>(file, first.text == "bread", std::move(items),
                               rangeFrom(first));
}

Stmt *Parser::parseTimer(const Token &first) {
  auto op = StringSwitch<int>(peek().text)
                .Case("reset", TimerStmt::Reset)
                .Case("check", TimerStmt::Check)
                .Case("clear", TimerStmt::Clear)
                .Case("start", TimerStmt::Start)
                .Case("stop", TimerStmt::Stop)
                .Case("read", TimerStmt::Read)
                .Default(-1);
  if (op < 0)
    return fail(peek(), "expected a timer operation"), nullptr;
  next();
  bool hasTimer = op != TimerStmt::Reset && op != TimerStmt::Check;
  bool hasResult = op == TimerStmt::Check || op == TimerStmt::Read;
  Variable *timer = nullptr, *result = nullptr;
  const Expr *sync = nullptr;
  if (hasTimer && !(timer = parseVariable()))
    return nullptr;
  if (op == TimerStmt::Start && (!expect("sync") || !(sync = parseExpr())))
    return nullptr;
  if (hasResult && (!expect("to") || !(result = parseVariable())))
    return nullptr;
  return module.make<TimerStmt>(TimerStmt::Op(op), timer, result, sync,
                                rangeFrom(first));
}

Stmt *Parser::parsePoint(const Token &first, TransferPointStmt::Point point) {
  Transfer *transfer = parseTransfer();
  return transfer
             ? module.make<TransferPointStmt>(point, transfer, rangeFrom(first))
             : nullptr;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

Stmt *Parser::parseIf(const Token &first) {
  const Expr *condition = parseExpr();
  if (!condition)
    return nullptr;
  auto *stmt = module.make<IfStmt>(condition, rangeFrom(first));
  if (!parseBlock(stmt->thenBody) ||
      (accept("else") && !parseBlock(stmt->elseBody)))
    return nullptr;
  return stmt;
}

Stmt *Parser::parseWhile(const Token &first) {
  auto *stmt = module.make<WhileStmt>(range(first));
  if (at_("{") && !(parseBlock(stmt->prelude) && expect("test")))
    return nullptr;
  if (!(stmt->condition = parseExpr()) || !expect("do") ||
      !parseBlock(stmt->body))
    return nullptr;
  return stmt;
}

Stmt *Parser::parseRepeat(const Token &first) {
  auto *stmt = module.make<RepeatStmt>(range(first));
  if (!parseBlock(stmt->body) || !expect("until"))
    return nullptr;
  if (at_("{") && !(parseBlock(stmt->prelude) && expect("test")))
    return nullptr;
  if (!(stmt->condition = parseExpr()))
    return nullptr;
  return stmt;
}

Stmt *Parser::parseFor(const Token &first) {
  const Expr *variable = parsePlace();
  const Expr *from = nullptr, *bound = nullptr, *step = nullptr;
  if (!variable || !expect("=") || !(from = parseExpr()))
    return nullptr;
  bool down = at_("downto");
  if (!(accept("downto") || expect("to")) || !(bound = parseExpr()) ||
      !expect("by") || !(step = parseExpr()))
    return nullptr;
  auto *stmt =
      module.make<ForStmt>(variable, from, bound, step, down, rangeFrom(first));
  return parseBlock(stmt->body) ? stmt : nullptr;
}

Stmt *Parser::parseReturn(const Token &first) {
  const Expr *value = nullptr;
  if (!peek().startsLine && !at_("}") && !(value = parseExpr()))
    return nullptr;
  return module.make<ReturnStmt>(value, rangeFrom(first));
}

//===----------------------------------------------------------------------===//
// Array statements and M-loops
//===----------------------------------------------------------------------===//

bool Parser::parseGuard(const Expr *&guard) {
  return !accept("where") || (guard = parseExpr()) != nullptr;
}

Stmt *Parser::parseArrayStmt() {
  Token first = next();
  Region *region = parseRegion();
  const Expr *guard = nullptr;
  if (!region || !parseGuard(guard) || !expect("]"))
    return nullptr;
  auto finish = [&](auto *stmt) {
    stmt->guard = guard;
    return stmt;
  };
  bool accumulates = accept("accumulate");
  if (accumulates || at_("call")) {
    const CallExpr *call = parseCall();
    if (!call)
      return nullptr;
    auto *stmt = module.make<ElementCallStmt>(region, call, rangeFrom(first));
    stmt->accumulates = accumulates;
    return finish(stmt);
  }
  Token name = peek();
  const Expr *target = parsePlace(), *value = nullptr;
  if (!target || !expect("="))
    return nullptr;
  auto *element = rootElement(target);
  if (element && !at_("reduce")) {
    if (!(value = parseExpr()))
      return nullptr;
    return finish(
        module.make<ArrayAssignStmt>(region, target, value, rangeFrom(first)));
  }
  Reduction op;
  if (!isa<VarExpr>(target) && target != element)
    return fail(name, "a reduction's result is a whole variable or array"),
           nullptr;
  if (!expect("reduce") || !parseReduction(op) || !(value = parseExpr()))
    return nullptr;
  SourceRange range = rangeFrom(first);
  if (element)
    return finish(
        module.make<ReduceArrayStmt>(region, element->array, op, value, range));
  return finish(module.make<ReduceStmt>(region, cast<VarExpr>(target)->variable,
                                        op, value, range));
}

/// `0 up`, `1 up unroll 4 tile 64`, `times unroll 4`; of a nest over this rank.
bool Parser::parseLevel(LoopLevel &level, unsigned rank) {
  level = {rank, false, false};
  level.isTimes = accept("times");
  if (!level.isTimes) {
    if (!parseUnsigned(level.dim, 64))
      return false;
    level.flat = at_("flat");
    level.down = at_("down");
    if (!accept("flat") && !accept("down") && !expect("up"))
      return false;
  }
  for (bool more = accept("likely"); more; more = accept("or")) {
    LikelyBounds &bounds = level.likely.emplace_back();
    if (!parseInteger(bounds.lo) || !expect("..") || !parseInteger(bounds.hi))
      return false;
  }
  return (!accept("unroll") ||
          parseUnsigned(level.unroll, LoopLevel::MaxUnroll + 1)) &&
         (!accept("tile") || parseUnsigned(level.tile, LoopLevel::MaxTile + 1));
}

/// `%A[0,_]`.
bool Parser::parseWalker(Walker &walker) {
  if (!(walker.array = parseArray()) || !expect("["))
    return false;
  return parseList("]", [&] {
    unsigned dim = 0;
    if (accept("_")) {
      walker.bumps.push_back(-1);
      return true;
    }
    walker.bumps.push_back(-1);
    if (!parseUnsigned(dim, 64))
      return false;
    walker.bumps.back() = int(dim);
    return true;
  });
}

bool Parser::parseElementOp(ElementOp &op) {
  Token first = peek();
  if (at_("call")) {
    op.kind = ElementOp::Call;
    op.value = parseCall();
  } else if (at_("store") || at_("stream")) {
    op.kind = ElementOp::Store;
    op.streams = next().text == "stream";
    if (!(op.target = parsePlace()) || !expect("="))
      return false;
    op.value = parseExpr();
  } else if (accept("accumulate")) {
    if (!parseAccumulate(op))
      return false;
  } else if (accept("let")) {
    op.kind = ElementOp::Let;
    if (!parseLet(op))
      return false;
  } else {
    return fail(first,
                "expected 'store', 'stream', 'accumulate', 'let' or 'call'");
  }
  if (!op.value || !parseGuard(op.guard))
    return false;
  op.range = rangeFrom(first);
  return true;
}

/// `sum %x, e`, `sum %A.f, e` or `call @f(...)`.
bool Parser::parseAccumulate(ElementOp &op) {
  if (at_("call")) {
    op.kind = ElementOp::Call;
    op.accumulates = true;
    return (op.value = parseCall()) != nullptr;
  }
  op.kind = ElementOp::Accumulate;
  if (!parseReduction(op.op))
    return false;
  Token name = peek();
  if (!(op.target = parsePlace()))
    return false;
  if (auto *variable = dyn_cast<VarExpr>(op.target)) {
    op.accumulator = variable->variable;
    op.target = nullptr;
  } else if (!rootElement(op.target)) {
    return fail(name, "an accumulator is a whole variable");
  }
  if (!expect(","))
    return false;
  op.value = parseExpr();
  return op.value != nullptr;
}

/// The rest of a body, or of a delayed part in it, with the closing brace.
bool Parser::parseElementOps(std::vector<ElementOp> &body, unsigned delay) {
  while (!accept("}")) {
    if (delay == 0 && accept("after")) {
      unsigned rows = 0;
      Token first = peek();
      if (!parseUnsigned(rows, 64))
        return false;
      if (rows == 0)
        return fail(first, "a delay is at least 1");
      if (!expect("{") || !parseElementOps(body, rows))
        return false;
      continue;
    }
    body.emplace_back().delay = delay;
    if (!parseElementOp(body.back()))
      return false;
  }
  return true;
}

Stmt *Parser::parseMLoop(const Token &first) {
  Region *region = parseRegion();
  if (!region)
    return nullptr;
  auto *stmt = module.make<MLoopStmt>(region, range(first));
  if (accept("awaits") && !(expect("(") && parseList(")", [&] {
                              stmt->awaits.push_back(parseTransfer());
                              return stmt->awaits.back() != nullptr;
                            })))
    return nullptr;
  if (accept("times") && !(stmt->times = parseExpr()))
    return nullptr;
  if (!expect("levels") || !expect("(") || !parseList(")", [&] {
        return parseLevel(stmt->levels.emplace_back(), region->rank());
      }))
    return nullptr;
  if (accept("rows")) {
    Token count = peek();
    if (!parseUnsigned(stmt->rows, MLoopStmt::MaxRows + 1) || !expect("skew") ||
        !parseUnsigned(stmt->skew, MLoopStmt::MaxSkew + 1))
      return nullptr;
    if (stmt->rows < 2) {
      fail(count, "rows are worked on 2 or more at a time");
      return nullptr;
    }
  }
  if (accept("ahead") && !parseItems(stmt->ahead))
    return nullptr;
  if (accept("walkers") && !(expect("(") && parseList(")", [&] {
                               return parseWalker(stmt->walkers.emplace_back());
                             })))
    return nullptr;
  if (!expect("{") || !parseElementOps(stmt->body, 0))
    return nullptr;
  return stmt;
}

} // namespace zpl::air
