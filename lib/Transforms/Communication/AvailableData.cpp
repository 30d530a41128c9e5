//===- AvailableData.cpp - What has been transferred ----------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     dn %t                        -- {@A: (0,1)} over @R: arrives
//     [@R] @B = @A@(0,1)
//     if ... { [@R] @A = f64 0.0 } -- lost on this path
//     [@R] @C = @A@(0,1)           -- not present on every path
//
// A forward analysis over structured control flow, in one walk:
//
//  - What callers have sent is present at the beginning.
//  - A DN point makes its items present, for the value that the transfer's
//    region has (RegionValues.h); so does an M-loop that awaits the transfer.
//  - Whatever may write an array (Effects.h) loses its items. The reason
//    stays, for remarks. But what an array statement stores at odd indices does
//    not change what others read at even ones (KnownStrides.h).
//  - Where paths meet, what is present on both is present.
//  - At a loop's head everything is lost that the loop may write. What is left
//    survives every iteration, so no second round is needed. (An item that is
//    written and transferred again in each iteration, and was present before,
//    would be found by iterating; that is a transfer at the end of a loop for
//    its beginning, and nobody writes such programs by hand.)
//  - `exit` and `continue` carry their state to the end of the loop and to its
//    test; after `return` and `halt` nothing is reached.
//
// Cost: per statement the size of its WriteSet, per loop one more look at its
// statements, per meeting of paths the number of items.
//
//===----------------------------------------------------------------------===//

#include "Communication/AvailableData.h"
#include "Communication/TransferEdits.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/Support/ErrorHandling.h"

using namespace llvm;

namespace zpl::air {

void AvailableData::run() {
  AvailableState state;
  for (const Transfer *transfer : procedure.transfers)
    if (transfer->byCallers)
      arrive(*transfer, state);
  list(procedure.body, state);
}

AvailableData::Answer AvailableData::find(const Array *array,
                                          const Offset &offset,
                                          const Region *region,
                                          const AvailableState &state) {
  auto found = state.items.find({array, offset});
  if (found == state.items.end())
    return {};
  const ItemFacts &facts = found->second;
  ValueNumber wanted = number(region, state);
  for (const Arrival &arrival : facts.arrivals)
    if (values.covers(arrival.region, wanted))
      return {arrival.transfer, "", {}};
  if (!facts.arrivals.empty())
    return {
        nullptr,
        "the earlier transfer is for another region; put both statements in "
        "one scope",
        facts.arrivals.back().transfer->range};
  return {nullptr, facts.lost, facts.lostAt};
}

void AvailableData::arrive(const Transfer &transfer, AvailableState &state) {
  ValueNumber region = number(transfer.region, state);
  for (const auto &item : transfer.items) {
    ItemFacts &facts = state.items[item];
    facts.lost.clear();
    if (none_of(facts.arrivals,
                [&](const Arrival &a) { return a.region == region; }))
      facts.arrivals.push_back({region, &transfer});
  }
}

bool AvailableData::survivesStore(const Arrival &arrival,
                                  const std::pair<const Array *, Offset> &item,
                                  const Region *stored,
                                  const AvailableState &state) {
  const auto &[array, offset] = item;
  if (stored->rank() != array->rank())
    return false;
  return strides.areIndependent(*array, stored, arrival.transfer->region,
                                offset) ||
         (number(stored, state) == arrival.region &&
          strides.isIndependentOfItself(*array, stored, offset));
}

void AvailableData::lose(const WriteSet &written, StringRef how,
                         SourceRange where, AvailableState &state,
                         const Region *stored) {
  values.forget(written, state.values);
  if (written.arrays.empty())
    return;
  for (auto &[item, facts] : state.items) {
    if (facts.arrivals.empty() || !written.arrays.contains(item.first))
      continue;
    erase_if(facts.arrivals, [&](const Arrival &arrival) {
      return !stored || !survivesStore(arrival, item, stored, state);
    });
    if (!facts.arrivals.empty())
      continue;
    facts.lost = sourceName(*item.first) + " " + how.str() +
                 "; read all neighbours before it is written";
    facts.lostAt = where;
  }
}

void AvailableData::meet(AvailableState &into, const AvailableState &other) {
  if (!other.isReachable)
    return;
  if (!into.isReachable) {
    into = other;
    return;
  }
  values.meet(into.values, other.values);
  for (const auto &[item, facts] : other.items)
    into.items.try_emplace(item);
  for (auto &[item, facts] : into.items) {
    auto found = other.items.find(item);
    ItemFacts none;
    const ItemFacts &there = found == other.items.end() ? none : found->second;
    bool wasPresent = !facts.arrivals.empty() || !there.arrivals.empty();
    const Arrival *lost = !facts.arrivals.empty()   ? &facts.arrivals.back()
                          : !there.arrivals.empty() ? &there.arrivals.back()
                                                    : nullptr;
    SourceRange lostAt = lost ? lost->transfer->range : SourceRange();
    erase_if(facts.arrivals, [&](const Arrival &a) {
      return none_of(there.arrivals,
                     [&](const Arrival &b) { return a.region == b.region; });
    });
    if (!facts.arrivals.empty())
      continue;
    if (facts.lost.empty()) {
      facts.lost = there.lost;
      facts.lostAt = there.lostAt;
    }
    if (facts.lost.empty() && wasPresent) {
      facts.lost = "the earlier transfer is not on every path";
      facts.lostAt = lostAt;
    }
  }
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

void AvailableData::list(const StmtList &list, AvailableState &state) {
  for (const Stmt *s : list) {
    if (!state.isReachable)
      return;
    stmt(*s, state);
  }
}

void AvailableData::evaluate(const Stmt &stmt, AvailableState &state) {
  lose(effects.writesOfCalls(procedure, stmt), "is written in between",
       stmt.range, state);
}

void AvailableData::conditional(const IfStmt &stmt, AvailableState &state) {
  evaluate(stmt, state);
  AvailableState other = state;
  list(stmt.thenBody, state);
  list(stmt.elseBody, other);
  meet(state, other);
}

void AvailableData::enterLoop(const Stmt &loop, AvailableState &state) {
  lose(effects.writes(procedure, loop), "is written in the loop", loop.range,
       state);
  loops.emplace_back();
}

void AvailableData::loopWhile(const WhileStmt &stmt, AvailableState &state) {
  enterLoop(stmt, state);
  list(stmt.prelude, state);
  evaluate(stmt, state);
  AvailableState after = state;
  list(stmt.body, state);
  for (const AvailableState &exit : loops.back().exits)
    meet(after, exit);
  loops.pop_back();
  state = std::move(after);
}

void AvailableData::loopUntil(const RepeatStmt &stmt, AvailableState &state) {
  enterLoop(stmt, state);
  list(stmt.body, state);
  for (const AvailableState &next : loops.back().continues)
    meet(state, next);
  list(stmt.prelude, state);
  evaluate(stmt, state);
  for (const AvailableState &exit : loops.back().exits)
    meet(state, exit);
  loops.pop_back();
}

void AvailableData::loopFor(const ForStmt &stmt, AvailableState &state) {
  enterLoop(stmt, state);
  AvailableState after = state;
  list(stmt.body, state);
  for (const AvailableState &exit : loops.back().exits)
    meet(after, exit);
  loops.pop_back();
  state = std::move(after);
}

void AvailableData::wave(const WaveStmt &stmt, AvailableState &state) {
  state.values.regions[stmt.tile] = number(stmt.region, state);
  list(stmt.body, state);
  lose(effects.writes(procedure, stmt), "is written in between", stmt.range,
       state);
}

void AvailableData::boxes(const BoxesStmt &stmt, AvailableState &state) {
  state.values.regions[stmt.box] = number(stmt.region, state);
  list(stmt.body, state);
  lose(effects.writes(procedure, stmt), "is written in between", stmt.range,
       state);
}

void AvailableData::config(const ConfigStmt &stmt, AvailableState &state) {
  AvailableState given = state;
  list(stmt.defaults, state);
  meet(state, given);
  WriteSet written;
  written.variables.insert(stmt.variable);
  lose(written, "is written in between", stmt.range, state);
}

void AvailableData::branch(const Stmt &stmt, AvailableState &state) {
  if (auto *conditional = dyn_cast<IfStmt>(&stmt))
    return this->conditional(*conditional, state);
  if (auto *loop = dyn_cast<WhileStmt>(&stmt))
    return loopWhile(*loop, state);
  if (auto *loop = dyn_cast<RepeatStmt>(&stmt))
    return loopUntil(*loop, state);
  loopFor(cast<ForStmt>(stmt), state);
}

void AvailableData::leave(const Stmt &stmt, AvailableState &state) {
  if (isa<ExitStmt>(stmt))
    loops.back().exits.push_back(state);
  else if (isa<ContinueStmt>(stmt))
    loops.back().continues.push_back(state);
  state.isReachable = false;
}

void AvailableData::simple(const Stmt &stmt, AvailableState &state) {
  auto *point = dyn_cast<TransferPointStmt>(&stmt);
  if (point && point->point == TransferPointStmt::DN)
    arrive(*point->transfer, state);
  auto *set = dyn_cast<SetRegionStmt>(&stmt);
  if (set)
    values.set(*set, state.values);
  if (set || point)
    return evaluate(stmt, state);
  lose(effects.writes(procedure, stmt), "is written in between", stmt.range,
       state, elementRegion(stmt));
}

void AvailableData::stmt(const Stmt &stmt, AvailableState &state) {
  if (auto *loop = dyn_cast<MLoopStmt>(&stmt))
    for (const auto *list : {&loop->awaits, &loop->time.brings})
      for (const Transfer *transfer : *list)
        arrive(*transfer, state);
  visit(stmt, state);
  switch (groupOf(stmt)) {
  case StmtGroup::Branch:
    return branch(stmt, state);
  case StmtGroup::Leave:
    return leave(stmt, state);
  case StmtGroup::Wave:
    return wave(cast<WaveStmt>(stmt), state);
  case StmtGroup::Boxes:
    return boxes(cast<BoxesStmt>(stmt), state);
  case StmtGroup::Sweeps:
    return list(isa<InterleaveStmt>(stmt) ? cast<InterleaveStmt>(stmt).body
                                          : cast<StripsStmt>(stmt).body,
                state);
  case StmtGroup::Runtime:
    if (auto *config = dyn_cast<ConfigStmt>(&stmt))
      return this->config(*config, state);
    return simple(stmt, state);
  case StmtGroup::Scalar:
  case StmtGroup::Memory:
  case StmtGroup::Array:
  case StmtGroup::Elements:
  case StmtGroup::ElementCall:
  case StmtGroup::Sweep:
  case StmtGroup::Call:
    return simple(stmt, state);
  }
  llvm_unreachable("a group outside its enumeration");
}

} // namespace zpl::air
