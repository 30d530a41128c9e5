//===- ExpectErrors.cpp - Many small rejected inputs in one file ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rule of the verifier is best tested by the shortest text that breaks it:
//
//     module @m
//     var @x : i32
//     -- ---
//     proc @p() block {
//       set @x = f64 1.0     -- error: @x has type i32, not f64
//     }
//     -- ---
//     ...
//
// A part is tried as the whole file with the lines of all other parts made
// empty, so that line numbers are those of the file.
//
//===----------------------------------------------------------------------===//

#include "ExpectErrors.h"
#include "zpl/ArrayIR/Parser.h"
#include "zpl/ArrayIR/Verifier.h"
#include "zpl/Transforms/VerifyTransfers.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl {

std::unique_ptr<air::Module> load(uint32_t file, const SourceManager &sources,
                                  std::string &error) {
  std::unique_ptr<air::Module> module = air::parse(file, sources, error);
  if (!module)
    return nullptr;
  SourceRange where;
  if (air::verify(*module, &error, &where) &&
      (!air::hasTransfers(*module) ||
       air::verifyTransfers(*module, &error, &where)))
    return module;
  LineColumn place = where.isValid() ? sources.lineColumn(where) : LineColumn();
  error = formatv("{0}:{1}:{2}: error: {3}", sources.name(file), place.line,
                  place.column, error);
  return nullptr;
}

/// A part's text and the error that its comment announces, both empty at first.
struct Part {
  std::string text, expected;
  unsigned line = 0; ///< of the comment, or where the part begins
};

static std::vector<Part> splitIntoParts(StringRef text) {
  constexpr StringRef Separator = "-- ---", Marker = "-- error: ";
  std::vector<Part> parts;
  std::string common;
  unsigned number = 0, commonLines = 0;
  for (StringRef line : split(text, '\n')) {
    ++number;
    if (line.rtrim() == Separator) {
      if (parts.empty())
        commonLines = number - 1;
      parts.push_back(
          {common + std::string(number - commonLines, '\n'), "", number});
      continue;
    }
    std::string &into = parts.empty() ? common : parts.back().text;
    into += line.str() + "\n";
    size_t marker = line.find(Marker);
    if (parts.empty() || marker == StringRef::npos)
      continue;
    parts.back().expected = line.substr(marker + Marker.size()).trim().str();
    parts.back().line = number;
  }
  return parts;
}

bool expectErrors(uint32_t file, const SourceManager &sources) {
  std::vector<Part> parts = splitIntoParts(sources.text(file));
  if (parts.empty())
    errs() << sources.name(file) << ": error: there are no parts\n";
  bool good = !parts.empty();
  for (const Part &part : parts) {
    SourceManager partSources;
    std::string name = sources.name(file).str();
    std::string error;
    load(partSources.add(name, part.text), partSources, error);
    std::string place = formatv("{0}:{1}:", name, part.line);
    bool asExpected = part.expected.empty()
                          ? error.empty()
                          : StringRef(error).starts_with(place) &&
                                StringRef(error).contains(part.expected);
    if (asExpected)
      continue;
    good = false;
    errs() << place << " error: expected '" << part.expected << "', got '"
           << error << "'\n";
  }
  return good;
}

} // namespace zpl
