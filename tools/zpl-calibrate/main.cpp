//===- main.cpp - Measures what a machine can do --------------------------===//
//
// Part of the zplc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
//     zpl-calibrate                 two minutes; ~/.cache/zpl/machine-....json
//     zpl-calibrate report          the figures, the models and their errors
//     zpl-calibrate map reduce.shm  which algorithm is the best where
//     zpl-calibrate audit           are the choices right?
//
// What was measured before in the same file and is not measured now stays.
//
//===----------------------------------------------------------------------===//

#include "Commands.h"
#include "Measure/Groups.h"
#include "Measure/Programs.h"
#include "Measure/Ways.h"
#include "Options.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"
#include <cmath>

using namespace llvm;
using namespace calibrate;

/// A message and the status for mistakes.
static int fail(const Twine &message) {
  errs() << "zpl-calibrate: error: " << message << '\n';
  return 1;
}

/// Takes over what a file has of this machine. False, with a message, if the
/// file is broken or of another machine.
static bool readOld(Session &session, StringRef file, std::string &error) {
  auto old = zpl::readMachine(file, error);
  if (!old)
    return false;
  if (old->fingerprint) {
    std::string differs =
        zpl::differences(*old->fingerprint, *session.machine.fingerprint);
    if (!differs.empty()) {
      error = (file + ": is of another machine: " + differs).str();
      return false;
    }
  }
  zpl::Fingerprint here = *session.machine.fingerprint;
  session.machine = std::move(*old);
  session.machine.fingerprint = here;
  return true;
}

/// Figures that follow from models.
static void deriveFigures(zpl::Machine &machine) {
  if (const zpl::Model *read = machine.models.find("read");
      read && !read->ranges.empty()) {
    double most = read->ranges[0].most;
    double seconds = machine.models.predict("read", {most}).cost;
    if (std::isfinite(seconds))
      machine.processor["byte"] = seconds / most;
  }
}

/// Measures and writes the file.
static int calibrateMachine(Session &session, const std::string &file) {
  std::string error;
  bool isOld = sys::fs::exists(file);
  if (isOld && !readOld(session, file, error)) {
    if (!session.options.only.empty())
      return fail(error);
    session.notes.push_back(error + "; measured anew");
  }
  auto processors = session.machine.fingerprint->processors;
  session.machine.name = (sys::getHostCPUName() + ", " + Twine(processors) +
                          (processors == 1 ? " processor" : " processors"))
                             .str();
  session.machine.source = "measured by zpl-calibrate";
  measureGroups(session);
  deriveFigures(session.machine);
  for (const std::string &note : session.notes)
    errs() << "zpl-calibrate: warning: " << note << '\n';
  if (!zpl::writeMachine(session.machine, file, error))
    return fail(error);
  errs() << "zpl-calibrate: wrote " << file << '\n';
  return 0;
}

/// Reads the file that a command is about. `audit` measures, so the file must be
/// of this machine.
static bool readAsked(Session &session, StringRef file, std::string &error) {
  if (session.options.command == "audit")
    return readOld(session, file, error);
  auto read = zpl::readMachine(file, error);
  if (read)
    session.machine = std::move(*read);
  return read.has_value();
}

/// report, map and audit.
static int runCommand(Session &session, StringRef file) {
  const Options &options = session.options;
  std::string error;
  if (!readAsked(session, file, error))
    return fail(error);
  bool isFound = true;
  if (options.command == "report")
    report(session);
  else if (options.command == "map")
    isFound = printMaps(session);
  else if (options.choice == "programs")
    isFound = auditPrograms(session);
  else
    isFound = audit(session);
  for (const std::string &note : session.notes)
    errs() << "zpl-calibrate: warning: " << note << '\n';
  if (isFound)
    return 0;
  return fail(options.choice.empty()
                  ? Twine("the file has no choices")
                  : "there is no choice '" + Twine(options.choice) + "'");
}

int main(int argc, char **argv) {
  InitLLVM setUp(argc, argv);
  Session session;
  std::string error;
  if (!readOptions(argc, argv, session.options, error)) {
    if (error.empty()) {
      printHelp();
      return 0;
    }
    fail(error);
    return 2;
  }
  std::string self = sys::fs::getMainExecutable(
      argv[0], reinterpret_cast<void *>(&calibrateMachine));
  session.folder = sys::path::parent_path(self).str();
  session.machine.fingerprint = zpl::thisMachine();
  const Options &options = session.options;
  bool measures = options.command.empty();
  std::string file = measures ? options.output : options.machine;
  if (file.empty())
    file = zpl::cacheFile(*session.machine.fingerprint);
  if (file.empty())
    return fail("there is no folder for caches; see --output and --machine");
  return measures ? calibrateMachine(session, file) : runCommand(session, file);
}
