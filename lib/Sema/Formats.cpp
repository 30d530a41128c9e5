//===- Formats.cpp - Items of write, writeln and halt ---------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     writeln("n = ", n, " at (%d, %5.2f)\n": i, x, 1e10);
//
// becomes a list of pieces, each a text or one value:
//
//     "n = "  n  " at (%d" with i  ", %5.2f)\n" with x  "1e10"
//
// A format literal is taken apart here: as many values as it has conversions
// follow it, and each piece keeps one conversion with the text before it; the
// text after the last belongs to the last. Every conversion is held against its
// value's type. A format that is no literal is checked when it is used. A
// numeric literal prints as it is written, a string literal as itself.
//
// Cost: linear in the formats.
//
//===----------------------------------------------------------------------===//

#include "Checker.h"
#include "Types.h"

namespace zpl::sema {

namespace {

/// Digits a width or a precision may have: printf must not be asked for
/// gigabytes by a slip of a key.
constexpr unsigned MostDigits = 4;

/// A format cut into pieces with one conversion each.
struct Format {
  std::vector<std::string> pieces;
  std::vector<char> conversions; ///< of each piece
  const char *error = nullptr;   ///< what is wrong with it
};

/// Reads the conversion behind the '%' that begins \p text and moves it into
/// \p piece, without the length modifier. Returns its letter, 0 after an error.
char takeConversion(llvm::StringRef &text, std::string &piece, Format &format) {
  auto take = [&](llvm::StringRef set) {
    llvm::StringRef taken =
        text.take_while([&](char c) { return set.contains(c); });
    text = text.drop_front(taken.size());
    piece += taken;
    return taken.size();
  };
  piece += '%';
  text = text.drop_front();
  take("-+ #0");
  bool isLong = take("0123456789") > MostDigits;
  if (text.consume_front(".")) {
    piece += '.';
    isLong |= take("0123456789") > MostDigits;
  }
  if (text.starts_with("*"))
    format.error = "takes a width from an argument";
  else if (isLong)
    format.error = "has a width or precision of more than four digits";
  text = text.drop_while(
      [](char c) { return llvm::StringRef("hlLqjzt").contains(c); });
  if (text.empty() && !format.error)
    format.error = "ends within a conversion";
  if (format.error)
    return 0;
  char letter = text.front();
  piece += letter;
  text = text.drop_front();
  if (!llvm::StringRef("diuxXofFeEgGcs").contains(letter))
    format.error = "has an unknown conversion";
  return format.error ? 0 : letter;
}

Format parseFormat(llvm::StringRef text) {
  Format format;
  std::string piece; // before the next conversion
  while (!text.empty() && !format.error) {
    if (text.consume_front("%%")) {
      piece += "%%";
    } else if (text.front() != '%') {
      piece += text.front();
      text = text.drop_front();
    } else {
      format.conversions.push_back(takeConversion(text, piece, format));
      format.pieces.push_back(std::move(piece));
      piece.clear();
    }
  }
  if (!format.error && format.pieces.empty())
    format.error = "has no conversion for the value";
  if (!format.error)
    format.pieces.back() += piece;
  return format;
}

bool fits(char conversion, ScalarType type) {
  llvm::StringRef letters;
  if (isFloating(type))
    letters = "fFeEgG";
  else if (type == ScalarType::String)
    letters = "s";
  else if (type == ScalarType::Boolean)
    letters = "sdiuxXo";
  else
    letters = "diuxXoc";
  return letters.contains(conversion);
}

WriteItem valueItem(const Expr *value, SourceRange range) {
  WriteItem item;
  item.value = value;
  item.range = range;
  return item;
}

const ast::Expr &withoutParens(const ast::Expr &e) {
  const ast::Expr *inner = &e;
  while (auto *paren = llvm::dyn_cast<ast::Paren>(inner))
    inner = paren->inner;
  return *inner;
}

} // namespace

void Checker::items(const std::vector<ast::Item> &from, bool newline,
                    SourceRange range, std::vector<WriteItem> &to) {
  for (size_t next = 0; next != from.size();) {
    if (from[next].format)
      formattedItems(from, next, to);
    else
      plainItem(from[next++], to);
  }
  if (newline) {
    WriteItem end;
    end.text = "\n";
    end.range = range;
    to.push_back(std::move(end));
  }
}

/// A value that can be written; null after a report.
const Expr *Checker::itemValue(const ast::Expr &e) {
  const Expr *value = expr(e);
  if (isError(value) || reportFree(value))
    return nullptr;
  if (value->type == ScalarType::Timer) {
    diags.report(e.range, Diag::WrittenType, text(value->type)).done();
    return nullptr;
  }
  if (value->rank != Expr::AnyRank)
    return value;
  unsigned rank = visibleRank(value->minRank, e.range);
  if (rank == 0)
    return nullptr;
  // The node is this item's own, so its rank can be settled.
  auto *settled = const_cast<Expr *>(value);
  settled->rank = rank;
  return settled;
}

void Checker::plainItem(const ast::Item &item, std::vector<WriteItem> &to) {
  const ast::Expr &written = withoutParens(*item.value);
  WriteItem piece;
  piece.range = item.range;
  if (auto *literal = llvm::dyn_cast<ast::IntLiteral>(&written))
    piece.text = literal->text.str();
  else if (auto *literal = llvm::dyn_cast<ast::FloatLiteral>(&written))
    piece.text = literal->text.str();
  else if (auto *literal = llvm::dyn_cast<ast::StringLiteral>(&written))
    piece.text = literal->value;
  else if (!(piece.value = itemValue(*item.value)))
    return;
  to.push_back(std::move(piece));
}

/// The item at \p next, whose format may take the values after it too.
void Checker::formattedItems(const std::vector<ast::Item> &from, size_t &next,
                             std::vector<WriteItem> &to) {
  const ast::Item &first = from[next];
  auto *literal =
      llvm::dyn_cast<ast::StringLiteral>(&withoutParens(*first.format));
  if (!literal) {
    const Expr *format = scalar(*first.format, "format");
    const Expr *value = itemValue(*first.value);
    ++next;
    if (!isError(format) && format->type != ScalarType::String)
      diags.report(first.format->range, Diag::FormatType, text(format->type))
          .done();
    if (value)
      to.emplace_back(valueItem(value, first.range)).formatExpr = format;
    return;
  }
  Format format = parseFormat(literal->value);
  if (format.error) {
    diags.report(literal->range, Diag::BadFormat, format.error).done();
    itemValue(*first.value);
    ++next;
    return;
  }
  size_t wanted = format.pieces.size();
  for (size_t i = 0; i != wanted; ++i, ++next) {
    if (next == from.size() || (i != 0 && from[next].format)) {
      diags.report(literal->range, Diag::FormatCount, wanted, i).done();
      return;
    }
    const ast::Item &item = from[next];
    const Expr *value = itemValue(*item.value);
    if (!value)
      continue;
    if (wanted > 1 && value->isArray())
      diags
          .report(item.value->range, Diag::NotSupported,
                  "an array under a format of several conversions")
          .highlight(literal->range);
    else if (!fits(format.conversions[i], value->type))
      diags
          .report(item.value->range, Diag::FormatMismatch,
                  std::string("%") + format.conversions[i], text(value->type))
          .highlight(literal->range);
    to.emplace_back(valueItem(value, item.range)).format = format.pieces[i];
  }
}

} // namespace zpl::sema
