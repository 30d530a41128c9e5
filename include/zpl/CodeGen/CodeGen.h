//===- CodeGen.h - From the array IR to LLVM IR -----------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_CODEGEN_CODEGEN_H
#define ZPL_CODEGEN_CODEGEN_H

#include "zpl/Support/Figures.h"
#include "zpl/Support/RunTimeChecks.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
class raw_ostream;
} // namespace llvm

namespace zpl {

class SourceManager;

namespace air {
class Module;
}

/// Which loops of each index are executed on vectors of indices (Backend.h).
enum class LaneUse : uint8_t { Never, Paying, Always };

/// What programs do about M-loops that have several ways (docs/Tuning.md), in
/// the order of enum zrt_tuning; None: there are none.
enum class Tuning : uint8_t { None, Off, Models, Run };

/// What CodeGen must know beside the program.
struct CodeGenOptions {
  /// For line numbers in messages, block names and debug info; may be null
  /// (then all places are unknown).
  const SourceManager *sources = nullptr;

  // The target, as the back end describes it.
  std::string triple;
  std::string dataLayout; ///< pointers have 64 bits
  std::string cpu;        ///< LLVM's processor name; empty: generic
  std::string features;   ///< "+avx2,+fma,..."; may be empty
  /// Products that are operands of sums are not rounded before: the processor
  /// can, and the user wants it (docs/Rounding.md).
  bool fusesMultiplyAdd = false;
  /// Functions of VectorMath.h are SLEEF's, which the target runs and the link
  /// finds; else all are the C library's.
  bool usesVectorMath = false;
  /// Processor features that the program checks at its start, by the names of
  /// Abi.h, zrt_program::cpu_features.
  std::vector<std::string> cpuFeatures;

  /// Of the machine that the program is for.
  Figures figures;
  /// The same of the runtime, as text; zrt_program::figures.
  std::string runFigures;

  bool debugInfo = false;
  /// Innermost loops of M-loops say where their first statement is, for remarks
  /// (Backend.h).
  bool placesOfLoops = false;
  bool countWork = false; ///< -fcount-work
  LaneUse lanes = LaneUse::Paying;
  /// How many iterations M-loops with time steps execute on one processor; 0:
  /// as many as pay.
  unsigned timeSteps = 0;
  /// How many rows strips of loops have; 0: as the run finds best.
  unsigned stripRows = 0;
  Tuning tuning = Tuning::None; ///< --tune; what MLoopStmt::ways are for
  RunTimeChecks checks;         ///< -fcheck
  /// Where the plan of each M-loop is printed; null: nowhere.
  llvm::raw_ostream *loopPlans = nullptr;
  /// 0..3. Only marks functions (optnone is not used: all levels compute the
  /// same values from the same IR) and the compile unit of debug info.
  unsigned optLevel = 0;
  std::string pluginDir; ///< where the transports are; zrt_program::plugin_dir
  /// debugInfo: the script that gdb loads with the program; empty: none.
  std::string gdbScript;
};

/// The revision of the interface to the runtime that programs are compiled for:
/// ZRT_ABI_REVISION.
unsigned abiRevision();

/// Lowers \p module, which is in Loop form with materialized walkers, to an
/// LLVM module that defines `main` and needs libzrt, libm and, if it names
/// functions of it, libsleef to link.
///
/// The result has passed LLVM's verifier; a failure there is a mistake of ours
/// and ends the compiler with the verifier's message.
std::unique_ptr<llvm::Module> lowerToLLVM(const air::Module &module,
                                          llvm::LLVMContext &context,
                                          const CodeGenOptions &options);

} // namespace zpl

#endif // ZPL_CODEGEN_CODEGEN_H
