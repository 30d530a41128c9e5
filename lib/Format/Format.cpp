//===- Format.cpp - Programs in the one style -----------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lines are the author's; what is ours is how they are indented, the blanks in
// them, and the empty lines between them:
//
//     procedure f();              procedure f();
//     begin                       begin
//     if a>b then c:=1;    ->       if a>b then c := 1;
//          d := 2 ;end;               d := 2; end;
//     end;                        end;
//
// A line that begins a statement is two columns right of the line that opens
// its block; `end`, `else` and `until` are below that line. Declarations after
// the first of a section are below it. The other lines go on with a statement
// and move with its first line. More than one blank, where there should be one
// or none, is left if it aligns what follows with the line above or below.
//
// Blanks that are taken away may end an alignment that another line has kept
// its blanks for. So the text is formatted until nothing changes: gaps only
// shrink, so that comes to an end.
//
// Cost: linear in the text for each round, of which there are mostly two.
//
//===----------------------------------------------------------------------===//

#include "zpl/Format/Format.h"
#include "Pieces.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace zpl {

using Tok = TokenKind;

namespace {

/// A block that is open.
struct Block {
  unsigned anchor; ///< the column of what closes it
};

/// Declarations below each other: `var a: T;` and then `b: U;`.
struct Section {
  bool isAwaited = false; ///< its keyword was there, its first name not yet
  bool isOpen = false;
  size_t depth = 0;    ///< how many blocks are open around it
  unsigned column = 0; ///< of its names
};

struct Formatting {
  std::vector<Piece> pieces;
  std::vector<size_t> lines; ///< the first piece of each line
  std::string output;
  unsigned column = 0; ///< after what was written
  SmallVector<Block, 16> blocks;
  unsigned parens = 0;
  Section section;
  unsigned lineIndent = 0;               ///< of the line at hand
  unsigned oldIndent = 0, newIndent = 0; ///< of the statement's first line
  const Piece *lastToken = nullptr;
  /// The column of the comment at the end of the line before, before and now.
  std::optional<std::pair<unsigned, unsigned>> trailing;
};

} // namespace

static bool opensBlock(Tok kind) {
  return isOneOf(kind, Tok::Begin, Tok::If, Tok::For, Tok::While, Tok::Repeat,
                 Tok::Record, Tok::Union, Tok::Interleave, Tok::Scan);
}

static bool closesBlock(Tok kind) {
  return isOneOf(kind, Tok::EndWord, Tok::Until);
}

static bool beginsSection(Tok kind) {
  return isOneOf(kind, Tok::Var, Tok::Const, Tok::Constant, Tok::Config,
                 Tok::Type, Tok::Region, Tok::Direction, Tok::Grid,
                 Tok::Distribution, Tok::Domain, Tok::Extern, Tok::Static,
                 Tok::Free);
}

/// Whether the token \p piece, first on its line, begins a statement or a
/// declaration, or goes on with a block.
static bool beginsStatement(const Formatting &f, const Piece &piece) {
  if (f.parens != 0 || piece.token == Tok::Semicolon)
    return false;
  if (!f.lastToken || closesBlock(piece.token) ||
      isOneOf(piece.token, Tok::Else, Tok::Elsif, Tok::Begin))
    return true;
  return isOneOf(f.lastToken->token, Tok::Semicolon, Tok::Begin, Tok::Then,
                 Tok::Do, Tok::Else, Tok::Repeat, Tok::Record, Tok::Union,
                 Tok::Interleave, Tok::Scan, Tok::EndWord);
}

static unsigned bodyIndent(const Formatting &f) {
  return f.blocks.empty() ? 0 : f.blocks.back().anchor + 2;
}

static bool isInSection(const Formatting &f) {
  return f.section.isOpen && f.section.depth == f.blocks.size();
}

/// Where a token that is first on its line goes.
static unsigned tokenIndent(Formatting &f, const Piece &piece) {
  if (!beginsStatement(f, piece)) {
    int moved = static_cast<int>(piece.column) + static_cast<int>(f.newIndent) -
                static_cast<int>(f.oldIndent);
    return static_cast<unsigned>(std::max(moved, 0));
  }
  unsigned indent = bodyIndent(f);
  bool goesOn =
      closesBlock(piece.token) || isOneOf(piece.token, Tok::Else, Tok::Elsif);
  if (goesOn)
    indent = f.blocks.empty() ? 0 : f.blocks.back().anchor;
  else if (piece.token == Tok::Name && isInSection(f))
    indent = f.section.column;
  f.oldIndent = piece.column;
  f.newIndent = indent;
  return indent;
}

/// Where a comment that is first on its line goes: below the one at the end of
/// the line before if it was there, else where the next line goes.
static unsigned commentIndent(const Formatting &f, size_t at) {
  if (f.trailing && f.trailing->first == f.pieces[at].column)
    return f.trailing->second;
  size_t next = at;
  while (next < f.pieces.size() && f.pieces[next].kind != Piece::IsToken)
    ++next;
  if (next == f.pieces.size())
    return bodyIndent(f);
  Formatting probe;
  probe.blocks = f.blocks;
  probe.parens = f.parens;
  probe.section = f.section;
  probe.lastToken = f.lastToken;
  probe.oldIndent = f.oldIndent;
  probe.newIndent = f.newIndent;
  const Piece &token = f.pieces[next];
  return closesBlock(token.token) || isOneOf(token.token, Tok::Else, Tok::Elsif)
             ? bodyIndent(f)
             : tokenIndent(probe, token);
}

/// The line, by its number in `lines`, as the range of its pieces.
static ArrayRef<Piece> lineAt(const Formatting &f, size_t line) {
  size_t end = line + 1 < f.lines.size() ? f.lines[line + 1] : f.pieces.size();
  return ArrayRef(f.pieces).slice(f.lines[line], end - f.lines[line]);
}

/// Whether a piece begins or ends where one of a line near to it does, with no
/// empty line in between.
static bool isAligned(const Formatting &f, size_t line, const Piece &piece) {
  constexpr size_t near = 3;
  auto isBeside = [&](const Piece &other) {
    return other.column == piece.column ||
           (other.end() == piece.end() && !piece.isComment());
  };
  auto followsDirectly = [&](size_t which) {
    return which < f.lines.size() && f.pieces[f.lines[which]].newlines == 1;
  };
  for (size_t up = line; up > 0 && line - up < near && followsDirectly(up);
       --up)
    if (any_of(lineAt(f, up - 1), isBeside))
      return true;
  for (size_t down = line + 1; down <= line + near && followsDirectly(down);
       ++down)
    if (any_of(lineAt(f, down), isBeside))
      return true;
  return false;
}

/// Whether the innermost bracket around piece \p at is a `[`.
static bool isInBrackets(const Formatting &f, size_t at) {
  unsigned depth = 0;
  for (size_t back = at; back-- > 0 && at - back < 100;) {
    Tok kind = f.pieces[back].token;
    bool opens = isOneOf(kind, Tok::LBracket, Tok::LParen, Tok::LBrace);
    if (opens && depth == 0)
      return kind == Tok::LBracket;
    depth -= opens;
    depth += isOneOf(kind, Tok::RBracket, Tok::RParen, Tok::RBrace);
  }
  return false;
}

/// Whether the operator in piece \p at has blanks on a side.
static bool isSpaced(const Formatting &f, size_t at) {
  bool behind = at + 1 < f.pieces.size() &&
                (f.pieces[at + 1].gap > 0 || f.pieces[at + 1].newlines > 0);
  return f.pieces[at].gap > 0 || f.pieces[at].newlines > 0 || behind;
}

/// Whether piece \p at is an operator with two operands.
static bool isOperator(const Formatting &f, size_t at) {
  return at > 0 && f.pieces[at].kind == Piece::IsToken &&
         f.pieces[at - 1].kind == Piece::IsToken &&
         isBinary(f.pieces[at].token, f.pieces[at - 1]);
}

/// Whether piece \p at or the one before is between the angles of a type, as
/// in `region<.., *>`.
static bool isInAngles(const Formatting &f, size_t at) {
  for (size_t back = at; back-- > 0 && at - back < 20;) {
    Tok kind = f.pieces[back].token;
    if (kind == Tok::Less)
      return back > 0 &&
             isOneOf(f.pieces[back - 1].token, Tok::Region, Tok::Direction,
                     Tok::Grid, Tok::Distribution, Tok::ScanOp);
    if (isOneOf(kind, Tok::Semicolon, Tok::LParen, Tok::RParen) ||
        (kind == Tok::Greater && back + 1 < at))
      return false;
  }
  return false;
}

/// The blanks before piece \p at, which is not the first on its line.
static unsigned gapBefore(const Formatting &f, size_t line, size_t at) {
  const Piece &before = f.pieces[at - 1], &piece = f.pieces[at];
  if (piece.kind != Piece::IsToken)
    return std::max(piece.gap, 1u);
  unsigned kept = std::min(piece.gap, 1u), wanted = kept;
  bool isOpening = piece.is(Tok::Less) && before.kind == Piece::IsToken &&
                   isOneOf(before.token, Tok::Region, Tok::Direction, Tok::Grid,
                           Tok::Distribution, Tok::ScanOp);
  if (before.kind != Piece::IsToken)
    wanted = 1;
  else if (isOpening || isInAngles(f, at))
    wanted = kept;
  else if (before.token == Tok::Comma && isInBrackets(f, at))
    wanted = kept; // `[ 1,-1, 0]`
  else if (isOperator(f, at))
    wanted = isSpaced(f, at);
  else if (isOperator(f, at - 1))
    wanted = isSpaced(f, at - 1);
  else if (isOneOf(before.token, Tok::Plus, Tok::Minus, Tok::Bang))
    wanted = 0; // a sign
  else
    wanted = blanksBetween(before, piece).value_or(kept);
  bool isWide = piece.gap > std::max(wanted, 0u) &&
                !isOneOf(piece.token, Tok::Semicolon, Tok::Comma);
  return isWide && isAligned(f, line, piece) ? piece.gap : wanted;
}

static void write(Formatting &f, unsigned blanks, const Piece &piece) {
  f.output.append(blanks, ' ');
  f.output += piece.text;
  f.column += blanks + piece.width;
}

/// The column of what closes the block that the record, in piece \p at, opens:
/// that of its name if others are declared below it.
static unsigned recordAnchor(const Formatting &f, size_t at) {
  unsigned depth = 1;
  for (size_t next = at + 1; next + 2 < f.pieces.size(); ++next) {
    depth += opensBlock(f.pieces[next].token);
    depth -= f.pieces[next].is(Tok::EndWord);
    if (depth != 0)
      continue;
    size_t after = next + 1;
    while (after < f.pieces.size() && (f.pieces[after].kind != Piece::IsToken ||
                                       f.pieces[after].is(Tok::Semicolon)))
      ++after;
    bool isFollowed = after < f.pieces.size() && f.pieces[after].is(Tok::Name);
    return isInSection(f) && isFollowed ? f.section.column : f.lineIndent;
  }
  return f.lineIndent;
}

/// Keeps track of blocks, parentheses and sections; \p column is where the
/// token of piece \p at was written.
static void follow(Formatting &f, size_t at, unsigned column) {
  const Piece &piece = f.pieces[at];
  bool isStart = f.parens == 0 && beginsStatement(f, piece);
  bool isInHeading = !isStart && f.section.isAwaited;
  if (isStart && beginsSection(piece.token)) {
    f.section = {};
    f.section.isAwaited = true;
  } else if (isStart && piece.token != Tok::Name) {
    f.section.isOpen = f.section.isOpen && f.section.depth < f.blocks.size();
  }
  if (isInHeading && !beginsSection(piece.token)) {
    f.section.isAwaited = false;
    f.section.isOpen = piece.token == Tok::Name;
    f.section.depth = f.blocks.size();
    f.section.column = column;
  }
  bool isRecord = isOneOf(piece.token, Tok::Record, Tok::Union);
  if (closesBlock(piece.token) && !f.blocks.empty())
    f.blocks.pop_back();
  else if (opensBlock(piece.token))
    f.blocks.push_back({isRecord ? recordAnchor(f, at) : f.lineIndent});
  f.parens += isOneOf(piece.token, Tok::LParen, Tok::LBracket, Tok::LBrace);
  f.parens -= isOneOf(piece.token, Tok::RParen, Tok::RBracket, Tok::RBrace) &&
              f.parens != 0;
  f.lastToken = &piece;
}

static void writeFirst(Formatting &f, size_t at) {
  const Piece &piece = f.pieces[at];
  if (!f.output.empty())
    f.output.append(piece.newlines > 1 ? 2 : 1, '\n');
  f.column = 0;
  unsigned indent = piece.kind == Piece::Directive ? 0
                    : piece.isComment()            ? commentIndent(f, at)
                                                   : tokenIndent(f, piece);
  // What is written on a line of its own says where a comment below it goes.
  bool isBelow = piece.isComment() && f.trailing &&
                 f.trailing->first == piece.column && piece.newlines == 1;
  if (!isBelow)
    f.trailing.reset();
  f.lineIndent = indent;
  write(f, indent, piece);
}

static void writeLine(Formatting &f, size_t line) {
  size_t first = f.lines[line], end = first + lineAt(f, line).size();
  for (size_t at = first; at < end; ++at) {
    const Piece &piece = f.pieces[at];
    if (at == first)
      writeFirst(f, at);
    else
      write(f, gapBefore(f, line, at), piece);
    unsigned column = f.column - piece.width;
    if (piece.kind == Piece::IsToken)
      follow(f, at, column);
    else if (at != first && piece.isComment())
      f.trailing = {piece.column, column};
  }
}

/// One round.
static Expected<std::string> formatOnce(StringRef name, StringRef text) {
  Expected<std::vector<Piece>> pieces = cut(name, text);
  if (!pieces)
    return pieces.takeError();
  Formatting f;
  f.pieces = std::move(*pieces);
  for (const auto &[at, piece] : enumerate(f.pieces))
    if (at == 0 || piece.newlines > 0)
      f.lines.push_back(at);
  for (size_t line = 0; line < f.lines.size(); ++line)
    writeLine(f, line);
  if (!f.output.empty())
    f.output += '\n';
  return std::move(f.output);
}

Expected<std::string> format(StringRef name, StringRef text) {
  std::string current = text.str();
  Expected<std::vector<Piece>> wanted = cut(name, text);
  if (!wanted)
    return wanted.takeError();
  for (unsigned round = 0; round < 100; ++round) {
    Expected<std::string> next = formatOnce(name, current);
    if (!next)
      return next;
    bool isDone = *next == current;
    current = std::move(*next);
    if (!isDone)
      continue;
    Expected<std::vector<Piece>> pieces = cut(name, current);
    if (!pieces)
      return pieces.takeError();
    if (haveSamePieces(*wanted, *pieces))
      return current;
    break;
  }
  return createStringError(inconvertibleErrorCode(),
                           name + ": error: the formatted text would be "
                                  "another program; it is left as it is");
}

} // namespace zpl
