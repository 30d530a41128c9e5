//===- ReplicationCheck.cpp - Do all processors do the same? --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every processor executes the scalar code of a program, and all must come to
// the same values. A C function may bring in what differs:
//
//     x := getpid();                     -- line 5
//     if x % 2 = 0 then y := +<< A; end  -- some wait here for ever
//
// With --check-replication the first operation that all take part in after line
// 5 ends the run:
//
//     prog: a.z:6:31: error: processors differ at this reduction: x, declared
//     at a.z:2:5, is 4711 on processor 0 and 4712 on processor 1
//
// Before an operation each processor sends {which one it is, a hash of all
// replicated variables} to processor 0, which answers whether to go on. Since
// all operations begin so, processors that have come to different ones meet in
// this comparison and not in the messages of the operations. If only values
// differ, processor 0 asks the first one that differs for the hashes of its
// variables, then of the parts of the first variable that differs, then for the
// value of that part.
//
// Cost per operation: the hash, and 2 (P - 1) messages at processor 0.
//
//===----------------------------------------------------------------------===//

#include "Entry/ReplicationCheck.h"

#include "Entry/ReplicatedValues.h"
#include "IO/Text/ValueText.h"
#include "Support/Error.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace zrt {

/// What a processor says of itself; without padding.
struct ReplicationCheck::Report {
  uint64_t mark;  ///< ReportMark: something else has come if it differs
  uint64_t count; ///< of collective operations
  uint64_t hash;  ///< of the variables
  int32_t kind;
  int32_t line;
  int32_t column;
  char file[116]; ///< the end of the name

  bool isSameOperation(const Report &other) const {
    return count == other.count && kind == other.kind && line == other.line &&
           column == other.column && std::strcmp(file, other.file) == 0;
  }
  /// "at the reduction in a.z:3:4".
  std::string text() const;
};

namespace {

constexpr uint64_t ReportMark = 0x7A706C2D636F6C6C;

/// Processor 0's answer.
enum class Verdict : int32_t {
  Same,
  Explain, ///< say what your variables hold, then wait for the end
  Stop     ///< wait for the end
};

template <typename T> void sendOne(Transport &to, int other, const T &value) {
  to.send(other, &value, sizeof value);
}
template <typename T> T receiveOne(Transport &from, int other) {
  T value;
  from.receive(other, &value, sizeof value);
  return value;
}

void sendHashes(Transport &to, int other, const std::vector<uint64_t> &hashes) {
  sendOne<uint64_t>(to, other, hashes.size());
  if (!hashes.empty())
    to.send(other, hashes.data(), hashes.size() * sizeof(uint64_t));
}
std::vector<uint64_t> receiveHashes(Transport &from, int other) {
  std::vector<uint64_t> hashes(receiveOne<uint64_t>(from, other));
  if (!hashes.empty())
    from.receive(other, hashes.data(), hashes.size() * sizeof(uint64_t));
  return hashes;
}

/// The first place where the lists differ, at most the shorter one's length.
size_t firstDifference(const std::vector<uint64_t> &a,
                       const std::vector<uint64_t> &b) {
  size_t k = 0;
  while (k < a.size() && k < b.size() && a[k] == b[k])
    ++k;
  return k;
}

/// As many digits as tell the number from all others.
template <typename T> std::string digits(const char *address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  char text[128];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <typename T> std::string complexDigits(const char *address) {
  return "(" + digits<T>(address) + "," + digits<T>(address + sizeof(T)) + ")";
}

std::string leafText(const zrt_type &type, const char *address) {
  switch (type.kind) {
  case ZRT_F32:
    return digits<float>(address);
  case ZRT_F64:
    return digits<double>(address);
  case ZRT_F80:
    return digits<long double>(address);
  case ZRT_C32:
    return complexDigits<float>(address);
  case ZRT_C64:
    return complexDigits<double>(address);
  case ZRT_C80:
    return complexDigits<long double>(address);
  case ZRT_FILE:
    return "file number " + digits<int64_t>(address);
  case ZRT_CHAR:
    return "'" + std::string(address, 1) + "'";
  case ZRT_STR: {
    const char *text;
    std::memcpy(&text, address, sizeof text);
    return '"' + std::string(text ? text : "") + '"';
  }
  }
  std::string text;
  appendValue(text, type, address, nullptr, false);
  // Default formats have blanks around numbers.
  size_t first = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

/// What a message calls the operation that it stands at.
std::string here(const Operation &operation) {
  if (!operation.loc)
    return "the end of the program";
  return std::string("this ") + text(operation.kind);
}

std::string placeText(const zrt_loc &loc) {
  return std::string(loc.file) + ":" + std::to_string(loc.line) + ":" +
         std::to_string(loc.column);
}

} // namespace

std::string ReplicationCheck::Report::text() const {
  auto operation = static_cast<OperationKind>(kind);
  if (line == 0 && operation == OperationKind::End)
    return "at the end of the program";
  return std::string("at the ") + zrt::text(operation) + " in " +
         placeText({file, line, column});
}

ReplicationCheck::ReplicationCheck(Transport &transport,
                                   const zrt_program &program)
    : transport(transport), program(program) {
  int64_t most = 0;
  for (int64_t k = 0; k < program.replicated_count; ++k)
    most = std::max(most, program.replicated[k].type->size);
  // Not touched where variables have memory of their own.
  scratch.reset(new char[static_cast<size_t>(most)]);
}

/// Where the value of a variable is; null if it has no memory.
const void *ReplicationCheck::value(int64_t variable) {
  return program.replicated_value(variable, scratch.get());
}

/// The hash of one variable; 0 if it has no memory.
uint64_t ReplicationCheck::hashOf(int64_t variable) {
  const void *at = value(variable);
  return at ? hashValue(*program.replicated[variable].type, at) : 0;
}

uint64_t ReplicationCheck::hashVariables() {
  constexpr uint64_t Odd = 0xD6E8FEB86659FD93;
  uint64_t hash = 0;
  for (int64_t k = 0; k < program.replicated_count; ++k)
    hash = (hash + hashOf(k)) * Odd;
  return hash;
}

ReplicationCheck::Report
ReplicationCheck::ownReport(const Operation &operation) {
  Report report = {};
  report.mark = ReportMark;
  report.count = ++count;
  report.kind = static_cast<int32_t>(operation.kind);
  report.hash = hashVariables();
  if (!operation.loc)
    return report;
  report.line = operation.loc->line;
  report.column = operation.loc->column;
  std::string file = operation.loc->file;
  size_t from = file.size() - std::min(file.size(), sizeof report.file - 1);
  file.copy(report.file, sizeof report.file - 1, from);
  return report;
}

/// The hashes of one variable's parts.
static std::vector<uint64_t> partHashes(const zrt_program &program,
                                        int64_t variable, const void *at) {
  if (!at)
    return {};
  return hashLeaves(*program.replicated[variable].type, at);
}

std::vector<uint64_t> ReplicationCheck::variableHashes() {
  std::vector<uint64_t> hashes;
  for (int64_t k = 0; k < program.replicated_count; ++k)
    hashes.push_back(hashOf(k));
  return hashes;
}

/// On the processor that is asked.
void ReplicationCheck::answerVariables() {
  sendHashes(transport, 0, variableHashes());
  auto variable = receiveOne<int64_t>(transport, 0);
  const void *at = value(variable);
  std::vector<uint64_t> leaves = partHashes(program, variable, at);
  sendHashes(transport, 0, leaves);
  auto number = receiveOne<uint64_t>(transport, 0);
  std::string text = "without a value";
  if (number < leaves.size()) {
    Leaf leaf = findLeaf(*program.replicated[variable].type, at, number);
    text = leafText(*leaf.type, leaf.address);
  }
  sendOne<uint64_t>(transport, 0, text.size());
  transport.send(0, text.data(), text.size());
}

/// On processor 0: the first difference to \p other.
std::string ReplicationCheck::compareVariables(int other) {
  std::vector<uint64_t> its = receiveHashes(transport, other);
  auto variable = static_cast<int64_t>(firstDifference(variableHashes(), its));
  ZRT_CHECK(variable < program.replicated_count);
  sendOne(transport, other, variable);
  const zrt_replicated &what = program.replicated[variable];
  const void *at = value(variable);
  std::vector<uint64_t> leaves = partHashes(program, variable, at);
  uint64_t number = firstDifference(leaves, receiveHashes(transport, other));
  sendOne(transport, other, number);
  std::string text(receiveOne<uint64_t>(transport, other), '\0');
  transport.receive(other, text.data(), text.size());
  Leaf leaf = {"", what.type, nullptr};
  if (number < leaves.size())
    leaf = findLeaf(*what.type, at, number);
  std::string own =
      leaf.address ? leafText(*leaf.type, leaf.address) : "without a value";
  return what.name + leaf.path + ", declared at " + placeText(*what.loc) +
         ", is " + own + " on processor 0 and " + text + " on processor " +
         std::to_string(other);
}

/// On processor 0: what is wrong, or "". All others have an answer then.
std::string ReplicationCheck::compareAll(const Operation &operation,
                                         const Report &own) {
  int differs = 0;
  std::string difference;
  for (int other = 1; other < transport.size(); ++other) {
    auto its = receiveOne<Report>(transport, other);
    ZRT_CHECK(its.mark == ReportMark);
    if (!difference.empty())
      continue;
    if (!its.isSameOperation(own))
      difference = "processors have come apart: processor 0 is at " +
                   here(operation) + ", processor " + std::to_string(other) +
                   " " + its.text();
    else if (differs == 0 && its.hash != own.hash)
      differs = other;
  }
  bool isSame = difference.empty() && differs == 0;
  bool explains = difference.empty();
  for (int other = 1; other < transport.size(); ++other)
    sendOne(transport, other,
            isSame                         ? Verdict::Same
            : explains && other == differs ? Verdict::Explain
                                           : Verdict::Stop);
  if (isSame || !explains)
    return difference;
  return "processors differ at " + here(operation) + ": " +
         compareVariables(differs);
}

void ReplicationCheck::begin(const Operation &operation) {
  if (!isCollective(operation.kind) || operation.part != OperationPart::First)
    return;
  Report own = ownReport(operation);
  if (transport.rank() == 0) {
    std::string difference = compareAll(operation, own);
    if (!difference.empty())
      fatal(operation.loc, ErrorScope::Replicated, "%s", difference.c_str());
    return;
  }
  sendOne(transport, 0, own);
  auto verdict = receiveOne<Verdict>(transport, 0);
  if (verdict == Verdict::Same)
    return;
  if (verdict == Verdict::Explain)
    answerVariables();
  // Processor 0 ends the run, when it has reported.
  receiveOne<char>(transport, 0);
}

} // namespace zrt
