//===- Facts.h - What the compiler knows of a program -----------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What a report shows of a program before it runs. The compiler collects it,
/// writes pages of it, and leaves it packed in the section `zpl_report` of
/// programs, where the runtime finds it for the page of a run.
///
//===----------------------------------------------------------------------===//

#ifndef ZRT_REPORT_FACTS_H
#define ZRT_REPORT_FACTS_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace zrt::report {

/// A file of the program.
struct Source {
  std::string name; ///< as in messages
  std::string text;
  std::string note; ///< why there is no text, if there is none
};

/// A line of a source, both from 0 and 1; line 0: of the program as a whole.
struct Place {
  uint32_t file = 0, line = 0;
};

/// Who talks to whom, as the compiler's StatementCost has it.
enum class Partners : uint8_t { Neighbours, Wave, Border, Lines, All, Pairs };

/// What an operator of a statement communicates, as the source says it.
struct Communication {
  Place place;
  std::string mark;     ///< the operator: "@", "<<"
  std::string messages; ///< "1 message of n/p1*8 B"
  std::string text;     ///< a sentence with code in back-ticks
  Partners partners = Partners::Neighbours;
  std::string sides;      ///< per dimension '-', '+', '0' or, known later, '?'
  uint32_t statement = 0; ///< the line where its statement begins
  uint32_t depth = 0;     ///< of loops around it
};

/// A remark of the compiler.
struct Decision {
  Place place;
  uint32_t column = 0;
  bool isMissed = false;
  std::string pass;
  std::string text;
  uint32_t depth = 0; ///< of loops around it
};

/// A message of the compiler about the program.
struct Diagnostic {
  Place place;
  uint32_t column = 0;
  std::string severity; ///< "error", "warning", or "note" of the one before
  std::string text;
};

/// An operation that is left after all passes, by the cost model.
struct Remaining {
  Place place;
  std::string kind; ///< "transfer", "m-loop", "reduction"
  std::string text; ///< its counts as formulas
};

struct Procedure {
  Place place;
  std::string name;
};

/// A pass that decisions are of.
struct Pass {
  std::string name;
  std::string summary; ///< what it is for
};

struct Facts {
  std::string program;
  std::string compiler; ///< "zplc 0.1.0"
  std::string options;  ///< of its command line
  std::string machine;  ///< that it was compiled for
  std::vector<Source> sources;
  std::vector<Diagnostic> diagnostics; ///< in the order of messages
  std::vector<Procedure> procedures;
  std::vector<Communication> communications; ///< by place
  std::vector<Decision> decisions;           ///< what weighs most first
  std::vector<Remaining> remaining;          ///< in the order of the program
  std::vector<Pass> passes;                  ///< in their order
};

/// As bytes without zeros at their end.
std::string packFacts(const Facts &facts);
/// The same back. False if \p packed is nothing of this version.
bool unpackFacts(std::string_view packed, Facts &facts);

} // namespace zrt::report

#endif // ZRT_REPORT_FACTS_H
