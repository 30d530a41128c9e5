//===- Schedule.h - Remaps that are repeated --------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_REMAP_SCHEDULE_H
#define ZRT_REMAP_SCHEDULE_H

#include "Remap/Numbering.h"
#include "Remap/Owners.h"
#include "Remap/Store.h"

#include <map>

namespace zrt {

/// What remaps with one kind of schedule have in common: elements that travel
/// are numbered by processor, and within one in an order that both sides know.
class Schedule {
public:
  virtual ~Schedule() = default;

protected:
  /// Sets how many elements go to each processor, and come. Collective if it was
  /// set before.
  void setCounts(std::vector<int64_t> out, std::vector<int64_t> in);
  /// The one for elements of \p size bytes. Collective.
  Courier &courier(Transport &transport, int64_t spare, size_t size);

  std::vector<int64_t> sends, receives; ///< elements, per processor
  int64_t allSends = 0, allReceives = 0;

private:
  std::map<size_t, std::unique_ptr<Courier>> couriers;
};

/// `B := A#[I]` for maps that stay as they are. Each element of another
/// processor travels once, however many indices name it.
class GatherSchedule final : public Schedule {
public:
  /// The inspector. Collective.
  GatherSchedule(const RemapDomain &domain, const RemappedArray &source);
  /// The executor: zrtA_array_gather. Collective.
  void run(Transport &transport, const RemapDomain &domain, zrt_array &result,
           const RemappedArray &source);

private:
  NumberList localTo, localFrom; ///< of the result, of the source
  NumberList sent;               ///< of the source
  NumberList lateTo;             ///< of the result
  std::vector<int32_t> lateFrom; ///< of what arrives
};

/// `A#[I] op= B` for maps that stay as they are.
class ScatterSchedule final : public Schedule {
public:
  /// What depends on the operator.
  enum class Order {
    Last, ///< `:=`: only the last source of a target travels
    None, ///< cannot be seen: sources of one target are combined, then travel
    Kept  ///< sources of one target meet it in row-major order
  };
  static Order orderOf(const Store &store) {
    return store.isCopy   ? Order::Last
           : store.isFree ? Order::None
                          : Order::Kept;
  }

  /// The inspector. Collective.
  ScatterSchedule(const RemapDomain &domain, const RemappedArray &target,
                  Order order);
  /// The executor: zrtA_array_scatter. Collective.
  void run(Transport &transport, const RemapDomain &domain,
           const RemappedArray &target, const zrt_array &source,
           const Store &store);

private:
  /// A source on its way to its target.
  struct Reference {
    int64_t source; ///< its place in the region, row-major
    int64_t target; ///< the place with its owner
  };
  using References = std::vector<Reference>;
  void inspect(const RemapDomain &domain, const RemappedArray &target,
               std::vector<References> &references,
               std::vector<std::vector<int32_t>> &sources);
  void keepLast(Transport &transport, int64_t elements,
                const std::vector<References> &arrived,
                const std::vector<std::vector<int32_t>> &sources);
  void combineFirst(Transport &transport,
                    const std::vector<References> &references,
                    const std::vector<std::vector<int32_t>> &sources);
  void keepOrder(Transport &transport, int64_t elements,
                 const std::vector<References> &arrived,
                 const std::vector<std::vector<int32_t>> &sources);

  bool isLarge = false;          ///< what inspectors tell each other
  NumberList localFrom, localTo; ///< of the source, of the target
  NumberList sent;               ///< of the source
  std::vector<int32_t> slots;    ///< where these are combined; none: in order
  NumberList kept;   ///< of the source: what meets its target in turn with
                     ///< values that arrive, placed behind these
  NumberList lateTo; ///< of the target
  std::vector<int32_t> lateFrom; ///< of what arrives; none: in order
};

/// \p values without repetitions, ascending. To \p places goes, for each of
/// them, where it is there, after \p first others.
std::vector<int64_t> numbered(const std::vector<int64_t> &values, int64_t first,
                              std::vector<int32_t> &places);

} // namespace zrt

#endif // ZRT_REMAP_SCHEDULE_H
