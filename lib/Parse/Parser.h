//===- Parser.h - The state of a parse --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_PARSE_PARSER_H
#define ZPL_LIB_PARSE_PARSER_H

#include "zpl/AST/AST.h"
#include "zpl/Lex/Token.h"
#include "zpl/Parse/Parse.h"
#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/StringSet.h"
#include <initializer_list>
#include <optional>

namespace zpl {

/// A recursive descent parser, one function per rule of the grammar.
///
/// Errors: report() says nothing while `panic` is set, twice at one token, or
/// at an Error token, of which the lexer has spoken. A missing token is
/// reported at the end of the one before it. If the program makes sense with
/// it, the parser goes on as if it were there; else it panics, which makes
/// every function return quickly, until a function that knows where to go on
/// (the end of a statement, of brackets, of a heading) skips to that place.
class Parser {
public:
  Parser(const TokenBuffer &buffer, ast::Context &context,
         DiagnosticEngine &diags)
      : tokens(buffer.tokens), buffer(buffer), context(context), diags(diags) {}

  ast::Module parseModule();

private:
  //===--------------------------------------------------------------------===//
  // The cursor (Parse.cpp)
  //===--------------------------------------------------------------------===//

  const Token &token(size_t ahead = 0) const {
    size_t index = position + ahead;
    return tokens[index < tokens.size() ? index : tokens.size() - 1];
  }
  TokenKind kind(size_t ahead = 0) const {
    if (position + ahead == correctedPosition)
      return correctedKind;
    return token(ahead).kind;
  }
  bool is(TokenKind wanted) const { return kind() == wanted; }
  template <typename... Kinds> bool isAny(Kinds... kinds) const {
    return isOneOf(kind(), kinds...);
  }
  Token take();
  bool accept(TokenKind wanted);
  llvm::StringRef textOf(const Token &t) const {
    return diags.sources().text(t.range);
  }
  /// Is the current token the name \p word, a keyword only here?
  bool isWord(llvm::StringRef word) const {
    return is(TokenKind::Name) && textOf(token()) == word;
  }
  /// From \p begin to the end of the token before the cursor.
  SourceRange rangeFrom(SourceRange begin) const;
  /// Empty, at the end of the token before the cursor.
  SourceRange endOfPrevious() const;
  bool firstOnLine(size_t ahead = 0) const;
  unsigned columnOf(SourceRange range) const {
    return diags.sources().lineColumn(range).column;
  }

  //===--------------------------------------------------------------------===//
  // Errors and recovery (Recovery.cpp)
  //===--------------------------------------------------------------------===//

  template <typename... Args>
  std::optional<DiagnosticBuilder> report(SourceRange range, Diag id,
                                          Args &&...args) {
    if (!mayReport())
      return std::nullopt;
    return diags.report(range, id, args...);
  }
  /// Also notes the place; an Error token starts a panic.
  bool mayReport();
  std::string found() const;
  void notSupported(SourceRange range, const llvm::Twine &construct);
  ast::Expr *expectedExpression();

  bool missing(const llvm::Twine &wanted, llvm::StringRef insertion,
               const Token *opener = nullptr);
  bool plausibleInsertion() const;
  void expectWord(TokenKind word, llvm::StringRef where);
  void expectClose(TokenKind closer, const Token &opener);
  void expectEnd(const Token &opener);
  void endConstruct(llvm::StringRef what, SourceRange begin);
  bool skipToClose(TokenKind closer);
  void synchronize(SourceRange begin);
  void skipToDeclaration();
  bool atStatementWord(size_t ahead = 0) const;
  bool atAssignment(size_t ahead = 0) const;
  bool atDeclaration() const;

  void correct(TokenKind meant);
  bool correctIfClose(std::initializer_list<TokenKind> candidates);
  void correctStatementWord();
  void correctDeclarationWord();
  bool callBeforeThenOrDo() const;

  /// Counts a level of nesting while it lives.
  struct Nesting {
    explicit Nesting(Parser &parser) : parser(parser) {
      if (++parser.depth > nestingLimit)
        parser.giveUp();
    }
    ~Nesting() { --parser.depth; }
    Nesting(const Nesting &) = delete;
    Parser &parser;
  };
  void giveUp();

  //===--------------------------------------------------------------------===//
  // Declarations (ParseDecl.cpp)
  //===--------------------------------------------------------------------===//

  void parseHeading(ast::Module &module);
  void parseGlobal(std::vector<ast::Decl *> &decls);
  bool parseUnsupportedGlobal();
  bool parseLocal(std::vector<ast::Decl *> &decls);
  void parseVariables(ast::VariableDecl::Flavor flavor, bool isStatic,
                      std::vector<ast::Decl *> &decls);
  ast::VariableDecl *parseVariable(ast::VariableDecl::Flavor flavor,
                                   bool isStatic);
  void parseConfig(std::vector<ast::Decl *> &decls);
  void parseRegions(std::vector<ast::Decl *> &decls);
  void parseDirections(std::vector<ast::Decl *> &decls);
  bool atDefinition(bool first);
  bool atReservedName() const;
  void skipMultiRange();
  void expectInitializer(llvm::StringRef what);
  ast::ProcedureDecl *parseProcedure();
  void parseSignature(ast::ProcedureDecl &decl);
  void parseFormals(std::vector<ast::Formal> &formals);
  void parseBody(ast::ProcedureDecl &decl);
  ast::TypeRef parseType();
  ast::Name parseElementType();
  void skipType();
  ast::Name parseName(llvm::StringRef what);

  //===--------------------------------------------------------------------===//
  // Statements (ParseStmt.cpp)
  //===--------------------------------------------------------------------===//

  ast::StmtList parseStatements();
  bool atStatementsEnd() const;
  bool parseStrayClause(ast::StmtList &list);
  bool parseMisplacedDeclaration();
  ast::Stmt *parseStatement();
  ast::Stmt *parseBlock();
  ast::Stmt *parseScanBlock();
  ast::Stmt *parseIf();
  ast::Stmt *parseWhile();
  ast::Stmt *parseRepeat();
  ast::Stmt *parseFor();
  bool parseDownto();
  ast::Stmt *parseExit();
  ast::Stmt *parseContinue();
  ast::Stmt *parseReturn();
  ast::Stmt *parseHalt();
  ast::Stmt *parseWrite();
  ast::Stmt *parseUnsupportedIO();
  ast::Stmt *parseWrapOrReflect();
  ast::Stmt *parseScope();
  ast::Stmt *parseAssignmentOrCall();
  ast::Stmt *parseAssignment(ast::Expr *target);
  ast::Stmt *parseIncompleteStatement(ast::Expr *target);
  std::vector<ast::Item> parseItems();

  //===--------------------------------------------------------------------===//
  // Expressions (ParseExpr.cpp, ParseOperators.cpp)
  //===--------------------------------------------------------------------===//

  ast::Expr *parseExpr();
  ast::Expr *parseArgument();
  ast::Expr *parseBinary(unsigned minimum);
  ast::Expr *parseInside(ast::Expr *left);
  ast::Expr *parseUnary();
  ast::Expr *parsePower();
  ast::Expr *parsePowerOperand();
  ast::Expr *parseReduce();
  ast::Expr *parseUnsupportedReduce(const Token &word);
  ast::Expr *parseScanOp();
  ast::Expr *parseFlood();
  ast::Expr *parsePostfix();
  bool parseSuffix(ast::Expr *&base);
  bool parseUnsupportedSubscript(const ast::Expr *base);
  ast::Expr *parsePrimary();
  ast::Expr *parseNameOrCall();
  ast::Expr *parseParen();
  ast::Expr *parseString();
  llvm::SmallVector<ast::Expr *, 4> parseArguments();
  ast::Expr *requireValue(ast::Expr *expr);
  ast::Expr *dummy(SourceRange range);
  void setHeight(unsigned below);

  //===--------------------------------------------------------------------===//
  // Regions and directions (ParseRegion.cpp)
  //===--------------------------------------------------------------------===//

  ast::Expr *parseRegion();
  ast::Expr *parseRegionPrefix();
  bool atOperatorName(const ast::Expr *region) const;
  bool parseRegionSuffix(ast::Expr *&region);
  bool parseUnsupportedSuffix(ast::Expr *region);
  ast::RegionLit *parseBracket();
  ast::Dim parseDim();
  ast::Expr *parseDirection();
  ast::Expr *parseList();
  ast::Expr *asDirection(ast::Expr *expr);
  ast::Expr *asRegion(ast::Expr *expr);

  template <typename T, typename... Args> T *make(Args &&...args) {
    return context.make<T>(std::forward<Args>(args)...);
  }

  const std::vector<Token> &tokens;
  const TokenBuffer &buffer;
  ast::Context &context;
  DiagnosticEngine &diags;

  static constexpr size_t nowhere = ~size_t(0);
  size_t position = 0;
  size_t lastError = nowhere;                ///< the token of the last report
  size_t correctedPosition = nowhere;        ///< a misspelt keyword ...
  TokenKind correctedKind = TokenKind::Name; ///< ... and what it stands for
  bool panic = false;
  unsigned depth = 0;
  unsigned height = 0;           ///< of the expression that was parsed last
  llvm::StringSet<> unsupported; ///< constructs already reported

  unsigned openIfs = 0;     ///< `if` statements around the cursor
  unsigned openRepeats = 0; ///< `repeat` statements around the cursor
  unsigned procedureColumn = 0;
  /// The first block whose `end` stands left of it: perhaps its own is missing.
  std::optional<Token> suspect;
};

/// Is the node a region's, which is no value?
bool isRegion(const ast::Expr *expr);
/// A region in brackets is that region.
ast::Expr *unwrap(ast::RegionLit *region);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSER_H
