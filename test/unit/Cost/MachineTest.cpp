//===- MachineTest.cpp - Machine files ------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A machine file that was written is read as it was; what is wrong with one is
// told by its place.
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/Machine.h"

#include <gtest/gtest.h>

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace zpl;

namespace {

std::string text(const Machine &machine) {
  std::string result;
  llvm::raw_string_ostream os(result);
  printMachine(machine, os);
  return result;
}

Machine example() {
  Machine machine;
  machine.name = "AMD EPYC, 2 processors";
  machine.source = "measured by zpl-calibrate";
  machine.fingerprint =
      Fingerprint{"AuthenticAMD",  25, 1, {"avx2", "fma"}, 2, {32768, 524288},
                  int64_t(8) << 30};
  machine.transports["shm"] = {1.2e-6, 2e-7, 2e-7,       1e-7,   1e-10,
                               5e-11,  0,    "receiver", "flat", {}};
  machine.transports["shm"].sources["hop"] = "there is none";
  machine.processor = {{"flop", 2.5e-10}, {"byte", 1e-10}};
  machine.constants = {{"tile_rows", 128}, {"share", 0.75}, {"never", 0x1p60}};
  machine.constantSources = {{"tile_rows", "bench/run, Zen 3"}};
  machine.measurements["memory.read"] = {1.2e10, 0.02, "B/s", 9};
  std::string error;
  auto radix = ModelBuilder("radix", {"keys", "bits"})
                   .derive("iter", "ceil(28 / bits)")
                   .term("keys * iter", 1.25e-9, 1e-11)
                   .term("1", -3e-7)
                   .where("keys >= 1")
                   .least("keys * 1e-10")
                   .take(error);
  radix->meanRelativeError = 0.03;
  radix->samples = 60;
  radix->ranges = {{1, 1000}, {4, 14}};
  machine.models.add(*radix);
  machine.models.add(
      *ModelBuilder("sort", {"keys"}).term("radix(keys, 7)", 1).take(error));
  return machine;
}

std::string errorOf(std::string file) {
  std::string error;
  EXPECT_FALSE(parseMachine(file, "m.json", error)) << file;
  return error;
}

/// The error of the example with a part of its text replaced.
std::string errorWith(llvm::StringRef part, llvm::StringRef by) {
  std::string file = text(example());
  size_t at = file.find(part);
  EXPECT_NE(at, std::string::npos) << part.str();
  return errorOf(file.replace(at, part.size(), by));
}

TEST(MachineFile, IsReadAsItWasWritten) {
  Machine machine = example();
  std::string error;
  auto other = parseMachine(text(machine), "m.json", error);
  ASSERT_TRUE(other) << error;
  EXPECT_EQ(text(*other), text(machine));
  EXPECT_EQ(differences(*other->fingerprint, *machine.fingerprint), "");
  EXPECT_EQ(other->transports["shm"].contention, "receiver");
  EXPECT_EQ(other->constants["share"], 0.75);
  EXPECT_EQ(other->constants["never"], 0x1p60);
  EXPECT_EQ(other->constantSources["tile_rows"], "bench/run, Zen 3");
  EXPECT_EQ(other->models.predict("sort", {100.0}).cost,
            machine.models.predict("sort", {100.0}).cost);
  EXPECT_FALSE(other->models.predict("radix", {2000.0, 7.0}).isInRange);
}

TEST(MachineFile, NeedsOnlyItsHead) {
  std::string error;
  EXPECT_TRUE(parseMachine(R"({"format": "zpl-machine", "version": 1,
    "name": "n", "source": "s", "later": [1, {}]})",
                           "m.json", error))
      << error;
}

TEST(MachineFile, ThatIsBrokenIsRefusedWithThePlace) {
  EXPECT_EQ(errorOf("{\n  \"format\": }"), "m.json:2:13: Invalid JSON value");
  EXPECT_NE(errorOf(""), "");
  EXPECT_EQ(errorOf("[1]"), "m.json: is not a machine file: no JSON object");
}

TEST(MachineFile, OfAnotherKindIsRefused) {
  const char *foreign = "m.json: is not a machine file: \"format\" is not "
                        "\"zpl-machine\"";
  EXPECT_EQ(errorOf("{}"), foreign);
  EXPECT_EQ(errorOf(R"({"format": "other"})"), foreign);
  EXPECT_EQ(errorOf(R"({"format": 7})"), foreign);
  EXPECT_EQ(errorOf(R"({"format": "zpl-machine"})"),
            "m.json: version: is missing");
  EXPECT_EQ(errorWith("\"version\": 1", "\"version\": 2"),
            "m.json: version: is 2; this program reads version 1");
}

TEST(MachineFile, FiguresThatAreMissingOrWrongAreNamed) {
  EXPECT_EQ(errorWith("\"latency\"", "\"latncy\""),
            "m.json: transports.shm.latency: is missing");
  EXPECT_EQ(errorWith("\"send\": 2e-07", "\"send\": -2e-07"),
            "m.json: transports.shm.send: is negative");
  EXPECT_EQ(errorWith("\"gap\": 1e-07", "\"gap\": \"1e-07\""),
            "m.json: transports.shm.gap: is not a number");
  EXPECT_EQ(errorWith("\"gap\": 1e-07", "\"gap\": 1e999"),
            "m.json: transports.shm.gap: is not finite");
  EXPECT_EQ(errorWith("\"receiver\"", "\"sender\""),
            "m.json: transports.shm.contention: is 'sender', not one of none, "
            "receiver");
  EXPECT_EQ(errorWith("\"flop\": 2.5e-10", "\"flop\": -1"),
            "m.json: processor.flop: is negative");
  EXPECT_EQ(errorWith("\"tile_rows\": 128", "\"tile_rows\": null"),
            "m.json: constants.tile_rows: is not a number");
  EXPECT_EQ(errorWith("\"processors\": 2", "\"processors\": 2.5"),
            "m.json: fingerprint.processors: is not an integer");
  EXPECT_EQ(errorOf(R"({"format": "zpl-machine", "version": 1, "name": "n",
              "source": "s", "transports": {"shm": 5}})"),
            "m.json: transports.shm: is not an object");
}

TEST(MachineFile, ModelsThatAreWrongAreNamed) {
  EXPECT_EQ(errorWith("\"coefficient\": 1.25e-09", "\"coefficient\": false"),
            "m.json: models.radix.terms[0].coefficient: is not a number");
  EXPECT_EQ(errorWith("keys * iter", "keys * passes"),
            "m.json: models.radix.terms[0].expression: 'keys * passes', column "
            "8: there is no input 'passes'");
  EXPECT_EQ(errorWith("\"terms\"", "\"trems\""),
            "m.json: models.radix.terms: is missing");
  EXPECT_EQ(errorWith("radix(keys, 7)", "merge(keys)"),
            "m.json: model 'sort' calls 'merge', which is not there");
  EXPECT_EQ(errorWith("\"iter\"", "\"keys\""),
            "m.json: models.radix.derived[0]: 'keys' is there already");
}

TEST(MachineFile, IsWrittenWithTheFoldersToIt) {
  llvm::SmallString<64> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("zpl-cost", folder));
  std::string file = (folder + "/a/b/m.json").str(), error;
  EXPECT_TRUE(writeMachine(example(), file, error)) << error;
  auto read = readMachine(file, error);
  ASSERT_TRUE(read) << error;
  EXPECT_EQ(text(*read), text(example()));
  std::string below = file + "/c/m.json";
  EXPECT_FALSE(writeMachine(example(), below, error));
  EXPECT_NE(error.find(file + "/c"), std::string::npos) << error;
  EXPECT_FALSE(readMachine(folder.str().str() + "/none.json", error));
  EXPECT_NE(error.find("none.json: No such file"), std::string::npos) << error;
  llvm::sys::fs::remove_directories(folder);
}

TEST(Fingerprint, OfThisMachineIsComplete) {
  Fingerprint here = thisMachine();
  EXPECT_FALSE(here.vendor.empty());
  EXPECT_GT(here.processors, 0);
  EXPECT_GT(here.memory, 0);
  EXPECT_EQ(differences(here, thisMachine()), "");
  EXPECT_EQ(digits(here).size(), 16U);
  EXPECT_EQ(digits(here), digits(thisMachine()));
}

TEST(Fingerprint, TellsWhatDiffers) {
  Fingerprint one = *example().fingerprint, other = one;
  other.memory += other.memory / 20;
  EXPECT_EQ(differences(one, other), "");
  EXPECT_EQ(digits(one), digits(other));
  other.processors = 64;
  other.features = {"avx512f", "fma"};
  other.caches = {};
  EXPECT_EQ(differences(one, other),
            "only there: avx2; only here: avx512f; processors 2 there, 64 "
            "here; caches 32768, 524288 there, unknown here");
  EXPECT_NE(digits(one), digits(other));
  other = one;
  other.memory *= 2;
  EXPECT_EQ(differences(one, other),
            "memory 8589934592 there, 17179869184 here");
}

} // namespace
