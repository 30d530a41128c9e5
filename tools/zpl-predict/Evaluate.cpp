//===- Evaluate.cpp - A model in numbers ----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     for k = 1 to 9:  [k+1..n] ...        nine regions, nine plans
//     repeat iterations@36: [1..n] ...     one plan, times iterations@36
//
// The tree is gone through with a value for each name and a weight: how often
// the place is executed. A loop of whose index nothing inside depends only
// changes the weight. Others are gone through index by index; where these are
// very many, 48 of them stand for all. Regions and offsets become those of the
// runtime, and Traffic.h says what is sent; equal questions are asked once.
//
// First it is gone through for the regions that are declared: their hull is what
// is distributed.
//
//===----------------------------------------------------------------------===//

#include "Evaluate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cmath>
#include <cstring>

using namespace llvm;

namespace predict {

namespace {
/// The evaluation of a model.
struct Evaluating {
  const Model &model;
  const Question &question;
  const CollectiveCosts &costs;
  std::string &error;
  Evaluation result;
  std::vector<double> values; ///< by number of the name; not a number: unknown
  zrt::Distribution distributions[ZRT_MAX_RANK + 1];
  zrt::Box declared[ZRT_MAX_RANK + 1];
  bool isDeclaring = true; ///< looking for regions that are declared
  std::map<std::pair<std::string, std::string>, size_t> lines;
  std::map<std::string, std::shared_ptr<const Traffic>> known;
  std::map<const Entry *, bool> declares;
  std::string place; ///< for messages

  bool fail(const Twine &what) {
    if (error.empty())
      error = (model.file + ": " + place + (place.empty() ? "" : ": ") + what)
                  .str();
    return false;
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static bool number(Evaluating &e, const zpl::Expression &formula,
                   double &value) {
  std::string problem;
  value = formula.evaluate(e.values, &problem);
  if (std::isfinite(value))
    return true;
  return e.fail("'" + formula.text() + "' has no value" +
                (problem.empty() ? "" : ": " + problem));
}

static bool integer(Evaluating &e, const zpl::Expression &formula,
                    int64_t &value) {
  double exact;
  constexpr double Most = 2147483648; // as indices are
  if (!number(e, formula, exact))
    return false;
  if (std::abs(exact) > Most)
    return e.fail("'" + formula.text() + "' is too large");
  value = int64_t(std::floor(exact + 0.5));
  return true;
}

static bool member(Evaluating &e, const Entry &entry, const char *name,
                   double otherwise, double &value) {
  auto found = entry.formulas.find(name);
  if (found != entry.formulas.end())
    return number(e, found->second, value);
  value = entry.numbers.count(name) ? double(entry.number(name)) : otherwise;
  return true;
}

/// What a region is in numbers, with its alignment.
static bool regionOf(Evaluating &e, ArrayRef<DimFormula> dims,
                     zrt_region &region) {
  region = {};
  region.rank = int16_t(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) {
    zrt_dim &dim = region.dim[d];
    dim = {0, 0, 1, 0};
    if (dims[d].isFlooded) {
      region.floods |= 1 << d;
      continue;
    }
    if (!integer(e, *dims[d].lo, dim.lo) || !integer(e, *dims[d].hi, dim.hi))
      return false;
    if (dims[d].lo->text() == dims[d].hi->text())
      region.singletons |= 1 << d;
    if (!dims[d].stride)
      continue;
    if (!integer(e, *dims[d].stride, dim.stride) ||
        !integer(e, *dims[d].align, dim.align))
      return false;
    if (dim.stride < 1)
      return e.fail("'" + dims[d].stride->text() + "', a stride, is below 1");
    dim.align = ((dim.align % dim.stride) + dim.stride) % dim.stride;
  }
  return true;
}

static bool itemsOf(Evaluating &e, const Entry &entry,
                    std::vector<ItemNumbers> &items) {
  std::map<std::string, int> arrays;
  for (const ItemFormula &formula : entry.items) {
    ItemNumbers item;
    item.array =
        arrays.try_emplace(formula.array, int(arrays.size())).first->second;
    if (!integer(e, *formula.bytes, item.bytes))
      return false;
    item.wraps = formula.wraps;
    for (size_t d = 0; d < formula.offset.size(); ++d)
      if (!integer(e, formula.offset[d], item.offset[d]))
        return false;
    if (!regionOf(e, formula.declared, item.declared))
      return false;
    items.push_back(item);
  }
  return true;
}

/// Values of configs, inputs and what is derived, in any order of dependence.
static bool setValues(Evaluating &e) {
  std::vector<const NamedFormula *> open;
  for (const auto *list : {&e.model.configs, &e.model.inputs, &e.model.derived})
    for (const NamedFormula &named : *list) {
      auto given = e.question.values.find(named.name);
      if (given != e.question.values.end() && list != &e.model.derived)
        e.values[size_t(e.model.numberOf(named.name))] = given->second;
      else
        open.push_back(&named);
    }
  for (size_t before = open.size() + 1; open.size() < before;) {
    before = open.size();
    erase_if(open, [&](const NamedFormula *named) {
      double value = named->value.evaluate(e.values);
      if (std::isfinite(value))
        e.values[size_t(e.model.numberOf(named->name))] = value;
      return std::isfinite(value);
    });
  }
  if (open.empty())
    return true;
  double value;
  e.place = open.front()->name;
  return number(e, open.front()->value, value);
}

//===----------------------------------------------------------------------===//
// Operations
//===----------------------------------------------------------------------===//

static Line &lineOf(Evaluating &e, const Entry &entry) {
  auto [at, isNew] =
      e.lines.try_emplace({entry.place, entry.kind}, e.result.lines.size());
  if (isNew) {
    Line line;
    line.place = entry.place;
    line.kind = entry.kind;
    e.result.lines.push_back(std::move(line));
  }
  return e.result.lines[at->second];
}

static bool addMLoop(Evaluating &e, const Entry &entry, double weight) {
  zrt_region region;
  double times, workingSet;
  if (!regionOf(e, entry.region, region) ||
      !member(e, entry, "times", 1, times) ||
      !member(e, entry, "working_set", 0, workingSet))
    return false;
  Points points = pointsOf(e.distributions[entry.rank], region);
  Line &line = lineOf(e, entry);
  double most = weight * points.most, each = most * times;
  line.calls += weight;
  line.operations += each * double(entry.number("operations"));
  line.memoryBytes += most * double(entry.number("bytes"));
  double here = workingSet / e.result.processors;
  bool isSame = !line.runs.empty() && line.runs.back().entry == &entry &&
                line.runs.back().workingSet == here;
  if (!isSame)
    line.runs.push_back({&entry, 0, 0, here});
  line.runs.back().points += most;
  line.runs.back().arithmetic += each;
  line.meanOperations += weight * times * points.all / e.result.processors *
                         double(entry.number("operations"));
  return true;
}

/// The numbers that traffic follows from, as a key.
static void append(std::string &key, const void *data, size_t bytes) {
  key.append(static_cast<const char *>(data), bytes);
}
static void append(std::string &key, const zrt_region &region) {
  append(key, &region.rank, sizeof region.rank);
  append(key, &region.floods, sizeof region.floods);
  append(key, &region.singletons, sizeof region.singletons);
  append(key, region.dim, sizeof(zrt_dim) * size_t(region.rank));
}
static void append(std::string &key, const std::vector<ItemNumbers> &items) {
  for (const ItemNumbers &item : items) {
    append(key, &item.array, sizeof item.array);
    append(key, &item.bytes, sizeof item.bytes);
    append(key, item.offset, sizeof item.offset);
    append(key, item.declared);
    key += item.wraps ? 'w' : 'n';
  }
}

static zrt_wave waveOf(const Entry &entry) {
  zrt_wave wave = {};
  for (size_t k = 0; k < entry.dims.size() && k < ZRT_MAX_RANK; ++k)
    wave.order[k] = entry.dims[k];
  wave.steps = int32_t(entry.number("steps"));
  wave.cost = int32_t(entry.number("cost"));
  wave.chain = int32_t(entry.number("chain"));
  wave.rows = int32_t(entry.number("rows"));
  wave.group = int32_t(std::max<int64_t>(entry.number("group"), 1));
  return wave;
}

namespace {
/// What an operation's traffic depends on.
struct Asked {
  zrt_region region = {};
  std::vector<ItemNumbers> items;
  double members = 1, payload = 0, times = 1, element = 0;
};
} // namespace

static Traffic traffic(const Evaluating &e, const Entry &entry,
                       const Asked &asked) {
  const zrt::Distribution &distribution = e.distributions[entry.rank];
  if (entry.kind == "transfer")
    return transferTraffic(distribution, asked.region, asked.items);
  if (entry.kind == "shift" && !entry.items.empty())
    return shiftTraffic(distribution, asked.region, asked.items);
  if (entry.kind == "wave")
    return waveTraffic(distribution, asked.region, asked.items, waveOf(entry));
  int dims = 0;
  if (entry.kind == "flood" || entry.kind == "reduction")
    for (int d : entry.dims)
      dims |= 1 << d;
  if (entry.kind == "flood")
    return floodTraffic(distribution, asked.region, dims,
                        int64_t(asked.element), int64_t(asked.times),
                        entry.has("split"), e.costs);
  if (entry.kind == "reduction" && entry.region.empty())
    return reductionTraffic(int(asked.members),
                            e.result.processors / asked.members, asked.payload,
                            entry.has("exact"), entry.has("split"), e.costs);
  if (entry.kind == "reduction")
    return partialTraffic(distribution, asked.region, dims, asked.payload,
                          entry.has("exact"), e.costs);
  if (entry.has("text"))
    return outputTraffic(distribution, asked.region, int64_t(asked.element));
  return scatteredTraffic(distribution, asked.region, int64_t(asked.element));
}

/// What the last processor of a wave waits for: so many of its own parts.
static void addWaiting(const Evaluating &e, const Entry &entry,
                       const zrt_region &region, double parts, Line &line) {
  double points = parts * pointsOf(e.distributions[entry.rank], region).most;
  line.waitingOperations += points * double(entry.number("operations"));
  line.waitingBytes += points * double(entry.number("bytes"));
}

static bool addCommunication(Evaluating &e, const Entry &entry, double weight) {
  Asked asked;
  if (!regionOf(e, entry.region, asked.region) ||
      !itemsOf(e, entry, asked.items) ||
      !member(e, entry, "members", 1, asked.members) ||
      !member(e, entry, "payload", 0, asked.payload) ||
      !member(e, entry, "times", 1, asked.times) ||
      !member(e, entry, "element", 0, asked.element))
    return false;
  if (asked.members < 1 || asked.members > e.result.processors)
    return e.fail("a reduction has from 1 to p members");
  std::string key = entry.kind;
  append(key, &entry.rank, sizeof entry.rank);
  append(key, asked.region);
  append(key, asked.items);
  append(key, &asked.members, 4 * sizeof(double));
  for (const char *name :
       {"steps", "cost", "chain", "rows", "group", "split", "exact", "text"})
    key += std::to_string(entry.number(name)) + ",";
  for (int dim : entry.dims)
    key += std::to_string(dim) + " ";
  std::shared_ptr<const Traffic> &sent = e.known[key];
  if (!sent)
    sent = std::make_shared<const Traffic>(traffic(e, entry, asked));
  Line &line = lineOf(e, entry);
  line.calls += weight;
  line.messages += weight * sent->messages;
  line.bytes += weight * sent->bytes;
  line.isEstimate |= sent->isEstimate;
  if (sent->stages > 0)
    addWaiting(e, entry, asked.region, weight * sent->stages / sent->tiles,
               line);
  if (!line.traffic.empty() && line.traffic.back().first == sent)
    line.traffic.back().second += weight;
  else
    line.traffic.emplace_back(sent, weight);
  return true;
}

//===----------------------------------------------------------------------===//
// The tree
//===----------------------------------------------------------------------===//

static bool uses(const Entry &entry, unsigned index) {
  auto inRegion = [&](ArrayRef<DimFormula> region) {
    return any_of(region, [&](const DimFormula &dim) {
      return any_of(ArrayRef{&dim.lo, &dim.hi, &dim.stride, &dim.align},
                    [&](auto *f) { return *f && (*f)->uses(index); });
    });
  };
  auto isIndex = [&](const zpl::Expression &f) { return f.uses(index); };
  return any_of(entry.formulas,
                [&](const auto &named) {
                  return named.first != "messages" && named.first != "sent" &&
                         named.first != "points" && isIndex(named.second);
                }) ||
         inRegion(entry.region) ||
         any_of(entry.items,
                [&](const ItemFormula &item) {
                  return any_of(item.offset, isIndex) ||
                         inRegion(item.declared);
                }) ||
         any_of(entry.body,
                [&](const Entry &inside) { return uses(inside, index); });
}

static bool declares(Evaluating &e, const Entry &entry) {
  auto [at, isNew] = e.declares.try_emplace(&entry, entry.kind == "region");
  if (isNew)
    for (const Entry &inside : entry.body)
      if (declares(e, inside))
        e.declares[&entry] = true;
  return e.declares[&entry];
}

static bool walk(Evaluating &e, const std::vector<Entry> &body, double weight);

/// Beyond so many plans of one loop a few iterations stand for all.
static constexpr double MostPlans = 1 << 18;
static constexpr int64_t Samples = 48;

static bool walkFor(Evaluating &e, const Entry &entry, double weight) {
  double from, to, step, share;
  if (!member(e, entry, "from", 0, from) || !member(e, entry, "to", 0, to) ||
      !member(e, entry, "step", 1, step) ||
      !member(e, entry, "share", 1, share))
    return false;
  if (step == 0)
    return e.fail("a loop has the step 0");
  double trips = std::max(0.0, std::floor((to - from) / step + 1e-9) + 1);
  if (trips > 1e12)
    return e.fail("a loop of more than 10^12 iterations");
  unsigned index = unsigned(entry.index);
  weight *= share;
  if (none_of(entry.body, [&](const Entry &in) { return uses(in, index); }))
    return trips == 0 || walk(e, entry.body, weight * trips);
  bool isSampled = trips * e.result.processors > MostPlans && trips > Samples;
  int64_t pieces = isSampled ? Samples : int64_t(trips);
  e.result.isSampled |= isSampled;
  for (int64_t k = 0; k < pieces; ++k) {
    double first = std::floor(trips * double(k) / double(pieces));
    double end = std::floor(trips * double(k + 1) / double(pieces));
    e.values[index] = from + step * std::floor((first + end - 1) / 2);
    if (!walk(e, entry.body, weight * (end - first)))
      return false;
  }
  return true;
}

static bool declare(Evaluating &e, const Entry &entry) {
  zrt_region region;
  if (!regionOf(e, entry.region, region))
    return false;
  zrt::Box box = zrt::boxOf(region), &all = e.declared[entry.rank];
  if (zrt::isEmpty(box))
    return true;
  all.rank = int(entry.rank);
  for (int d = 0; d < box.rank; ++d)
    if (!(region.floods >> d & 1))
      all.dim[d] = zrt::seqOf(zrt::rangeOf(zrt::hull(all.dim[d], box.dim[d])));
  return true;
}

static bool walkEntry(Evaluating &e, const Entry &entry, double weight) {
  e.place = entry.place;
  if (e.isDeclaring && !declares(e, entry))
    return true;
  if (entry.kind == "for")
    return walkFor(e, entry, weight);
  if (entry.kind == "repeat" || entry.kind == "if") {
    double times;
    if (!member(e, entry, entry.kind.c_str(), 1, times))
      return false;
    if (times < 0 || times > 1e15)
      return e.fail("something is executed " + Twine(int64_t(times)) +
                    " times");
    return times == 0 || walk(e, entry.body, weight * times);
  }
  if (entry.kind == "call")
    return walk(e, entry.body, weight);
  if (entry.kind == "region")
    return !e.isDeclaring || declare(e, entry);
  return entry.kind == "m-loop" ? addMLoop(e, entry, weight)
                                : addCommunication(e, entry, weight);
}

static bool walk(Evaluating &e, const std::vector<Entry> &body, double weight) {
  // Loops' grid names are those of the operation's rank.
  for (const Entry &entry : body) {
    if (entry.rank > 0)
      for (unsigned d = 0; d < entry.rank; ++d)
        e.values[1 + d] = e.distributions[entry.rank].grid.extent[d];
    if (!walkEntry(e, entry, weight))
      return false;
  }
  return true;
}

/// Grids of all ranks, and their extents as values.
static bool setGrids(Evaluating &e) {
  std::fill(e.values.begin(), e.values.end(), std::nan(""));
  e.values[0] = e.question.processors;
  zrt::GridRequest request = e.question.grid;
  for (const RankInfo &info : e.model.ranks)
    request.waves[info.rank] = info.waves;
  size_t at = 1 + ZRT_MAX_RANK;
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank) {
    zrt::ProcessGrid &grid = e.distributions[rank].grid;
    std::string problem;
    if (!zrt::makeGrid(request, rank, e.question.processors, grid, problem))
      return e.fail(problem);
    for (int d = 0; d < rank; ++d)
      e.values[at++] = grid.extent[d];
  }
  return true;
}

static bool checkNames(Evaluating &e) {
  for (const auto &[name, value] : e.question.values) {
    bool isKnown = false;
    std::string all;
    for (const auto *list : {&e.model.configs, &e.model.inputs})
      for (const NamedFormula &named : *list) {
        isKnown |= named.name == name;
        all += (all.empty() ? "" : ", ") + named.name;
      }
    if (!isKnown)
      return e.fail("'" + name + "' is no config variable or input; there " +
                    (all.empty() ? "are none" : "are: " + all));
  }
  return true;
}

std::optional<Evaluation> evaluate(const Model &model, const Question &question,
                                   const CollectiveCosts &costs,
                                   std::string &error) {
  Evaluating e{model, question, costs, error, {}, {}, {},
               {},    true,     {},    {},    {}, {}};
  e.result.processors = question.processors;
  e.values.resize(model.names.size());
  if (question.processors < 1 || question.processors > MostProcessors) {
    e.fail("predictions are for 1 to " + Twine(MostProcessors) +
           " processors, not " + Twine(question.processors));
    return std::nullopt;
  }
  if (!checkNames(e) || !setGrids(e) || !setValues(e) ||
      !walk(e, model.body, 1))
    return std::nullopt;
  for (int rank = 1; rank <= ZRT_MAX_RANK; ++rank) {
    e.declared[rank].rank = rank;
    e.distributions[rank] =
        zrt::Distribution(e.distributions[rank].grid, e.declared[rank]);
    int owners = 1;
    for (int d = 0; d < rank; ++d)
      owners *= int(std::clamp<int64_t>(zrt::size(e.declared[rank].dim[d]), 1,
                                        e.distributions[rank].grid.extent[d]));
    e.result.owners = std::max(e.result.owners, owners);
  }
  e.isDeclaring = false;
  if (!walk(e, model.body, 1))
    return std::nullopt;
  for (const Line &line : e.result.lines) {
    e.result.messages += line.messages;
    e.result.bytes += line.bytes;
  }
  return std::move(e.result);
}

} // namespace predict
