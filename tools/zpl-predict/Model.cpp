//===- Model.cpp - A program's model, read from its file ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// JSON as `zplc -emit-cost-model` writes it. Names come first, since formulas
// are parsed with the list of them: a formula that names something else is a
// mistake in the file, and is told by its place. Members that are unknown are
// left alone, so that an older zpl-predict reads what a newer compiler writes.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace predict {

static constexpr unsigned MostRank = 6, MostDepth = 200;

namespace {
/// A file that is being read.
struct Reading {
  Model model;
  std::string &error;
  unsigned depth = 0;

  bool fail(const Twine &place, const Twine &what) {
    if (error.empty())
      error = (model.file + ": " + place + ": " + what).str();
    return false;
  }
};
} // namespace

int Model::numberOf(StringRef name) const {
  auto found = find(names, name);
  return found == names.end() ? -1 : int(found - names.begin());
}

static bool readFormula(Reading &r, const json::Value &value,
                        const Twine &place,
                        std::optional<zpl::Expression> &formula) {
  std::string text = value.getAsString().value_or("").str(), error;
  if (auto number = value.getAsInteger(); number && *number >= 0)
    text = std::to_string(*number);
  if (text.empty())
    return r.fail(place, "is no formula");
  formula = zpl::Expression::parse(text, r.model.names, error);
  return formula || r.fail(place, error);
}

static bool readRegion(Reading &r, const json::Value &value,
                       const std::string &place,
                       std::vector<DimFormula> &region) {
  const json::Array *dims = value.getAsArray();
  if (!dims || dims->size() > MostRank)
    return r.fail(place, "is no region");
  for (const json::Value &dim : *dims) {
    DimFormula &formula = region.emplace_back();
    formula.isFlooded = dim.getAsString() == StringRef("*");
    if (formula.isFlooded)
      continue;
    const json::Array *bounds = dim.getAsArray();
    if (!bounds || (bounds->size() != 2 && bounds->size() != 4))
      return r.fail(place, "a dimension has 2 or 4 formulas");
    if (!readFormula(r, (*bounds)[0], place, formula.lo) ||
        !readFormula(r, (*bounds)[1], place, formula.hi))
      return false;
    if (bounds->size() == 4 &&
        (!readFormula(r, (*bounds)[2], place, formula.stride) ||
         !readFormula(r, (*bounds)[3], place, formula.align)))
      return false;
  }
  return true;
}

static bool readItem(Reading &r, const json::Value &value,
                     const std::string &place, ItemFormula &item) {
  const json::Object *object = value.getAsObject();
  const json::Array *offset = object ? object->getArray("offset") : nullptr;
  const json::Value *declared = object ? object->get("declared") : nullptr;
  const json::Value *bytes = object ? object->get("bytes") : nullptr;
  if (!offset || !declared || !bytes)
    return r.fail(place, "needs \"offset\", \"declared\" and \"bytes\"");
  item.array = object->getString("array").value_or("").str();
  if (!readFormula(r, *bytes, place, item.bytes))
    return false;
  item.wraps = object->getBoolean("wraps").value_or(false);
  for (const json::Value &component : *offset) {
    std::optional<zpl::Expression> formula;
    if (!readFormula(r, component, place, formula))
      return false;
    item.offset.push_back(std::move(*formula));
  }
  return readRegion(r, *declared, place, item.declared);
}

static bool readBody(Reading &r, const json::Value &value,
                     const std::string &place, std::vector<Entry> &body);

/// One member of an operation.
static bool readMember(Reading &r, StringRef name, const json::Value &value,
                       const std::string &place, Entry &entry) {
  if (name == "region" || name == "from" || name == "part")
    if (value.getAsArray())
      return readRegion(r, value, place, entry.region);
  if (name == "items") {
    const json::Array *items = value.getAsArray();
    if (!items)
      return r.fail(place, "is no list");
    return all_of(*items, [&](const json::Value &item) {
      return readItem(r, item, place, entry.items.emplace_back());
    });
  }
  if (name == "dims" || name == "order") {
    const json::Array *dims = value.getAsArray();
    if (!dims)
      return r.fail(place, "is no list");
    for (const json::Value &dim : *dims) {
      auto number = dim.getAsInteger();
      if (!number || std::abs(*number) > MostRank)
        return r.fail(place, "is no dimension");
      entry.dims.push_back(int(*number));
    }
    return true;
  }
  if (auto flag = value.getAsBoolean()) {
    if (*flag)
      entry.numbers[name.str()] = 1;
    return true;
  }
  if (auto number = value.getAsInteger()) {
    entry.numbers[name.str()] = *number;
    return *number >= 0 || r.fail(place, "is negative");
  }
  if (!value.getAsString() || name == "kind" || name == "place" ||
      name == "key" || name == "call")
    return true;
  std::optional<zpl::Expression> formula;
  if (!readFormula(r, value, place, formula))
    return false;
  entry.formulas.emplace(name.str(), std::move(*formula));
  return true;
}

/// What an operation cannot do without, by its kind.
static bool isComplete(Reading &r, const Entry &entry,
                       const std::string &place) {
  auto needs = [&](std::initializer_list<const char *> names) {
    for (const char *name : names)
      if (!entry.formulas.count(name) && !entry.numbers.count(name))
        return r.fail(place, "has no \"" + Twine(name) + "\"");
    return true;
  };
  if (entry.kind == "for")
    return needs({"for", "from", "to", "step"});
  if (entry.kind == "repeat" || entry.kind == "if")
    return needs({entry.kind.c_str()});
  if (entry.kind == "reduction")
    return needs({"members", "payload"});
  if (entry.kind == "m-loop" && !needs({"operations", "bytes"}))
    return false;
  bool isWave = entry.kind == "wave";
  if (isWave && entry.dims.size() != entry.rank)
    return r.fail(place, "its order has not as many dimensions as its rank");
  if (isWave || entry.kind == "flood" || entry.kind == "reduction")
    for (int dim : entry.dims)
      if (isWave ? dim == 0 || std::abs(dim) > int(entry.rank)
                 : dim < 0 || dim >= int(entry.rank))
        return r.fail(place, "has the dimension " + Twine(dim) +
                                 ", which is none of its rank's");
  bool hasRegion = entry.kind != "call" && entry.kind != "reduction";
  if (hasRegion && (entry.rank == 0 || entry.region.size() != entry.rank))
    return r.fail(place, "its region has not as many dimensions as its rank");
  for (const ItemFormula &item : entry.items)
    if (item.offset.size() != entry.rank || item.declared.size() != entry.rank)
      return r.fail(place, "an item has not as many dimensions as its rank");
  return true;
}

static bool readEntry(Reading &r, const json::Value &value,
                      const std::string &place, Entry &entry) {
  const json::Object *object = value.getAsObject();
  if (!object || !object->getString("kind"))
    return r.fail(place, "is no operation");
  if (++r.depth > MostDepth)
    return r.fail(place, "too many bodies within each other");
  entry.kind = object->getString("kind")->str();
  entry.place = object->getString("place").value_or("-").str();
  for (const auto &member : *object) {
    StringRef name = member.first;
    std::string at = place + "." + name.str();
    bool isRead = name == "body"
                      ? readBody(r, member.second, at, entry.body)
                      : readMember(r, name, member.second, at, entry);
    if (!isRead)
      return false;
  }
  entry.rank = unsigned(entry.number("rank"));
  if (entry.rank > MostRank)
    return r.fail(place, "has more than 6 dimensions");
  if (entry.kind == "for")
    entry.index = r.model.numberOf(object->getString("for").value_or(""));
  --r.depth;
  return isComplete(r, entry, place);
}

static bool readBody(Reading &r, const json::Value &value,
                     const std::string &place, std::vector<Entry> &body) {
  const json::Array *list = value.getAsArray();
  if (!list)
    return r.fail(place, "is no list");
  for (size_t k = 0; k < list->size(); ++k)
    if (!readEntry(r, (*list)[k], place + "[" + std::to_string(k) + "]",
                   body.emplace_back()))
      return false;
  return true;
}

/// Names of loops' indices.
static void addIndices(const json::Value &value,
                       std::vector<std::string> &names) {
  if (const json::Array *list = value.getAsArray())
    for (const json::Value &entry : *list)
      if (const json::Object *object = entry.getAsObject()) {
        if (auto name = object->getString("for"))
          names.push_back(name->str());
        if (const json::Value *body = object->get("body"))
          addIndices(*body, names);
      }
}

static bool addNames(Reading &r, const json::Object &file, StringRef member) {
  const json::Array *list = file.getArray(member);
  if (!list)
    return r.fail(member, "is missing");
  for (const json::Value &value : *list) {
    const json::Object *object = value.getAsObject();
    auto name = object ? object->getString("name") : std::nullopt;
    if (!name || name->empty())
      return r.fail(member, "one has no \"name\"");
    r.model.names.push_back(name->str());
  }
  return true;
}

static bool readNamed(Reading &r, const json::Object &file, StringRef member,
                      std::vector<NamedFormula> &list) {
  for (const json::Value &value : *file.getArray(member)) {
    const json::Object &object = *value.getAsObject();
    std::string name = object.getString("name")->str();
    std::optional<zpl::Expression> formula;
    const json::Value *text = object.get("value");
    if (!text)
      return r.fail(member + "." + name, "has no \"value\"");
    if (!readFormula(r, *text, member + "." + name, formula))
      return false;
    NamedFormula named{name,
                       object.getString("about").value_or("").str(),
                       std::move(*formula),
                       {}};
    if (const json::Object *words = object.getObject("words"))
      for (const auto &word : *words)
        if (auto number = word.second.getAsNumber())
          named.words[word.first.str()] = *number;
    list.push_back(std::move(named));
  }
  return true;
}

static bool readRanks(Reading &r, const json::Object &file) {
  const json::Array *list = file.getArray("ranks");
  if (!list)
    return r.fail("ranks", "is missing");
  for (const json::Value &value : *list) {
    const json::Object *object = value.getAsObject();
    auto rank = object ? object->getInteger("rank") : std::nullopt;
    if (!rank || *rank < 1 || *rank > MostRank)
      return r.fail("ranks", "a rank is from 1 to 6");
    RankInfo info{unsigned(*rank), 0};
    if (const json::Array *waves = object->getArray("waves"))
      for (const json::Value &dim : *waves)
        if (auto d = dim.getAsInteger(); d && *d >= 0 && *d < *rank)
          info.waves |= 1 << *d;
    r.model.ranks.push_back(info);
  }
  return true;
}

static void addGridNames(std::vector<std::string> &names) {
  names.push_back("p");
  for (unsigned d = 0; d < MostRank; ++d)
    names.push_back("r" + std::to_string(d));
  for (unsigned rank = 1; rank <= MostRank; ++rank)
    for (unsigned d = 0; d < rank; ++d)
      names.push_back("r" + std::to_string(d) + "." + std::to_string(rank));
}

static bool readTop(Reading &r, const json::Object &file) {
  if (file.getString("format") != StringRef("zpl-cost-model"))
    return r.fail("format", "is not \"zpl-cost-model\"");
  if (file.getInteger("version") != 1)
    return r.fail("version", "is not 1, the one that is known here");
  const json::Value *body = file.get("body");
  if (!body)
    return r.fail("body", "is missing");
  r.model.program = file.getString("program").value_or("?").str();
  addGridNames(r.model.names);
  for (StringRef member : {"configs", "inputs", "derived"})
    if (!addNames(r, file, member))
      return false;
  addIndices(*body, r.model.names);
  if (const json::Array *notes = file.getArray("notes"))
    for (const json::Value &note : *notes)
      r.model.notes.push_back(note.getAsString().value_or("").str());
  return readNamed(r, file, "configs", r.model.configs) &&
         readNamed(r, file, "inputs", r.model.inputs) &&
         readNamed(r, file, "derived", r.model.derived) && readRanks(r, file) &&
         readBody(r, *body, "body", r.model.body);
}

/// Whether brackets are so deep in each other that parsing takes too much stack.
static bool isTooDeep(StringRef text) {
  size_t depth = 0, most = 0;
  bool isText = false;
  for (size_t k = 0; k < text.size(); ++k) {
    char c = text[k];
    if (isText && c == '\\')
      ++k;
    else if (c == '"')
      isText = !isText;
    else if (!isText && (c == '[' || c == '{'))
      most = std::max(most, ++depth);
    else if (!isText && (c == ']' || c == '}') && depth > 0)
      --depth;
  }
  return most > 4 * MostDepth;
}

std::optional<Model> parseModel(StringRef text, StringRef file,
                                std::string &error) {
  if (isTooDeep(text)) {
    error = (file + ": too many brackets within each other").str();
    return std::nullopt;
  }
  Expected<json::Value> value = json::parse(text);
  if (!value) {
    error = file.str() + ": " + toString(value.takeError());
    return std::nullopt;
  }
  Reading r{{}, error};
  r.model.file = file.str();
  const json::Object *object = value->getAsObject();
  if (!object) {
    r.fail("the file", "is no model");
    return std::nullopt;
  }
  if (!readTop(r, *object))
    return std::nullopt;
  return std::move(r.model);
}

std::optional<Model> readModel(StringRef file, std::string &error) {
  auto text = MemoryBuffer::getFile(file, /*IsText=*/true);
  if (text)
    return parseModel((*text)->getBuffer(), file, error);
  error = ("cannot read '" + file + "': " + text.getError().message()).str();
  return std::nullopt;
}

} // namespace predict
