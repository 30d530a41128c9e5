//===- ModuleBuilder.h - State of one module's generation -------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// What the procedures of a module share: names, globals, types, and which
/// instance became which procedure. See ModuleBuilder.cpp, Types.cpp and
/// Globals.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_MODULEBUILDER_H
#define ZPL_LIB_ARRAYGEN_MODULEBUILDER_H

#include "Facts.h"
#include "Writes.h"
#include "zpl/ArrayGen/ArrayGen.h"
#include "zpl/ArrayIR/ArrayIR.h"
#include "zpl/Sema/ConstantElements.h"
#include "zpl/Sema/Program.h"
#include "zpl/Support/Remark.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"

namespace zpl::arraygen {

/// Gives names that are unique among those it gave.
class NameSet {
public:
  /// \p wanted, or `wanted.1`, `wanted.2` ... if it is taken.
  std::string unique(llvm::StringRef wanted);

private:
  llvm::StringSet<> taken;
};

/// The variable of an indexed array of parallel arrays, and the shape of these.
struct Family {
  air::Variable *variable = nullptr;
  air::Shape shape;
  bool isMoved = false; ///< copies of it in the default domain
};

/// What has been made of the symbols of one scope.
struct SymbolMap {
  llvm::DenseMap<const sema::Variable *, air::Variable *> variables;
  llvm::DenseMap<const sema::Array *, air::Array *> arrays; ///< no families
  llvm::DenseMap<const sema::Array *, Family> families;
  llvm::DenseMap<const sema::Region *, air::Region *> regions;
  /// Components of directions that are not compile-time constants.
  llvm::DenseMap<std::pair<const sema::Direction *, unsigned>, air::Variable *>
      components;
  /// Declared regions that have no name, by the expression that a definition
  /// of several arrays shares.
  llvm::DenseMap<const sema::RegionExpr *, air::Region *> anonymous;
};

/// What all procedures of the module share.
struct ModuleBuilder {
  air::Module &module;
  const sema::Program &program;
  ArrayGenOptions options;
  FactTable facts;
  WriteTable writes;
  sema::ConstantElements constants;
  std::vector<Remark> &remarks;
  SymbolMap globals; ///< static locals too
  NameSet names;     ///< printed with @
  llvm::DenseMap<const sema::Instance *, air::Procedure *> procedures;
  /// Arrays that follow region variables: what they are declared over is known
  /// when they are made only.
  llvm::DenseSet<const air::Array *> followers;
  /// Upper bounds that `resize` sets.
  llvm::DenseSet<const air::Variable *> resizedBounds;
  /// Holds PROCESSORS; made when it is first used.
  air::Variable *processors = nullptr;
  llvm::DenseMap<const sema::Grid *, air::Grid *> grids;
  llvm::DenseMap<const sema::Distribution *, air::Distribution *> distributions;
  /// Without the default ones.
  llvm::DenseMap<const sema::Domain *, air::Domain *> domains;
  /// What scatters combine elements with.
  llvm::DenseMap<const sema::ScatterStmt *, air::Procedure *> combiners;

  ModuleBuilder(air::Module &module, const sema::Program &program,
                const ArrayGenOptions &options, std::vector<Remark> &remarks)
      : module(module), program(program), options(options),
        facts(options.checksOverflow), writes(program), remarks(remarks) {}

  /// Makes the procedure of \p instance, without parameters, result and body.
  void declare(const sema::Instance &instance);

  /// The variable that holds PROCESSORS.
  air::Variable *processorCount();

  /// \p type in the array IR, a declared one made when it is first met. Bounds
  /// that are parameters are those of \p locals.
  air::Type convert(sema::Type type, const SymbolMap *locals = nullptr);

  /// The procedure that stands for \p procedure where no call says which
  /// instance is meant.
  air::Procedure *instanceOf(const sema::Procedure *procedure) const;

private:
  /// An indexed array, written in full.
  air::Type convertArray(const sema::TypeInfo &info, const SymbolMap *locals);
  /// Makes an enumeration, record, union or opaque type and adds it to the
  /// module.
  air::Type convertNamed(const sema::TypeInfo &info);
  llvm::DenseMap<const sema::TypeInfo *, air::Type> types; ///< named ones
};

/// The shape of the checked program in the array IR: its classes are the same.
air::Shape convert(const sema::Shape &shape);

/// And back.
sema::Shape convert(const air::Shape &shape);

/// Whether a region or array of one shape may be passed where another is
/// wanted.
bool mayServeAs(const air::Shape &given, const air::Shape &wanted);

/// \p direction as it acts on an array of this shape: in flooded dimensions
/// every index has the same element.
air::Offset withoutFloods(llvm::ArrayRef<int64_t> direction,
                          const air::Shape &shape);

/// What the directions that are applied to \p array, over this region, need.
air::Fluff fluffOf(const sema::Array &array, const air::Region &over);

/// Whether a variable is too large for the stack, or for the program's image.
bool needsHeap(air::Type type, air::Storage storage);

/// A new global of the module, called like \p name; on the heap if need be.
air::Variable *makeGlobal(ModuleBuilder &builder, llvm::StringRef name,
                          air::Type type, SourceRange range);

/// Makes what stands for grids, distributions and domains, which procedures
/// name.
void makeDomains(ModuleBuilder &builder);

/// Makes the globals and `initialize`, which evaluates their declarations. All
/// instances have been declared.
air::Procedure *buildGlobals(ModuleBuilder &builder);

/// Has \p initialize count the processors before anything else: each adds 1 to
/// a sum.
void countProcessors(ModuleBuilder &builder, air::Procedure &initialize);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_MODULEBUILDER_H
