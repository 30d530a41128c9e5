//===- ReplicationCheck.h - Do all processors do the same? ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_REPLICATIONCHECK_H
#define ZRT_ENTRY_REPLICATIONCHECK_H

#include "Support/Operation.h"
#include "Transport/Transport.h"

#include <memory>
#include <string>
#include <vector>

namespace zrt {

/// At the begin of each collective operation all processors compare which
/// operation it is, and what the program's replicated variables hold. The run
/// ends there with one message if two of them differ.
class ReplicationCheck final : public OperationObserver {
public:
  ReplicationCheck(Transport &transport, const zrt_program &program);

  void begin(const Operation &operation) override;
  void end(const Operation &) override {}

private:
  struct Report;

  const void *value(int64_t variable);
  uint64_t hashOf(int64_t variable);
  uint64_t hashVariables();
  std::vector<uint64_t> variableHashes();
  Report ownReport(const Operation &operation);
  std::string compareAll(const Operation &operation, const Report &own);
  std::string compareVariables(int other);
  void answerVariables();

  Transport &transport;
  const zrt_program &program;
  std::unique_ptr<char[]> scratch; ///< for the value of one variable
  uint64_t count = 0;              ///< of collective operations so far
};

} // namespace zrt

#endif // ZRT_ENTRY_REPLICATIONCHECK_H
