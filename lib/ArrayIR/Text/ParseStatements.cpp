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

#include "Text/ParseStatements.h"
#include "Text/ParseArrays.h"
#include "Text/ParseCommunication.h"
#include "Text/ParseExpressions.h"
#include "Text/ParseForms.h"
#include "Text/ParseRegions.h"
#include "Text/Parser.h"
#include "Text/Parsing.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace zpl::air {

static Stmt *parseControl(Parsing &p, const Token &first);
static Stmt *parseSimple(Parsing &p, const Token &first);
static Stmt *parseSet(Parsing &p, const Token &first);
static Stmt *parseCheckShape(Parsing &p, const Token &first);
static Stmt *parseCheckThat(Parsing &p, const Token &first);
static Stmt *parseBuiltin(Parsing &p, const Token &first);
static Stmt *parseConfig(Parsing &p, const Token &first);
static Stmt *parseResultCall(Parsing &p);
static Stmt *parseCombine(Parsing &p, const Token &first);
static Stmt *parseCombineEnd(Parsing &p, const Token &first);
static Stmt *parseWrite(Parsing &p, const Token &first);
static Stmt *parseRead(Parsing &p, const Token &first);
static Stmt *parseTimer(Parsing &p, const Token &first);
static Stmt *parsePoint(Parsing &p, const Token &first);
static Stmt *parseIf(Parsing &p, const Token &first);
static Stmt *parseWhile(Parsing &p, const Token &first);
static Stmt *parseRepeat(Parsing &p, const Token &first);
static Stmt *parseFor(Parsing &p, const Token &first);
static Stmt *parseReturn(Parsing &p, const Token &first);
static Stmt *parseHalt(Parsing &p, const Token &first);
static Stmt *parseArrayStmt(Parsing &p);
static bool parseAccumulate(Parsing &p, ElementOp &op);
static Stmt *parseMLoop(Parsing &p, const Token &first);

bool parseBlock(Parsing &p, StmtList &list) {
  if (!expect(p, "{"))
    return false;
  while (!accept(p, "}")) {
    Stmt *stmt = parseStmt(p);
    if (!stmt)
      return false;
    list.push_back(stmt);
  }
  return true;
}

Stmt *parseStmt(Parsing &p) {
  DepthGuard guard(p.depth);
  if (tooDeep(p))
    return nullptr;
  if (isAt(p, "["))
    return parseArrayStmt(p);
  if (peek(p).kind == Token::Local || peek(p).kind == Token::Global)
    return parseResultCall(p);
  if (isAt(p, "call")) {
    Token first = peek(p);
    const CallExpr *call = parseCall(p);
    return call ? p.module.make<CallStmt>(nullptr, call, rangeFrom(p, first))
                : nullptr;
  }
  Token first = peek(p);
  if (first.kind != Token::Word) {
    fail(p, first, "expected a statement");
    return nullptr;
  }
  next(p);
  for (auto parse : {&parseControl, &parseCommunication, &parseSparseStmt}) {
    Stmt *stmt = parse(p, first);
    if (stmt || !p.errorMessage.empty())
      return stmt;
  }
  return parseSimple(p, first);
}

/// Null without an error if \p first begins another sort of statement.
static Stmt *parseControl(Parsing &p, const Token &first) {
  if (first.text == "if")
    return parseIf(p, first);
  if (first.text == "while")
    return parseWhile(p, first);
  if (first.text == "repeat")
    return parseRepeat(p, first);
  if (first.text == "for")
    return parseFor(p, first);
  if (first.text == "exit")
    return p.module.make<ExitStmt>(range(p, first));
  if (first.text == "continue")
    return p.module.make<ContinueStmt>(range(p, first));
  if (first.text == "return")
    return parseReturn(p, first);
  if (first.text == "halt")
    return parseHalt(p, first);
  return nullptr;
}

static Stmt *parseDeclareRegion(Parsing &p, const Token &first) {
  Region *region = parseRegion(p);
  return region ? p.module.make<DeclareRegionStmt>(region, rangeFrom(p, first))
                : nullptr;
}

static Stmt *parseMissingReturn(Parsing &p, const Token &first) {
  std::string name;
  return parseString(p, name)
             ? p.module.make<MissingReturnStmt>(name, rangeFrom(p, first))
             : nullptr;
}

static Stmt *parseSimple(Parsing &p, const Token &first) {
  using Parse = Stmt *(*)(Parsing &, const Token &);
  Parse parse = StringSwitch<Parse>(first.text)
                    .Cases("dr", "sr", "dn", "sv", parsePoint)
                    .Case("set", parseSet)
                    .Case("region", parseSetRegion)
                    .Case("declare-region", parseDeclareRegion)
                    .Case("grid", parseSetGrid)
                    .Case("distribution", parseSetDistribution)
                    .Case("move", parseMove)
                    .Cases("alloc", "free", parseAllocation)
                    .Case("resize", parseResize)
                    .Case("realloc", parseRealloc)
                    .Case("check-shape", parseCheckShape)
                    .Case("check-that", parseCheckThat)
                    .Cases("combine", "combine-begin", parseCombine)
                    .Case("combine-end", parseCombineEnd)
                    .Cases("write", "bwrite", parseWrite)
                    .Cases("read", "bread", parseRead)
                    .Case("builtin", parseBuiltin)
                    .Cases("bind", "unbind", parseBind)
                    .Case("sort", parseSort)
                    .Case("config", parseConfig)
                    .Case("timer", parseTimer)
                    .Case("mloop", parseMLoop)
                    .Case("missing-return", parseMissingReturn)
                    .Default(nullptr);
  if (parse)
    return parse(p, first);
  fail(p, first, "expected a statement");
  return nullptr;
}

//===----------------------------------------------------------------------===//
// Simple statements
//===----------------------------------------------------------------------===//

static Stmt *parseSet(Parsing &p, const Token &first) {
  const Expr *target = parsePlace(p), *value = nullptr;
  if (!target || !expect(p, "=") || !(value = parseExpr(p)))
    return nullptr;
  return p.module.make<SetStmt>(target, value, rangeFrom(p, first));
}

static Stmt *parseCheckShape(Parsing &p, const Token &first) {
  std::string a, b;
  const Expr *extentA = nullptr, *extentB = nullptr;
  unsigned dim = 0;
  if (!parseString(p, a) || !(extentA = parseExpr(p)) || !expect(p, ",") ||
      !parseString(p, b) || !(extentB = parseExpr(p)) || !expect(p, "dim") ||
      !parseUnsigned(p, dim, 64))
    return nullptr;
  return p.module.make<CheckShapeStmt>(extentA, a, extentB, b, dim,
                                       rangeFrom(p, first));
}

/// `check-that %ok, "{} is below {}" (%a, %b)`.
static Stmt *parseCheckThat(Parsing &p, const Token &first) {
  const Expr *condition = parseExpr(p);
  std::string text;
  ExprVector values;
  if (!condition || !expect(p, ",") || !parseString(p, text) ||
      (isAt(p, "(") && !parseOperands(p, values)))
    return nullptr;
  return p.module.make<CheckThatStmt>(condition, text, values,
                                      rangeFrom(p, first));
}

/// `builtin %x = open(...)`, `builtin close(%f)`.
static Stmt *parseBuiltin(Parsing &p, const Token &first) {
  Variable *result = nullptr;
  if ((peek(p).kind == Token::Local || peek(p).kind == Token::Global) &&
      (!(result = parseVariable(p)) || !expect(p, "=")))
    return nullptr;
  std::optional<Builtin> fn;
#define AIR_BUILTIN(Id, text, arity)                                           \
  if (!fn && accept(p, text))                                                  \
    fn = Builtin::Id;
#include "zpl/ArrayIR/Ops.def"
  ExprVector args;
  if (!fn)
    return fail(p, peek(p), "expected a function of the runtime"), nullptr;
  const Expr *place = nullptr;
  if (!parseOperands(p, args) || (accept(p, "to") && !(place = parsePlace(p))))
    return nullptr;
  return p.module.make<BuiltinStmt>(*fn, result, args, rangeFrom(p, first),
                                    place);
}

static Stmt *parseConfig(Parsing &p, const Token &first) {
  Variable *variable = parseVariable(p);
  if (!variable)
    return nullptr;
  auto *stmt = p.module.make<ConfigStmt>(variable, rangeFrom(p, first));
  return parseBlock(p, stmt->defaults) ? stmt : nullptr;
}

/// `%x = call @f(...)`.
static Stmt *parseResultCall(Parsing &p) {
  Token first = peek(p);
  Variable *result = parseVariable(p);
  if (!result || !expect(p, "="))
    return nullptr;
  if (!isAt(p, "call"))
    return fail(p, peek(p), "expected 'call'"), nullptr;
  const CallExpr *call = parseCall(p);
  return call ? p.module.make<CallStmt>(result, call, rangeFrom(p, first))
              : nullptr;
}

static Stmt *parseCombine(Parsing &p, const Token &first) {
  SmallVector<CombineStmt::Value, 4> values;
  do {
    auto &[op, with, variable] = values.emplace_back();
    if (!parseReduction(p, op, with) || !(variable = parseVariable(p)))
      return nullptr;
  } while (accept(p, ","));
  Region *region = nullptr;
  if (accept(p, "over") && !(region = parseRegion(p)))
    return nullptr;
  auto *stmt = p.module.make<CombineStmt>(values[0].op, values[0].variable,
                                          region, rangeFrom(p, first));
  stmt->with = values[0].with;
  stmt->others.append(values.begin() + 1, values.end());
  if (first.text == "combine-begin")
    stmt->phase = CombineStmt::Begin;
  return stmt;
}

static Stmt *parseCombineEnd(Parsing &p, const Token &first) {
  Variable *variable = parseVariable(p);
  if (!variable)
    return nullptr;
  auto *stmt =
      p.module.make<CombineStmt>(Reduction::Sum, variable,
                                 /*region=*/nullptr, rangeFrom(p, first));
  stmt->phase = CombineStmt::End;
  while (accept(p, ",")) {
    Variable *other = parseVariable(p);
    if (!other)
      return nullptr;
    stmt->others.push_back({Reduction::Sum, nullptr, other});
  }
  return stmt;
}

static bool parseWriteItem(Parsing &p, WriteItem &item) {
  Token first = peek(p);
  std::string text;
  if (first.kind == Token::String) {
    parseString(p, text);
    item.text = p.module.copy(text);
  } else if (accept(p, "array")) {
    if (!(item.array = parseArray(p)) || !expect(p, "over") ||
        !(item.region = parseRegion(p)))
      return false;
  } else if (!(item.value = parseExpr(p))) {
    return false;
  }
  if (accept(p, "format") && !(item.format = parseExpr(p)))
    return false;
  item.range = rangeFrom(p, first);
  return true;
}

static Stmt *parseWrite(Parsing &p, const Token &first) {
  std::vector<WriteItem> items;
  const Expr *file = parseExpr(p);
  if (!file || !expect(p, "(") || !parseList(p, ")", [&] {
        return parseWriteItem(p, items.emplace_back());
      }))
    return nullptr;
  return p.module.make<WriteStmt>(file, first.text == "bwrite",
                                  std::move(items), rangeFrom(p, first));
}

static bool parseReadItem(Parsing &p, ReadItem &item) {
  Token first = peek(p);
  if (accept(p, "array")) {
    if (!(item.array = parseArray(p)) || !expect(p, "over") ||
        !(item.region = parseRegion(p)))
      return false;
  } else if (!(item.place = parsePlace(p))) {
    return false;
  }
  if (accept(p, "format") && !(item.format = parseExpr(p)))
    return false;
  item.range = rangeFrom(p, first);
  return true;
}

static Stmt *parseRead(Parsing &p, const Token &first) {
  std::vector<ReadItem> items;
  const Expr *file = parseExpr(p);
  if (!file || !expect(p, "(") || !parseList(p, ")", [&] {
        return parseReadItem(p, items.emplace_back());
      }))
    return nullptr;
  return p.module.make<ReadStmt>(file, first.text == "bread", std::move(items),
                                 rangeFrom(p, first));
}

static Stmt *parseTimer(Parsing &p, const Token &first) {
  auto op = StringSwitch<int>(peek(p).text)
                .Case("reset", TimerStmt::Reset)
                .Case("check", TimerStmt::Check)
                .Case("clear", TimerStmt::Clear)
                .Case("start", TimerStmt::Start)
                .Case("stop", TimerStmt::Stop)
                .Case("read", TimerStmt::Read)
                .Default(-1);
  if (op < 0)
    return fail(p, peek(p), "expected a timer operation"), nullptr;
  next(p);
  bool hasTimer = op != TimerStmt::Reset && op != TimerStmt::Check;
  bool hasResult = op == TimerStmt::Check || op == TimerStmt::Read;
  Variable *timer = nullptr, *result = nullptr;
  const Expr *sync = nullptr;
  if (hasTimer && !(timer = parseVariable(p)))
    return nullptr;
  if (op == TimerStmt::Start && (!expect(p, "sync") || !(sync = parseExpr(p))))
    return nullptr;
  if (hasResult && (!expect(p, "to") || !(result = parseVariable(p))))
    return nullptr;
  return p.module.make<TimerStmt>(TimerStmt::Op(op), timer, result, sync,
                                  rangeFrom(p, first));
}

static Stmt *parsePoint(Parsing &p, const Token &first) {
  using Point = TransferPointStmt::Point;
  Point point = StringSwitch<Point>(first.text)
                    .Case("dr", TransferPointStmt::DR)
                    .Case("sr", TransferPointStmt::SR)
                    .Case("dn", TransferPointStmt::DN)
                    .Case("sv", TransferPointStmt::SV);
  Transfer *transfer = parseTransfer(p);
  return transfer ? p.module.make<TransferPointStmt>(point, transfer,
                                                     rangeFrom(p, first))
                  : nullptr;
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static Stmt *parseIf(Parsing &p, const Token &first) {
  const Expr *condition = parseExpr(p);
  if (!condition)
    return nullptr;
  auto *stmt = p.module.make<IfStmt>(condition, rangeFrom(p, first));
  if (!parseBlock(p, stmt->thenBody) ||
      (accept(p, "else") && !parseBlock(p, stmt->elseBody)))
    return nullptr;
  return stmt;
}

static Stmt *parseWhile(Parsing &p, const Token &first) {
  auto *stmt = p.module.make<WhileStmt>(range(p, first));
  if (isAt(p, "{") && !(parseBlock(p, stmt->prelude) && expect(p, "test")))
    return nullptr;
  if (!(stmt->condition = parseExpr(p)) || !expect(p, "do") ||
      !parseBlock(p, stmt->body))
    return nullptr;
  return stmt;
}

static Stmt *parseRepeat(Parsing &p, const Token &first) {
  auto *stmt = p.module.make<RepeatStmt>(range(p, first));
  if (!parseBlock(p, stmt->body) || !expect(p, "until"))
    return nullptr;
  if (isAt(p, "{") && !(parseBlock(p, stmt->prelude) && expect(p, "test")))
    return nullptr;
  if (!(stmt->condition = parseExpr(p)))
    return nullptr;
  return stmt;
}

static Stmt *parseFor(Parsing &p, const Token &first) {
  const Expr *variable = parsePlace(p);
  const Expr *from = nullptr, *bound = nullptr, *step = nullptr;
  if (!variable || !expect(p, "=") || !(from = parseExpr(p)))
    return nullptr;
  bool down = isAt(p, "downto");
  if (!(accept(p, "downto") || expect(p, "to")) || !(bound = parseExpr(p)) ||
      !expect(p, "by") || !(step = parseExpr(p)))
    return nullptr;
  auto *stmt = p.module.make<ForStmt>(variable, from, bound, step, down,
                                      rangeFrom(p, first));
  return parseBlock(p, stmt->body) ? stmt : nullptr;
}

static Stmt *parseReturn(Parsing &p, const Token &first) {
  const Expr *value = nullptr;
  if (!peek(p).startsLine && !isAt(p, "}") && !(value = parseExpr(p)))
    return nullptr;
  return p.module.make<ReturnStmt>(value, rangeFrom(p, first));
}

static Stmt *parseHalt(Parsing &p, const Token &first) {
  const Expr *status = nullptr;
  if (!peek(p).startsLine && !isAt(p, "}") && !(status = parseExpr(p)))
    return nullptr;
  return p.module.make<HaltStmt>(status, rangeFrom(p, first));
}

//===----------------------------------------------------------------------===//
// Array statements and M-loops
//===----------------------------------------------------------------------===//

/// `where g`, or nothing
static bool parseGuard(Parsing &p, const Expr *&guard) {
  return !accept(p, "where") || (guard = parseExpr(p)) != nullptr;
}

/// After `[%R]`: a call for each element.
static ElementCallStmt *parseElementCall(Parsing &p, const Token &first,
                                         Region *region) {
  bool accumulates = accept(p, "accumulate");
  const CallExpr *call = parseCall(p);
  if (!call)
    return nullptr;
  auto *stmt =
      p.module.make<ElementCallStmt>(region, call, rangeFrom(p, first));
  stmt->accumulates = accumulates;
  return stmt;
}

static Stmt *parseArrayStmt(Parsing &p) {
  Token first = next(p);
  Region *region = parseRegion(p);
  const Expr *guard = nullptr;
  if (!region || !parseGuard(p, guard) || !expect(p, "]"))
    return nullptr;
  auto finish = [&](auto *stmt) {
    if (stmt)
      stmt->guard = guard;
    return stmt;
  };
  if (isAt(p, "accumulate") || isAt(p, "call"))
    return finish(parseElementCall(p, first, region));
  Token name = peek(p);
  const Expr *target = parsePlace(p), *value = nullptr;
  if (!target || !expect(p, "="))
    return nullptr;
  auto *element = rootElement(target);
  if (element && !isAt(p, "reduce")) {
    if (!(value = parseExpr(p)))
      return nullptr;
    return finish(p.module.make<ArrayAssignStmt>(region, target, value,
                                                 rangeFrom(p, first)));
  }
  Reduction op;
  if (!isa<VarExpr>(target) && target != element)
    return fail(p, name, "a reduction's result is a whole variable or array"),
           nullptr;
  if (!expect(p, "reduce") || !parseReduction(p, op) || !(value = parseExpr(p)))
    return nullptr;
  SourceRange range = rangeFrom(p, first);
  if (element)
    return finish(p.module.make<ReduceArrayStmt>(region, element->array, op,
                                                 value, range));
  return finish(p.module.make<ReduceStmt>(
      region, cast<VarExpr>(target)->variable, op, value, range));
}

/// `0 up`, `1 up unroll 4 tile 64`, `times unroll 4`; of a nest over this rank.
static bool parseLevel(Parsing &p, LoopLevel &level, unsigned rank) {
  level = {rank, false, false};
  level.isTimes = accept(p, "times");
  if (!level.isTimes) {
    if (!parseUnsigned(p, level.dim, 64))
      return false;
    level.flat = isAt(p, "flat");
    level.down = isAt(p, "down");
    if (!accept(p, "flat") && !accept(p, "down") && !expect(p, "up"))
      return false;
  }
  for (bool more = accept(p, "likely"); more; more = accept(p, "or")) {
    LikelyBounds &bounds = level.likely.emplace_back();
    if (!parseInteger(p, bounds.lo) || !expect(p, "..") ||
        !parseInteger(p, bounds.hi))
      return false;
  }
  return (!accept(p, "unroll") ||
          parseUnsigned(p, level.unroll, LoopLevel::MaxUnroll + 1)) &&
         (!accept(p, "tile") ||
          parseUnsigned(p, level.tile, LoopLevel::MaxTile + 1));
}

/// `ahead`, a LoopWay.
static bool parseWay(Parsing &p, LoopWay &way) {
#define ZPL_LOOP_WAY(member, name, text)                                       \
  if (accept(p, name)) {                                                       \
    way = LoopWay::member;                                                     \
    return true;                                                               \
  }
#include "zpl/ArrayIR/LoopWays.def"
  return fail(p, peek(p), "expected a way of executing loops");
}

/// `%A[0,_]`.
static bool parseWalker(Parsing &p, Walker &walker) {
  if (!(walker.array = parseArray(p)) || !expect(p, "["))
    return false;
  return parseList(p, "]", [&] {
    unsigned dim = 0;
    if (accept(p, "_")) {
      walker.bumps.push_back(-1);
      return true;
    }
    walker.bumps.push_back(-1);
    if (!parseUnsigned(p, dim, 64))
      return false;
    walker.bumps.back() = int(dim);
    return true;
  });
}

static bool parseElementOp(Parsing &p, ElementOp &op) {
  Token first = peek(p);
  if (isAt(p, "call")) {
    op.kind = ElementOp::Call;
    op.value = parseCall(p);
  } else if (isAt(p, "store") || isAt(p, "stream")) {
    op.kind = ElementOp::Store;
    op.streams = next(p).text == "stream";
    if (!(op.target = parsePlace(p)) || !expect(p, "="))
      return false;
    op.value = parseExpr(p);
  } else if (accept(p, "accumulate")) {
    if (!parseAccumulate(p, op))
      return false;
  } else if (accept(p, "let")) {
    op.kind = ElementOp::Let;
    if (!parseLet(p, op))
      return false;
  } else {
    return fail(p, first,
                "expected 'store', 'stream', 'accumulate', 'let' or 'call'");
  }
  if (!op.value || !parseGuard(p, op.guard))
    return false;
  op.range = rangeFrom(p, first);
  return true;
}

/// `sum %x, e`, `[anew] sum %A.f, e` or `call @f(...)`.
static bool parseAccumulate(Parsing &p, ElementOp &op) {
  if (isAt(p, "call")) {
    op.kind = ElementOp::Call;
    op.accumulates = true;
    return (op.value = parseCall(p)) != nullptr;
  }
  op.kind = ElementOp::Accumulate;
  op.anew = accept(p, "anew");
  if (!parseReduction(p, op.op))
    return false;
  Token name = peek(p);
  if (!(op.target = parsePlace(p)))
    return false;
  if (auto *variable = dyn_cast<VarExpr>(op.target)) {
    op.accumulator = variable->variable;
    op.target = nullptr;
  } else if (!rootElement(op.target)) {
    return fail(p, name, "an accumulator is a whole variable");
  }
  if (!expect(p, ","))
    return false;
  op.value = parseExpr(p);
  return op.value != nullptr;
}

/// The rest of a body, or of a delayed part in it, with the closing brace.
static bool parseElementOps(Parsing &p, std::vector<ElementOp> &body,
                            unsigned delay) {
  while (!accept(p, "}")) {
    if (delay == 0 && accept(p, "after")) {
      unsigned rows = 0;
      Token first = peek(p);
      if (!parseUnsigned(p, rows, 64))
        return false;
      if (rows == 0)
        return fail(p, first, "a delay is at least 1");
      if (!expect(p, "{") || !parseElementOps(p, body, rows))
        return false;
      continue;
    }
    body.emplace_back().delay = delay;
    if (!parseElementOp(p, body.back()))
      return false;
  }
  return true;
}

bool parseTimeSteps(Parsing &p, TimeSteps &time) {
  if (!(time.taken = parseVariable(p)) || !expect(p, "of") ||
      !(time.most = parseExpr(p)) || !expect(p, "lag") ||
      !parseUnsigned(p, time.lag, TimeSteps::MaxLag + 1))
    return false;
  if (accept(p, "clock") && !((time.clock = parseVariable(p)) &&
                              expect(p, "by") && parseInteger(p, time.by)))
    return false;
  if (accept(p, "swaps") && !(expect(p, "(") && parseList(p, ")", [&] {
                                auto &[array, rows] = time.swaps.emplace_back();
                                return (array = parseArray(p)) &&
                                       expect(p, "for") &&
                                       (rows = parseArray(p));
                              })))
    return false;
  if (accept(p, "brings") &&
      !(expect(p, "(") && parseList(p, ")", [&] {
          return time.brings.emplace_back(parseTransfer(p)) != nullptr;
        })))
    return false;
  return !accept(p, "wraps") || parseDimensions(p, time.wraps);
}

/// After `rows`: `2 skew 1 lanes`.
static bool parseRows(Parsing &p, MLoopStmt &stmt) {
  Token count = peek(p);
  if (!parseUnsigned(p, stmt.rows, MLoopStmt::MaxRows + 1) ||
      !expect(p, "skew") ||
      !parseUnsigned(p, stmt.skew, MLoopStmt::MaxSkew + 1))
    return false;
  if (stmt.rows < 2)
    return fail(p, count, "rows are worked on 2 or more at a time");
  stmt.inLanes = accept(p, "lanes");
  return true;
}

static Stmt *parseMLoop(Parsing &p, const Token &first) {
  Region *region = parseRegion(p);
  if (!region)
    return nullptr;
  auto *stmt = p.module.make<MLoopStmt>(region, range(p, first));
  if (accept(p, "awaits") && !(expect(p, "(") && parseList(p, ")", [&] {
                                 stmt->awaits.push_back(parseTransfer(p));
                                 return stmt->awaits.back() != nullptr;
                               })))
    return nullptr;
  if (accept(p, "times") && !(stmt->times = parseExpr(p)))
    return nullptr;
  if (accept(p, "steps") && !parseTimeSteps(p, stmt->time))
    return nullptr;
  if (!expect(p, "levels") || !expect(p, "(") || !parseList(p, ")", [&] {
        return parseLevel(p, stmt->levels.emplace_back(), region->rank());
      }))
    return nullptr;
  if (accept(p, "rows") && !parseRows(p, *stmt))
    return nullptr;
  if (accept(p, "ahead") && !parseItems(p, stmt->ahead))
    return nullptr;
  if (accept(p, "ways") && !(expect(p, "(") && parseList(p, ")", [&] {
                               return parseWay(p, stmt->ways.emplace_back());
                             })))
    return nullptr;
  if (accept(p, "walkers") &&
      !(expect(p, "(") && parseList(p, ")", [&] {
          return parseWalker(p, stmt->walkers.emplace_back());
        })))
    return nullptr;
  if (!expect(p, "{") || !parseElementOps(p, stmt->body, 0))
    return nullptr;
  return stmt;
}

} // namespace zpl::air
