//===- MachineFiguresTest.cpp - Figures from constants and measurements ---===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "zpl/Cost/MachineFigures.h"
#include <gtest/gtest.h>

using namespace zpl;

namespace {

MachineFigures figuresOf(const Machine &machine) {
  std::vector<std::string> warnings;
  std::string error;
  auto result = zpl::figuresOf(machine, warnings, error);
  EXPECT_TRUE(result) << error;
  return result ? *result : MachineFigures();
}

TEST(MachineFigures, AreUsualWhereNothingIsKnown) {
  MachineFigures figures = figuresOf(Machine());
  EXPECT_EQ(figures.figures.blockColumns, Figures().blockColumns);
  EXPECT_EQ(figures.ofRun(), "");
  for (const FigureValue &value : figures.values) {
    EXPECT_TRUE(value.isUsual()) << value.figure->name.str();
    EXPECT_GE(value.value, value.figure->least) << value.figure->name.str();
    EXPECT_LE(value.value, value.figure->most) << value.figure->name.str();
  }
}

TEST(MachineFigures, HaveNamesOfTheirOwn) {
  for (const FigureInfo &info : allFigures())
    EXPECT_EQ(findFigure(info.name), &info) << info.name.str();
}

TEST(MachineFigures, ConstantsComeBeforeMeasurements) {
  Machine machine;
  machine.measurements["vectors.best"] = {256, 0, "bits", 1};
  EXPECT_EQ(figuresOf(machine).figures.vectorBits, 256);
  machine.constants["vector.bits"] = 128;
  EXPECT_EQ(figuresOf(machine).figures.vectorBits, 128);
}

TEST(MachineFigures, MemoryIsAskedForAheadOnlyWhereThatGains) {
  Machine machine;
  machine.measurements["prefetch.ahead.0"] = {100, 0, "s/B", 1};
  machine.measurements["prefetch.ahead.1024"] = {96, 0, "s/B", 1};
  EXPECT_EQ(figuresOf(machine).figures.fetchAhead, 0);
  machine.measurements["prefetch.ahead.2048"] = {90, 0, "s/B", 1};
  machine.measurements["prefetch.ahead.4096"] = {94, 0, "s/B", 1};
  EXPECT_EQ(figuresOf(machine).figures.fetchAhead, 2048);
}

TEST(MachineFigures, LatenciesAreInCycles) {
  Machine machine;
  machine.measurements["operation.add.128.latency"] = {0.9e-9, 0, "s", 8};
  EXPECT_EQ(figuresOf(machine).figures.addLatency, Figures().addLatency);
  machine.measurements["operation.integer-add.latency"] = {0.3e-9, 0, "s", 8};
  EXPECT_EQ(figuresOf(machine).figures.addLatency, 3);
}

TEST(MachineFigures, CollectivesTakeWhatMessagesTakeIfThatIsSteady) {
  Machine machine;
  TransportCosts &costs = machine.transports["shm"];
  costs.latency = 0.25;
  costs.send = costs.receive = 0.125;
  costs.byte = 0.0625;
  EXPECT_EQ(figuresOf(machine).ofRun(), "");
  Measurement &message = machine.measurements["transport.shm.message.1"];
  message = {0.5, 0.1, "s", 100};
  EXPECT_EQ(figuresOf(machine).ofRun(),
            "collective.shm.message=0.5 collective.shm.byte=0.0625");
  message.spread = 0.9;
  EXPECT_EQ(figuresOf(machine).ofRun(), "");
  message = {0.5, 0.01, "s", 2};
  EXPECT_EQ(figuresOf(machine).ofRun(), "");
}

TEST(MachineFigures, WaysAreKeptWithinTheErrorsOfTheModels) {
  Machine machine;
  EXPECT_EQ(figuresOf(machine).figures.wayWithin, Figures().wayWithin);
  Model model;
  model.samples = 20;
  for (auto [name, error] : {std::pair("read", 0.02), std::pair("triad", 0.2),
                             std::pair("copy/streamed", 0.5)}) {
    model.name = name;
    model.meanRelativeError = error;
    machine.models.add(model);
  }
  EXPECT_DOUBLE_EQ(figuresOf(machine).figures.wayWithin, 0.5);
  model.name = "read";
  model.meanRelativeError = 3;
  machine.models.add(model);
  EXPECT_EQ(figuresOf(machine).figures.wayWithin, 1);
  machine.constants["tune.within"] = 0.125;
  EXPECT_EQ(figuresOf(machine).figures.wayWithin, 0.125);
}

TEST(MachineFigures, ProgramsBringWhatIsNotUsual) {
  Machine machine;
  machine.constants["tiles.bytes"] = 65536;
  machine.constants["split.bytes"] = findFigure("split.bytes")->usual;
  machine.constants["block.columns"] = 64;
  EXPECT_EQ(figuresOf(machine).ofRun(), "tiles.bytes=65536");
}

TEST(MachineFigures, TimesOfValuesAreInTheirOrder) {
  Machine machine;
  machine.measurements["choice.block.columns.1024"] = {0.5, 0, "s", 1};
  machine.measurements["choice.block.columns.64"] = {0.25, 0, "s", 1};
  EXPECT_EQ(figuresOf(machine).measured["block.columns"],
            "64: 0.25 s, 1024: 0.5 s");
}

TEST(MachineFigures, ImpossibleConstantsAreRefusedByName) {
  std::vector<std::string> warnings;
  for (double value : {7.0, 64.5, 1e30}) {
    Machine machine;
    machine.constants["block.columns"] = value;
    std::string error;
    EXPECT_FALSE(zpl::figuresOf(machine, warnings, error));
    EXPECT_NE(error.find("constants.block.columns: is"), std::string::npos);
  }
}

} // namespace
