//===- ModuleLowering.h - What all functions of a module share --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MODULELOWERING_H
#define ZPL_LIB_CODEGEN_MODULELOWERING_H

#include "DebugInfo.h"
#include "MLoop/PerIndex.h"
#include "RuntimeCalls.h"
#include "TypeLowering.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/CodeGen/CodeGen.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <map>
#include <tuple>

namespace zpl::codegen {

/// State of one lowering: the LLVM module, its globals and constants.
class ModuleLowering {
public:
  ModuleLowering(const air::Module &source, llvm::LLVMContext &context,
                 const CodeGenOptions &options);
  /// The finished module, not yet verified. Call once.
  std::unique_ptr<llvm::Module> run();

  // For the lowering of functions.

  llvm::Function *function(const air::Procedure *procedure) const {
    return functions.lookup(procedure);
  }
  /// The LLVM global of a global variable, region or array or of a transfer;
  /// null for others.
  llvm::GlobalVariable *global(const void *thing) const {
    return globals.lookup(thing);
  }
  /// The place of a config variable in the program's table.
  unsigned configNumber(const air::Variable *config) const {
    return configs.lookup(config);
  }

  // Constants in memory, one for equal contents.

  /// Bytes with a NUL after them.
  llvm::Constant *string(llvm::StringRef text);
  /// A zrt_loc; of an unknown place with line 0.
  llvm::Constant *location(SourceRange range);
  /// \p contents in memory.
  llvm::Constant *table(llvm::Constant *contents, const llvm::Twine &name);
  /// int64_t[ZRT_MAX_RANK], filled up with zeros.
  llvm::Constant *sixNumbers(llvm::ArrayRef<int64_t> numbers);
  /// The same in memory.
  llvm::Constant *directionTable(llvm::ArrayRef<int64_t> numbers);
  /// A zrt_fluff in memory, or a null pointer for none.
  llvm::Constant *fluffTable(const air::Fluff &fluff);
  /// A zrt_region of the right name and shape with bounds 0 and strides 1.
  llvm::Constant *regionHeader(const air::Region &region);
  /// The zrt_type of \p type. If \p type is sized at run time: internal globals
  /// whose run-time parts are to be filled in (LowerAggregates.cpp).
  llvm::GlobalVariable *typeTable(air::Type type);
  /// The globals behind the run-time parts of such a type's zrt_type.
  llvm::GlobalVariable *boundsTable(air::Type type) const {
    return boundTables.lookup(type.info());
  }
  llvm::GlobalVariable *fieldTable(air::Type type) const {
    return fieldTables.lookup(type.info());
  }
  /// The C function behind an extern procedure or variable.
  llvm::FunctionCallee thunk(llvm::StringRef symbol, llvm::Type *result,
                             unsigned arguments);
  /// A new private or (\p isConstant false) internal global.
  llvm::GlobalVariable *addGlobal(const llvm::Twine &name,
                                  llvm::Constant *initializer, bool isConstant);

  /// `33` of a known place, else 0.
  LineColumn place(SourceRange range) const;

  const air::Module &source;
  const air::KnownStrides strides; ///< of the source
  /// What M-loops call for each index.
  const llvm::DenseSet<const air::Procedure *> perIndex;
  const CodeGenOptions &options;
  std::unique_ptr<llvm::Module> module;
  TypeLowering types;
  RuntimeCalls calls;
  std::unique_ptr<DebugInfo> debug; ///< null without -g

private:
  void addVariable(const air::Variable *variable);
  void addGlobals();
  llvm::Constant *enumeratorTable(const air::TypeInfo &info);
  llvm::Constant *makeFieldTable(air::Type type);
  llvm::Constant *makeBoundsTable(air::Type type);
  llvm::Constant *indexTable(const air::TypeInfo &info);
  void addTransfers(const air::Procedure *procedure);
  void declare(const air::Procedure *procedure);
  void notePlace(const air::Procedure &procedure, llvm::Function *function);
  llvm::Constant *configTable();
  // ReplicatedVariables.cpp: the last fields of zrt_program.
  llvm::SmallVector<llvm::Constant *, 3> replicatedFields();
  llvm::Function *
  replicatedFunction(llvm::ArrayRef<const air::Variable *> variables);
  llvm::Value *replicatedValue(const air::Variable *variable, llvm::Value *copy,
                               llvm::IRBuilderBase &builder);
  llvm::Function *startOrEmpty(const air::Procedure *procedure);
  void addMain();

  llvm::DenseMap<const void *, llvm::GlobalVariable *> globals;
  llvm::DenseMap<const air::Variable *, unsigned> configs;
  llvm::DenseMap<const air::TypeInfo *, llvm::GlobalVariable *> typeTables,
      boundTables, fieldTables;
  std::map<air::Type::Kind, llvm::GlobalVariable *> scalarTables;
  llvm::DenseMap<const air::Procedure *, llvm::Function *> functions;
  llvm::StringMap<llvm::Constant *> strings;
  std::map<std::tuple<uint32_t, unsigned, unsigned>, llvm::Constant *>
      locations;
  /// Tables of numbers, by their (uniqued) contents.
  llvm::DenseMap<llvm::Constant *, llvm::Constant *> tables;
};

} // namespace zpl::codegen

#endif // ZPL_LIB_CODEGEN_MODULELOWERING_H
