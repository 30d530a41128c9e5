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

#include "Entry/CommandLine.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <limits>
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

  int32_t n = 8;
  int64_t big = 0;
  float single = 0;
  double epsilon = 1e-5;
  uint8_t verbose = 0;
  const char *name = "";
  uint8_t given[6] = {};
  zrt_config configs[6] = {
      {"n", ZRT_I32, 0, &n, &given[0], "8", "size of the problem"},
      {"big", ZRT_I64, 0, &big, &given[1], "0", ""},
      {"single", ZRT_F32, 0, &single, &given[2], "0.0", ""},
      {"epsilon", ZRT_F64, 0, &epsilon, &given[3], "1e-5", "where to stop"},
      {"verbose", ZRT_BOOL, 0, &verbose, &given[4], "false", ""},
      {"name", ZRT_STR, 0, &name, &given[5], "\"\"", ""}};
  zrt_program program = {"prog", "", "", configs, 6, nullptr, nullptr};
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

TEST_F(CommandLineTest, ConfigVariablesOfAllTypesAreSetAndMarked) {
  EXPECT_EQ(
      parse({"-sn=0x10", "--big=-9223372036854775808", "-s", "epsilon=1.e-3",
             "--verbose=true", "--single=.5", "--name=a=b c"}),
      "");
  EXPECT_EQ(n, 16);
  EXPECT_EQ(big, std::numeric_limits<int64_t>::min());
  EXPECT_EQ(epsilon, 1e-3);
  EXPECT_EQ(single, 0.5f);
  EXPECT_EQ(verbose, 1);
  EXPECT_STREQ(name, "a=b c");
  for (uint8_t one : given)
    EXPECT_EQ(one, 1);
}

TEST_F(CommandLineTest, LaterValuesGoBeforeEarlierOnes) {
  EXPECT_EQ(parse({"-sn=1", "--n=2", "-p3", "-p5"}), "");
  EXPECT_EQ(n, 2);
  EXPECT_EQ(line.grid.processors, 5);
}

TEST_F(CommandLineTest, MalformedValuesAreRefusedAndNothingIsSet) {
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
  EXPECT_EQ(n, 8);
  EXPECT_EQ(epsilon, 1e-5);
  EXPECT_EQ(given[0], 0);
}

TEST_F(CommandLineTest, ValuesMustFitTheirType) {
  EXPECT_EQ(parse({"-sn=2147483647"}), "");
  EXPECT_EQ(parse({"-sn=-2147483648"}), "");
  EXPECT_EQ(n, std::numeric_limits<int32_t>::min());
  for (const char *text :
       {"n=2147483648", "n=-2147483649", "n=0xffffffff",
        "big=9223372036854775808", "n=99999999999999999999999", "epsilon=1e999",
        "single=1e39", "epsilon=-1e400"})
    EXPECT_NE(parse({"-s", text}).find("does not fit"), std::string::npos)
        << text;
  EXPECT_EQ(parse({"-sepsilon=1e-999"}), "");
  EXPECT_EQ(epsilon, 0);
}

TEST_F(CommandLineTest, UnknownNamesListTheKnownOnes) {
  std::string message = "unknown config variable 'm'; this program has: n, "
                        "big, single, epsilon, verbose, name";
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

TEST_F(CommandLineTest, FilesHoldAssignments) {
  std::string file = testing::TempDir() + "zrt-command-line-test.conf";
  std::ofstream(file) << "n=5\n  epsilon=0.25\tverbose=true\n";
  EXPECT_EQ(parse({"-f" + file}), "");
  EXPECT_EQ(n, 5);
  EXPECT_EQ(epsilon, 0.25);
  std::ofstream(file) << "n 5";
  EXPECT_EQ(parse({"-f", file}), "in '" + file + "': 'n' is not NAME=VALUE");
  std::remove(file.c_str());
  EXPECT_EQ(parse({"-f" + file}),
            "cannot read '" + file + "': No such file or directory");
}

TEST_F(CommandLineTest, HelpListsConfigVariablesInColumns) {
  std::string text = helpText("prog", program);
  EXPECT_NE(text.find("  n        integer  8      size of the problem\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("  epsilon  double   1e-5   where to stop\n"),
            std::string::npos);
  EXPECT_NE(text.find("  verbose  boolean  false\n"), std::string::npos);
}

} // namespace
