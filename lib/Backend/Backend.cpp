//===- Backend.cpp - From LLVM IR to object code --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A thin layer over LLVM's pass pipeline and target machines. What is decided
// here:
//
//  - `-march=native` is this processor's name and the features that it really
//    has (a virtual machine may hide some); any other name is LLVM's processor
//    model.
//  - Floating point: AllowFPOpFusion is Strict at every level, so the back end
//    never makes one rounding out of two; fused operations are llvm.fma in the
//    IR.
//  - Library functions on vectors are SLEEF's, where CodeGen calls those on one
//    number (VectorMath.cpp).
//  - Vectors have the width, and loops the interleave count, that LLVM chooses
//    for the processor: with the Jacobi program (n = 500, 1000, 2000) on a Zen
//    4 no other choice won at all sizes.
//  - Code is position independent, as Debian's linkers expect.
//
// LLVM takes most of the compilation time: for Jacobi at -O3 some 20 ms in
// passes and 40 ms in instruction selection and what follows it.
//
//===----------------------------------------------------------------------===//

#include "zpl/Backend/Backend.h"
#include "CpuFeatures.h"
#include "FetchAhead.h"
#include "Lanes/Lanes.h"
#include "LongBlocks.h"
#include "LoopStrength.h"
#include "ProcedureTable.h"
#include "Quotients.h"
#include "VectorMath.h"
#include "VectorRemarks.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace llvm;

namespace zpl {

Backend::Backend() = default;
Backend::~Backend() = default;

//===----------------------------------------------------------------------===//
// Targets
//===----------------------------------------------------------------------===//

static bool isHost(const Triple &triple) {
  return triple.getArch() == Triple(sys::getProcessTriple()).getArch();
}

/// Gives an option of LLVM another default.
static void setDefault(StringRef option, StringRef value) {
  StringMap<cl::Option *> &options = cl::getRegisteredOptions();
  auto it = options.find(option);
  if (it != options.end() && it->second->getNumOccurrences() == 0)
    it->second->addOccurrence(1, it->first(), value);
}

/// Leaves out the pass that looks for integers to keep in mask registers: an
/// eighth of the time of the back end for NAS MG, and the same code without it.
/// Whether a row overlaps with what it needs is asked for each row, not for all
/// rows at once: in `A -= (>>[ , k] A) * (>>[k, ] A)` column k lies between the
/// rows of A, and in none of those that are stored.
/// On x86 strength reduction is for few loops (LoopStrength.cpp).
static void setDefaults(const Triple &triple) {
  setDefault("disable-x86-domain-reassignment", "true");
  setDefault("hoist-runtime-checks", "false");
  if (triple.isX86())
    setDefault("disable-lsr", "true");
}

/// Makes the target known to LLVM; all of them only for a foreign one, which
/// takes some milliseconds.
static const Target *findTarget(const Triple &triple, std::string &error) {
  setDefaults(triple);
  if (isHost(triple)) {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
  } else {
    InitializeAllTargetInfos();
    InitializeAllTargets();
    InitializeAllTargetMCs();
    InitializeAllAsmPrinters();
  }
  std::string detail;
  const Target *target =
      TargetRegistry::lookupTarget(triple.getTriple(), detail);
  if (!target)
    error = "unknown target '" + triple.str() + "'";
  return target;
}

/// "+avx2,-sse4a,...": where this machine differs from LLVM's model of its
/// processor, in a fixed order.
static std::string hostFeatures(const MCSubtargetInfo &model) {
  std::vector<std::string> parts;
  for (const auto &feature : sys::getHostCPUFeatures()) {
    std::string name = feature.first().str();
    if (feature.second != model.checkFeatures("+" + name))
      parts.push_back((feature.second ? "+" : "-") + name);
  }
  llvm::sort(parts);
  return join(parts, ",");
}

/// The features without those that are slow. SSE4a moves bits between halves of
/// vectors, in an encoding that is not AVX's: in a loop over vectors of AVX on
/// an AMD EPYC (Zen) each of these instructions took some 50 cycles.
static std::string withoutSlowOnes(std::string features,
                                   const MCSubtargetInfo &processor) {
  if (!processor.checkFeatures("+avx,+sse4a"))
    return features;
  return features + (features.empty() ? "-sse4a" : ",-sse4a");
}

/// Does every processor of the target, or this one, fuse multiply and add?
static bool hasFusedMultiplyAdd(const Triple &triple,
                                const MCSubtargetInfo &processor) {
  if (triple.isX86())
    return processor.checkFeatures("+fma") || processor.checkFeatures("+fma4");
  if (triple.isRISCV())
    return processor.checkFeatures("+d");
  return triple.isAArch64() || triple.isPPC64() || triple.isSystemZ();
}

/// How long vectors of SLEEF's functions with equal bits may be; 0: none runs
/// on every processor of the target.
static unsigned bitsOfVectorMath(const Triple &triple,
                                 const MCSubtargetInfo &processor) {
  if (triple.getArch() != Triple::x86_64 || !triple.isOSLinux() ||
      !processor.checkFeatures("+avx2,+fma"))
    return 0;
  return processor.checkFeatures("+avx512f") ? 512 : 256;
}

static CodeGenOptLevel codeGenLevel(unsigned optLevel) {
  return CodeGenOpt::getLevel(optLevel).value_or(CodeGenOptLevel::Default);
}

/// Processors of graphics cards, kernels' machines: what has no C library, and
/// memory of several kinds.
static bool isSpecialPurpose(const Triple &triple) {
  return triple.isAMDGPU() || triple.isNVPTX() || triple.isBPF() ||
         triple.isSPIRV() || triple.isSPIR() || triple.isDXIL() ||
         triple.isWasm();
}

/// The processor's name for LLVM; `native` elsewhere is one that all are like.
static std::string processorName(StringRef march, const Triple &triple,
                                 const MCSubtargetInfo &any) {
  if (march != "native")
    return march.str();
  if (isHost(triple))
    return sys::getHostCPUName().str();
  return any.isCPUStringValid("generic") ? "generic" : "";
}

/// What LLVM knows of the processor \p march, whose name is given in \p cpu; null
/// with an error if there is no such. Checked before the machine is made: LLVM
/// only warns of an unknown name.
static std::unique_ptr<MCSubtargetInfo>
processorModel(const Target &target, const Triple &triple,
               const std::string &march, std::string &cpu, std::string &error) {
  std::unique_ptr<MCSubtargetInfo> model(
      target.createMCSubtargetInfo(triple.str(), "", ""));
  if (model)
    cpu = processorName(march, triple, *model);
  if (!model || !(cpu.empty() || model->isCPUStringValid(cpu))) {
    error =
        "unknown processor '" + march + "' for target '" + triple.str() + "'";
    return nullptr;
  }
  model.reset(target.createMCSubtargetInfo(triple.str(), cpu, ""));
  return model;
}

std::unique_ptr<Backend> Backend::create(const BackendOptions &options,
                                         std::string &error) {
  Triple triple(Triple::normalize(
      options.triple.empty() ? sys::getProcessTriple() : options.triple));
  const Target *target = findTarget(triple, error);
  if (!target)
    return nullptr;

  if (isSpecialPurpose(triple)) {
    error = "target '" + triple.str() +
            "' is not supported: it is no machine "
            "for programs of their own";
    return nullptr;
  }
  std::string cpu;
  std::unique_ptr<MCSubtargetInfo> model =
      processorModel(*target, triple, options.march, cpu, error);
  if (!model)
    return nullptr;

  std::unique_ptr<Backend> backend(new Backend);
  backend->optLevel = options.optLevel;
  backend->vectorBits = options.vectorBits;
  backend->fetchAhead = options.fetchAhead;
  backend->wayAhead = options.wayAhead;
  TargetFacts &facts = backend->targetFacts;
  facts.triple = triple.str();
  facts.cpu = cpu;
  if (options.march == "native" && isHost(triple))
    facts.features = hostFeatures(*model);
  facts.features = withoutSlowOnes(facts.features, *model);
  backend->target = target;
  backend->makeMachine();
  DataLayout layout = backend->machine->createDataLayout();
  if (layout.getPointerSizeInBits() != 64) {
    error = "target '" + facts.triple + "' is not supported: zplc needs " +
            "64-bit addresses";
    return nullptr;
  }
  facts.dataLayout = layout.getStringRepresentation();
  const MCSubtargetInfo &processor = *backend->machine->getMCSubtargetInfo();
  facts.hasFma = hasFusedMultiplyAdd(triple, processor);
  facts.vectorMathBits = bitsOfVectorMath(triple, processor);
  facts.cpuFeatures = featuresToCheck(triple, processor);
  return backend;
}

void Backend::makeMachine() {
  TargetOptions options;
  options.AllowFPOpFusion = FPOpFusion::Strict;
  machine.reset(target->createTargetMachine(
      targetFacts.triple, targetFacts.cpu, targetFacts.features, options,
      Reloc::PIC_, std::nullopt, codeGenLevel(optLevel)));
}

std::unique_ptr<Backend> Backend::again() const {
  std::unique_ptr<Backend> result(new Backend);
  result->optLevel = optLevel;
  result->vectorBits = vectorBits;
  result->fetchAhead = fetchAhead;
  result->wayAhead = wayAhead;
  result->targetFacts = targetFacts;
  result->target = target;
  result->makeMachine();
  return result;
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

static OptimizationLevel passLevel(unsigned optLevel) {
  switch (optLevel) {
  case 0:
    return OptimizationLevel::O0;
  case 1:
    return OptimizationLevel::O1;
  case 2:
    return OptimizationLevel::O2;
  default: // 3
    return OptimizationLevel::O3;
  }
}

/// Whether \p declared is a procedure of the program that C calls.
static bool isDefinedIn(const llvm::Module &module, const Function &declared) {
  const Function *defined = module.getFunction(declared.getName());
  return defined && !defined->isDeclaration() &&
         declared.getName().starts_with("zplx_");
}

/// A thunk, or the function of C's types in front of a procedure that C calls.
static bool isOfThunk(const Function &defined) {
  return defined.hasExternalLinkage() || defined.getName().starts_with("zplx_");
}

bool Backend::linkBitcode(llvm::Module &module, StringRef bitcode,
                          std::string &error) const {
  Expected<std::unique_ptr<llvm::Module>> other =
      parseBitcodeFile(MemoryBufferRef(bitcode, "thunks"), module.getContext());
  if (!other) {
    error = toString(other.takeError());
    return false;
  }
  std::vector<std::string> names;
  for (const Function &function : **other)
    if (function.isDeclaration() ? isDefinedIn(module, function)
                                 : isOfThunk(function))
      names.push_back(function.getName().str());
  if (Linker::linkModules(module, std::move(*other))) {
    error = "C thunks do not link with the program";
    return false;
  }
  for (const std::string &name : names)
    module.getFunction(name)->setLinkage(GlobalValue::InternalLinkage);
  // Thunks of calls that nothing reaches may want procedures that are not here.
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string &name : names)
      if (Function *function = module.getFunction(name);
          function && function->use_empty()) {
        function->eraseFromParent();
        changed = true;
      }
  }
  return true;
}

/// The passes of this backend, at the places where LLVM's pipeline lets others
/// join in.
static void addOwnPasses(PassBuilder &builder, const FetchAheadPass &fetch,
                         bool fetches, bool vectorizes) {
  if (fetches)
    builder.registerOptimizerLastEPCallback(
        [pass = fetch](ModulePassManager &last, OptimizationLevel) {
          last.addPass(createModuleToFunctionPassAdaptor(FetchAheadPass(pass)));
        });
  builder.registerPipelineStartEPCallback(
      [](ModulePassManager &first, OptimizationLevel atLevel) {
        if (atLevel != OptimizationLevel::O0)
          first.addPass(LongBlocksPass());
      });
  if (vectorizes) {
    builder.registerPipelineStartEPCallback(
        [](ModulePassManager &first, OptimizationLevel) {
          first.addPass(LaneCallsPass());
        });
    builder.registerVectorizerStartEPCallback(
        [](FunctionPassManager &passes, OptimizationLevel) {
          passes.addPass(LanesPass());
          passes.addPass(VectorMathLoopsPass());
        });
  }
  builder.registerOptimizerLastEPCallback(
      [](ModulePassManager &last, OptimizationLevel level) {
        last.addPass(InlineQuotientsPass(level != OptimizationLevel::O0));
        last.addPass(DropVectorMathPass());
      });
}

void Backend::optimize(llvm::Module &module,
                       function_ref<void(const Remark &)> onRemark) const {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = optLevel >= 2;
  tuning.LoopInterleaving = optLevel >= 2;
  tuning.SLPVectorization = optLevel >= 2;
  PassBuilder builder(machine.get(), tuning);
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  if (vectorBits != 0)
    for (Function &function : module)
      if (!function.isDeclaration())
        function.addFnAttr("prefer-vector-width", std::to_string(vectorBits));
  if (tuning.LoopVectorization) {
    addVectorQuotients(module);
    addVectorMath(module, targetFacts.vectorMathBits);
  }
  addOwnPasses(builder, FetchAheadPass(fetchAhead, wayAhead),
               fetchAhead || wayAhead, tuning.LoopVectorization);
  OptimizationLevel level = passLevel(optLevel);
  ModulePassManager passes = level == OptimizationLevel::O0
                                 ? builder.buildO0DefaultPipeline(level)
                                 : builder.buildPerModuleDefaultPipeline(level);
  auto run = [&] { passes.run(module, modules); };
  if (onRemark)
    runWithVectorRemarks(module, tuning.LoopVectorization, run, onRemark);
  else
    run();
}

bool Backend::emit(llvm::Module &module, OutputKind kind,
                   raw_pwrite_stream &stream, std::string &error) const {
  if (kind == OutputKind::LLVMText) {
    module.print(stream, nullptr);
    return true;
  }
  if (kind == OutputKind::Bitcode) {
    WriteBitcodeToFile(module, stream);
    return true;
  }
  addProcedureTable(module);
  if (optLevel > 0 && machine->getTargetTriple().isX86())
    reduceScalarLoops(module, *machine);
  // Instruction selection still runs under the old pass manager.
  legacy::PassManager passes;
  CodeGenFileType type = kind == OutputKind::Object
                             ? CodeGenFileType::ObjectFile
                             : CodeGenFileType::AssemblyFile;
  if (machine->addPassesToEmitFile(passes, stream, nullptr, type)) {
    error = "target '" + targetFacts.triple + "' cannot write such a file";
    return false;
  }
  passes.run(module);
  return true;
}

} // namespace zpl
