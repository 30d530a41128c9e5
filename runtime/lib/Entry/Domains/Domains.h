//===- Domains.h - Grids, distributions and domains of a run ----*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZRT_ENTRY_DOMAINS_DOMAINS_H
#define ZRT_ENTRY_DOMAINS_DOMAINS_H

#include "Grid/Distribution.h"
#include "Transfer/DomainCopy.h"

#include <memory>
#include <optional>
#include <vector>

namespace zrt {

/// In zrt_region::domain: of a scattered domain its indices in blocks, over the
/// same grid, for what needs neighbours or an order.
inline constexpr int16_t InBlocksBit = 0x4000;

/// What one dimension of a distribution is to be; the program's memory is
/// copied.
struct DimensionRule {
  zrt_rule_kind kind = ZRT_BLOCK;
  int64_t lo = 0, hi = 0;
  std::vector<int64_t> points;
  zrt_owner owner = nullptr;
};

/// The indices at consecutive places of this processor.
struct PlaceTable {
  int64_t start; ///< the first place
  std::vector<int64_t> indices;
  Range places() const {
    return {start, start + static_cast<int64_t>(indices.size()) - 1};
  }
};

/// One domain: open until somebody asks for its distribution.
struct DomainState {
  bool fixed = false;
  bool isAgreed = false; ///< checkPlacesAgree has been called since
  /// What a procedure answered wrongly when this was fixed; empty: nothing.
  std::string fault;
  Box declared;              ///< bounding box of the regions declared so far
  Distribution distribution; ///< of a scattered one, its indices in blocks
  zrt_domain domain;
  std::unique_ptr<Placement> placement; ///< made when it is asked for
  /// Scattered: by dimension, those that were asked for, none near another.
  std::vector<PlaceTable> tables[ZRT_MAX_RANK];
  std::vector<zrt_array *> arrays; ///< alive, but for those of a default one
};

/// All of them. Objects of the program are known by their numbers, from 1; 0 is
/// a rank's default.
class Domains {
public:
  Domains(const zrt_program &program, const GridRequest &request);

  /// The domain of \p region, as it was declared; not that of blocks.
  DomainState &stateOf(const zrt_region &region) {
    int number = region.domain & ~InBlocksBit;
    return number == 0 ? ranks[region.rank] : named[number - 1];
  }
  /// A positive number is a rank, with its default domain; a negative one,
  /// negated, a domain.
  DomainState &stateAt(int32_t reference) {
    return reference > 0 ? ranks[reference] : named[-reference - 1];
  }
  /// Whether arrays over \p region have places.
  bool isScattered(const zrt_region &region) const {
    return region.domain > 0 && region.domain < InBlocksBit &&
           program.domains[region.domain - 1].is_scattered != 0;
  }

  /// Adds a region to those that the distribution of its domain is made from;
  /// without effect once that is fixed.
  void declareRegion(const zrt_region &region);

  /// Fixes the distribution of the domain of \p region, for \p self of \p
  /// processors. Ends the run if it is not possible.
  void fix(const zrt_region &region, int self, int processors);

  /// Ends the run unless the distribution of the domain holds \p region.
  void checkHolds(const zrt_region &region, const zrt_loc *loc);

  /// As zrtA_grid_set and zrtA_distribution_set.
  void setGrid(int32_t number, const int64_t *extents, int processors,
               const zrt_loc *loc);
  void setDistribution(int32_t number, const zrt_rule *rules,
                       const zrt_loc *loc);
  /// Gives one object the value of another one; what lies over it is open
  /// again. Returns the numbers of the domains that were distributed.
  std::vector<int32_t> assignGrid(int32_t number, int32_t value);
  std::vector<int32_t> assignDistribution(int32_t number, int32_t value);

  /// The bounding box of all regions over distribution \p number; empty
  /// dimensions if there are none.
  Box boxOver(int32_t number) const;
  /// Cuts the dimensions of distribution \p number that have more than one
  /// processor at \p points, all or none of a dimension; as an assignment.
  /// \p loc: where the program says so.
  std::vector<int32_t>
  assignCuts(int32_t number, const std::vector<std::vector<int64_t>> &points,
             const zrt_loc *loc);

  /// A region over which domain \p number may be asked for.
  zrt_region regionIn(int32_t number) const;
  const ProcessGrid &grid(int32_t number) const {
    return grids[static_cast<size_t>(number - 1)];
  }

  /// Who has what of the domain of \p region, which is fixed; of one in blocks,
  /// by blocks.
  const Placement &placementOf(const zrt_region &region);
  /// The places that \p self has from the first to the last index of \p region,
  /// those between its strides as well: what is stored there may be read. 0..0
  /// in flooded dimensions.
  Box placesOf(const zrt_region &region, int self);
  /// The index at each of \p places of \p self along \p d: at the place itself
  /// of the result, until this is asked for again.
  const int64_t *indicesAt(DomainState &state, int d, Range places, int self);

  const char *nameOfDistribution(int32_t domain) const;
  /// What the program's data say of a dimension of a domain: of a procedure the
  /// processor for each index from `first` on, else the cut points; empty if the
  /// text of the program alone does.
  struct Said {
    std::vector<int64_t> numbers;
    bool isByOwner = false;
    int64_t first = 0;
  };
  Said saidOf(int32_t domain, int d) const;
  /// Whether they say something.
  bool isSaid(int32_t domain) const;
  const zrt_loc *locOfDistribution(int32_t domain) const {
    return valueOf(domain).loc;
  }

  /// The grid of distribution \p number.
  ProcessGrid gridOver(int32_t number, int processors) const;

private:
  struct DistributionValue {
    int32_t grid = 0;
    std::vector<DimensionRule> rules;
    const zrt_loc *loc = nullptr;
  };

  ProcessGrid gridOf(int32_t number, int rank, int processors,
                     std::initializer_list<const char *> names) const;
  BlockCut cutOf(const DimensionRule &rule, int d, const Range &box,
                 int64_t parts, int32_t number) const;
  Places placesOf(const DimensionRule &rule, int d, const Range &box,
                  int64_t parts, int32_t number, std::string &fault) const;
  void fixBlocks(DomainState &state, int self);
  std::vector<int32_t> reopen(bool (*lies)(const Domains &, int32_t domain,
                                           int32_t number),
                              int32_t number);
  std::vector<int32_t> reopenOver(int32_t distribution);
  const DistributionValue &valueOf(int32_t domain) const;

  const zrt_program &program;
  const GridRequest &request;
  DomainState ranks[ZRT_MAX_RANK + 1];
  std::vector<DomainState> named;
  std::vector<ProcessGrid> grids;
  std::vector<DistributionValue> distributions;
  std::vector<std::unique_ptr<Placement>> inBlocks; ///< by domain
};

} // namespace zrt

#endif // ZRT_ENTRY_DOMAINS_DOMAINS_H
