//===- ProcedureTable.h - Which procedure an address is in ------*- C++ -*-===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef ZPL_LIB_BACKEND_PROCEDURETABLE_H
#define ZPL_LIB_BACKEND_PROCEDURETABLE_H

namespace llvm {
class Module;
}

namespace zpl {

/// Puts the code of the program's procedures in \p module into a section of its
/// own, and adds a table of where they begin and stand in the source. After all
/// passes; without effect but for ELF.
void addProcedureTable(llvm::Module &module);

} // namespace zpl

#endif // ZPL_LIB_BACKEND_PROCEDURETABLE_H
