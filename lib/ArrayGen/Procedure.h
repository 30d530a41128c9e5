//===- Procedure.h - Parameters, locals and temporaries ---------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// The frame of a procedure: how it is built, what is appended to it, how
/// variables, regions and arrays are made and found. Names in the IR get a
/// suffix where one is taken. See Procedure.cpp.
///
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_ARRAYGEN_PROCEDURE_H
#define ZPL_LIB_ARRAYGEN_PROCEDURE_H

#include "ProcedureState.h"

namespace zpl::arraygen {

/// Statements that write no variables and are no loops.
template <typename T>
constexpr bool keepsVariables =
    llvm::is_one_of<T, air::SetRegionStmt, air::CheckStmt, air::BindArrayStmt,
                    air::AllocArrayStmt, air::ReallocStmt, air::FreeArrayStmt,
                    air::ShiftStmt, air::FloodStmt, air::PutStmt, air::ScanStmt,
                    air::GatherStmt, air::ScatterStmt, air::BoundaryStmt,
                    air::ArrayAssignStmt, air::ReduceArrayStmt,
                    air::IfStmt>::value;

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

/// Makes a statement of \p args, appends it to the current list and gives it.
/// What is known of variables ends with it unless it keeps them.
template <typename T, typename... Args>
T *emit(ProcedureState &p, Args &&...args) {
  T *stmt = p.module.make<T>(std::forward<Args>(args)...);
  p.current->push_back(stmt);
  p.known.time += !keepsVariables<T>;
  return stmt;
}

/// Has \p generate append to \p list instead of the current one.
void appendTo(ProcedureState &p, air::StmtList &list,
              llvm::function_ref<void()> generate);

/// What is emitted now starts a new declaration of the initializers.
inline void startDeclaration(ProcedureState &p) {
  p.frame.allocationPoint = p.statement.start = p.procedure.body.size();
}

//===----------------------------------------------------------------------===//
// A procedure
//===----------------------------------------------------------------------===//

/// Generates parameters, locals and body of the instance, or of an extern
/// procedure the parameters only.
void buildInstance(ProcedureState &p);

/// After the body: frees the heap temporaries on every way out. \p
/// fallsThrough: control comes to the end of the body, at \p end.
void finish(ProcedureState &p, bool fallsThrough, SourceRange end);

/// Adds a parameter for \p variable; its type is set later. \p isShared: by
/// reference, whatever its mode is.
void addParameter(ProcedureState &p, const sema::Variable *variable,
                  bool isShared = false);

/// `set variable = its initializer`, if it has one, and its setup.
void initialize(ProcedureState &p, const sema::Variable *variable);

/// Adds the direction to the module, or to the procedure if it is local, and
/// evaluates and checks the components that are not constants; \p map gets the
/// variables for them.
void initialize(ProcedureState &p, const sema::Direction *direction,
                SymbolMap &map, air::Storage storage);

/// Gives an array, or each member of a family, its initial elements over its
/// declared region; nothing if none are written.
void initialize(ProcedureState &p, const sema::Array *array);

/// The same for \p target, which is \p array or a member, over \p declared,
/// which covers.
void initializeElements(ProcedureState &p, const sema::Array *array,
                        air::Array *target, air::Region *declared);

/// Gives a local variable its memory if that is on the heap: appends
/// `alloc`, and notes it for freeLocals(). Unless \p isZero it is written before
/// it is read.
void allocate(ProcedureState &p, air::Variable *variable, SourceRange range,
              bool isZero = true);

/// Frees all that is allocated at entry, the last first.
void freeLocals(ProcedureState &p, SourceRange range);

/// Frees what control leaves that goes out of the innermost loop, or out of
/// the procedure, from number \p first of the temporaries on. They stay known,
/// for the code after.
void freeOpen(ProcedureState &p, size_t first, SourceRange range);

//===----------------------------------------------------------------------===//
// Making and finding
//===----------------------------------------------------------------------===//

/// \p type in the array IR; bounds that are parameters are this procedure's.
inline air::Type typeFor(ProcedureState &p, sema::Type type) {
  return p.builder.convert(type, &p.frame.locals);
}

/// Void for functions whose result is a parallel array or by reference.
inline air::Type resultType(ProcedureState &p,
                            const sema::Procedure *procedure) {
  bool isElsewhere = procedure->resultRank || returnsByReference(procedure);
  return isElsewhere ? air::Type(air::Type::Void)
                     : typeFor(p, procedure->result);
}

/// A new local variable, zero at entry; not on the heap unless it is allocated.
air::Variable *makeVariable(ProcedureState &p, llvm::StringRef name,
                            air::Type type, SourceRange range);

/// A new local region, which is to be set.
air::Region *makeRegion(ProcedureState &p, llvm::StringRef name,
                        air::Shape shape, SourceRange range);
/// A new local region of \p domain, set to \p region: to its bounds alone unless
/// it \p isSparse.
air::Region *copyRegion(ProcedureState &p, llvm::StringRef name,
                        air::Region *region, const air::Domain *domain,
                        bool isSparse, SourceRange range);
/// The region in \p domain; it itself, if it is there.
air::Region *inDomain(ProcedureState &p, air::Region *region,
                      const air::Domain *domain, SourceRange range);

/// A new local array, which is to be allocated or bound.
air::Array *makeArray(ProcedureState &p, llvm::StringRef name,
                      air::Type element, air::Shape shape, SourceRange range);

/// A scratch variable called `t` that is written once, or nowhere: stable.
/// Unless \p isZero it is written before it is read.
air::Variable *temporary(ProcedureState &p, air::Type type, SourceRange range,
                         bool isZero = true);

/// The same, called like \p name.
air::Variable *temporary(ProcedureState &p, llvm::StringRef name,
                         air::Type type, SourceRange range, bool isZero = true);

/// A variable for a value in between; if it must be on the heap, it is
/// allocated at entry, or here if its size is not known there, and freed by
/// finish(). Unless \p isZero it is written before it is read.
air::Variable *scratch(ProcedureState &p, llvm::StringRef name, air::Type type,
                       SourceRange range, bool isZero = true);

/// A new array over \p region, allocated here, freed by the scope.
air::Array *temporaryArray(ProcedureState &p, air::Type element,
                           air::Region *region, SourceRange range);

/// What became of a variable, local or global; null if nothing has yet.
air::Variable *find(const ProcedureState &p, const sema::Variable *variable);

/// What became of an array that is no family; null if nothing has yet.
air::Array *find(const ProcedureState &p, const sema::Array *array);

/// What became of a named region; null if nothing has yet.
air::Region *find(const ProcedureState &p, const sema::Region *region);

/// The variable of component \p dim of a direction; null if it is constant.
air::Variable *find(const ProcedureState &p, const sema::Direction *direction,
                    unsigned dim);

} // namespace zpl::arraygen

#endif // ZPL_LIB_ARRAYGEN_PROCEDURE_H
