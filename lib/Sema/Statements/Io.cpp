//===- Io.cpp - Input and output ------------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     writeln(f, "n = ", n, " at (%d, %5.2f)\n": i, x, 1e10, a[], V[]);
//
// becomes lists of pieces, each a text or one value with its conversion:
//
//     write f  "n = "  n  " at (%d": i  ", %5.2f)\n": x  "1e10"  a
//     for h := ... do  write f  V[h];  end
//     write f  "\n"
//
// A format takes as many values as it has conversions, a complex value two of
// them; every conversion is held against its value's type here. A numeric
// literal prints as it is written, a string literal as itself. Blank references
// to a whole indexed array are the array, whose elements the runtime goes
// through; any others are loops, which cut the statement into several. Then the
// file is evaluated once, before them.
//
// An open that stands in the statement itself gives a file that nothing else
// has a name for. It is closed after the statement, as if one had written
//
//     h := open("a.npy", file_write);  write(h, A);  close(h);
//
// A region that is read gets the pattern that the file holds, by a statement of
// its own (Sparse/PatternInput.cpp).
//
// Cost: linear in the statement.
//
//===----------------------------------------------------------------------===//

#include "Statements/Io.h"
#include "Arrays/Blanks.h"
#include "Arrays/Scopes.h"
#include "Check/Designators.h"
#include "Check/Expressions.h"
#include "Check/Formats.h"
#include "Check/Operators.h"
#include "Program/Free.h"
#include "Sparse/PatternInput.h"
#include "Statements/StandardStmts.h"
#include "Statements/Statements.h"
#include "Types/Types.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/SaveAndRestore.h"

namespace zpl::sema {

/// An I/O statement while it is checked.
struct Io {
  /// Pieces that are written or read together, perhaps once per element.
  struct Part {
    std::unique_ptr<Blanks> over; ///< null: once
    std::vector<WriteItem> pieces;
    const ast::Item *region = nullptr; ///< not null: is read, and nothing else
  };
  llvm::StringRef name; ///< "read"
  bool isReading = false, isBinary = false;
  const Expr *file = nullptr;
  std::vector<Part> parts;
  /// What the search for a file has checked already.
  std::pair<const ast::Expr *, const Expr *> checkedFirst = {};

  std::vector<WriteItem> &plain() {
    if (parts.empty() || parts.back().over || parts.back().region)
      parts.emplace_back();
    return parts.back().pieces;
  }
};

namespace {

WriteItem textPiece(llvm::StringRef text, SourceRange range) {
  WriteItem piece;
  piece.text = text.str();
  piece.range = range;
  return piece;
}

/// The first type in \p type, or in its parts, that \p isWrong.
std::optional<Type> findPart(Type type,
                             llvm::function_ref<bool(Type)> isWrong) {
  type = innermostElement(type);
  if (isWrong(type))
    return type;
  if (type == Type::Record || type == Type::Union)
    for (const TypeField &field : type.info()->fields)
      if (std::optional<Type> part = findPart(field.type, isWrong))
        return part;
  return std::nullopt;
}

bool hasNoText(Type type) {
  return type == Type::File || type == Type::Timer || type == Type::Opaque ||
         type == Type::Void || type == Type::Region ||
         type == Type::Direction || isDistributionValue(type);
}

bool hasNoImage(Type type) { return hasNoText(type) || type == Type::String; }

/// The name that a designator starts from; null: it is a call's.
const ast::NameRef *rootName(const ast::Expr &e) {
  if (auto *subscript = llvm::dyn_cast<ast::Subscript>(&e))
    return rootName(*subscript->base);
  if (auto *field = llvm::dyn_cast<ast::Field>(&e))
    return rootName(*field->base);
  return llvm::dyn_cast<ast::NameRef>(&e);
}

bool hasBlank(const ast::Expr &e) {
  if (auto *subscript = llvm::dyn_cast<ast::Subscript>(&e))
    return subscript->indices.empty() || hasBlank(*subscript->base);
  auto *field = llvm::dyn_cast<ast::Field>(&e);
  return field && hasBlank(*field->base);
}

/// Whether \p file is one that the statement itself opens.
bool isOpened(const Expr *file) {
  auto *builtin = llvm::dyn_cast<BuiltinExpr>(file);
  return builtin &&
         (builtin->fn == Builtin::Open || builtin->fn == Builtin::OpenPicture);
}

/// Whether \p e may be a file by its syntax.
bool mayBeFile(const ast::Expr &e) {
  return (llvm::isa<ast::NameRef, ast::Subscript, ast::Field, ast::Call>(e)) &&
         !hasBlank(e);
}

} // namespace

static llvm::ArrayRef<ast::Item>
takeFile(Checking &c, llvm::ArrayRef<ast::Item> items, Io &io);
static void checkItems(Checking &c, llvm::ArrayRef<ast::Item> from, Io &io);
static void plainItem(Checking &c, const ast::Item &item, Io &io);
static void addPiece(Checking &c, Io &io, std::unique_ptr<Blanks> over,
                     std::vector<WriteItem> pieces);
static llvm::ArrayRef<ast::Item>
formattedItems(Checking &c, llvm::ArrayRef<ast::Item> from, Io &io);
static llvm::ArrayRef<ast::Item> skipFormat(llvm::ArrayRef<ast::Item> from,
                                            size_t values);
static bool takeConversions(Checking &c, const Format &format, size_t &next,
                            const Expr *value,
                            const ast::StringLiteral &literal,
                            const ast::Item &item, std::vector<WriteItem> &to);
static void writePieces(Checking &c, Io &io, SourceRange range, StmtList &to);

Stmt *checkIo(Checking &c, const ast::IoStmt &s) {
  Io io;
  io.name = ast::text(s.io);
  io.isReading = s.io == ast::IoKind::Read || s.io == ast::IoKind::Bread;
  io.isBinary = s.io == ast::IoKind::Bread || s.io == ast::IoKind::Bwrite;
  checkItems(c, takeFile(c, s.items, io), io);
  if (s.io == ast::IoKind::Writeln)
    io.plain().push_back(textPiece("\n", s.range));
  if (!io.file)
    io.file = c.build.file(io.isReading ? 1 : 2, s.range); // zin, zout
  if (isError(io.file))
    return emptyStmt(c, s.range);
  StmtList made;
  writePieces(c, io, s.range, made);
  return singleStmt(c, std::move(made), s.range);
}

/// \p value, an integer, which if it is constant can be a status.
static const Expr *haltStatus(Checking &c, const Expr *value,
                              const ast::Expr &e) {
  if (isError(value) || reportFree(c, value))
    return c.build.error(e.range);
  if (!isIntegral(value->type)) {
    c.diags
        .report(e.range, Diag::IndexType, "status of 'halt'", text(value->type))
        .done();
    return c.build.error(e.range);
  }
  auto *constant = llvm::dyn_cast<LiteralExpr>(value);
  if (constant && (constant->integer < 1 || constant->integer > 255)) {
    c.diags.report(e.range, Diag::HaltStatus, constant->integer).done();
    return c.build.error(e.range);
  }
  return c.build.cast(value, Type::Integer);
}

/// The items, the last of them in \p halt, and before that in \p made what
/// writes the others.
static void addItems(Checking &c, Io &io, HaltStmt &halt, StmtList &made) {
  if (!io.parts.empty()) {
    halt.items = std::move(io.parts.back().pieces);
    io.parts.pop_back();
  }
  if (!io.parts.empty())
    writePieces(c, io, halt.range, made);
}

/// What stands behind `halt` without parentheses: a status, or a string, which
/// is the first of the items. False after a report.
static bool takeHaltText(Checking &c, const ast::Expr &e, Io &io,
                         HaltStmt &halt) {
  auto *literal = llvm::dyn_cast<ast::StringLiteral>(&withoutParens(e));
  if (literal) {
    io.plain().push_back(textPiece(literal->value, e.range));
    return true;
  }
  const Expr *value = checkScalar(c, e, "status of 'halt'");
  if (value->type != Type::String) {
    halt.status = haltStatus(c, value, e);
    return !isError(halt.status);
  }
  if (reportFree(c, value))
    return false;
  WriteItem piece;
  piece.range = e.range;
  piece.value = value;
  io.plain().push_back(std::move(piece));
  return true;
}

Stmt *checkHalt(Checking &c, const ast::HaltStmt &s) {
  Io io;
  io.name = "halt";
  io.file = c.build.file(3, s.range); // zerr
  auto *halt = c.program.make<HaltStmt>(s.range);
  if (s.status && !takeHaltText(c, *s.status, io, *halt))
    return emptyStmt(c, s.range);
  checkItems(c, s.items, io);
  if (!s.items.empty() || (s.status && !halt->status))
    io.plain().push_back(textPiece("\n", s.range));
  StmtList made;
  addItems(c, io, *halt, made);
  made.push_back(halt);
  return singleStmt(c, std::move(made), s.range);
}

void haltWith(Checking &c, std::vector<WriteItem> first,
              llvm::ArrayRef<ast::Item> items, SourceRange range,
              StmtList &made) {
  Io io;
  io.name = "assert";
  io.file = c.build.file(3, range); // zerr
  for (WriteItem &item : first)
    io.plain().push_back(std::move(item));
  checkItems(c, items, io);
  io.plain().push_back(textPiece("\n", range));
  auto *halt = c.program.make<HaltStmt>(range);
  addItems(c, io, *halt, made);
  made.push_back(halt);
}

/// The items without a file that stands first.
static llvm::ArrayRef<ast::Item>
takeFile(Checking &c, llvm::ArrayRef<ast::Item> items, Io &io) {
  if (items.empty() || items[0].format || !mayBeFile(*items[0].value) ||
      (io.isReading && isReadRegion(c, *items[0].value)))
    return items;
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, nullptr);
  const Expr *first = checkExpr(c, *items[0].value);
  if (isError(first)) {
    io.file = first; // nothing is known of what follows it
    return items.drop_front();
  }
  if (first->type == Type::File) {
    io.file = first->isArray() || reportFree(c, first)
                  ? c.build.error(first->range)
                  : first;
    if (first->isArray())
      reportArray(c, first, "a file");
    return items.drop_front();
  }
  if (io.isReading)
    return items; // is checked as a place
  io.checkedFirst = {items[0].value, first};
  return items;
}

static void checkItems(Checking &c, llvm::ArrayRef<ast::Item> from, Io &io) {
  while (!from.empty()) {
    if (from.front().format) {
      from = formattedItems(c, from, io);
    } else {
      if (!io.isReading && !io.isBinary)
        warnIfNoFormat(from, c.diags);
      plainItem(c, from.front(), io);
      from = from.drop_front();
    }
  }
}

static bool checkItemType(Checking &c, const Expr *value, const Io &io) {
  std::optional<Type> wrong =
      findPart(value->type, io.isBinary ? hasNoImage : hasNoText);
  if (!wrong)
    return true;
  auto id = io.isBinary    ? Diag::BinaryType
            : io.isReading ? Diag::NotReadable
                           : Diag::WrittenType;
  c.diags.report(value->range, id, text(*wrong)).done();
  return false;
}

/// What to write, or where to read to; null after a report. \p isWhole: blank
/// references to all of an indexed array may stand for the array.
static const Expr *itemValue(Checking &c, const ast::Expr &e, Io &io,
                             bool isWhole) {
  const ast::Expr *item = &e;
  const ast::NameRef *root = rootName(e);
  bool isParallel =
      root && llvm::isa_and_nonnull<Array>(c.names.find(root->name));
  unsigned stripped = 0;
  for (; isWhole && !isParallel; ++stripped) {
    auto *blank = llvm::dyn_cast<ast::Subscript>(item);
    if (!blank || !blank->indices.empty())
      break;
    item = blank->base;
  }
  const Expr *value;
  if (io.isReading)
    value = checkTarget(c, *item);
  else if (io.checkedFirst.first == item)
    value = io.checkedFirst.second;
  else
    value = checkExpr(c, *item);
  if (!value || isError(value) ||
      (io.isReading ? reportFreePlace(c, value) : reportFree(c, value)) ||
      !checkItemType(c, value, io))
    return nullptr;
  Type type = value->type;
  for (; stripped != 0; --stripped, type = type.info()->element)
    if (!isIndexed(c, value, type, e.range))
      return nullptr;
  if (value->rank != Expr::AnyRank) {
    Builder::settle(*value, value->rank);
    return value;
  }
  unsigned rank = visibleRank(c, value->minRank, e.range);
  if (rank == 0)
    return nullptr;
  Builder::settle(*value, rank);
  Builder::unfinished(*value).rank = rank;
  return value;
}

static void plainItem(Checking &c, const ast::Item &item, Io &io) {
  if (io.isReading && !io.isBinary && isReadRegion(c, *item.value)) {
    io.parts.emplace_back().region = &item;
    return;
  }
  const ast::Expr &written = withoutParens(*item.value);
  std::optional<llvm::StringRef> text;
  if (auto *literal = llvm::dyn_cast<ast::IntLiteral>(&written))
    text = literal->text;
  else if (auto *literal = llvm::dyn_cast<ast::FloatLiteral>(&written))
    text = literal->text;
  else if (auto *literal = llvm::dyn_cast<ast::StringLiteral>(&written))
    text = literal->value;
  if (text && !io.isReading && !io.isBinary) {
    io.plain().push_back(textPiece(*text, item.range));
    return;
  }
  auto over = std::make_unique<Blanks>();
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, over.get());
  WriteItem piece;
  piece.range = item.range;
  piece.value = itemValue(c, *item.value, io, /*isWhole=*/true);
  if (!piece.value)
    return;
  addPiece(c, io, std::move(over), {std::move(piece)});
}

static void addPiece(Checking &c, Io &io, std::unique_ptr<Blanks> over,
                     std::vector<WriteItem> pieces) {
  if (over->depth == 0) {
    if (checkPositions(c, *over))
      llvm::move(pieces, std::back_inserter(io.plain()));
    return;
  }
  io.parts.push_back({std::move(over), std::move(pieces)});
}

/// A format that is known at run time only, with its one value.
static llvm::ArrayRef<ast::Item>
computedFormat(Checking &c, llvm::ArrayRef<ast::Item> from, Io &io) {
  const ast::Item &item = from.front();
  auto over = std::make_unique<Blanks>();
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, over.get());
  const Expr *format = checkScalar(c, *item.format, "format");
  WriteItem piece;
  piece.range = item.range;
  piece.value = itemValue(c, *item.value, io, /*isWhole=*/true);
  piece.formatExpr = format;
  if (!isError(format) && format->type != Type::String)
    c.diags.report(item.format->range, Diag::FormatType, text(format->type))
        .done();
  else if (piece.value)
    addPiece(c, io, std::move(over), {std::move(piece)});
  return from.drop_front();
}

static llvm::ArrayRef<ast::Item>
formattedItems(Checking &c, llvm::ArrayRef<ast::Item> from, Io &io) {
  const ast::Item &first = from.front();
  if (io.isBinary) {
    c.diags.report(first.format->range, Diag::BinaryFormat, io.name).done();
    return from.drop_front();
  }
  auto *literal =
      llvm::dyn_cast<ast::StringLiteral>(&withoutParens(*first.format));
  if (!literal)
    return computedFormat(c, from, io);
  Format format = parseFormat(literal->value);
  auto over = std::make_unique<Blanks>();
  llvm::SaveAndRestore<Blanks *> outer(c.blanks, over.get());
  if (format.error) {
    c.diags.report(literal->range, Diag::BadFormat, format.error).done();
    itemValue(c, *first.value, io, /*isWhole=*/true);
    return from.drop_front();
  }
  std::vector<WriteItem> pieces;
  size_t wanted = format.pieces.size(), next = 0, values = 0;
  while (next != wanted) {
    if (values == from.size() || (values != 0 && from[values].format)) {
      c.diags.report(literal->range, Diag::FormatCount, wanted, next).done();
      return from.drop_front(values);
    }
    const ast::Item &item = from[values++];
    const Expr *value = itemValue(c, *item.value, io, /*isWhole=*/wanted == 1);
    if (!value)
      return skipFormat(from, values);
    if (!takeConversions(c, format, next, value, *literal, item, pieces))
      return from.drop_front(values);
  }
  addPiece(c, io, std::move(over), std::move(pieces));
  return from.drop_front(values);
}

/// After a wrong value: what shares its format is not looked at.
static llvm::ArrayRef<ast::Item> skipFormat(llvm::ArrayRef<ast::Item> from,
                                            size_t values) {
  from = from.drop_front(values);
  return from.drop_while([](const ast::Item &item) {
    return !item.format && !llvm::isa<ast::StringLiteral>(item.value);
  });
}

/// Gives \p value its conversions, the pieces of \p format from \p next on.
static bool takeConversions(Checking &c, const Format &format, size_t &next,
                            const Expr *value,
                            const ast::StringLiteral &literal,
                            const ast::Item &item, std::vector<WriteItem> &to) {
  Type type = innermostElement(value->type);
  size_t wanted = format.pieces.size();
  size_t parts = type.isComplex() ? 2 : 1;
  if (next + parts > wanted) {
    c.diags.report(item.value->range, Diag::ComplexFormat)
        .highlight(literal.range);
    return false;
  }
  bool isSeveral = value->isArray() || value->type == Type::Array;
  if (wanted > parts && isSeveral)
    c.diags
        .report(item.value->range, Diag::NotSupported,
                "an array under a format of several conversions")
        .highlight(literal.range);
  WriteItem piece;
  piece.value = value;
  piece.range = item.range;
  piece.format.emplace();
  for (; parts != 0; --parts, ++next) {
    if (!fits(format.conversions[next], type))
      c.diags
          .report(item.value->range, Diag::FormatMismatch,
                  std::string("%") + format.conversions[next], text(type))
          .highlight(literal.range);
    *piece.format += format.pieces[next];
  }
  to.push_back(std::move(piece));
  return true;
}

/// One statement of one part.
static Stmt *ioPart(Checking &c, const Io &io, std::vector<WriteItem> pieces,
                    SourceRange range) {
  if (!io.isReading) {
    auto *write = c.program.make<WriteStmt>(io.file, range);
    write->binary = io.isBinary;
    write->items = std::move(pieces);
    return write;
  }
  auto *read = c.program.make<ReadStmt>(io.file, range);
  read->binary = io.isBinary;
  for (WriteItem &piece : pieces)
    read->items.push_back(
        {piece.value, std::move(piece.format), piece.formatExpr, piece.range});
  return read;
}

static void writePieces(Checking &c, Io &io, SourceRange range, StmtList &to) {
  if (io.parts.empty())
    io.parts.emplace_back();
  bool isOnce = io.parts.size() == 1 && !io.parts.front().over &&
                !io.parts.front().region;
  bool isOwn = isOpened(io.file);
  SourceRange fileRange = io.file->range;
  if (isOwn || (!isOnce && !Builder::isLight(io.file))) {
    auto *kept = c.program.make<VariableExpr>(
        hiddenVariable(c, "file", Type::File, range), fileRange);
    to.push_back(c.program.make<AssignStmt>(kept, io.file, range));
    io.file = kept;
  }
  for (Io::Part &part : io.parts) {
    if (part.region) {
      readPattern(c, *part.region->value, io.file, range, to);
      continue;
    }
    Stmt *made = ioPart(c, io, std::move(part.pieces), range);
    if (part.over)
      repeat(c, *part.over, {made}, range, to);
    else
      to.push_back(made);
  }
  if (isOwn)
    to.push_back(closeOf(c, io.file, fileRange));
}

} // namespace zpl::sema
