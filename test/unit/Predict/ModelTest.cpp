//===- ModelTest.cpp - Models that are read -------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What is wrong with a model is told by its place; nothing crashes, wherever it
// is cut off.
//
//===----------------------------------------------------------------------===//

#include "Model.h"

#include <gtest/gtest.h>

using namespace predict;

namespace {

const std::string Small = R"({
  "format": "zpl-cost-model", "version": 1, "program": "p",
  "configs": [{"name": "n", "value": "8", "about": "points"}],
  "inputs": [{"name": "iterations@3", "value": "n", "about": ""}],
  "derived": [{"name": "m@2", "value": "2*n", "about": ""}],
  "ranks": [{"rank": 1, "waves": []}], "notes": [],
  "body": [
    {"kind": "region", "place": "p.z:1", "rank": 1, "region": [["1", "m@2"]]},
    {"kind": "repeat", "place": "p.z:3", "repeat": "iterations@3", "body": [
      {"kind": "for", "place": "p.z:4", "for": "k@4", "from": "1", "to": "3",
       "step": "1", "body": [
        {"kind": "transfer", "place": "p.z:5", "rank": 1,
         "region": [["k@4", "m@2"]],
         "items": [{"array": "A", "bytes": 8, "offset": ["1"],
                    "declared": [["1", "m@2 + 1"]]}]}]}]}]
})";

std::string errorOf(const std::string &text) {
  std::string error;
  EXPECT_FALSE(parseModel(text, "p.cost", error));
  return error;
}

std::string with(const std::string &from, const std::string &to) {
  std::string text = Small;
  text.replace(text.find(from), from.size(), to);
  return text;
}

TEST(Model, IsRead) {
  std::string error;
  auto model = parseModel(Small, "p.cost", error);
  ASSERT_TRUE(model) << error;
  EXPECT_EQ(model->program, "p");
  EXPECT_EQ(model->configs.size(), 1u);
  const Entry &loop = model->body[1].body[0];
  EXPECT_EQ(loop.kind, "for");
  EXPECT_EQ(loop.index, model->numberOf("k@4"));
  EXPECT_EQ(loop.body[0].items[0].array, "A");
}

TEST(Model, TellsWhatIsWrongByItsPlace) {
  EXPECT_EQ(errorOf(with("\"8\"", "\"8 +\"")).substr(0, 18),
            "p.cost: configs.n:");
  EXPECT_EQ(errorOf(with("\"k@4\", \"m@2\"", "\"j\", \"m@2\"")),
            "p.cost: body[1].body[0].body[0].region: column 1: there is no "
            "input 'j'");
  EXPECT_EQ(errorOf(with("\"to\": \"3\",", "")),
            "p.cost: body[1].body[0]: has no \"to\"");
  EXPECT_EQ(errorOf(with("\"rank\": 1,\n         \"region\"",
                         "\"rank\": 7,\n         \"region\"")),
            "p.cost: body[1].body[0].body[0]: has more than 6 dimensions");
  EXPECT_EQ(errorOf(with("\"offset\": [\"1\"]", "\"offset\": []")),
            "p.cost: body[1].body[0].body[0]: an item has not as many "
            "dimensions as its rank");
  EXPECT_EQ(errorOf("[]"), "p.cost: the file: is no model");
}

TEST(Model, ThatIsCutOffAnywhereIsRefused) {
  for (size_t end = 0; end + 1 < Small.size(); ++end)
    EXPECT_FALSE(errorOf(Small.substr(0, end)).empty());
}

TEST(Model, OfBracketsAloneIsRefused) {
  EXPECT_EQ(errorOf(std::string(1000000, '[')),
            "p.cost: too many brackets within each other");
}

TEST(Model, WithAnyMemberOfAnotherKindDoesNotCrash) {
  for (size_t at = Small.find('"'); at != Small.npos;) {
    size_t end = Small.find('"', at + 1);
    for (const char *other : {"[", "7", "-1", "null", "{\"a\": 1}"}) {
      std::string text = Small, error;
      text.replace(at, end - at + 1, other);
      bool isRead = parseModel(text, "p.cost", error).has_value();
      EXPECT_EQ(isRead, error.empty()) << text;
    }
    at = Small.find('"', end + 1);
  }
}

} // namespace
