//===- ReportSection.cpp - Facts for reports in the program ---------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     @zpl.report = internal constant [N x i8] c"zpl-report 2\0A...",
//                   section "zpl_report", align 1
//
// The section's name is a word of C, so the linker gives its two ends symbols,
// which the runtime asks for weakly: programs without it have none. Nobody
// reads it but who asks for --report, so it costs no time and its pages are
// never loaded.
//
//===----------------------------------------------------------------------===//

#include "zpl/Backend/Backend.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

using namespace llvm;

namespace zpl {

void addReportSection(Module &module, StringRef bytes) {
  if (!Triple(module.getTargetTriple()).isOSBinFormatELF())
    return;
  Constant *data = ConstantDataArray::getString(module.getContext(), bytes,
                                                /*AddNull=*/false);
  auto *variable = new GlobalVariable(
      module, data->getType(),
      /*isConstant=*/true, GlobalValue::InternalLinkage, data, "zpl.report");
  variable->setSection("zpl_report");
  variable->setAlignment(Align(1));
  appendToCompilerUsed(module, {variable});
}

} // namespace zpl
