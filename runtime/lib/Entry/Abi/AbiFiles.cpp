//===- AbiFiles.cpp - Entries for files -----------------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// File variables. `f := open("a.txt", file_write); close(f)` calls
//
//     f = zrtA_open("a.txt", ZRT_FILE_WRITE, &loc);
//     zrtA_close(f, &loc);
//
// All processors hold the same number; processor 0 does the work.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "Support/Operation.h"

using namespace zrt;

extern "C" {

zrt_file zrtA_open(const char *name, int32_t mode, const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  return p.files.open(*p.transport, name, mode);
}

void zrtA_close(zrt_file file, const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  p.files.close(*p.transport, file, loc);
}

int32_t zrtA_same_file(zrt_file a, zrt_file b) {
  return a == b || (FileTable::isNull(a) && FileTable::isNull(b));
}

} // extern "C"
