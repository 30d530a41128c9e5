//===- FileNamesTest.cpp - Names of files and what is in tables -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names are taken apart at the colon after a known ending only; the parts of
// stores have records, dimensions and attributes; tables give back what was
// written, and say where something else is.
//
//===----------------------------------------------------------------------===//

#include "Formats/CsvTable.h"
#include "Formats/FileStore.h"
#include "Formats/Film.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace zrt;

TEST(FileNames, TheColonAfterAnEndingEndsThePath) {
  FileName name = parseFileName("a:b/out.h5:/g/T:x@unit");
  EXPECT_EQ(name.path, "a:b/out.h5");
  EXPECT_EQ(name.part, "/g/T:x@unit");
  EXPECT_EQ(name.kind, FileKind::Store);
  EXPECT_EQ(parseFileName("a.npy:fortran").kind, FileKind::Numpy);
  EXPECT_EQ(parseFileName("film.apng:25").part, "25");
}

TEST(FileNames, OtherColonsBelongToThePath) {
  for (const char *text : {"12:30.txt", "a.png:x", "h5:x", ".h", ""}) {
    FileName name = parseFileName(text);
    EXPECT_EQ(name.path, text);
    EXPECT_EQ(name.kind, FileKind::Plain) << text;
  }
}

TEST(StoreNames, HaveRecordsDimensionsAndAttributes) {
  StorePart part;
  EXPECT_EQ(parseStorePart("T[*](time, lat ,lon)", part), "");
  EXPECT_EQ(part.name, "T");
  EXPECT_EQ(part.record, StorePart::Next);
  EXPECT_EQ(part.dimensions, (std::vector<std::string>{"time", "lat", "lon"}));
  StorePart attribute;
  EXPECT_EQ(parseStorePart("/g/T@unit", attribute), "");
  EXPECT_EQ(attribute.name, "/g/T");
  EXPECT_EQ(attribute.attribute, "unit");
  StorePart record;
  EXPECT_EQ(parseStorePart("T[12]", record), "");
  EXPECT_EQ(record.record, 12);
}

TEST(StoreNames, WhatIsWrongIsSaid) {
  for (const char *text : {"T[0]", "T[x]", "T[-1]", "T[]", "T(a,,b)", "T()",
                           "T@", "T[99999999999999999999]"}) {
    StorePart part;
    EXPECT_NE(parseStorePart(text, part), "") << text;
  }
}

static std::string problem(std::string text) {
  CsvTable table;
  return table.parse(std::move(text));
}

TEST(Tables, TakeLinesNamesAndQuotes) {
  CsvTable table;
  ASSERT_EQ(table.parse("\xef\xbb\xbf\"a\"\"b\" , c\r\n1,\"2.5\"\r\n\r\n,-3\n"),
            "");
  EXPECT_EQ(table.rows(), 2);
  EXPECT_EQ(table.columns(), 2);
  EXPECT_EQ(table.column("c"), 1);
  double value;
  EXPECT_EQ(table.store(0, 1, Element::F64, reinterpret_cast<char *>(&value)),
            "");
  EXPECT_EQ(value, 2.5);
  EXPECT_EQ(table.store(1, 0, Element::F64, reinterpret_cast<char *>(&value)),
            "");
  EXPECT_TRUE(std::isnan(value));
  int8_t small;
  EXPECT_EQ(table.store(1, 1, Element::I8, reinterpret_cast<char *>(&small)),
            "");
  EXPECT_EQ(small, -3);
  EXPECT_EQ(table.store(0, 1, Element::I8, reinterpret_cast<char *>(&small)),
            "has '2.5' in line 2, column 2, which is no value of type sbyte");
}

TEST(Tables, UnequalLinesAreRefused) {
  EXPECT_EQ(problem("1,2\n3\n"),
            "has 1 fields in line 2, and 2 in those before");
  EXPECT_EQ(problem("1,\"2\n"),
            "has a field without its second quote in line 1");
  EXPECT_EQ(problem(""), "");
}

TEST(Tables, NumbersComeBackToTheLastBit) {
  for (double value : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -0.0}) {
    std::string line;
    appendCsvField(line, Element::F64, reinterpret_cast<const char *>(&value),
                   /*isFirst=*/true);
    CsvTable table;
    ASSERT_EQ(table.parse(line), "");
    double found;
    ASSERT_EQ(table.store(0, 0, Element::F64, reinterpret_cast<char *>(&found)),
              "");
    EXPECT_EQ(found, value);
    EXPECT_EQ(std::signbit(found), std::signbit(value));
  }
}

TEST(Films, RatesAreNumbersFromOneToAThousand) {
  EXPECT_EQ(filmRate(""), 10);
  EXPECT_EQ(filmRate("25"), 25);
  for (const char *text : {"0", "1001", "x", "2 ", "-1"})
    EXPECT_EQ(filmRate(text), -1) << text;
}
