//===- StandardTest.cpp - Predeclared functions in words ------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every predeclared function has words that say what it takes and gives, with
// as many parameters as it takes at least.
//
//===----------------------------------------------------------------------===//

#include "zpl/Sema/Standard.h"
#include "StandardText.h"
#include <gtest/gtest.h>

using namespace zpl;

TEST(Standard, EveryFunctionHasWords) {
  for (const sema::StandardName &row : sema::standardNames()) {
    std::optional<editor::StandardText> text = editor::standardText(row.name);
    ASSERT_TRUE(text.has_value()) << row.name.str();
    if (!row.isFunction)
      continue;
    EXPECT_FALSE(text->what.empty()) << row.name.str();
    size_t parameters =
        text->parameters.empty() ? 0 : text->parameters.count(',') + 1;
    EXPECT_GE(parameters, row.least) << row.name.str();
  }
  EXPECT_FALSE(editor::standardText("jacobi").has_value());
}
