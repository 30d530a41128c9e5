//===- Messages.cpp - In which form messages are shown --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Errors and warnings are written for people,
///
///     p.z:3:8: error: no declaration of 'b' is visible here [undeclared]
///
/// in colours if the terminal has them, or with -fdiagnostics-format=json or
/// =sarif for programs: then standard error has one JSON value for each
/// compilation, also if there is nothing to say. What is wrong with the command
/// line, or with files that cannot be written, is said in plain text always.
///
/// NO_COLOR is a variable of the environment that many programs obey: if it is
/// set and not empty there are no colours, unless an option asks for them.
///
//===----------------------------------------------------------------------===//

#include "Messages.h"
#include "OptionTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ConvertUTF.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::driver {

bool readMessageOptions(const opt::InputArgList &args, Options &options) {
  bool good = true;
  if (const opt::Arg *arg = args.getLastArg(OPT_ferror_limit_EQ))
    if (StringRef(arg->getValue()).getAsInteger(10, options.errorLimit)) {
      reportError("invalid number in '" + arg->getAsString(args) +
                  "': expected 0 or more");
      good = false;
    }
  const opt::Arg *arg = args.getLastArg(OPT_fdiagnostics_format_EQ);
  StringRef format = arg ? arg->getValue() : "text";
  if (format == "json")
    options.messageFormat = MessageFormat::Json;
  else if (format == "sarif")
    options.messageFormat = MessageFormat::Sarif;
  else if (format != "text") {
    reportError("unknown format in '" + arg->getAsString(args) +
                "': expected text, json or sarif");
    good = false;
  }
  return good;
}

static bool always(const raw_ostream &) { return true; }
static bool never(const raw_ostream &) { return false; }

void chooseColours(ArrayRef<const char *> args) {
  const char *noColour = getenv("NO_COLOR");
  auto decision = noColour && *noColour ? &never : nullptr;
  for (StringRef word : args) {
    if (word == "--")
      break;
    if (word == "-fcolor-diagnostics")
      decision = &always;
    else if (word == "-fno-color-diagnostics")
      decision = &never;
  }
  if (decision)
    WithColor::setAutoDetectFunction(decision);
}

void showMessages(const DiagnosticEngine &diags, const Options &options,
                  raw_ostream &os) {
  switch (options.messageFormat) {
  case MessageFormat::Text:
    diags.print(os, WithColor(os).colorsEnabled());
    return;
  case MessageFormat::Json:
    return writeJson(diags, os);
  case MessageFormat::Sarif:
    return writeSarif(diags, options, os);
  }
}

std::string inUtf8(StringRef text) {
  return json::isUTF8(text) ? text.str() : json::fixUTF8(text);
}

LineColumn characterPlace(const SourceManager &sources, uint32_t file,
                          uint32_t offset) {
  LineColumn place = sources.lineColumn({file, offset, offset});
  StringRef rest = sources.line(file, offset).take_front(place.column - 1);
  place.column = 1;
  while (!rest.empty()) {
    const auto *bytes = reinterpret_cast<const UTF8 *>(rest.data());
    unsigned length = getNumBytesForUTF8(*bytes);
    bool isLegal =
        length <= rest.size() && isLegalUTF8Sequence(bytes, bytes + length);
    rest = rest.drop_front(isLegal ? length : 1);
    ++place.column;
  }
  return place;
}

} // namespace zpl::driver
