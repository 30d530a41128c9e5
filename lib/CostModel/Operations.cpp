//===- Operations.cpp - What statements send and compute ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     mloop @R { store %New#0 = ... }     "m-loop": points, loads, stores ...
//     sr %t                               "transfer": what goes to neighbours
//     combine max %d over @R              "reduction": 8 bytes, all processors
//     flood %T = @A from %source          "flood": to those along dimensions
//
// An operation has what its cost follows from: regions, offsets, bytes of
// elements, each a formula; and for the reader `messages` and `bytes` of all
// processors together where they have a closed form. That one holds where each
// processor has at least as many indices as directions are long; who predicts
// takes the regions, and makes the plan that the runtime would make.
//
//===----------------------------------------------------------------------===//

#include "State.h"
#include "zpl/ArrayIR/Walk.h"
#include "zpl/ArrayIR/Work.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace zpl::costmodel {

static Formula gridOf(unsigned dim) {
  return Formula::name("r" + std::to_string(dim));
}

static Node start(State &s, StringRef kind, SourceRange range, unsigned rank) {
  Node node{kind.str(), placeOf(s, range)};
  if (rank > 0)
    node.set("rank", int64_t(rank));
  return node;
}

static void finish(State &s, Node node) {
  ++s.nodes;
  s.out->push_back(std::move(node));
}

static StringRef textOf(const air::Array &array) {
  return array.text.empty() ? array.name : array.text;
}

/// Bytes of a variable, whose bounds may be known to the run only.
static Formula bytesOf(State &s, air::Type type) {
  if (type.kind() != air::Type::Array)
    return double(sizeOf(type));
  Formula bytes = bytesOf(s, type.info()->element);
  auto value = [&](const air::Bound &bound) -> Formula {
    if (!bound.variable)
      return double(bound.value);
    std::optional<Formula> known = s.values.find({bound.variable, {}});
    return known ? *known
                 : unknown(s, bound.variable->name, bound.variable->range);
  };
  for (auto [lo, hi] : zip(type.info()->lo, type.info()->hi))
    bytes = bytes * (value(hi) - value(lo) + 1);
  return bytes;
}

static json::Value bytesJson(State &s, air::Type type) {
  Formula bytes = bytesOf(s, type);
  if (std::optional<double> number = bytes.number())
    return int64_t(*number);
  return bytes.text();
}

/// "element": a number, or a formula where bounds are known to the run only.
static void addElement(State &s, Node &node, air::Type type) {
  node.set("element", bytesJson(s, type));
}

//===----------------------------------------------------------------------===//
// M-loops
//===----------------------------------------------------------------------===//

static void addWork(Node &node, const air::LoopWork &work) {
  node.set("loads", int64_t(work.loads));
  node.set("stores", int64_t(work.stores));
  node.set("additions", int64_t(work.additions));
  node.set("products", int64_t(work.products));
  node.set("divisions", int64_t(work.divisions));
  node.set("calls", int64_t(work.calls));
  node.set("others", int64_t(work.others));
}

/// Bytes of memory of an index, and of all that the loop goes through on all
/// processors together.
static void addMemory(Node &node, const air::MLoopStmt &loop,
                      const RegionValue &region) {
  uint64_t bytes = 0;
  Formula all = 0;
  std::set<const air::Array *> seen;
  for (const air::Walker &walker : loop.walkers) {
    if (!air::isInMemory(walker) || !seen.insert(walker.array).second)
      continue;
    unsigned each = sizeOf(walker.array->element);
    Formula points = 1;
    for (auto [dim, kind] : zip(region, walker.array->shape))
      points = points * (air::isPerProcessor(kind) ? Formula(1) : dim.extent());
    bytes += each;
    all = all + double(each) * points;
  }
  node.set("bytes", int64_t(bytes));
  node.add("working_set", all);
}

/// Says that several iterations may have one exchange.
static void noteSteps(State &s) {
  s.notes.insert("time steps count as if each had its own exchange");
}

void addMLoop(State &s, const air::MLoopStmt &loop, const air::Region &over) {
  if (loop.body.empty())
    return;
  for (const air::Transfer *transfer : loop.time.brings)
    addTransfer(s, *transfer, transfer->range);
  if (!loop.time.brings.empty())
    noteSteps(s);
  RegionValue region = regionOf(s, over);
  SourceRange range = loop.range;
  for (const air::ElementOp &op : loop.body)
    if (!range.isValid())
      range = op.range;
  Node node = start(s, "m-loop", range, over.rank());
  node.set("key", "m" + std::to_string(s.nextKey++));
  node.set("region", toJson(region));
  node.add("points", pointsOf(region));
  addWork(node, air::workOf(loop));
  node.set("operations", int64_t(air::operationsOf(loop)));
  addMemory(node, loop, region);
  if (loop.times)
    node.add("times", evaluate(s, *loop.times));
  if (any_of(loop.body, [](const air::ElementOp &op) { return op.guard; }))
    node.set("guarded", true);
  finish(s, std::move(node));
}

//===----------------------------------------------------------------------===//
// Transfers
//===----------------------------------------------------------------------===//

namespace {
/// What goes to the neighbours in one direction, over all arrays.
struct Sides {
  std::map<std::vector<int>, std::map<const air::Array *, air::Offset>> all;
};
} // namespace

/// Adds what an offset needs of each neighbour on its way: of (-1, 1) those
/// above, beside and in the corner.
static void addSides(Sides &sides, const air::Array &array,
                     const air::Offset &offset) {
  SmallVector<unsigned, 6> dims;
  for (unsigned d = 0; d < offset.size(); ++d)
    if (offset[d] != 0)
      dims.push_back(d);
  for (unsigned chosen = 1; chosen < 1u << dims.size(); ++chosen) {
    std::vector<int> side(offset.size(), 0);
    for (unsigned k = 0; k < dims.size(); ++k)
      if (chosen >> k & 1)
        side[dims[k]] = offset[dims[k]] < 0 ? -1 : 1;
    air::Offset &reach = sides.all[side]
                             .try_emplace(&array, air::Offset(offset.size(), 0))
                             .first->second;
    for (unsigned d = 0; d < offset.size(); ++d)
      if (side[d] != 0)
        reach[d] = std::max(reach[d], std::abs(offset[d]));
  }
}

static void addClosedForm(Node &node, const Sides &sides,
                          const RegionValue &region) {
  Formula messages = 0, bytes = 0;
  for (const auto &[side, arrays] : sides.all) {
    Formula pairs = 1;
    for (unsigned d = 0; d < side.size(); ++d)
      pairs = pairs * (side[d] != 0 ? gridOf(d) - 1 : gridOf(d));
    messages = messages + pairs;
    for (const auto &[array, reach] : arrays) {
      double each = sizeOf(array->element);
      Formula elements = 1;
      for (unsigned d = 0; d < side.size(); ++d) {
        if (side[d] != 0) {
          each *= double(reach[d]);
          elements = elements * (gridOf(d) - 1);
        } else {
          elements = elements * (air::isPerProcessor(array->shape[d])
                                     ? gridOf(d)
                                     : region[d].extent());
        }
      }
      bytes = bytes + each * elements;
    }
  }
  node.add("messages", messages);
  node.add("sent", bytes);
}

/// An item of a transfer or shift: array, bytes, offset, what is stored of it.
static json::Object itemOf(State &s, const air::Array &array,
                           ArrayRef<Formula> offset) {
  const ArrayValue &value = arrayOf(s, array);
  json::Array components;
  for (const Formula &component : offset)
    components.push_back(component.text());
  return json::Object{{"array", textOf(array)},
                      {"bytes", bytesJson(s, array.element)},
                      {"offset", std::move(components)},
                      {"declared", toJson(value.declared)}};
}

void addTransfer(State &s, const air::Transfer &transfer, SourceRange range) {
  if (transfer.items.empty())
    return; // that of a shift, which has been counted
  RegionValue region = regionOf(s, *transfer.region);
  Node node = start(s, "transfer", range.isValid() ? range : transfer.range,
                    region.size());
  json::Array items;
  Sides sides;
  for (const auto &[array, offset] : transfer.items) {
    SmallVector<Formula, 6> components;
    for (int64_t component : offset)
      components.push_back(double(component));
    items.push_back(itemOf(s, *array, components));
    addSides(sides, *array, offset);
  }
  addClosedForm(node, sides, region);
  node.set("region", toJson(region));
  node.set("items", std::move(items));
  finish(s, std::move(node));
}

static void addShift(State &s, const air::ShiftStmt &stmt) {
  RegionValue region = regionOf(s, *stmt.region);
  Node node = start(s, "shift", stmt.range, region.size());
  json::Array items;
  ArrayValue source = arrayOf(s, *stmt.source);
  for (const air::ShiftView &view : stmt.views) {
    SmallVector<Formula, 6> offset;
    for (const air::Expr *component : view.direction)
      offset.push_back(evaluate(s, *component));
    json::Object item = itemOf(s, *stmt.source, offset);
    item["wraps"] = view.wraps;
    items.push_back(std::move(item));
    ArrayValue target = source;
    target.declared = region;
    s.arrays[view.target] = target;
  }
  node.set("region", toJson(region));
  node.set("items", std::move(items));
  finish(s, std::move(node));
}

//===----------------------------------------------------------------------===//
// Floods, reductions, scans
//===----------------------------------------------------------------------===//

/// Sets what an array holds that a statement makes.
static void setArray(State &s, const air::Array &array, RegionValue region) {
  for (auto [dim, kind] : zip(region, array.shape))
    dim.kind = kind;
  s.arrays[&array] = {std::move(region), sizeOf(array.element)};
}

static void addFlood(State &s, const air::FloodStmt &stmt) {
  RegionValue from = regionOf(s, *stmt.from);
  const ArrayValue &source = arrayOf(s, *stmt.source);
  Node node = start(s, "flood", stmt.range, from.size());
  Formula times = stmt.times && !stmt.slot ? evaluate(s, *stmt.times) : 1;
  Formula members = 1, slices = 1;
  json::Array moved;
  for (unsigned d = 0; d < from.size(); ++d) {
    bool moves = from[d].kind == air::DimKind::Singleton &&
                 !air::isPerProcessor(source.declared[d].kind);
    (moves ? members : slices) = (moves ? members : slices) * gridOf(d);
    if (moves)
      moved.push_back(int64_t(d));
  }
  Formula each = bytesOf(s, stmt.source->element);
  node.add("members", members);
  node.add("messages", times * slices * (members - 1));
  node.add("sent", each * (times * pointsOf(from) * (members - 1)));
  node.set("from", toJson(from));
  node.set("dims", std::move(moved));
  addElement(s, node, stmt.source->element);
  if (!(times == 1))
    node.add("times", times);
  if (stmt.begins)
    node.set("split", true);
  setArray(s, *stmt.target, from);
  finish(s, std::move(node));
}

/// Whether results do not depend on the order of operands.
static bool isExact(air::Reduction op, air::Type type) {
  return !type.isFloat() && !type.isComplex() && !type.isAggregate() &&
         op != air::Reduction::Sum && op != air::Reduction::Product;
}

/// A full reduction; \p isSplit: the program goes on between its halves.
static void addReduction(State &s, SourceRange range, const Formula &payload,
                         bool isExactOne, bool isSplit) {
  Node node = start(s, "reduction", range, 0);
  node.add("members", Formula::name("p"));
  node.add("payload", payload);
  if (isExactOne)
    node.set("exact", true);
  if (isSplit)
    node.set("split", true);
  finish(s, std::move(node));
}

static void addCombine(State &s, const air::CombineStmt &stmt) {
  if (stmt.phase == air::CombineStmt::End)
    return;
  Formula payload;
  bool exact = true;
  for (const auto &[op, with, variable] : stmt.values()) {
    payload = payload + bytesOf(s, variable->type);
    exact = exact && isExact(op, variable->type);
  }
  if (!stmt.others.empty()) // a record
    payload = Formula::apply("ceil", {payload / 16}) * 16;
  addReduction(s, stmt.range, payload, exact,
               stmt.phase == air::CombineStmt::Begin);
}

/// Of several arrays as if all were like the first one.
static void addPartial(State &s, const air::CombineArrayStmt &stmt) {
  const air::Array &array = *stmt.array;
  ArrayValue value = arrayOf(s, array);
  Formula members = 1;
  Formula payload;
  bool exact = true;
  for (const auto &[op, with, one] : stmt.values()) {
    payload = payload + double(sizeOf(one->element));
    exact = exact && isExact(op, one->element);
  }
  json::Array dims;
  for (unsigned d : stmt.dims) {
    members = members * gridOf(d);
    dims.push_back(int64_t(d));
  }
  Node node = start(s, "reduction", stmt.range, array.rank());
  node.add("members", members);
  node.set("dims", std::move(dims));
  node.add("payload", payload);
  node.set("part", toJson(value.declared));
  if (exact)
    node.set("exact", true);
  finish(s, std::move(node));
}

/// Scans and carries: each line's processors pass what they have on.
static void addScan(State &s, SourceRange range, const air::Region &over,
                    ArrayRef<int> dims, const air::Array &array) {
  RegionValue region = regionOf(s, over);
  Node node = start(s, "scan", range, over.rank());
  json::Array numbers;
  for (int dim : dims)
    numbers.push_back(int64_t(dim));
  node.set("region", toJson(region));
  node.set("dims", std::move(numbers));
  addElement(s, node, array.element);
  node.set("estimate", true);
  finish(s, std::move(node));
}

//===----------------------------------------------------------------------===//
// Waves
//===----------------------------------------------------------------------===//

static void addWave(State &s, const air::WaveStmt &wave) {
  RegionValue region = regionOf(s, *wave.region);
  s.regions[wave.tile] = region;
  addMLoop(s, wave.loop(), *wave.region);
  Node node = start(s, "wave", wave.range, wave.region->rank());
  json::Array order, items;
  for (int dim : wave.order) {
    order.push_back(int64_t(dim));
    unsigned at = unsigned(std::abs(dim)) - 1;
    bool travels = any_of(wave.primed, [&](const auto &primed) {
      return primed.second[at] != 0;
    });
    if (travels)
      s.waves.insert(wave.region->rank() * 8 + at);
  }
  for (const auto &[array, offset] : wave.primed) {
    SmallVector<Formula, 6> components;
    for (int64_t component : offset)
      components.push_back(double(component));
    items.push_back(itemOf(s, *array, components));
  }
  node.set("region", toJson(region));
  node.set("order", std::move(order));
  node.set("steps", int64_t(wave.steps));
  air::WaveWork work = air::workOf(wave);
  uint64_t bytes = 0;
  for (const air::Walker &walker : wave.loop().walkers)
    bytes += air::isInMemory(walker) ? sizeOf(walker.array->element) : 0;
  node.set("operations", int64_t(air::operationsOf(wave.loop())));
  node.set("bytes", int64_t(bytes));
  node.set("cost", int64_t(work.cost));
  node.set("chain", int64_t(work.chain));
  node.set("rows", int64_t(work.rows));
  node.set("group", int64_t(work.group));
  node.set("items", std::move(items));
  finish(s, std::move(node));
}

//===----------------------------------------------------------------------===//
// What goes anywhere
//===----------------------------------------------------------------------===//

/// Elements of a region that go to processors that only the data say: taken to
/// be spread evenly.
static void addAnywhere(State &s, StringRef kind, SourceRange range,
                        const air::Region &over, const air::Type &element,
                        bool isText = false) {
  RegionValue region = regionOf(s, over);
  Node node = start(s, kind, range, over.rank());
  node.set("region", toJson(region));
  node.add("points", pointsOf(region));
  addElement(s, node, element);
  node.set(isText ? "text" : "estimate", true);
  finish(s, std::move(node));
}

static void addOutput(State &s, const air::WriteStmt &stmt) {
  for (const air::WriteItem &item : stmt.items)
    if (item.array)
      addAnywhere(s, "output", stmt.range, *item.region, item.array->element,
                  !stmt.binary);
}

static void addInput(State &s, const air::ReadStmt &stmt) {
  for (const air::ReadItem &item : stmt.items)
    if (item.array)
      addAnywhere(s, "input", stmt.range, *item.region, item.array->element);
}

static void addWindow(State &s, const air::WindowStmt &stmt) {
  if (stmt.window)
    s.arrays[stmt.window] = {RegionValue(stmt.window->rank()),
                             sizeOf(stmt.window->element)};
  if (!stmt.array || stmt.form == air::WindowStmt::Confirm)
    return;
  const air::Region *region = stmt.region ? stmt.region : stmt.array->declared;
  if (region)
    addAnywhere(s, stmt.form == air::WindowStmt::Merge ? "scatter" : "gather",
                stmt.range, *region, stmt.array->element);
}

static void addBoxes(State &s, const air::BoxesStmt &stmt) {
  s.regions[stmt.box] = regionOf(s, *stmt.region);
  setArray(s, *stmt.window, arrayOf(s, *stmt.array).declared);
  addAnywhere(s, "gather", stmt.range, *stmt.region, stmt.array->element);
  walk(s, stmt.body);
}

/// Those that move elements over a region, as scans and remaps.
static bool addMove(State &s, const air::Stmt &stmt) {
  SourceRange range = stmt.range;
  if (auto *put = dyn_cast<air::PutStmt>(&stmt))
    addAnywhere(s, "shift", range, *put->region, put->source->element);
  else if (auto *gather = dyn_cast<air::GatherStmt>(&stmt))
    addAnywhere(s, "gather", range, *gather->region, gather->source->element);
  else if (auto *scatter = dyn_cast<air::ScatterStmt>(&stmt))
    addAnywhere(s, "scatter", range, *scatter->region,
                scatter->source->element);
  else if (auto *move = dyn_cast<air::MoveStmt>(&stmt))
    addAnywhere(s, "move", range, *move->region, move->source->element);
  else if (auto *sorted = dyn_cast<air::SortStmt>(&stmt))
    addAnywhere(s, "sort", range, *sorted->region, sorted->arrays[0]->element);
  else if (auto *boundary = dyn_cast<air::BoundaryStmt>(&stmt))
    addAnywhere(s, "boundary", range, *boundary->base,
                boundary->array->element);
  else
    return false;
  return true;
}

static bool addCollective(State &s, const air::Stmt &stmt) {
  if (auto *flood = dyn_cast<air::FloodStmt>(&stmt)) {
    addFlood(s, *flood);
  } else if (auto *combine = dyn_cast<air::CombineStmt>(&stmt)) {
    addCombine(s, *combine);
  } else if (isa<air::FoldStmt>(stmt)) {
    constexpr double Segment = 48; // a reproducible sum
    addReduction(s, stmt.range, Segment, false, false);
    s.notes.insert("reproducible sums are estimates");
  } else if (auto *lines = dyn_cast<air::CombineArrayStmt>(&stmt)) {
    if (lines->carriesOver)
      addScan(s, stmt.range, *lines->carriesOver, lines->array->carryDims,
              *lines->array);
    else
      addPartial(s, *lines);
  } else if (auto *scan = dyn_cast<air::ScanStmt>(&stmt)) {
    addScan(s, stmt.range, *scan->region, scan->dims, *scan->source);
  } else {
    return false;
  }
  return true;
}

void addOperation(State &s, const air::Stmt &stmt) {
  if (auto *loop = dyn_cast<air::MLoopStmt>(&stmt))
    return addMLoop(s, *loop, *loop->region);
  if (auto *several = dyn_cast<air::InterleaveStmt>(&stmt))
    return walk(s, several->body);
  if (auto *strips = dyn_cast<air::StripsStmt>(&stmt)) {
    if (strips->time.most)
      noteSteps(s);
    return walk(s, strips->body);
  }
  if (auto *point = dyn_cast<air::TransferPointStmt>(&stmt)) {
    if (point->point == air::TransferPointStmt::SR)
      addTransfer(s, *point->transfer, point->transfer->range);
    return;
  }
  if (auto *shift = dyn_cast<air::ShiftStmt>(&stmt))
    return addShift(s, *shift);
  if (auto *wave = dyn_cast<air::WaveStmt>(&stmt))
    return addWave(s, *wave);
  if (auto *boxes = dyn_cast<air::BoxesStmt>(&stmt))
    return addBoxes(s, *boxes);
  if (auto *window = dyn_cast<air::WindowStmt>(&stmt))
    return addWindow(s, *window);
  if (auto *write = dyn_cast<air::WriteStmt>(&stmt))
    return addOutput(s, *write);
  if (auto *read = dyn_cast<air::ReadStmt>(&stmt))
    return addInput(s, *read);
  if (!addCollective(s, stmt))
    addMove(s, stmt);
}

} // namespace zpl::costmodel
