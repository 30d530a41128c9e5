//===- PassContext.h - What a pass may use beside the module ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TRANSFORMS_PASSCONTEXT_H
#define ZPL_TRANSFORMS_PASSCONTEXT_H

#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Support/Figures.h"
#include "zpl/Support/Remark.h"
#include "zpl/Support/Timing.h"
#include "llvm/ADT/Twine.h"
#include <functional>
#include <map>

namespace zpl::air {

/// Remarks, counters and hooks; the caller of a pipeline sets the hooks, the
/// passes report. One object may serve several pipelines.
class PassContext {
public:
  /// Receives each remark as it is made; may be empty.
  std::function<void(const Remark &)> onRemark;
  /// Called after each pass, when its result has been verified; may be empty.
  std::function<void(llvm::StringRef pass, const Module &)> afterPass;
  /// Gets a phase per pass; may be null.
  PhaseTimers *timers = nullptr;
  /// For line numbers inside remarks; may be null (no numbers).
  const SourceManager *sources = nullptr;
  /// Code checks whether integers wrap around, so none of the program's
  /// arithmetic may be left to the runtime.
  bool checksOverflow = false;
  /// Of the machine that the program is for.
  Figures figures;
  /// What was measured of the values of a figure, by its name, for remarks:
  /// "512: 0.0608 s, 1024: 0.0822 s". What was not measured is not there.
  std::map<std::string, std::string> alternatives;
  /// Updates of a matrix wait in loops of so many iterations or more; 0: where
  /// the matrix is larger than caches.
  unsigned delayedFrom = 0;
  /// M-loops keep ways of which the run chooses by measuring (--tune).
  bool tunes = false;
  /// Strips of M-loops may execute several iterations of the loop around them.
  bool takesTimeSteps = true;

  /// A pass did something at \p range, or refused to, and why.
  void applied(SourceRange range, const llvm::Twine &text);
  void missed(SourceRange range, const llvm::Twine &text);

  /// Adds to the counter `PASS.what`.
  void count(llvm::StringRef what, uint64_t n = 1);
  /// " (block.columns 512: 0.0608 s, 1024: 0.0822 s)" for the end of a remark of
  /// what was chosen by these figures; nothing if none was measured.
  std::string measured(llvm::ArrayRef<llvm::StringRef> figures) const;

  /// All counters, by name.
  const std::map<std::string, uint64_t> &counters() const { return counts; }

  /// " (line 12)" for the middle of a remark, or nothing.
  std::string atLine(SourceRange range) const;

  // Set by runPass; the error also by a pass that cannot translate a program.
  llvm::StringRef pass;   ///< that runs now or ran last
  std::string error;      ///< not empty: the pipeline has stopped; why
  SourceRange errorRange; ///< the node at fault, if known

private:
  void remark(Remark::Kind kind, SourceRange range, const llvm::Twine &text);
  std::map<std::string, uint64_t> counts;
};

} // namespace zpl::air

#endif // ZPL_TRANSFORMS_PASSCONTEXT_H
