//===- Backend.h - From LLVM IR to object code ------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_BACKEND_BACKEND_H
#define ZPL_BACKEND_BACKEND_H

#include "zpl/Support/Remark.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class Module;
class raw_pwrite_stream;
class Target;
class TargetMachine;
} // namespace llvm

namespace zpl {

struct BackendOptions {
  unsigned optLevel = 0;        ///< 0..3
  std::string march = "native"; ///< "native" or an LLVM processor name
  std::string triple;           ///< empty: this machine
  unsigned vectorBits = 0;      ///< the width of vectors; 0: what LLVM prefers
  unsigned fetchAhead = 0; ///< bytes that loops ask for memory ahead; 0: none
  /// The same of loops that are another way of what asks for none, or for as
  /// many; 0: there are none.
  unsigned wayAhead = 0;
};

/// What the rest of the compiler needs to know of a target.
struct TargetFacts {
  std::string triple;
  std::string dataLayout;
  std::string cpu;
  std::string features; ///< "+avx2,+fma,..."; empty: what the cpu has
  bool hasFma = false;  ///< a fused multiply-add instruction for F32 and F64
  /// The longest vectors that SLEEF's functions of VectorMath.h run on; 0: not
  /// even those on one number do.
  unsigned vectorMathBits = 0;
  /// Features that code for this target may use and the architecture's baseline
  /// lacks, by the names of __builtin_cpu_supports; in a fixed order.
  std::vector<std::string> cpuFeatures;
};

enum class OutputKind { Object, Assembly, Bitcode, LLVMText };

/// A target that code is generated for.
class Backend {
public:
  /// Null if the target or processor is unknown or not supported; then \p error
  /// says so in one line.
  static std::unique_ptr<Backend> create(const BackendOptions &options,
                                         std::string &error);
  ~Backend();

  /// Another one for the same target, for another thread.
  std::unique_ptr<Backend> again() const;

  /// What is known of the target; lives as long as this.
  const TargetFacts &facts() const { return targetFacts; }

  /// Links the functions of a bitcode module for the same target into
  /// \p module; they become internal. False if it is no such module (\p error
  /// says why).
  bool linkBitcode(llvm::Module &module, llvm::StringRef bitcode,
                   std::string &error) const;

  /// Runs LLVM's pipeline of the level on \p module. No floating-point value
  /// changes except where the IR's own flags allow it. The iterations of loops
  /// with an operand `!{!"zpl.lanes", i32 always}` in their !llvm.loop are
  /// independent, and its last index ends it; they may be executed in lanes,
  /// if `always` is 1 wherever that is possible. \p onRemark, if any, is
  /// told whether loops were vectorized, of those with an operand
  /// `!{!"zpl.place", i32 file, i32 begin, i32 end}` in their !llvm.loop.
  void
  optimize(llvm::Module &module,
           llvm::function_ref<void(const Remark &)> onRemark = nullptr) const;

  /// Writes \p module. False if the target cannot (\p error says why); errors
  /// of the stream are the stream's. Object and Assembly change the module.
  bool emit(llvm::Module &module, OutputKind kind,
            llvm::raw_pwrite_stream &stream, std::string &error) const;

private:
  Backend();
  /// Makes the target machine from the options.
  void makeMachine();

  unsigned optLevel = 0, vectorBits = 0, fetchAhead = 0,
           wayAhead = 0; ///< as BackendOptions
  TargetFacts targetFacts;
  const llvm::Target *target = nullptr;
  std::unique_ptr<llvm::TargetMachine> machine;
};

/// Puts \p bytes, what a report shows of the program, into a section of their
/// own of \p module; after `optimize`. Without effect but for ELF.
void addReportSection(llvm::Module &module, llvm::StringRef bytes);

} // namespace zpl

#endif // ZPL_BACKEND_BACKEND_H
