//===- StatementCosts.h - What statements send ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the operators of a statement send between processors, as the source
/// alone tells it: for editors and reports. lib/CostModel has what is left of
/// that after the passes.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_STATEMENTCOSTS_STATEMENTCOSTS_H
#define ZPL_STATEMENTCOSTS_STATEMENTCOSTS_H

#include "zpl/Support/SourceManager.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace zpl {

namespace sema {
class Program;
}

/// One communication.
struct StatementCost {
  /// Who talks to whom.
  enum Partners : uint8_t {
    Neighbours, ///< as `sides` say
    Wave,       ///< the same, one processor behind the other
    Border,     ///< of wrap and reflect
    Lines,      ///< the processors along some dimensions
    All,        ///< combine a value
    Pairs       ///< each with each: remaps and sorts
  };

  SourceRange statement; ///< or condition
  SourceRange range;     ///< of the operator with its operand
  llvm::StringRef mark;  ///< "@", "<<": the class
  std::string messages;  ///< "1 message of n/p1*8 B"
  std::string text;      ///< a sentence, in Markdown
  Partners partners = Neighbours;
  /// Of neighbours and waves, a character per dimension: '-' before, '+'
  /// behind, '0' neither, '?' known at run time.
  std::string sides;
};

/// All that the statements of \p program send, by place; in every instance of a
/// procedure the same once.
std::vector<StatementCost> statementCosts(const sema::Program &program,
                                          const SourceManager &sources);

} // namespace zpl

#endif // ZPL_STATEMENTCOSTS_STATEMENTCOSTS_H
