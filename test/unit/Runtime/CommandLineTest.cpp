//===- CommandLineTest.cpp - Command lines and config values --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Command lines set what they say or are refused with a message that names the
// mistake.
//
//===----------------------------------------------------------------------===//

#include "Entry/Config/CommandLine.h"
#include "HandTypes.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <vector>

using namespace zrt;

namespace {

class CommandLineTest : public testing::Test {
protected:
  /// The error, or "".
  std::string parse(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "prog");
    std::vector<char *> argv;
    for (std::string &argument : arguments)
      argv.push_back(argument.data());
    line = CommandLine();
    std::string error;
    bool good = parseCommandLine(static_cast<int>(argv.size()), argv.data(),
                                 program, line, error);
    EXPECT_EQ(good, error.empty());
    return error;
  }

  /// Parses and stores the variable called \p name, which has a T; the value
  /// that it has without the command line is \p otherwise.
  template <typename T> T stored(const std::string &name, T otherwise) {
    std::string error;
    int64_t number = findConfig(program, name);
    EXPECT_TRUE(storeConfig(program, line.assignments, number, &otherwise,
                            strings, error))
        << error;
    return otherwise;
  }
  bool given(const std::string &name) {
    return givesWhole(line.assignments, findConfig(program, name));
  }

  static constexpr zrt_enumerator Classes[] = {{"S", 0}, {"W", 1}};
  static constexpr zrt_type Class = hand::enumeration("class", Classes);
  static constexpr zrt_field Fields[] = {
      {"x", 0, &hand::Double}, {"y", 8, &hand::Double}, {"kind", 16, &Class}};
  static constexpr zrt_type Point = hand::record("point", 24, Fields);
  static constexpr zrt_range Bounds[] = {{0, 1}};
  static constexpr const zrt_type *ByClass[] = {&Class};
  static constexpr zrt_type Sizes =
      hand::array(hand::Integer, 8, Bounds, ByClass);

  zrt_config configs[7] = {{"n", &hand::Integer, "8", "size of the problem"},
                           {"epsilon", &hand::Double, "1e-5", "where to stop"},
                           {"verbose", &hand::Boolean, "false", ""},
                           {"name", &hand::String, "\"\"", ""},
                           {"origin", &Point, "{0,\n  0, S}", ""},
                           {"size", &Sizes, "{8, 64}", "per\n class"},
                           {"big", &hand::LongInt, "0", ""}};
  zrt_program program = {
      ZRT_ABI_REVISION, "prog",  "", "",      "", configs, 7, nullptr,
      nullptr,          nullptr, 0,  nullptr, {}, nullptr, 0};
  StringArena strings;
  CommandLine line;
};

TEST_F(CommandLineTest, OptionsTakeTheirValueAttachedOrAsNextArgument) {
  EXPECT_EQ(parse({"-p4", "-r", "2", "-c1", "-l", "2", "-g2x3x4"}), "");
  EXPECT_EQ(line.grid.processors, 4);
  EXPECT_EQ(line.grid.levels[0], 2);
  EXPECT_EQ(line.grid.levels[1], 1);
  EXPECT_EQ(line.grid.levels[2], 2);
  EXPECT_EQ(line.grid.extents[3], (std::vector<int>{2, 3, 4}));
  EXPECT_EQ(parse({"--transport=shm", "-v", "-q"}), "");
  EXPECT_EQ(line.transport, "shm");
  EXPECT_TRUE(line.verbose);
  EXPECT_FALSE(line.help);
  EXPECT_EQ(parse({"--help"}), "");
  EXPECT_TRUE(line.help);
}

TEST_F(CommandLineTest, TuningHasAModeAndAFile) {
  EXPECT_EQ(parse({"--tune=run", "--tune-file=f"}), "");
  EXPECT_EQ(line.tuning, ZRT_TUNING_RUN);
  EXPECT_EQ(line.tuneFile, "f");
  EXPECT_EQ(parse({"--tune=force:3"}), "");
  EXPECT_EQ(line.tuning, ZRT_TUNING_OFF);
  EXPECT_EQ(line.forcedWay, 3);
  EXPECT_EQ(parse({"--tune=force:12"}),
            "option '--tune' needs off, models or run, not 'force:12'");
  EXPECT_EQ(parse({"--tune"}), "option '--tune' needs a value: --tune=VALUE");
}

TEST_F(CommandLineTest, GridsHaveNames) {
  const zrt_grid_info grids[] = {{"G", 2, 0}};
  const zrt_distribution_info distributions[] = {{"D", 1, 0}, {"E", 2, 1}};
  const zrt_domain_info domains[] = {{"Big", 1, 0}};
  program.grids = grids;
  program.distributions = distributions;
  program.domains = domains;
  program.grid_count = program.domain_count = 1;
  program.distribution_count = 2;
  EXPECT_EQ(parse({"-gG=2x3", "-gD=6", "-gBig=6"}), "");
  EXPECT_EQ(line.grid.named["G"], (std::vector<int>{2, 3}));
  EXPECT_EQ(line.grid.named["D"], (std::vector<int>{6}));
  EXPECT_EQ(line.grid.named["Big"], (std::vector<int>{6}));
  EXPECT_EQ(requestedProcessors(line.grid), 6);
  EXPECT_EQ(parse({"-gH=2x3"}),
            "option '-g' names 'H', which is no grid of the program");
  // E has the grid G.
  EXPECT_NE(parse({"-gE=2x3"}), "");
  EXPECT_EQ(parse({"-gG=6"}), "option '-gG=6': G has 2 dimensions");
}

TEST_F(CommandLineTest, WatchdogTakesSeconds) {
  EXPECT_EQ(parse({"-p4"}), "");
  EXPECT_EQ(line.watchdog, 0);
  EXPECT_EQ(parse({"--watchdog=30"}), "");
  EXPECT_EQ(line.watchdog, 30);
  EXPECT_EQ(parse({"--watchdog=0.5"}), "");
  EXPECT_EQ(line.watchdog, 0.5);
  for (const char *wrong :
       {"0", "-1", "0.05", "1000001", "1e3", "nan", "inf", "ten", "5s", ""})
    EXPECT_EQ(parse({(std::string("--watchdog=") + wrong).c_str()}),
              std::string("option '--watchdog' needs a number of seconds from "
                          "0.1 to 1000000, not '") +
                  wrong + "'");
  EXPECT_EQ(parse({"--watchdog"}),
            "option '--watchdog' needs a value: --watchdog=VALUE");
}

TEST_F(CommandLineTest, BindTakesCoreOrNone) {
  EXPECT_EQ(parse({"-p4"}), "");
  EXPECT_FALSE(line.bindsCores);
  EXPECT_EQ(parse({"--bind=core"}), "");
  EXPECT_TRUE(line.bindsCores);
  EXPECT_EQ(parse({"--bind=core", "--bind=none"}), "");
  EXPECT_FALSE(line.bindsCores);
  EXPECT_EQ(parse({"--bind=socket"}),
            "option '--bind' takes core or none, not 'socket'");
  EXPECT_EQ(parse({"--bind"}), "option '--bind' needs a value: --bind=VALUE");
}

TEST_F(CommandLineTest, ConfigVariablesAreSetInBothNotations) {
  EXPECT_EQ(parse({"-sn=0x10", "-s", "epsilon=1.e-3", "--verbose=true",
                   "--name=a=b c"}),
            "");
  EXPECT_EQ(stored("n", 8), 16);
  EXPECT_EQ(stored("epsilon", 1e-5), 1e-3);
  EXPECT_EQ(stored<uint8_t>("verbose", 0), 1);
  EXPECT_STREQ(stored<const char *>("name", ""), "a=b c");
  EXPECT_EQ(stored<int64_t>("big", 5), 5);
  EXPECT_TRUE(given("n"));
  EXPECT_FALSE(given("big"));
}

TEST_F(CommandLineTest, LaterValuesGoBeforeEarlierOnes) {
  EXPECT_EQ(parse({"-sn=1", "--n=2", "-p3", "-p5"}), "");
  EXPECT_EQ(stored("n", 8), 2);
  EXPECT_EQ(line.grid.processors, 5);
}

TEST_F(CommandLineTest, PartsAreSetInBothNotations) {
  struct {
    double x, y;
    int32_t kind;
  } origin = {1, 2, 0};
  EXPECT_EQ(parse({"-sorigin.y=4", "--origin.kind=W", "--size[W]=7"}), "");
  origin = stored("origin", origin);
  EXPECT_EQ(origin.x, 1);
  EXPECT_EQ(origin.y, 4);
  EXPECT_EQ(origin.kind, 1);
  EXPECT_FALSE(given("origin"));
  EXPECT_EQ(parse({"--origin.y"}),
            "option '--origin.y' needs a value: --origin.y=VALUE");
}

TEST_F(CommandLineTest, MalformedValuesAreRefused) {
  const char *integer = "' is not an integer literal";
  for (const char *text : {"", "12x", "x", "1.5", "1e3", "0x", "--1", " 1",
                           "1 ", "0x1g", "+", "true"})
    EXPECT_EQ(parse({std::string("-sn=") + text}),
              std::string("config variable 'n' has type integer: '") + text +
                  integer);
  for (const char *text : {"", "nan", "inf", "-inf", "1d0", "1e", "e5", ".",
                           "1.0f", "0x1p3", "1,5"})
    EXPECT_NE(parse({std::string("-sepsilon=") + text}), "") << text;
  EXPECT_EQ(parse({"-sverbose=1"}),
            "config variable 'verbose' has type boolean: '1' is not a boolean "
            "literal (true or false)");
}

TEST_F(CommandLineTest, UnknownNamesListTheKnownOnes) {
  std::string message = "unknown config variable 'm'; this program has: n, "
                        "epsilon, verbose, name, origin, size, big";
  EXPECT_EQ(parse({"-sm=1"}), message);
  EXPECT_EQ(parse({"--m=1"}), message);
  program.config_count = 0;
  EXPECT_EQ(parse({"-sm=1"}),
            "unknown config variable 'm'; this program has none");
}

TEST_F(CommandLineTest, NumbersOfProcessorsArePositive) {
  for (const char *text : {"0", "-3", "abc", "4x", "1.5"})
    EXPECT_EQ(parse({std::string("-p") + text}),
              std::string("option '-p' needs a positive number, not '") + text +
                  "'");
  EXPECT_EQ(parse({"-p"}), "option '-p' needs a value");
  EXPECT_EQ(parse({"-p99999999999"}),
            "option '-p' allows at most 65536, not '99999999999'");
  for (const char *text : {"2y2", "x2", "2x", "2xx2", "-2x2", ""})
    EXPECT_NE(parse({"-g", text}), "") << text;
  EXPECT_NE(parse({"-g0x2"}), "");
  EXPECT_NE(parse({"-g65536x65536"}), "");
  EXPECT_NE(parse({"-g1x1x1x1x1x1x1"}), "");
}

TEST_F(CommandLineTest, UnknownOptionsAndStrayWordsAreRefused) {
  EXPECT_EQ(parse({"-z"}), "unknown option '-z'; -h lists the options");
  EXPECT_EQ(parse({"--foo"}), "unknown option '--foo'; -h lists the options");
  EXPECT_EQ(parse({"--n"}), "option '--n' needs a value: --n=VALUE");
  EXPECT_EQ(parse({"foo"}), "unexpected argument 'foo'");
  EXPECT_EQ(parse({"-"}), "unexpected argument '-'");
  EXPECT_EQ(parse({"-sn"}), "'n' is not NAME=VALUE");
}

TEST_F(CommandLineTest, WhatFollowsTwoDashesIsTheProgramsOwn) {
  EXPECT_EQ(parse({"-p4", "--", "foo", "-z", "--", "--n=3"}), "");
  EXPECT_EQ(line.grid.processors, 4);
  EXPECT_EQ(line.arguments,
            (std::vector<std::string>{"foo", "-z", "--", "--n=3"}));
  EXPECT_TRUE(line.assignments.empty());
  EXPECT_EQ(parse({"--"}), "");
  EXPECT_TRUE(line.arguments.empty());
}

TEST_F(CommandLineTest, FilesHoldAssignmentsInOrderWithTheOtherOptions) {
  std::string file = testing::TempDir() + "zrt-command-line-test.conf";
  std::ofstream(file) << "# settings\nn=5\n  epsilon=0.25\tverbose=true\n"
                         "name=\"a b\" -- a comment\n";
  EXPECT_EQ(parse({"-sn=4", "-f" + file, "-sepsilon=0.5"}), "");
  EXPECT_EQ(stored("n", 8), 5);
  EXPECT_EQ(stored("epsilon", 1.0), 0.5);
  EXPECT_STREQ(stored<const char *>("name", ""), "a b");
  EXPECT_EQ(parse({"-f", file, "-sn=6"}), "");
  EXPECT_EQ(stored("n", 8), 6);
  std::ofstream(file) << "\nn 5";
  EXPECT_EQ(parse({"-f", file}),
            "in '" + file + "', line 2: 'n' is not NAME=VALUE");
  std::remove(file.c_str());
  EXPECT_EQ(parse({"-f" + file}),
            "cannot read '" + file + "': No such file or directory");
}

TEST_F(CommandLineTest, HelpListsConfigVariablesInColumnsAndTheirTypes) {
  std::string text = helpText("prog", program);
  EXPECT_NE(
      text.find("\nconfig variables:\n"
                "  n        integer                  8          size of the "
                "problem\n"
                "  epsilon  double                   1e-5       where to stop\n"
                "  verbose  boolean                  false\n"
                "  name     string                   \"\"\n"
                "  origin   point                    {0, 0, S}\n"
                "  size     array [S..W] of integer  {8, 64}    per class\n"
                "  big      longint                  0\n"
                "\ntypes:\n"
                "  point = record x, y: double; kind: class; end\n"
                "  class = (S, W)\n"),
      std::string::npos)
      << text;
}

} // namespace
