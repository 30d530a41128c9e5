//===- SparseElements.cpp - Sparse arrays that are remapped ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     [E] A#[I, J] += V;      A: [S], S sparse
//
// Where the element of an index is, if there is one, only its owner knows. So
// each processor looks at the indices that its maps name, searches for those
// that are its own, and asks the owners of the others, all at once:
//
//     the indices, 4 bytes per dimension      ->
//                                             <-  their places, 4 bytes each
//
// A search goes from where the last one ended, so maps that name rows in order
// cost a few steps per index, others a binary search among the rows and one in
// the row. All else is as for dense arrays (Remap/).
//
// Memory: 4 bytes per index of the covering region on one processor, 8 on
// several, and while they travel what is sent. The bounds do not matter.
//
//===----------------------------------------------------------------------===//

#include "Entry/Sparse/SparseElements.h"

#include "Entry/Process.h"
#include "Remap/Messages.h"
#include "Sparse/Facts.h"

#include <limits>

namespace zrt {

/// What one processor is asked for.
struct SparseElements::Questions {
  std::vector<int32_t> indices; ///< one after the other
  std::vector<int64_t> numbers; ///< of the asking indices in the part
};

static std::vector<int64_t> countsIn(const zrt_region &region) {
  Transport &transport = *process().transport;
  return region.pattern
             ? countsOf(transport, *patternOf(region.pattern))
             : std::vector<int64_t>(static_cast<size_t>(transport.size()));
}

/// No pattern has the number that stands for none.
SparseElements::SparseElements(const zrt_region &region)
    : ElementSearch(region.pattern ? patternOf(region.pattern)->id
                                   : std::numeric_limits<uint64_t>::max(),
                    countsIn(region)),
      owners(process().placement(region), region.rank,
             process().transport->rank()),
      pattern(sharedPattern(region.pattern)) {}

/// Looks at all indices: finds own elements, and collects the questions to the
/// other owners.
void SparseElements::findHere(const RemapDomain &domain, FoundElements &found,
                              std::vector<Questions> &questions) const {
  PatternFinder finder(*pattern);
  auto rank = static_cast<size_t>(owners.rank);
  bool isAlone = questions.size() == 1;
  Strips strips(domain);
  Strip strip;
  while (strips.next(strip)) {
    int64_t first = domain.numberOf(strip.at);
    for (int64_t k = 0; k < strip.count; ++k) {
      int64_t index[ZRT_MAX_RANK];
      int32_t at[ZRT_MAX_RANK];
      for (size_t d = 0; d < rank; ++d) {
        index[d] = strip.mapped[d][k];
        at[d] = static_cast<int32_t>(index[d]);
      }
      int64_t number = first + strip.along[k];
      int owner = isAlone ? owners.self : owners.owner(index);
      if (owner == owners.self) {
        auto place = static_cast<int32_t>(finder.find(at, at[rank - 1]) + 1);
        found.places[static_cast<size_t>(number)] = place;
        found.areAllStored &= place != 0;
        continue;
      }
      Questions &asked = questions[static_cast<size_t>(owner)];
      asked.indices.insert(asked.indices.end(), at, at + rank);
      asked.numbers.push_back(number);
    }
  }
}

/// Answers the questions of the others, and takes their answers.
void SparseElements::ask(const RemapDomain &domain, FoundElements &found,
                         std::vector<Questions> questions) const {
  Transport &transport = domain.parallel.transport;
  auto rank = static_cast<size_t>(owners.rank);
  std::vector<std::vector<int32_t>> lists;
  for (Questions &asked : questions)
    lists.push_back(std::move(asked.indices));
  lists = exchangeNumbers(transport, lists, domain.isLarge());
  PatternFinder finder(*pattern);
  for (std::vector<int32_t> &list : lists) {
    size_t count = list.size() / rank;
    for (size_t k = 0; k < count; ++k) {
      const int32_t *at = &list[k * rank];
      list[k] = static_cast<int32_t>(finder.find(at, at[rank - 1]) + 1);
    }
    list.resize(count);
  }
  lists = exchangeNumbers(transport, lists, domain.isLarge());
  for (size_t p = 0; p < lists.size(); ++p)
    for (size_t k = 0; k < lists[p].size(); ++k) {
      auto number = static_cast<size_t>(questions[p].numbers[k]);
      found.places[number] = lists[p][k];
      found.areAllStored &= lists[p][k] != 0;
      if (lists[p][k] != 0)
        found.owners[number] = static_cast<int32_t>(p);
    }
}

FoundElements SparseElements::find(const RemapDomain &domain) const {
  auto size = static_cast<size_t>(domain.partSize());
  FoundElements found;
  found.places.assign(size, 0);
  if (!pattern) {
    found.areAllStored = false;
    return found;
  }
  std::vector<Questions> questions(counts.size());
  if (questions.size() > 1)
    found.owners.assign(size, owners.self);
  findHere(domain, found, questions);
  if (questions.size() > 1)
    ask(domain, found, std::move(questions));
  return found;
}

} // namespace zrt
