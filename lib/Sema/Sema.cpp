//===- Sema.cpp - Checks a module -----------------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of the checks. The first step makes the program from the syntax
// tree, name by name and expression by expression; what it lets pass has types
// and ranks. The others look at the whole program and need it free of errors:
//
//   1. which procedures are scalar, so that calls may run them per element, and
//      whether free ones keep to themselves;
//   2. which covering regions procedures take from their callers, and whether
//      all are provided; whether initializers keep to the order of declaration;
//      Variables that are read before they are assigned;
//   3. which arrays procedures write, so which arguments must be copied;
//   4. which directions reach into which arrays' borders;
//   5. the instances that the program needs, the borders over which arrays are
//      stored beside their regions, and the legality of each access in each
//      instance.
//
//===----------------------------------------------------------------------===//

#include "zpl/Sema/Sema.h"
#include "Statements/Declarations.h"

#include "Arrays/Borders.h"
#include "Arrays/Directions.h"
#include "Check/Arguments.h"
#include "Check/Checking.h"
#include "Distributions/Domains.h"
#include "Program/Covers.h"
#include "Program/Effects.h"
#include "Program/Free.h"
#include "Program/InitOrder.h"
#include "Program/Instances.h"
#include "Program/Legality.h"
#include "Program/MadeStrings.h"
#include "Program/Parallel.h"
#include "Program/Resizes.h"
#include "Program/TrapNaN.h"
#include "Program/Uninitialized.h"
#include "Sparse/SparseUses.h"
#include "Statements/ConstantFiles.h"

namespace zpl::sema {

Program::Program() = default;
Program::~Program() = default;
Program::Program(Program &&) noexcept = default;
Program &Program::operator=(Program &&) noexcept = default;

std::optional<Program> check(const ast::Module &module, DiagnosticEngine &diags,
                             const Options &options) {
  Program program;
  Checking checking(program, diags, options);
  const Procedure *start = checkModule(checking, module);
  if (diags.hasErrors())
    return std::nullopt;

  const Procedure &entry = *start;
  CallOrder calls(program);
  classifyProcedures(program, entry, calls, diags);
  checkDefaultCalls(checking);
  checkFreeProcedures(program, diags);
  if (options.trapNaN)
    trapNaN(checking);
  NeededCovers needed = findNeededCovers(program, entry, calls, diags);
  checkInitOrder(program, calls, diags);
  checkConstantFiles(program, diags);
  checkPatternChanges(program, calls, diags);
  checkResizes(program, calls, diags);
  checkMadeStrings(program, diags);
  reportUninitialized(program, diags);
  if (diags.hasErrors())
    return std::nullopt;

  Effects effects(program, calls);
  effects.setCopies(diags);
  if (diags.hasErrors())
    return std::nullopt;
  collectDirections(program);
  Surveyor surveyor(program);
  InstanceInfos infos =
      findInstances(program, entry, needed, effects, surveyor);
  BorderedParams bordered = findBorders(program, calls, surveyor, infos, diags);
  checkLegality(program, surveyor, bordered, infos, diags);
  checkDomains(program, surveyor, infos, diags);
  checkStoredRegions(program, surveyor, infos, diags);
  checkSparseUses(program, surveyor, infos, diags);
  if (diags.hasErrors())
    return std::nullopt;
  storeInstances(program, infos);
  return program;
}

} // namespace zpl::sema
