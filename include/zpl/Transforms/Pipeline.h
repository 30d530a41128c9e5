//===- Pipeline.h - Running the passes --------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_TRANSFORMS_PIPELINE_H
#define ZPL_TRANSFORMS_PIPELINE_H

#include "zpl/Transforms/PassContext.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>
#include <vector>

namespace zpl::air {

/// One line of Passes.def.
struct PassInfo {
  llvm::StringRef name;
  llvm::StringRef summary;
  void (*run)(Module &, PassContext &);
  Form from, to;
  bool isOptional;
};

/// In the order of the pipeline.
llvm::ArrayRef<PassInfo> allPasses();
/// Null if there is none of that name.
const PassInfo *findPass(llvm::StringRef name);

struct PipelineOptions {
  bool optimize = true;             ///< false: required passes only
  std::vector<std::string> without; ///< names of optional passes

  /// Do these options let the pass run?
  bool runs(const PassInfo &pass) const;
};

/// Runs one pass and verifies its result. False if the module is not in the
/// form that the pass takes or is broken afterwards: context.error says why.
/// That is a mistake of the compiler (or of who wrote the text form), never of
/// a ZPL program.
bool runPass(const PassInfo &pass, Module &module, PassContext &context);

/// Verifies \p module, which is in Block form as ArrayGen makes it, and runs
/// all passes in their order: Loop form with walkers, ready for CodeGen. False
/// as runPass.
bool runPipeline(Module &module, const PipelineOptions &options,
                 PassContext &context);

} // namespace zpl::air

#endif // ZPL_TRANSFORMS_PIPELINE_H
