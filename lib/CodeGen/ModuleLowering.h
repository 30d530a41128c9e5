//===- ModuleLowering.h - What all functions of a module share --*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_CODEGEN_MODULELOWERING_H
#define ZPL_LIB_CODEGEN_MODULELOWERING_H

#include "MLoop/PerIndex.h"
#include "RuntimeCalls.h"
#include "TypeLowering.h"
#include "zpl/Analysis/ControlNeeds.h"
#include "zpl/Analysis/MapArrays.h"
#include "zpl/ArrayIR/KnownStrides.h"
#include "zpl/CodeGen/CodeGen.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include <map>
#include <tuple>

namespace zpl::codegen {

class DebugInfo;

/// State of one lowering: the LLVM module, its globals and constants.
class ModuleLowering {
public:
  /// \p source, in Loop form, and \p options must live as long as this, and
  /// \p context as long as the module.
  ModuleLowering(const air::Module &source, llvm::LLVMContext &context,
                 const CodeGenOptions &options);
  ~ModuleLowering();

  /// The finished module, not yet verified. Call once.
  std::unique_ptr<llvm::Module> run();

  // For the lowering of functions.

  /// The function of a procedure; null for one of C.
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
  /// The global with the bounds, zrt_range each, of an array type that is sized
  /// at run time; null for other types.
  llvm::GlobalVariable *boundsTable(air::Type type) const {
    return boundTables.lookup(type.info());
  }
  /// The same of a record's or union's fields; null for other types.
  llvm::GlobalVariable *fieldTable(air::Type type) const {
    return fieldTables.lookup(type.info());
  }
  /// The C function behind an extern procedure or variable, which takes so many
  /// addresses.
  llvm::FunctionCallee thunk(llvm::StringRef symbol, llvm::Type *result,
                             unsigned arguments);
  /// A new private or (\p isConstant false) internal global.
  llvm::GlobalVariable *addGlobal(const llvm::Twine &name,
                                  llvm::Constant *initializer, bool isConstant);

  /// Line and column where a range begins; 0 if the place is unknown.
  LineColumn place(SourceRange range) const;

  const air::Module &source;
  const air::KnownStrides strides; ///< of the source
  const air::MapArrays mapArrays;  ///< of the source
  /// What M-loops call for each index.
  const llvm::DenseSet<const air::Procedure *> perIndex;
  const CodeGenOptions &options;
  /// Of the source, with -fcount-work; else null.
  const std::unique_ptr<const air::ControlNeeds> needs;
  std::unique_ptr<llvm::Module> module;
  TypeLowering types;
  RuntimeCalls calls;
  std::unique_ptr<DebugInfo> debug; ///< null without -g
  /// The zrt_ways of M-loops that have been lowered.
  std::vector<llvm::GlobalVariable *> ways;

private:
  // In the order of run().

  /// Makes a global of a variable, unless it is C's; numbers config variables.
  void addVariable(const air::Variable *variable);
  /// Makes the globals of all variables, regions and arrays.
  void addGlobals();
  /// Makes a zrt_transfer for each transfer of a procedure that is not left to
  /// its callers.
  void addTransfers(const air::Procedure *procedure);
  /// Makes the function of a procedure, still without a body.
  void declare(const air::Procedure *procedure);
  /// Notes where a procedure is, for the back end, which makes a zrt_procedure
  /// of it (lib/Backend/ProcedureTable.cpp).
  void notePlace(const air::Procedure &procedure, llvm::Function *function);
  /// Makes the zrt_program and `main`, which gives it to the runtime.
  void addMain();
  /// A zrt_config for each config variable, in the order of their numbers.
  llvm::Constant *configTable();
  /// The function of \p procedure, or one that does nothing if that is null.
  llvm::Function *startOrEmpty(const air::Procedure *procedure);

  // TypeTables.cpp: what a zrt_type points to; null pointers for nothing.

  /// A zrt_enumerator for each.
  llvm::Constant *enumeratorTable(const air::TypeInfo &info);
  /// Names, offsets and types of fields; offsets, in bytes, are 0 where they
  /// are computed at run time.
  llvm::Constant *makeFieldTable(air::Type type);
  /// The bounds of an array type; 0 where they are computed at run time.
  llvm::Constant *makeBoundsTable(air::Type type);
  /// The enumerations by which an array type is indexed, per dimension.
  llvm::Constant *indexTable(const air::TypeInfo &info);

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
