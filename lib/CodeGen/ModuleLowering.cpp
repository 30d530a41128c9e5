//===- ModuleLowering.cpp - What all functions of a module share ----------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Globals, constants in memory, the program's descriptor and `main`;
// CodeGen.cpp shows what they look like. A constant is made once per content: a
// location per (file, line, column), a string per text, a table of six numbers
// per (uniqued) initializer. A region starts with its name, rank and shape in
// place, so that setting it at run time writes bounds only (and strides where
// the shape does not tell them).
//
//===----------------------------------------------------------------------===//

#include "ModuleLowering.h"
#include "DebugInfo.h"
#include "Function/LeaveOut.h"
#include "Function/LowerDistributions.h"
#include "Function/LowerStrings.h"
#include "ReplicatedVariables.h"
#include "Rows/LowerWays.h"
#include "zpl/ArrayIR/Walk.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace zpl::codegen {

/// An empty module for the target.
static std::unique_ptr<llvm::Module> makeModule(const air::Module &source,
                                                LLVMContext &context,
                                                const CodeGenOptions &options) {
  auto module = std::make_unique<llvm::Module>(source.name, context);
  module->setTargetTriple(options.triple);
  module->setDataLayout(options.dataLayout);
  module->setPICLevel(PICLevel::BigPIC);
  module->setPIELevel(PIELevel::Large);
  return module;
}

ModuleLowering::ModuleLowering(const air::Module &source, LLVMContext &context,
                               const CodeGenOptions &options)
    : source(source), strides(source), mapArrays(source),
      perIndex(proceduresPerIndex(source)), options(options),
      needs(options.countWork ? std::make_unique<air::ControlNeeds>(source)
                              : nullptr),
      module(makeModule(source, context, options)), types(*module),
      calls(*module, types, options.usesVectorMath) {
  types.checkLayouts();
  if (options.debugInfo)
    debug = std::make_unique<DebugInfo>(*module, types, source, options);
}

ModuleLowering::~ModuleLowering() = default;

GlobalVariable *ModuleLowering::addGlobal(const Twine &name,
                                          Constant *initializer,
                                          bool isConstant) {
  auto *global = new GlobalVariable(*module, initializer->getType(), isConstant,
                                    isConstant ? GlobalValue::PrivateLinkage
                                               : GlobalValue::InternalLinkage,
                                    initializer, name);
  if (isConstant)
    global->setUnnamedAddr(GlobalValue::UnnamedAddr::Global);
  return global;
}

Constant *ModuleLowering::string(StringRef text) {
  Constant *&known = strings[text];
  if (!known)
    known = addGlobal(".text",
                      ConstantDataArray::getString(module->getContext(), text),
                      /*isConstant=*/true);
  return known;
}

LineColumn ModuleLowering::place(SourceRange range) const {
  if (!range.isValid() || !options.sources)
    return {};
  return options.sources->lineColumn(range);
}

Constant *ModuleLowering::location(SourceRange range) {
  LineColumn at = place(range);
  if (at.line == 0)
    range.file = SourceRange::NoFile;
  Constant *&known = locations[{range.file, at.line, at.column}];
  if (known)
    return known;
  StringRef file = range.isValid() ? options.sources->name(range.file)
                                   : StringRef(source.name);
  known = addGlobal(
      ".loc.L" + Twine(at.line),
      ConstantStruct::get(types.loc,
                          {string(file), ConstantInt::get(types.i32, at.line),
                           ConstantInt::get(types.i32, at.column)}),
      /*isConstant=*/true);
  return known;
}

Constant *ModuleLowering::sixNumbers(ArrayRef<int64_t> numbers) {
  SmallVector<uint64_t, ZRT_MAX_RANK> all(numbers.begin(), numbers.end());
  all.resize(ZRT_MAX_RANK, 0);
  return ConstantDataArray::get(module->getContext(), all);
}

Constant *ModuleLowering::table(Constant *contents, const Twine &name) {
  Constant *&known = tables[contents];
  if (!known)
    known = addGlobal(name, contents, /*isConstant=*/true);
  return known;
}

Constant *ModuleLowering::directionTable(ArrayRef<int64_t> numbers) {
  return table(sixNumbers(numbers), ".direction");
}

Constant *ModuleLowering::fluffTable(const air::Fluff &fluff) {
  if (fluff.isNone())
    return ConstantPointerNull::get(types.ptr);
  return table(
      ConstantStruct::get(types.fluff,
                          {sixNumbers(fluff.below), sixNumbers(fluff.above),
                           ConstantInt::get(types.i32, fluff.steps),
                           ConstantInt::get(types.i32, fluff.wraps)}),
      ".fluff");
}

Constant *ModuleLowering::regionHeader(const air::Region &region) {
  auto bits = [&](function_ref<bool(air::DimKind)> isOf) {
    uint32_t mask = 0;
    for (unsigned d = 0; d < region.rank(); ++d)
      mask |= uint32_t(isOf(region.shape[d])) << d;
    return ConstantInt::get(types.i32, mask);
  };
  auto is = [](air::DimKind wanted) {
    return [=](air::DimKind kind) { return kind == wanted; };
  };
  Constant *name = region.text.empty() ? ConstantPointerNull::get(types.ptr)
                                       : string(region.text);
  Constant *zero = ConstantInt::get(types.i64, 0);
  Constant *one = ConstantInt::get(types.i64, 1);
  SmallVector<Constant *, ZRT_MAX_RANK> dims(
      ZRT_MAX_RANK, ConstantStruct::get(types.dim, {zero, zero, one, zero}));
  return ConstantStruct::get(
      types.region,
      {name, ConstantInt::get(types.i16, region.rank()),
       ConstantInt::get(types.i16, numberOf(source, region.domain)),
       bits(is(air::DimKind::Singleton)), bits(air::isPerProcessor),
       bits(is(air::DimKind::Grid)), ConstantInt::get(types.i64, INT64_MIN),
       region.isSparse ? one : zero, ConstantPointerNull::get(types.ptr),
       ConstantArray::get(ArrayType::get(types.dim, ZRT_MAX_RANK), dims)});
}

void ModuleLowering::addVariable(const air::Variable *variable) {
  if (variable->isConfig)
    configs.try_emplace(variable, configs.size());
  if (!variable->thunk.empty())
    return; // memory of C's
  llvm::Type *type =
      variable->onHeap ? types.ptr : types.memory(variable->type);
  Constant *zero = Constant::getNullValue(type);
  GlobalVariable *global =
      addGlobal("zpl." + variable->name, zero, /*isConstant=*/false);
  globals[variable] = global;
  if (debug)
    debug->declareGlobal(global, *variable);
}

void ModuleLowering::addGlobals() {
  for (const air::Variable *variable : source.variables)
    addVariable(variable);
  for (const air::Region *region : source.regions) {
    globals[region] = addGlobal("zpl." + region->name, regionHeader(*region),
                                /*isConstant=*/false);
    if (debug)
      debug->declareGlobal(globals[region], *region);
  }
  for (const air::Array *array : source.arrays) {
    globals[array] =
        addGlobal("zpl." + array->name, Constant::getNullValue(types.array),
                  /*isConstant=*/false);
    if (debug)
      debug->declareGlobal(globals[array], *array);
  }
  if (debug)
    debug->declareDirections(source.directions, /*scope=*/nullptr);
}

void ModuleLowering::addTransfers(const air::Procedure *procedure) {
  for (const air::Transfer *transfer : procedure->transfers)
    if (!transfer->byCallers)
      globals[transfer] =
          addGlobal("zpl." + procedure->name + "." + transfer->name,
                    Constant::getNullValue(types.transfer),
                    /*isConstant=*/false);
}

FunctionCallee ModuleLowering::thunk(StringRef symbol, llvm::Type *result,
                                     unsigned arguments) {
  SmallVector<llvm::Type *, 8> params(arguments, types.ptr);
  return module->getOrInsertFunction(symbol,
                                     FunctionType::get(result, params, false));
}

void ModuleLowering::notePlace(const air::Procedure &procedure,
                               Function *function) {
  LineColumn at = place(procedure.range);
  if (at.line == 0)
    return;
  LLVMContext &context = module->getContext();
  auto number = [&](unsigned value) {
    return ConstantAsMetadata::get(ConstantInt::get(types.i32, value));
  };
  module->getOrInsertNamedMetadata("zpl.procedures")
      ->addOperand(MDNode::get(
          context,
          {ValueAsMetadata::get(function),
           MDString::get(context, options.sources->name(procedure.range.file)),
           number(at.line), number(at.column),
           MDString::get(context, procedure.sourceName)}));
}

void ModuleLowering::declare(const air::Procedure *procedure) {
  if (!procedure->thunk.empty())
    return; // called through its thunk
  SmallVector<llvm::Type *, 8> params;
  bool hasMemoryResult = procedure->result.isAggregate();
  if (hasMemoryResult)
    params.push_back(types.ptr);
  for (const air::Parameter &param : procedure->params) {
    bool byValue = param.variable && !param.variable->byReference;
    params.push_back(byValue ? types.value(param.variable->type) : types.ptr);
  }
  llvm::Type *result = hasMemoryResult
                           ? llvm::Type::getVoidTy(module->getContext())
                           : types.value(procedure->result);
  auto *type = FunctionType::get(result, params, false);
  auto *function = Function::Create(type, Function::InternalLinkage,
                                    "zpl." + procedure->name, *module);
  function->setDoesNotThrow();
  if (!options.cpu.empty())
    function->addFnAttr("target-cpu", options.cpu);
  if (!options.features.empty())
    function->addFnAttr("target-features", options.features);
  if (hasMemoryResult)
    function->addParamAttr(0, Attribute::NoAlias);
  for (unsigned i = 0; i < procedure->params.size(); ++i)
    if (!procedure->params[i].variable)
      function->addParamAttr(i + hasMemoryResult, Attribute::NonNull);
  functions[procedure] = function;
  notePlace(*procedure, function);
  if (debug)
    debug->addSubprogram(function, *procedure);
}

Constant *ModuleLowering::configTable() {
  SmallVector<Constant *, 8> rows;
  for (const air::Variable *variable : source.variables)
    if (variable->isConfig)
      rows.push_back(ConstantStruct::get(
          types.config,
          {string(nameOf(*variable)), typeTable(variable->type),
           string(variable->configDefault), string(variable->configComment)}));
  auto *type = ArrayType::get(types.config, rows.size());
  return addGlobal("zpl.configs", ConstantArray::get(type, rows),
                   /*isConstant=*/true);
}

Function *ModuleLowering::startOrEmpty(const air::Procedure *procedure) {
  if (procedure)
    return function(procedure);
  auto *type =
      FunctionType::get(llvm::Type::getVoidTy(module->getContext()), false);
  auto *empty =
      Function::Create(type, Function::InternalLinkage, "zpl.nothing", *module);
  IRBuilder<> builder(BasicBlock::Create(module->getContext(), "", empty));
  builder.CreateRetVoid();
  return empty;
}

/// The dimensions in which waves of each rank travel, as zrt_program has them.
static SmallVector<uint32_t, ZRT_MAX_RANK> waveDims(const air::Module &source) {
  SmallVector<uint32_t, ZRT_MAX_RANK> dims(ZRT_MAX_RANK);
  auto add = [&](const air::Stmt &stmt) {
    auto *wave = dyn_cast<air::WaveStmt>(&stmt);
    if (!wave)
      return;
    for (const auto &[array, offset] : wave->primed)
      for (auto [d, component] : enumerate(offset))
        if (component != 0)
          dims[offset.size() - 1] |= 1u << d;
  };
  for (const air::Procedure *procedure : source.procedures)
    air::forEachStmt(procedure->body, add);
  return dims;
}

/// Whether the program can go on from a checkpoint.
static bool callsRestart(const air::Module &source) {
  bool calls = false;
  for (const air::Procedure *procedure : source.procedures)
    air::forEachStmt(procedure->body, [&](const air::Stmt &stmt) {
      auto *builtin = dyn_cast<air::BuiltinStmt>(&stmt);
      calls |= builtin && builtin->fn == air::Builtin::OpenRestart;
    });
  return calls;
}

void ModuleLowering::addMain() {
  std::string features;
  for (const std::string &feature : options.cpuFeatures)
    features += (features.empty() ? "" : ",") + feature;
  Constant *table = configTable();
  SmallVector<Constant *, 12> fields = {
      ConstantInt::get(types.i64, ZRT_ABI_REVISION),
      string(source.name),
      string(options.pluginDir),
      string(features),
      string(options.runFigures),
      table,
      ConstantInt::get(types.i64, configs.size()),
      startOrEmpty(source.initialize),
      startOrEmpty(source.entry)};
  append_range(fields, replicatedFields(*this));
  fields.push_back(ConstantDataArray::get(
      module->getContext(), ArrayRef<uint32_t>(waveDims(source))));
  append_range(fields, stringVariableFields(*this));
  append_range(fields, distributionFields(*this));
  append_range(fields, wayFields(*this));
  fields.push_back(ConstantInt::get(types.i32, callsRestart(source)));
  append_range(fields, leavingFields(*this));
  Constant *program =
      addGlobal("zpl.program", ConstantStruct::get(types.program, fields),
                /*isConstant=*/true);

  auto *type = FunctionType::get(types.i32, {types.i32, types.ptr}, false);
  auto *mainFunction =
      Function::Create(type, Function::ExternalLinkage, "main", *module);
  mainFunction->getArg(0)->setName("argc");
  mainFunction->getArg(1)->setName("argv");
  IRBuilder<> builder(
      BasicBlock::Create(module->getContext(), "entry", mainFunction));
  builder.CreateRet(builder.CreateCall(
      ZRT_CALLEE(calls, zrtA_main),
      {mainFunction->getArg(0), mainFunction->getArg(1), program}));
}

} // namespace zpl::codegen
