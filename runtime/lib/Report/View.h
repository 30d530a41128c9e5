//===- View.h - What the parts of a page have in common ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REPORT_VIEW_H
#define ZRT_REPORT_VIEW_H

#include "Report/Facts.h"
#include "Report/Run.h"

#include <map>
#include <optional>

namespace zrt::report {

/// All that is known of one line.
struct LineFacts {
  std::vector<const Communication *> communications;
  std::vector<const Decision *> decisions;
  std::vector<const Remaining *> remaining;
  std::vector<const Row *> rows;
  double computing = 0, waiting = 0; ///< of the rows
  uint64_t messages = 0, bytes = 0;
  uint32_t firstLine = 0; ///< from which on `computing` was spent

  double seconds() const { return computing + waiting; }
  unsigned missed() const;
};

/// The facts of a page by place.
struct View {
  View(const Facts &facts, const Run *run);

  /// Null: nothing is known of the line.
  const LineFacts *at(uint32_t file, uint32_t line) const;
  /// The seconds of a run that a line may have to do with: what computing was
  /// spent in it and its neighbours, and its own operations.
  double secondsAt(Place place) const;
  /// The number of the source that the run calls \p name.
  std::optional<uint32_t> fileOf(const std::string &name) const;
  /// A line of a source, without what surrounds it; "" if it is not known.
  std::string_view lineText(Place place) const;

  const Facts &facts;
  const Run *run; ///< null: there was none
  std::map<std::pair<uint32_t, uint32_t>, LineFacts> lines;
  /// What statements communicate, by the lines where they begin.
  std::map<std::pair<uint32_t, uint32_t>, std::vector<const Communication *>>
      statements;
  double mostSeconds = 0; ///< of one line
};

/// Whether the program could not be compiled.
bool hasErrors(const Facts &facts);

/// "f0-12", the name of a line in the page.
std::string anchorOf(Place place);
/// A link to a line, "heat.z:12"; of a program with one source "line 12".
std::string linkTo(const View &view, Place place);
/// The class by which the style sheet colours what partners do.
const char *styleOf(Partners partners);
const char *styleOf(Activity activity);
/// "computing", "neighbours".
const char *nameOf(Activity activity);

// The parts of a page, each HTML; "" if there is nothing to show.

std::string diagnosticsPart(const View &view); // Diagnostics.cpp
std::string summaryPart(const View &view);     // Summary.cpp
/// Of the time line: single operations.
std::string closeLook(const View &view);      // CloseLook.cpp
std::string sourcePart(const View &view);     // SourceView.cpp
std::string graphPart(const View &view);      // Graph.cpp
std::string timelinePart(const View &view);   // Timeline.cpp
std::string matrixPart(const View &view);     // Matrix.cpp
std::string decisionsPart(const View &view);  // Decisions.cpp
std::string operationsPart(const View &view); // Operations.cpp
std::string readingPart(const View &view);    // Reading.cpp

/// Adds \p line of ZPL to \p html, with its words marked. \p isComment: whether
/// it begins inside a comment of several lines, and then whether the next does.
void highlight(std::string_view line, bool &isComment, std::string &html);

/// The style sheet, and the script that filters decisions and source lines.
extern const char *const styleSheet;
extern const char *const script;

} // namespace zrt::report

#endif // ZRT_REPORT_VIEW_H
