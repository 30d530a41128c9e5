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
#include <bitset>
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
    TokenKind own = token(ahead).kind;
    bool isName =
        namedKeywords[static_cast<size_t>(own)] && isUsedAsName(ahead);
    return isName ? TokenKind::Name : own;
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
  std::optional<DiagnosticBuilder>
  report(SourceRange range, DiagWith<Args...> id,
         const std::type_identity_t<Args> &...args) {
    if (!claimsReport())
      return std::nullopt;
    return diags.report(range, id, args...);
  }
  /// Also notes the place; an Error token starts a panic.
  bool claimsReport();
  std::string found() const;
  std::string quoted(SourceRange range) const;
  ast::Expr *expectedExpression();

  bool missing(const llvm::Twine &wanted, llvm::StringRef insertion,
               const Token *opener = nullptr);
  bool plausibleInsertion() const;
  Token missingWord(TokenKind word, SourceRange range);
  void expectWord(TokenKind word, llvm::StringRef where);
  void expectClose(TokenKind closer, const Token &opener);
  void expectEnd(const Token &opener);
  void endConstruct(llvm::StringRef what, SourceRange begin);
  bool skipToClose(TokenKind closer);
  void synchronize(SourceRange begin);
  bool atStatementWord(size_t ahead = 0) const;
  size_t behindBrackets(size_t ahead) const;
  bool atAssignment(size_t ahead = 0) const;
  bool atScope() const;
  bool atDeclaration() const;

  void correct(TokenKind meant,
               DiagWith<Diag::Text, Diag::Text> id = Diag::MisspeltKeyword);
  bool correctIfClose(std::initializer_list<TokenKind> candidates);
  void correctStatementWord();
  void correctDeclarationWord();
  bool callBeforeThenOrDo() const;

  /// What depth and height are counted in: links of a chain; a level is many.
  static constexpr unsigned linksLimit = nestingLimit * linksPerLevel;

  /// Counts a level of nesting while it lives, or one link of a chain.
  struct Nesting {
    explicit Nesting(Parser &parser, unsigned links = linksPerLevel)
        : parser(parser), links(links) {
      parser.levels += links / linksPerLevel;
      if ((parser.depth += links) > linksLimit)
        parser.giveUp(parser.levels > nestingLimit ? nestingLimit : linksLimit);
    }
    ~Nesting() {
      parser.levels -= links / linksPerLevel;
      parser.depth -= links;
    }
    Nesting(const Nesting &) = delete;
    Parser &parser;
    const unsigned links;
  };
  void giveUp(unsigned limit);

  //===--------------------------------------------------------------------===//
  // What other languages write (Habits.cpp)
  //===--------------------------------------------------------------------===//

  /// What shows that an `end` may be missing.
  struct Doubt {
    DiagId id;
    SourceRange range;
    llvm::StringRef word;
  };

  bool touches(size_t ahead) const;
  bool isProcedure(llvm::StringRef name);
  void correctForeignStatement();
  std::optional<DiagnosticBuilder> noSuch(const llvm::Twine &what,
                                          const llvm::Twine &instead);
  std::optional<DiagnosticBuilder> noSuch(SourceRange range,
                                          const llvm::Twine &what,
                                          const llvm::Twine &instead);
  void skipWordBehindEnd(const Token &end);
  ast::Expr *parseConditional(ast::Expr *condition);
  bool acceptRange();
  void skipStride();
  bool skipShift();
  void skipSuffix(const Token &number);
  ast::Stmt *parseIncrement(ast::Expr *target);
  ast::Stmt *parsePrefixIncrement();
  ast::Stmt *parseAssignedCall(const ast::Call *call);
  bool skipForeignLoop();
  bool acceptForeignTo();
  void noteBegin(TokenKind word);
  void noteElseIf(const Token &word);
  void settleDoubts(const Token &opener, size_t count);
  bool reportDoubt(const Token &opener);
  bool skipBlankSubscripts();
  bool skipBlankSubscript();
  void skipSlice();
  ast::Expr *parseOperatorInRange(const Token &open,
                                  llvm::ArrayRef<ast::Dim> dims);
  bool atForeignProcedure() const;
  void skipParentheses();
  ast::TypeExpr *parseProcedureType();
  void parseNestedProcedures(const ast::ProcedureDecl &decl);
  bool isUsedAsName(size_t ahead) const;
  void allowAsName(TokenKind keyword);

  //===--------------------------------------------------------------------===//
  // Declarations (ParseDecl.cpp, ParseDistribution.cpp, ParseProcedure.cpp)
  //===--------------------------------------------------------------------===//

  using Decls = llvm::SmallVectorImpl<ast::Decl *>;

  /// The words in front of a declaration.
  struct Prefix {
    bool isExtern = false;
    bool isStatic = false;
    bool isFree = false;
  };

  void parseHeading(ast::Module &module);
  void parseGlobal(Decls &decls);
  void skipToGlobal();
  bool parseGlobalOnly(Prefix prefix, Decls &decls);
  bool parseLocal(Decls &decls);
  bool parseDefinitions(Prefix prefix, Decls &decls);
  void parseVariables(ast::VariableDecl::Flavor flavor, Prefix prefix,
                      Decls &decls);
  ast::VariableDecl *parseVariable(ast::VariableDecl::Flavor flavor,
                                   Prefix prefix);
  ast::Expr *parseInit();
  void parseConfig(Decls &decls);
  void parseTypes(Prefix prefix, Decls &decls);
  void parseRegions(Decls &decls);
  void parseDirections(Decls &decls);
  bool atDefinition(bool first);
  bool missingVar(bool mayBind);
  bool atReservedName() const;
  bool atTypeless() const;
  bool atRegionOpDecl() const;
  ast::DefinedName parseDefinedName(llvm::StringRef what);
  void expectInitializer(llvm::StringRef what);
  ast::Name parseName(llvm::StringRef what);
  std::optional<ast::Name> parseOptionalName(llvm::StringRef what);

  void parseHeader(Decls &decls, SourceRange begin);
  void parseGrids(Decls &decls);
  void parseDistributions(Decls &decls);
  ast::DistributionDecl::Dim parseDistributionDim();
  void parseDomains(Decls &decls);

  bool atLostHeading() const;
  ast::ProcedureDecl *parseProcedure(Prefix prefix, Token word);
  void parseSignature(ast::ProcedureDecl &decl);
  void parseFormals(llvm::SmallVectorImpl<ast::Formal> &formals);
  void skipFormals();
  ast::Formal parseFormalMode();
  void parseBody(ast::ProcedureDecl &decl);

  //===--------------------------------------------------------------------===//
  // Types (ParseType.cpp)
  //===--------------------------------------------------------------------===//

  ast::TypeExpr *parseType();
  ast::TypeExpr *expectedType();
  ast::TypeExpr *parseParallel();
  ast::TypeExpr *parseEnum();
  ast::TypeExpr *parseRecord();
  ast::TypeExpr *parseIndexedArray();
  ast::IndexedArrayType::Bound parseBound();
  ast::TypeExpr *parseRegionType();
  ast::TypeExpr *parseDirectionType();
  ast::TypeExpr *parseDistributionType();
  std::optional<ast::RegionComponent> regionComponent() const;
  ast::DirectionComponent parseDirectionComponent();
  template <typename T, typename Parse>
  llvm::ArrayRef<T> parseComponents(Parse parseOne);

  //===--------------------------------------------------------------------===//
  // Statements (ParseStmt.cpp, ParseAssign.cpp)
  //===--------------------------------------------------------------------===//

  ast::StmtList parseStatements(unsigned links = linksPerLevel);
  bool atStatementsEnd() const;
  bool parseStrayClause(llvm::SmallVectorImpl<ast::Stmt *> &list);
  bool parseMisplacedDeclaration();
  ast::Stmt *parseStatement(unsigned links = linksPerLevel);
  ast::Stmt *parseBlock();
  ast::Stmt *parseLostWord(size_t first);
  ast::Stmt *parseIf(Token word);
  ast::Stmt *parseWhile(Token word);
  ast::Stmt *parseRepeat();
  ast::Stmt *parseFor(Token word);
  bool parseDownto();
  ast::Stmt *parseExit();
  ast::Stmt *parseContinue();
  ast::Stmt *parseReturn();
  ast::Stmt *parseHalt();
  ast::Stmt *parseIo();
  ast::Stmt *parseWrapOrReflect();
  ast::Stmt *parseScope();
  bool atModify() const;
  ast::Stmt *parseModify();
  ast::Stmt *parseAssignmentOrCall();
  bool atAssignOp() const;
  ast::Stmt *parseAssignment(ast::Expr *target);
  ast::Stmt *parseIncompleteStatement(ast::Expr *target);
  llvm::ArrayRef<ast::Item> parseItems();

  //===--------------------------------------------------------------------===//
  // Expressions (ParseExpr.cpp, ParseOperators.cpp, ParseFolds.cpp)
  //===--------------------------------------------------------------------===//

  ast::Expr *parseExpr();
  ast::Expr *parseBinary(unsigned minimum);
  void foreignOperator(SourceRange range, llvm::StringRef instead);
  bool foreignWord();
  ast::Expr *parseInside(ast::Expr *left);
  ast::Expr *parseUnary();
  ast::Expr *parsePower(ast::Expr *left);
  bool atDoubleStar() const;
  ast::Expr *parsePowerOperand();
  ast::FoldOperator takeFoldOperator();
  ast::ExprList parseFoldOperands();
  ast::Expr *parseReduce();
  ast::Expr *parseScan();
  void parseScanOptions(ast::Scan &scan);
  void parseScanDims(ast::Scan &scan);
  ast::Expr *parseFlood();
  ast::Expr *parsePostfix();
  ast::Expr *parseSuffixes(ast::Expr *base);
  bool parseDesignatorSuffix(ast::Expr *&base);
  bool parseArraySuffix(ast::Expr *&base);
  void parseRemap(ast::Expr *&base);
  ast::ExprList parseBlankList(llvm::StringRef what);
  ast::Expr *parseDesignator(llvm::StringRef what);
  ast::Expr *parsePrimary();
  ast::Expr *parseNameOrCall();
  ast::Expr *parseRegionCall();
  ast::Expr *parseParen();
  ast::Expr *parseString();
  ast::Expr *parseCharacter(const Token &literal);
  ast::ExprList parseList(TokenKind closer);
  ast::Expr *requireValue(ast::Expr *expr);
  ast::Expr *dummy(SourceRange range);
  void setHeight(unsigned below, unsigned links = linksPerLevel);

  //===--------------------------------------------------------------------===//
  // Regions and directions (ParseRegion.cpp)
  //===--------------------------------------------------------------------===//

  ast::Expr *parseArgument();
  ast::Expr *parseRegionPrefix();
  bool atOperatorName(const ast::Expr *region) const;
  bool parseRegionSuffix(ast::Expr *&region);
  bool parseMask(ast::Expr *&region);
  ast::RegionLit *parseBracket();
  ast::Dim parseDim();
  ast::Expr *parseDirection();
  ast::Expr *parseScaledDirection();
  ast::Expr *parseScaledby(ast::Expr *direction);
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
  unsigned depth = 0;          ///< in links
  unsigned levels = 0;         ///< those of the depth that are no chains
  unsigned height = 0;         ///< of the expression parsed last, in links
  llvm::StringSet<> regionOps; ///< names that a `regionop` has defined

  std::bitset<256> namedKeywords;   ///< keywords that were declared as names
  llvm::StringSet<> procedureNames; ///< of the whole program, once asked for
  std::vector<Doubt> doubts;        ///< of the procedure

  unsigned openIfs = 0;     ///< `if` statements around the cursor
  unsigned openRepeats = 0; ///< `repeat` statements around the cursor
  unsigned openModifies = 0;
  unsigned procedureColumn = 0;
  /// The first block whose `end` stands left of it: perhaps its own is missing.
  std::optional<Token> suspect;
};

/// A region in brackets is that region.
ast::Expr *unwrap(ast::RegionLit *region);
/// Is it the keyword of a type that values are converted to?
bool isScalarType(TokenKind kind);

} // namespace zpl

#endif // ZPL_LIB_PARSE_PARSER_H
