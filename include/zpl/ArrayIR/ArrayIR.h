//===- ArrayIR.h - The array IR: data ---------------------------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The nodes of the array IR. docs/ArrayIR.md opens with its semantics; the
/// short of it:
///
///  - Integers wrap. Floating-point expressions are evaluated as the tree says,
///    never regrouped; only the accumulation of a Sum or Product reduction may
///    be.
///  - An array statement evaluates its expression at every index of its region
///    before it stores any element. Statements whose target is read at another
///    index have been split by ArrayGen through a temporary, so running it
///    element by element in any order means the same.
///  - Reading `%A@(d)` with d nonzero needs a transfer of (A, d) that covers
///    the region, between the last write of A and the read.
///  - All processors execute all statements; element work is for the indices
///    they own.
///
/// Everything is allocated in the Module's arena and referred to by pointer;
/// expressions are immutable and may be shared, statement lists are mutable.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_ARRAYIR_ARRAYIR_H
#define ZPL_ARRAYIR_ARRAYIR_H

#include "zpl/ArrayIR/SparseStatements.h"
#include "zpl/ArrayIR/Statements.h"
#include <memory>

namespace zpl::air {

enum class Form : uint8_t { Block, Loop };

/// A parameter: exactly one member is set.
struct Parameter {
  Variable *variable = nullptr; ///< by value or (byReference) by reference
  Array *array = nullptr;
  Region *region = nullptr; ///< a covering region of the call
};

/// A named direction, for debuggers: expressions have the components.
struct Direction {
  std::string name;
  llvm::SmallVector<Bound, 6> components;
  SourceRange range;
};

struct Procedure;

/// A procedure of the program that C calls (Interop.h), under this symbol.
struct Callback {
  Procedure *procedure; ///< scalar, parameters by value
  std::string symbol;
};

/// An instance of a ZPL procedure.
struct Procedure {
  std::string name;       ///< unique: "init", "init.1" for a second instance
  std::string sourceName; ///< "init"
  Form form = Form::Block;
  bool isScalar = false; ///< may be called from element expressions
  /// A C function, without body, called by the thunk of this symbol
  /// (Interop.h). Empty: a procedure of the program.
  std::string thunk;
  std::vector<Callback> callbacks; ///< what the C function is given
  /// Arrays of this instance may share storage with each other.
  bool mayAlias = false;
  Type result = Type::Void;
  std::vector<Parameter> params;
  std::vector<Variable *> variables; ///< locals, zero at entry
  std::vector<Region *> regions;     ///< locals
  std::vector<Array *> arrays;       ///< locals
  std::vector<Direction> directions; ///< locals; not in the text form
  std::vector<Transfer *> transfers;
  StmtList body;
  SourceRange range;
};

/// A whole program.
class Module {
public:
  Module();
  ~Module();
  Module(Module &&) noexcept;
  Module &operator=(Module &&) noexcept;

  std::string name;              ///< of the program
  std::vector<TypeInfo *> types; ///< named ones, before their users
  std::vector<Variable *> variables;
  std::vector<Grid *> grids; ///< before their users; so with what follows
  std::vector<Distribution *> distributions;
  std::vector<Domain *> domains;
  std::vector<Region *> regions;
  std::vector<Array *> arrays;
  std::vector<Direction> directions; ///< globals; not in the text form
  std::vector<Procedure *> procedures;
  Procedure *initialize = nullptr; ///< global declarations; null: none
  Procedure *entry = nullptr;

  /// A node that lives as long as the module.
  template <typename T, typename... Args> T *make(Args &&...args) {
    auto node = std::make_shared<T>(std::forward<Args>(args)...);
    T *raw = node.get();
    keep(std::move(node));
    return raw;
  }
  /// The one array type of these bounds, element and index types.
  Type arrayType(llvm::ArrayRef<Bound> lo, llvm::ArrayRef<Bound> hi,
                 Type element, llvm::ArrayRef<Type> index = {},
                 TypeInfo::Holds holds = TypeInfo::Holds::Numbers);
  /// The one type of parallel arrays of this element type and rank.
  Type handleType(Type element, unsigned rank);
  /// A copy of the text that lives as long as the module.
  llvm::StringRef copy(llvm::StringRef text);

private:
  void keep(std::shared_ptr<void> node);
  struct Impl;
  std::unique_ptr<Impl> impl;
};

/// Whether things of these types may be parts of each other. Where the module
/// has unions, anything may be.
bool mayOverlap(const Module &module, Type a, Type b);

// Texts of the enumerations, as printed ("i32", "add", "max" ...).
/// What follows gives the words of the text form (docs/ArrayIR.md).
std::string text(Type type);
llvm::StringRef text(UnaryOp op);
llvm::StringRef text(BinaryOp op);
llvm::StringRef text(CompareOp op);
llvm::StringRef text(MathFn fn);
llvm::StringRef text(Builtin fn);
llvm::StringRef text(Reduction op);
llvm::StringRef text(BoundExpr::Which which);
/// How many arguments a function takes.
unsigned arity(MathFn fn);
unsigned arity(Builtin fn);

} // namespace zpl::air

#endif // ZPL_ARRAYIR_ARRAYIR_H
