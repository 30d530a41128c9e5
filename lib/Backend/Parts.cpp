//===- Parts.cpp - A program compiled in parts at the same time -----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM works on a module with one thread, and for a long program it takes nine
// tenths of the compiler's time. So the functions of a long program are dealt
// out to parts, which are optimized and emitted side by side:
//
//     part 0   all variables        mg, resid, ...     insert (a copy)
//     part 1   declarations of them interp, rprj3      insert (a copy)
//
//  - Large functions go, largest first, to the part that has least so far.
//  - Small functions of the program's own (what LLVM would inline) and private
//    constants are copied into each part; what a part does not use LLVM
//    removes.
//  - What one part defines and others may use becomes a hidden external symbol.
//    Its name begins with `zpl.`, as all that CodeGen makes up; what came from
//    C is renamed, so that it meets no name of another C source.
//
// The price is that LLVM sees no large function while it works on one of
// another part; calls between those are of procedures, whose inlining the array
// IR decided already. How a program is split depends on nothing but the
// program, so it is the same on every machine.
//
// A context belongs to one thread: the parts travel as bitcode. For NAS MG
// (18 000 instructions, two cores) splitting takes 30 ms and saves 500.
//
//===----------------------------------------------------------------------===//

#include "zpl/Backend/Parts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include <algorithm>

using namespace llvm;

namespace zpl {

/// Code of fewer instructions is compiled faster in one part.
static constexpr unsigned smallestPart = 3000;
static constexpr unsigned mostParts = 4;

/// Functions of so many instructions at most are copied rather than called in
/// another part.
static constexpr unsigned smallFunction = 100;

unsigned numberOfParts(const Module &module) {
  return std::clamp(module.getInstructionCount() / smallestPart, 1U, mostParts);
}

//===----------------------------------------------------------------------===//
// Who gets what
//===----------------------------------------------------------------------===//

/// May every part have a copy of its own?
static bool isCopied(const GlobalValue &value) {
  if (const auto *function = dyn_cast<Function>(&value))
    return function->hasLocalLinkage() &&
           function->getInstructionCount() <= smallFunction;
  const auto *variable = dyn_cast<GlobalVariable>(&value);
  return variable && variable->hasPrivateLinkage() && variable->isConstant() &&
         variable->hasGlobalUnnamedAddr();
}

/// Large functions and their parts; all else that is not copied is of part 0.
static DenseMap<const GlobalValue *, unsigned> dealOut(Module &module,
                                                       unsigned count) {
  std::vector<std::pair<unsigned, Function *>> functions;
  for (Function &function : module)
    if (!function.isDeclaration() && !isCopied(function))
      functions.emplace_back(function.getInstructionCount(), &function);
  stable_sort(functions, [](const auto &left, const auto &right) {
    return left.first > right.first;
  });
  std::vector<unsigned> sizes(count);
  DenseMap<const GlobalValue *, unsigned> result;
  for (auto [size, function] : functions) {
    auto least = min_element(sizes);
    *least += size;
    result[function] = static_cast<unsigned>(least - sizes.begin());
  }
  return result;
}

/// Lets other parts use what only one of them defines.
static void makeVisible(GlobalValue &value) {
  if (value.isDeclaration() || !value.hasLocalLinkage() || isCopied(value))
    return;
  if (!value.getName().starts_with("zpl."))
    value.setName("zpl." + value.getName());
  value.setLinkage(GlobalValue::ExternalLinkage);
  value.setVisibility(GlobalValue::HiddenVisibility);
}

static SmallString<0> bitcodeOf(const Module &module,
                                function_ref<bool(const GlobalValue &)> has) {
  ValueToValueMapTy map;
  std::unique_ptr<Module> clone = CloneModule(
      module, map, [&](const GlobalValue *value) { return has(*value); });
  SmallString<0> bitcode;
  raw_svector_ostream stream(bitcode);
  WriteBitcodeToFile(*clone, stream);
  return bitcode;
}

//===----------------------------------------------------------------------===//
// Parts
//===----------------------------------------------------------------------===//

struct Parts::Part {
  std::unique_ptr<Backend> backend;
  SmallString<0> bitcode;
  std::unique_ptr<LLVMContext> context;
  std::unique_ptr<Module> module;
};

Parts::Parts(Module &module, const Backend &backend, unsigned count) {
  DenseMap<const GlobalValue *, unsigned> partOf = dealOut(module, count);
  for (GlobalValue &value : module.global_values())
    makeVisible(value);
  for (unsigned number = 0; number < count; ++number) {
    Part &part = parts.emplace_back();
    part.backend = backend.again();
    part.bitcode = bitcodeOf(module, [&](const GlobalValue &value) {
      return isCopied(value) || partOf.lookup(&value) == number;
    });
  }
}

Parts::~Parts() = default;

/// Runs \p work for each of \p items, on all cores.
template <typename Item, typename Function>
static void inParallel(std::vector<Item> &items, Function work) {
  DefaultThreadPool pool(hardware_concurrency());
  for (Item &item : items)
    pool.async([&item, &work] { work(item); });
  pool.wait();
}

void Parts::optimize() {
  inParallel(parts, [](Part &part) {
    part.context = std::make_unique<LLVMContext>();
    part.module = cantFail(
        parseBitcodeFile(MemoryBufferRef(part.bitcode, "part"), *part.context));
    part.backend->optimize(*part.module);
  });
}

bool Parts::emit(std::vector<SmallString<0>> &objects, std::string &error) {
  struct Result {
    Part *part;
    SmallString<0> object;
    std::string error;
  };
  std::vector<Result> results;
  for (Part &part : parts)
    results.push_back({&part, {}, {}});
  inParallel(results, [](Result &result) {
    raw_svector_ostream stream(result.object);
    if (!result.part->backend->emit(*result.part->module, OutputKind::Object,
                                    stream, result.error))
      result.object.clear();
  });
  for (Result &result : results) {
    if (!result.error.empty())
      error = result.error;
    objects.push_back(std::move(result.object));
  }
  return error.empty();
}

} // namespace zpl
