//===- ArrayGen.cpp - From checked program to array IR --------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Every instance that Sema found becomes a procedure in Block form:
//
//     [R] repeat                          repeat {
//           New := (A@north + A@south       [@R] @New = div (add ...), 4.0
//                   + ...) / 4.0;
//           delta := max<< abs(A - New);    [@R] @delta = reduce max abs ...
//           A := New;                       [@R] @A = @New
//         until delta < epsilon;          } until { lt @delta, @epsilon }
//
// Scopes are gone: each array statement names its region. What an expression
// does besides giving a value stands in statements before it, and temporaries
// are explicit. Communication is not in it yet; elements at offsets say what
// the next passes must bring.
//
// 1. Declare all procedures, since they call each other.
// 2. Make the globals and the code of their declarations (Globals.cpp).
// 3. Make the bodies, in the order of the instances.
//
// Linear in the size of the instances.
//
//===----------------------------------------------------------------------===//

#include "zpl/ArrayGen/ArrayGen.h"
#include "Procedure.h"

using namespace llvm;

namespace zpl {

air::Module buildArrayIR(const sema::Program &program,
                         const ArrayGenOptions &options,
                         std::vector<Remark> *remarks) {
  air::Module module;
  module.name = program.name;
  std::vector<Remark> unwanted;
  arraygen::ModuleBuilder builder(module, program, options,
                                  remarks ? *remarks : unwanted);
  arraygen::makeDomains(builder);
  for (const auto &instance : program.instances)
    builder.declare(*instance);
  air::Procedure *initialize = arraygen::buildGlobals(builder);
  for (const auto &instance : program.instances) {
    arraygen::ProcedureState procedure(
        builder, *instance, *builder.procedures.lookup(instance.get()));
    buildInstance(procedure);
  }
  if (builder.processors)
    arraygen::countProcessors(builder, *initialize);
  if (!initialize->body.empty()) {
    module.initialize = initialize;
    module.procedures.insert(module.procedures.begin(), initialize);
  }
  module.entry = builder.procedures.lookup(program.entry);
  return module;
}

} // namespace zpl
