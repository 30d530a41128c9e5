//===- ParserImpl.h - The parser's one class --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYIR_TEXT_PARSERIMPL_H
#define ZPL_LIB_ARRAYIR_TEXT_PARSERIMPL_H

#include "Text/Lexer.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include <optional>

namespace zpl::air {

/// Recursive descent over a token vector. Functions give false or null after
/// the first error, which is kept; their callers return at once.
class Parser {
public:
  Parser(uint32_t file, llvm::StringRef text, Module &module)
      : file(file), module(module), tokens(lex(text)) {}

  bool parseModule();
  SourceRange errorRange;
  std::string errorMessage;

private:
  /// What a name stands for: exactly one is set.
  struct Named {
    Variable *variable = nullptr;
    Region *region = nullptr;
    Array *array = nullptr;
    Transfer *transfer = nullptr;
    const TypeInfo *type = nullptr;
  };
  using Scope = llvm::StringMap<Named>;

  /// Nested expressions and statements; more is an error, not a crash.
  static constexpr unsigned MaxDepth = 1000;
  struct DepthGuard {
    explicit DepthGuard(unsigned &depth) : depth(++depth) {}
    ~DepthGuard() { --depth; }
    unsigned &depth;
  };
  bool tooDeep();

  // Tokens.
  const Token &peek(size_t ahead = 0) const {
    return tokens[std::min(at + ahead, tokens.size() - 1)];
  }
  Token next();
  bool at_(llvm::StringRef text) const { return peek().is(text); }
  bool accept(llvm::StringRef text);
  bool expect(llvm::StringRef text);
  bool fail(const Token &token, const llvm::Twine &message);
  SourceRange range(const Token &token) const {
    return {file, token.begin, token.end};
  }
  /// From \p first to the token read last.
  SourceRange rangeFrom(const Token &first) const;

  // Small pieces.
  static std::string nameOf(const Token &token);
  bool parseString(std::string &text);
  bool parseOptionalString(std::string &text);
  bool parseInteger(int64_t &value);
  bool parseUnsigned(unsigned &value, unsigned limit);
  bool parseType(Type &type);
  bool parseArrayType(Type &type);
  bool parseHandleType(Type &type);
  bool parseBound(Bound &bound);
  bool parseFieldName(std::string &name);
  bool parseShape(Shape &shape);
  bool parseOffset(Offset &offset);
  bool parseFluff(Fluff &fluff);
  bool parseLines(Array &array);
  bool parseDimensions(uint32_t &set);
  bool parseReduction(Reduction &op);
  bool parseReduction(Reduction &op, Procedure *&with);
  /// `item, item ...` up to \p close, which is eaten; none at all is fine.
  template <typename Fn> bool parseList(llvm::StringRef close, Fn item) {
    if (accept(close))
      return true;
    do {
      if (!item())
        return false;
    } while (accept(","));
    return expect(close);
  }

  // Names.
  bool parseNewName(Token::Kind kind, Scope &scope, Token &token);
  const Named *lookup(const Token &token);
  const Named *lookupPointed(Token &token, llvm::StringRef &fields);
  const Named *parseNamed();
  Variable *parseVariable();
  Region *parseRegion();
  Array *parseArray();
  Transfer *parseTransfer();
  Procedure *parseProcedureName();

  // Declarations.
  bool parseHeader();
  bool parseGlobals();
  bool parseProcedures();
  bool parseSignature(Procedure &proc);
  bool parseAttributes(Procedure &proc);
  bool parseParameter(Procedure &proc);
  bool nothingAwaited();
  bool skipBody(const Procedure &proc);
  bool parseBody(Procedure &proc);
  bool parseLocals(Procedure &proc);
  bool atDeclaration() const;
  bool parseTypeDecl();
  bool parseTypeBody(TypeInfo &type);
  Variable *parseVariableDecl(Storage storage);
  Region *parseRegionDecl(Storage storage);
  Array *parseArrayDecl(Storage storage);
  Transfer *parseTransferDecl();
  using ItemVector = decltype(Transfer::items);
  bool parseItems(ItemVector &items);
  Scope &scopeOf(Storage storage) {
    return storage == Storage::Global ? globals : locals;
  }

  // Statements.
  bool parseBlock(StmtList &list); ///< `{ ... }`
  Stmt *parseStmt();
  Stmt *parseSimple(const Token &first);
  Stmt *parseControl(const Token &first);
  Stmt *parseSet(const Token &first);
  Stmt *parseSetRegion(const Token &first);
  bool parseRegionExpr(RegionExpr &value);
  bool parseSeq(DimExpr &dim);
  Stmt *parseResultCall();
  Stmt *parseCommunication(const Token &first);
  Stmt *parseShift(const Token &first);
  Stmt *parseFlood(const Token &first);
  Stmt *parseOperatorEnd(const Token &first);
  Stmt *parsePut(const Token &first);
  Stmt *parseFold(const Token &first);
  Stmt *parseCombineArray(const Token &first);
  Stmt *parseScan(const Token &first);
  Stmt *parseWave(const Token &first);
  Stmt *parseInterleave(const Token &first);
  Stmt *parseGather(const Token &first);
  Stmt *parseScatter(const Token &first);
  Stmt *parseBoundary(const Token &first);
  Stmt *parseCheck(const Token &first);
  Stmt *parseAllocation(const Token &first);
  Stmt *parseRealloc(const Token &first);
  Stmt *parseCheckShape(const Token &first);
  Stmt *parseCheckThat(const Token &first);
  Stmt *parseBuiltin(const Token &first);
  Stmt *parseBind(const Token &first);
  Stmt *parseBindArray(const Token &first);
  Stmt *parseConfig(const Token &first);
  Stmt *parseRead(const Token &first);
  bool parseReadItem(ReadItem &item);
  Stmt *parseCombine(const Token &first);
  Stmt *parseCombineEnd(const Token &first);
  Stmt *parseWrite(const Token &first);
  bool parseWriteItem(WriteItem &item);
  Stmt *parseTimer(const Token &first);
  Stmt *parseIf(const Token &first);
  Stmt *parseWhile(const Token &first);
  Stmt *parseRepeat(const Token &first);
  Stmt *parseFor(const Token &first);
  Stmt *parseReturn(const Token &first);
  Stmt *parsePoint(const Token &first, TransferPointStmt::Point point);
  Stmt *parseArrayStmt();
  Stmt *parseMLoop(const Token &first);
  bool parseLevel(LoopLevel &level, unsigned rank);
  bool parseWalker(Walker &walker);
  bool parseElementOps(std::vector<ElementOp> &body, unsigned delay);
  bool parseElementOp(ElementOp &op);
  bool parseAccumulate(ElementOp &op);
  bool parseLet(ElementOp &op);

  // Expressions.
  const Expr *parseExpr();
  const Expr *parseNameExpr();
  const Expr *parsePlace();
  const Expr *parsePostfix(const Expr *base, const Token &first);
  const Expr *parseField(const Expr *base, llvm::StringRef name,
                         const Token &first);
  const Expr *parseSubscripts(const Expr *base, const Token &first);
  const Expr *parseElement(Array *array, const Token &first);
  const Expr *parseWordExpr();
  const Expr *parseTyped(Type type, const Token &first);
  const Expr *parseConst(Type type, const Token &first);
  const Expr *parseFloat(ConstExpr *result);
  const Expr *parseOperation(const Token &first);
  const Expr *parseBoundExpr(BoundExpr::Which which, const Token &first);
  const Expr *parseComplex(const Token &first);
  const CallExpr *parseCall();
  bool parseArgument(Argument &argument);
  bool parseMask(Mask &mask); ///< of a statement of the runtime, or nothing
  using MapVector = llvm::SmallVector<Map, 6>;
  bool parseMaps(MapVector &maps);     ///< `at (%I, index(1), i32 3)`
  bool parseGuard(const Expr *&guard); ///< `where g`, or nothing
  using ExprVector = llvm::SmallVector<const Expr *, 6>;
  bool parseOperands(ExprVector &operands); ///< `(a, b)`

  uint32_t file;
  Module &module;
  std::vector<Token> tokens;
  size_t at = 0;
  unsigned depth = 0;
  Scope globals, locals;
  /// Variables that bounds of array types name before they are declared.
  llvm::StringMap<std::pair<Variable *, Token>> awaitedGlobals, awaitedLocals;
  llvm::StringMap<Procedure *> procedures;
  std::vector<size_t> bodies; ///< per procedure its opening brace
  std::optional<Token> initName, entryName;
};

/// The type that \p text names, if it is one of those that are one word.
std::optional<Type> typeFromText(llvm::StringRef text);

} // namespace zpl::air

#endif // ZPL_LIB_ARRAYIR_TEXT_PARSERIMPL_H
