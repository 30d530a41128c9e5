//===- ConstantFiles.cpp - Constant files stay what they are --------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     procedure log(inout f: file);   begin writeln(f, "x"); end;
//     procedure next(inout f: file);  begin f := open("b", file_write); end;
//     procedure both(inout f: file);  begin log(f); next(f); end;
//     ... log(zout);                        -- writes through it: fine
//     ... both(zout);                       -- an error: next assigns it
//
// Classic programs pass files by reference, also `zout`, to procedures that
// only write. So passing a constant file is an error only if the parameter is
// assigned: by a statement, by being `out`, or by the procedure it is passed
// on to. That is a least fixed point over the places where files are passed.
//
// Cost: linear in the code, and in the chain of calls for the files passed.
//
//===----------------------------------------------------------------------===//

#include "Statements/ConstantFiles.h"

#include "Tree/Walk.h"
#include "llvm/ADT/DenseMap.h"

namespace zpl::sema {

namespace {

/// An argument by reference that is, or lies in, \p file.
struct PassedFile {
  const Variable *file;
  const Variable *formal;
  SourceRange range;
};

class FileUses : public Visitor {
public:
  /// Where a parameter is assigned, if it is.
  llvm::DenseMap<const Variable *, SourceRange> assigned;
  std::vector<PassedFile> passed;

protected:
  void onScalarWrite(const Variable &variable, SourceRange range) override {
    if (variable.storage == Storage::Param)
      assigned.try_emplace(&variable, range);
  }
  void onReference(const Variable &variable, const CallExpr &call,
                   unsigned argument) override {
    auto *formal = llvm::dyn_cast<Variable>(call.callee->params[argument]);
    if (!formal || formal->type != Type::File)
      return;
    if (formal->mode == Mode::Out)
      assigned.try_emplace(formal, formal->range);
    passed.push_back({&variable, formal, call.args[argument]->range});
  }
};

bool isReadOnly(const Variable &variable) {
  return variable.isConst ||
         (variable.storage == Storage::Param && variable.mode == Mode::Const);
}

} // namespace

void checkConstantFiles(const Program &program, DiagnosticEngine &diags) {
  FileUses code;
  code.visitInitializers(program);
  for (const Procedure *procedure : program.procedures)
    code.visitProcedure(*procedure);
  for (bool changed = true; changed;) {
    changed = false;
    for (const PassedFile &pass : code.passed)
      if (pass.file->storage == Storage::Param &&
          code.assigned.contains(pass.formal))
        changed |= code.assigned.try_emplace(pass.file, pass.range).second;
  }
  for (const PassedFile &pass : code.passed) {
    auto place = code.assigned.find(pass.formal);
    if (isReadOnly(*pass.file) && place != code.assigned.end())
      diags.report(pass.range, Diag::FileAssigned, pass.formal->name)
          .note(place->second, Diag::AssignedHere, pass.formal->name);
  }
}

} // namespace zpl::sema
