//===- CodeGen.cpp - From the array IR to LLVM IR -------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The module level. A program
//
//   program jacobi;  config var n : integer = 100;
//   region R = [1..n, 1..n];  var A : [R] double;  procedure jacobi(); ...
//
// becomes
//
//   @zpl.n = internal global i32 0          and a row of the config table
//   @zpl.R = internal global %zrt_region { "R", 2, ... }
//   @zpl.A = internal global %zrt_array zeroinitializer
//   define internal void @zpl.jacobi() { ... }
//   @zpl.program = %zrt_program { "jacobi", configs, @zpl.init, @zpl.jacobi }
//   define i32 @main(i32, ptr) { call @zrtA_main(..., @zpl.program) }
//
// Everything of the user's has internal linkage and a prefix with a dot, so
// that no ZPL name meets one of the C library's. In order:
//
//   1. the target: triple, data layout, and the layouts of Abi.h under it;
//   2. globals, and the signatures of all procedures (they may call each other
//      in any order);
//   3. bodies (lowerBody);
//   4. the descriptor and main.
//
// Strings, locations and tables of numbers are made once per content. The cost
// is linear in the size of the array IR: about a millisecond for Jacobi.
//
//===----------------------------------------------------------------------===//

#include "zpl/CodeGen/CodeGen.h"
#include "DebugInfo.h"
#include "FixedDomains.h"
#include "Function/Callbacks.h"
#include "Function/FunctionLowering.h"
#include "ModuleLowering.h"
#include "Recursion.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace zpl::codegen {

std::unique_ptr<llvm::Module> ModuleLowering::run() {
  addGlobals();
  for (const air::Procedure *procedure : source.procedures) {
    addTransfers(procedure);
    declare(procedure);
  }
  for (const air::Procedure *procedure : source.procedures)
    if (procedure->thunk.empty())
      lowerBody(FunctionState(*this, *procedure, function(procedure)));
    else
      addCallbacks(*this, *procedure);
  addMain();
  markFixedDomains(*module,
                   source.initialize ? function(source.initialize) : nullptr);
  keepRecursion(*module);
  if (debug)
    debug->finish();
  return std::move(module);
}

} // namespace zpl::codegen

unsigned zpl::abiRevision() { return ZRT_ABI_REVISION; }

std::unique_ptr<llvm::Module> zpl::lowerToLLVM(const air::Module &module,
                                               LLVMContext &context,
                                               const CodeGenOptions &options) {
  std::unique_ptr<llvm::Module> result =
      codegen::ModuleLowering(module, context, options).run();
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(*result, &stream))
    report_fatal_error("CodeGen made invalid LLVM IR: " + Twine(message));
  return result;
}
