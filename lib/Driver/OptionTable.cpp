//===- OptionTable.cpp - The options of Options.td ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The table that LLVM's option library reads command lines by, as llvm-tblgen
/// generates it: rows of texts and numbers, no code.
///
//===----------------------------------------------------------------------===//

#include "OptionTable.h"

using namespace llvm;

namespace zpl::driver {

namespace {

#define PREFIX(NAME, VALUE)                                                    \
  constexpr StringLiteral NAME##_init[] = VALUE;                               \
  constexpr ArrayRef<StringLiteral> NAME(NAME##_init,                          \
                                         std::size(NAME##_init) - 1);
#include "Options.inc"
#undef PREFIX

constexpr opt::OptTable::Info InfoTable[] = {
#define OPTION(...) LLVM_CONSTRUCT_OPT_INFO(__VA_ARGS__),
#include "Options.inc"
#undef OPTION
};

} // namespace

OptionTable::OptionTable() : GenericOptTable(InfoTable) {
  setDashDashParsing(true);
}

} // namespace zpl::driver
