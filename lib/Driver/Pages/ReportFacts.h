//===- ReportFacts.h - What a report shows of a compilation -----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_DRIVER_PAGES_REPORTFACTS_H
#define ZPL_LIB_DRIVER_PAGES_REPORTFACTS_H

#include "Report/Facts.h"
#include "zpl/Analysis/LoopDepths.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Support/Remark.h"

#include <vector>

namespace zpl {
class DiagnosticEngine;
namespace sema {
class Program;
}
} // namespace zpl

namespace zpl::driver {

using zrt::report::Facts;

/// Adds the texts of the files from 0 to \p count - 1, which keep their
/// numbers.
void addSources(Facts &facts, const SourceManager &sources, uint32_t count);

/// Adds what the checked program says: its name, procedures and what statements
/// communicate.
void addProgram(Facts &facts, const sema::Program &program,
                const SourceManager &sources);

/// Adds the messages about the program.
void addDiagnostics(Facts &facts, const DiagnosticEngine &diags);

/// Adds a remark for each array that the compiler has made for a statement of
/// \p module, in Loop form, and that has memory of its own or is a view.
void explainTemporaries(const air::Module &module,
                        std::vector<Remark> &remarks);

/// Adds what is left of \p module, in Loop form with walkers.
void addRemaining(Facts &facts, const air::Module &module,
                  const SourceManager &sources);

/// Adds \p remarks and the passes that they are of, what weighs most first.
/// \p depths may be null.
void addDecisions(Facts &facts, llvm::ArrayRef<Remark> remarks,
                  const air::LoopDepths *depths, const SourceManager &sources);

/// All but the texts of the sources, as JSON for other programs. Members and
/// their meaning are those of report::Facts.
std::string factsAsJson(const Facts &facts);

} // namespace zpl::driver

#endif // ZPL_LIB_DRIVER_PAGES_REPORTFACTS_H
