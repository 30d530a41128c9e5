//===- main.cpp - The ZPL compiler ----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "zpl/Driver/Driver.h"
#include "llvm/Support/InitLLVM.h"

int main(int argc, char **argv) {
  llvm::InitLLVM setUp(argc, argv);
  return zpl::compilerMain(llvm::ArrayRef(argv, argc));
}
