//===- AbiCheckpoint.cpp - Entries for checkpoints ------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What begins a checkpoint and its items; zrtA_bwrite, zrtA_bread and their like
// write and read what is in them, and zrtA_close ends it.
//
//===----------------------------------------------------------------------===//

#include "Entry/Process.h"
#include "IO/Checkpoint/CheckpointFile.h"
#include "Support/Error.h"
#include "Support/Operation.h"

using namespace zrt;

extern "C" {

zrt_file zrtA_open_checkpoint(const char *name, const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  if (!p.options.restartFile.empty() && !p.restart.isDone)
    fatal(
        loc, ErrorScope::Replicated,
        "this run was started with --restart, but has not called restart() "
        "yet: what it would write is not the state that it was to go on from");
  CheckpointDirectory head;
  head.program = p.program.name;
  head.randomNumbers = p.randomNumbers;
  return createCheckpoint(*p.transport, p.files, name, loc, std::move(head));
}

zrt_file zrtA_open_restart(const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  if (p.options.restartFile.empty() || p.restart.isDone)
    return ZRT_ZNULL;
  zrt_file number = restartFile(loc);
  File &file = p.files.reading(number, loc);
  p.randomNumbers = directoryOf(file).randomNumbers;
  p.restart.isDone = true;
  return number;
}

int32_t zrtA_restarted(void) { return process().restart.isDone; }

void zrtA_checkpoint_item(zrt_file number, const char *name, int32_t member,
                          const zrt_loc *loc) {
  OperationScope scope(OperationKind::File, loc);
  Process &p = process();
  File *file = p.files.openFile(number);
  ZRT_CHECK(file && file->kind() == File::Kind::Checkpoint);
  file->setLocation(loc);
  std::string called = name;
  if (member >= 0)
    called += " (member " + std::to_string(member) + ")";
  beginItem(*p.transport, *file, called);
}

} // extern "C"
