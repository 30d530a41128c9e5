//===- DiagnosticPrinter.cpp - How diagnostics look -----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A message is printed as Clang prints it:
//
//     file.z:7:8: error: '=' compares; an assignment is ... [equal-assigns]
//         sum = sum + A;
//         ~~~ ^
//             :=
//     file.z:3:5: note: 'sum' is declared here
//
// The second line is the source line of the message's place, the third marks
// that place with '^', the rest of its range and the highlights with '~', and
// the fourth shows what fix-its would write where. Source bytes and columns of
// the screen differ: a tab reaches to the next multiple of 8, a character of
// UTF-8 is several bytes, an unprintable byte shows as <1B>. renderLine()
// therefore maps every byte of the line to its column. If a line is above
// `longLine` bytes only a window around the place is shown, and only the window
// is looked at: the cost does not depend on the length of lines.
//
//===----------------------------------------------------------------------===//

#include "zpl/Support/Diagnostic.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/Unicode.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl {

static constexpr size_t longLine = 200;
static constexpr size_t windowBefore = 80;
static constexpr size_t windowAfter = 100;
static constexpr unsigned tabStop = 8;

namespace {
/// The part of a source line that is shown.
struct ShownLine {
  uint32_t begin = 0; ///< offset of the window in the file
  uint32_t end = 0;
  std::string text;
  /// Column, from 0, of each byte of the window and of its end.
  std::vector<unsigned> columns;

  unsigned column(uint32_t offset) const {
    return columns[std::clamp(offset, begin, end) - begin];
  }
};
} // namespace

namespace {
/// Where messages go, and whether in colours.
struct Screen {
  raw_ostream &os;
  bool hasColours;
};

/// Colours what is printed while it lives, if the screen shows colours.
class Colour {
public:
  Colour(Screen screen, raw_ostream::Colors colour, bool bold = true)
      : os(screen.os), shown(screen.hasColours) {
    if (shown)
      os.changeColor(colour, bold);
  }
  ~Colour() {
    if (shown)
      os.resetColor();
  }
  Colour(const Colour &) = delete;

private:
  raw_ostream &os;
  bool shown;
};
} // namespace

/// Bytes of the UTF-8 character at the beginning of \p text; 0 if there is
/// none.
static unsigned utf8Length(StringRef text) {
  const auto *bytes = reinterpret_cast<const UTF8 *>(text.data());
  unsigned length = getNumBytesForUTF8(*bytes);
  if (length > text.size() || !isLegalUTF8Sequence(bytes, bytes + length))
    return 0;
  return length;
}

static bool isContinuationByte(char byte) { return (byte & 0xC0) == 0x80; }

/// Appends what the byte or character at the beginning of \p rest looks like;
/// returns how many bytes it took and sets the columns that it fills.
static unsigned renderCharacter(StringRef rest, unsigned column,
                                std::string &text, unsigned &width) {
  unsigned length = utf8Length(rest);
  StringRef character = rest.take_front(length);
  int columns = length ? sys::unicode::columnWidthUTF8(character) : -1;
  if (rest.front() == '\t') {
    width = tabStop - column % tabStop;
    text.append(width, ' ');
    return 1;
  }
  if (columns >= 0) {
    width = static_cast<unsigned>(columns);
    text += character;
    return length;
  }
  text += "<" + toHex(rest.take_front(1)) + ">";
  width = 4;
  return 1;
}

/// Chooses the bytes of the line that are shown.
static ShownLine chooseWindow(const SourceManager &sources, SourceRange place) {
  StringRef line = sources.line(place.file, place.begin);
  StringRef text = sources.text(place.file);
  uint32_t lineBegin = static_cast<uint32_t>(line.data() - text.data());
  ShownLine shown;
  shown.begin = lineBegin;
  shown.end = lineBegin + static_cast<uint32_t>(line.size());
  if (line.size() <= longLine)
    return shown;
  uint32_t place0 = std::min(place.begin, shown.end);
  if (place0 - shown.begin > windowBefore)
    shown.begin = place0 - windowBefore;
  if (shown.end - place0 > windowAfter)
    shown.end = place0 + windowAfter;
  while (shown.begin < place0 && isContinuationByte(text[shown.begin]))
    ++shown.begin;
  while (shown.end > place0 && shown.end < text.size() &&
         isContinuationByte(text[shown.end]))
    --shown.end;
  return shown;
}

static ShownLine renderLine(const SourceManager &sources, SourceRange place) {
  ShownLine shown = chooseWindow(sources, place);
  StringRef line = sources.line(place.file, place.begin);
  StringRef text = sources.text(place.file);
  uint32_t lineBegin = static_cast<uint32_t>(line.data() - text.data());
  if (shown.begin != lineBegin)
    shown.text = "...";
  unsigned column = static_cast<unsigned>(shown.text.size());
  StringRef rest = text.slice(shown.begin, shown.end);
  while (!rest.empty()) {
    unsigned width = 0;
    unsigned taken = renderCharacter(rest, column, shown.text, width);
    shown.columns.insert(shown.columns.end(), taken, column);
    column += width;
    rest = rest.drop_front(taken);
  }
  shown.columns.push_back(column);
  if (shown.end != lineBegin + line.size())
    shown.text += "...";
  return shown;
}

/// Writes \p mark over the columns of the part of \p range that is shown.
static void markRange(std::string &marks, const ShownLine &line,
                      SourceRange range, uint32_t file, char mark) {
  if (range.file != file || range.end <= line.begin || range.begin >= line.end)
    return;
  unsigned from = line.column(range.begin), to = line.column(range.end);
  if (marks.size() < to)
    marks.resize(to, ' ');
  std::fill(marks.begin() + from, marks.begin() + to, mark);
}

static std::string caretLine(const DiagnosticMessage &message,
                             const ShownLine &line) {
  std::string marks;
  uint32_t file = message.range.file;
  for (SourceRange range : message.highlights)
    markRange(marks, line, range, file, '~');
  markRange(marks, line, message.range, file, '~');
  unsigned caret = line.column(message.range.begin);
  if (marks.size() <= caret)
    marks.resize(caret + 1, ' ');
  marks[caret] = '^';
  return marks;
}

/// The texts of the fix-its of this line under the places they change; empty
/// if there are none.
static std::string fixItLine(const DiagnosticMessage &message,
                             const ShownLine &line) {
  std::string texts;
  for (const FixIt &fixIt : message.fixIts) {
    if (fixIt.range.file != message.range.file ||
        fixIt.range.begin < line.begin || fixIt.range.begin > line.end)
      continue;
    StringRef text = StringRef(fixIt.text).split('\n').first;
    unsigned column = line.column(fixIt.range.begin);
    if (!texts.empty() && column <= texts.size())
      texts += ' ';
    else
      texts.resize(column, ' ');
    texts += text;
  }
  return texts;
}

static void printSnippet(const DiagnosticMessage &message,
                         const SourceManager &sources, Screen screen) {
  raw_ostream &os = screen.os;
  ShownLine line = renderLine(sources, message.range);
  os << line.text << '\n';
  {
    Colour colour(screen, raw_ostream::GREEN);
    os << caretLine(message, line);
  }
  os << '\n';
  std::string texts = fixItLine(message, line);
  if (texts.empty())
    return;
  {
    Colour colour(screen, raw_ostream::GREEN, /*bold=*/false);
    os << texts;
  }
  os << '\n';
}

static raw_ostream::Colors colourOf(Severity severity) {
  switch (severity) {
  case Severity::Note:
    return raw_ostream::CYAN;
  case Severity::Warning:
    return raw_ostream::MAGENTA;
  case Severity::Error:
    return raw_ostream::RED;
  }
  llvm_unreachable("all severities are named");
}

static void printSeverity(Severity severity, Screen screen) {
  Colour colour(screen, colourOf(severity));
  screen.os << severityName(severity) << ": ";
}

static void printMessage(const DiagnosticMessage &message,
                         const SourceManager &sources, Screen screen) {
  raw_ostream &os = screen.os;
  if (message.range.isValid()) {
    LineColumn at = sources.lineColumn(message.range);
    Colour colour(screen, raw_ostream::SAVEDCOLOR);
    os << sources.name(message.range.file) << ':' << at.line << ':' << at.column
       << ": ";
  }
  printSeverity(message.severity, screen);
  {
    Colour colour(screen, raw_ostream::SAVEDCOLOR);
    os << message.text;
  }
  if (message.severity != Severity::Note)
    os << " [" << diagName(message.id) << ']';
  os << '\n';
  if (message.range.isValid())
    printSnippet(message, sources, screen);
  for (const DiagnosticMessage &note : message.notes)
    printMessage(note, sources, screen);
}

static void printCount(unsigned count, StringRef noun, raw_ostream &os) {
  os << count << ' ' << noun << (count == 1 ? "" : "s");
}

void DiagnosticEngine::print(raw_ostream &os,
                             std::optional<bool> colours) const {
  Screen screen{os, colours.value_or(os.has_colors())};
  unsigned warnings = 0, shownErrors = 0;
  for (const std::unique_ptr<DiagnosticMessage> &message : all) {
    printMessage(*message, sourceManager, screen);
    ++(message->severity == Severity::Error ? shownErrors : warnings);
  }
  if (warnings)
    printCount(warnings, "warning", os);
  if (warnings && errorCount)
    os << " and ";
  if (errorCount)
    printCount(errorCount, "error", os);
  if (warnings || errorCount)
    os << " generated";
  if (errorCount > shownErrors)
    os << ", of which the first " << shownErrors << " are shown";
  if (warnings || errorCount)
    os << ".\n";
}

} // namespace zpl
