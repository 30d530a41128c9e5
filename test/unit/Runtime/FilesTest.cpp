//===- FilesTest.cpp - File statements on every transport -----------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whatever the number of processors and the transport, files get the same bytes
// and the same values are read from them; errors of the system and of the input
// end the run once, with the reason, the place and status 1; memory is bounded.
//
//===----------------------------------------------------------------------===//

#include "Shell.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <png.h>
#include <string>
#include <sys/resource.h>
#include <unistd.h>
#include <vector>

namespace {

const std::string Program = ZRT_TEST_FILES;
/// Runs a shell command for at most half a minute.
Result runWithErrors(const std::string &command) {
  return shell("exec 2>&1; timeout 30 bash -c '" + command + "'");
}

std::string contents(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Files : public testing::Test {
protected:
  void SetUp() override {
    char name[] = "/tmp/zrt-files-XXXXXX";
    ASSERT_TRUE(mkdtemp(name));
    folder = name;
  }
  void TearDown() override { runWithErrors("rm -r " + folder); }

  std::string path(const std::string &name) const {
    return folder + "/" + name;
  }
  void store(const std::string &name, const std::string &text) {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  static std::string command(const std::string &task, const std::string &file) {
    return Program + " --task=" + task + " --path=" + file;
  }

  /// Ways to start \p task, all with the same result.
  std::vector<std::string> starts(const std::string &task,
                                  const std::string &file) const {
    std::vector<std::string> all;
    for (const char *grid : {"", " -p2", " -p3", " -p4", " -p4 -r1", " -p6"})
      all.push_back(command(task, file) + grid);
    if (!Mpiexec.empty())
      for (const char *count : {"2", "3"})
        all.push_back(Mpiexec + " -n " + count + " " + command(task, file));
    return all;
  }

  /// All ways to run \p task print and write the same bytes.
  void expectSameBytes(const std::string &task, const std::string &file) {
    std::string output, written;
    for (const std::string &start : starts(task, path(file))) {
      Result result = runWithErrors(start);
      EXPECT_EQ(result.status, 0) << start << ": " << result.output;
      if (written.empty()) {
        output = result.output;
        written = contents(path(file));
        ASSERT_FALSE(written.empty());
      }
      EXPECT_TRUE(result.output == output) << start;
      EXPECT_TRUE(contents(path(file)) == written) << start;
    }
    last = output;
  }

  /// All ways to run \p task end with that message and status 1.
  void expectError(const std::string &task, const std::string &file,
                   const std::string &message) {
    for (const std::string &start : starts(task, file)) {
      Result result = runWithErrors(start + " 2>&1 </dev/null");
      EXPECT_EQ(result.status, 1) << start;
      EXPECT_NE(result.output.find(": files.z:20:3: error: " + message + "\n"),
                std::string::npos)
          << start << ": " << result.output;
      EXPECT_EQ(result.output.find("error: "), result.output.rfind("error: "))
          << "one message: " << result.output;
    }
  }

  std::string folder, last;
};

TEST_F(Files, ArraysOfAllTypesAreWrittenAndReadBack) {
  expectSameBytes("round", "round");
  EXPECT_NE(last.find("\n0 mistakes\n"), std::string::npos);
}

TEST_F(Files, StridedAndFloodedArraysAreWrittenAndReadBack) {
  expectSameBytes("shapes", "shapes");
  EXPECT_NE(last.find("\n0 mistakes\n"), std::string::npos);
  // [1..14 by 2, 1..7]: rows of 7; a flooded dimension counts as one index
  EXPECT_EQ(last.substr(0, 7 * 10 + 1),
            "  -3.0000   -2.0000   -1.0000    0.0000    1.0000    2.0000 "
            "   3.0000 \n");
  expectSameBytes("parts", "parts");
  EXPECT_EQ(last, "0 mistakes\n");
}

TEST_F(Files, LargeArraysAreWrittenAndReadBack) {
  expectSameBytes("large", "large");
  EXPECT_NE(last.find("\n0 mistakes\n"), std::string::npos);
}

TEST_F(Files, NumpyArraysAreWrittenAndReadBack) {
  expectSameBytes("numpy", "a.npy");
  EXPECT_EQ(last, "0 mistakes\n");
}

TEST_F(Files, ProceduresReadAndWriteElements) {
  expectSameBytes("procedures", "elements");
  EXPECT_EQ(contents(path("elements")).substr(0, 30),
            "[0][1][4]\n[9][16][25]\n[36][49]");
}

TEST_F(Files, PicturesAreReadBackByLibpng) {
  expectSameBytes("picture", "a.png");
  png_image image = {};
  image.version = PNG_IMAGE_VERSION;
  ASSERT_TRUE(png_image_begin_read_from_file(&image, path("a.png").c_str()));
  EXPECT_EQ(image.width, 8u);
  EXPECT_EQ(image.height, 7u);
  image.format = PNG_FORMAT_RGB;
  std::vector<uint8_t> pixels(PNG_IMAGE_SIZE(image));
  ASSERT_TRUE(
      png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr));
  auto brightness = [&](size_t k) {
    return 2 * pixels[3 * k] + 5 * pixels[3 * k + 1] + pixels[3 * k + 2];
  };
  EXPECT_EQ(pixels[3 * 3], pixels[3 * 3 + 1]) << "NaN is grey";
  EXPECT_LT(brightness(0), 200);
  EXPECT_GT(brightness(55), 1600);
  for (size_t k = 5; k < 56; ++k)
    EXPECT_GE(brightness(k), brightness(k - 1));
}

TEST_F(Files, StringsThatAreReadAreTheSameEverywhere) {
  store("words", "a bc  def\ng h i jj k lmn \n");
  for (const std::string &start : starts("words", path("words")))
    EXPECT_EQ(runWithErrors(start).output, "k lmn <a><bc><def><g><h><i><jj>\n")
        << start;
}

TEST_F(Files, StandardInputIsReadNumberByNumber) {
  std::string numbers = "printf \"3 4\\n -9 \\n\" | ";
  for (const std::string &start : starts("sum", path("none")))
    EXPECT_EQ(runWithErrors(numbers + start).output,
              "numbers? so far 3\nso far 7\nso far -2\n")
        << start;
  // The question and the first sum are out before the second number comes.
  Result result = runWithErrors(
      "mkfifo " + path("to") + " " + path("from") + "; " +
      command("sum", "none") + " -p2 <" + path("to") + " >" + path("from") +
      " & exec 3>" + path("to") + " 4<" + path("from") +
      "; read -u4 -d? question; echo 5 >&3; read -u4 answer; "
      "echo \"$question/$answer\"; exec 3>&-; cat <&4");
  EXPECT_EQ(result.output.substr(0, 19), "numbers/so far 5\n") << result.output;
}

TEST_F(Files, PipesCarryBinaryArrays) {
  std::string data(350 * 281 * 8, 0);
  for (size_t k = 0; k < data.size(); ++k)
    data[k] = static_cast<char>(k * 7 % 61);
  store("in", data);
  for (const char *grid : {"", " -p3", " -p4"}) {
    runWithErrors("cat " + path("in") + " | " + command("filter", "none") +
                  grid + " | cat >" + path("out"));
    EXPECT_TRUE(contents(path("out")) == data) << grid;
    runWithErrors(command("filter", "none") + grid + " <" + path("in") + " >" +
                  path("out"));
    EXPECT_TRUE(contents(path("out")) == data) << grid;
  }
}

TEST_F(Files, FilesThatCannotBeUsedAreErrorsWhenTheyAreUsed) {
  std::string none = path("none");
  EXPECT_EQ(runWithErrors(command("missing", none)).output.substr(0, 5),
            "null\n");
  expectError("missing", none,
              "cannot open "
              "\x27" +
                  none + "\x27: No such file or directory");
  expectError("missing", folder,
              "cannot open \x27" + folder + "\x27: Is a directory");
  expectError("closed", path("c"), "\x27" + path("c") + "\x27 was closed");
  expectError("reversed", path("c"),
              "cannot write to \x27" + path("c") +
                  "\x27: it is open for reading");
}

TEST_F(Files, InputThatDoesNotFitNamesPlaceExpectedAndFound) {
  std::string name = "\x27" + path("in") + "\x27";
  store("in", "1 2 3\n4 abc");
  expectError("integers", path("in"),
              name + ", line 2, column 3: expected integer, found \"abc\"");
  store("in", "1 2 3 4 5 6\n");
  expectError("integers", path("in"),
              name + ", line 2, column 1: expected integer, found the end of "
                     "the file");
  store("in", "1 2 99999999999 4 5 6 7");
  expectError("integers", path("in"),
              name + ", line 1, column 5: 99999999999 does not fit integer");
  store("in", std::string(100, 'x'));
  expectError("short", path("in"),
              name + " ends after 100 of 392 bytes to be read");
}

TEST_F(Files, NumpyFilesThatDoNotFitSayWhatDiffers) {
  runWithErrors(command("numpy", path("a.npy")));
  expectError("numpy-wrong", path("a.npy"),
              "\x27" + path("a.npy") +
                  "\x27 has elements \x27<f8\x27, but those of type integer "
                  "are \x27<i4\x27");
}

TEST_F(Files, FullDisksAndClosedPipesAreErrors) {
  for (const char *task : {"many-numbers", "many-bytes"})
    expectError(task, "/dev/full",
                "cannot write to \x27/dev/full\x27: No space left on device");
  for (const char *grid : {"", " -p3"}) {
    Result result =
        runWithErrors("set -o pipefail; " + command("large", path("x")) + grid +
                      " | head -c 10 >/dev/null");
    EXPECT_EQ(result.status, 1);
    EXPECT_NE(
        result.output.find("cannot write to standard output: Broken pipe"),
        std::string::npos)
        << result.output;
  }
}

TEST_F(Files, AFileThatMayNotGrowIsAnErrorOnAllProcessors) {
  // Not on shm: the limit would hold for its shared memory, too.
  std::vector<std::string> launchers = {""};
  if (!Mpiexec.empty())
    launchers.push_back(Mpiexec + " -n 3 ");
  for (const std::string &launcher : launchers)
    for (const char *task : {"many-numbers", "many-bytes"}) {
      Result result = runWithErrors(launcher + "bash -c \"ulimit -f 12000; " +
                                    "trap \\\"\\\" XFSZ; exec " +
                                    command(task, path("x")) + "\"");
      EXPECT_EQ(result.status, 1);
      EXPECT_NE(result.output.find("File too large"), std::string::npos)
          << launcher << task << result.output;
    }
}

/// The most memory that a process of the command used, in KiB.
long peakMemory(const std::string &command) {
  Result result =
      runWithErrors("/usr/bin/env python3 -c \"import resource,subprocess,sys;"
                    "s=subprocess.call(sys.argv[1:]);"
                    "print(resource.getrusage("
                    "resource.RUSAGE_CHILDREN).ru_maxrss if s==0 else -1)\" " +
                    command);
  return std::stol(result.output);
}

TEST_F(Files, StatementsUseBoundedMemory) {
  if (UnderAddressSanitizer)
    GTEST_SKIP() << "which needs memory itself";
  // An array of 63 MB; its processor and half of it in each of two.
  for (const char *task : {"many-numbers", "many-bytes"}) {
    std::string large = command(task, path("x")) + " --n=14";
    EXPECT_LT(peakMemory(large), (63 + 16) * 1024) << task;
    EXPECT_LT(peakMemory(large + " --transport=shm -p2"), (63 + 24) * 1024)
        << task;
  }
}

} // namespace
